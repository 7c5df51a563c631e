//! The rules by which paths are compared, and what comes of it.

use serde::Serialize;

use crate::refusal::refusal;
use turnkeeper_base::path::PathPlatform;
use turnkeeper_base::{Error, ErrorCode, path::is_drive};

/// The relation of two directories.
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

/// The rules that paths follow: those of a platform, and whether case counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PathRules {
    /// The platform, chosen by the host and never by where the code runs.
    pub platform: PathPlatform,
    /// Whether names that differ in case alone are two. Drive letters, servers and shares never
    /// differ by it.
    pub case_sensitive: bool,
}

impl PathRules {
    /// The usual rules of a platform: case counts on posix only.
    #[must_use]
    pub fn new(platform: PathPlatform) -> Self {
        Self::of(platform, None)
    }

    /// The usual rules of a platform, unless it is said whether case counts.
    pub(super) fn of(platform: PathPlatform, case_sensitive: Option<bool>) -> Self {
        Self {
            platform,
            case_sensitive: case_sensitive.unwrap_or(platform == PathPlatform::Posix),
        }
    }
}

/// The options by which two paths are compared.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, serde::Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PathOptions {
    /// The platform whose rules the paths follow; the one that the code runs on does not matter. Left out, it is what
    /// both paths say: `win32` by a drive or a backslash, `posix` by a leading slash. It is required if they
    /// do not say the same.
    #[cfg_attr(
        feature = "typescript",
        ts(optional, type = "PathPlatform | PosixSystem")
    )]
    pub platform: Option<PathPlatform>,
    /// Whether names that differ only in case are different. Default: `true` for `posix`, `false` for
    /// `win32`.
    pub case_sensitive: Option<bool>,
}

impl PathOptions {
    /// The rules for two paths. An error asks for the platform.
    pub fn rules_for(self, paths: [&str; 2]) -> Result<PathRules, Error> {
        let [a, b] = paths.map(platform_of);
        let said = a.filter(|_| a == b);
        let platform = self.platform.or(said).ok_or_else(|| {
            let message = "is needed: the two paths do not say which one";
            refusal(ErrorCode::InvalidConfig, "platform", message)
        })?;
        Ok(PathRules::of(platform, self.case_sensitive))
    }
}

/// The platform that a path says itself.
fn platform_of(path: &str) -> Option<PathPlatform> {
    if path.starts_with('/') {
        Some(PathPlatform::Posix)
    } else if path.contains('\\') || path.get(..2).is_some_and(is_drive) {
        Some(PathPlatform::Win32)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_say_their_platform_when_both_say_the_same() {
        let (posix, win32) = (Some(PathPlatform::Posix), Some(PathPlatform::Win32));
        let table = [
            ("/a", "/a/b", posix),
            (r"C:\a", "c:/a/b", win32),
            (r"\\server\share", r"D:\a", win32),
            (r"C:\a", "/a", None),
            ("a", "a", None),
            ("", "/a", None),
        ];
        for (a, b, expected) in table {
            let rules = PathOptions::default().rules_for([a, b]);
            let error = rules.as_ref().err().and_then(Error::field);
            assert_eq!(error, expected.is_none().then_some("platform"), "{a} {b}");
            assert_eq!(rules.ok(), expected.map(PathRules::new), "{a} {b}");
            let named = PathOptions {
                platform: win32,
                case_sensitive: Some(true),
            };
            let rules = named.rules_for([a, b]).expect("it is named");
            assert_eq!(rules, PathRules::of(PathPlatform::Win32, Some(true)));
        }
    }
}
