//! **Finds** the same few calls in the same order, round after round, and windows of the prose that repeat near
//! each other, as gemini-cli 0.61 does.
//! **Must not find** a round that differs in one call, one that is longer than `maxPeriod`, nor windows in code.
//! **The numbers** are gemini-cli's: 5 rounds of 1 to 5 calls, 10 windows of 50 units.
//!
//! The look of a delta decides whether the text starts afresh, so the verdicts on prose depend on how it
//! was cut.

mod markdown;

use serde::{Deserialize, Serialize};

use self::markdown::Markdown;
use crate::calls::{CallLoop, Calls};
use crate::options::{AgentOptions, PeerProfile, check_model_check};
use crate::report::{Detection, PeerRule, PeerRules};
use crate::windows::{RepeatedWindows, SavedWindows, WindowNumbers};
use turnkeeper_base::error::Error;
use turnkeeper_base::options::{Count, Threshold};
use turnkeeper_base::snapshot::{Corrupt, SavedState};
use turnkeeper_loop_detector::detecting::{
    Call, CallSeen, Context, Encoded, Event, Number, Restart, Rules, RunUnderWay, SavedRule, Texts,
};
use turnkeeper_loop_detector::{
    Channel, LoopMessages, LoopType, ModelCheckOptions, ModelCheckSetting,
};

/// The options of gemini-cli's detection. What is left out has the value that the agent has.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(optional_fields, rename_all = "camelCase")
)]
pub struct GeminiCliOptions {
    /// The number of rounds of a cycle of calls that stops the model. Default: 5.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
    pub rounds: Option<Threshold>,
    /// The shortest cycle that `rounds` counts, in calls. Default: 1.
    pub min_period: Option<Count>,
    /// The longest cycle that `rounds` counts, in calls, at most 100. Default: 5.
    pub max_period: Option<Count>,
    /// The length of the windows of prose that are compared at every place, in UTF-16 code units, at most
    /// 5,000. Verdicts of this rule depend on how prose is cut into deltas. Default: 50.
    pub unit: Option<Count>,
    /// The number of equal windows that is a loop, at most 100; 1 counts as 2. Default: 10.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
    pub copies: Option<Threshold>,
    /// The largest mean distance of equal windows, in UTF-16 code units. Default: 250.
    pub mean_distance: Option<Count>,
    /// The number of different texts that there may be from each window to the next. Default: 5.
    pub distinct_gaps: Option<Count>,
    /// UTF-16 code units of prose that are looked back on, at most 100,000, at least `unit`. Default:
    /// 5,000.
    pub history: Option<Count>,
    /// When to ask a model, or `false` for never. Default: from turn 30 on, every 10 turns until the first
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

impl GeminiCliOptions {
    fn min_period(&self) -> Number {
        Number::new("minPeriod", self.min_period, 1)
    }

    fn max_period(&self) -> Number {
        Number::new("maxPeriod", self.max_period, 5)
    }

    fn windows(&self) -> WindowNumbers {
        WindowNumbers {
            unit: Number::new("unit", self.unit, 50),
            copies: self.copies.map_or(Some(10), Threshold::count),
            mean_distance: self.mean_distance.map_or(250, Count::get),
            distinct_gaps: self.distinct_gaps.map_or(5, Count::get),
            history: Number::new("history", self.history, 5_000),
            skips_symbols: false,
        }
    }
}

impl AgentOptions for GeminiCliOptions {
    fn check(&self) -> Result<(), Error> {
        self.max_period().at_most(100)?;
        self.windows().check()?;
        self.min_period().no_more_than(self.max_period())?;
        check_model_check(self.model_check.as_ref())
    }

    fn rules(&self) -> Box<PeerRules> {
        let stop_from = self.rounds.map_or(Some(5), Threshold::count);
        Box::new(GeminiCli {
            stop_from,
            min_period: self.min_period().value(),
            max_period: self.max_period().value(),
            calls: Calls::in_rounds_up_to(stop_from.map_or(0, |_| self.max_period().value())),
            windows: self.windows().windows(),
            in_code: false,
        })
    }

