//! What a platform makes of the text of a path.
//!
//! The work is lexical: no file system is looked at, and the platform is an argument, because an
//! extension may run on another one than the files, and always runs in WebAssembly.

use crate::setting::Word;
use crate::text::upper_case;

/// Longer paths, in UTF-16 units, are refused: no system opens them as they are, Linux's limit
/// being 4,096 bytes and Windows' mostly 260 units.
pub(crate) const LONGEST: usize = 4_096;

/// Whose rules paths follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(rename_all = "lowercase")
)]
pub enum PathPlatform {
    /// `/` separates, and case counts.
    Posix,
    /// `/` and `\` separate, and case is ignored.
    Win32,
}

impl Word for PathPlatform {
    const MEANINGS: &'static [Self] = &[Self::Posix, Self::Win32];
    const WORDS: &'static str = "posix win32";
}

impl PathPlatform {
    /// What separates names: ASCII characters.
    pub(crate) fn separators(self) -> &'static [u8] {
        match self {
            Self::Posix => b"/",
            Self::Win32 => b"/\\",
        }
    }

    /// What stands before the first separator, and what stands behind it, if there is one.
    pub(crate) fn split(self, text: &str) -> (&str, Option<&str>) {
        split(text, self.separators())
    }

    /// What follows a separator at the start.
    #[inline(never)]
    pub(crate) fn behind(self, text: &str) -> Option<&str> {
        match self.split(text) {
            ("", rest) => rest,
            _ => None,
        }
    }
}

/// What stands before the first of these ASCII characters, and what stands behind it, if there is
/// one.
#[inline(never)]
pub(crate) fn split<'a>(text: &'a str, separators: &[u8]) -> (&'a str, Option<&'a str>) {
    let is_separator = |byte: &u8| separators.contains(byte);
    match text.as_bytes().iter().position(is_separator) {
        Some(at) => (text.get(..at).unwrap_or_default(), text.get(at + 1..)),
        None => (text, None),
    }
}

/// Whether it is longer than a path may be.
pub(crate) fn is_too_long(text: &str) -> bool {
    let mut units = 0;
    for character in text.chars() {
        units += character.len_utf16();
    }
    units > LONGEST
}

/// Whether a name is that of a drive.
pub(crate) fn is_drive(name: &str) -> bool {
    matches!(name.as_bytes(), [letter, b':'] if letter.is_ascii_alphabetic())
}

/// A drive with its letter in upper case, and what follows its colon.
pub(crate) fn drive(text: &str) -> Option<(String, &str)> {
    let drive = text.get(..2).filter(|drive| is_drive(drive))?;
    Some((drive.to_ascii_uppercase(), text.get(2..)?))
}

/// Whether nothing is left of a name when Windows leaves off dots and spaces at its end.
#[inline(never)]
pub(crate) fn is_dots(name: &str) -> bool {
    name.bytes().all(|one| matches!(one, b'.' | b' '))
}

/// `text` for comparing where case is ignored.
///
/// NTFS compares by a table of upper-case letters, one UTF-16 unit for one, that is made when a
/// volume is formatted. Unicode's simple upper case is near it. No letter folds into an ASCII one
/// (`ı` is no `i`, `ſ` no `s`), so that two names are not taken for one.
pub(crate) fn fold_case(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for character in text.chars() {
        folded.push(if character.is_ascii() {
            character.to_ascii_uppercase()
        } else {
            upper(character)
        });
    }
    folded
}

/// The upper case of a character beyond ASCII.
fn upper(character: char) -> char {
    let upper = upper_case(character.encode_utf8(&mut [0; 4]));
    let mut upper = upper.chars();
    match (upper.next(), upper.next()) {
        (Some(one), None)
            if one.len_utf16() == 1 && character.len_utf16() == 1 && !one.is_ascii() =>
        {
            one
        }
        _ => character,
    }
}
