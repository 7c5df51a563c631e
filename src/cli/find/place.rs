//! The places where sessions are: how a system names folders, and which files in them are wanted.

use std::path::{Path, PathBuf};

use turnkeeper_watch::setup::Platform;

/// The user's environment, which says where agents keep their sessions.
#[derive(Clone, Copy)]
pub(crate) struct Where<'a> {
    pub(crate) home: &'a Path,
    pub(crate) platform: Platform,
    /// The value of a variable, if it is set.
    pub(crate) variable: &'a dyn Fn(&str) -> Option<String>,
}

/// A folder that may hold sessions.
pub(super) struct SessionFolder {
    pub(super) folder: PathBuf,
    /// The files in it that are sessions, as paths below it: `*` stands for a part of a name, `**` for folders, if any.
    files: Vec<String>,
    pub(super) kind: Kind,
}

/// The kinds of places.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A file is a session.
    Files,
    /// A file is a database of sessions.
    Databases,
    /// A file lists the projects that have databases.
    CrushProjects,
}

impl SessionFolder {
    pub(super) fn files(folder: PathBuf, files: &[&str]) -> Self {
        SessionFolder {
            folder,
            files: files.iter().map(|&it| it.to_owned()).collect(),
            kind: Kind::Files,
        }
    }

    pub(super) fn databases(folder: PathBuf, file: &str) -> Self {
        SessionFolder {
            kind: Kind::Databases,
            ..SessionFolder::files(folder, &[file])
        }
    }

    pub(super) fn crush_projects(folder: PathBuf) -> Self {
        SessionFolder {
            kind: Kind::CrushProjects,
            ..SessionFolder::files(folder, &[])
        }
    }

    /// Whether a file in the folder is a session.
    pub(super) fn wants(&self, file: &Path) -> bool {
        let below = file.strip_prefix(&self.folder).unwrap_or(file);
        let names = below.iter().map(|name| name.to_string_lossy());
        let names: Vec<_> = names.collect();
        let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
        self.files.iter().any(|files| {
            let wanted: Vec<&str> = files.split('/').collect();
            is_path(&names, &wanted)
        })
    }
}

/// Whether the names of a path are as a pattern has them.
fn is_path(names: &[&str], wanted: &[&str]) -> bool {
    match (wanted, names) {
        (["**", rest @ ..], _) => (0..names.len()).any(|skipped| is_path(&names[skipped..], rest)),
        ([first, wanted @ ..], [name, names @ ..]) => {
            is_name(name, first) && is_path(names, wanted)
        }
        _ => wanted.is_empty() && names.is_empty(),
    }
}

/// Whether a name is as a pattern with at most one `*` has it.
fn is_name(name: &str, wanted: &str) -> bool {
    match wanted.split_once('*') {
        Some((start, end)) => {
            name.len() >= start.len() + end.len() && name.starts_with(start) && name.ends_with(end)
        }
        None => name == wanted,
    }
}

/// The applications that are VS Code, and its relatives; forks have other names.
const EDITORS: [&str; 5] = ["Code", "Code - Insiders", "VSCodium", "Cursor", "Windsurf"];

impl Where<'_> {
    /// A variable's value, if it has one.
    pub(super) fn value(&self, variable: &str) -> Option<String> {
        let value = (self.variable)(variable)?;
        let value = value.trim();
        (!value.is_empty()).then(|| value.to_owned())
    }

    /// The folder that a variable names.
    pub(super) fn set(&self, variable: &str) -> Option<PathBuf> {
        self.value(variable).map(|value| self.expanded(&value))
    }

    /// A folder as a user may write it.
    pub(super) fn expanded(&self, folder: &str) -> PathBuf {
        match folder.strip_prefix("~/") {
            Some(below) => self.home(below),
            None if folder == "~" => self.home.to_owned(),
            None => folder.into(),
        }
    }

    /// A folder below the one that a variable names.
    pub(super) fn under(&self, variable: &str, below: &str) -> Option<PathBuf> {
        self.set(variable).map(|folder| joined(&folder, below))
    }

    pub(super) fn home(&self, below: &str) -> PathBuf {
        joined(self.home, below)
    }

    /// The place where programs that follow the XDG rules keep data; they do so on macOS and Windows, too.
    pub(super) fn data(&self, below: &str) -> PathBuf {
        let data = self.set("XDG_DATA_HOME");
        joined(&data.unwrap_or_else(|| self.home(".local/share")), below)
    }

    /// The place where a desktop application keeps its own.
    pub(super) fn desktop(&self, name: &str) -> PathBuf {
        let folder = match self.platform {
            Platform::MacOs => self.home("Library/Application Support"),
            Platform::Windows => {
                let roaming = self.set("APPDATA");
                roaming.unwrap_or_else(|| self.home("AppData/Roaming"))
            }
            Platform::Unix => {
                let config = self.set("XDG_CONFIG_HOME");
                config.unwrap_or_else(|| self.home(".config"))
            }
        };
        folder.join(name)
    }

    /// The folders of users of VS Code and its relatives.
    pub(super) fn editors(&self) -> impl Iterator<Item = PathBuf> {
        EDITORS.iter().map(|name| self.desktop(name).join("User"))
    }

    pub(super) fn is_windows(&self) -> bool {
        self.platform == Platform::Windows
    }
}

/// A name with `/`, below a folder.
pub(super) fn joined(folder: &Path, below: &str) -> PathBuf {
    let names = below.split('/').filter(|name| !name.is_empty());
    names.fold(folder.to_owned(), |path, name| path.join(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_stand_for_the_files_that_they_look_like() {
        for (pattern, file, is_wanted) in [
            ("**/*.jsonl", "a.jsonl", true),
            ("**/*.jsonl", "a/b/c.jsonl", true),
            ("**/*.jsonl", "a/b/c.json", false),
            ("*/chats/**/*.json", "site/chats/a.json", true),
            ("*/chats/**/*.json", "site/chats/parent/a.json", true),
            ("*/chats/**/*.json", "chats/a.json", false),
            ("*/chats/**/*.json", "a/site/chats/a.json", false),
            ("**/rollout-*.jsonl", "2026/01/rollout-a.jsonl", true),
            ("**/rollout-*.jsonl", "rollout-.jsonl", true),
            ("**/rollout-*.jsonl", "2026/rollout.jsonl", false),
            ("*/events.jsonl", "a/events.jsonl", true),
            ("*/events.jsonl", "events.jsonl", false),
            ("ab*ba", "aba", false),
            ("**/*", "a/b", true),
        ] {
            let place = SessionFolder::files("/home".into(), &[pattern]);
            assert_eq!(
                place.wants(&joined(Path::new("/home"), file)),
                is_wanted,
                "{pattern} {file}"
            );
        }
    }
}
