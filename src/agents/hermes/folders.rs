use std::path::Path;

use crate::folders::{SessionFolder, Where};

/// The database, and before it files; each profile has its own.
pub(super) fn folders(around: &Where) -> Vec<SessionFolder> {
    let home = around.named("HERMES_HOME", ".hermes");
    let places = |home: &Path| {
        [
            SessionFolder::databases(home.to_owned(), "state.db"),
            SessionFolder::files(home.join("sessions"), &["*.jsonl", "session_*.json"]),
        ]
    };
    let profiles = home.join("profiles");
    let mut found: Vec<SessionFolder> = places(&home).into();
    found.push(SessionFolder::databases(profiles.clone(), "*/state.db"));
    found.push(SessionFolder::files(
        profiles,
        &["*/sessions/*.jsonl", "*/sessions/session_*.json"],
    ));
    found
}
