//! Who an agent is, and all that is known of it: what the readers of sessions, the audit, the installer and the hooks
//! ask.

use std::path::Path;

use crate::beside::FileBeside;
use crate::database::SessionTables;
use crate::folders::{SessionFolder, Where};
use crate::watch::Dialect;
#[cfg(feature = "setup")]
use crate::watch::setup::{Setup, Surroundings};

/// All that is known of an agent, but for its formats.
pub(crate) struct Known {
    /// Its name in options and reports.
    pub(crate) name: &'static str,
    /// Its name for people.
    pub(crate) title: &'static str,
    /// The folders in which it keeps sessions; none, if sessions of its own are not read.
    pub(crate) folders: Option<fn(&Where) -> Vec<SessionFolder>>,
    /// The files that it keeps beside a session's, if any. Only who has the session's format is asked, and Cline.
    pub(crate) beside: Option<fn(SavedSession) -> Vec<FileBeside>>,
    /// Its database, if it keeps sessions in one of its own shape.
    pub(crate) database: Option<&'static SessionTables>,
    /// Its hooks or its plugin; none, if it has neither.
    pub(crate) watched: Option<&'static Watched>,
}

impl Known {
    /// Nothing at all, to be filled in.
    pub(crate) const NOTHING: Self = Self {
        name: "",
        title: "",
        folders: None,
        beside: None,
        database: None,
        watched: None,
    };
}

/// An agent that can be watched.
pub struct Watched {
    /// Who it is.
    pub agent: Agent,
    /// The name on the command line.
    pub name: &'static str,
    /// The name under which its hook runs and is heard.
    pub hook: &'static str,
    /// The variable that it sets for its hooks to the root of the project.
    pub project_variable: Option<&'static str>,
    /// The language of its hooks; none, if it loads a plugin into its own process.
    pub dialect: Option<&'static Dialect>,
    /// The files in which it is configured, and what is written there.
    #[cfg(feature = "setup")]
    pub setup: fn(&Surroundings) -> Setup,
}

/// A session in a file.
#[derive(Debug, Clone, Copy)]
pub struct SavedSession<'a> {
    /// The file; of a session that is in parts, the folder of them.
    pub file: &'a Path,
    /// The agent whose format it has, if it is one agent's.
    pub agent: Option<Agent>,
    /// Whether it is in parts.
    pub is_in_parts: bool,
}

impl SavedSession<'_> {
    /// The files beside it, in the order in which they count.
    pub fn files_beside(self) -> Vec<FileBeside> {
        // A task of Cline's or of its relatives is in no format of theirs alone, and known by the names of its files.
        let is_asked = |agent: &&Agent| **agent == Agent::Cline || self.agent == Some(**agent);
        let agents = Agent::ALL.iter().filter(is_asked);
        let beside = agents.filter_map(|agent| agent.beside());
        beside.flat_map(|it| it(self)).collect()
    }

    /// The folder that it is in.
    pub(crate) fn folder(&self) -> &Path {
        self.file.parent().unwrap_or(Path::new(""))
    }
}

macro_rules! agents {
    ($($variant:ident $folder:ident,)*) => {
        /// A coding agent that is known.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Agent {
            $(#[doc = stringify!($variant)] $variant,)*
        }

        impl Agent {
            /// All, in the order in which they are named to people.
            pub const ALL: &[Self] = &[$(Self::$variant,)*];

            /// Its name in options and reports.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => const { crate::$folder::AGENT.name },)* }
            }

            /// Its name for people.
            pub const fn title(self) -> &'static str {
                match self { $(Self::$variant => const { crate::$folder::AGENT.title },)* }
            }

            /// How it is watched; none, if it cannot be.
            pub const fn watched(self) -> Option<&'static Watched> {
                match self { $(Self::$variant => const { crate::$folder::AGENT.watched },)* }
            }

            /// Its name for `turnkeeper install`, if it has hooks or a plugin.
            pub const fn installed_as(self) -> Option<&'static str> {
                match self { $(Self::$variant => const { name_of(crate::$folder::AGENT.watched) },)* }
            }

            /// The tables of its own database, if it keeps sessions in one.
            pub const fn session_tables(self) -> Option<&'static SessionTables> {
                match self { $(Self::$variant => const { crate::$folder::AGENT.database },)* }
            }

            const fn beside(self) -> Option<fn(SavedSession) -> Vec<FileBeside>> {
                match self { $(Self::$variant => const { crate::$folder::AGENT.beside },)* }
            }

            const fn folders(self) -> Option<fn(&Where) -> Vec<SessionFolder>> {
                match self { $(Self::$variant => const { crate::$folder::AGENT.folders },)* }
            }
        }
    };
}

