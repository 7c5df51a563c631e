//! The text of a path as a platform reads it.
//!
//! The work is lexical: no file system is looked at, and the platform is an argument, because an
//! extension may run on another one than its files are on, and this code always runs in WebAssembly.

use serde::{Deserialize, Serialize};

/// Longer paths, in UTF-16 units, are refused: no system opens them as they are, Linux's limit
/// being 4,096 bytes and Windows' mostly 260 units.
pub const LONGEST: usize = 4_096;

/// Whose rules paths follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS, documented::DocumentedFields)
)]
#[serde(rename_all = "lowercase")]
pub enum PathPlatform {
    /// `/` separates, and case counts.
    // Node's `process.platform` has these names for it.
    #[serde(
        alias = "aix",
        alias = "android",
        alias = "cygwin",
        alias = "darwin",
        alias = "freebsd",
        alias = "haiku",
        alias = "linux",
        alias = "netbsd",
        alias = "openbsd",
        alias = "sunos"
    )]
    Posix,
    /// `/` and `\` separate, and case is ignored.
    Win32,
}

impl PathPlatform {
    /// The characters that separate names, all ASCII.
    fn separators(self) -> &'static [char] {
        match self {
            Self::Posix => &['/'],
            Self::Win32 => &['/', '\\'],
        }
    }

    /// The text before the first separator, and the text after it, if there is one.
    pub fn split(self, text: &str) -> (&str, Option<&str>) {
        match text.split_once(self.separators()) {
            Some((name, rest)) => (name, Some(rest)),
            None => (text, None),
        }
    }

    /// The names between separators; an empty one where there is none.
    pub fn names(self, text: &str) -> impl Iterator<Item = &str> {
        text.split(self.separators())
    }

    /// The text after a separator at the start.
    pub fn strip_separator(self, text: &str) -> Option<&str> {
        text.strip_prefix(self.separators())
    }
}

/// Whether it is longer than a path may be.
pub fn is_too_long(text: &str) -> bool {
    text.encode_utf16().count() > LONGEST
}

/// The name of the program at a path of whichever platform, in lower case and without `.exe`.
pub fn program_name(path: &str) -> String {
    let name = path.rsplit(['/', '\\']).next().unwrap_or_default();
    let name = name.to_ascii_lowercase();
    name.strip_suffix(".exe").unwrap_or(&name).to_owned()
}

/// Whether a name is that of a drive.
pub fn is_drive(name: &str) -> bool {
    matches!(name.as_bytes(), [letter, b':'] if letter.is_ascii_alphabetic())
}

/// A drive with its letter in upper case, and what follows its colon.
pub fn split_drive(text: &str) -> Option<(String, &str)> {
    let (drive, rest) = text.split_at_checked(2)?;
    is_drive(drive).then(|| (drive.to_ascii_uppercase(), rest))
}

/// Whether nothing is left of a name when Windows leaves off dots and spaces at its end.
pub fn is_dots(name: &str) -> bool {
    name.bytes().all(|byte| matches!(byte, b'.' | b' '))
}

/// `text` for comparing where case is ignored.
///
/// NTFS compares by a table of upper-case letters, one UTF-16 unit for one, that is made when a
/// volume is formatted. Unicode's simple upper case is near it. No letter folds into an ASCII one
/// (`ı` is no `i`, `ſ` no `s`), so that two names are not taken for one.
pub fn fold_case(text: &str) -> String {
    text.chars().map(upper_case).collect()
}

/// The upper case of a character, if that is one UTF-16 unit for one, and itself if not.
fn upper_case(character: char) -> char {
    if character.is_ascii() {
        return character.to_ascii_uppercase();
    }
    let mut upper = character.to_uppercase();
    match (upper.next(), upper.next()) {
        (Some(one), None)
            if one.len_utf16() == 1 && character.len_utf16() == 1 && !one.is_ascii() =>
        {
            one
        }
        _ => character,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_node_calls_the_system_is_a_platform() {
        for name in ["posix", "linux", "darwin", "freebsd", "sunos"] {
            let platform = serde_json::from_value(serde_json::json!(name));
            assert_eq!(platform.ok(), Some(PathPlatform::Posix), "{name}");
        }
        assert!(serde_json::from_value::<PathPlatform>(serde_json::json!("windows")).is_err());
    }

    #[test]
    fn a_backslash_separates_names_on_windows_only() {
        assert_eq!(PathPlatform::Win32.split(r"a\b/c"), ("a", Some("b/c")));
        assert_eq!(PathPlatform::Posix.split(r"a\b/c"), (r"a\b", Some("c")));
        assert_eq!(PathPlatform::Posix.split("a"), ("a", None));
        assert_eq!(PathPlatform::Win32.strip_separator(r"\a"), Some("a"));
        assert_eq!(PathPlatform::Posix.strip_separator(r"\a"), None);
    }

    #[test]
    fn a_drive_is_a_letter_and_a_colon() {
        assert_eq!(split_drive("c:x"), Some(("C:".to_owned(), "x")));
        for text in ["", "c", "1:", "é:", "cc:"] {
            assert_eq!(split_drive(text), None, "{text}");
        }
    }

    #[test]
    fn a_program_has_one_name_wherever_it_is() {
        for path in ["git", "/usr/bin/git", r"C:\Git\bin\GIT.EXE", "./git"] {
            assert_eq!(program_name(path), "git");
        }
        assert_eq!(program_name("/usr/bin/"), "");
    }

    #[test]
    fn letters_fold_one_for_one_and_none_into_ascii() {
        assert_eq!(fold_case("aéß ıſ"), "AÉß ıſ");
        assert_eq!(fold_case("𐐨"), "𐐨", "a pair is not folded");
    }
}
