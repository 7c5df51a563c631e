//! The change of directory that a command begins with.
//!
//! Models write `cd src && npm test` with the workspace as the working directory. Such a command runs
//! in `src`: a terminal that is there already is the right one for it, and needs no `cd`.

use super::change::{follow, target_of};
use super::command::Reading;
use super::vocabulary::{self, Role};
use super::words::{Joint, Part, Parts, Word};
use crate::Shell;
use crate::directory::Directory;
use crate::path::PathRules;

/// A change of directory that a command begins with.
#[derive(Debug, Clone)]
pub(crate) struct Leading<Rest> {
    /// The directory where it leads.
    pub(crate) target: Directory,
    /// The command after it.
    pub(crate) rest: Rest,
    /// The command without it.
    pub(crate) without: Without,
}

/// The sense that a command has without the change of directory that it begins with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Without {
    /// Perhaps something else: it looks at where the shell was before, or cannot be read.
    Other,
    /// The same in a shell that is where the change leads.
    SameThere,
    /// The same also after another change to that place: if that fails, nothing of it runs.
    Same,
}

/// Words of commands that look at where their shell was before.
const LOOKS_BACK: [&str; 12] = [
    "oldpwd", "popd", "pushd", "dirs", "dirh", "prevd", "nextd", "location", "cd -", "~-", "~+",
    "cdh",
];

impl<'a> Reading<'a> {
    /// The change of directory that the command begins with if a shell in `directory` runs it, and if
    /// something comes after it. For a shell that is not known, it has to be the same in each that it may be.
    pub(crate) fn leading(&self, directory: &Directory) -> Option<Leading<Reading<'a>>> {
        let command = self.command.trim_ascii();
        // Half of a character, which the host's own text has, stands as a NUL.
        if !may_lead(command) || command.contains('\0') {
            return None;
        }
        let rules = self.rules;
        let mut all = self
            .each()
            .map(|(shell, parts)| leading_in(shell, parts, directory, rules));
        let mut first = all.next().flatten()?;
        for other in all {
            let is_same = |it: &Leading<&str>| it.target == first.target && it.rest == first.rest;
            first.without = first.without.min(other.filter(is_same)?.without);
        }
        Some(Leading {
            target: first.target,
            rest: self.after(first.rest),
            without: first.without,
        })
    }
}

/// Whether the first word may be one that changes the directory: a quick look, since most are not.
fn may_lead(command: &str) -> bool {
    let word = command.split([' ', '\t']).next().unwrap_or_default();
    NAMES.iter().any(|name| word.eq_ignore_ascii_case(name))
}

const NAMES: [&str; 6] = [
    "cd", "chdir", "pushd", "push-location", "set-location", "sl",
];

/// The same in one shell.
fn leading_in<'a>(
    shell: Shell,
    command: &Parts<'a>,
    directory: &Directory,
    rules: PathRules,
) -> Option<Leading<&'a str>> {
    let Parts { parts, is_whole } = command;
    let changes = parts.iter().map_while(|part| change_of(shell, part));
    let changes: Vec<(&str, bool)> = changes.collect();
    let (_, after) = parts.split_at(changes.len());
    let last = parts.get(changes.len().checked_sub(1)?)?;
    let rest = last.rest.trim_ascii();
    if rest.is_empty() {
        return None;
    }
    let paths: Vec<&str> = changes.iter().map(|(path, _)| *path).collect();
    let target = follow(directory, &paths, &[shell], rules)?;
    let is_remembered = changes.iter().any(|(_, is_remembered)| *is_remembered);
    let can_read = *is_whole || reads_alike(shell);
    let without = if is_remembered || !can_read || looks_back(rest) || has_background(rest) {
        Without::Other
    } else if *is_whole
        && parts[..changes.len()]
            .iter()
            .all(|it| it.joint == Joint::And)
        && is_row(after)
    {
        Without::Same
    } else {
        Without::SameThere
    };
    Some(Leading {
        target,
        rest,
        without,
    })
}

/// The path of a change of directory that another command follows, and whether the shell remembers
/// where it was in a list.
fn change_of<'a>(shell: Shell, part: &'a Part) -> Option<(&'a str, bool)> {
    if part.is_redirected || !matches!(part.joint, Joint::And | Joint::Sequence) {
        return None;
    }
    if vocabulary::role_of(shell, &part.words) == Role::ChangesDirectory {
        return Some((target_of(shell, &part.words)?, false));
    }
    let [
        command,
        Word {
            text,
            is_literal: true,
            ..
        },
    ] = &part.words[..]
    else {
        return None;
    };
    let name = command.text.to_ascii_lowercase();
    let is_plain = !text.is_empty() && !text.starts_with(['-', '+', '/', '~']);
    let is_absolute = text.starts_with('/') && shell != Shell::Cmd;
    let is_pushed = matches!(&*name, "pushd" | "push-location") && shell != Shell::Nu;
    (is_pushed && (is_plain || is_absolute) && !command.is_quoted).then_some((&**text, true))
}

/// Whether the commands are joined so that none runs unless those before it succeed.
fn is_row(parts: &[Part]) -> bool {
    let is_joined = |part: &Part| matches!(part.joint, Joint::And | Joint::Pipe | Joint::End);
    parts.iter().all(is_joined)
}

/// Whether what cannot be read means the same wherever it runs, if the directory is the same. The
/// command prompt puts values in before it changes the directory, and Nushell reads files.
fn reads_alike(shell: Shell) -> bool {
    !matches!(shell, Shell::Cmd | Shell::Nu)
}

fn looks_back(rest: &str) -> bool {
    let rest = rest.to_ascii_lowercase();
    LOOKS_BACK.iter().any(|word| rest.contains(word))
}

/// Whether a single `&` is in it, which may run the change of directory in another process.
fn has_background(rest: &str) -> bool {
    let joined = ["&&", ">&", "<&", "&>"];
    joined
        .iter()
        .fold(rest.to_owned(), |rest, it| rest.replace(it, ""))
        .contains('&')
}
