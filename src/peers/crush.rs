//! crush.

use serde::{Deserialize, Serialize};

use crate::options::Peer;
use crate::settings::{AfterFiring, CompareArguments, CompareResults, RuleSettings, at, count};
use turnkeeper_base::options::{Count, Threshold};
use turnkeeper_loop_detector::LoopMessages;

/// The options of crush's detection. What is left out has the value that the agent has.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(optional_fields, rename_all = "camelCase")
)]
pub struct CrushOptions {
    /// How many steps are looked back on, at most 100; in a prompt of fewer the rule is silent. A step is
    /// all that the model calls from one `turn_started` to the next, with the results. Default: 10.
    pub window_size: Option<Count>,
    /// More equal steps than this among the last `windowSize` stop the model. Default: 5.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
    pub max_repeats: Option<Threshold>,
    /// The host's own texts. `{tool}`, `{count}`, `{threshold}` and `{period}` are filled in.
    #[cfg_attr(
        feature = "typescript",
        ts(optional, type = "Partial<Record<LoopType, MessageTexts>>")
    )]
    pub messages: Option<LoopMessages>,
}

impl Peer for CrushOptions {
    fn settings(&self) -> RuleSettings {
        RuleSettings {
            window_size: count(self.window_size, 10),
            max_repeats: self.max_repeats.or(at(5)),
            compare_arguments: CompareArguments::Raw,
            compare_results: CompareResults::Full,
            after_firing: AfterFiring::Stateless,
            messages: self.messages.clone(),
            ..RuleSettings::default()
        }
    }
}
