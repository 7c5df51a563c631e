//! The prompts of a turn: one for the thinking phase and one for the action phase.

use serde::{Deserialize, Serialize};

use super::context::BLANK_LINE;
use super::marking::{marked, trimmed};
use super::{InjectorTexts, SummaryInjector};
use turnkeeper_base::json;

/// The reminder of the task.
const REMINDER: &str =
    "Keep the user's goal in mind: \"{task}\". Take no action that does not serve it.";
/// The rule of the thinking phase.
const THINKING_RULE: &str = "This is the thinking phase. Think the task through and gather what it \
    needs; do not carry it out yet. Call no tool but `continue_thinking` and `recall_context`.";

/// The phase of a turn that a prompt is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PromptPhase {
    /// The model works out what to do, and sees the whole conversation.
    Thinking,
    /// The model calls tools, and sees the summaries and the messages that were recalled.
    Action,
}

/// The host's part of a prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PromptParts<'a> {
    /// What the agent can do.
    pub capability: &'a str,
    /// How it should do it.
    pub direction: &'a str,
    /// The state of its workspace.
    pub workspace: &'a str,
}

/// A prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TurnPrompt {
    /// See [`SummaryInjector::system_prompt`].
    pub system_prompt: String,
    /// See [`SummaryInjector::action_context`] and [`SummaryInjector::thinking_context`].
    pub workspace_context: String,
    /// In the thinking phase a string for each message: `<role>`, its text and `</role>` on lines of
    /// their own. In the action phase the [originals](super::TurnMessage::original) of the messages
    /// that were recalled.
    pub conversation_history: Vec<String>,
    /// A message of the system that follows the history in the action phase; see
    /// [`SummaryInjector::thinking_message`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thinking_message: Option<String>,
}

impl SummaryInjector {
    /// All parts of a prompt. A prompt for the action phase contains the messages that were
    /// [recalled](Self::recall).
    pub fn build_prompt(&mut self, phase: PromptPhase, parts: PromptParts) -> TurnPrompt {
        let (conversation_history, thinking_message) = match phase {
            PromptPhase::Thinking => {
                let messages = self.messages.iter();
                (messages.map(|kept| kept.message.tagged()).collect(), None)
            }
            PromptPhase::Action => (self.send_recalled(), self.thinking_message()),
        };
        TurnPrompt {
            system_prompt: self.system_prompt(phase, parts.capability, parts.direction),
            workspace_context: self.context(phase, parts.workspace),
            conversation_history,
            thinking_message,
        }
    }

    /// `capability` and `direction`, in the thinking phase its rule, and with a task a reminder of it,
    /// with a blank line between.
    #[must_use]
    pub fn system_prompt(&self, phase: PromptPhase, capability: &str, direction: &str) -> String {
        let own = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        let parts = [
            own(capability),
            own(direction),
            self.phase_rule(phase),
            self.reminder(),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        parts.join(BLANK_LINE)
    }

    /// The rule of a phase: what its model may do.
    fn phase_rule(&self, phase: PromptPhase) -> Option<String> {
        match phase {
            PromptPhase::Thinking => {
                let own = self
                    .texts()
                    .and_then(|texts| texts.thinking_rule.as_deref());
                self.with_task(own.unwrap_or(THINKING_RULE))
            }
            PromptPhase::Action => None,
        }
    }

    /// The reminder of the task.
    fn reminder(&self) -> Option<String> {
        self.task.as_ref()?;
        let own = self.texts().and_then(|texts| texts.reminder.as_deref());
        self.with_task(own.unwrap_or(REMINDER))
    }

    fn texts(&self) -> Option<&InjectorTexts> {
        self.options.texts.as_ref()
    }

    /// A text with the task in it, escaped as in JSON, so that no quotation mark and no line end within
    /// the task ends what it stands in. Nothing for a blank text.
    fn with_task(&self, text: &str) -> Option<String> {
        let task = self.task.as_deref().map(in_quotation).unwrap_or_default();
        (!trimmed(text).is_empty()).then(|| text.replace("{task}", &task))
    }

    /// The rounds of thinking of the open turn, `Round 1: …` and so on; nothing if there are none. As
    /// a message of the system it brings what thinking found into the action phase.
    #[must_use]
    pub fn thinking_message(&self) -> Option<String> {
        let rounds = &self.turns.last().filter(|_| self.is_open)?.rounds;
        if rounds.is_empty() {
            return None;
        }
        let rounds: Vec<String> = (1..)
            .zip(rounds)
            .map(|(number, round)| format!("Round {number}: {}", marked(round)))
            .collect();
        Some(rounds.join(BLANK_LINE))
    }
}

/// A text as it stands within quotation marks in JSON.
pub(super) fn in_quotation(text: &str) -> String {
    let quoted = json::written(&trimmed(text).into());
    quoted[1..quoted.len() - 1].to_owned()
}
