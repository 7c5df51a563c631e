//! The places where sessions are: how a system names folders, and which files in them are wanted.

use std::path::{Path, PathBuf};

use percent_encoding::percent_decode_str;

/// Sessions as lines, in every folder below.
pub(crate) const LINES: &[&str] = &["**/*.jsonl"];

/// The user's environment, which says where agents keep their sessions.
#[derive(Clone, Copy)]
pub struct Where<'a> {
    /// The home folder.
    pub home: &'a Path,
    /// The system.
    pub platform: Platform,
    /// The value of a variable, if it is set.
    pub variable: &'a dyn Fn(&str) -> Option<String>,
}

/// A folder that may hold sessions.
pub struct SessionFolder {
    /// The folder.
    pub folder: PathBuf,
    /// The files in it that are sessions, as paths below it: `*` stands for a part of a name, `**` for folders, if any.
    files: Vec<String>,
    /// The kind of what the files are.
    pub kind: Kind,
}

/// A system, as far as files of agents differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Platform {
    /// Linux, and what is like it.
    Unix,
    /// macOS.
    MacOs,
    /// Windows.
    Windows,
}

/// The kinds of places.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A file is a session.
    Files,
    /// A file is a database of sessions.
    Databases,
    /// A file lists the projects that have databases.
    CrushProjects,
}

impl SessionFolder {
    pub(crate) fn files(folder: PathBuf, files: &[&str]) -> Self {
        SessionFolder {
            folder,
            files: files.iter().map(|&it| it.to_owned()).collect(),
            kind: Kind::Files,
        }
    }

    pub(crate) fn databases(folder: PathBuf, file: &str) -> Self {
        SessionFolder {
            kind: Kind::Databases,
            ..SessionFolder::files(folder, &[file])
        }
    }

    pub(crate) fn crush_projects(folder: PathBuf) -> Self {
        SessionFolder {
            kind: Kind::CrushProjects,
            ..SessionFolder::files(folder, &[])
        }
    }

    /// Whether a file in the folder is a session.
    pub fn wants(&self, file: &Path) -> bool {
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
    pub(crate) fn value(&self, variable: &str) -> Option<String> {
        let value = (self.variable)(variable)?;
        let value = value.trim();
        (!value.is_empty()).then(|| value.to_owned())
    }

    /// The folder that a variable names.
    pub(crate) fn set(&self, variable: &str) -> Option<PathBuf> {
        self.value(variable).map(|value| self.expanded(&value))
    }

    /// A folder as a user may write it.
    pub(crate) fn expanded(&self, folder: &str) -> PathBuf {
        match folder.strip_prefix("~/") {
            Some(below) => self.home(below),
            None if folder == "~" => self.home.to_owned(),
            None => folder.into(),
        }
    }

    /// The folder that a variable names, or the usual one below the home folder.
    pub(crate) fn named(&self, variable: &str, usual: &str) -> PathBuf {
        self.set(variable).unwrap_or_else(|| self.home(usual))
    }

    /// A folder below the one that a variable names.
    pub(crate) fn under(&self, variable: &str, below: &str) -> Option<PathBuf> {
        self.set(variable).map(|folder| joined(&folder, below))
    }

    pub(crate) fn home(&self, below: &str) -> PathBuf {
        joined(self.home, below)
    }

    /// The place where programs that follow the XDG rules keep data; they do so on macOS and Windows, too.
    pub(crate) fn data(&self, below: &str) -> PathBuf {
        let data = self.set("XDG_DATA_HOME");
        joined(&data.unwrap_or_else(|| self.home(".local/share")), below)
    }

    /// The place where a desktop application keeps its own.
    pub(crate) fn desktop(&self, name: &str) -> PathBuf {
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
    pub(crate) fn editors(&self) -> impl Iterator<Item = PathBuf> {
        EDITORS.iter().map(|name| self.desktop(name).join("User"))
    }

    pub(crate) fn is_windows(&self) -> bool {
        self.platform == Platform::Windows
    }
}

/// A name with `/`, below a folder.
pub(crate) fn joined(folder: &Path, below: &str) -> PathBuf {
    let names = below.split('/').filter(|name| !name.is_empty());
    names.fold(folder.to_owned(), |path, name| path.join(name))
}

/// The path of a `file:` address. One whose bytes are no text stays as it is written.
pub(crate) fn path_of(address: &str) -> Option<String> {
    let path = address.strip_prefix("file:")?;
    let path = match path.strip_prefix("//") {
        // The machine's name follows.
        Some(rest) => &rest[rest.find('/')?..],
        None => path,
    };
    let path = path.split(['?', '#']).next()?;
    let path = percent_decode_str(path)
        .decode_utf8()
        .unwrap_or(path.into());
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
    fn addresses_of_files_are_paths() {
        for (address, path) in [
            ("file:///srv/my%20app", Some("/srv/my app")),
            ("file:///srv/100%", Some("/srv/100%")),
            ("file:///srv/%ff", Some("/srv/%ff")),
            ("file:///c%3A/Users/a", Some("c:/Users/a")),
            ("file://machine/srv/app", Some("/srv/app")),
            ("vscode-remote://host/a", None),
            ("/srv/a%20b", None),
        ] {
            assert_eq!(path_of(address).as_deref(), path, "{address}");
        }
    }

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
