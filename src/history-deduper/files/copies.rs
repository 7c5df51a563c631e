//! The copies in a history, by their files.

use std::collections::HashMap;

use super::copy::{CopyKind, Extent, FileCopy};
use super::moves::{is_pattern, may_match, mover_of, words_of};
use super::paths::PathSpelling;

/// A short text that may be a refusal supersedes no copy of more than this many times its length.
const LONGER_THAN_A_REFUSAL: u32 = 2;
/// Longer texts, in UTF-16 code units, are no refusals.
const LONGEST_REFUSAL: u32 = 1_000;

/// The copies in a history. Taking one in costs time proportional to the copies of its file that
/// nothing supersedes yet, which are few.
#[derive(Debug, Clone, Default)]
pub(in super::super) struct FileCopies {
    spelling: PathSpelling,
    paths: Vec<Path>,
    files: Vec<File>,
    files_by_spelling: HashMap<String, usize>,
    files_by_name: HashMap<String, Vec<usize>>,
    copies: Vec<KnownCopy>,
}

/// A path as the history spells it.
#[derive(Debug, Clone)]
struct Path {
    shown: String,
    /// The index of its file; `None` if it is no path.
    file: Option<usize>,
}

/// A file, by one spelling of its path.
#[derive(Debug, Clone)]
struct File {
    spelling: String,
    /// The copies that nothing supersedes and that something may still supersede.
    current: Vec<usize>,
    /// How often something is known to have edited it, or to have been able to.
    edits: u32,
}

#[derive(Debug, Clone)]
struct KnownCopy {
    copy: FileCopy,
    /// How many requests had been made before it came.
    requests_before: u32,
    /// How often its file had been edited before.
    edits_before: u32,
    superseded_by: Option<usize>,
}

/// A copy that a newer one supersedes.
#[derive(Debug, Clone)]
pub(in super::super) struct SupersededCopy {
    /// Its number, as [`FileCopies::add`] gave it.
    pub(in super::super) number: u32,
    pub(in super::super) copy: FileCopy,
    pub(in super::super) requests_before: u32,
    /// Its path, as its history spells it.
    pub(in super::super) path: String,
    /// The index of the message that has the newest copy.
    pub(in super::super) newest: u32,
}

impl FileCopies {
    pub(in super::super) fn new(root: Option<&str>) -> Self {
        Self {
            spelling: PathSpelling::new(root),
            ..Self::default()
        }
    }

    /// Says what relative paths start from, unless that is known or paths were numbered before.
    pub(in super::super) fn set_root(&mut self, root: &str) {
        if self.paths.is_empty() {
            self.spelling.set_root(root);
        }
    }

    /// Says where a folder of the workspace is, unless paths were numbered before.
    pub(in super::super) fn add_folder(&mut self, name: &str, path: &str) {
        if self.paths.is_empty() {
            self.spelling.add_folder(name, path);
        }
    }

    /// The number of a path, to say of a copy whose it is.
    pub(in super::super) fn path_number(&mut self, path: &str) -> u32 {
        let spelling = self.spelling.of(path);
        let file = spelling.map(|spelling| match self.files_by_spelling.get(&spelling) {
            Some(file) => *file,
            None => self.add_file(spelling),
        });
        self.paths.push(Path {
            shown: path.to_owned(),
            file,
        });
        (self.paths.len() - 1) as u32
    }

    fn add_file(&mut self, spelling: String) -> usize {
        let file = self.files.len();
        let name = last_name(&spelling).to_owned();
        self.files_by_name.entry(name).or_default().push(file);
        self.files_by_spelling.insert(spelling.clone(), file);
        self.files.push(File {
            spelling,
            current: Vec::new(),
            edits: 0,
        });
        file
    }

    /// Takes in a copy: its number, unless it is none that counts.
    pub(in super::super) fn add(&mut self, copy: FileCopy, requests_before: u32) -> Option<u32> {
        let file = self.paths.get(copy.path as usize)?.file?;
        let File { current, edits, .. } = &mut self.files[file];
        if may_be_refusal(&copy) {
            let is_much_longer = |other: &&usize| {
                self.copies[**other].copy.size.units > LONGER_THAN_A_REFUSAL * copy.size.units
            };
            if current.iter().any(|other| is_much_longer(&other)) {
                return None;
            }
        }
        let number = self.copies.len();
        let edits = *edits;
        current.retain(|other| {
            let other = &mut self.copies[*other];
            let is_superseded = copy.extent == Extent::Complete
                || (copy.extent.covers(other.copy.extent) && other.edits_before == edits);
            if is_superseded {
                other.superseded_by = Some(number);
            }
            !is_superseded
        });
        current.push(number);
        self.copies.push(KnownCopy {
            copy,
            requests_before,
            edits_before: edits,
            superseded_by: None,
        });
        Some(number as u32)
    }

