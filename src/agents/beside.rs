//! Things that agents keep beside a session's file: its title, its folder, its model, and what its requests used.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use turnkeeper_base::json::{Json, parse};

use crate::agent::Agent;
use crate::sessions::{Facts, Format};

/// A session in a file.
#[derive(Debug, Clone, Copy)]
pub struct SavedSession<'a> {
    /// The file; of a session that is in parts, the folder of them.
    pub file: &'a Path,
    /// The format that it has.
    pub format: Format,
    /// Whether it is in parts.
    pub is_in_parts: bool,
}

/// A file beside a session, which may not be there.
pub struct FileBeside {
    /// The file.
    pub path: PathBuf,
    /// The use of what it holds.
    pub holds: Holds,
}

/// The use of a file beside a session.
pub enum Holds {
    /// Facts of the session, by its bytes. One that cannot be read says nothing.
    Facts(fn(&[u8], &Path) -> Facts<'static>),
    /// The same, in a file for all sessions.
    FactsOfAll(fn(&[u8], &Path) -> Facts<'static>),
    /// A session of its own, whose usage and times are this one's, too.
    Usage,
}

impl SavedSession<'_> {
    /// The files beside it, in the order in which they count.
    pub fn files_beside(self) -> Vec<FileBeside> {
        let agents = Agent::ALL.iter().filter_map(|agent| agent.beside());
        agents.flat_map(|it| it(self)).collect()
    }

    /// The folder that it is in.
    pub(crate) fn folder(&self) -> &Path {
        self.file.parent().unwrap_or(Path::new(""))
    }
}

impl FileBeside {
    pub(crate) fn facts(path: PathBuf, facts: fn(&[u8], &Path) -> Facts<'static>) -> Self {
        let holds = Holds::Facts(facts);
        Self { path, holds }
    }
}

/// A fact, unless it is empty.
pub(crate) fn fact(value: Option<String>) -> Option<Cow<'static, str>> {
    value.filter(|it| !it.is_empty()).map(Cow::Owned)
}

pub(crate) fn json(bytes: &[u8]) -> Json<'static> {
    let mut room = Vec::new();
    parse(bytes, &mut room).map_or(Json::Null, Json::into_owned)
}

pub(crate) fn text(value: &Json, key: &str) -> Option<String> {
    value.get(key).and_then(Json::as_text).map(str::to_owned)
}
