//! Directories, as the text of their paths says.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

use super::TerminalShell;
use super::path::{PathRelation, PathRules};
use super::refusal::{check_length, refusal};
use turnkeeper_base::error::{Error, ErrorCode};
use turnkeeper_base::path::{PathPlatform, fold_case, is_dots, is_drive};

const WIN32_SEPARATORS: [char; 2] = ['/', '\\'];

/// The start of a win32 path that is taken literally: every character stands for itself.
const LITERAL_PREFIX: &str = r"\\?\";

/// A directory that was read once, so that comparing it with others takes no reading.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Directory {
    /// The path as it was written.
    written: String,
    /// The root and the names, each with a NUL after it. It is the same for every way to write the
    /// path, and the key of a directory starts with the key of each directory that contains it.
    key: String,
    /// The number of names below the root.
    depth: usize,
}

impl Directory {
    /// Reads an absolute path in the words of a shell, if it is known. An error names the field.
    pub(super) fn read_of(
        shell: Option<TerminalShell>,
        path: &str,
        rules: PathRules,
        field: &str,
    ) -> Result<Self, Error> {
        let own = match rules.platform {
            PathPlatform::Posix => None,
            PathPlatform::Win32 => shell.and_then(|shell| shell.path_of_windows(path)),
        };
        Self::read(own.as_deref().unwrap_or(path), rules, field)
    }

    /// Reads an absolute path. An error names the field.
    pub(super) fn read(path: &str, rules: PathRules, field: &str) -> Result<Self, Error> {
        check_length(path, field)?;
        let Some(parts) = Parts::read(path, rules.platform) else {
            let why = why_refused(path, rules.platform);
            return Err(refusal(ErrorCode::InvalidArgument, field, why));
        };
        let mut key = parts.root.to_ascii_uppercase();
        key.push(AFTER_NAME);
        for name in &parts.names {
            key.push_str(name);
            key.push(AFTER_NAME);
        }
        if !rules.case_sensitive {
            key = fold_case(&key);
        }
        Ok(Self {
            written: path.to_owned(),
            key,
            depth: parts.names.len(),
        })
    }

    /// The directory to which a change to a path, in the words of a shell, leads from here. None if that
    /// does not say one place.
    pub(super) fn resolve(
        &self,
        shell: Option<TerminalShell>,
        path: &str,
        rules: PathRules,
    ) -> Option<Self> {
        if let Ok(absolute) = Self::read_of(shell, path, rules, "") {
            return Some(absolute);
        }
        let separator = match rules.platform {
            PathPlatform::Posix => '/',
            // It is below a drive that is not named, or taken literally.
            PathPlatform::Win32
                if path.contains(':')
                    || path.starts_with(WIN32_SEPARATORS)
                    || self.written.starts_with(LITERAL_PREFIX) =>
            {
                return None;
            }
            PathPlatform::Win32 => '\\',
        };
        Self::read(&format!("{}{separator}{path}", self.written), rules, "").ok()
    }

    /// The path as it was written.
    pub(super) fn written(&self) -> &str {
        &self.written
    }

    /// The relation of this directory to another.
    pub(super) fn relation_to(&self, other: &Self) -> PathRelation {
        let (outer, inner, relation) = match self.key.len().cmp(&other.key.len()) {
            Ordering::Less => (self, other, PathRelation::Parent),
            Ordering::Equal => (self, other, PathRelation::Same),
            Ordering::Greater => (other, self, PathRelation::Child),
        };
        // Directories of one project begin alike, so they are compared from the end.
        let outer = outer.key.bytes().rev();
        let inner = inner.key.as_bytes()[..outer.len()].iter().rev();
        if inner.copied().eq(outer) {
            relation
        } else {
            PathRelation::Unrelated
        }
    }

    /// The number of names that a way from this directory to another one, which lies to it like that, leads over:
    /// up to what contains both, and down again.
    pub(super) fn distance_to(&self, other: &Self, relation: PathRelation) -> usize {
        if relation != PathRelation::Unrelated {
            return self.depth.abs_diff(other.depth);
        }
        let names = self.key.split(AFTER_NAME).zip(other.key.split(AFTER_NAME));
        // The root comes first, and nothing last.
        let shared = names.take_while(|(a, b)| a == b).count();
        let shared = shared.saturating_sub(1).min(self.depth).min(other.depth);
        self.depth + other.depth - 2 * shared
    }
}

/// The relation of directory `a` to directory `b`, both absolute.
///
/// `.` and `..` are followed by the text, as a shell's `cd` does, and `..` stays at the top.
/// Separators repeated and at the end do not count, nor does, on win32, a dot or a space at the end
/// of a name. A win32 path after `\\?\` is taken literally. No Unicode normalisation: composed and
/// decomposed letters are different names.
///
/// Time is proportional to the paths.
///
/// # Errors
/// `invalid_argument`, naming `a` or `b`, for what does not say one place: paths that are relative,
/// empty or without a drive, `~`, URIs, device paths, a NUL; `limit_exceeded` for more than 4,096
/// UTF-16 units.
pub fn path_relation(a: &str, b: &str, rules: PathRules) -> Result<PathRelation, Error> {
    let a = Directory::read(a, rules, "a")?;
    let b = Directory::read(b, rules, "b")?;
    Ok(a.relation_to(&b))
}

/// Follows each part of a directory's key. No path that is accepted has it.
const AFTER_NAME: char = '\0';

/// The parts of a path.
struct Parts<'a> {
    /// The top that the path is below: nothing on posix, `C:`, or `//server/share`.
    root: String,
    /// The names below the root.
    names: Vec<&'a str>,
}

