//! How two directories lie to each other, by their text alone.

use serde::Serialize;

use super::MACHINE;
use crate::error::{Error, ErrorCode};
use crate::path::{LONGEST, PathPlatform, drive, fold_case, is_dots, is_too_long, split};
use crate::text::{concat, exact};

/// How one directory lies to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum PathRelation {
    /// They are one.
    Same,
    /// The first contains the second.
    Parent,
    /// The first is inside the second.
    Child,
    /// Neither.
    Unrelated,
}

/// Whose rules paths follow, and whether case counts in them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PathRules {
    /// Chosen by the host, never by where the code runs.
    pub platform: PathPlatform,
    /// Whether names that differ in case alone are two. Drive letters, servers and shares never
    /// differ by it.
    pub case_sensitive: bool,
}

impl PathRules {
    /// The usual rules of a platform: case counts on posix only.
    #[must_use]
    pub fn new(platform: PathPlatform) -> Self {
        Self {
            platform,
            case_sensitive: platform == PathPlatform::Posix,
        }
    }
}

/// How directory `a` lies to directory `b`, both absolute.
///
/// `.` and `..` are followed by the text, as a shell's `cd` does, and `..` stays at the top.
/// Separators repeated and at the end do not count, nor does, on win32, a dot or a space at the end
/// of a name. A win32 path behind `\\?\` is taken literally. No Unicode normalisation: composed and
/// decomposed letters are different names.
///
/// Time is proportional to the paths.
///
/// # Errors
/// `invalid_argument`, naming `a` or `b`, for what does not say one place: paths that are relative,
/// empty or without a drive, `~`, URIs, device paths, a NUL; `limit_exceeded` for more than 4,096
/// UTF-16 units.
pub fn path_relation(a: &str, b: &str, rules: PathRules) -> Result<PathRelation, Error> {
    relation_between(a, b, rules, ["a", "b"])
}

/// Whether a terminal may be led from one directory to another by `cd`: they are the same, or one
/// contains the other.
///
/// # Errors
/// As [`path_relation`], naming `from` or `to`.
pub fn can_change_directory(from: &str, to: &str, rules: PathRules) -> Result<bool, Error> {
    let relation = relation_between(from, to, rules, ["from", "to"])?;
    Ok(relation != PathRelation::Unrelated)
}

/// The same; an error calls the two by these names.
pub(crate) fn relation_between(
    a: &str,
    b: &str,
    rules: PathRules,
    fields: [&str; 2],
) -> Result<PathRelation, Error> {
    let a = key(a, rules).map_err(|error| error.at(fields[0]))?;
    let b = key(b, rules).map_err(|error| error.at(fields[1]))?;
    Ok(if a == b {
        PathRelation::Same
    } else if is_within(&b, &a) {
        PathRelation::Parent
    } else if is_within(&a, &b) {
        PathRelation::Child
    } else {
        PathRelation::Unrelated
    })
}

/// Stands before each name of a [`key`]. No path has it, and it sorts before everything that may
/// stand in a name, so what is in a directory follows that directory in order.
const BEFORE_NAME: char = '\0';

/// Whether one directory, by its [`key`], is inside another.
pub(super) fn is_within(inner: &str, outer: &str) -> bool {
    let (inner, outer) = (inner.as_bytes(), outer.as_bytes());
    inner.len() > outer.len()
        && inner[outer.len()] == BEFORE_NAME as u8
        && inner[..outer.len()] == *outer
}

/// How deep a directory lies below its root, by its [`key`].
pub(super) fn depth(key: &str) -> u32 {
    let mut depth = 0;
    for byte in key.bytes() {
        depth += u32::from(byte == BEFORE_NAME as u8);
    }
    depth
}

/// A directory in a form that is the same for every way to write it: what it is absolute in
/// (nothing, `C:` or `//SERVER/SHARE`), and its names.
pub(super) fn key(path: &str, rules: PathRules) -> Result<String, Error> {
    if is_too_long(path) {
        return Err(too_long());
    }
    let key = match Start::of(path, rules.platform) {
        Ok(start) => start.walk(),
        Err(why) => Err(why),
    };
    match key {
        Ok(key) if rules.case_sensitive => Ok(key),
        Ok(key) => Ok(fold_case(&key)),
        Err(why) => Err(Error::new(ErrorCode::InvalidArgument, MACHINE, why)),
    }
}

