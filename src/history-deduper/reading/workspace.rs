//! The folders of a workspace, as the environment of Cline, Roo Code and Kilo Code says them.

use turnkeeper_messages::{is_white, trimmed};

use super::pieces::ends_line;
use turnkeeper_messages::pieces::after_words;

/// The folders that an environment names.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Workspace<'a> {
    /// The folder that relative paths start from.
    pub(super) root: Option<&'a str>,
    /// The names and paths of the folders of a workspace that has several; a path names its own as
    /// `@name:src/a.ts`.
    pub(super) folders: Vec<(&'a str, &'a str)>,
}

/// The folders that a text names, if it is an environment that does.
pub(super) fn workspace_of(text: &str) -> Workspace<'_> {
    let mut lists = text.match_indices(FOLDERS);
    let several = lists.find_map(|(at, heading)| folders_in(&text[at + heading.len()..]));
    several.unwrap_or_else(|| Workspace {
        root: working_directory(text),
        folders: Vec::new(),
    })
}

fn working_directory(text: &str) -> Option<&str> {
    let mut headings = text.match_indices("# Current ");
    headings.find_map(|(at, heading)| {
        let rest = &text[at + heading.len()..];
        let kind = ["Working", "Workspace"].iter();
        let rest = kind.into_iter().find_map(|it| rest.strip_prefix(it))?;
        let rest = rest.strip_prefix(" Directory (")?;
        let end = rest.find([')', '\n']).filter(|end| *end > 0)?;
        rest[end..].starts_with(')').then(|| &rest[..end])
    })
}

const FOLDERS: &str = "# Workspace Roots\n";

/// `- name: path (git)` in each line, and after them the name of the first.
fn folders_in(text: &str) -> Option<Workspace<'_>> {
    let mut folders = Vec::new();
    let mut rest = text;
    while let Some(line) = rest.strip_prefix("- ") {
        let (line, after) = line.split_once('\n').filter(|(line, _)| !line.is_empty())?;
        folders.extend(folder_in(line));
        rest = after;
    }
    if rest.len() == text.len() {
        return None;
    }
    let primary = rest
        .trim_start_matches(is_white)
        .strip_prefix("Primary workspace: ")?;
    let primary = primary.split('\n').next().filter(|it| !it.is_empty())?;
    let primary = trimmed(primary);
    let root = folders.iter().find(|(name, _)| *name == primary);
    Some(Workspace {
        root: root.map(|(_, path)| *path),
        folders,
    })
}

fn folder_in(line: &str) -> Option<(&str, &str)> {
    let (name, path) = line.split_once(": ")?;
    let path = path.split(ends_line).next()?;
    let kinds = [" (git)", " (mercurial)", " (none)"];
    let bare = kinds.iter().find_map(|kind| {
        let at = path.len().checked_sub(kind.len()).filter(|at| *at > 0)?;
        after_words(path.get(at..)?, kind).map(|_| &path[..at])
    });
    let path = bare.unwrap_or(path);
    let is_folder = !name.is_empty() && !name.contains(':') && !path.is_empty();
    is_folder.then(|| (trimmed(name), trimmed(path)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_environment_names_one_folder_or_several() {
        let one = "x\n# Current Workspace Directory (/w/a b) Files\n";
        assert_eq!(workspace_of(one).root, Some("/w/a b"));
        assert_eq!(
            workspace_of("# Current Working Directory (C:\\w) Files").root,
            Some("C:\\w")
        );
        let several = "# Workspace Roots\n- web: /w/web (git)\n- api: /w/api\n\nPrimary workspace: api\n# Current Working Directory (/x) Files";
        let expected = Workspace {
            root: Some("/w/api"),
            folders: vec![("web", "/w/web"), ("api", "/w/api")],
        };
        assert_eq!(workspace_of(several), expected);
        for text in ["", "# Current Working Directory ()", "# Workspace Roots\nx"] {
            assert_eq!(workspace_of(text), Workspace::default(), "{text}");
        }
    }
}