impl<'a> Parts<'a> {
    /// The parts of a path, unless it does not say one place.
    fn read(path: &'a str, platform: PathPlatform) -> Option<Self> {
        if path.contains('\0') {
            return None;
        }
        match platform {
            PathPlatform::Posix => Self::read_posix(path),
            PathPlatform::Win32 => match path.strip_prefix(LITERAL_PREFIX) {
                Some(literal) => Self::read_literal(literal),
                None => Self::read_win32(path),
            },
        }
    }

    fn read_posix(path: &'a str) -> Option<Self> {
        let mut names = Vec::new();
        for name in path.strip_prefix('/')?.split('/') {
            match name {
                "" | "." => {}
                ".." => drop(names.pop()),
                _ => names.push(name),
            }
        }
        Some(Self {
            root: String::new(),
            names,
        })
    }

    fn read_win32(path: &'a str) -> Option<Self> {
        let mut pieces = path.split(WIN32_SEPARATORS);
        let root = match pieces.next()? {
            drive if is_drive(drive) => drive.to_owned(),
            // A share starts with two separators.
            "" if pieces.next()?.is_empty() => {
                let server = without_end(share_name(pieces.next()?)?);
                let share = without_end(share_name(pieces.next()?)?);
                format!("//{server}/{share}")
            }
            _ => return None,
        };
        // `C:` alone is the current directory of a drive; a share alone is a directory.
        if is_drive(path) {
            return None;
        }
        let mut names = Vec::new();
        for name in pieces {
            match name {
                "" | "." => {}
                ".." => drop(names.pop()),
                _ if is_dots(name) => return None,
                _ => names.push(without_end(name)),
            }
        }
        Some(Self { root, names })
    }

    /// Reads what comes after [`LITERAL_PREFIX`].
    fn read_literal(path: &'a str) -> Option<Self> {
        let (first, mut below) = path.split_once('\\')?;
        let root = if is_drive(first) {
            first.to_owned()
        } else if first.eq_ignore_ascii_case("UNC") {
            let (server, share_and_below) = below.split_once('\\')?;
            let share;
            (share, below) = share_and_below
                .split_once('\\')
                .unwrap_or((share_and_below, ""));
            format!("//{}/{}", share_name(server)?, share_name(share)?)
        } else {
            return None;
        };
        let mut names: Vec<&str> = below.split('\\').collect();
        // One separator may be at the end.
        names.pop_if(|last| last.is_empty());
        let is_literal = |name: &&str| !matches!(*name, "" | "." | "..");
        names.iter().all(is_literal).then_some(Self { root, names })
    }
}

/// The name of a server or of a folder that it shares.
fn share_name(name: &str) -> Option<&str> {
    (!is_dots(name) && name != "?").then_some(name)
}

/// A name without what Windows leaves off at its end.
fn without_end(name: &str) -> &str {
    name.trim_end_matches(['.', ' '])
}

/// The reason why a path does not say one place.
fn why_refused(path: &str, platform: PathPlatform) -> &'static str {
    if path.contains('\0') {
        return "must not have a NUL";
    }
    if platform == PathPlatform::Win32 {
        if path.starts_with(LITERAL_PREFIX) {
            return r"must name a drive or a share after \\?\, and have no empty name, . or ..";
        }
        let after_drive = match path.get(..2) {
            Some(drive) if is_drive(drive) => path.get(2..),
            _ => path.strip_prefix(WIN32_SEPARATORS),
        };
        if let Some(rest) = after_drive {
            return if rest.starts_with(WIN32_SEPARATORS) {
                "must name a drive or a share, and have no name of dots and spaces alone"
            } else {
                "must not be relative to a current directory or drive"
            };
        }
    }
    if is_uri(path) {
        "must be a path, not a URI"
    } else if path.starts_with('~') {
        "must be an absolute path: ~ is not expanded"
    } else {
        "must be an absolute path"
    }
}

/// Whether a text starts with a scheme, such as `file:`. One letter would be a drive.
fn is_uri(text: &str) -> bool {
    let is_letter = |one: char| one.is_ascii_alphanumeric() || matches!(one, '+' | '-' | '.');
    text.split_once(':')
        .is_some_and(|(scheme, _)| scheme.len() > 1 && scheme.chars().all(is_letter))
}

#[cfg(test)]
mod tests {
    use super::*;
    use turnkeeper_base::path::LONGEST;

    #[test]
    fn what_is_too_long_is_refused_and_what_is_not_is_taken() {
        let rules = PathRules::new(PathPlatform::Posix);
        let longest = "/".to_owned() + &"思😀".repeat((LONGEST - 1) / 3);
        assert_eq!(longest.encode_utf16().count(), LONGEST);
        assert!(Directory::read(&longest, rules, "a").is_ok());
        let longer = longest + "/";
        let error = Directory::read(&longer, rules, "b").expect_err("too long");
        assert_eq!(error.code(), ErrorCode::LimitExceeded);
        assert_eq!(error.field(), Some("b"));
    }

    #[test]
    fn a_key_written_as_a_path_has_the_same_key() {
        for (path, platform, separator) in [
            ("/a//b/./c/../d/", PathPlatform::Posix, "/"),
            (r"\\?\c:\X.\y", PathPlatform::Win32, r"\"),
            (r"\\server\Share\x. \y", PathPlatform::Win32, r"\"),
        ] {
            let rules = PathRules::new(platform);
            let first = Directory::read(path, rules, "").expect("a path");
            let mut again = first.key.replace('\0', separator);
            if path.starts_with(LITERAL_PREFIX) {
                again.insert_str(0, LITERAL_PREFIX);
            }
            let second = Directory::read(&again, rules, "").expect("a path");
            assert_eq!(second.key, first.key);
        }
    }
}
