//! **Finds** identical calls in a row, a preview model that calls one monitored tool again and again, whatever the
//! arguments, and windows of the prose that repeat near each other, as DeepV Code does.
//! **Must not find** a run that another call interrupts, a run of one tool of any other model, nor windows of
//! symbols.
//! **The numbers** are DeepV Code's: 10 identical calls; 32 of one tool, after 4 and 5 had stopped normal work; 20
//! windows of 500 units.

use serde::{Deserialize, Serialize};

use crate::calls::{CallLoop, Calls};
use crate::options::{AgentOptions, PeerProfile, check_model_check};
use crate::report::{Detection, PeerRule, PeerRules};
use crate::windows::{RepeatedWindows, SavedWindows, WindowNumbers};
use turnkeeper_base::error::Error;
use turnkeeper_base::options::{Count, Threshold};
use turnkeeper_base::snapshot::{Corrupt, SavedState};
use turnkeeper_loop_detector::detecting::{
    Call, CallSeen, Context, Encoded, Event, Number, Restart, Rules, RunUnderWay, SavedRule, Texts,
    tool_fingerprints,
};
use turnkeeper_loop_detector::{
    Channel, LoopMessages, LoopType, ModelCheckOptions, ModelCheckSetting, PreviewModel,
};

/// Tools with which DeepV Code has seen preview models get stuck.
const MONITORED_TOOLS: [&str; 9] = [
    "read_file",
    "read_many_files",
    "glob",
    "search_file_content",
    "ls",
    "replace",
    "write_file",
    "delete_file",
    "shell",
];

/// The options of DeepV Code's detection. What is left out has the value that the agent has.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(optional_fields, rename_all = "camelCase")
)]
pub struct DeepvOptions {
    /// The number of identical calls in a row that stops the model. Default: 10.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
    pub identical_calls: Option<Threshold>,
    /// The number of calls in a row of one tool of `monitoredTools`, whatever the arguments, that stops a
    /// preview model. Default: 32.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
    pub monitored_calls: Option<Threshold>,
    /// The tools that `monitoredCalls` counts. Default: `read_file`, `read_many_files`, `glob`,
    /// `search_file_content`, `ls`, `replace`, `write_file`, `delete_file` and `shell`.
    pub monitored_tools: Option<Vec<String>>,
    /// The models that are watched by `monitoredCalls`: those whose name contains the string, case ignored, or
    /// matches the pattern. Default: `/preview/i`.
    #[cfg_attr(feature = "typescript", ts(optional, type = "string | RegExp"))]
    pub preview_model: Option<PreviewModel>,
    /// The length of the windows of prose that are compared at every place, in UTF-16 code units, at most
    /// 5,000. Default: 500.
    pub unit: Option<Count>,
    /// The number of equal windows that is a loop, at most 100; 1 counts as 2. Default: 20.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
    pub copies: Option<Threshold>,
    /// The largest mean distance of equal windows, in UTF-16 code units. Default: 750.
    pub mean_distance: Option<Count>,
    /// The number of different texts that there may be from each window to the next. Default: 20, as many as there
    /// can be.
    pub distinct_gaps: Option<Count>,
    /// UTF-16 code units of prose that are looked back on, at most 100,000, at least `unit`. Default:
    /// 10,000.
    pub history: Option<Count>,
    /// When to ask a model, or `false` for never. Default: from turn 30 on, every 3 turns until the first
    /// answer.
    #[cfg_attr(
        feature = "typescript",
        ts(optional, type = "false | ModelCheckOptions")
    )]
    pub model_check: Option<ModelCheckSetting>,
    /// The host's own texts. `{tool}`, `{count}`, `{threshold}` and `{period}` are filled in.
    #[cfg_attr(
        feature = "typescript",
        ts(optional, type = "Partial<Record<LoopType, MessageTexts>>")
    )]
    pub messages: Option<LoopMessages>,
}

impl DeepvOptions {
    fn windows(&self) -> WindowNumbers {
        WindowNumbers {
            unit: Number::new("unit", self.unit, 500),
            copies: self.copies.map_or(Some(20), Threshold::count),
            mean_distance: self.mean_distance.map_or(750, Count::get),
            // There are fewer gaps than this between 20 windows.
            distinct_gaps: self.distinct_gaps.map_or(20, Count::get),
            history: Number::new("history", self.history, 10_000),
            skips_symbols: true,
        }
    }
}

