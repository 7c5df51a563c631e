//! The shells that a command line can be written for.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use turnkeeper_base::path::program_name;

/// The shell that runs in a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS, documented::DocumentedFields)
)]
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

/// The shell of a terminal, as far as it is known by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum TerminalShell {
    /// A shell that a command line can be written for.
    Known(Shell),
    /// Any other one. The terminal is never led elsewhere.
    Other,
}

impl TerminalShell {
    /// The shell of that name, or of the program at that path: `zsh`, `/usr/bin/zsh`,
    /// `C:\Program Files\PowerShell\7\pwsh.exe`. None for an empty text, which says nothing.
    #[must_use]
    pub fn named(name_or_path: &str) -> Option<Self> {
        if name_or_path.is_empty() {
            return None;
        }
        let name = program_name(name_or_path);
        let mut folders = name_or_path.rsplit(['/', '\\']).skip(1);
        // A login shell has a `-` in front of its name.
        Some(match name.strip_prefix('-').unwrap_or(&name) {
            // It starts the Linux of WSL, where no directory has its name of Windows.
            "bash" if folders.next().is_some_and(is_system_folder) => Self::Other,
            "bash" | "gitbash" => Self::Known(Shell::Bash),
            "zsh" => Self::Known(Shell::Zsh),
            "sh" | "ash" | "dash" | "ksh" => Self::Known(Shell::Sh),
            "fish" => Self::Known(Shell::Fish),
            "pwsh" | "pwsh-preview" => Self::Known(Shell::Pwsh),
            "powershell" => Self::Known(Shell::Powershell),
            "cmd" => Self::Known(Shell::Cmd),
            "nu" => Self::Known(Shell::Nu),
            _ => Self::Other,
        })
    }

    /// The path of Windows that a shell means by a path with a `/` in front: `/c/work` in Git Bash,
    /// `/cygdrive/c/work` in Cygwin's shells, `/mnt/c/work` in those of WSL, which count as `Other`. None
    /// for what is on no drive.
    pub(super) fn path_of_windows(self, path: &str) -> Option<String> {
        let below = match self {
            Self::Known(Shell::Bash | Shell::Zsh | Shell::Sh | Shell::Fish) => {
                path.strip_prefix("/cygdrive/").or(path.strip_prefix('/'))
            }
            Self::Known(_) => None,
            Self::Other => path.strip_prefix("/mnt/"),
        }?;
        let (drive, rest) = below.split_once('/').unwrap_or((below, ""));
        let is_drive = matches!(drive.as_bytes(), [letter] if letter.is_ascii_alphabetic());
        let drive = is_drive.then(|| drive.to_ascii_uppercase())?;
        Some(format!(r"{drive}:\{}", rest.replace('/', r"\")))
    }

    /// The shell that a command line can be written for.
    #[must_use]
    pub fn known(self) -> Option<Shell> {
        match self {
            Self::Known(shell) => Some(shell),
            Self::Other => None,
        }
    }
}

/// Whether a folder is one of the system's own programs on Windows.
fn is_system_folder(name: &str) -> bool {
    let all = ["system32", "sysnative", "syswow64"];
    all.iter().any(|folder| name.eq_ignore_ascii_case(folder))
}

impl From<Shell> for TerminalShell {
    fn from(shell: Shell) -> Self {
        Self::Known(shell)
    }
}

/// Writes a shell by its name.
pub(super) fn as_name<S: Serializer>(
    shell: &Option<TerminalShell>,
    to: S,
) -> Result<S::Ok, S::Error> {
    match shell.and_then(TerminalShell::known) {
        Some(shell) => shell.serialize(to),
        None => to.serialize_str("other"),
    }
}

/// Reads a name or a path; see [`TerminalShell::named`].
pub(super) fn from_name_or_path<'de, D: Deserializer<'de>>(
    from: D,
) -> Result<Option<TerminalShell>, D::Error> {
    String::deserialize(from).map(|text| TerminalShell::named(&text))
}