agents! {
    ClaudeCode claude_code,
    Codex codex,
    GeminiCli gemini_cli,
    QwenCode qwen_code,
    CopilotCli copilot_cli,
    CopilotChat copilot_chat,
    Cline cline,
    Roo roo,
    Kilo kilo,
    Cursor cursor,
    Opencode opencode,
    Crush crush,
    Goose goose,
    Pi pi,
    OpenHands openhands,
    Kimi kimi,
    Hermes hermes,
    CodeBuddy codebuddy,
    Nanobot nanobot,
    Kiro kiro,
    Continue continue_dev,
}

/// The name on the command line. Nothing else of what is watched becomes part of a program that asks only this.
const fn name_of(watched: Option<&Watched>) -> Option<&'static str> {
    match watched {
        Some(watched) => Some(watched.name),
        None => None,
    }
}

impl Agent {
    /// The agent with this [name](Self::name).
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|it| it.name() == name)
    }

    /// Every agent whose sessions are read.
    pub fn with_sessions() -> impl Iterator<Item = Self> {
        let all = Self::ALL.iter().copied();
        all.filter(|it| it.folders().is_some())
    }

    /// The folders in which it keeps sessions, which may not be there.
    pub fn session_folders(self, around: &Where) -> Vec<SessionFolder> {
        self.folders().map_or(Vec::new(), |it| it(around))
    }
}

impl Watched {
    /// An agent whose hook has its name, and nothing else, to be filled in.
    pub(crate) const fn called(agent: Agent, name: &'static str) -> Self {
        Self {
            agent,
            name,
            hook: name,
            project_variable: None,
            dialect: None,
            #[cfg(feature = "setup")]
            setup: |_| Setup::default(),
        }
    }

    /// Every agent that can be watched.
    pub fn all() -> impl Iterator<Item = &'static Self> {
        Agent::ALL.iter().filter_map(|it| it.watched())
    }

    /// The agent with this name on the command line.
    pub fn named(name: &str) -> Option<&'static Self> {
        Self::all().find(|it| it.name == name)
    }

    /// The name that people know.
    pub fn title(&self) -> &'static str {
        self.agent.title()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sessions::Format;

    #[test]
    fn the_pages_name_every_agent_that_is_watched_and_every_format_that_is_read() {
        let agents = Watched::all().map(|it| it.name).collect();
        let formats = Format::ALL.iter().map(|it| it.name()).collect();
        let (agents, formats): (Vec<_>, Vec<_>) = (agents, formats);
        for (names, page) in [
            (&agents, include_str!("../../docs/use-with-your-agent.md")),
            (
                &agents,
                include_str!("../../docs/zh-CN/use-with-your-agent.md"),
            ),
            (&formats, include_str!("../../docs/audit.md")),
            (&formats, include_str!("../../docs/zh-CN/audit.md")),
        ] {
            let rows: Vec<&str> = page.lines().filter(|it| it.starts_with("| ")).collect();
            for name in names {
                let name = format!("`{name}`");
                assert!(rows.iter().any(|row| row.contains(&name)), "{name}");
            }
        }
    }

    #[test]
    fn each_agent_has_sessions_or_is_watched_and_every_name_is_its_own() {
        for (at, agent) in Agent::ALL.iter().enumerate() {
            let watched = agent.watched();
            assert!(agent.folders().is_some() || watched.is_some(), "{agent:?}");
            assert!(watched.is_none_or(|it| it.agent == *agent), "{agent:?}");
            for other in &Agent::ALL[..at] {
                assert_ne!(agent.name(), other.name());
                assert_ne!(agent.title(), other.title());
                assert!(watched.is_none() || agent.installed_as() != other.installed_as());
            }
        }
    }
}
