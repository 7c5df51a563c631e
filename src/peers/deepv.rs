//! DeepV Code.

use serde::{Deserialize, Serialize};

use crate::options::Peer;
use crate::settings::{CompareArguments, RuleSettings, at, count};
use turnkeeper_base::options::{Count, Threshold};
use turnkeeper_loop_detector::{LoopMessages, ModelCheckOptions, ModelCheckSetting, PreviewModel};

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
    /// Which models are watched by `monitoredCalls`: those whose name contains the string, case ignored, or
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
    /// How many different texts there may be from each window to the next. Default: 20, as many as there
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

impl Peer for DeepvOptions {
    fn settings(&self) -> RuleSettings {
        RuleSettings {
            identical_calls: self.identical_calls.or(at(10)),
            monitored_calls: self.monitored_calls.or(at(32)),
            monitored_tools: Some(self.monitored_tools.clone().unwrap_or_else(monitored_tools)),
            preview_model: self.preview_model.clone(),
            unit: count(self.unit, 500),
            copies: self.copies.or(at(20)),
            mean_distance: count(self.mean_distance, 750),
            // There are fewer gaps than this between 20 windows.
            distinct_gaps: count(self.distinct_gaps, 20),
            history: count(self.history, 10_000),
            skip_symbols: true,
            compare_arguments: CompareArguments::Ordered,
            model_check: Some(self.model_check.clone().unwrap_or_else(asked_as_usual)),
            messages: self.messages.clone(),
            ..RuleSettings::default()
        }
    }
}

fn monitored_tools() -> Vec<String> {
    MONITORED_TOOLS.map(str::to_owned).to_vec()
}

fn asked_as_usual() -> ModelCheckSetting {
    ModelCheckSetting::On(ModelCheckOptions::default())
}
