//! OpenClaw, with its detection on.

use serde::{Deserialize, Serialize};

use crate::options::Peer;
use crate::settings::{AfterFiring, RuleSettings, at, count};
use turnkeeper_base::options::{Count, Threshold};
use turnkeeper_loop_detector::LoopMessages;

/// The options of OpenClaw's detection. What is left out has the value that the agent has.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(optional_fields, rename_all = "camelCase")
)]
pub struct OpenclawOptions {
    /// The number of equal calls among the last `callWindow` from which on each is a nudge; from twice as
    /// many on with the same result it is a stop. Default: 10.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
    pub same_calls: Option<Threshold>,
    /// The same for calls that ask a running process how it is (`command_status`, and `process` with the
    /// action `poll` or `log`), which count only with the same result. Default: 10.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
    pub unchanged_polls: Option<Threshold>,
    /// The number of calls by which two calls take turns from which on each is a nudge; from twice as many
    /// on with equal results it is a stop. Default: 10.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
    pub calls_in_turn: Option<Threshold>,
    /// The number of calls in a row of a tool that does not exist, according to its errors. Default: 10.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
    pub unknown_tool_calls: Option<Threshold>,
    /// How many calls these rules look back on, the one at hand included, at most 100. Default: 30.
    pub call_window: Option<Count>,
    /// The host's own texts. `{tool}`, `{count}`, `{threshold}` and `{period}` are filled in.
    #[cfg_attr(
        feature = "typescript",
        ts(optional, type = "Partial<Record<LoopType, MessageTexts>>")
    )]
    pub messages: Option<LoopMessages>,
}

impl Peer for OpenclawOptions {
    fn settings(&self) -> RuleSettings {
        RuleSettings {
            same_calls: self.same_calls.or(at(10)),
            unchanged_polls: self.unchanged_polls.or(at(10)),
            calls_in_turn: self.calls_in_turn.or(at(10)),
            unknown_tool_calls: self.unknown_tool_calls.or(at(10)),
            call_window: count(self.call_window, 30),
            after_firing: AfterFiring::Stateless,
            messages: self.messages.clone(),
            ..RuleSettings::default()
        }
    }
}
