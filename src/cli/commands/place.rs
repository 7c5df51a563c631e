//! The agents as they are here: their files, and whether they are there at all.

use std::cell::OnceCell;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::{env, fs};

use serde_json::Value;
use turnkeeper_agents::Watched;
use turnkeeper_agents::watch::setup::settings::{JsonText, keys, ours_in};
use turnkeeper_agents::watch::setup::{Change, Files, Scope, Setup, Surroundings, Version};

use super::agent_version::oldest_here;
use super::documents::documents;
use crate::files::{content_of, leads_out};
use crate::problem::{InFile, Problem, Result};
use crate::program::{Copy, PLATFORM, on_path};
use crate::state::folder::{home_folder, state_folder};
use crate::terminal::output::Output;

/// The place where a command runs.
pub(super) struct Here {
    pub(super) home: PathBuf,
    /// The current folder.
    pub(super) folder: PathBuf,
    pub(super) state: PathBuf,
    pub(super) copy: Copy,
}

impl Here {
    pub(super) fn find() -> Result<Self> {
        let home = home_folder().reading(Path::new("~"))?;
        let state = state_folder().reading(Path::new("~"))?;
        let folder = env::current_dir().reading(Path::new("."))?;
        Ok(Here {
            home,
            folder,
            copy: Copy::below(&state),
            state,
        })
    }

    /// The agents of these names; all if there is no name.
    pub(super) fn places(&self, names: &[String]) -> Vec<AgentHere> {
        let config = env::var_os("XDG_CONFIG_HOME").filter(|it| !it.is_empty());
        let config = config.map_or_else(|| self.home.join(".config"), PathBuf::from);
        let around = Surroundings {
            home: &self.home,
            here: &self.folder,
            documents: &documents(&self.home, &config),
            is_there: &|file| file.exists(),
            platform: PLATFORM,
            variable: &|name| env::var(name).ok(),
        };
        let wanted = |agent: &&Watched| names.is_empty() || names.iter().any(|it| it == agent.name);
        let agents = Watched::all().filter(wanted);
        agents
            .map(|agent| AgentHere {
                agent,
                setup: (agent.setup)(&around),
                version: OnceCell::new(),
            })
            .collect()
    }
}

/// An agent here.
pub(super) struct AgentHere {
    pub(super) agent: &'static Watched,
    pub(super) setup: Setup,
    version: OnceCell<Option<Version>>,
}

impl AgentHere {
    /// Whether the agent has left something of its own, or can be started.
    pub(super) fn is_there(&self) -> bool {
        self.setup.signs.iter().any(|it| is_sign(it))
            || self.setup.command.is_some_and(|it| !on_path(it).is_empty())
    }

    /// The version of the agent for which its files are written: the oldest that is here; none, if it is not known.
    pub(super) fn version(&self) -> Option<Version> {
        *self
            .version
            .get_or_init(|| oldest_here(&self.setup.versions))
    }

    /// Settings of the agent that keep its hooks from running.
    pub(super) fn obstacles(&self) -> Vec<String> {
        self.setup
            .switches
            .iter()
            .filter_map(|switch| switch(&OnDisk))
            .collect()
    }

    pub(super) fn scope(&self, is_project: bool) -> &Scope {
        if is_project {
            &self.setup.project
        } else {
            &self.setup.user
        }
    }
}

/// The files of a scope: those that are written, then others that the agent reads.
pub(super) fn files_of(scope: &Scope) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = scope.changes.iter().map(file_of).collect();
    for file in &scope.formerly {
        if !files.contains(file) {
            files.push(file.clone());
        }
    }
    files
}

/// The file that a change is made in.
pub(super) fn file_of(change: &Change) -> PathBuf {
    match change {
        Change::Hooks { file, .. } | Change::Own { file, .. } => file.clone(),
        Change::Item { places, .. } => {
            let there = places.iter().find(|file| file.exists());
            there.or(places.last()).cloned().unwrap_or_default()
        }
    }
}

/// Refuses a file that is reached by a link out of the project: whoever has made a repository would say which file of the user's is
/// changed.
pub(super) fn within(project: &Path, file: &Path) -> Result<()> {
    match leads_out(file, project) {
        Ok(false) => Ok(()),
        Ok(true) => {
            let why = "is reached by a link that leads out of the project";
            Err(Problem::left(file, why))
        }
        Err(error) if error.kind() == ErrorKind::NotFound => Err(Problem::left(
            file,
            "is reached by a link that leads nowhere",
        )),
        Err(error) => Err(error).writing(file),
    }
}

/// The entries of ours in a file; none where there is no such file.
pub(super) fn ours(file: &Path) -> Result<Vec<String>> {
    ours_in(file, &content_of(file)?.unwrap_or_default()).reading(file)
}

/// Whether something of ours stands in a file, as far as that can be read.
pub(super) fn has_ours(file: &Path) -> bool {
    ours(file).is_ok_and(|ours| !ours.is_empty())
}

/// Whether a folder or file is there. A name in it that ends with `*` stands for each that begins so.
fn is_sign(sign: &Path) -> bool {
    let is_open = |it: &Path| it.to_string_lossy().ends_with('*');
    let Some(open) = sign.ancestors().filter(|it| is_open(it)).last() else {
        return sign.exists();
    };
    let start = open.file_name().unwrap_or_default().to_string_lossy();
    let start = start.trim_end_matches('*');
    let rest = sign.strip_prefix(open).unwrap_or(Path::new(""));
    let entries = fs::read_dir(open.parent().unwrap_or(open));
    let entries = entries.into_iter().flatten().flatten();
    let mut named = entries.filter(|it| it.file_name().to_string_lossy().starts_with(start));
    named.any(|it| is_sign(&it.path().join(rest)))
}

struct OnDisk;

impl Files for OnDisk {
    fn text(&self, file: &Path) -> Option<String> {
        content_of(file).ok().flatten()
    }

    fn value(&self, file: &Path, at: &[&str]) -> Option<Value> {
        JsonText::read(&self.text(file)?).ok()?.get(&keys(at))
    }

    fn has_ours(&self, file: &Path) -> bool {
        has_ours(file)
    }
}

/// The names of all agents, as a list in a sentence.
pub(super) fn all_names() -> String {
    Watched::all()
        .map(|agent| agent.name)
        .collect::<Vec<_>>()
        .join(", ")
}

/// Whether `Here` can be found; if not, a complaint says why.
pub(super) fn here(output: &mut Output) -> Option<Here> {
    output.attempt(Here::find())
}
