//! The command lines that settings of agents hold. Each ends with 0 and in silence whatever is missing, since some
//! agents take any other code for a refusal, and is the same for every version: Codex asks for trust again after a
//! change.

use std::path::Path;

use super::{Platform, Version};
use crate::watch::Mode;

/// The program below the state folder, on Windows with `.exe`.
pub const PROGRAM_FILE: &str = "bin/turnkeeper";

/// A hook for Node, which entries of earlier versions name.
const HOOK_FILE: &str = "turnkeeper-hook.cjs";

/// The installation that is wanted.
#[derive(Clone, Copy)]
pub struct Wanted<'a> {
    /// The most that the watch may do.
    pub mode: Mode,
    /// Whether a long result that came before becomes a line.
    pub economy: bool,
    /// The state folder, in which the program is.
    pub state: &'a Path,
    /// Whether others get the file as well, so that it may name no folder of this person's.
    pub is_shared: bool,
    /// The system.
    pub platform: Platform,
    /// The version of the program.
    pub version: &'a str,
    /// The version of the agent, or the one that stands for it.
    pub agent_version: Version,
}

impl Wanted<'_> {
    /// A line for the shells of this system: `sh`; on Windows PowerShell, cmd and Git Bash alike.
    pub fn line(&self, agent: &str) -> String {
        if self.platform == Platform::Windows {
            self.on_windows(agent)
        } else {
            self.for_sh(agent)
        }
    }

    /// A line for a setting that PowerShell alone reads.
    pub fn powershell_line(&self, agent: &str) -> String {
        let arguments = self.arguments(agent);
        match self.is_shared {
            false => quiet(&format!("& {} {arguments}", self.literal())),
            true => quiet(&format!("& ({SHARED_ON_WINDOWS}) {arguments}")),
        }
    }

    fn for_sh(&self, agent: &str) -> String {
        let (run, name) = match self.is_shared {
            false => (RUN.to_owned(), quoted(&self.path())),
            true => (
                format!("for f in {SHARED_FOLDERS}; do {RUN_BELOW}; done"),
                "turnkeeper".to_owned(),
            ),
        };
        let arguments = self.arguments(agent);
        // The event is read in any case, so that the agent meets no broken pipe.
        let line = format!("{BEGIN} {run}; cat >/dev/null; exit 0");
        format!("/bin/sh -c '{line}' {name} {arguments}")
    }

    /// A first word in quotes is a string to PowerShell, and backslashes are not to be trusted in Git Bash. So a path
    /// that none of them would read in another way stands as it is, and PowerShell, which takes its time, starts any
    /// other.
    fn on_windows(&self, agent: &str) -> String {
        let arguments = self.arguments(agent);
        if !self.is_shared && is_plain(&self.path()) {
            return format!("{} {arguments}", self.path());
        }
        format!(
            "powershell -NoProfile -Command \"{}\"",
            self.powershell_line(agent)
        )
    }

    /// The file that is run, with `/` on every system.
    fn path(&self) -> String {
        let state = self.state.to_string_lossy();
        match self.platform {
            Platform::Windows => format!("{}/{PROGRAM_FILE}.exe", state.replace('\\', "/")),
            _ => format!("{state}/{PROGRAM_FILE}"),
        }
    }

    /// The same as a string of PowerShell's that no shell around it reads in another way.
    fn literal(&self) -> String {
        format!("'{}'", self.path().replace('\'', "''"))
    }

    fn arguments(&self, agent: &str) -> String {
        let economy = if self.economy { " --economy" } else { "" };
        format!("hook {agent} --mode {}{economy}", self.mode.name())
    }
}

/// Whoever ends the line ends the program. It runs beside the line's shell, which would otherwise wait for it, and gets
/// the event by a number of its own, since a shell gives such a program nothing to read.
const BEGIN: &str = r#"exec 2>/dev/null 3<&0; k() { kill $!; exit 0; }; trap k 1 2 15; r() { "$@" <&3 3<&- & wait $!; };"#;
const RUN: &str = r#"r "$0" "$@" && exit"#;
const RUN_BELOW: &str = r#"r "$f/bin/turnkeeper" "$@" && exit"#;

/// The folders that may hold the program of whoever runs the line: the places of the state folder.
const SHARED_FOLDERS: &str = r#""$TURNKEEPER_STATE" "$XDG_STATE_HOME/turnkeeper" "$HOME/.local/state/turnkeeper" "$HOME/Library/Application Support/turnkeeper""#;

