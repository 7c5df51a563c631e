//! One spelling for each path.

use crate::path::{LONGEST, PathPlatform, fold_case, is_too_long, split_drive};

/// Makes paths comparable, by their text alone, relative to one folder.
#[derive(Debug, Clone, Default)]
pub(super) struct PathSpelling {
    /// The folder that relative paths start from, in its own one spelling, without `/` at its end.
    root: Option<Root>,
}

#[derive(Debug, Clone)]
struct Root {
    names: Vec<String>,
    platform: PathPlatform,
}

impl PathSpelling {
    pub(super) fn new(root: Option<&str>) -> Self {
        let root = root.filter(|root| !is_too_long(root)).map(|root| {
            let platform = platform_of(root).unwrap_or(PathPlatform::Posix);
            let mut names = Vec::new();
            push_names(&mut names, root, platform);
            Root { names, platform }
        });
        Self { root }
    }

    /// The one spelling of a path: names joined by `/`. Without a root, paths that are relative have
    /// no `/` at the start, and `\` separates in them as well: few names have one, and many agents on
    /// Windows mix the two.
    pub(super) fn of(&self, path: &str) -> Option<String> {
        let path = path.trim();
        if path.is_empty() || path.len() > 4 * LONGEST || is_too_long(path) {
            return None;
        }
        let own = platform_of(path);
        let platform = match (&self.root, own) {
            (_, Some(platform)) => platform,
            (Some(root), None) => root.platform,
            (None, None) => PathPlatform::Posix,
        };
        let is_relative = own.is_none();
        let mut names = match &self.root {
            Some(root) if is_relative => root.names.clone(),
            _ => Vec::new(),
        };
        let is_anchored = !is_relative || self.root.is_some();
        if is_relative && self.root.is_none() {
            push_names(&mut names, &path.replace('\\', "/"), platform);
        } else {
            push_names(&mut names, path, platform);
        }
        let mut spelling = names.join("/");
        if is_anchored {
            spelling.insert(0, '/');
        }
        if platform == PathPlatform::Win32 {
            spelling = fold_case(&spelling);
        }
        Some(spelling)
    }
}

/// Whose absolute path it is; `None` if it is relative.
fn platform_of(path: &str) -> Option<PathPlatform> {
    if split_drive(path).is_some_and(|(_, rest)| rest.starts_with(['/', '\\']))
        || path.starts_with("\\\\")
    {
        Some(PathPlatform::Win32)
    } else {
        path.starts_with('/').then_some(PathPlatform::Posix)
    }
}

/// Follows a path from where `names` are.
fn push_names(names: &mut Vec<String>, path: &str, platform: PathPlatform) {
    let mut rest = Some(path);
    while let Some(text) = rest {
        let (name, after) = platform.split(text);
        rest = after;
        match name {
            "" | "." => {}
            ".." if names.last().is_some_and(|last| last != "..") => {
                names.pop();
            }
            // Windows leaves these off.
            _ if platform == PathPlatform::Win32 && name != ".." => {
                names.push(name.trim_end_matches(['.', ' ']).to_owned());
            }
            _ => names.push(name.to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_one_path_are_equal_and_those_of_two_are_not() {
        let cases: [(Option<&str>, &str, &str, bool); 14] = [
            (None, "src/a.ts", "./src/a.ts", true),
            (None, "src/a.ts", "src//x/../a.ts", true),
            (None, "src/a.ts", "src\\a.ts", true),
            (None, "src/a.ts", "src/A.ts", false),
            (None, "src/a.ts", "/src/a.ts", false),
            (None, "a.ts", "../a.ts", false),
            (Some("/w"), "src/a.ts", "/w/src/a.ts", true),
            (Some("/w/"), "../v/a.ts", "/v/a.ts", true),
            (Some("/w"), "src/a.ts", "src\\a.ts", false),
            (Some("/w"), "src/a.ts", "/w/src/A.ts", false),
            (Some("C:\\w"), "src\\A.ts", "c:/w/SRC/a.ts", true),
            (Some("c:/w"), "a.ts", "D:\\w\\a.ts", false),
            (None, "C:\\w\\a.ts", "c:/w/./a.ts", true),
            (None, "\\\\server\\share\\a", "\\\\SERVER\\share\\A", true),
        ];
        for (root, left, right, are_same) in cases {
            let spelling = PathSpelling::new(root);
            let (one, other) = (spelling.of(left), spelling.of(right));
            assert!(one.is_some());
            assert_eq!(one == other, are_same, "{root:?}: {left} and {right}");
        }
        assert_eq!(PathSpelling::default().of(" "), None);
        assert_eq!(PathSpelling::default().of(&"a".repeat(5_000)), None);
    }
}
