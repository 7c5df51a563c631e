//! The files that are kept between two events of a session: one for each session and subagent of an agent, and one
//! with notes for the ledger.

use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use turnkeeper_watch::{LogLine, Store, WatchError};

use super::activity::Activity;
use super::folder::make_private;
use super::lock::{Lock, beside};

const KEPT: Duration = Duration::from_secs(7 * 24 * 60 * 60);
const LOOKED_AT: usize = 24;

/// The sessions of an agent.
pub(crate) struct SessionStore<'s> {
    folder: PathBuf,
    activity: &'s Activity,
    agent: &'s str,
}

impl<'s> SessionStore<'s> {
    /// The sessions in a state folder.
    pub(crate) fn new(state: &Path, activity: &'s Activity, agent: &'s str) -> io::Result<Self> {
        let folder = state.join("sessions");
        make_private(&folder)?;
        Ok(Self {
            folder,
            activity,
            agent,
        })
    }

    fn record(&self, key: &str) -> PathBuf {
        self.folder.join(format!("{key}.state"))
    }

    fn notes_file(&self, key: &str) -> PathBuf {
        self.folder.join(format!("{key}.jsonl"))
    }
}

impl Store for SessionStore<'_> {
    fn update(
        &mut self,
        key: &str,
        change: &mut dyn FnMut(Result<Option<Vec<u8>>, WatchError>) -> Vec<u8>,
    ) -> Result<(), WatchError> {
        let file = self.record(key);
        let lock = Lock::wait_for(&beside(&file, "lock")).map_err(failed)?;
        let Some(_lock) = lock else {
            return Err(WatchError::new("the session's lock did not become free"));
        };
        let kept = read(&file).map_err(failed);
        replace(&file, &change(kept)).map_err(failed)
    }

    fn add_notes(&mut self, key: &str, lines: &str) -> Result<u64, WatchError> {
        let added = || {
            let mut file = append(&self.notes_file(key))?;
            file.write_all(lines.as_bytes())?;
            Ok(file.metadata()?.len())
        };
        added().map_err(failed)
    }

    fn notes(&mut self, key: &str) -> Result<Vec<u8>, WatchError> {
        let notes = read(&self.notes_file(key)).map_err(failed)?;
        Ok(notes.unwrap_or_default())
    }

    fn replace_notes(&mut self, key: &str, lines: &str) -> Result<(), WatchError> {
        replace(&self.notes_file(key), lines.as_bytes()).map_err(failed)
    }

    /// Removes files that nothing has changed for seven days; it looks at a few, so that it costs little.
    fn remove_old(&mut self) {
        let Ok(files) = fs::read_dir(&self.folder) else {
            return;
        };
        let files: Vec<_> = files.flatten().collect();
        let now = SystemTime::now();
        let since_1970 = now
            .duration_since(SystemTime::UNIX_EPOCH)
            .unwrap_or_default();
        let first = since_1970.subsec_nanos() as usize;
        for at in 0..LOOKED_AT.min(files.len()) {
            let file = &files[(first + at) % files.len()];
            let changed = file.metadata().and_then(|it| it.modified()).unwrap_or(now);
            if now.duration_since(changed).is_ok_and(|age| age > KEPT) {
                let _ = fs::remove_file(file.path()).or_else(|_| fs::remove_dir_all(file.path()));
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

fn read(file: &Path) -> io::Result<Option<Vec<u8>>> {
    match fs::read(file) {
        Ok(content) => Ok(Some(content)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Opens a file of the user's alone, to write at its end.
pub(super) fn append(file: &Path) -> io::Result<fs::File> {
    let mut options = OpenOptions::new();
    options.append(true).create(true);
    private(&mut options);
    options.open(file)
}

fn private(options: &mut OpenOptions) {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    #[cfg(not(unix))]
    let _ = options;
}

/// Writes a file beside, and puts it in the place of the one that is there.
fn replace(file: &Path, content: &[u8]) -> io::Result<()> {
    let temporary = beside(file, &format!("{}.tmp", std::process::id()));
    let write = || {
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(true);
        private(&mut options);
        options.open(&temporary)?.write_all(content)?;
        fs::rename(&temporary, file)
    };
    write().inspect_err(|_| {
        let _ = fs::remove_file(&temporary);
    })
}
