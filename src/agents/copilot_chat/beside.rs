use percent_encoding::percent_decode_str;

use crate::agent::{Agent, SavedSession};
use crate::beside::{FileBeside, fact, json, text};
use crate::sessions::record::Facts;

pub(super) fn beside(session: SavedSession) -> Vec<FileBeside> {
    if session.agent != Some(Agent::CopilotChat) {
        return Vec::new();
    }
    let path = session.folder().join("../workspace.json");
    vec![FileBeside::facts(path, |bytes, _| Facts {
        working_directory: fact(text(&json(bytes), "folder").and_then(|it| path_of(&it))),
        ..Facts::default()
    })]
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_is_an_address_of_a_file() {
        let some = |path: &str| Some(path.to_owned());
        assert_eq!(path_of("file:///home/user/a%20b"), some("/home/user/a b"));
        assert_eq!(path_of("file:///c%3A/Users/a"), some("c:/Users/a"));
        assert_eq!(path_of("vscode-remote://host/a"), None);
    }
}
