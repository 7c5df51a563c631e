//! The context of a prompt: the task, the summaries, the workspace and the rounds of thinking, each
//! under its heading.

use super::marking::{marked, marked_workspace, trimmed};
use super::{PromptPhase, SummaryInjector};

const TASK_HEADING: &str = "=== TASK CONTEXT ===\nUser's Goal: ";
pub(super) const SUMMARIES_HEADING: &str = "=== ACCUMULATED MEMORY SUMMARIES ===\n";
const THINKING_WORKSPACE_HEADING: &str = "=== WORKSPACE CONTEXT ===\n";
const ACTION_WORKSPACE_HEADING: &str = "=== CURRENT WORKSPACE CONTEXT ===\n";
const ROUNDS_HEADING: &str = "=== PREVIOUS THINKING ROUNDS ===\n";
/// Comes between sections, entries, and rounds of thinking.
pub(super) const BLANK_LINE: &str = "\n\n";

impl SummaryInjector {
    /// The task, the summaries and the workspace, each under its heading if there is anything in
    /// it. With neither a task nor summaries it is the workspace as it was given; otherwise lines of the
    /// workspace that look like headings are marked.
    #[must_use]
    pub fn action_context(&self, workspace: &str) -> String {
        self.context(PromptPhase::Action, workspace)
    }

    /// The task, the workspace, the summaries and the rounds of thinking of the open turn, each
    /// under its heading if there is anything in it.
    #[must_use]
    pub fn thinking_context(&self, workspace: &str) -> String {
        self.context(PromptPhase::Thinking, workspace)
    }

    /// What earlier turns learned, under its heading; empty without summaries. Takes time
    /// proportional to its length.
    #[must_use]
    pub fn accumulated_summaries(&self) -> String {
        summaries_text(&self.shown_entries())
    }

    pub(super) fn context(&self, phase: PromptPhase, workspace: &str) -> String {
        let has_workspace = !trimmed(workspace).is_empty();
        let under = |heading: &str| format!("{heading}{}", marked_workspace(workspace));
        let summaries = self.has_summaries().then(|| self.accumulated_summaries());
        let mut sections: Vec<String> = Vec::new();
        if let Some(task) = &self.task {
            sections.push(format!("{TASK_HEADING}{}", marked(task)));
        }
        match phase {
            PromptPhase::Thinking => {
                sections.extend(has_workspace.then(|| under(THINKING_WORKSPACE_HEADING)));
                sections.extend(summaries);
                let rounds = self.thinking_message();
                sections.extend(rounds.map(|rounds| format!("{ROUNDS_HEADING}{rounds}")));
            }
            PromptPhase::Action => {
                sections.extend(summaries);
                // A workspace by itself needs no heading.
                if has_workspace && !sections.is_empty() {
                    sections.push(under(ACTION_WORKSPACE_HEADING));
                }
            }
        }
        if sections.is_empty() {
            return workspace.to_owned();
        }
        sections.join(BLANK_LINE)
    }
}

/// The summaries under their heading; empty without any.
pub(super) fn summaries_text(entries: &[String]) -> String {
    match entries.is_empty() {
        true => String::new(),
        false => SUMMARIES_HEADING.to_owned() + &entries.join(BLANK_LINE),
    }
}
