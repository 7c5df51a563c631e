//! The titles of threads, which stand in one file for all of them.

use std::path::Path;

use memchr::memmem;

use crate::agent::SavedSession;
use crate::beside::{FileBeside, Holds, fact, json, text};
use crate::sessions::record::Facts;

pub(super) fn beside(session: SavedSession) -> Vec<FileBeside> {
    let is_sessions = |folder: &&Path| {
        let name = folder.file_name();
        name.is_some_and(|it| it == "sessions" || it == "archived_sessions")
    };
    let folder = session.file.ancestors().find(is_sessions);
    let home = folder.and_then(Path::parent);
    let file = home.map(|home| FileBeside {
        path: home.join("session_index.jsonl"),
        holds: Holds::FactsOfAll(facts),
    });
    file.into_iter().collect()
}

/// The last line on a thread counts. The last of all may be half written.
fn facts(index: &[u8], rollout: &Path) -> Facts<'static> {
    let title = id_of(rollout).and_then(|id| {
        let lines = memmem::rfind_iter(index, id.as_bytes()).map(|at| line_at(index, at));
        let mut lines = lines.map(json);
        lines.find_map(|line| match text(&line, "id")? == id {
            true => text(&line, "thread_name"),
            false => None,
        })
    });
    Facts {
        title: fact(title),
        ..Facts::default()
    }
}

/// `rollout-2026-01-01T09-00-00-<id>.jsonl`, or that and `.zst`
fn id_of(rollout: &Path) -> Option<&str> {
    let name = rollout.file_name()?.to_str()?;
    let name = name.strip_suffix(".zst").unwrap_or(name);
    let name = name.strip_suffix(".jsonl")?;
    name.get(name.len().checked_sub(36)?..)
}

fn line_at(text: &[u8], at: usize) -> &[u8] {
    let start = memchr::memrchr(b'\n', &text[..at]).map_or(0, |end| end + 1);
    let end = memchr::memchr(b'\n', &text[at..]);
    &text[start..end.map_or(text.len(), |end| at + end)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_whole_line_on_a_thread_has_its_title() {
        let id = "5d0c7b1e-0000-4000-8000-000000000002";
        let line = |name: &str| format!("{{\"id\":\"{id}\",\"thread_name\":\"{name}\"}}\n");
        let others = format!("{{\"id\":\"other\",\"thread_name\":\"{id}\"}}\n");
        let index = line("Old") + &line("Footer") + &others + &format!("{{\"id\":\"{id}\"");
        for (file, title) in [
            (
                format!("rollout-2026-01-01T09-00-00-{id}.jsonl"),
                Some("Footer"),
            ),
            (
                format!("rollout-2026-01-01T09-00-00-{id}.jsonl.zst"),
                Some("Footer"),
            ),
            ("rollout-a.jsonl".to_owned(), None),
        ] {
            let facts = facts(index.as_bytes(), Path::new(&file));
            assert_eq!(facts.title.as_deref(), title, "{file}");
        }
    }
}
