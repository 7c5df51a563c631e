//! gemini-cli 0.61.

use serde::{Deserialize, Serialize};

use crate::options::Peer;
use crate::settings::{CompareArguments, RuleSettings, at, count};
use turnkeeper_base::options::{Count, Threshold};
use turnkeeper_loop_detector::{LoopMessages, ModelCheckOptions, ModelCheckSetting};

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
    /// How many different texts there may be from each window to the next. Default: 5.
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

impl Peer for GeminiCliOptions {
    fn settings(&self) -> RuleSettings {
        RuleSettings {
            rounds: self.rounds.or(at(5)),
            min_period: count(self.min_period, 1),
            max_period: count(self.max_period, 5),
            unit: count(self.unit, 50),
            copies: self.copies.or(at(10)),
            mean_distance: count(self.mean_distance, 250),
            distinct_gaps: count(self.distinct_gaps, 5),
            history: count(self.history, 5_000),
            markdown_resets: true,
            compare_arguments: CompareArguments::Ordered,
            clear_keeps_counts: true,
            model_check: Some(self.asks_a_model()),
            messages: self.messages.clone(),
            ..RuleSettings::default()
        }
    }
}

impl GeminiCliOptions {
    /// It looks every 10 turns, and takes a confidence of exactly 0.9 for a loop.
    fn asks_a_model(&self) -> ModelCheckSetting {
        let user_options = match &self.model_check {
            Some(ModelCheckSetting::Off) => return ModelCheckSetting::Off,
            Some(ModelCheckSetting::On(options)) => options.clone(),
            None => ModelCheckOptions::default(),
        };
        ModelCheckSetting::On(ModelCheckOptions {
            interval: user_options.interval.or(Count::new(10)),
            inclusive: user_options.inclusive.or(Some(true)),
            ..user_options
        })
    }
}
