//! The sessions of agents, where each keeps them.
//!
//! | file | |
//! |---|---|
//! | `beside.rs` | what agents keep beside a session's file |

mod beside;

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use turnkeeper_agents::Agent;
use turnkeeper_agents::folders::{Kind, SessionFolder, Where};
use turnkeeper_base::json::{Json, parse};

use crate::inputs::{Database, FolderSearch, Input, written_at};
use crate::problem::Problem;

pub(crate) use beside::Beside;

/// The search for sessions of agents.
pub(crate) struct Search<'a> {
    pub(crate) around: Where<'a>,
    /// Sessions that ended before are not looked at, in milliseconds since 1970.
    pub(crate) since: f64,
    /// Hears of folders and files that cannot be read.
    pub(crate) complain: &'a mut dyn FnMut(Problem),
}

impl Search<'_> {
    /// The sessions of agents. A folder that is not there is nothing to tell.
    pub(crate) fn find(&mut self, agents: impl IntoIterator<Item = Agent>) -> Vec<Input> {
        let mut found = Vec::new();
        for agent in agents {
            for place in agent.session_folders(&self.around) {
                found.extend(self.in_place(&place, agent.name()));
            }
        }
        // Two variables may lead to one folder; and a session may be in a database and still in the file that was before.
        let mut seen = HashSet::new();
        let rows = found
            .iter()
            .filter_map(|input| Some((input.agent, input.row.as_ref()?.session.clone())));
        let in_databases: HashSet<_> = rows.collect();
        found.retain(|input| {
            let session = input.row.as_ref().map(|row| row.session.clone());
            let is_copy =
                session.is_none() && in_databases.contains(&(input.agent, id_of(&input.file)));
            !is_copy && seen.insert((input.file.clone(), session))
        });
        found
    }

    fn in_place(&mut self, place: &SessionFolder, agent: &'static str) -> Vec<Input> {
        if !place.folder.is_dir() {
            return Vec::new();
        }
        let mut inputs = match place.kind {
            Kind::CrushProjects => self.crush_projects(&place.folder),
            Kind::Files | Kind::Databases => {
                let is_wanted = |file: &Path| place.wants(file);
                let search = FolderSearch::new(&place.folder, &is_wanted, self.complain);
                let inputs = search.find();
                if place.kind == Kind::Files {
                    let since = self.since;
                    let is_new = |input: &Input| {
                        since == f64::NEG_INFINITY || input.written().is_none_or(|it| it >= since)
                    };
                    inputs.into_iter().filter(is_new).collect()
                } else {
                    inputs
                        .iter()
                        .flat_map(|input| self.in_database(input))
                        .collect()
                }
            }
        };
        for input in &mut inputs {
            input.agent = Some(agent);
        }
        inputs
    }

    fn in_database(&mut self, input: &Input) -> Vec<Input> {
        if input.parts.is_some() {
            return Vec::new();
        }
        // The newest records may be in the log beside it.
        let mut log = input.file.clone().into_os_string();
        log.push("-wal");
        let is_new = |file: &Path| written_at(file).is_some_and(|it| it >= self.since);
        if !is_new(&input.file) && !is_new(Path::new(&log)) {
            return Vec::new();
        }
        let sessions = Database::open(&input.file);
        match sessions.and_then(|database| database.sessions(input, self.since)) {
            Ok(sessions) => sessions,
            Err(problem) => {
                (self.complain)(problem);
                Vec::new()
            }
        }
    }

    /// Each project has its own database; a list names the projects.
    fn crush_projects(&mut self, folder: &Path) -> Vec<Input> {
        let bytes = fs::read(folder.join("projects.json")).unwrap_or_default();
        let mut room = Vec::new();
        let list = parse(&bytes, &mut room).unwrap_or_default();
        let projects = list.get("projects").map_or(&[][..], Json::items);
        let databases = projects.iter().filter_map(|project| {
            let text = |key: &str| project.get(key).and_then(Json::as_text);
            let path = Path::new(text("path")?);
            let home = text("data_dir").map_or_else(|| path.join(".crush"), PathBuf::from);
            // A relative folder is the project's.
            Some(path.join(home).join("crush.db")).filter(|file| file.is_file())
        });
        let databases: Vec<PathBuf> = databases.collect();
        let inputs = databases.into_iter().map(Input::found);
        inputs.flat_map(|input| self.in_database(&input)).collect()
    }
}

/// The id of a session of Hermes' that is in a file.
fn id_of(file: &Path) -> String {
    let name = file.file_stem().unwrap_or_default().to_string_lossy();
    name.strip_prefix("session_").unwrap_or(&name).to_owned()
}

#[cfg(test)]
mod tests;