/// The text of a path or a name that came as UTF-16.
#[cfg_attr(not(target_family = "wasm"), allow(dead_code))]
pub(crate) fn read_text(units: &[u16], field: &str) -> Result<String, Error> {
    if units.len() > LONGEST {
        return Err(too_long().at(field));
    }
    exact(units).ok_or_else(|| {
        let message = "must not have half of a surrogate pair";
        Error::new(ErrorCode::InvalidArgument, MACHINE, message).at(field)
    })
}

pub(super) fn too_long() -> Error {
    let message = "must have at most 4096 UTF-16 units";
    Error::new(ErrorCode::LimitExceeded, MACHINE, message)
}

const DEVICE: &str = "must not be a device path";
const SHARE: &str = "must name a server and a share";
const NAMELESS: &str = "must not have a name of dots and spaces alone";

/// Where a path starts from, and what follows.
struct Start<'a> {
    volume: String,
    rest: &'a str,
    separators: &'static [u8],
    /// Whether dots and spaces at the end of a name do not count.
    is_trimmed: bool,
    /// Whether the path is behind `\\?\`: every character stands for itself.
    is_literal: bool,
}

impl<'a> Start<'a> {
    fn of(path: &'a str, platform: PathPlatform) -> Result<Self, &'static str> {
        if path.as_bytes().contains(&b'\0') {
            return Err("must not have a NUL");
        }
        let mut start = Self {
            volume: String::new(),
            rest: path,
            separators: platform.separators(),
            is_trimmed: platform == PathPlatform::Win32,
            is_literal: false,
        };
        match (platform, platform.behind(path)) {
            (PathPlatform::Posix, Some(rest)) => {
                start.rest = rest;
                Ok(start)
            }
            (PathPlatform::Posix, None) => Err(not_absolute(path)),
            (PathPlatform::Win32, rest) => start.on_win32(rest),
        }
    }

    /// `behind` is what follows a separator at the start.
    fn on_win32(mut self, behind: Option<&'a str>) -> Result<Self, &'static str> {
        let platform = PathPlatform::Win32;
        if let Some((letter, rest)) = drive(self.rest) {
            let Some(rest) = platform.behind(rest) else {
                return Err("must not be relative to a drive's current directory");
            };
            (self.volume, self.rest) = (letter, rest);
            return Ok(self);
        }
        if let Some(rest) = self.rest.strip_prefix(r"\\?\") {
            (self.separators, self.is_trimmed, self.is_literal) = (b"\\", false, true);
            if let Some((letter, rest)) = drive(rest)
                && let Some(rest) = rest.strip_prefix('\\')
            {
                (self.volume, self.rest) = (letter, rest);
                return Ok(self);
            }
            return match split(rest, self.separators) {
                (word, Some(rest)) if word.eq_ignore_ascii_case("UNC") => self.on_share(rest),
                _ => Err(DEVICE),
            };
        }
        match behind.map(|rest| platform.behind(rest)) {
            Some(Some(rest)) => self.on_share(rest),
            Some(None) => Err("must name its drive"),
            None => Err(not_absolute(self.rest)),
        }
    }

    /// Two names follow: a server's and that of a folder which it shares. They are a root.
    fn on_share(mut self, path: &'a str) -> Result<Self, &'static str> {
        let (server, rest) = split(path, self.separators);
        let (share, rest) = split(rest.unwrap_or_default(), self.separators);
        if matches!(server, "." | "?") {
            return Err(DEVICE);
        }
        if is_dots(server) || is_dots(share) {
            return Err(SHARE);
        }
        let (server, share) = (self.trimmed(server), self.trimmed(share));
        self.volume = fold_case(&concat(&["//", server, "/", share]));
        self.rest = rest.unwrap_or_default();
        Ok(self)
    }

    fn trimmed<'b>(&self, name: &'b str) -> &'b str {
        let mut end = name.len();
        while self.is_trimmed && end > 0 && matches!(name.as_bytes()[end - 1], b'.' | b' ') {
            end -= 1;
        }
        name.get(..end).unwrap_or_default()
    }

    /// Follows the names.
    fn walk(self) -> Result<String, &'static str> {
        let mut key = self.volume.clone();
        let mut next = Some(self.rest);
        while let Some(rest) = next {
            let name;
            (name, next) = split(rest, self.separators);
            match name {
                // One separator may stand at the end, also of a literal path.
                "" if next.is_none() || !self.is_literal => {}
                "" | "." | ".." if self.is_literal => {
                    return Err(r"must not have an empty name, . or .. behind \\?\");
                }
                "." => {}
                ".." => {
                    let is_start = |&byte: &u8| byte == BEFORE_NAME as u8;
                    if let Some(start) = key.as_bytes().iter().rposition(is_start) {
                        key.truncate(start);
                    }
                }
                _ if self.is_trimmed && is_dots(name) => return Err(NAMELESS),
                _ => {
                    key.push(BEFORE_NAME);
                    key.push_str(self.trimmed(name));
                }
            }
        }
        Ok(key)
    }
}

/// What is wrong with a path that starts with a name.
fn not_absolute(path: &str) -> &'static str {
    let (scheme, rest) = split(path, b":");
    let is_letter = |one: u8| one.is_ascii_alphanumeric() || matches!(one, b'+' | b'-' | b'.');
    if rest.is_some() && scheme.len() > 1 && scheme.bytes().all(is_letter) {
        "must be a path, not a URI"
    } else if path.starts_with('~') {
        "must be an absolute path: ~ is not expanded"
    } else {
        "must be an absolute path"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_in_a_directory_follows_it_in_order() {
        let rules = PathRules::new(PathPlatform::Posix);
        let mut keys = Vec::new();
        for path in ["/a", "/a!", "/a/b", "/a\u{1}", "/", "/a/b/c", "/a-b"] {
            keys.push(key(path, rules).expect("a path"));
        }
        keys.sort();
        let shown: Vec<String> = keys.iter().map(|key| key.replace('\0', "/")).collect();
        assert_eq!(
            shown,
            ["", "/a", "/a/b", "/a/b/c", "/a\u{1}", "/a!", "/a-b"]
        );
        assert_eq!(depth(&keys[3]), 3);
    }

    #[test]
    fn what_is_too_long_is_refused_and_what_is_not_is_taken() {
        let rules = PathRules::new(PathPlatform::Posix);
        let longest = concat(&["/", &"思😀".repeat((LONGEST - 1) / 3)]);
        assert_eq!(longest.encode_utf16().count(), LONGEST);
        assert!(key(&longest, rules).is_ok());
        let units: Vec<u16> = longest.encode_utf16().collect();
        assert_eq!(read_text(&units, "a"), Ok(longest.clone()));
        let longer = longest + "/";
        let error = path_relation("/", &longer, rules).expect_err("too long");
        assert_eq!(
            (error.code(), error.field()),
            (ErrorCode::LimitExceeded, Some("b"))
        );
        let units: Vec<u16> = longer.encode_utf16().collect();
        let error = read_text(&units, "a").expect_err("too long");
        assert_eq!(error.code(), ErrorCode::LimitExceeded);
        let error = read_text(&[0x2f, 0xd83d], "a").expect_err("half");
        assert_eq!(error.code(), ErrorCode::InvalidArgument);
    }

    #[test]
    fn a_form_read_again_is_itself() {
        for (path, rules) in [
            ("/a//b/./c/../d/", PathRules::new(PathPlatform::Posix)),
            (r"\\?\c:\X.\y", PathRules::new(PathPlatform::Win32)),
            (r"\\server\Share\x. \y", PathRules::new(PathPlatform::Win32)),
        ] {
            let first = key(path, rules).expect("a path");
            let mut again = first.replace('\0', "/");
            if path.starts_with(r"\\?\") {
                again = concat(&[r"\\?\", &first.replace('\0', r"\")]);
            }
            assert_eq!(key(&again, rules), Ok(first));
        }
    }
}