impl AgentOptions for DeepvOptions {
    fn check(&self) -> Result<(), Error> {
        self.windows().check()?;
        check_model_check(self.model_check.as_ref())
    }

    fn rules(&self) -> Box<PeerRules> {
        Box::new(Deepv {
            identical_from: self.identical_calls.map_or(Some(10), Threshold::count),
            monitored_from: self.monitored_calls.map_or(Some(32), Threshold::count),
            monitored_tools: tool_fingerprints(&self.monitored_tools, &MONITORED_TOOLS),
            calls: Calls::in_a_row(),
            monitored: Calls::in_a_row(),
            windows: self.windows().windows(),
        })
    }

    fn model_check(&self) -> Option<ModelCheckSetting> {
        let usual = || ModelCheckSetting::On(ModelCheckOptions::default());
        Some(self.model_check.clone().unwrap_or_else(usual))
    }

    fn preview_model(&self) -> Option<&PreviewModel> {
        self.preview_model.as_ref()
    }
}

const IDENTICAL_CALLS: CallLoop = CallLoop::identical(PeerRule::IdenticalCalls);
const MONITORED_CALLS: CallLoop = CallLoop {
    rule: PeerRule::MonitoredCalls,
    loop_type: LoopType::SameToolDifferentArguments,
    texts: Texts {
        message: "the model called {tool} {count} times in a row, which is the limit for this model.",
        feedback: "You called {tool} {count} times in a row. {held}Stop exploring with {tool}. Sum up \
                   what you know so far, then act on it, or tell the user what you still need and why.",
    },
};

#[derive(Debug, Clone)]
struct Deepv {
    identical_from: Option<u64>,
    monitored_from: Option<u64>,
    /// By [`Call::tool_fingerprint`].
    monitored_tools: Vec<u64>,
    calls: Calls,
    /// A preview model's calls of monitored tools, whatever the arguments.
    monitored: Calls,
    windows: RepeatedWindows,
}

/// The state in a snapshot.
#[derive(Serialize, Deserialize)]
struct Saved {
    calls: Calls,
    monitored: Calls,
    windows: SavedWindows,
}

impl SavedState for Saved {
    fn validate(&self) -> Result<(), Corrupt> {
        self.windows.validate()
    }
}

impl Deepv {
    fn call(&mut self, seen: &CallSeen) -> Option<Detection> {
        self.windows.clear(0);
        self.calls.add(seen.key, seen.index);
        let tool = seen.call.tool_fingerprint();
        if seen.is_preview && self.monitored_tools.contains(&tool) {
            self.monitored.add(tool, seen.index);
        } else {
            self.monitored.clear();
        }
        let identical = IDENTICAL_CALLS.stop_from(self.identical_from, 1, &self.calls, seen);
        identical
            .or_else(|| MONITORED_CALLS.stop_from(self.monitored_from, 1, &self.monitored, seen))
    }
}

impl Rules<PeerRule, PeerProfile> for Deepv {
    fn key(&self, call: &Call, _: Encoded) -> Option<u64> {
        Some(call.fingerprint_as_given())
    }

    fn observe(&mut self, event: &Event, _: &Context) -> Option<Detection> {
        match event {
            Event::Call(seen) => self.call(seen),
            Event::Text {
                channel: Channel::Text,
                delta,
            } => self.windows.prose(delta),
            _ => None,
        }
    }

    fn under_way(&self) -> Option<RunUnderWay> {
        let identical = self.calls.run(self.identical_from);
        let monitored = self.monitored.run(self.monitored_from);
        RunUnderWay::nearest(identical.into_iter().chain(monitored))
    }

    fn restart(&mut self, restart: Restart) {
        self.calls.clear();
        self.monitored.clear();
        self.windows.restart(restart);
    }

    fn save(&self) -> Vec<SavedRule> {
        SavedRule::only(&Saved {
            calls: self.calls.clone(),
            monitored: self.monitored.clone(),
            windows: self.windows.save(),
        })
    }

    fn load(&mut self, saved: &[SavedRule]) -> Result<(), Corrupt> {
        let saved: Saved = SavedRule::read_only(saved)?;
        self.calls.load(saved.calls)?;
        self.monitored.load(saved.monitored)?;
        self.windows.load(saved.windows)
    }

    fn needs_key_order(&self) -> bool {
        true
    }
}
