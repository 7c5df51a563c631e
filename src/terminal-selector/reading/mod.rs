//! What a command does to the working directory of the shell that runs it.
//!
//! A shell's language is large, and this reads a small part of it: commands of plain words that are
//! joined by operators. Whatever is not in that part, and whatever runs code that is not in the
//! command, such as `eval` and `source`, may change the directory: that is the answer in doubt. An
//! alias, a function of the user's and an option such as `autocd` cannot be seen.
//!
//! One change of directory is followed: a plain `cd X` at the end of a row that `&&` joins. It comes
//! last, so if it is run and succeeds, the shell is in `X`.

mod vocabulary;
mod words;

use self::vocabulary::Role;
use self::words::{Joint, Word};
use super::directory::Directory;
use super::location::Aftermath;
use super::path::PathRules;
use super::{Shell, TerminalShell};
use turnkeeper_base::path::PathPlatform;

/// The shells that may run in a terminal of which that is not known.
const POSIX_SHELLS: &[Shell] = &[Shell::Bash, Shell::Zsh, Shell::Fish];
const WIN32_SHELLS: &[Shell] = &[Shell::Cmd, Shell::Pwsh, Shell::Bash];

/// Where a command leaves a shell that runs it in `directory`. A command that was not shown may do
/// anything.
pub(super) fn aftermath_of(
    command: Option<&str>,
    shell: Option<TerminalShell>,
    directory: &Directory,
    rules: PathRules,
) -> Aftermath {
    let unknown = || Aftermath::Unknown(Some(directory.clone()));
    let Some(command) = command.filter(|command| !command.trim_ascii().is_empty()) else {
        return unknown();
    };
    let known;
    let shells = match (shell, rules.platform) {
        (Some(TerminalShell::Other), _) => return unknown(),
        (Some(TerminalShell::Known(shell)), _) => {
            known = [shell];
            &known[..]
        }
        (None, PathPlatform::Posix) => POSIX_SHELLS,
        (None, PathPlatform::Win32) => WIN32_SHELLS,
    };
    let mut effects = shells.iter().map(|shell| effect_of(*shell, command));
    let effect = effects.next().unwrap_or(Effect::Unknown);
    if effects.any(|other| other != effect) {
        return unknown();
    }
    let is_powershell = matches!(shells, [Shell::Pwsh | Shell::Powershell]);
    match effect {
        Effect::Stays => Aftermath::Stays,
        // There, a `\` separates names on posix, too, and a `:` ends the name of a drive.
        Effect::Changes(path)
            if is_powershell
                && rules.platform == PathPlatform::Posix
                && path.contains(['\\', ':']) =>
        {
            unknown()
        }
        Effect::Changes(path) => match directory.resolve(&path, rules) {
            Some(target) => Aftermath::Leads(target),
            None => unknown(),
        },
        Effect::Unknown => unknown(),
    }
}

/// What a command does to the working directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Effect {
    /// Nothing.
    Stays,
    /// It changes it to this path, absolute or relative, or fails.
    Changes(String),
    /// It may change it.
    Unknown,
}

/// The effect of a command in a shell.
pub(super) fn effect_of(shell: Shell, command: &str) -> Effect {
    let Some(parts) = words::split(shell, command.trim_ascii()) else {
        return Effect::Unknown;
    };
    let mut is_row = true;
    let count = parts.len();
    for (at, part) in parts.into_iter().enumerate() {
        let is_last = at + 1 == count;
        match vocabulary::role_of(shell, &part.words) {
            Role::Stays => {}
            Role::Unknown => return Effect::Unknown,
            Role::ChangesDirectory if is_row && is_last && !part.is_redirected => {
                return match target_of(shell, &part.words) {
                    Some(path) if part.joint == Joint::End => Effect::Changes(path.to_owned()),
                    _ => Effect::Unknown,
                };
            }
            Role::ChangesDirectory => return Effect::Unknown,
        }
        // A pipe joins commands to one of the row, but not with the change of directory.
        is_row &= match part.joint {
            Joint::And | Joint::End => true,
            Joint::Pipe => count > at + 2,
            Joint::Other => false,
        };
    }
    Effect::Stays
}

/// Where a plain change of directory leads.
fn target_of(shell: Shell, words: &[Word]) -> Option<&str> {
    let [command, arguments @ ..] = words else {
        return None;
    };
    let command = command.text.to_ascii_lowercase();
    // `cd` without it stays on the drive that it is on.
    let mut crosses_drives = true;
    let target = match (shell, arguments) {
        _ if !matches!(&*command, "cd" | "chdir" | "sl" | "set-location") => return None,
        (Shell::Pwsh | Shell::Powershell, [option, target])
            if ["-path", "-literalpath"].contains(&&*option.text.to_ascii_lowercase()) =>
        {
            target
        }
        (Shell::Cmd, [option, target]) if option.text.eq_ignore_ascii_case("/d") => target,
        (Shell::Bash | Shell::Zsh | Shell::Sh | Shell::Fish, [option, target])
            if option.text == "--" =>
        {
            target
        }
        (_, [target]) => {
            crosses_drives = shell != Shell::Cmd;
            target
        }
        _ => return None,
    };
    let path = &*target.text;
    let is_special = match shell {
        // Options, the directory before, and places in a list of directories.
        Shell::Cmd => path.starts_with('/'),
        Shell::Pwsh | Shell::Powershell => {
            path.starts_with(['-', '+', '~']) || path.contains(['*', '?', '[', ']'])
        }
        Shell::Nu => path.starts_with('-') || path.contains("..."),
        _ => path.starts_with(['-', '+']),
    };
    let has_drive = path.contains(':');
    let is_plain = target.is_literal && !path.is_empty() && !is_special;
    (is_plain && (crosses_drives || !has_drive)).then_some(path)
}
