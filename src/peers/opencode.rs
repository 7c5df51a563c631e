//! opencode, and Kilo Code, which is made from it. It asks its user, which is a stop here.

use serde::{Deserialize, Serialize};

use crate::options::Peer;
use crate::settings::{AfterFiring, CompareArguments, RuleSettings, RunBreak, at};
use turnkeeper_base::options::Threshold;
use turnkeeper_loop_detector::LoopMessages;

/// The options of opencode's detection. What is left out has the value that the agent has.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(optional_fields, rename_all = "camelCase")
)]
pub struct OpencodeOptions {
    /// The number of identical calls in a row, with nothing at all in between, that stops the model.
    /// Default: 3.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
    pub identical_calls: Option<Threshold>,
    /// The host's own texts. `{tool}`, `{count}`, `{threshold}` and `{period}` are filled in.
    #[cfg_attr(
        feature = "typescript",
        ts(optional, type = "Partial<Record<LoopType, MessageTexts>>")
    )]
    pub messages: Option<LoopMessages>,
}

impl Peer for OpencodeOptions {
    fn settings(&self) -> RuleSettings {
        RuleSettings {
            identical_calls: self.identical_calls.or(at(3)),
            compare_arguments: CompareArguments::Ordered,
            breaks_run: Some(vec![
                RunBreak::Text,
                RunBreak::Reasoning,
                RunBreak::Turn,
                RunBreak::UserMessage,
                RunBreak::OtherTool,
            ]),
            after_firing: AfterFiring::Stateless,
            messages: self.messages.clone(),
            ..RuleSettings::default()
        }
    }
}
