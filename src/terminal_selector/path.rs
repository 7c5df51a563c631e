//! How two directories lie to each other, by their text alone.

use serde::Serialize;

use super::refusal;
use crate::error::{Error, ErrorCode};
use crate::path::{LONGEST, PathPlatform, fold_case, is_dots, is_drive, is_too_long, split};
use crate::text::push;
use turnkeeper_kernels::exact;

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
    Ok(relation(&key(a, rules, "a")?, &key(b, rules, "b")?))
}

/// Whether a terminal may be led from one directory to another by `cd`: they are the same, or one
/// contains the other.
///
/// # Errors
/// As [`path_relation`], naming `from` or `to`.
pub fn can_change_directory(from: &str, to: &str, rules: PathRules) -> Result<bool, Error> {
    let relation = relation(&key(from, rules, "from")?, &key(to, rules, "to")?);
    Ok(relation != PathRelation::Unrelated)
}

/// The relation of paths that came as UTF-16. An error calls them by these names.
#[cfg_attr(not(target_family = "wasm"), allow(dead_code))]
pub(crate) fn relation_between(
    a: &[u16],
    b: &[u16],
    rules: PathRules,
    fields: [&str; 2],
) -> Result<PathRelation, Error> {
    let mut keys = [const { String::new() }; 2];
    for (at, units) in [a, b].into_iter().enumerate() {
        let path = read_text(units, fields[at])?;
        keys[at] = key(&path, rules, fields[at])?;
    }
    Ok(relation(&keys[0], &keys[1]))
}

/// The relation of two directories by their [`key`]s.
fn relation(a: &str, b: &str) -> PathRelation {
    if a == b {
        PathRelation::Same
    } else if is_within(b, a) {
        PathRelation::Parent
    } else if is_within(a, b) {
        PathRelation::Child
    } else {
        PathRelation::Unrelated
    }
}

/// Stands before each name of a [`key`]. No path has it, and it sorts before everything that may
/// stand in a name, so what is in a directory follows that directory in order.
const BEFORE_NAME: &str = "\0";

/// Whether one directory, by its [`key`], is inside another.
pub(super) fn is_within(inner: &str, outer: &str) -> bool {
    let (inner, outer) = (inner.as_bytes(), outer.as_bytes());
    inner.len() > outer.len() && inner[outer.len()] == 0 && inner[..outer.len()] == *outer
}

/// How deep a directory lies below its root, by its [`key`].
pub(super) fn depth(key: &str) -> u32 {
    let mut depth = 0;
    for byte in key.bytes() {
        depth += u32::from(byte == 0);
    }
    depth
}

/// A directory in a form that is the same for every way to write it: what it is absolute in
/// (nothing, `C:` or `//SERVER/SHARE`), and its names. An error names the field.
#[inline(never)]
pub(super) fn key(path: &str, rules: PathRules, field: &str) -> Result<String, Error> {
    if is_too_long(path) {
        return Err(too_long(field));
    }
    let mut key = String::new();
    if !follow(path, rules.platform, &mut key) {
        let why = fault(path, rules.platform);
        return Err(refusal(ErrorCode::InvalidArgument, field, why));
    }
    if !rules.case_sensitive {
        key = fold_case(&key);
    }
    Ok(key)
}

/// The text of a path that came as UTF-16.
#[cfg_attr(not(target_family = "wasm"), allow(dead_code))]
fn read_text(units: &[u16], field: &str) -> Result<String, Error> {
    if units.len() > LONGEST {
        return Err(too_long(field));
    }
    let message = "must not have half of a surrogate pair";
    exact(units).ok_or_else(|| refusal(ErrorCode::InvalidArgument, field, message))
}

pub(super) fn too_long(field: &str) -> Error {
    let message = "must have at most 4096 UTF-16 units";
    refusal(ErrorCode::LimitExceeded, field, message)
}

/// What stands before a path that is taken literally: every character stands for itself.
const LITERAL: &str = r"\\?\";

