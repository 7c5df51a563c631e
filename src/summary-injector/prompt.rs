//! The prompts of a turn: one for the thinking phase and one for the action phase.

use serde::{Deserialize, Serialize};

use super::InjectorTexts;
use super::marking::{marked, marked_workspace, not_blank, trimmed};
use turnkeeper_base::json;

/// The reminder of the task.
const REMINDER: &str =
    "Keep the user's goal in mind: \"{task}\". Take no action that does not serve it.";
/// The rule of the thinking phase.
const THINKING_RULE: &str = "This is the thinking phase. Think the task through and gather what it \
    needs; do not carry it out yet. Call no tool but `continue_thinking` and `recall_context`.";

const TASK_HEADING: &str = "=== TASK CONTEXT ===\nUser's Goal: ";
const THINKING_WORKSPACE_HEADING: &str = "=== WORKSPACE CONTEXT ===\n";
const ACTION_WORKSPACE_HEADING: &str = "=== CURRENT WORKSPACE CONTEXT ===\n";
const ROUNDS_HEADING: &str = "=== PREVIOUS THINKING ROUNDS ===\n";
/// The text between sections, entries, messages, and rounds of thinking.
pub(super) const BLANK_LINE: &str = "\n\n";

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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub struct PromptParts<'a> {
    /// The agent's abilities.
    pub capability: &'a str,
    /// The way in which it should work.
    pub direction: &'a str,
    /// The state of its workspace.
    pub workspace: &'a str,
}

/// A prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TurnPrompt {
    /// See [`SummaryInjector::system_prompt`](super::SummaryInjector::system_prompt).
    pub system_prompt: String,
    /// See [`SummaryInjector::context`](super::SummaryInjector::context).
    pub workspace_context: String,
    /// In the thinking phase a string for each message: `<role>`, its text and `</role>` on lines of
    /// their own. In the action phase the [originals](super::TurnMessage::original) of the messages
    /// that were recalled.
    pub conversation_history: Vec<String>,
    /// A message of the system that follows the history in the action phase; see
    /// [`SummaryInjector::thinking_message`](super::SummaryInjector::thinking_message).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thinking_message: Option<String>,
}

/// The host's two parts, in the thinking phase its rule, and with a task a reminder of it.
pub(super) fn system_prompt(
    phase: PromptPhase,
    (capability, direction): (&str, &str),
    texts: Option<&InjectorTexts>,
    task: Option<&str>,
) -> String {
    let quoted = task.map(in_quotation).unwrap_or_default();
    let with_task = |text: &str| not_blank(text).map(|text| text.replace("{task}", &quoted));
    let own = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    let rule = texts.and_then(|texts| texts.thinking_rule.as_deref());
    let reminder = texts.and_then(|texts| texts.reminder.as_deref());
    let rule = (phase == PromptPhase::Thinking).then_some(rule.unwrap_or(THINKING_RULE));
    let reminder = task.map(|_| reminder.unwrap_or(REMINDER));
    let parts = [
        own(capability),
        own(direction),
        rule.and_then(with_task),
        reminder.and_then(with_task),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    parts.join(BLANK_LINE)
}

/// The context of a prompt: the task, the summaries under their heading, the workspace and the rounds of
/// thinking, in the order that the phase has them.
pub(super) fn context(
    phase: PromptPhase,
    task: Option<&str>,
    summaries: String,
    workspace: &str,
    rounds: Option<String>,
) -> String {
    let heading = match phase {
        PromptPhase::Thinking => THINKING_WORKSPACE_HEADING,
        PromptPhase::Action => ACTION_WORKSPACE_HEADING,
    };
    let task = task.map(|task| format!("{TASK_HEADING}{}", marked(task)));
    let summaries = Some(summaries).filter(|summaries| !summaries.is_empty());
    // A workspace by itself needs no heading in the action phase.
    let has_heading = phase == PromptPhase::Thinking || task.is_some() || summaries.is_some();
    let work = not_blank(workspace).filter(|_| has_heading);
    let work = work.map(|work| format!("{heading}{}", marked_workspace(work)));
    let rounds = rounds.map(|rounds| format!("{ROUNDS_HEADING}{rounds}"));
    let sections = match phase {
        PromptPhase::Thinking => [task, work, summaries, rounds],
        PromptPhase::Action => [task, summaries, work, None],
    };
    let sections: Vec<String> = sections.into_iter().flatten().collect();
    match sections.is_empty() {
        true => workspace.to_owned(),
        false => sections.join(BLANK_LINE),
    }
}

/// A text as it stands within quotation marks in JSON, so that nothing in it can end the quotation or the
/// line.
pub(super) fn in_quotation(text: &str) -> String {
    let quoted = json::written(trimmed(text));
    quoted[1..quoted.len() - 1].to_owned()
}
