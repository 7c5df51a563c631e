//! Command lines that run a command in another directory.

use super::Shell;

/// Appends to `out` the command line for `shell` that changes into `directory`, runs `command`
/// there and leaves the shell there. Where that cannot be written safely it appends nothing and
/// says no.
// A placeholder: no shell is written for yet, so no terminal is re-aimed.
#[allow(dead_code)]
pub(crate) fn change_directory(
    shell: Shell,
    directory: &str,
    command: &str,
    out: &mut String,
) -> bool {
    let _ = (shell, directory, command, out);
    false
}
