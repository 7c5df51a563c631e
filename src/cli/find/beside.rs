//! Reads the files that agents keep beside a session's.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use turnkeeper_agents::SavedSession;
use turnkeeper_agents::beside::Holds;
use turnkeeper_agents::sessions::{Format, Piece, Record, SessionReader};

use crate::files::read_regular;
use crate::inputs::{Chunks, Input};

/// Longer files beside a session are not read, in bytes.
const LONGEST: u64 = 16 << 20;

/// Reads the files beside sessions. One that cannot be read says nothing.
#[derive(Default)]
pub(crate) struct Beside {
    /// The files for all sessions of an agent.
    of_all: Mutex<HashMap<PathBuf, Arc<[u8]>>>,
}

impl Beside {
    /// As records without events, to be taken after the session's own.
    pub(crate) fn records(
        &self,
        input: &Input,
        format: Format,
        chunks: &mut Chunks,
    ) -> Vec<Record<'static>> {
        if input.is_standard_input() || input.row.is_some() {
            return Vec::new();
        }
        let session = SavedSession {
            file: &input.file,
            agent: format.agent(),
            is_in_parts: input.parts.is_some(),
        };
        let mut records = Vec::new();
        for file in session.files_beside() {
            match file.holds {
                Holds::Facts(facts) => records.push(facts(&read(&file.path), &input.file).into()),
                Holds::FactsOfAll(facts) => {
                    let bytes = self.of_all(file.path);
                    records.push(facts(&bytes, &input.file).into());
                }
                Holds::Usage => records.extend(usage_in(file.path, chunks)),
            }
        }
        records
    }

    fn of_all(&self, file: PathBuf) -> Arc<[u8]> {
        let mut files = self.of_all.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes = files.entry(file);
        bytes.or_insert_with_key(|file| read(file).into()).clone()
    }
}

fn read(file: &Path) -> Vec<u8> {
    read_regular(file, LONGEST).unwrap_or_default()
}

/// The usage and the times of a session that another file holds.
fn usage_in(file: PathBuf, chunks: &mut Chunks) -> Vec<Record<'static>> {
    let mut found = Vec::new();
    let mut reader = SessionReader::new(&file.to_string_lossy());
    let mut take = |piece: &Piece| {
        let Some(own) = &piece.record else { return };
        if !own.usage.is_empty() || own.time.is_some() {
            found.push(Record {
                usage: own.usage.clone(),
                time: own.time,
                ..Record::default()
            });
        }
    };
    let input = Input::found(file);
    let read = chunks.read(&input, &mut |bytes| {
        let _ = reader.push(bytes, &mut take);
        Ok(())
    });
    if read.is_ok() {
        let _ = reader.end(&mut take);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::BytesRead;

    fn write(file: &Path, text: &str) {
        std::fs::create_dir_all(file.parent().expect("a folder")).expect("made");
        std::fs::write(file, text).expect("written");
    }

    fn facts_of(file: &Path, format: Format) -> (Option<String>, Option<String>) {
        let mut chunks = Chunks::new(&BytesRead::default());
        let records =
            Beside::default().records(&Input::found(file.to_owned()), format, &mut chunks);
        let facts = records.iter().map(|record| &record.facts);
        let title = facts.clone().find_map(|it| it.title.clone());
        let folder = facts.clone().find_map(|it| it.working_directory.clone());
        (title.map(Into::into), folder.map(Into::into))
    }

    fn some(text: &str) -> Option<String> {
        Some(text.to_owned())
    }

    #[test]
    fn titles_of_codex_stand_in_one_file_beside_all_its_folders() {
        let root = tempfile::tempdir().expect("a folder");
        let id = "5d0c7b1e-0000-4000-8000-000000000002";
        let line = format!("{{\"id\":\"{id}\",\"thread_name\":\"Footer\"}}\n");
        write(&root.path().join("session_index.jsonl"), &line);
        for file in [
            format!("sessions/2026/01/01/rollout-2026-01-01T09-00-00-{id}.jsonl"),
            format!("archived_sessions/rollout-2026-01-01T09-00-00-{id}.jsonl.zst"),
        ] {
            let file = root.path().join(file);
            assert_eq!(facts_of(&file, Format::Codex), (some("Footer"), None));
        }
        let other = root.path().join("sessions/rollout-a.jsonl");
        assert_eq!(facts_of(&other, Format::Codex), (None, None));
    }

    #[test]
    fn copilot_names_a_session_and_its_folder_in_files_of_their_own() {
        let root = tempfile::tempdir().expect("a folder");
        let lines = "cwd: /home/user/other\nsummary: The year\n";
        write(&root.path().join("a/workspace.yaml"), lines);
        let found = facts_of(&root.path().join("a/events.jsonl"), Format::CopilotCli);
        assert_eq!(found, (some("The year"), some("/home/user/other")));
        let folder = r#"{"folder":"file:///home/user/a%20b"}"#;
        write(&root.path().join("b/workspace.json"), folder);
        write(&root.path().join("b/chatSessions/c.json"), "{}");
        let found = facts_of(
            &root.path().join("b/chatSessions/c.json"),
            Format::CopilotChat,
        );
        assert_eq!(found, (None, some("/home/user/a b")));
    }

    #[test]
    fn a_task_of_clines_relatives_has_its_name_beside_it() {
        let root = tempfile::tempdir().expect("a folder");
        let item = r#"{"task":"Mend the footer","workspace":"/home/user/roo"}"#;
        write(&root.path().join("history_item.json"), item);
        let file = root.path().join("api_conversation_history.json");
        assert_eq!(
            facts_of(&file, Format::Cline),
            (some("Mend the footer"), some("/home/user/roo"))
        );
    }
}
