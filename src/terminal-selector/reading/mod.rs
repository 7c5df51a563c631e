//! What a command does to the working directory of the shell that runs it.
//!
//! A shell's language is large, and this reads a small part of it: commands of plain words that are
//! joined by operators. Whatever is not in that part, and whatever runs code that is not in the
//! command, such as `eval` and `source`, may change the directory: that is the answer in doubt. An
//! alias, a function of the user's and an option such as `autocd` cannot be seen.
//!
//! A row of plain changes of directory is followed that `&&` joins to the commands before: if they are run and
//! succeed, the shell is where they lead, as long as nothing changes it later.
//!
//! Two more things are read: the changes of directory that a command [begins](leading) with, and the
//! directories that it [moves away or removes](displaced).

mod displaced;
mod leading;
mod vocabulary;
mod words;

pub(super) use self::displaced::{Displaced, displaced_by};
pub(super) use self::leading::{Leading, Without, leading_change};
use self::vocabulary::Role;
use self::words::{Joint, Parts, Word};
use super::directory::Directory;
use super::location::Aftermath;
use super::path::PathRules;
use super::{Shell, TerminalShell};
use turnkeeper_base::path::PathPlatform;

/// The shells that may run in a terminal of which that is not known.
const POSIX_SHELLS: &[Shell] = &[Shell::Bash, Shell::Zsh, Shell::Fish];
const WIN32_SHELLS: &[Shell] = &[Shell::Cmd, Shell::Pwsh, Shell::Bash];

/// The shells that may be the one that runs a command: one if it is known, and none if it is one that
/// is not read here.
fn shells_of(shell: Option<TerminalShell>, platform: PathPlatform) -> Vec<Shell> {
    match (shell, platform) {
        (Some(shell), _) => shell.known().into_iter().collect(),
        (None, PathPlatform::Posix) => POSIX_SHELLS.to_vec(),
        (None, PathPlatform::Win32) => WIN32_SHELLS.to_vec(),
    }
}

/// Where a command leaves a shell that runs it in `directory`. A command that was not shown may do
/// anything.
pub(super) fn aftermath_of(
    command: Option<&str>,
    shell: Option<TerminalShell>,
    directory: &Directory,
    rules: PathRules,
) -> Aftermath {
    let unknown = || {
        let leading = command.and_then(|it| leading_change(it, shell, directory, rules));
        let last = leading.map_or_else(|| directory.clone(), |leading| leading.target);
        Aftermath::Unknown(Some(last))
    };
    let Some(command) = command.filter(|command| !command.trim_ascii().is_empty()) else {
        return unknown();
    };
    let shells = shells_of(shell, rules.platform);
    let mut effects = shells.iter().map(|shell| effect_of(*shell, command));
    let effect = effects.next().unwrap_or(Effect::Unknown);
    if effects.any(|other| other != effect) {
        return unknown();
    }
    match effect {
        Effect::Stays => Aftermath::Stays,
        Effect::Changes(paths) => match follow(directory, &paths, &shells, rules) {
            Some(target) => Aftermath::Leads(target),
            None => unknown(),
        },
        Effect::Unknown => unknown(),
    }
}

/// Where changes of directory lead, one after the other.
fn follow(
    from: &Directory,
    paths: &[String],
    shells: &[Shell],
    rules: PathRules,
) -> Option<Directory> {
    let known = match shells {
        [shell] => Some((*shell).into()),
        _ => None,
    };
    let is_powershell = matches!(shells, [Shell::Pwsh | Shell::Powershell]);
    let mut at = from.clone();
    for path in paths {
        // There, a `\` separates names on posix, too, and a `:` ends the name of a drive.
        let is_posix = rules.platform == PathPlatform::Posix;
        if is_powershell && is_posix && path.contains(['\\', ':']) {
            return None;
        }
        at = at.resolve(known, path, rules)?;
    }
    Some(at)
}

/// What a command does to the working directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Effect {
    /// Nothing.
    Stays,
    /// It changes it to these paths, absolute or relative, one after the other, or fails.
    Changes(Vec<String>),
    /// It may change it.
    Unknown,
}

/// The effect of a command in a shell.
pub(super) fn effect_of(shell: Shell, command: &str) -> Effect {
    let Parts { parts, is_whole } = words::split(shell, command.trim_ascii());
    if !is_whole {
        return Effect::Unknown;
    }
    let mut paths = Vec::new();
    // Whether each command so far is run only if all before it succeed.
    let mut is_row = true;
    let mut is_piped = false;
    // Whether a loop or a condition has begun, which runs what is in it several times or never.
    let mut is_within = false;
    for part in &parts {
        match vocabulary::role_of(shell, &part.words) {
            Role::Stays => {}
            Role::Unknown => return Effect::Unknown,
            Role::ChangesDirectory => {
                let is_alone = !is_piped && part.joint != Joint::Pipe && !part.is_redirected;
                match target_of(shell, &part.words) {
                    Some(path) if is_row && is_alone && !is_within => paths.push(path.to_owned()),
                    _ => return Effect::Unknown,
                }
            }
        }
        is_within |= vocabulary::begins_block(&part.words);
        is_piped = part.joint == Joint::Pipe;
        is_row &= matches!(part.joint, Joint::And | Joint::Pipe | Joint::End);
    }
    match parts.iter().any(|part| part.joint == Joint::Background) {
        _ if paths.is_empty() => Effect::Stays,
        // The shell stays where it is if the row of the change is the one that runs there.
        true => Effect::Unknown,
        false => Effect::Changes(paths),
    }
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
