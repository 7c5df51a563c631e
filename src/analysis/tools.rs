//! The work of tools, as far as their names tell.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use turnkeeper_base::names;
use turnkeeper_messages::{KnownTool, ToolKind};

names! {
    /// The work of a call, in the order in which they are shown.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    CallKind {
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
}

impl From<ToolKind> for CallKind {
    fn from(kind: ToolKind) -> Self {
        use ToolKind as Kind;
        match kind {
            Kind::Ask => Self::Ask,
            Kind::Gesture | Kind::Navigate | Kind::Browser | Kind::Scroll | Kind::Fetch => {
                Self::Browse
            }
            Kind::Remove | Kind::Edit | Kind::Write => Self::Edit,
            Kind::Command | Kind::Commit => Self::Run,
            Kind::Search => Self::Search,
            Kind::Read | Kind::Lookup => Self::Read,
            Kind::Note | Kind::Wait | Kind::Check | Kind::Send | Kind::Delegate => Self::Other,
        }
    }
}

/// Names that are kept.
const MOST_KEPT: usize = 1_000;

/// Longer names are not kept, in bytes.
const LONGEST_KEPT: usize = 200;

/// The work of a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Work {
    pub(crate) kind: CallKind,
    /// Whether it runs command lines.
    pub(crate) is_shell: bool,
}

impl Work {
    /// The work of the tool with this name; of one that no agent has, as its words tell.
    pub(crate) fn of(tool: &str) -> Self {
        let known = KnownTool::of(tool);
        let kind = match known {
            Some(KnownTool::Ask) => CallKind::Ask,
            Some(KnownTool::Command) => CallKind::Run,
            Some(KnownTool::Read) => CallKind::Read,
            Some(_) => CallKind::Edit,
            None => by_words(tool),
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

/// The work that the words of a name tell; one that waits for a command is one of its kind.
fn by_words(tool: &str) -> CallKind {
    match ToolKind::of(tool) {
        Some(ToolKind::Wait) if ToolKind::of_words(tool).contains(&ToolKind::Command) => {
            CallKind::Run
        }
        kind => kind.map_or(CallKind::Other, CallKind::from),
    }
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
        if self.0.len() < MOST_KEPT && tool.len() <= LONGEST_KEPT {
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
            ("execute_code", CallKind::Run),
            ("BashOutput", CallKind::Run),
            ("get_status", CallKind::Other),
            ("todo_write", CallKind::Other),
            ("web_search", CallKind::Search),
            ("prune", CallKind::Other),
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
