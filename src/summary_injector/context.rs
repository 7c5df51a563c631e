//! The texts of a prompt.

use super::SummaryInjector;
use super::entry::BLANK_LINE;
use super::marking::marked;
use crate::text::{part, push, push_quoted, trimmed};

const TASK: &str = "=== TASK CONTEXT ===\nUser's Goal: ";
const WORKSPACE: &str = "=== WORKSPACE CONTEXT ===\n";
const CURRENT_WORKSPACE: &str = "=== CURRENT WORKSPACE CONTEXT ===\n";
const ROUNDS: &str = "=== PREVIOUS THINKING ROUNDS ===\n";

/// The phase of a turn that a prompt is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PromptPhase {
    /// The model works out what to do, and sees the whole conversation.
    Thinking,
    /// The model calls tools, and sees summaries and what it recalled.
    Action,
}

/// What the host has to say in a prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PromptParts<'a> {
    /// What the agent can do.
    pub capability: &'a str,
    /// How it is to do it.
    pub direction: &'a str,
    /// The state of its workspace.
    pub workspace: &'a str,
}

/// A prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TurnPrompt {
    /// See [`SummaryInjector::system_prompt`].
    pub system_prompt: String,
    /// See [`SummaryInjector::action_context`] and [`SummaryInjector::thinking_context`].
    pub workspace_context: String,
    /// In the thinking phase a string for each message: `<role>`, its text and `</role>` on lines of
    /// their own. In the action phase the [originals](super::Message::original) of those that were
    /// recalled.
    pub conversation_history: Vec<String>,
    /// What comes behind that history in the action phase, as a message of the system; see
    /// [`SummaryInjector::thinking_message`].
    pub thinking_message: Option<String>,
}

/// What stands around the workspace and the summaries: in the action phase the summaries come first,
/// in the thinking phase the workspace.
#[derive(Debug, Default)]
pub(crate) struct Frame {
    pub(crate) text: String,
    /// Where the one goes that comes first.
    pub(crate) first: usize,
    /// Where the other goes.
    pub(crate) second: usize,
}

impl SummaryInjector {
    /// The task, the summaries and the workspace, each under its heading if there is anything in
    /// it. With neither task nor summaries it is the workspace as it was given.
    #[must_use]
    pub fn action_context(&self, workspace: &str) -> String {
        self.context(PromptPhase::Action, workspace)
    }

    /// The task, the workspace, the summaries and this turn's rounds of thinking, each under its
    /// heading if there is anything in it.
    #[must_use]
    pub fn thinking_context(&self, workspace: &str) -> String {
        self.context(PromptPhase::Thinking, workspace)
    }

    fn context(&self, phase: PromptPhase, workspace: &str) -> String {
        let is_blank = trimmed(workspace).is_empty();
        let summaries = self.accumulated_summaries();
        let Frame {
            text,
            first,
            second,
        } = self.frame(phase, !is_blank, !summaries.is_empty());
        if text.is_empty() && summaries.is_empty() {
            return workspace.to_owned();
        }
        let filling = if is_blank { "" } else { workspace };
        let fillings = match phase {
            PromptPhase::Thinking => [filling, &summaries],
            PromptPhase::Action => [&summaries, filling],
        };
        let mut whole = String::new();
        let mut from = 0;
        for (place, filling) in [first, second].into_iter().zip(fillings) {
            push(&mut whole, part(&text, from, place));
            push(&mut whole, filling);
            from = place;
        }
        push(&mut whole, part(&text, from, text.len()));
        whole
    }

    /// What stands around the workspace and the summaries.
    pub(crate) fn frame(
        &self,
        phase: PromptPhase,
        has_workspace: bool,
        has_summaries: bool,
    ) -> Frame {
        let mut text = String::new();
        if !self.task.is_empty() {
            push(&mut text, TASK);
            push(&mut text, &marked(&self.task));
        }
        let is_action = phase == PromptPhase::Action;
        let rounds = self.thinking_message().filter(|_| !is_action);
        let mut frame = Frame::default();
        // Whether something stands before what is next, be it in the text or in a gap.
        let mut has_more = !text.is_empty();
        let mut begin = |text: &mut String, heading: &str| {
            if has_more {
                push(text, BLANK_LINE);
            }
            has_more = true;
            push(text, heading);
        };
        if !is_action {
            if has_workspace {
                begin(&mut text, WORKSPACE);
            }
            frame.first = text.len();
        }
        if has_summaries {
            begin(&mut text, "");
        }
        if is_action {
            frame.first = text.len();
            // Alone it goes unchanged.
            if has_workspace && (has_summaries || !text.is_empty()) {
                begin(&mut text, CURRENT_WORKSPACE);
            }
        }
        frame.second = text.len();
        if let Some(rounds) = rounds {
            begin(&mut text, ROUNDS);
            push(&mut text, rounds);
        }
        frame.text = text;
        frame
    }

    /// `capability`, a blank line and `direction`, and with a task another blank line and a
    /// reminder of it.
    #[must_use]
    pub fn system_prompt(&self, capability: &str, direction: &str) -> String {
        let mut text = String::new();
        for part in [capability, direction, &self.reminder()] {
            if !part.is_empty() {
                push_section(&mut text, part);
            }
        }
        text
    }

    /// The task in quotes, those within it escaped as in JSON; nothing without one.
    pub(crate) fn reminder(&self) -> String {
        let mut text = String::new();
        if !self.task.is_empty() {
            push(&mut text, "Keep the user's goal in mind: ");
            push_quoted(&mut text, trimmed(&self.task));
            push(&mut text, ". Take no action that does not serve it.");
        }
        text
    }

    /// The rounds of thinking of the open turn, `Round 1: …` and so on, as a message of the system;
    /// nothing if there are none. It is where what thinking found reaches the action phase.
    #[must_use]
    pub fn thinking_message(&self) -> Option<&str> {
        let rounds = &self.open.as_ref()?.rounds;
        (!rounds.is_empty()).then_some(rounds)
    }

    /// All parts of a prompt. One for the action phase has the messages that were
    /// [recalled](Self::recall), and the next one no longer has them.
    pub fn build_prompt(&mut self, phase: PromptPhase, parts: PromptParts) -> TurnPrompt {
        TurnPrompt {
            system_prompt: self.system_prompt(parts.capability, parts.direction),
            workspace_context: self.context(phase, parts.workspace),
            conversation_history: match phase {
                PromptPhase::Action => self.take_recalled(),
                PromptPhase::Thinking => {
                    let messages = self.messages().iter();
                    messages.map(|kept| kept.message.tagged()).collect()
                }
            },
            thinking_message: match phase {
                PromptPhase::Action => self.thinking_message().map(str::to_owned),
                PromptPhase::Thinking => None,
            },
        }
    }
}

pub(crate) fn push_section(text: &mut String, section: &str) {
    if !text.is_empty() {
        push(text, BLANK_LINE);
    }
    push(text, section);
}
