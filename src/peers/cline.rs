//! the Cline SDK.

use serde::{Deserialize, Serialize};

use crate::options::Peer;
use crate::settings::{AfterFiring, CompareArguments, RuleSettings, at};
use turnkeeper_base::options::Threshold;
use turnkeeper_loop_detector::LoopMessages;

/// The options of Cline's detection. What is left out has the value that the agent has.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(optional_fields, rename_all = "camelCase")
)]
pub struct ClineOptions {
    /// Exactly this number of identical calls in a row is a nudge. Default: 3.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
    pub soft_threshold: Option<Threshold>,
    /// This number of identical calls in a row, or more, stops the model. Default: 5.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
    pub hard_threshold: Option<Threshold>,
    /// Arguments that are not compared, case ignored: names of keys, at the top of the arguments or within
    /// `params` and `nativeArgs`. Default: none.
    pub cosmetic_arguments: Option<Vec<String>>,
    /// The host's own texts. `{tool}`, `{count}`, `{threshold}` and `{period}` are filled in.
    #[cfg_attr(
        feature = "typescript",
        ts(optional, type = "Partial<Record<LoopType, MessageTexts>>")
    )]
    pub messages: Option<LoopMessages>,
}

impl Peer for ClineOptions {
    fn settings(&self) -> RuleSettings {
        RuleSettings {
            soft_threshold: self.soft_threshold.or(at(3)),
            hard_threshold: self.hard_threshold.or(at(5)),
            cosmetic_arguments: self.cosmetic_arguments.clone(),
            compare_arguments: CompareArguments::SortedOrText,
            after_firing: AfterFiring::Stateless,
            messages: self.messages.clone(),
            ..RuleSettings::default()
        }
    }
}
