//! One spelling for each path.

use rustc_hash::FxHashMap;

use turnkeeper_base::path::{LONGEST, PathPlatform, fold_case, is_too_long, split_drive};

/// Makes paths comparable, by their text alone, relative to one folder.
#[derive(Debug, Clone, Default)]
pub(super) struct PathSpelling {
    /// The folder that relative paths start from, in its own one spelling, without `/` at its end.
    root: Option<Root>,
    /// The folders of a workspace that has several, by their names; `None` for a name that two have.
    folders: FxHashMap<String, Option<Root>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Root {
    names: Vec<String>,
    platform: PathPlatform,
}

impl PathSpelling {
    pub(super) fn new(root: Option<&str>) -> Self {
        Self {
            root: root.and_then(Root::new),
            folders: FxHashMap::default(),
        }
    }

    pub(super) fn set_root(&mut self, root: &str) {
        self.root = Root::new(root);
    }

    /// Says where a folder of the workspace is that paths may name as `@name:src/a.ts`.
    pub(super) fn add_folder(&mut self, name: &str, path: &str) {
        let root = Root::new(path);
        let known = self.folders.entry(name.to_owned());
        known
            .and_modify(|known| {
                if *known != root {
                    *known = None;
                }
            })
            .or_insert(root);
    }

    /// The one spelling of a path: names joined by `/`. Without a root, paths that are relative have
    /// no `/` at the start, and `\` separates in them as well: few names have one, and many agents on
    /// Windows mix the two.
    pub(super) fn of(&self, path: &str) -> Option<String> {
        let path = path.trim();
        if path.is_empty() || path.len() > 4 * LONGEST || is_too_long(path) {
            return None;
        }
        Some(match in_folder(path) {
            Some((_, rest)) if platform_of(rest).is_some() => self.of_root(rest),
            Some((folder, rest)) => self.of_folder(folder, rest),
            None => self.of_root(path),
        })
    }

    /// The spelling of a path in a named folder: from the folder's own path, or if nobody knows it, from
    /// its name.
    fn of_folder(&self, folder: &str, rest: &str) -> String {
        if let Some(Some(root)) = self.folders.get(folder) {
            return spelled(root.names.clone(), rest, true, root.platform);
        }
        let root = self.root.as_ref();
        let platform = root.map_or(PathPlatform::Posix, |root| root.platform);
        spelled(vec![format!("@{folder}:")], rest, false, platform)
    }

    fn of_root(&self, path: &str) -> String {
        match (platform_of(path), &self.root) {
            (Some(platform), _) => spelled(Vec::new(), path, true, platform),
            (None, Some(root)) => spelled(root.names.clone(), path, true, root.platform),
            (None, None) => {
                let path = path.replace('\\', "/");
                spelled(Vec::new(), &path, false, PathPlatform::Posix)
            }
        }
    }
}

impl Root {
    fn new(path: &str) -> Option<Self> {
        if is_too_long(path) {
            return None;
        }
        let platform = platform_of(path).unwrap_or(PathPlatform::Posix);
        let mut names = Vec::new();
        push_names(&mut names, path, platform);
        Some(Self { names, platform })
    }
}

/// The folder and the path in it that `@folder:path` names, as Cline spells paths in a workspace of several
/// folders.
fn in_folder(path: &str) -> Option<(&str, &str)> {
    let (folder, rest) = path.strip_prefix('@')?.split_once(':')?;
    let (folder, rest) = (folder.trim(), rest.trim());
    let is_name = !folder.is_empty() && !folder.contains(['/', '\\']);
    is_name.then_some((folder, rest))
}

/// The spelling of a path that starts from these names.
fn spelled(
    mut names: Vec<String>,
    path: &str,
    is_anchored: bool,
    platform: PathPlatform,
) -> String {
    push_names(&mut names, path, platform);
    let mut spelling = names.join("/");
    if is_anchored {
        spelling.insert(0, '/');
    }
    if platform == PathPlatform::Win32 {
        spelling = fold_case(&spelling);
    }
    spelling
}

/// The platform whose absolute path it is; `None` if it is relative.
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
    fn a_folder_of_the_workspace_is_its_path_if_that_is_known_and_else_its_name() {
        let mut spelling = PathSpelling::new(Some("/work/web"));
        spelling.add_folder("web", "/work/web");
        spelling.add_folder("server", "/work/server");
        spelling.add_folder("windows", "D:\\srv");
        spelling.add_folder("app", "/one/app");
        spelling.add_folder("app", "/two/app");
        let cases = [
            ("@web:src/a.ts", "/work/web/src/a.ts"),
            ("src/a.ts", "/work/web/src/a.ts"),
            ("@server:./src/x/../a.ts", "/work/server/src/a.ts"),
            ("@server: a.ts", "/work/server/a.ts"),
            ("@windows:src\\A.ts", "/D:/SRV/SRC/A.TS"),
            ("@app:./a.ts", "@app:/a.ts"),
            ("@other:a.ts", "@other:/a.ts"),
            ("@server:/etc/a.ts", "/etc/a.ts"),
            ("@other/b:a.ts", "/work/web/@other/b:a.ts"),
            ("server:a.ts", "/work/web/server:a.ts"),
            ("@:a.ts", "/work/web/@:a.ts"),
        ];
        for (path, spelled) in cases {
            assert_eq!(spelling.of(path).as_deref(), Some(spelled), "{path}");
        }
    }

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
