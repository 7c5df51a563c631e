//! Plain changes of directory: the path that one names, and the directory where several lead.

use super::words::Word;
use crate::Shell;
use crate::directory::Directory;
use crate::path::PathRules;
use turnkeeper_base::path::PathPlatform;

/// The directory where changes of directory lead, one after the other.
pub(super) fn follow(
    from: &Directory,
    paths: &[&str],
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

/// The path that a plain change of directory names.
pub(super) fn target_of(shell: Shell, words: &[Word]) -> Option<&str> {
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
