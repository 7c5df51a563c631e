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
//! which stands in the directory afterwards, and its exit code is the command's.
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
use self::word::{is_nameable, push_word};
use super::Shell;

/// Appends to `out` the command line for `shell` that changes into `directory`, runs `command`
/// there and leaves the shell there. Where that cannot be written safely it appends nothing and
/// says no.
pub(crate) fn change_directory(
    shell: Shell,
    directory: &str,
    command: &str,
    out: &mut String,
) -> bool {
    let directory = directory.as_bytes();
    let command = script(shell, command.as_bytes().trim_ascii_start());
    let form = form_of(shell, &command);
    // `D` is the directory, `C` the command and `W` the command as one word.
    let line: &[u8] = match shell {
        Shell::Bash | Shell::Zsh | Shell::Sh | Shell::Fish => match form {
            Form::Plain => b"cd -- D && C",
            _ => b"cd -- D && eval W",
        },
        _ if form == Form::Odd => return false,
        Shell::Pwsh | Shell::Powershell if command.is_empty() => b"Set-Location -LiteralPath D",
        Shell::Pwsh | Shell::Powershell => {
            b"if (Set-Location -LiteralPath D -PassThru -ErrorAction Stop) { C }"
        }
        Shell::Cmd if form == Form::Group => b"cd /d D && (C)",
        Shell::Cmd => b"cd /d D && C",
        Shell::Nu => b"cd D; C",
    };
    if !is_nameable(shell, directory) || has_any(&command, b"\0") {
        return false;
    }
    let mut written = Vec::new();
    for byte in line {
        match byte {
            b'D' => push_word(shell, directory, &mut written),
            b'W' => push_word(shell, &command, &mut written),
            b'C' => put(&mut written, &command),
            _ => put(&mut written, &[*byte]),
        }
        if *byte == b'D' && command.is_empty() {
            break;
        }
    }
    let Ok(written) = String::from_utf8(written) else {
        return false;
    };
    out.push_str(&written);
    true
}

/// Whether one of the bytes is in the text.
#[inline(never)]
fn has_any(text: &[u8], wanted: &[u8]) -> bool {
    for byte in text {
        for one in wanted {
            if byte == one {
                return true;
            }
        }
    }
    false
}

/// Not inlined, or it would be there at each of the places where a piece of a line is written.
#[inline(never)]
fn put(line: &mut Vec<u8>, piece: &[u8]) {
    line.extend_from_slice(piece);
}