/// Writes the [`key`] but for the case of names, and says whether the path says one place.
fn follow(path: &str, platform: PathPlatform, key: &mut String) -> bool {
    let is_win32 = platform == PathPlatform::Win32;
    let literal = path.strip_prefix(LITERAL).filter(|_| is_win32);
    let separators = match literal {
        Some(_) => b"\\",
        None => platform.separators(),
    };
    // Dots and spaces at the end of a name do not count.
    let is_trimmed = is_win32 && literal.is_none();
    let (first, mut next) = split(literal.unwrap_or(path), separators);
    // A NUL would be taken for what stands before a name.
    let mut is_right = next.is_some() && !has_nul(path);
    if !is_win32 {
        is_right &= first.is_empty();
    } else if is_drive(first) {
        push(key, first);
    } else {
        // A share follows: the names of a server and of a folder there. They are a root.
        if literal.is_some() {
            is_right &= first.eq_ignore_ascii_case("UNC");
        } else {
            next = next.and_then(|rest| platform.behind(rest));
            is_right &= first.is_empty();
        }
        push(key, "/");
        for _ in 0..2 {
            let name;
            (name, next) = split(next.unwrap_or_default(), separators);
            is_right &= !is_dots(name) && name != "?";
            push(key, "/");
            push_name(key, name, is_trimmed);
        }
    }
    key.make_ascii_uppercase();
    let root = key.len();
    while let Some(rest) = next {
        let name;
        (name, next) = split(rest, separators);
        match name {
            // One separator may stand at the end, also of a literal path.
            "" if next.is_none() || literal.is_none() => {}
            "" | "." | ".." if literal.is_some() => is_right = false,
            "." => {}
            ".." => {
                let start = key.as_bytes().iter().rposition(|&byte| byte == 0);
                key.truncate(start.unwrap_or(root));
            }
            _ => {
                is_right &= !(is_trimmed && is_dots(name));
                push(key, BEFORE_NAME);
                push_name(key, name, is_trimmed);
            }
        }
    }
    is_right
}

fn has_nul(path: &str) -> bool {
    split(path, b"\0").1.is_some()
}

fn push_name(key: &mut String, name: &str, is_trimmed: bool) {
    let mut end = name.len();
    while is_trimmed && end > 0 && matches!(name.as_bytes()[end - 1], b'.' | b' ') {
        end -= 1;
    }
    push(key, name.get(..end).unwrap_or_default());
}

/// What is wrong with a path that does not say one place.
fn fault(path: &str, platform: PathPlatform) -> &'static str {
    // What is absolute has a separator behind its drive, or behind another one.
    let is_driven = path.get(..2).is_some_and(is_drive);
    let top = if is_driven {
        path.get(2..)
    } else {
        platform.behind(path)
    };
    let is_absolute = top.is_some_and(|rest| platform.behind(rest).is_some());
    let (scheme, rest) = split(path, b":");
    let is_letter = |one: u8| one.is_ascii_alphanumeric() || matches!(one, b'+' | b'-' | b'.');
    if has_nul(path) {
        "must not have a NUL"
    } else if platform == PathPlatform::Win32 && path.starts_with(LITERAL) {
        r"must name a drive or a share behind \\?\, and have no empty name, . or .."
    } else if platform == PathPlatform::Win32 && is_absolute {
        "must name a drive or a share, and have no name of dots and spaces alone"
    } else if platform == PathPlatform::Win32 && top.is_some() {
        "must not be relative to a current directory or drive"
    } else if scheme.len() > 1 && rest.is_some() && scheme.bytes().all(is_letter) {
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
            keys.push(key(path, rules, "").expect("a path"));
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
        let longest = "/".to_owned() + &"思😀".repeat((LONGEST - 1) / 3);
        assert_eq!(longest.encode_utf16().count(), LONGEST);
        assert!(key(&longest, rules, "").is_ok());
        let units: Vec<u16> = longest.encode_utf16().collect();
        assert_eq!(read_text(&units, ""), Ok(longest.clone()));
        let longer = longest + "/";
        let error = path_relation("/", &longer, rules).expect_err("too long");
        assert_eq!(
            (error.code(), error.field()),
            (ErrorCode::LimitExceeded, Some("b"))
        );
        let code = |units: &[u16]| read_text(units, "").map_err(|error| error.code());
        let units: Vec<u16> = longer.encode_utf16().collect();
        assert_eq!(code(&units), Err(ErrorCode::LimitExceeded));
        assert_eq!(code(&[0x2f, 0xd83d]), Err(ErrorCode::InvalidArgument));
    }

    #[test]
    fn a_form_read_again_is_itself() {
        for (path, rules) in [
            ("/a//b/./c/../d/", PathRules::new(PathPlatform::Posix)),
            (r"\\?\c:\X.\y", PathRules::new(PathPlatform::Win32)),
            (r"\\server\Share\x. \y", PathRules::new(PathPlatform::Win32)),
        ] {
            let first = key(path, rules, "").expect("a path");
            let mut again = first.replace('\0', "/");
            if path.starts_with(r"\\?\") {
                again = r"\\?\".to_owned() + &first.replace('\0', r"\");
            }
            assert_eq!(key(&again, rules, ""), Ok(first));
        }
    }
}
