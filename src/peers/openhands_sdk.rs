//! OpenHands' software agent SDK.

use serde::{Deserialize, Serialize};

use crate::options::Peer;
use crate::settings::{AfterFiring, RuleSettings, at, count};
use turnkeeper_base::options::{Count, Threshold};
use turnkeeper_loop_detector::LoopMessages;

/// The options of the detection of OpenHands' software agent SDK. What is left out has the value that the agent has.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(optional_fields, rename_all = "camelCase")
)]
pub struct OpenhandsSdkOptions {
    /// The number of equal calls in a row with equal results, among the last `recentEvents`, that stops the
    /// model. For this and the rules below, what is said in front of a call, in the same turn, is compared
    /// with it, and results are compared in full. Default: 4.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
    pub recent_pairs: Option<Threshold>,
    /// The number of equal calls whose results are errors, equal or not, that stops the model; one less is
    /// a nudge. Default: 4.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
    pub recent_errors: Option<Threshold>,
    /// The number of messages of the model, equal or not, with nothing but condensations in between. A
    /// message counts when it is over: what is said in front of a call is none. Default: 3.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
    pub recent_messages: Option<Threshold>,
    /// The number of rounds of two calls that take turns, with equal results. Default: 3.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
    pub recent_turns: Option<Threshold>,
    /// How many events these rules look back on, calls, results, messages and condensations, at most to the
    /// user's last message; at most 100. Default: 20.
    pub recent_events: Option<Count>,
    /// The host's own texts. `{tool}`, `{count}`, `{threshold}` and `{period}` are filled in.
    #[cfg_attr(
        feature = "typescript",
        ts(optional, type = "Partial<Record<LoopType, MessageTexts>>")
    )]
    pub messages: Option<LoopMessages>,
}

impl Peer for OpenhandsSdkOptions {
    fn settings(&self) -> RuleSettings {
        RuleSettings {
            recent_pairs: self.recent_pairs.or(at(4)),
            recent_errors: self.recent_errors.or(at(4)),
            recent_messages: self.recent_messages.or(at(3)),
            recent_turns: self.recent_turns.or(at(3)),
            recent_events: count(self.recent_events, 20),
            after_firing: AfterFiring::Stateless,
            messages: self.messages.clone(),
            ..RuleSettings::default()
        }
    }
}
