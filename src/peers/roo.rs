//! Roo Code.

use serde::{Deserialize, Serialize};

use crate::options::{Peer, limit};
use crate::settings::{AfterFiring, CompareArguments, RuleSettings};
use turnkeeper_loop_detector::LoopMessages;

/// The options of Roo Code's detection. What is left out has the value that the agent has.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(optional_fields, rename_all = "camelCase")
)]
pub struct RooOptions {
    /// More identical calls in a row than this stop the model. It may be any integer: at 0 or less the rule
    /// is off. Default: 3.
    #[serde(deserialize_with = "limit")]
    #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
    pub limit: Option<i64>,
    /// Whether `browser_action` calls that scroll are not counted, as Roo Code once did. Default: `false`.
    pub skip_scrolling: Option<bool>,
    /// The host's own texts. `{tool}`, `{count}`, `{threshold}` and `{period}` are filled in.
    #[cfg_attr(
        feature = "typescript",
        ts(optional, type = "Partial<Record<LoopType, MessageTexts>>")
    )]
    pub messages: Option<LoopMessages>,
}

impl Peer for RooOptions {
    fn settings(&self) -> RuleSettings {
        RuleSettings {
            limit: self.limit.or(Some(3)),
            skip_scrolling: self.skip_scrolling.unwrap_or(false),
            compare_arguments: CompareArguments::Params,
            after_firing: AfterFiring::Reset,
            messages: self.messages.clone(),
            ..RuleSettings::default()
        }
    }
}
