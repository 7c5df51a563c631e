//! opencode's folders with a file for each session, message and part.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

/// The sessions in a folder that is laid out as opencode's storage is, with `session/PROJECT/ses_….json`,
/// `message/SESSION/msg_….json` and `part/MESSAGE/prt_….json`; none of any other folder. Each has its own file, by
/// whose name it is known, and all files in their order: ids of opencode ascend with time. `entries` are the names in
/// the folder.
pub(super) fn opencode_sessions(
    folder: &Path,
    entries: &[OsString],
) -> Option<Vec<(PathBuf, Vec<PathBuf>)>> {
    let has = |name: &str| entries.iter().any(|entry| entry == name);
    if !["session", "message", "part"].into_iter().all(has) {
        return None;
    }
    let below = |kind: &str, name: &OsStr| folder.join(kind).join(name);
    let mut sessions = Vec::new();
    for project in names_in(&folder.join("session")) {
        for file in json_files(&below("session", &project), "ses_") {
            let mut parts = vec![file.clone()];
            for message in json_files(&below("message", stem(&file)), "msg_") {
                let own = json_files(&below("part", stem(&message)), "prt_");
                parts.push(message);
                parts.extend(own);
            }
            sessions.push((file, parts));
        }
    }
    (!sessions.is_empty()).then_some(sessions)
}

fn stem(file: &Path) -> &OsStr {
    file.file_stem().unwrap_or_default()
}

fn json_files(folder: &Path, start: &str) -> Vec<PathBuf> {
    let mut names = names_in(folder);
    names.retain(|name| {
        let name = name.to_string_lossy();
        name.starts_with(start) && name.ends_with(".json")
    });
    names.into_iter().map(|name| folder.join(name)).collect()
}

/// The names in a folder, in their order; none if it cannot be read.
pub(super) fn names_in(folder: &Path) -> Vec<OsString> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<OsString> = entries.map(|entry| entry.file_name()).collect();
    names.sort_unstable();
    names
}
