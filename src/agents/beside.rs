//! Things that agents keep beside a session's file: its title, its folder, its model, and what its requests used.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use turnkeeper_base::json::{Json, parse};

use crate::sessions::record::Facts;

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
