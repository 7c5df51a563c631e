//! The location of a terminal, and how far it can be trusted.

use serde::{Deserialize, Serialize};

use super::directory::Directory;

/// The certainty of a terminal's working directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS, documented::DocumentedFields)
)]
#[serde(rename_all = "lowercase")]
pub enum DirectoryCertainty {
    /// The host reported it, and nothing that has run since then can have changed it.
    Reported,
    /// A plain `cd` leads there, but it may have failed, and the host has not reported a directory since.
    Expected,
    /// Something has run that may have changed it, and the host has not reported a directory since. What is
    /// given is the last directory that was known.
    Uncertain,
}

/// A terminal's working directory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Location {
    pub(super) directory: Directory,
    pub(super) certainty: DirectoryCertainty,
}

impl Location {
    pub(super) fn reported(directory: Directory) -> Self {
        Self {
            directory,
            certainty: DirectoryCertainty::Reported,
        }
    }

    pub(super) fn expected(directory: Directory) -> Self {
        Self {
            directory,
            certainty: DirectoryCertainty::Expected,
        }
    }
}

/// The place where a command leaves the shell that runs it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Aftermath {
    /// The shell is where it was.
    Stays,
    /// It is in this directory, if the change of directory did not fail.
    Leads(Directory),
    /// Nobody knows where it is. It was in this directory before, or where it was if there is none.
    Unknown(Option<Directory>),
}

/// A command that was sent to a terminal, or is about to be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct SentCommand {
    pub(super) aftermath: Aftermath,
    /// Whether the host has reported the directory since it began.
    pub(super) is_reported: bool,
    /// Whether it may move or remove the directory in which it leaves the shell.
    pub(super) is_displacing: bool,
}

impl SentCommand {
    pub(super) fn new(aftermath: Aftermath) -> Self {
        Self {
            aftermath,
            is_reported: false,
            is_displacing: false,
        }
    }

    /// A command that the selector was not shown, such as one that a user types.
    pub(super) fn unseen() -> Self {
        Self::new(Aftermath::Unknown(None))
    }

    /// The directory in which it leaves a shell that runs it in `directory`, as far as that is known.
    pub(super) fn left_at(&self, directory: &Directory) -> Directory {
        let before = Location::reported(directory.clone());
        let after = self.location_after(Some(&before));
        after.map_or(before.directory, |it| it.directory)
    }

    /// The location of a terminal after the command, which was at `before`.
    pub(super) fn location_after(&self, before: Option<&Location>) -> Option<Location> {
        match &self.aftermath {
            _ if self.is_reported => before.cloned(),
            Aftermath::Stays => before.cloned(),
            Aftermath::Leads(directory) => Some(Location::expected(directory.clone())),
            Aftermath::Unknown(last) => {
                let last = last.as_ref().or(before.map(|before| &before.directory))?;
                Some(Location {
                    directory: last.clone(),
                    certainty: DirectoryCertainty::Uncertain,
                })
            }
        }
    }
}
