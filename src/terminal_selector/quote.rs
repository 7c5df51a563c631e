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
//! | `nu` | `cd 'directory'; command`: an error ends the line |
//!
//! If the directory cannot be changed, nothing of the command runs, however many commands it is
//! made of, and the shell says that something failed. Else the command runs in the shell itself,
//! which stands in the directory afterwards, and its exit code is the command's.

mod cmd;
mod nu;
mod plain;
mod posix;
mod powershell;

use super::Shell;

/// Appends to `out` the command line for `shell` that changes into `directory`, runs `command`
/// there and leaves the shell there. Where that cannot be written safely it appends nothing and
/// says no.
// The selector that asks for lines is not there yet.
#[allow(dead_code)]
pub(crate) fn change_directory(
    shell: Shell,
    directory: &str,
    command: &str,
    out: &mut String,
) -> bool {
    for byte in directory.bytes().chain(command.bytes()) {
        if byte == 0 {
            return false;
        }
    }
    let start = out.len();
    let command = trimmed(command);
    let is_written = match shell {
        Shell::Bash | Shell::Zsh | Shell::Sh | Shell::Fish => {
            posix::write(shell, directory, command, out);
            true
        }
        Shell::Pwsh | Shell::Powershell => powershell::write(directory, command, out),
        Shell::Cmd => cmd::write(directory, command, out),
        Shell::Nu => nu::write(directory, command, out),
    };
    if !is_written {
        out.truncate(start);
    }
    is_written
}

/// Without the line ends that a model leaves behind a command, and the white space before it.
fn trimmed(command: &str) -> &str {
    let command = command.trim_ascii_start();
    let mut end = command.len();
    while end > 0 && matches!(command.as_bytes()[end - 1], b'\n' | b'\r') {
        end -= 1;
    }
    command.get(..end).unwrap_or(command)
}

/// What a line editor or a terminal takes for more than a character.
fn is_control(c: char) -> bool {
    c < ' ' || ('\u{7f}'..'\u{a0}').contains(&c)
}
