//! The shells that a command line can be written for.

use serde::Serialize;

use super::MACHINE;
use crate::error::{Error, ErrorCode};
use crate::setting::{Word, must_be, words};

/// The shell that runs in a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Shell {
    /// GNU Bash.
    Bash,
    /// Z shell.
    Zsh,
    /// A POSIX shell, such as dash. What is written for it holds in Bash and Z shell, too.
    Sh,
    /// fish.
    Fish,
    /// PowerShell 6 and later.
    Pwsh,
    /// Windows PowerShell 5.
    Powershell,
    /// The command prompt of Windows.
    Cmd,
    /// Nushell.
    Nu,
}

impl Word for Shell {
    const WORDS: &'static [(Self, &'static str)] = &[
        (Self::Bash, "bash"),
        (Self::Zsh, "zsh"),
        (Self::Sh, "sh"),
        (Self::Fish, "fish"),
        (Self::Pwsh, "pwsh"),
        (Self::Powershell, "powershell"),
        (Self::Cmd, "cmd"),
        (Self::Nu, "nu"),
    ];
}

impl Shell {
    /// The shell with a number, from 1; 0 is none.
    pub(crate) fn with_number(number: u32) -> Option<Self> {
        let place = (number as usize).checked_sub(1)?;
        Self::WORDS.get(place).map(|(shell, _)| *shell)
    }

    /// The number of the shell with a name.
    #[cfg_attr(not(target_family = "wasm"), allow(dead_code))]
    pub(crate) fn number(name: &str, field: &str) -> Result<u32, Error> {
        let words = words::<Self>();
        for (at, word) in words.iter().enumerate() {
            if *word == name {
                return Ok(at as u32 + 1);
            }
        }
        Err(Error::new(ErrorCode::InvalidArgument, MACHINE, must_be(&words)).at(field))
    }
}
