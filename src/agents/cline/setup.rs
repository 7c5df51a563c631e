use std::path::PathBuf;

use crate::watch::setup::{Change, Platform, Scope, Setup, Surroundings, Versions, Wanted};

const EVENTS: &[&str] = &["TaskStart", "TaskResume", "UserPromptSubmit", "PostToolUse"];

pub(super) fn setup(around: &Surroundings) -> Setup {
    let command_line = around.named("CLINE_DIR", around.home(".cline"));
    let editor = around.documents.join("Cline");
    let setup = Setup {
        signs: vec![command_line.clone(), editor.clone()],
        command: Some("cline"),
        versions: Versions {
            commands: &["cline"],
            packages: &["cline"],
            ..Versions::default()
        },
        ..Setup::default()
    };
    // Its hooks are scripts for `sh`.
    if around.platform == Platform::Windows {
        return setup;
    }
    let mut users = scripts(command_line.join("hooks"), ".sh");
    users.extend(scripts(editor.join("Hooks"), ""));
    let project = scripts(around.here(".clinerules/hooks"), "");
    // The usual folder, where the desktop has another.
    let usual = scripts(around.home("Documents/Cline/Hooks"), "");
    let formerly = usual.into_iter().filter_map(|change| match change {
        Change::Own { file, .. } => Some(file),
        _ => None,
    });
    Setup {
        user: Scope {
            changes: users,
            formerly: formerly.collect(),
        },
        project: Scope {
            changes: project,
            ..Scope::default()
        },
        ..setup
    }
}

/// It runs the files that have the names of events.
fn scripts(folder: PathBuf, extension: &str) -> Vec<Change> {
    let files = EVENTS
        .iter()
        .map(|event| folder.join(format!("{event}{extension}")));
    files
        .map(|file| Change::Own {
            file,
            content,
            is_executable: true,
        })
        .collect()
}

fn content(wanted: &Wanted) -> String {
    format!("#!/bin/sh\n{}\n", wanted.line("cline"))
}
