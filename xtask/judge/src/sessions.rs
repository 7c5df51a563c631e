//! Labelled sessions, as they lie in folders.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use rayon::prelude::*;
use serde_json::Value;
use turnkeeper_core::AgentEvent;

/// A session, and what a person who has read it said of it.
pub struct Session {
    pub id: String,
    /// The index of the call at which the loop starts, if there is one.
    pub loop_start: Option<u64>,
    /// The kind of loop that it is, or what makes a healthy session look like one.
    pub kind: String,
    pub agent: String,
    pub set: String,
    pub events: Vec<AgentEvent>,
    /// What the user says, by the index of its event, where the file has it.
    pub words: BTreeMap<usize, String>,
}

pub fn read_folders(folders: &[PathBuf]) -> Result<Vec<Session>> {
    let mut sessions = Vec::new();
    for folder in folders {
        let mut of_folder = read_index(folder)?;
        of_folder
            .par_iter_mut()
            .try_for_each(|session| session.read_events(folder))?;
        sessions.append(&mut of_folder);
    }
    Ok(sessions)
}

/// The sessions of a folder without their events.
fn read_index(folder: &Path) -> Result<Vec<Session>> {
    let path = folder.join("index.tsv");
    let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let (columns, lines) = text.split_once('\n').unwrap_or_default();
    let folder = folder.canonicalize()?;
    let folder = folder.file_name().unwrap_or_default().to_string_lossy();
    let session = |line: &str| -> Result<Session> {
        let fields: HashMap<&str, &str> = columns.split('\t').zip(line.split('\t')).collect();
        let needed = |column| {
            let field = fields.get(column).copied();
            field.with_context(|| format!("no {column}"))
        };
        let known = |column, default| fields.get(column).unwrap_or(&default).to_string();
        Ok(Session {
            id: needed("id")?.to_owned(),
            loop_start: match needed("label")? {
                "loop" => Some(needed("loop_starts_at_call")?.parse()?),
                "no-loop" => None,
                other => bail!("the label {other:?}"),
            },
            kind: known("type", "-"),
            agent: known("agent", "-"),
            set: known("set", &folder),
            events: Vec::new(),
            words: BTreeMap::new(),
        })
    };
    lines
        .lines()
        .map(|line| session(line).with_context(|| format!("{}: {line}", path.display())))
        .collect()
}

impl Session {
    fn read_events(&mut self, folder: &Path) -> Result<()> {
        let file = folder.join(format!("{}.jsonl", self.id));
        let text = fs::read_to_string(&file).with_context(|| file.display().to_string())?;
        for (at, line) in text.lines().enumerate() {
            let place = || format!("{}:{}", file.display(), at + 1);
            let event: AgentEvent = serde_json::from_str(line).with_context(place)?;
            if matches!(event, AgentEvent::UserMessage) {
                let line: Value = serde_json::from_str(line).with_context(place)?;
                let words = line["text"].as_str().map(str::to_owned);
                self.words.extend(words.map(|words| (at, words)));
            }
            self.events.push(event);
        }
        Ok(())
    }
}