/// The same on Windows, in words that no shell around PowerShell puts something in the place of.
const SHARED_ON_WINDOWS: &str = "(@([Environment]::GetEnvironmentVariable('TURNKEEPER_STATE'), \
    ([Environment]::GetEnvironmentVariable('LOCALAPPDATA') + '/turnkeeper')) -match '.')[0] + '/bin/turnkeeper.exe'";

fn quiet(powershell: &str) -> String {
    format!("try {{ {powershell} }} catch {{ }}; exit 0")
}

fn is_plain(word: &str) -> bool {
    word.chars()
        .all(|it| it.is_ascii_alphanumeric() || "_@+:./-".contains(it))
}

/// A word of a line for `sh`.
fn quoted(word: &str) -> String {
    if is_plain(word) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// Whether a line starts our hook.
pub fn is_hook_line(line: &str) -> bool {
    line.contains(HOOK_FILE) || (line.contains(PROGRAM_FILE) && line.contains(" hook "))
}

/// The words of a line, as `sh` reads them but for what it would put in the place of variables.
pub fn words_of(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut chars = line.chars();
    while let Some(it) = chars.next() {
        match (quote, it) {
            (Some(open), _) if it == open => quote = None,
            (Some('\''), _) => word.get_or_insert_default().push(it),
            (_, '\\') => word.get_or_insert_default().extend(chars.next()),
            (Some(_), _) => word.get_or_insert_default().push(it),
            (None, '\'' | '"') => {
                quote = Some(it);
                word.get_or_insert_default();
            }
            (None, _) if it.is_whitespace() => words.extend(word.take()),
            (None, _) => word.get_or_insert_default().push(it),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted(state: &str, platform: Platform) -> Wanted<'_> {
        Wanted {
            mode: Mode::Hint,
            economy: false,
            state: Path::new(state),
            is_shared: false,
            platform,
            version: "1",
            agent_version: Version::NEWEST,
        }
    }

    #[test]
    fn a_line_for_sh_names_the_program_in_a_word() {
        let line = wanted("/home/it's me/state", Platform::Unix).line("codex");
        let words = words_of(&line);
        assert_eq!(words[..2], ["/bin/sh", "-c"]);
        assert_eq!(
            words[3..],
            [
                "/home/it's me/state/bin/turnkeeper",
                "hook",
                "codex",
                "--mode",
                "hint"
            ]
        );
        assert!(is_hook_line(&line));
    }

    #[test]
    fn a_shared_line_names_no_folder() {
        for platform in [Platform::Unix, Platform::MacOs, Platform::Windows] {
            let wanted = Wanted {
                is_shared: true,
                ..wanted("/home/me/state", platform)
            };
            for line in [wanted.line("codex"), wanted.powershell_line("codex")] {
                assert!(!line.contains("/home/me"), "{line}");
                assert!(is_hook_line(&line), "{line}");
            }
        }
    }

    #[test]
    fn on_windows_three_shells_read_a_line_in_the_same_way() {
        let plain = wanted(r"C:\Users\me\AppData\Local\turnkeeper", Platform::Windows);
        assert_eq!(
            plain.line("gemini-cli"),
            "C:/Users/me/AppData/Local/turnkeeper/bin/turnkeeper.exe hook gemini-cli --mode hint"
        );
        // A first word in quotes would be a string to PowerShell.
        let spaced = wanted(r"C:\Users\Jane O'Neil\turnkeeper", Platform::Windows);
        let line = spaced.line("gemini-cli");
        assert_eq!(
            line,
            "powershell -NoProfile -Command \"try { & 'C:/Users/Jane O''Neil/turnkeeper/bin/turnkeeper.exe' \
             hook gemini-cli --mode hint } catch { }; exit 0\""
        );
        let shared = Wanted {
            is_shared: true,
            ..plain
        }
        .line("gemini-cli");
        for line in [line, shared] {
            // Nothing that cmd, Git Bash or PowerShell would put something in the place of.
            let inner = line.strip_prefix("powershell -NoProfile -Command \"");
            let inner = inner
                .and_then(|it| it.strip_suffix('"'))
                .expect("one argument in quotes");
            assert!(!inner.contains(['"', '\\', '$', '%', '`', '!']), "{line}");
            assert!(is_hook_line(&line));
        }
    }
}
