//! The name of a file as a shell takes it.

use super::plain_text::escape_controls;

/// The shells that a command may be pasted into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shell {
    /// Those of Linux and macOS.
    Posix,
    /// PowerShell and the command prompt.
    Windows,
}

impl Shell {
    /// Those of the system that this program was built for.
    pub const HERE: Self = if cfg!(windows) {
        Self::Windows
    } else {
        Self::Posix
    };

    /// The name of a file as one word, which is no option and carries no character that controls a terminal.
    pub fn quoted(self, file: &str) -> String {
        let file = match file.strip_prefix('-') {
            Some(_) => format!("./{file}"),
            None => file.to_owned(),
        };
        match self {
            Self::Posix => posix(&file),
            Self::Windows => windows(&file),
        }
    }
}

fn posix(file: &str) -> String {
    let is_plain = |it: char| it.is_ascii_alphanumeric() || "_./:@%+,~-".contains(it);
    // A `~` at the start of a word is somebody's home.
    if !file.is_empty() && file.chars().all(is_plain) && !file.starts_with('~') {
        return file.to_owned();
    }
    if escape_controls(file) == file {
        return format!("'{}'", file.replace('\'', "'\\''"));
    }
    let mut quoted = String::from("$'");
    for character in file.chars() {
        let mut bytes = [0; 4];
        let text: &str = character.encode_utf8(&mut bytes);
        match character {
            '\'' | '\\' => quoted.extend(['\\', character]),
            _ if escape_controls(text) == text => quoted.push(character),
            // Three digits, so that a digit that follows is none of them.
            _ => quoted.extend(text.bytes().map(|byte| format!("\\{byte:03o}"))),
        }
    }
    quoted + "'"
}

/// A name there holds no double quote; a dollar or a backtick means something to PowerShell inside them.
fn windows(file: &str) -> String {
    let is_plain = |it: char| it.is_ascii_alphanumeric() || r"_./\:+-".contains(it);
    let file = escape_controls(file);
    if !file.is_empty() && file.chars().all(is_plain) {
        return file;
    }
    match file.contains(['$', '`']) {
        true => format!("'{}'", file.replace('\'', "''")),
        false => format!("\"{file}\""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shells_of_linux_take_a_name_as_it_is() {
        let quoted = |file| Shell::Posix.quoted(file);
        assert_eq!(quoted("/home/user/a-b.json"), "/home/user/a-b.json");
        assert_eq!(quoted("my task's.json"), r"'my task'\''s.json'");
        assert_eq!(quoted("-o.json"), "./-o.json");
        assert_eq!(quoted("~/a"), "'~/a'");
        assert_eq!(
            quoted("a\u{1b}1'\\\u{202e}.json"),
            r"$'a\0331\'\\\342\200\256.json'"
        );
    }

    #[cfg(unix)]
    #[test]
    fn a_shell_reads_the_name_that_was_quoted() {
        use std::process::Command;
        for file in [
            "a b", "it's", "$(x)`y`!\"#", "a\nb\u{7}1\\n'", "\u{202e}é\u{85}", "~x", "",
        ] {
            let line = format!("printf %s {}", Shell::Posix.quoted(file));
            let run = Command::new("bash").args(["-c", &line]).output();
            let Ok(run) = run else { return };
            assert_eq!(String::from_utf8_lossy(&run.stdout), file, "{line}");
        }
    }

    #[test]
    fn shells_of_windows_take_a_name_in_double_quotes() {
        let quoted = |file| Shell::Windows.quoted(file);
        assert_eq!(quoted(r"C:\Users\a\b.json"), r"C:\Users\a\b.json");
        assert_eq!(
            quoted(r"C:\My files\b's.json"),
            "\"C:\\My files\\b's.json\""
        );
        assert_eq!(quoted("$a's.json"), "'$a''s.json'");
    }
}
