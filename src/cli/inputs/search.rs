//! The files in a folder.

use std::collections::HashSet;
use std::ffi::OsString;
use std::fs::{self, FileType};
use std::path::{Path, PathBuf};

use super::event_folder::event_files;
use super::input::Input;
use super::opencode_storage::opencode_sessions;
use crate::files::is_temporary;
use crate::problem::{InFile, Problem};

/// Finds the files in a folder. Each folder and each file is taken once, under its own name rather than under that of
/// a link to it, so links cost no more than what they lead to.
pub(crate) struct FolderSearch<'a> {
    folder: &'a Path,
    is_wanted: &'a dyn Fn(&Path) -> bool,
    complain: &'a mut dyn FnMut(Problem),
    /// The real paths of what was taken.
    taken: HashSet<PathBuf>,
    /// Links to be followed when everything that has its own name in the folder was taken.
    links: Vec<(PathBuf, PathBuf)>,
    found: Vec<Input>,
}

impl<'a> FolderSearch<'a> {
    /// `is_wanted` chooses among the files; `complain` is told of folders, links and files that cannot be read.
    pub(crate) fn new(
        folder: &'a Path,
        is_wanted: &'a dyn Fn(&Path) -> bool,
        complain: &'a mut dyn FnMut(Problem),
    ) -> Self {
        FolderSearch {
            folder,
            is_wanted,
            complain,
            taken: HashSet::new(),
            links: Vec::new(),
            found: Vec::new(),
        }
    }

    /// The files, folder by folder, in the order of their names.
    pub(crate) fn find(mut self) -> Vec<Input> {
        match fs::canonicalize(self.folder).reading(self.folder) {
            Ok(real) => self.walk(self.folder.to_owned(), real),
            Err(problem) => (self.complain)(problem),
        }
        // More may be added while these are followed.
        let mut next = 0;
        while let Some((link, at)) = self.links.get(next).cloned() {
            next += 1;
            self.follow(link, &at);
        }
        self.found.sort_by(|a, b| a.file.cmp(&b.file));
        self.found
    }

    /// Takes a folder and all below it.
    fn walk(&mut self, name: PathBuf, real: PathBuf) {
        let mut folders = vec![(name, real)];
        while let Some((name, real)) = folders.pop() {
            if !self.taken.insert(real.clone()) {
                continue;
            }
            match entries_of(&name, &real) {
                Ok(entries) => self.folder(&name, &real, entries, &mut folders),
                Err(problem) => (self.complain)(problem),
            }
        }
    }

    fn folder(
        &mut self,
        name: &Path,
        real: &Path,
        entries: Vec<(OsString, Option<FileType>)>,
        folders: &mut Vec<(PathBuf, PathBuf)>,
    ) {
        let names: Vec<OsString> = entries.iter().map(|(entry, _)| entry.clone()).collect();
        let kept_in_parts = |file: PathBuf, parts| Input {
            parts: Some(parts),
            ..Input::found(file)
        };
        if let Some(parts) = event_files(name, &names) {
            return self.found.push(kept_in_parts(name.to_owned(), parts));
        }
        if let Some(sessions) = opencode_sessions(name, &names) {
            let sessions = sessions.into_iter();
            return self
                .found
                .extend(sessions.map(|(file, parts)| kept_in_parts(file, parts)));
        }
        for (entry, kind) in entries {
            // A file that a program of ours is writing, or was when it was killed.
            if is_temporary(&entry) {
                continue;
            }
            let (child, real) = (name.join(&entry), real.join(&entry));
            match kind {
                Some(kind) if kind.is_symlink() => self.links.push((child, real)),
                Some(kind) if kind.is_dir() => folders.push((child, real)),
                kind => self.take(child, real, kind),
            }
        }
    }

    /// Follows a link that lies `at` a place without links: systems follow some forty in one path, and no more.
    fn follow(&mut self, link: PathBuf, at: &Path) {
        let (Ok(found), Ok(real)) = (fs::metadata(at), fs::canonicalize(at)) else {
            return self.take(link.clone(), link, None);
        };
        if !found.is_dir() {
            return self.take(link, real, Some(found.file_type()));
        }
        if at.parent().is_some_and(|around| around.starts_with(&real)) {
            (self.complain)(Problem::new(&link, "is a link to a folder around it"));
        } else {
            self.walk(link, real);
        }
    }

