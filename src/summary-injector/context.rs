//! The context of a prompt: the task, the summaries, the workspace and the rounds of thinking, each
//! under its heading.
//!
//! A context is first laid out as [pieces](ContextPiece), in which the two long texts are still
//! missing. JavaScript holds both of them already and fills them in itself; here [`filled`] does.

use std::borrow::Cow;

use serde::Serialize;

use super::entry::Entry;
use super::marking::{marked, marked_workspace, trimmed};
use super::{PromptPhase, SummaryInjector};

const TASK_HEADING: &str = "=== TASK CONTEXT ===\nUser's Goal: ";
pub(super) const SUMMARIES_HEADING: &str = "=== ACCUMULATED MEMORY SUMMARIES ===\n";
const THINKING_WORKSPACE_HEADING: &str = "=== WORKSPACE CONTEXT ===\n";
const ACTION_WORKSPACE_HEADING: &str = "=== CURRENT WORKSPACE CONTEXT ===\n";
const ROUNDS_HEADING: &str = "=== PREVIOUS THINKING ROUNDS ===\n";
/// Comes between sections, entries, and rounds of thinking.
pub(super) const BLANK_LINE: &str = "\n\n";

/// A piece of a context.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "kind", content = "text", rename_all = "camelCase")]
pub(crate) enum ContextPiece {
    /// A text as it is.
    Text(String),
    /// The accumulated summaries, which bring their heading with them.
    Summaries,
    /// The workspace as the host gave it.
    Workspace,
    /// The workspace with a mark on each line that looks like a heading or begins an entry.
    MarkedWorkspace,
}

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
        summaries_text(self.shown_entries().iter().map(Cow::as_ref))
    }

    fn context(&self, phase: PromptPhase, workspace: &str) -> String {
        let has_workspace = !trimmed(workspace).is_empty();
        let pieces = self.context_pieces(phase, has_workspace);
        filled(&pieces, &self.accumulated_summaries(), workspace)
    }

    /// The pieces of a context, for a workspace that holds something or is blank.
    pub(crate) fn context_pieces(
        &self,
        phase: PromptPhase,
        has_workspace: bool,
    ) -> Vec<ContextPiece> {
        let mut sections = Sections::default();
        if let Some(task) = &self.task {
            sections.add(TASK_HEADING, ContextPiece::Text(marked(task)));
        }
        match phase {
            PromptPhase::Thinking => {
                if has_workspace {
                    sections.add(THINKING_WORKSPACE_HEADING, ContextPiece::MarkedWorkspace);
                }
                if self.has_summaries() {
                    sections.add("", ContextPiece::Summaries);
                }
                if let Some(rounds) = self.thinking_message() {
                    sections.add(ROUNDS_HEADING, ContextPiece::Text(rounds));
                }
            }
            PromptPhase::Action => {
                if self.has_summaries() {
                    sections.add("", ContextPiece::Summaries);
                }
                // A workspace by itself needs no heading.
                if has_workspace && !sections.pieces.is_empty() {
                    sections.add(ACTION_WORKSPACE_HEADING, ContextPiece::MarkedWorkspace);
                }
            }
        }
        if sections.pieces.is_empty() {
            sections.pieces.push(ContextPiece::Workspace);
        }
        sections.pieces
    }
}

/// A context that grows section by section.
#[derive(Default)]
struct Sections {
    pieces: Vec<ContextPiece>,
}

impl Sections {
    fn add(&mut self, heading: &str, content: ContextPiece) {
        let is_first = self.pieces.is_empty();
        let heading = if is_first {
            heading.to_owned()
        } else {
            format!("{BLANK_LINE}{heading}")
        };
        match content {
            ContextPiece::Text(text) => self.pieces.push(ContextPiece::Text(heading + &text)),
            missing_text => self
                .pieces
                .extend([ContextPiece::Text(heading), missing_text]),
        }
    }
}

/// The summaries under their heading; empty without any.
pub(super) fn summaries_text<'a>(entries: impl IntoIterator<Item = &'a Entry>) -> String {
    entries_text(SUMMARIES_HEADING, entries)
}

/// Entries one after the other, under a heading if there are any.
pub(super) fn entries_text<'a>(
    heading: &str,
    entries: impl IntoIterator<Item = &'a Entry>,
) -> String {
    let mut text = String::new();
    let mut before = heading;
    for entry in entries {
        text += before;
        entry.write_to(&mut text);
        before = BLANK_LINE;
    }
    text
}

/// The text of a context.
pub(super) fn filled(pieces: &[ContextPiece], summaries: &str, workspace: &str) -> String {
    let texts = pieces.iter().map(|piece| match piece {
        ContextPiece::Text(text) => Cow::Borrowed(text.as_str()),
        ContextPiece::Summaries => Cow::Borrowed(summaries),
        ContextPiece::Workspace => Cow::Borrowed(workspace),
        ContextPiece::MarkedWorkspace => Cow::Owned(marked_workspace(workspace)),
    });
    texts.collect()
}
