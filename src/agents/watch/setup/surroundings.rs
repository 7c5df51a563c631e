use std::path::{Path, PathBuf};

use crate::folders::Platform;

/// The folders of VS Code and its relatives.
const EDITORS: [&str; 6] = [
    ".vscode", ".vscode-insiders", ".vscode-server", ".vscode-oss", ".cursor", ".windsurf",
];

/// The user's environment, which says where the files of agents are.
pub struct Surroundings<'a> {
    /// The home folder.
    pub home: &'a Path,
    /// The current folder, which is the project's.
    pub here: &'a Path,
    /// The folder of documents, which a desktop names in the user's language.
    pub documents: &'a Path,
    /// Whether a file or a folder is there.
    pub is_there: &'a dyn Fn(&Path) -> bool,
    /// The system.
    pub platform: Platform,
    /// The value of a variable, if it is set.
    pub variable: &'a dyn Fn(&str) -> Option<String>,
}

impl Surroundings<'_> {
    /// A name below the home folder.
    pub(crate) fn home(&self, below: &str) -> PathBuf {
        join(self.home, below)
    }

    /// A name below the project's folder.
    pub(crate) fn here(&self, below: &str) -> PathBuf {
        join(self.here, below)
    }

    /// The folder that a variable names, or the usual one.
    pub(crate) fn named(&self, variable: &str, usual: PathBuf) -> PathBuf {
        match self.value(variable) {
            Some(given) => self.here.join(given),
            None => usual,
        }
    }

    /// A name below the folder of users' settings.
    pub(crate) fn config(&self, below: &str) -> PathBuf {
        join(&self.named("XDG_CONFIG_HOME", self.home(".config")), below)
    }

    /// The extensions of a name, in every editor that may have them.
    pub(crate) fn extensions(&self, name: &str) -> Vec<PathBuf> {
        let editors = EDITORS.iter().map(|it| self.home(it));
        editors.map(|it| it.join("extensions").join(name)).collect()
    }

    /// The value of a variable that is not empty.
    pub(crate) fn value(&self, variable: &str) -> Option<String> {
        (self.variable)(variable).filter(|value| !value.is_empty())
    }
}

/// A name with `/`, below a folder.
pub(crate) fn join(folder: &Path, below: &str) -> PathBuf {
    folder
        .iter()
        .map(|it| it.as_ref())
        .chain(below.split('/').map(Path::new))
        .collect()
}
