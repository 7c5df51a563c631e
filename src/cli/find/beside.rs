//! Things that agents keep beside a session's file: its title, its folder, and what its requests used.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use percent_encoding::percent_decode_str;
use turnkeeper_agents::sessions::{Facts, Format, Record, SessionReader};
use turnkeeper_base::json::{Json, parse};

use crate::inputs::{Chunks, Input, read_regular};

/// Longer files beside a session are not read, in bytes.
const LONGEST: u64 = 16 << 20;

/// The titles of Codex's threads, by their ids.
type Titles = Arc<HashMap<String, String>>;

/// Reads the files beside sessions. One that cannot be read says nothing.
#[derive(Default)]
pub(crate) struct Beside {
    /// The names of Codex's threads stand in one file for all of them.
    threads: Mutex<HashMap<PathBuf, Titles>>,
}

impl Beside {
    /// As records without events, to be taken after the session's own.
    pub(crate) fn records(
        &self,
        input: &Input,
        format: Format,
        chunks: &mut Chunks,
    ) -> Vec<Record<'static>> {
        let file = &input.file;
        if input.is_standard_input() || input.row.is_some() {
            return Vec::new();
        }
        let folder = file.parent().unwrap_or(Path::new(""));
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        if name == "api_conversation_history.json" {
            return task(folder, chunks);
        }
        if let Some(id) = name.strip_suffix(".messages.json") {
            return vec![cline_session(&folder.join(format!("{id}.json")))];
        }
        let facts = match format {
            Format::Codex => facts(self.codex_title(file), None, None),
            Format::GeminiCli => facts(None, line(&folder.join("../.project_root")), None),
            Format::CopilotCli => copilot_workspace(&folder.join("workspace.yaml")),
            Format::CopilotChat => copilot_chat_folder(&folder.join("../workspace.json")),
            Format::OpenHands if input.parts.is_some() => {
                let metadata = json(&file.join("../metadata.json"));
                facts(text(&metadata, "title"), None, None)
            }
            _ => return Vec::new(),
        };
        vec![record(facts)]
    }

    /// The last line on a thread counts.
    fn codex_title(&self, rollout: &Path) -> Option<String> {
        let name = rollout.file_name()?.to_str()?;
        let name = name
            .strip_suffix(".zst")
            .unwrap_or(name)
            .strip_suffix(".jsonl")?;
        let id = name.get(name.len().checked_sub(36)?..)?;
        let is_sessions = |folder: &&Path| {
            folder
                .file_name()
                .is_some_and(|it| it == "sessions" || it == "archived_sessions")
        };
        let home = rollout.ancestors().find(is_sessions)?.parent()?;
        let index = home.join("session_index.jsonl");
        let mut threads = self.threads.lock().unwrap_or_else(PoisonError::into_inner);
        let titles = threads
            .entry(index)
            .or_insert_with_key(|index| Arc::new(thread_titles(index)));
        titles.get(id).cloned()
    }
}

fn thread_titles(index: &Path) -> HashMap<String, String> {
    let bytes = read_regular(index, LONGEST).unwrap_or_default();
    // The last line may be half written.
    let lines = bytes.split(|&byte| byte == b'\n').map(json_in);
    let titles = lines.filter_map(|line| Some((text(&line, "id")?, text(&line, "thread_name")?)));
    titles.collect()
}

fn record(facts: Facts<'static>) -> Record<'static> {
    Record {
        facts,
        ..Record::default()
    }
}

fn facts(title: Option<String>, folder: Option<String>, model: Option<String>) -> Facts<'static> {
    let fact = |value: Option<String>| value.filter(|it| !it.is_empty()).map(Cow::Owned);
    Facts {
        title: fact(title),
        working_directory: fact(folder),
        model: fact(model),
    }
}

/// The record that Cline and its relatives keep of a task besides its history.
fn task(folder: &Path, chunks: &mut Chunks) -> Vec<Record<'static>> {
    let metadata = json(&folder.join("task_metadata.json"));
    let used = metadata.get("model_usage").map_or(&[][..], Json::items);
    let model = used.last().and_then(|it| text(it, "model_id"));
    let item = json(&folder.join("history_item.json"));
    let place = text(&item, "workspace").or_else(|| text(&item, "cwdOnTaskInitialization"));
    let mut records = vec![record(facts(text(&item, "task"), place, model))];
    records.extend(panel_usage(&folder.join("ui_messages.json"), chunks));
    records
}

/// The requests that the panel shows; the history has neither their times nor what they used.
fn panel_usage(file: &Path, chunks: &mut Chunks) -> Vec<Record<'static>> {
    let mut found = Vec::new();
    let mut reader = SessionReader::new(&file.to_string_lossy());
    let mut take = |piece: &turnkeeper_agents::sessions::Piece| {
        let Some(own) = &piece.record else { return };
        if !own.usage.is_empty() || own.time.is_some() {
            found.push(Record {
                usage: own.usage.clone(),
                time: own.time,
                ..Record::default()
            });
        }
    };
    let input = Input::found(file.to_owned());
    let read = chunks.read(&input, &mut |bytes| {
        let _ = reader.push(bytes, &mut take);
        Ok(())
    });
    if read.is_ok() {
        let _ = reader.end(&mut take);
    }
    found
}