    /// Takes in that a file was edited, in a way that a copy may not show. Files of the same name count
    /// as edited, too, for without a root nobody knows whether an absolute path is a relative one.
    pub(in super::super) fn edited(&mut self, path: u32) {
        let file = self.paths.get(path as usize).and_then(|path| path.file);
        let Some(file) = file else { return };
        let name = last_name(&self.files[file].spelling);
        for other in self.files_by_name.get(name).into_iter().flatten() {
            self.files[*other].edits += 1;
        }
    }

    /// Takes in a command that was run, or the text of another call that names files. The files that
    /// it names may be others after it, and if it copies or moves files, what was copied of them
    /// before stays.
    pub(in super::super) fn ran(&mut self, command: &str) {
        let words: Vec<&str> = words_of(command).collect();
        let mover = mover_of(&words);
        for (at, word) in words.iter().enumerate() {
            // The word that says so is no file that is moved.
            let moves = mover.is_some_and(|mover| mover != at);
            if moves && is_pattern(word) {
                self.moved_pattern(word);
                continue;
            }
            for file in self.named(word) {
                self.files[file].edits += 1;
                if moves {
                    self.files[file].current.clear();
                }
            }
            if moves {
                self.moved_folder(word);
            }
        }
    }

    fn moved_pattern(&mut self, pattern: &str) {
        for file in &mut self.files {
            if may_match(pattern, &file.spelling) {
                file.edits += 1;
                file.current.clear();
            }
        }
    }

    /// The files that a word of a command may name: it may have been run in another directory.
    fn named(&self, word: &str) -> Vec<usize> {
        let Some(spelling) = self.spelling.of(word) else {
            return Vec::new();
        };
        let name = last_name(&spelling);
        self.files_by_name.get(name).cloned().unwrap_or_default()
    }

    fn moved_folder(&mut self, word: &str) {
        let Some(spelling) = self.spelling.of(word) else {
            return;
        };
        let name = last_name(&spelling);
        for file in &mut self.files {
            if folders_of(&file.spelling).any(|folder| folder == name) {
                file.current.clear();
            }
        }
    }

    /// The copies that a newer one supersedes, in their order.
    pub(in super::super) fn superseded(&self, with_writes: bool) -> Vec<SupersededCopy> {
        // From the newest to the oldest: what supersedes a copy is newer, so its end is known.
        let mut newest = vec![0; self.copies.len()];
        for (number, known) in self.copies.iter().enumerate().rev() {
            newest[number] = known.superseded_by.map_or(number, |by| newest[by]);
        }
        let numbered = self.copies.iter().enumerate();
        numbered
            .filter(|(number, known)| {
                newest[*number] != *number
                    && (with_writes || known.copy.kind == CopyKind::Shown)
                    && !may_be_refusal(&known.copy)
            })
            .map(|(number, known)| SupersededCopy {
                number: number as u32,
                copy: known.copy,
                requests_before: known.requests_before,
                path: self.paths[known.copy.path as usize].shown.clone(),
                newest: self.copies[newest[number]].copy.index,
            })
            .collect()
    }
}

fn may_be_refusal(copy: &FileCopy) -> bool {
    !copy.is_certain && copy.size.units <= LONGEST_REFUSAL
}

fn last_name(spelling: &str) -> &str {
    spelling.rsplit('/').next().unwrap_or(spelling)
}

