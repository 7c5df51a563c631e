//! The files that are kept between two events of a session: one for each session and subagent of an agent.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use turnkeeper_agents::Watched;
use turnkeeper_agents::watch::{LogLine, Store, WatchError};

use super::activity::Activity;
use super::folder::make_private;
use super::lock::Lock;
use super::own_file::{self, TEMPORARY};

const KEPT: Duration = Duration::from_secs(7 * 24 * 60 * 60);
const LOOKED_AT: usize = 24;
/// The end of a record's name.
const RECORD: &str = ".state";
/// The digits of a key.
const KEY: usize = 32;

/// The sessions of an agent.
pub(crate) struct SessionStore<'s> {
    folder: PathBuf,
    activity: &'s Activity,
    agent: &'s str,
}

impl<'s> SessionStore<'s> {
    /// The sessions in a state folder.
    pub(crate) fn new(state: &Path, activity: &'s Activity, agent: &'s str) -> io::Result<Self> {
        let folder = folder_in(state);
        make_private(&folder)?;
        Ok(Self {
            folder,
            activity,
            agent,
        })
    }
}

impl Store for SessionStore<'_> {
    fn update(
        &mut self,
        key: &str,
        change: &mut dyn FnMut(Result<Option<Vec<u8>>, WatchError>) -> Vec<u8>,
    ) -> Result<(), WatchError> {
        let file = self.folder.join(format!("{}-{key}{RECORD}", self.agent));
        let lock = Lock::wait_for(&lock_of(&self.folder, key)).map_err(failed)?;
        let Some(_lock) = lock else {
            return Err(WatchError::new("the session's lock did not become free"));
        };
        let kept = own_file::read(&file).map_err(failed);
        own_file::replace(&file, &change(kept)).map_err(failed)
    }

    /// Removes records that nothing has changed for seven days; it looks at a few, so that it costs little.
    fn remove_old(&mut self) {
        let names = names_in(&self.folder);
        let since_1970 = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        let first = since_1970.unwrap_or_default().subsec_nanos() as usize;
        for at in 0..LOOKED_AT.min(names.len()) {
            let name = &names[(first + at) % names.len()];
            if let Some(record) = Record::named(&self.folder, name)
                && record.is_old()
            {
                record.remove();
            }
        }
    }

    fn log(&mut self, line: LogLine) {
        self.activity.log(self.agent, &line);
    }
}

fn failed(error: io::Error) -> WatchError {
    WatchError::new(error.to_string())
}

fn folder_in(state: &Path) -> PathBuf {
    state.join("sessions")
}

/// Sessions share a few locks, which stay.
fn lock_of(folder: &Path, key: &str) -> PathBuf {
    folder.join(format!("turnkeeper-{}.lock", key.get(..1).unwrap_or("0")))
}

/// What is kept of a session, by the name of its file; also one that was never whole, since its program was killed.
pub(crate) struct Record {
    /// The name under which the agent's hook runs.
    pub(crate) agent: &'static str,
    pub(crate) bytes: u64,
    file: PathBuf,
    changed: Option<SystemTime>,
}

impl Record {
    /// The record of a file; none for any file that is not ours by its name, and for what is no plain file.
    fn named(folder: &Path, name: &str) -> Option<Self> {
        let is_of = |agent: &str| {
            let key = name.strip_prefix(agent).and_then(|it| it.strip_prefix('-'));
            let (key, end) = key
                .and_then(|it| it.split_at_checked(KEY))
                .unwrap_or_default();
            let is_key = |it: u8| matches!(it, b'0'..=b'9' | b'a'..=b'f');
            let is_whole = end == RECORD;
            key.len() == KEY
                && key.bytes().all(is_key)
                && (is_whole || end.starts_with(RECORD) && end.ends_with(TEMPORARY))
        };
        let agent = Watched::all().find(|agent| is_of(agent.name))?;
        let file = folder.join(name);
        let found = fs::symlink_metadata(&file).ok().filter(|it| it.is_file())?;
        Some(Record {
            agent: agent.name,
            bytes: found.len(),
            file,
            changed: found.modified().ok(),
        })
    }

    fn is_old(&self) -> bool {
        let age = self
            .changed
            .and_then(|it| SystemTime::now().duration_since(it).ok());
        age.is_some_and(|age| age > KEPT)
    }

    pub(crate) fn remove(&self) {
        own_file::remove(&self.file);
    }
}

fn names_in(folder: &Path) -> Vec<String> {
    let files = fs::read_dir(folder).into_iter().flatten().flatten();
    files
        .filter_map(|it| it.file_name().into_string().ok())
        .collect()
}

/// Everything that is kept of sessions. What nothing has changed for seven days goes.
pub(crate) fn kept_records(state: &Path) -> Vec<Record> {
    let folder = folder_in(state);
    let names = names_in(&folder).into_iter();
    let (old, kept): (Vec<_>, Vec<_>) = names
        .filter_map(|name| Record::named(&folder, &name))
        .partition(Record::is_old);
    old.iter().for_each(Record::remove);
    kept
}

/// Removes what no session needs any more: the locks, and the folder if nobody else has something in it.
pub(crate) fn remove_folder(state: &Path) {
    let folder = folder_in(state);
    for digit in "0123456789abcdef".chars() {
        own_file::remove(&lock_of(&folder, &digit.to_string()));
    }
    let _ = fs::remove_dir(folder);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_what_has_such_a_name_and_is_a_plain_file() {
        let root = tempfile::tempdir().expect("a folder");
        let key = "0123456789abcdef".repeat(2);
        let named = |name: &str| Record::named(root.path(), name).map(|it| it.agent);
        for name in [".state", ".state.x1.tmp"].map(|end| format!("claude-code-{key}{end}")) {
            assert_eq!(named(&name), None, "it is not there");
            fs::write(root.path().join(&name), "x").expect("written");
            assert_eq!(named(&name), Some("claude-code"));
        }
        for name in [
            format!("{key}.state"),
            format!("claude-code-{key}.jsonl"),
            format!("claude-code-{key}.state.bak"),
            format!("claude-code-{}.state", key.to_uppercase()),
            format!("claude-code-{}.state", &key[1..]),
            format!("nobody-{key}.state"),
            "2026-01-01.jsonl".to_owned(),
            "é".repeat(40),
        ] {
            fs::write(root.path().join(&name), "theirs").expect("written");
            assert_eq!(named(&name), None, "{name}");
        }
        let folder = format!("codex-{key}.state");
        fs::create_dir(root.path().join(&folder)).expect("made");
        assert_eq!(named(&folder), None);
    }
}
