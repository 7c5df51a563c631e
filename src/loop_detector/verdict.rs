//! What the detector answers.

use serde::Serialize;

use super::messages::MESSAGES;
use crate::setting::word_at;
use crate::snapshot::Codec;

/// The field's names for the ways in which an agent gets stuck.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum LoopType {
    /// The same tool with the same arguments, again and again.
    ConsecutiveIdenticalToolCalls,
    /// A sequence of calls that comes round again.
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
}

impl LoopType {
    pub(crate) const ALL: [Self; 7] = [
        Self::ConsecutiveIdenticalToolCalls,
        Self::RepeatedToolCycle,
        Self::SameToolDifferentArguments,
        Self::RepeatedError,
        Self::ChantingIdenticalSentences,
        Self::Monologue,
        Self::LlmDetectedLoop,
    ];

    pub(crate) fn name(self) -> &'static str {
        word_at(MESSAGES.names, self as usize)
    }
}

/// Which text repeats: the assistant's prose or its thinking.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Channel {
    /// The assistant's prose.
    Text,
    /// The model's thinking.
    Reasoning,
}

/// Why an agent was found stuck.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct LoopReport {
    /// The way in which it is stuck.
    #[serde(rename = "type")]
    pub loop_type: LoopType,
    /// The rule that fired, such as `identical_calls`.
    pub rule: String,
    /// The profile that the rule belongs to.
    pub profile: String,
    /// The tool that was called.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub tool: Option<String>,
    /// SHA-256 over `name:arguments` of the call that fired, the arguments as JSON with sorted
    /// keys: 64 lower-case hexadecimal characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub call_key: Option<String>,
    /// How many repeats were counted.
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    pub count: u64,
    /// The count at which the rule fires.
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    pub threshold: u64,
    /// What repeats, as a number of calls or of UTF-16 code units.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
    pub period: Option<u64>,
    /// The how-manieth detection of this prompt it is, from 1; `clear()` does not reset it.
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    pub strike: u64,
    /// For text: which text.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub channel: Option<Channel>,
    /// Where the repeats begin: a tool call's index from 0, or a UTF-16 offset into the prompt's
    /// text.
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    pub first_index: u64,
    /// The call, or the UTF-16 code unit, at which the rule fired.
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    pub last_index: u64,
    /// An excerpt of what repeats, at most 300 UTF-16 code units.
    pub evidence: String,
    /// For the user, at most 500 UTF-16 code units.
    pub message: String,
    /// For the model's history: what was repeated, how often, and what to do differently; at
    /// most 2,000 UTF-16 code units.
    pub feedback: String,
}

impl LoopReport {
    /// What a rule found, as far as every rule finds the same; the detector adds the texts.
    pub(crate) fn new(loop_type: LoopType, rule: &str) -> Box<Self> {
        Box::new(Self {
            loop_type,
            rule: rule.to_owned(),
            profile: String::new(),
            tool: None,
            call_key: None,
            count: 0,
            threshold: 0,
            period: None,
            strike: 0,
            channel: None,
            first_index: 0,
            last_index: 0,
            evidence: String::new(),
            message: String::new(),
            feedback: String::new(),
        })
    }

    pub(crate) fn visit(&mut self, codec: &mut Codec) {
        codec.choice(&mut self.loop_type, &LoopType::ALL);
        let channels = [None, Some(Channel::Text), Some(Channel::Reasoning)];
        codec.choice(&mut self.channel, &channels);
        codec.text(&mut self.rule);
        codec.text(&mut self.profile);
        codec.text(&mut self.evidence);
        codec.text(&mut self.message);
        codec.text(&mut self.feedback);
        codec.some_text(&mut self.tool);
        codec.some_text(&mut self.call_key);
        // No period is shorter than a unit.
        let mut period = self.period.unwrap_or(0);
        codec.number(&mut period, u64::MAX);
        self.period = (period > 0).then_some(period);
        codec.number(&mut self.count, u64::MAX);
        codec.number(&mut self.threshold, u64::MAX);
        codec.number(&mut self.strike, u64::MAX);
        codec.number(&mut self.first_index, u64::MAX);
        codec.number(&mut self.last_index, u64::MAX);
    }
}

/// What the host should do now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "action", rename_all = "snake_case")]
pub enum LoopVerdict {
    /// Go on.
    Ok,
    /// Tell the model, and let it go on.
    Nudge {
        /// Why.
        report: Box<LoopReport>,
    },
    /// Stop the model.
    Stop {
        /// Why.
        report: Box<LoopReport>,
    },
}

impl LoopVerdict {
    /// The report of a verdict that is not `ok`.
    pub fn report(&self) -> Option<&LoopReport> {
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

/// At most so many UTF-16 code units of evidence.
pub(crate) const EVIDENCE_UNITS: usize = 300;
