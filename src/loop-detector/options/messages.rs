//! The host's own texts.

use serde::{Deserialize, Serialize};

use crate::report::LoopType;

/// The host's own texts for one type of loop. `{tool}`, `{count}`, `{threshold}` and `{period}`
/// are filled in.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct MessageTexts {
    /// The finding, without advice; cut to 300 UTF-16 code units.
    pub fact: Option<String>,
    /// For the user; cut to 500 UTF-16 code units.
    pub message: Option<String>,
    /// For the model's history; cut to 2,000 UTF-16 code units.
    pub feedback: Option<String>,
}

/// The host's own texts for each type of loop.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LoopMessages {
    /// The same call again and again.
    pub consecutive_identical_tool_calls: Option<MessageTexts>,
    /// A cycle of calls.
    pub repeated_tool_cycle: Option<MessageTexts>,
    /// One tool too often.
    pub same_tool_different_arguments: Option<MessageTexts>,
    /// The same error.
    pub repeated_error: Option<MessageTexts>,
    /// The same passage of text.
    pub chanting_identical_sentences: Option<MessageTexts>,
    /// The same message.
    pub monologue: Option<MessageTexts>,
    /// A model's judgement.
    pub llm_detected_loop: Option<MessageTexts>,
    /// The judgement of the host's own detector.
    pub host_detected_loop: Option<MessageTexts>,
}

impl LoopMessages {
    pub(crate) fn of(&self, loop_type: LoopType) -> Option<&MessageTexts> {
        let texts = match loop_type {
            LoopType::ConsecutiveIdenticalToolCalls => &self.consecutive_identical_tool_calls,
            LoopType::RepeatedToolCycle => &self.repeated_tool_cycle,
            LoopType::SameToolDifferentArguments => &self.same_tool_different_arguments,
            LoopType::RepeatedError => &self.repeated_error,
            LoopType::ChantingIdenticalSentences => &self.chanting_identical_sentences,
            LoopType::Monologue => &self.monologue,
            LoopType::LlmDetectedLoop => &self.llm_detected_loop,
            LoopType::HostDetectedLoop => &self.host_detected_loop,
        };
        texts.as_ref()
    }
}
