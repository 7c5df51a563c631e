use std::path::Path;

use crate::agent::SavedSession;
use crate::beside::{FileBeside, fact};
use crate::sessions::record::Facts;

pub(super) fn beside(session: SavedSession) -> Vec<FileBeside> {
    let path = session.folder().join("workspace.yaml");
    vec![FileBeside::facts(path, facts)]
}

/// The two names that are wanted of a file of `name: value` lines.
fn facts(bytes: &[u8], _: &Path) -> Facts<'static> {
    let words = String::from_utf8_lossy(bytes);
    let value = |name: &str| words.lines().find_map(|line| value_of(line, name));
    Facts {
        title: fact(value("name").or_else(|| value("summary"))),
        working_directory: fact(value("cwd")),
        ..Facts::default()
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_summary_is_the_title_of_a_session_without_a_name() {
        let lines = "id: 4\ncwd: /home/user/other\r\nsummary: \"The year\"\n";
        let found = facts(lines.as_bytes(), Path::new(""));
        assert_eq!(found.title.as_deref(), Some("The year"));
        assert_eq!(found.working_directory.as_deref(), Some("/home/user/other"));
        let found = facts(b"name: 'Mine'\nsummary: The year", Path::new(""));
        assert_eq!(found.title.as_deref(), Some("Mine"));
        assert_eq!(found.working_directory, None);
    }
}
