//! goose. Its repetition rule is off until `maxRepetitions` is set.

use serde::{Deserialize, Serialize};

use crate::options::Peer;
use crate::settings::{AfterFiring, RuleSettings, at};
use turnkeeper_base::options::Threshold;
use turnkeeper_loop_detector::LoopMessages;

/// The options of goose's detection. What is left out has the value that the agent has.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(optional_fields, rename_all = "camelCase")
)]
pub struct GooseOptions {
    /// The number of results in a row that are the same error of the same tool, in its first 100
    /// characters, which stops the model; then the count starts again. Default: 3.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
    pub same_errors: Option<Threshold>,
    /// More identical calls in a row than this stop the model. Default: off.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
    pub max_repetitions: Option<Threshold>,
    /// The host's own texts. `{tool}`, `{count}`, `{threshold}` and `{period}` are filled in.
    #[cfg_attr(
        feature = "typescript",
        ts(optional, type = "Partial<Record<LoopType, MessageTexts>>")
    )]
    pub messages: Option<LoopMessages>,
}

impl Peer for GooseOptions {
    fn settings(&self) -> RuleSettings {
        RuleSettings {
            same_errors: self.same_errors.or(at(3)),
            max_repetitions: self.max_repetitions,
            after_firing: AfterFiring::Stateless,
            messages: self.messages.clone(),
            ..RuleSettings::default()
        }
    }
}
