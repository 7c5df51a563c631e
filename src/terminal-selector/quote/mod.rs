//! Command lines that run a command in another directory.
//!
//! A line is typed into a shell that somebody may be looking at, so it is written to be read where
//! the command is plain: `cd -- '/project/src' && npm test`. It is also typed into a line editor,
//! where a tab completes and an escape is a key, and an interactive Bash replaces what follows a
//! `!`: no control character and no `!` is ever typed as part of a directory's name.
//!
//! | shell | line |
//! |---|---|
//! | `bash`, `zsh`, `sh`, `fish` | `cd -- 'directory' && command`, or `… && eval 'command'` |
//! | `pwsh`, `powershell` | `if (Set-Location -LiteralPath 'directory' -PassThru -ErrorAction Stop) { command }` |
//! | `cmd` | `cd /d "directory" && command`, or `… && (command)` |
//! | `nu` | `cd 'directory'; command` |
//!
//! If the directory cannot be changed, nothing of the command runs, however many commands it is
//! made of, and the shell says that something failed. Else the command runs in the shell itself,
//! which is in the directory afterwards, and its exit code is the command's.
//!
//! - `eval` takes any command. Nothing in its word can end it, and it reads a here-document, a
//!   comment or a brace too many as a script would.
//! - `if` holds a command back by its shape, whatever error there is and whatever
//!   `$ErrorActionPreference` says; with `Stop`, an error leaves `$?` false. `Invoke-Expression`
//!   would take any command, but its `$?` is true however that ends.
//! - In Nushell an error ends the line, and all of it is parsed before any of it runs.

mod command;
mod word;

use self::command::{Form, form_of, script};
use self::word::{is_nameable, quoted};
use super::Shell;

/// The command line for `shell` that changes into `directory`, runs `command` there and leaves the
/// shell there. None where that cannot be written safely.
///
/// With `over_root` it goes to the root first: a shell whose directory was moved away reports the path of
/// before. If the second change fails, it reports the root, and is not taken to be there.
pub(super) fn change_directory(
    shell: Shell,
    directory: &str,
    command: &str,
    over_root: bool,
) -> Option<String> {
    let command = script(shell, command.trim_ascii_start());
    // No shell's line can have a NUL.
    if !is_nameable(shell, directory) || command.contains('\0') {
        return None;
    }
    let form = form_of(shell, &command);
    let directory = quoted(shell, directory);
    Some(match shell {
        Shell::Bash | Shell::Zsh | Shell::Sh | Shell::Fish => {
            let root = if over_root { "cd / && " } else { "" };
            match form {
                _ if command.is_empty() => format!("{root}cd -- {directory}"),
                Form::Plain => format!("{root}cd -- {directory} && {command}"),
                _ => format!(
                    "{root}cd -- {directory} && eval {}",
                    quoted(shell, &command)
                ),
            }
        }
        _ if form == Form::Odd => return None,
        Shell::Pwsh | Shell::Powershell => {
            let change = format!("Set-Location -LiteralPath {directory}");
            let root = if over_root { "Set-Location /; " } else { "" };
            if command.is_empty() {
                format!("{root}{change}")
            } else {
                format!("{root}if ({change} -PassThru -ErrorAction Stop) {{ {command} }}")
            }
        }
        Shell::Cmd => {
            let root = if over_root { r"cd \ && " } else { "" };
            match form {
                _ if command.is_empty() => format!("{root}cd /d {directory}"),
                Form::Group => format!("{root}cd /d {directory} && ({command})"),
                _ => format!("{root}cd /d {directory} && {command}"),
            }
        }
        // An error ends a line there, and what comes before it does not tell.
        Shell::Nu if over_root => return None,
        Shell::Nu if command.is_empty() => format!("cd {directory}"),
        Shell::Nu => format!("cd {directory}; {command}"),
    })
}