fn cline_session(file: &Path) -> Record<'static> {
    let session = json(file);
    let title = session.get("metadata").and_then(|it| text(it, "title"));
    let folder = text(&session, "cwd").or_else(|| text(&session, "workspace_root"));
    record(facts(title, folder, None))
}

/// The two names that are wanted of a file of `name: value` lines.
fn copilot_workspace(file: &Path) -> Facts<'static> {
    let words = read_text(file);
    let value = |name: &str| words.lines().find_map(|line| value_of(line, name));
    facts(
        value("name").or_else(|| value("summary")),
        value("cwd"),
        None,
    )
}

fn value_of(line: &str, name: &str) -> Option<String> {
    let value = line
        .strip_prefix(name)?
        .strip_prefix(':')?
        .trim_matches([' ', '\t', '\r']);
    let quoted = |quote: char| value.strip_prefix(quote)?.strip_suffix(quote);
    let value = quoted('"').or_else(|| quoted('\'')).unwrap_or(value);
    (!value.is_empty()).then(|| value.to_owned())
}

fn copilot_chat_folder(file: &Path) -> Facts<'static> {
    let place = text(&json(file), "folder").and_then(|address| path_of(&address));
    facts(None, place, None)
}

/// The path of a `file:` address.
fn path_of(address: &str) -> Option<String> {
    let path = address.strip_prefix("file:")?;
    let path = match path.strip_prefix("//") {
        // The machine's name follows.
        Some(rest) => &rest[rest.find('/')?..],
        None => path,
    };
    let path = path.split(['?', '#']).next()?;
    let path = percent_decode_str(path).decode_utf8().ok()?;
    let drive = path.strip_prefix('/').filter(|it| {
        let bytes = it.as_bytes();
        bytes.first().is_some_and(u8::is_ascii_alphabetic) && bytes.get(1) == Some(&b':')
    });
    Some(drive.unwrap_or(&path).to_owned())
}

/// A file's only line.
fn line(file: &Path) -> Option<String> {
    Some(read_text(file).trim().to_owned())
}

fn text(value: &Json, key: &str) -> Option<String> {
    value.get(key).and_then(Json::as_text).map(str::to_owned)
}

fn json(file: &Path) -> Json<'static> {
    json_in(&read_regular(file, LONGEST).unwrap_or_default())
}

fn json_in(bytes: &[u8]) -> Json<'static> {
    let mut room = Vec::new();
    parse(bytes, &mut room).map_or(Json::Null, Json::into_owned)
}

fn read_text(file: &Path) -> String {
    let bytes = read_regular(file, LONGEST).unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
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
        let facts = records
            .into_iter()
            .map(|record| record.facts)
            .next()
            .unwrap_or_default();
        let owned = |fact: Option<Cow<'static, str>>| fact.map(Cow::into_owned);
        (owned(facts.title), owned(facts.working_directory))
    }

    fn some(text: &str) -> Option<String> {
        Some(text.to_owned())
    }

    #[test]
    fn titles_of_codex_stand_in_one_file_of_which_the_last_line_counts() {
        let root = tempfile::tempdir().expect("a folder");
        let id = "5d0c7b1e-0000-4000-8000-000000000002";
        let lines = [("Old", "Old"), ("Footer", "Footer")];
        let lines =
            lines.map(|(_, name)| format!("{{\"id\":\"{id}\",\"thread_name\":\"{name}\"}}\n"));
        write(
            &root.path().join("session_index.jsonl"),
            &(lines.concat() + "{\"id\":"),
        );
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
        let lines = "id: 4\ncwd: /home/user/other\r\nsummary: \"The year\"\n";
        write(&root.path().join("a/workspace.yaml"), lines);
        let found = facts_of(&root.path().join("a/events.jsonl"), Format::CopilotCli);
        assert_eq!(found, (some("The year"), some("/home/user/other")));
        let folder = r#"{"folder":"file:///home/user/a%20b"}"#;
        write(&root.path().join("b/workspace.json"), folder);
        let found = facts_of(
            &root.path().join("b/chatSessions/c.json"),
            Format::CopilotChat,
        );
        assert_eq!(found, (None, None), "the folder chatSessions is not there");
        write(&root.path().join("b/chatSessions/c.json"), "{}");
        let found = facts_of(
            &root.path().join("b/chatSessions/c.json"),
            Format::CopilotChat,
        );
        assert_eq!(found, (None, some("/home/user/a b")));
        assert_eq!(path_of("file:///c%3A/Users/a"), some("c:/Users/a"));
        assert_eq!(path_of("vscode-remote://host/a"), None);
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
