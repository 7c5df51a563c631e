//! A command in the words of each shell that may run it.

use super::words::{self, Part, Parts};
use crate::path::PathRules;
use crate::{Shell, TerminalShell};
use turnkeeper_base::path::PathPlatform;

/// The shells that may run in a terminal of which that is not known.
const POSIX_SHELLS: &[Shell] = &[Shell::Bash, Shell::Zsh, Shell::Fish];
const WIN32_SHELLS: &[Shell] = &[Shell::Cmd, Shell::Pwsh, Shell::Bash];

/// A command, split into words once, to be asked what it does.
#[derive(Debug, Clone)]
pub(crate) struct Reading<'a> {
    /// The command, as it was given.
    pub(crate) command: &'a str,
    pub(super) rules: PathRules,
    /// The shells that may be the one that runs it: one if it is known, and none if it is one that is not
    /// read here.
    pub(super) shells: Vec<Shell>,
    /// Its words, for each of the shells.
    words: Vec<Parts<'a>>,
}

impl<'a> Reading<'a> {
    pub(crate) fn new(command: &'a str, shell: Option<TerminalShell>, rules: PathRules) -> Self {
        let shells = match (shell, rules.platform) {
            (Some(shell), _) => shell.known().into_iter().collect(),
            (None, PathPlatform::Posix) => POSIX_SHELLS.to_vec(),
            (None, PathPlatform::Win32) => WIN32_SHELLS.to_vec(),
        };
        let split = |shell: &Shell| words::split(*shell, command.trim_ascii());
        Self {
            command,
            rules,
            words: shells.iter().map(split).collect(),
            shells,
        }
    }

    /// The shells, each with the command in its words.
    pub(super) fn each(&self) -> impl Iterator<Item = (Shell, &Parts<'a>)> {
        self.shells.iter().copied().zip(&self.words)
    }

    /// The same of the end of the command, which is `rest` and comes after some of its parts.
    pub(super) fn after(&self, rest: &'a str) -> Self {
        let is_before = |part: &&Part| part.rest.trim_ascii().len() >= rest.len();
        let left = |words: &Parts<'a>| Parts {
            parts: words.parts.iter().skip_while(is_before).cloned().collect(),
            ..*words
        };
        Self {
            command: rest,
            rules: self.rules,
            shells: self.shells.clone(),
            words: self.words.iter().map(left).collect(),
        }
    }
}
