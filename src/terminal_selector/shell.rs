//! The shells that a command line can be written for.

use serde::Serialize;

use super::MACHINE;
use crate::error::Error;
use crate::setting::{Named, OptionValue, Setting, Word};

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
    const MEANINGS: &'static [Self] = &[
        Self::Bash,
        Self::Zsh,
        Self::Sh,
        Self::Fish,
        Self::Pwsh,
        Self::Powershell,
        Self::Cmd,
        Self::Nu,
    ];
    const WORDS: &'static str = "bash zsh sh fish pwsh powershell cmd nu";
}

impl Shell {
    /// The shell with a number, from 1; 0 is none.
    pub(crate) fn with_number(number: u32) -> Option<Self> {
        let place = (number as usize).checked_sub(1)?;
        Self::MEANINGS.get(place).copied()
    }

    /// The number of the shell with a name.
    #[cfg_attr(not(target_family = "wasm"), allow(dead_code))]
    pub(crate) fn number(name: String, field: &str) -> Result<u32, Error> {
        let mut shell: Option<Self> = None;
        let name = Setting::Text(name);
        match shell.read(&Named::whole(MACHINE, &name)) {
            Ok(()) => Ok(shell.map_or(0, |shell| shell as u32 + 1)),
            Err(error) => Err(error.of_argument(field)),
        }
    }
}
