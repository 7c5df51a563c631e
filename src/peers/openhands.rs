//! OpenHands V0.

use serde::{Deserialize, Serialize};

use crate::options::Peer;
use crate::settings::{AfterFiring, CompareResults, RuleSettings, at};
use turnkeeper_base::options::Threshold;
use turnkeeper_loop_detector::LoopMessages;

/// The options of OpenHands' detection. What is left out has the value that the agent has.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(optional_fields, rename_all = "camelCase")
)]
pub struct OpenhandsOptions {
    /// The number of equal actions in a row, a call or a message of the model, that together with as many
    /// equal results in a row stops the model. Default: 4.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
    pub repeated_pairs: Option<Threshold>,
    /// The same for rounds of two actions that take turns. Default: 3.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
    pub alternating_pairs: Option<Threshold>,
    /// The number of equal actions and of results that are errors, equal or not. Default: 3.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
    pub repeated_errors: Option<Threshold>,
    /// The number of equal actions and of results that end in the same syntax error of a Jupyter cell.
    /// Default: 3.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
    pub syntax_errors: Option<Threshold>,
    /// The number of equal messages of the model with no result in between. Default: 3.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
    pub repeated_messages: Option<Threshold>,
    /// The number of condensations with no action and no result in between. Default: 10.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
    pub repeated_condensations: Option<Threshold>,
    /// Whether the rules look at the whole prompt instead of what follows the last `user_message`. Default:
    /// `false`.
    pub headless: Option<bool>,
    /// Tools that run a command, whose exit code stands for their output where the result carries one.
    /// Default: the shell tools of the agents whose sessions this package reads.
    pub command_tools: Option<Vec<String>>,
    /// The host's own texts. `{tool}`, `{count}`, `{threshold}` and `{period}` are filled in.
    #[cfg_attr(
        feature = "typescript",
        ts(optional, type = "Partial<Record<LoopType, MessageTexts>>")
    )]
    pub messages: Option<LoopMessages>,
}

impl Peer for OpenhandsOptions {
    fn settings(&self) -> RuleSettings {
        RuleSettings {
            repeated_pairs: self.repeated_pairs.or(at(4)),
            alternating_pairs: self.alternating_pairs.or(at(3)),
            repeated_errors: self.repeated_errors.or(at(3)),
            syntax_errors: self.syntax_errors.or(at(3)),
            repeated_messages: self.repeated_messages.or(at(3)),
            repeated_condensations: self.repeated_condensations.or(at(10)),
            headless: self.headless.unwrap_or(false),
            command_tools: self.command_tools.clone(),
            compare_results: CompareResults::ExitCode,
            after_firing: AfterFiring::Stateless,
            messages: self.messages.clone(),
            ..RuleSettings::default()
        }
    }
}
