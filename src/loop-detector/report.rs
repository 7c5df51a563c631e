//! The detector's answer.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::options::LoopProfile;
pub use super::rules::RuleName;
use turnkeeper_base::names;

names! {
    /// The field's names for the ways in which an agent gets stuck.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    #[cfg_attr(feature = "typescript", derive(ts_rs::TS, documented::DocumentedFields))]
    #[serde(rename_all = "snake_case")]
    #[non_exhaustive]
    LoopType {
        /// The same tool with the same arguments, again and again.
        ConsecutiveIdenticalToolCalls,
        /// A sequence of calls that repeats.
        RepeatedToolCycle,
        /// The same tool too often, whatever its arguments.
        SameToolDifferentArguments,
        /// The same error, whatever was tried.
        RepeatedError,
        /// The same passage of text without end.
        ChantingIdenticalSentences,
        /// The same message with nothing done in between.
        Monologue,
        /// A model judged that the conversation goes in circles.
        LlmDetectedLoop,
        /// The host's own detector found it.
        HostDetectedLoop,
    }
}

impl LoopType {
    /// The thing that repeats.
    pub fn subject(self) -> Subject {
        match self {
            Self::ConsecutiveIdenticalToolCalls
            | Self::RepeatedToolCycle
            | Self::SameToolDifferentArguments
            | Self::RepeatedError => Subject::Calls,
            Self::ChantingIdenticalSentences | Self::Monologue => Subject::Text,
            Self::LlmDetectedLoop | Self::HostDetectedLoop => Subject::Judgement,
        }
    }
}

/// The matter of a loop, which decides what a report says of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Subject {
    /// Tool calls: indexes count those of the prompt, from 0.
    Calls,
    /// Prose or reasoning: indexes are offsets in UTF-16 code units, and there is a channel.
    Text,
    /// The conversation, as someone else judges it: a model that was asked, or the host.
    Judgement,
}

/// The names under which a detector reports what it finds.
pub trait RuleNames: Copy + fmt::Debug + fmt::Display + Serialize + 'static {
    /// Every name.
    const NAMES: &'static [Self];
    /// A model that was asked.
    const MODEL_CHECK: Self;
    /// The host's own detector.
    const HOST_REPORT: Self;

    /// The subjects that the rule's reports can have.
    fn subjects(self) -> &'static [Subject];
}

/// The text that repeats: the assistant's prose or its thinking.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS, documented::DocumentedFields)
)]
#[serde(rename_all = "snake_case")]
pub enum Channel {
    /// The assistant's prose.
    Text,
    /// The model's thinking.
    Reasoning,
}

/// The reason for which an agent was found stuck: by a rule of this library's, or of another agent's detector (crate
/// `turnkeeper-peers`), which has names of its own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(concrete(R = RuleName, P = LoopProfile))
)]
#[serde(rename_all = "camelCase")]
pub struct LoopReport<R = RuleName, P = LoopProfile> {
    /// The way in which it is stuck.
    #[serde(rename = "type")]
    pub loop_type: LoopType,
    /// The rule that fired.
    #[cfg_attr(
        feature = "typescript",
        ts(type = "RuleName | PeerCallRule | PeerTextRule")
    )]
    pub rule: R,
    /// The profile that the rule belongs to.
    #[cfg_attr(feature = "typescript", ts(type = "LoopProfile | PeerProfile"))]
    pub profile: P,
    /// The tool that was called.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub tool: Option<String>,
    /// SHA-256 over `name:arguments` of the call that fired, the arguments as JSON with sorted
    /// keys: 64 lower-case hexadecimal characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub call_key: Option<String>,
    /// The number of repeats; for `model_check` the turns of the prompt, or in doubt its calls.
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    pub count: u64,
    /// The count at which the rule fires.
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    pub threshold: u64,
    /// The number of calls of a round, left out if it is one; of text the length of what repeats, in UTF-16 code units, and
    /// of messages that take turns their number.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
    pub period: Option<u64>,
    /// The number of this detection in the prompt, counting from 1; `clear()` does not reset it.
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    pub strike: u64,
    /// The channel of a text, in a report about text.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub channel: Option<Channel>,
    /// The place where the repeats begin: a tool call's index from 0, or a UTF-16 offset into the prompt's
    /// text; 0 for a judgement, which is about the whole prompt.
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    pub first_index: u64,
    /// The call, or the UTF-16 code unit, at which the rule fired; for a judgement the newest call of the prompt.
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    pub last_index: u64,
    /// The cost since the loop began, the event that fired included; nothing where it is
    /// not known when it began.
    pub wasted: Wasted,
    /// An excerpt of what repeats, or of the reasons for a judgement; at most 300 UTF-16 code units.
    pub evidence: String,
    /// The finding, as one sentence without advice, for a context that takes facts and no orders; at
    /// most 300 UTF-16 code units.
    pub fact: String,
    /// For the user, at most 500 UTF-16 code units.
    pub message: String,
    /// For the model's history: what was repeated, how often, and what to do differently; at
    /// most 2,000 UTF-16 code units.
    pub feedback: String,
}

/// The cost of a loop so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Wasted {
    /// Tool calls, from the loop's first one on.
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    pub calls: u64,
    /// UTF-16 code units of text, reasoning and results, and the bytes
    /// in which calls are compared, which are about as many as their JSON has.
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    pub characters: u64,
}

impl<R: RuleNames, P: Default> LoopReport<R, P> {
    /// Whether it has what its type promises: JavaScript's type of a report says so, too.
    pub fn is_consistent(&self) -> bool {
        let subject = self.loop_type.subject();
        self.rule.subjects().contains(&subject)
            && self.channel.is_some() == (subject == Subject::Text)
            && (self.tool.is_none() || subject == Subject::Calls)
            && self.tool.is_some() == self.call_key.is_some()
    }

    /// The report of what a rule found, as far as every rule finds the same; the detector adds the texts.
    pub fn new(loop_type: LoopType, rule: R) -> Box<Self> {
        Box::new(Self {
            loop_type,
            rule,
            profile: P::default(),
            tool: None,
            call_key: None,
            count: 0,
            threshold: 0,
            period: None,
            strike: 0,
            channel: None,
            first_index: 0,
            last_index: 0,
            wasted: Wasted::default(),
            evidence: String::new(),
            fact: String::new(),
            message: String::new(),
            feedback: String::new(),
        })
    }
}

/// The host's next step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS, documented::DocumentedFields),
    ts(concrete(R = RuleName, P = LoopProfile))
)]
#[serde(tag = "action", rename_all = "snake_case")]
pub enum LoopVerdict<R = RuleName, P = LoopProfile> {
    /// Go on.
    Ok,
    /// Tell the model, and let it go on.
    Nudge {
        /// Why.
        report: Box<LoopReport<R, P>>,
    },
    /// Stop the model.
    Stop {
        /// Why.
        report: Box<LoopReport<R, P>>,
    },
}

impl<R, P> LoopVerdict<R, P> {
    /// The report of a verdict that is not `ok`.
    pub fn report(&self) -> Option<&LoopReport<R, P>> {
        match self {
            Self::Ok => None,
            Self::Nudge { report } | Self::Stop { report } => Some(report),
        }
    }

    /// Whether the host should stop the model.
    pub fn is_stop(&self) -> bool {
        matches!(self, Self::Stop { .. })
    }
}

/// The most evidence in a report, in UTF-16 code units.
pub const EVIDENCE_UNITS: usize = 300;
