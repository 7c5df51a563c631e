//! The files that a reference may name.
//!
//! A prompt, a rule or an issue pasted into either may have been written by anyone, so a path in
//! it is untrusted until it has passed here, and nothing is asked of the host before it has. The
//! work is lexical ([`turnkeeper_base::path`]). What a lexical rule cannot see, symbolic links above all, is the
//! host's to check.
//!
//! Two readings are guarded against: what the path says, and what the host's software may
//! make of it (a percent escape that is decoded once too often, a name that Windows shortens, a
//! `~` that meets a shell). A path is denied if either leads out. None is ever repaired: a request
//! is made of the names as they were written.

mod denied;
mod disguise;
mod names;
mod place;
mod plain;
#[cfg(test)]
mod tests;

pub(crate) use self::denied::Denied;
use self::disguise::{check_home, check_name, check_start, check_text, is_plain_name};
use self::names::fold;
use self::place::{NormalPath, names, start};
use turnkeeper_base::path::{PathPlatform as Platform, fold_case, is_too_long};

/// The folders that a session may read from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Roots {
    platform: Platform,
    /// The root, then the other allowed ones.
    all: Vec<NormalPath>,
    /// The folders of the workspace by their names, which are among the roots.
    folders: Vec<(String, String)>,
}

/// The first names of absolute paths on the systems in use. A path that begins otherwise, such as
/// `/src/a.ts`, is meant from the root.
const TOP_FOLDERS: [&str; 35] = [
    "applications", "bin", "boot", "cores", "data", "dev", "etc", "home", "lib", "lib32", "lib64",
    "library", "lost+found", "media", "mnt", "net", "network", "nix", "opt", "private", "proc",
    "root", "run", "sbin", "snap", "srv", "sys", "system", "tmp", "usr", "users", "var", "volumes",
    "windows", "workspaces",
];

/// A path that may be asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Resolved {
    /// The path that the host is asked for, with `/`: relative to the root (`.` for the root itself), or
    /// absolute in another allowed root. It never ends with a separator, unless it is the top of
    /// a volume. It is also what the file is called from then on.
    pub(crate) request: String,
    /// The request with case folded where the platform ignores it: two spellings of one file are
    /// equal here, and the first is the one to keep and show.
    pub(crate) folded: String,
    /// Whether only a directory can be meant: the path ends with a separator, `.` or `..`, or is
    /// a root. A path without such a sign may still turn out to be a directory.
    pub(crate) is_directory: bool,
}

impl Roots {
    /// The roots that a host configures. An error is the field at fault and what is wrong.
    ///
    /// Unlike a reference a root is trusted, so that a percent escape, `~` or a look-alike in it is
    /// a name as any other, and a Windows share can be one. It must still say one place, the same
    /// for every reader.
    pub(crate) fn new(
        platform: Platform,
        root: &str,
        allowed: &[String],
    ) -> Result<Self, (String, &'static str)> {
        let others = allowed.iter().enumerate();
        let others = others.map(|(at, text)| (format!("allowedRoots[{at}]"), &text[..]));
        let given = std::iter::once(("root".to_owned(), root)).chain(others);
        let all = given
            .map(|(field, text)| NormalPath::of_root(platform, text).map_err(|why| (field, why)))
            .collect::<Result<_, _>>()?;
        Ok(Self {
            platform,
            all,
            folders: Vec::new(),
        })
    }

