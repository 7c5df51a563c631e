//! The installation of an agent: its files, what is written there, and what would keep it from running.

mod line;
mod module;
pub mod settings;
mod surroundings;
mod switch;
mod version;

use std::path::PathBuf;

use serde_json::{Map, Value, json};

pub use crate::folders::Platform;
pub use line::{PROGRAM_FILE, Wanted, is_hook_line, words_of};
pub use module::{Plugin, is_plugin, module_text};
pub use surroundings::Surroundings;
pub use switch::{Files, Switch, is_false, is_listed, is_true};
pub use version::{HookEvent, Version, Versions};
pub(crate) use version::{event, names};

/// An agent as `install` knows it.
#[derive(Default)]
pub struct Setup {
    /// Files and folders that are there if the agent is; a `*` at the end of one stands for any letters.
    pub signs: Vec<PathBuf>,
    /// The command that starts it.
    pub command: Option<&'static str>,
    /// How its version is found, and which of them matter.
    pub versions: Versions,
    /// The first version whose hook may put a line in the place of a result; none, if there is none.
    pub replaces_results: Option<Version>,
    /// The plugin that it loads.
    pub plugin: Option<Plugin>,
    /// The files for all projects of the user.
    pub user: Scope,
    /// The files for the project of the current folder.
    pub project: Scope,
    /// Whether its file of a project is for this user alone, and not for all who share the project.
    pub is_personal: bool,
    /// Settings that keep hooks from running.
    pub switches: Vec<Switch>,
    /// Anything that its user has to know or do after the installation.
    pub note: Option<&'static str>,
}

/// The files of an agent, for the user or for a project.
#[derive(Default)]
pub struct Scope {
    /// The changes to write; none where the agent has no such files.
    pub changes: Vec<Change>,
    /// Other files that it reads, in which an entry of ours may stand.
    pub formerly: Vec<PathBuf>,
}

/// A change of one file.
pub enum Change {
    /// Entries among the hooks of a settings file.
    Hooks {
        /// The settings.
        file: PathBuf,
        /// The hooks that they are to hold.
        hooks: &'static Hooks,
    },
    /// The agent's plugin as an item of a list in a settings file.
    Item {
        /// Files of which the first that is there is changed; if none is, the last is made.
        places: Vec<PathBuf>,
        /// The names of the list, each with the first version that has it, the oldest first.
        lists: &'static [(&'static str, Version)],
    },
    /// A file of our own.
    Own {
        /// Its place.
        file: PathBuf,
        /// The text that stands in it.
        content: fn(&Wanted) -> String,
        /// Whether the agent runs it.
        is_executable: bool,
    },
}

/// The hooks that an agent's settings are to hold, and how it writes them.
pub struct Hooks {
    /// The events, and which version takes each.
    pub events: &'static [HookEvent],
    /// Whether commands stand in groups, each with a list `hooks`.
    pub is_nested: bool,
    /// The time that a command may take, in the agent's unit, which is seconds or milliseconds.
    pub timeout: Option<u32>,
    /// Whether a group names the tools that it is for, and a command itself.
    pub has_matcher: bool,
    /// An event that is not for all tools, and its tools.
    pub only_for: Option<(&'static str, &'static [&'static str])>,
    /// The version that the file states.
    pub version: Option<u32>,
}

impl Setup {
    /// The setup of an agent whose settings hold hooks: in files of the user's and in one of a project.
    pub(crate) fn hooked(
        users: impl IntoIterator<Item = PathBuf>,
        project: PathBuf,
        hooks: &'static Hooks,
    ) -> Setup {
        let scope = |files: Vec<PathBuf>| Scope {
            changes: files
                .into_iter()
                .map(|file| Change::Hooks { file, hooks })
                .collect(),
            ..Scope::default()
        };
        Setup {
            user: scope(users.into_iter().collect()),
            project: scope(vec![project]),
            ..Setup::default()
        }
    }

    /// The same for an agent that is there if a folder is.
    pub(crate) fn found_by(self, folder: PathBuf) -> Setup {
        Setup {
            signs: vec![folder],
            ..self
        }
    }
}

impl Hooks {
    /// No hooks at all.
    pub(crate) const NONE: Hooks = Hooks {
        events: &[],
        is_nested: false,
        timeout: None,
        has_matcher: false,
        only_for: None,
        version: None,
    };

    /// The events that are hooked.
    pub fn wanted(&self, wanted: &Wanted) -> Vec<&'static str> {
        names(self.events, wanted)
    }

    /// The entry of an event.
    pub fn entry(&self, event: &str, line: &str) -> Value {
        let mut hook = Map::new();
        if self.is_nested {
            hook.insert("type".into(), json!("command"));
            if self.has_matcher {
                hook.insert("name".into(), json!("turnkeeper"));
            }
        }
        hook.insert("command".into(), json!(line));
        if let Some(timeout) = self.timeout {
            hook.insert("timeout".into(), json!(timeout));
        }
        if !self.is_nested {
            return Value::Object(hook);
        }
        let mut group = Map::new();
        if self.has_matcher {
            let tools = self.only_for.filter(|(of, _)| *of == event);
            let matcher = tools.map_or("*".to_owned(), |(_, tools)| tools.join("|"));
            group.insert("matcher".into(), json!(matcher));
        }
        group.insert("hooks".into(), json!([hook]));
        Value::Object(group)
    }
}

impl Change {
    /// A file of our own that holds JSON.
    pub(crate) fn own(file: PathBuf, content: fn(&Wanted) -> String) -> Change {
        Change::Own {
            file,
            content,
            is_executable: false,
        }
    }

    /// A few words on what it adds.
    pub fn summary(&self, wanted: &Wanted) -> String {
        match self {
            Change::Hooks { hooks, .. } => format!("hooks for {}", hooks.wanted(wanted).join(", ")),
            Change::Item { .. } => "its plugin".to_owned(),
            Change::Own { .. } => "a file of its own".to_owned(),
        }
    }
}

/// A file of JSON, as people read it.
pub(crate) fn json_text(value: &Value) -> String {
    format!("{value:#}\n")
}