    /// Takes a file. Of one whose kind cannot be had, whoever opens it will say why.
    fn take(&mut self, file: PathBuf, real: PathBuf, kind: Option<FileType>) {
        if kind.is_some_and(|kind| !kind.is_file()) {
            // Pipes, sockets and devices: to read one may wait for ever.
            (self.complain)(Problem::new(&file, "is no regular file"));
        } else if (self.is_wanted)(&file) && self.taken.insert(real) {
            self.found.push(Input::found(file));
        }
    }
}

/// The names in a folder, in their order, and their kinds, as far as they can be had.
fn entries_of(
    folder: &Path,
    real: &Path,
) -> crate::problem::Result<Vec<(OsString, Option<FileType>)>> {
    let mut entries = Vec::new();
    for entry in fs::read_dir(real).reading(folder)? {
        let entry = entry.reading(folder)?;
        entries.push((entry.file_name(), entry.file_type().ok()));
    }
    entries.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
    Ok(entries)
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    /// The files that are found below a folder, and what is complained of.
    fn found(folder: &Path) -> (Vec<String>, Vec<String>) {
        let mut problems = Vec::new();
        let told = |path: &Path| {
            let below = path.strip_prefix(folder).expect("below the folder");
            below.to_string_lossy().into_owned()
        };
        let mut complain =
            |problem: Problem| problems.push(format!("{} {}", told(&problem.file), problem.why));
        let inputs = FolderSearch::new(folder, &|_| true, &mut complain).find();
        (
            inputs.iter().map(|input| told(&input.file)).collect(),
            problems,
        )
    }

    fn write(file: PathBuf) {
        fs::create_dir_all(file.parent().expect("a folder")).expect("made");
        fs::write(file, "{}").expect("written");
    }

    #[test]
    fn links_are_followed_once_after_what_has_its_own_name() {
        let root = tempfile::tempdir().expect("a folder");
        let other = tempfile::tempdir().expect("a folder");
        let (folder, other) = (root.path(), other.path());
        write(folder.join("sub/one.jsonl"));
        write(other.join("a.jsonl"));
        write(other.join("b.jsonl"));
        symlink(folder.join("sub"), folder.join("all")).expect("a link");
        symlink(folder.join("sub/one.jsonl"), folder.join("again.jsonl")).expect("a link");
        symlink(other, folder.join("b")).expect("a link");
        symlink(other.join("b.jsonl"), folder.join("a.jsonl")).expect("a link");
        symlink(folder, folder.join("sub/up")).expect("a link");
        let (files, problems) = found(folder);
        assert_eq!(files, ["a.jsonl", "b/a.jsonl", "sub/one.jsonl"]);
        assert_eq!(problems, ["sub/up is a link to a folder around it"]);
    }

    #[test]
    fn links_that_double_at_each_level_are_followed_once_each() {
        let root = tempfile::tempdir().expect("a folder");
        let start = root.path().join("start");
        let mut level = start.clone();
        fs::create_dir_all(&level).expect("made");
        for n in 0..40 {
            let next = root.path().join(format!("levels/{n}"));
            fs::create_dir_all(&next).expect("made");
            for side in ["left", "right"] {
                symlink(&next, level.join(side)).expect("a link");
            }
            level = next;
        }
        write(level.join("end.jsonl"));
        let (files, problems) = found(&start);
        assert_eq!((files.len(), problems.len()), (1, 0));
    }

    #[test]
    fn pipes_and_devices_are_told_of_and_what_leads_nowhere_is_left_to_who_opens_it() {
        let root = tempfile::tempdir().expect("a folder");
        let folder = root.path();
        symlink("/dev/zero", folder.join("zero.jsonl")).expect("a link");
        symlink("nowhere", folder.join("dangling.jsonl")).expect("a link");
        symlink("round.jsonl", folder.join("round.jsonl")).expect("a link");
        let (files, problems) = found(folder);
        assert_eq!(files, ["dangling.jsonl", "round.jsonl"]);
        assert_eq!(problems, ["zero.jsonl is no regular file"]);
    }

    #[test]
    fn a_file_that_is_being_written_is_none() {
        let root = tempfile::tempdir().expect("a folder");
        write(
            root.path()
                .join(".turnkeeper-123456789-0123456789abcdef.tmp"),
        );
        write(root.path().join("one.jsonl"));
        assert_eq!(found(root.path()).0, ["one.jsonl"]);
    }
}
