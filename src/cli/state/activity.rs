//! The deeds of the hooks: a log with a line for each, and when an agent was last heard.

use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde::Serialize;
use turnkeeper_agents::Watched;
use turnkeeper_agents::watch::LogLine;
use turnkeeper_analysis::audited::iso_time;
use turnkeeper_base::json::{Json, parse, written};

use super::folder::make_private;
use super::own_file;
use crate::clock;

const LONGEST_LOG: u64 = 1_000_000;

/// The log, and who was heard, in a state folder.
pub(crate) struct Activity {
    folder: PathBuf,
}

/// A line of the log as it is written.
#[derive(Serialize)]
struct Dated<'a> {
    /// When, as ISO 8601.
    at: String,
    agent: &'a str,
    #[serde(flatten)]
    line: &'a LogLine,
}

impl Activity {
    /// The activity in a state folder, which is made if it is not there.
    pub(crate) fn new(folder: PathBuf) -> io::Result<Self> {
        make_private(&folder)?;
        Ok(Self { folder })
    }

    /// The activity in a state folder, if that is there.
    pub(crate) fn in_folder(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// The file of the log.
    pub(crate) fn file(&self) -> PathBuf {
        self.folder.join("log.jsonl")
    }

    fn older_file(&self) -> PathBuf {
        self.folder.join("log.old.jsonl")
    }

    /// Two files are kept, the older of which gives way. What cannot be logged is not: the answer is what counts.
    pub(crate) fn log(&self, agent: &str, line: &LogLine) {
        let at = iso_time(clock::now());
        let _ = self.add(&written(&Dated { at, agent, line }));
    }

    fn add(&self, line: &str) -> io::Result<()> {
        let file = self.file();
        if fs::metadata(&file).is_ok_and(|it| it.len() > LONGEST_LOG) {
            fs::rename(&file, self.older_file())?;
        }
        own_file::append(&file)?.write_all(format!("{line}\n").as_bytes())
    }

    /// Remembers that an agent has sent an event.
    pub(crate) fn hear(&self, agent: &str) {
        let file = self.heard(agent);
        let touched = own_file::open(&file, OpenOptions::new().write(true));
        let touched = touched.and_then(|it| it.set_modified(SystemTime::now()));
        if touched.is_err_and(|error| error.kind() == ErrorKind::NotFound) {
            let _ = own_file::append(&file);
        }
    }

    fn heard(&self, agent: &str) -> PathBuf {
        self.folder.join(format!("{agent}.heard"))
    }
}

/// The part that commands use.
impl Activity {
    /// When an agent sent its last event.
    pub(crate) fn last_heard(&self, agent: &str) -> Option<SystemTime> {
        fs::metadata(self.heard(agent))
            .and_then(|it| it.modified())
            .ok()
    }

    /// Removes the log, and what is known of the agents that were heard.
    pub(crate) fn remove(&self) {
        let heard = Watched::all().map(|agent| self.heard(agent.name));
        for file in [self.older_file(), self.file()].into_iter().chain(heard) {
            own_file::remove(&file);
        }
    }

    /// The lines of the log, the oldest first; what is no line of it is left out.
    pub(crate) fn lines(&self) -> Vec<Json<'static>> {
        let files = [self.older_file(), self.file()];
        files.iter().flat_map(|file| lines_of(file)).collect()
    }
}

fn lines_of(file: &Path) -> Vec<Json<'static>> {
    let content = own_file::read(file).ok().flatten().unwrap_or_default();
    let lines = content.split(|byte| *byte == b'\n').filter_map(|line| {
        let mut room = Vec::new();
        let line = parse(line, &mut room).ok()?.into_owned();
        let is_there = |name| line.get(name).and_then(Json::as_text).is_some();
        (is_there("at") && is_there("agent")).then_some(line)
    });
    lines.collect()
}