fn folders_of(spelling: &str) -> impl Iterator<Item = &str> {
    spelling.split('/').rev().skip(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What happens to files, one letter and a few numbers for each event.
    enum Event<'a> {
        Copy(&'a str, Extent),
        Doubtful(&'a str, usize),
        Edit(&'a str),
        Run(&'a str),
    }
    use Event::{Copy, Doubtful, Edit, Run};

    const ALL: Extent = Extent::Complete;
    const fn lines(first: u32, last: u32) -> Extent {
        Extent::Lines { first, last }
    }

    /// The superseded copies and their newest, by the indexes of the events.
    fn superseded(events: &[Event]) -> Vec<(u32, u32)> {
        let mut copies = FileCopies::new(None);
        for (index, event) in (0..).zip(events) {
            let mut add = |path: &str, extent, length: usize, is_certain| {
                let path = copies.path_number(path);
                let text = "x".repeat(length);
                let shown = FileCopy::shown(path, index, &text);
                copies.add(
                    FileCopy {
                        extent,
                        is_certain,
                        ..shown
                    },
                    0,
                );
            };
            match event {
                Copy(path, extent) => add(path, *extent, 900, true),
                Doubtful(path, length) => add(path, ALL, *length, false),
                Edit(path) => {
                    let path = copies.path_number(path);
                    copies.edited(path);
                }
                Run(command) => copies.ran(command),
            }
        }
        let found = copies.superseded(false);
        found
            .iter()
            .map(|one| (one.copy.index, one.newest))
            .collect()
    }

    #[test]
    fn every_copy_but_the_newest_complete_one_is_superseded() {
        let events = [
            Copy("a", ALL),
            Copy("b", ALL),
            Copy("./a", ALL),
            Copy("a", ALL),
        ];
        assert_eq!(superseded(&events), [(0, 3), (2, 3)]);
    }

    #[test]
    fn a_range_is_superseded_by_a_complete_copy_and_by_a_range_that_covers_it() {
        let range = lines(10, 20);
        assert_eq!(superseded(&[Copy("a", range), Copy("a", ALL)]), [(0, 1)]);
        assert_eq!(superseded(&[Copy("a", range), Copy("a", range)]), [(0, 1)]);
        assert_eq!(
            superseded(&[Copy("a", range), Copy("a", lines(1, 20))]),
            [(0, 1)]
        );
        for other in [lines(11, 20), lines(10, 19), lines(21, 30), Extent::Unknown] {
            assert_eq!(
                superseded(&[Copy("a", range), Copy("a", other)]),
                [],
                "{other:?}"
            );
        }
        assert_eq!(
            superseded(&[Copy("a", ALL), Copy("a", lines(1, 9_999))]),
            []
        );
    }

    #[test]
    fn after_an_edit_lines_have_other_numbers_so_no_range_supersedes_another() {
        let range = lines(10, 20);
        for change in [
            Edit("a"),
            Edit("/somewhere/a"),
            Run("sed -i 1d ./a"),
            Run("cd x && python fix.py a"),
        ] {
            assert_eq!(
                superseded(&[Copy("a", range), change, Copy("a", range)]),
                []
            );
        }
        assert_eq!(
            superseded(&[Copy("a", range), Edit("b"), Copy("a", range)]),
            [(0, 2)]
        );
        assert_eq!(
            superseded(&[Copy("a", range), Edit("a"), Copy("a", ALL)]),
            [(0, 2)]
        );
    }

    #[test]
    fn a_copy_from_before_a_move_stays() {
        for command in [
            "mv src/a b",
            "git mv 'src/a' b",
            "cp src/a b",
            "mv src lib",
            "cd src; mv a b",
            "mv src/* b",
        ] {
            let events = [
                Copy("src/a", ALL),
                Copy("src/a", ALL),
                Run(command),
                Copy("src/a", ALL),
                Copy("src/a", ALL),
            ];
            assert_eq!(superseded(&events), [(0, 1), (3, 4)], "{command}");
        }
        assert_eq!(
            superseded(&[Copy("a", ALL), Run("mv c b"), Copy("a", ALL)]),
            [(0, 2)]
        );
        assert_eq!(
            superseded(&[Copy("b", ALL), Run("mv a b"), Copy("b", ALL)]),
            []
        );
        for command in ["pip install -e src", "python rename.py", "copy lib\\*.ts b"] {
            let events = [
                Copy("/w/src/rename.py", ALL),
                Run(command),
                Copy("/w/src/rename.py", ALL),
            ];
            assert_eq!(superseded(&events), [(0, 2)], "{command}");
        }
    }

    #[test]
    fn a_short_text_that_may_be_a_refusal_supersedes_nothing_long() {
        assert_eq!(superseded(&[Copy("a", ALL), Doubtful("a", 40)]), []);
        assert_eq!(superseded(&[Copy("a", ALL), Doubtful("a", 450)]), [(0, 1)]);
        assert_eq!(
            superseded(&[Copy("a", ALL), Doubtful("a", 40), Copy("a", ALL)]),
            [(0, 2)]
        );
    }

    #[test]
    fn arguments_supersede_and_stay_unless_asked_for() {
        let mut copies = FileCopies::new(None);
        let path = copies.path_number("a");
        let kinds = [CopyKind::Shown, CopyKind::Written, CopyKind::Shown];
        for (index, kind) in (0..).zip(kinds) {
            let shown = FileCopy::shown(path, index, "text");
            copies.add(FileCopy { kind, ..shown }, 0);
        }
        let numbers = |with_writes| -> Vec<u32> {
            let found = copies.superseded(with_writes);
            found.iter().map(|one| one.number).collect()
        };
        assert_eq!(numbers(false), [0]);
        assert_eq!(numbers(true), [0, 1]);
    }
}
