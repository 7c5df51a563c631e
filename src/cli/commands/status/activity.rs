//! What the hooks did: a log of a line each, and when an agent was last heard.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde::Deserialize;

/// A line of the log.
#[derive(Deserialize)]
pub(super) struct LogLine {
    /// When, as ISO 8601.
    pub(super) at: String,
    pub(super) agent: String,
    #[serde(default)]
    pub(super) what: String,
    /// Why it failed.
    pub(super) why: Option<String>,
}

pub(super) struct Activity<'a> {
    folder: &'a Path,
}

impl<'a> Activity<'a> {
    pub(super) fn in_folder(folder: &'a Path) -> Self {
        Activity { folder }
    }

    pub(super) fn file(&self) -> PathBuf {
        self.folder.join("log.jsonl")
    }

    /// The lines of the log, the oldest first; what is no line of it is left out.
    pub(super) fn lines(&self) -> Vec<LogLine> {
        let texts = [self.folder.join("log.old.jsonl"), self.file()].map(fs::read);
        let texts = texts.into_iter().flatten();
        texts
            .flat_map(|text| lines_of(&String::from_utf8_lossy(&text)))
            .collect()
    }

    /// When an agent sent its last event.
    pub(super) fn last_heard(&self, hook: &str) -> Option<SystemTime> {
        fs::metadata(self.folder.join(format!("{hook}.heard")))
            .ok()?
            .modified()
            .ok()
    }
}

fn lines_of(text: &str) -> Vec<LogLine> {
    text.lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect()
}