    /// It looks every 10 turns, and takes a confidence of exactly 0.9 for a loop.
    fn model_check(&self) -> Option<ModelCheckSetting> {
        let user_options = match &self.model_check {
            Some(ModelCheckSetting::Off) => return Some(ModelCheckSetting::Off),
            Some(ModelCheckSetting::On(options)) => options.clone(),
            None => ModelCheckOptions::default(),
        };
        Some(ModelCheckSetting::On(ModelCheckOptions {
            interval: user_options.interval.or(Count::new(10)),
            inclusive: user_options.inclusive.or(Some(true)),
            ..user_options
        }))
    }
}

const RULE: PeerRule = PeerRule::RepeatedCycle;
const IDENTICAL_CALLS: CallLoop = CallLoop::identical(RULE);
const CYCLE: CallLoop = CallLoop {
    rule: RULE,
    loop_type: LoopType::RepeatedToolCycle,
    texts: Texts {
        message: "the model went {count} times through the same {period} tool calls.",
        feedback: "You went {count} times through the same {period} tool calls, the last of them {tool}. \
                   {held}Another round will not change anything. Use what you have, or try something \
                   else.",
    },
};

#[derive(Debug, Clone)]
struct GeminiCli {
    stop_from: Option<u64>,
    min_period: u64,
    max_period: u64,
    calls: Calls,
    windows: RepeatedWindows,
    /// Within a fenced block, of which neither a tool call nor a new prompt is the end.
    in_code: bool,
}

/// The state in a snapshot.
#[derive(Serialize, Deserialize)]
struct Saved {
    calls: Calls,
    windows: SavedWindows,
    in_code: bool,
}

impl SavedState for Saved {
    fn validate(&self) -> Result<(), Corrupt> {
        self.windows.validate()
    }
}

impl GeminiCli {
    /// Whether the delta is compared.
    fn admits(&mut self, delta: &[u16]) -> bool {
        let markdown = Markdown::of(delta);
        if markdown.fences > 0 || markdown.has_element || markdown.is_divider {
            self.windows.clear(0);
        }
        let was_in_code = self.in_code;
        self.in_code ^= markdown.fences % 2 == 1;
        !(was_in_code || self.in_code || markdown.is_divider)
    }

    /// The shortest cycle counts.
    fn call(&mut self, seen: &CallSeen) -> Option<Detection> {
        self.windows.clear(0);
        self.calls.add(seen.key, seen.index);
        (self.min_period..=self.max_period).find_map(|period| {
            let found = if period == 1 { IDENTICAL_CALLS } else { CYCLE };
            found.stop_from(self.stop_from, period, &self.calls, seen)
        })
    }

    fn prose(&mut self, delta: &[u16]) -> Option<Detection> {
        if !self.admits(delta) {
            self.windows.clear(delta.len());
            return None;
        }
        self.windows.prose(delta)
    }
}

impl Rules<PeerRule, PeerProfile> for GeminiCli {
    fn key(&self, call: &Call, _: Encoded) -> Option<u64> {
        Some(call.fingerprint_as_given())
    }

    fn observe(&mut self, event: &Event, _: &Context) -> Option<Detection> {
        match event {
            Event::Call(seen) => self.call(seen),
            Event::Text {
                channel: Channel::Text,
                delta,
            } => self.prose(delta),
            _ => None,
        }
    }

    /// The rounds of the cycle that goes on for longest.
    fn under_way(&self) -> Option<RunUnderWay> {
        let rounds = (self.min_period..=self.max_period).map(|period| self.calls.rounds(period));
        Some(RunUnderWay {
            count: rounds.max()?,
            threshold: self.stop_from?,
        })
    }

    fn restart(&mut self, restart: Restart) {
        self.calls.clear();
        self.windows.restart(restart);
    }

    fn save(&self) -> Vec<SavedRule> {
        SavedRule::only(&Saved {
            calls: self.calls.clone(),
            windows: self.windows.save(),
            in_code: self.in_code,
        })
    }

    fn load(&mut self, saved: &[SavedRule]) -> Result<(), Corrupt> {
        let saved: Saved = SavedRule::read_only(saved)?;
        self.calls.load(saved.calls)?;
        self.windows.load(saved.windows)?;
        self.in_code = saved.in_code;
        Ok(())
    }

    fn clear_keeps_counts(&self) -> bool {
        true
    }

    fn needs_key_order(&self) -> bool {
        true
    }
}
