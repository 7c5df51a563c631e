//! Labelled sessions, as they lie in folders.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde_json::Value;
use turnkeeper_core::AgentEvent;

use crate::cores;

/// The end of a session, by the record of the source that it comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    Success,
    Failure,
    Unknown,
}

/// A session, and what a person who has read it said of it.
pub struct Session {
    pub id: String,
    /// The index of the call at which the loop starts, if there is one.
    pub loop_start: Option<u64>,
    /// The kind of loop that it is, or what makes a healthy session look like one.
    pub kind: String,
    pub agent: String,
    pub set: String,
    pub outcome: Outcome,
    pub events: Vec<AgentEvent>,
    /// What the user says, by the place of its event, where the file has it.
    pub words: BTreeMap<usize, String>,
}

/// The part of a session that is in its own file.
#[derive(Default)]
struct Played {
    events: Vec<AgentEvent>,
    words: BTreeMap<usize, String>,
}

/// A line of an index, and the file that it is about.
struct Entry {
    session: Session,
    file: PathBuf,
}

pub fn read_folders(folders: &[PathBuf]) -> Result<Vec<Session>> {
    let mut entries = Vec::new();
    for folder in folders {
        entries.extend(read_index(folder)?);
    }
    let sessions = cores::map(&entries, |entry| read_events(&entry.file));
    entries
        .into_iter()
        .zip(sessions)
        .map(|(entry, played)| {
            let Played { events, words } = played?;
            Ok(Session {
                events,
                words,
                ..entry.session
            })
        })
        .collect()
}

fn read_index(folder: &Path) -> Result<Vec<Entry>> {
    let path = folder.join("index.tsv");
    let text = fs::read_to_string(&path).with_context(|| format!("{}", path.display()))?;
    let mut lines = text.lines();
    let columns: Vec<&str> = lines.next().unwrap_or_default().split('\t').collect();
    let place = |name: &str| columns.iter().position(|column| *column == name);
    let needed = |name| place(name).with_context(|| format!("{}: no {name}", path.display()));
    let (id, label, start) = (
        needed("id")?,
        needed("label")?,
        needed("loop_starts_at_call")?,
    );
    let name_of_folder = folder
        .canonicalize()?
        .file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default();

    let mut entries = Vec::new();
    for line in lines {
        let fields: Vec<&str> = line.split('\t').collect();
        let field = |place: Option<usize>| place.and_then(|at| fields.get(at)).copied();
        let needed =
            |place| field(Some(place)).with_context(|| format!("{}: {line}", path.display()));
        let loop_start = match needed(label)? {
            "loop" => Some(needed(start)?.parse().with_context(|| line.to_owned())?),
            "no-loop" => None,
            other => bail!("{}: the label {other:?}", path.display()),
        };
        let id = needed(id)?.to_owned();
        entries.push(Entry {
            file: folder.join(&id).with_extension("jsonl"),
            session: Session {
                id,
                loop_start,
                kind: field(place("type")).unwrap_or("-").to_owned(),
                agent: field(place("agent")).unwrap_or("-").to_owned(),
                set: field(place("set")).unwrap_or(&name_of_folder).to_owned(),
                outcome: match field(place("outcome")) {
                    Some("success") => Outcome::Success,
                    Some("failure") => Outcome::Failure,
                    _ => Outcome::Unknown,
                },
                events: Vec::new(),
                words: BTreeMap::new(),
            },
        });
    }
    Ok(entries)
}

fn read_events(file: &Path) -> Result<Played> {
    let text = fs::read_to_string(file).with_context(|| format!("{}", file.display()))?;
    let mut played = Played::default();
    for (at, line) in text.lines().enumerate() {
        let place = || format!("{}:{}", file.display(), at + 1);
        let event: AgentEvent = serde_json::from_str(line).with_context(place)?;
        if matches!(event, AgentEvent::UserMessage) {
            let line: Value = serde_json::from_str(line).with_context(place)?;
            let words = line["text"].as_str().map(str::to_owned);
            played.words.extend(words.map(|words| (at, words)));
        }
        played.events.push(event);
    }
    Ok(played)
}
