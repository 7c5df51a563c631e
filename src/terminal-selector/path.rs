//! How two directories are related, by their text alone.

use serde::{Deserialize, Serialize};

use super::directory::Directory;
use turnkeeper_base::error::Error;
use turnkeeper_base::path::PathPlatform;

/// How two directories are related.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS, documented::DocumentedFields)
)]
#[serde(rename_all = "lowercase")]
pub enum PathRelation {
    /// They are the same directory.
    Same,
    /// The first contains the second.
    Parent,
    /// The first is inside the second.
    Child,
    /// Neither contains the other.
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

/// How two paths are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct PathOptions {
    /// Whose rules the paths follow. The host says it; the platform that the code runs on does not matter.
    pub(crate) platform: PathPlatform,
    /// Whether names that differ only in case are different. Default: `true` for `posix`, `false` for
    /// `win32`.
    pub(crate) case_sensitive: Option<bool>,
}

impl From<PathOptions> for PathRules {
    fn from(options: PathOptions) -> Self {
        let usual = Self::new(options.platform);
        Self {
            case_sensitive: options.case_sensitive.unwrap_or(usual.case_sensitive),
            ..usual
        }
    }
}

/// How directory `a` lies to directory `b`, both absolute.
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

/// Whether a terminal may be led from one directory to another by `cd`: they are the same, or one
/// contains the other.
///
/// # Errors
/// As [`path_relation`], naming `from` or `to`.
pub fn can_change_directory(from: &str, to: &str, rules: PathRules) -> Result<bool, Error> {
    let from = Directory::read(from, rules, "from")?;
    let to = Directory::read(to, rules, "to")?;
    Ok(from.relation_to(&to) != PathRelation::Unrelated)
}
