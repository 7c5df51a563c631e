//! The record of a task or a session besides its history, in Cline and its relatives.

use std::path::Path;

use turnkeeper_base::json::Json;

use crate::agent::SavedSession;
use crate::beside::{FileBeside, Holds, fact, json, text};
use crate::sessions::record::Facts;

pub(super) fn beside(session: SavedSession) -> Vec<FileBeside> {
    let folder = session.folder();
    let name = session
        .file
        .file_name()
        .unwrap_or_default()
        .to_string_lossy();
    if name == "api_conversation_history.json" {
        return vec![
            FileBeside::facts(folder.join("task_metadata.json"), model),
            FileBeside::facts(folder.join("history_item.json"), task),
            // The requests that the panel shows; the history has neither their times nor what they used.
            FileBeside {
                path: folder.join("ui_messages.json"),
                holds: Holds::Usage,
            },
        ];
    }
    let id = name.strip_suffix(".messages.json");
    let file = id.map(|id| folder.join(format!("{id}.json")));
    file.map(|file| FileBeside::facts(file, own_session))
        .into_iter()
        .collect()
}

fn model(bytes: &[u8], _: &Path) -> Facts<'static> {
    let metadata = json(bytes);
    let used = metadata.get("model_usage").map_or(&[][..], Json::items);
    Facts {
        model: fact(used.last().and_then(|it| text(it, "model_id"))),
        ..Facts::default()
    }
}

fn task(bytes: &[u8], _: &Path) -> Facts<'static> {
    let item = json(bytes);
    let folder = text(&item, "workspace").or_else(|| text(&item, "cwdOnTaskInitialization"));
    Facts {
        title: fact(text(&item, "task")),
        working_directory: fact(folder),
        ..Facts::default()
    }
}

fn own_session(bytes: &[u8], _: &Path) -> Facts<'static> {
    let session = json(bytes);
    let title = session.get("metadata").and_then(|it| text(it, "title"));
    let folder = text(&session, "cwd").or_else(|| text(&session, "workspace_root"));
    Facts {
        title: fact(title),
        working_directory: fact(folder),
        ..Facts::default()
    }
}
