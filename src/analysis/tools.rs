//! The work of tools, as far as their names tell.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use turnkeeper_messages::KnownTool;

/// The work of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CallKind {
    /// Reads files.
    Read,
    /// Looks for files or texts.
    Search,
    /// Changes files.
    Edit,
    /// Runs a command.
    Run,
    /// Looks at pages.
    Browse,
    /// Asks or tells the user.
    Ask,
    /// Anything else.
    Other,
}

impl CallKind {
    /// Every kind, in the order in which they are shown.
    pub const ALL: &'static [Self] = &[
        Self::Read,
        Self::Search,
        Self::Edit,
        Self::Run,
        Self::Browse,
        Self::Ask,
        Self::Other,
    ];
}

/// For tools that no agent has: what the words of their names are about. `^` stands before a word that a name begins
/// with, and `=` before a whole name.
const BY_WORD: &[(CallKind, &[&str])] = &[
    (
        CallKind::Ask,
        &[
            "ask", "followup", "respond", "completion", "finish", "submit", "question", "message",
        ],
    ),
    (
        CallKind::Browse,
        &[
            "brows", "web", "fetch", "url", "navigate", "click", "screenshot",
        ],
    ),
    (
        CallKind::Search,
        &[
            "search", "grep", "glob", "find", "list", "=ls", "query", "definition",
        ],
    ),
    (
        CallKind::Edit,
        &[
            "write", "edit", "replace", "patch", "diff", "insert", "create", "delete", "notebook",
            "save",
        ],
    ),
    (
        CallKind::Run,
        &[
            "bash", "shell", "command", "exec", "terminal", "^run", "ipython", "=npm", "^python",
            "test",
        ],
    ),
    (CallKind::Read, &["read", "open", "view", "cat", "file"]),
];

/// Names are looked at this far, in characters.
const LONGEST_NAME: usize = 200;

/// Names that are kept.
const MOST_KEPT: usize = 1_000;

/// The work of a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Work {
    pub(crate) kind: CallKind,
    /// Whether it runs command lines.
    pub(crate) is_shell: bool,
}

impl Work {
    /// The work of the tool with this name.
    pub(crate) fn of(tool: &str) -> Self {
        let end = tool.char_indices().nth(LONGEST_NAME);
        let name = &tool[..end.map_or(tool.len(), |(at, _)| at)];
        let known = KnownTool::of(name);
        let kind = match known {
            Some(KnownTool::Ask) => CallKind::Ask,
            Some(KnownTool::Command) => CallKind::Run,
            Some(KnownTool::Read) => CallKind::Read,
            Some(_) => CallKind::Edit,
            None => by_words(&name.to_ascii_lowercase()),
        };
        Self {
            kind,
            is_shell: known == Some(KnownTool::Command),
        }
    }

    /// Whether it brings something into the model's sight that may have been there before.
    pub(crate) fn is_read(self) -> bool {
        matches!(self.kind, CallKind::Read | CallKind::Search | CallKind::Run)
    }
}

fn by_words(name: &str) -> CallKind {
    let is_in = |word: &&str| match word.as_bytes() {
        [b'=', ..] => name == &word[1..],
        [b'^', ..] => name.starts_with(&word[1..]),
        _ => name.contains(*word),
    };
    let found = BY_WORD.iter().find(|(_, words)| words.iter().any(is_in));
    found.map_or(CallKind::Other, |(kind, _)| *kind)
}

/// The work of tools that were asked for, since thousands of calls are of a few tools.
#[derive(Debug, Default)]
pub(crate) struct Tools(FxHashMap<String, Work>);

impl Tools {
    pub(crate) fn of(&mut self, tool: &str) -> Work {
        if let Some(work) = self.0.get(tool) {
            return *work;
        }
        let work = Work::of(tool);
        if self.0.len() < MOST_KEPT && tool.len() <= LONGEST_NAME {
            self.0.insert(tool.to_owned(), work);
        }
        work
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_tells_the_work() {
        for (tool, kind) in [
            ("read_file", CallKind::Read),
            ("Bash", CallKind::Run),
            ("str_replace_editor", CallKind::Edit),
            ("my_ask_tool", CallKind::Ask),
            ("browser_click", CallKind::Browse),
            ("ls", CallKind::Search),
            ("als", CallKind::Other),
            ("runner", CallKind::Run),
            ("prune", CallKind::Other),
            ("npm", CallKind::Run),
            ("xnpm", CallKind::Other),
            ("PythonREPL", CallKind::Run),
            ("cat", CallKind::Read),
            ("", CallKind::Other),
        ] {
            assert_eq!(Work::of(tool).kind, kind, "{tool}");
            assert_eq!(Tools::default().of(tool), Work::of(tool), "{tool}");
        }
        assert!(Work::of("bash").is_shell);
        assert!(!Work::of("my_bash_like").is_shell);
        assert_eq!(Work::of(&"ä".repeat(1_000)).kind, CallKind::Other);
    }
}
