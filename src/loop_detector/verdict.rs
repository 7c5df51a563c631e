//! What the detector answers.

use serde::Serialize;

use crate::snapshot::{Corrupt, Reader, Writer};

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
        match self {
            Self::ConsecutiveIdenticalToolCalls => "consecutive_identical_tool_calls",
            Self::RepeatedToolCycle => "repeated_tool_cycle",
            Self::SameToolDifferentArguments => "same_tool_different_arguments",
            Self::RepeatedError => "repeated_error",
            Self::ChantingIdenticalSentences => "chanting_identical_sentences",
            Self::Monologue => "monologue",
            Self::LlmDetectedLoop => "llm_detected_loop",
        }
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
    pub(crate) fn save(&self, to: &mut Writer) {
        let place = LoopType::ALL
            .iter()
            .position(|&known| known == self.loop_type);
        to.length(place.expect("every type is listed"));
        to.number(match self.channel {
            None => 0,
            Some(Channel::Text) => 1,
            Some(Channel::Reasoning) => 2,
        });
        for text in [
            &self.rule,
            &self.profile,
            &self.evidence,
            &self.message,
            &self.feedback,
        ] {
            to.text(text);
        }
        for text in [&self.tool, &self.call_key] {
            to.flag(text.is_some());
            to.text(text.as_deref().unwrap_or_default());
        }
        to.flag(self.period.is_some());
        for number in [
            self.period.unwrap_or_default(),
            self.count,
            self.threshold,
            self.strike,
            self.first_index,
            self.last_index,
        ] {
            to.number(number);
        }
    }

    pub(crate) fn load(from: &mut Reader) -> Result<Self, Corrupt> {
        let place = from.number_to(LoopType::ALL.len() as u64 - 1)? as usize;
        let channel = match from.number()? {
            0 => None,
            1 => Some(Channel::Text),
            2 => Some(Channel::Reasoning),
            _ => return Err(Corrupt),
        };
        let mut text = || from.text().map(str::to_owned);
        let (rule, profile, evidence) = (text()?, text()?, text()?);
        let (message, feedback) = (text()?, text()?);
        let mut optional = || {
            let is_some = from.flag()?;
            from.text().map(|text| is_some.then(|| text.to_owned()))
        };
        let (tool, call_key) = (optional()?, optional()?);
        let has_period = from.flag()?;
        let mut number = || from.number();
        let period = number()?;
        Ok(Self {
            loop_type: LoopType::ALL[place],
            rule,
            profile,
            tool,
            call_key,
            count: number()?,
            threshold: number()?,
            period: has_period.then_some(period),
            strike: number()?,
            channel,
            first_index: number()?,
            last_index: number()?,
            evidence,
            message,
            feedback,
        })
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

/// What a rule found; the detector makes the report of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Finding {
    pub(crate) loop_type: LoopType,
    pub(crate) rule: &'static str,
    pub(crate) tool: Option<String>,
    pub(crate) call_key: Option<String>,
    pub(crate) count: u64,
    pub(crate) threshold: u64,
    pub(crate) period: Option<u64>,
    pub(crate) channel: Option<Channel>,
    pub(crate) first_index: u64,
    pub(crate) last_index: u64,
    pub(crate) evidence: String,
}

/// At most so many UTF-16 code units of evidence.
pub(crate) const EVIDENCE_UNITS: usize = 300;