    /// The same with folders that have names. An error is the field at fault and what is wrong.
    pub(crate) fn with_folders<'a>(
        mut self,
        folders: impl Iterator<Item = (&'a String, &'a String)>,
    ) -> Result<Self, (String, &'static str)> {
        for (name, text) in folders {
            let field = format!("workspaceFolders.{name}");
            if name.is_empty() || name.contains(['/', '\\', ':', '[', ']']) {
                return Err((field, "must be the name of a folder, not a path"));
            }
            let place = NormalPath::of_root(self.platform, text).map_err(|why| (field, why))?;
            self.all.push(place);
            self.folders.push((name.clone(), text.clone()));
        }
        Ok(self)
    }

    /// Whose rules paths follow.
    pub(crate) fn platform(&self) -> Platform {
        self.platform
    }

    /// The file that a path in a reference leads to, or the reason why it may not be asked for. It
    /// serves a file, a directory, and an image's address if that has no scheme or `file:`.
    pub(crate) fn resolve(&self, written: &str) -> Result<Resolved, Denied> {
        let resolved = match self.in_folder(written) {
            Some(path) => self.locate(&path)?,
            None => match (self.locate(written), self.below_root(written)) {
                (Err(Denied::OUTSIDE | Denied::NO_DRIVE), Some(below)) => self.locate(below)?,
                (located, _) => located?,
            },
        };
        // A request must itself be a harmless path: `./file:/x` is one, its request `file:/x` not.
        self.locate(&resolved.request)?;
        Ok(resolved)
    }

    /// The path that begins with the name of one of the workspace's folders: `web:src/a.ts`.
    fn in_folder(&self, written: &str) -> Option<String> {
        let (name, path) = written.split_once(':')?;
        let (_, folder) = self.folders.iter().find(|(known, _)| known == name)?;
        Some(format!("{folder}/{path}"))
    }

    /// The path below the root that a path with one slash in front means, if it begins as no absolute
    /// path of any system or of a root does, to any reader.
    fn below_root<'a>(&self, written: &'a str) -> Option<&'a str> {
        let below = written.strip_prefix('/')?;
        let first = self.platform.split(below).0;
        let is_name = is_plain_name(first);
        let first = first.trim_end_matches(['.', ' ']);
        let of_root = |root: &NormalPath| {
            let name = root.names.first();
            name.is_some_and(|name| fold_case(name) == fold_case(first))
        };
        let is_top = |top: &str| top.eq_ignore_ascii_case(first);
        let is_absolute = TOP_FOLDERS.into_iter().any(is_top) || self.all.iter().any(of_root);
        (is_name && !is_absolute).then_some(below)
    }

    fn locate(&self, written: &str) -> Result<Resolved, Denied> {
        check_text(written)?;
        let (volume, rest) = start(self.platform, written)?;
        let (mut names, is_directory) = names(self.platform, rest);
        let mut place = self.all[0].clone();
        // The names of a root are the host's own, so only what is below it is checked.
        let mut known = 0;
        let is_relative = volume.is_none();
        if let Some(volume) = volume {
            place = NormalPath { volume, names };
            for root in &self.all {
                if place.is_in(root, self.platform) {
                    known = known.max(root.names.len());
                }
            }
            names = std::mem::take(&mut place.names);
        }
        for name in &names[known..] {
            if name != ".." {
                check_name(self.platform, name)?;
            }
        }
        if is_relative {
            check_start(self.platform, written)?;
        }
        if !place.walk(&names) {
            return Err(Denied::OUTSIDE);
        }
        self.hand_out(&place, is_directory)
    }

    fn hand_out(&self, place: &NormalPath, is_directory: bool) -> Result<Resolved, Denied> {
        let is_above = |root: &&NormalPath| place.is_in(root, self.platform);
        let Some(root) = self.all.iter().find(is_above) else {
            return Err(if place.volume.starts_with('/') {
                Denied::NETWORK
            } else {
                Denied::OUTSIDE
            });
        };
        let names = &place.names[root.names.len()..];
        let request = if *root != self.all[0] {
            // Another root keeps its own spelling.
            let volume = std::slice::from_ref(&root.volume);
            let all = [volume, &root.names, names].concat();
            // No separator at the end, unless it is the top of a volume.
            let end = if all.len() > 1 { "" } else { "/" };
            all.join("/") + end
        } else if let Some(first) = names.first() {
            check_home(first, names.len() > 1 || is_directory)?;
            names.join("/")
        } else {
            ".".to_owned()
        };
        if is_too_long(&request) {
            return Err(Denied::TOO_LONG);
        }
        Ok(Resolved {
            folded: fold(self.platform, &request),
            request,
            is_directory: is_directory || names.is_empty(),
        })
    }
}
