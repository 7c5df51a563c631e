//! The copies in a history, by their files.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use super::super::superseded::Superseded;
use super::copy::{CopyKind, Extent, FileCopy};
use super::lines::{Lines, Named};
use super::moves::{is_pattern, may_match, mover_of, words_of};
use super::paths::PathSpelling;

/// The most copies of one file that are compared with the next one, and the most edits remembered for that.
/// Older copies stay, whatever comes.
const MOST_COMPARED: usize = 64;

/// The copies in a history. Taking one in costs time proportional to the copies of its file that
/// nothing supersedes yet, up to [`MOST_COMPARED`].
#[derive(Debug, Clone, Default)]
pub(in super::super) struct FileCopies {
    spelling: PathSpelling,
    paths: Vec<Path>,
    paths_by_spelling: FxHashMap<String, usize>,
    files: Vec<File>,
    files_by_spelling: FxHashMap<String, usize>,
    files_by_name: FxHashMap<String, Vec<usize>>,
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
    current: VecDeque<usize>,
    /// The times that something is known to have edited it, or to have been able to.
    edits: u32,
    /// The lines that edits name, with how many edits there had been before, while a copy from before
    /// may be superseded.
    edited_lines: VecDeque<(u32, Lines)>,
}

#[derive(Debug, Clone)]
struct KnownCopy {
    copy: FileCopy,
    /// The number of requests that had been made before it came.
    requests_before: u32,
    /// The times that its file had been edited before.
    edits_before: u32,
    superseded_by: Option<usize>,
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
        if let Some(number) = self.paths_by_spelling.get(path) {
            return *number as u32;
        }
        let spelling = self.spelling.of(path);
        let file = spelling.map(|spelling| match self.files_by_spelling.get(&spelling) {
            Some(file) => *file,
            None => self.add_file(spelling),
        });
        self.paths.push(Path {
            shown: path.to_owned(),
            file,
        });
        let number = self.paths.len() - 1;
        self.paths_by_spelling.insert(path.to_owned(), number);
        number as u32
    }

    fn add_file(&mut self, spelling: String) -> usize {
        let file = self.files.len();
        let name = last_name(&spelling).to_owned();
        self.files_by_name.entry(name).or_default().push(file);
        self.files_by_spelling.insert(spelling.clone(), file);
        self.files.push(File {
            spelling,
            current: VecDeque::new(),
            edits: 0,
            edited_lines: VecDeque::new(),
        });
        file
    }

    /// Takes in a copy: its number, unless it is none that counts.
    pub(in super::super) fn add(&mut self, copy: FileCopy, requests_before: u32) -> Option<u32> {
        let file = self.paths.get(copy.path as usize)?.file?;
        let file = &mut self.files[file];
        let number = self.copies.len();
        let edits_before = file.edits;
        // From the newest to the oldest, since between this copy and an older one there are more edits.
        let mut between = Named::default();
        let mut edits_left = file.edited_lines.iter().rev().peekable();
        let mut kept = VecDeque::new();
        for other_number in file.current.drain(..).rev() {
            let other = &mut self.copies[other_number];
            let was_edited = other.edits_before < edits_before;
            while let Some((_, lines)) =
                edits_left.next_if(|(before, _)| *before >= other.edits_before)
            {
                lines.add_to(&mut between);
            }
            let is_comparable = copy.extent == Extent::Complete || !was_edited;
            let is_superseded = is_comparable
                && copy.extent.covers(other.copy.extent)
                && copy.supersedes(&other.copy, was_edited, &between);
            if is_superseded {
                other.superseded_by = Some(number);
                other.copy.lines = Lines::default();
            } else {
                kept.push_front(other_number);
            }
        }
        if kept.is_empty() {
            file.edited_lines.clear();
        }
        if kept.len() == MOST_COMPARED
            && let Some(oldest) = kept.pop_front()
        {
            self.copies[oldest].copy.lines = Lines::default();
        }
        kept.push_back(number);
        file.current = kept;
        self.copies.push(KnownCopy {
            copy,
            requests_before,
            edits_before,
            superseded_by: None,
        });
        Some(number as u32)
    }

    /// Takes in that a file was edited, in a way that a copy may not show. Files of the same name count
    /// as edited, too, for without a root nobody knows whether an absolute path is a relative one.
    pub(in super::super) fn edited(&mut self, path: u32, lines: &Lines) {
        let file = self.paths.get(path as usize).and_then(|path| path.file);
        let Some(file) = file else { return };
        let name = last_name(&self.files[file].spelling);
        for other in self.files_by_name.get(name).into_iter().flatten() {
            let file = &mut self.files[*other];
            if !file.current.is_empty() {
                if file.edited_lines.len() == MOST_COMPARED {
                    file.edited_lines.pop_front();
                }
                file.edited_lines.push_back((file.edits, lines.clone()));
            }
            file.edits += 1;
        }
    }

    /// Takes in a command that was run, or the text of another call that names files. The files that
    /// it names may be others after it, and if it copies or moves files, what was copied of them
    /// before stays.
    pub(in super::super) fn ran(&mut self, command: &str) {
        if self.files.is_empty() {
            return;
        }
        let words: Vec<&str> = words_of(command).collect();
        let mover = mover_of(&words);
        for (at, word) in words.iter().enumerate() {
            // The directory in which it runs stays where it is.
            let is_before_mover = mover.is_none_or(|mover| at < mover);
            if at > 0 && is_before_mover && changes_directory(words[at - 1]) {
                continue;
            }
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

    /// The copies that a newer one supersedes, in their order, but for those that are no longer than the line in
    /// their place.
    pub(in super::super) fn superseded(&self, with_writes: bool) -> Vec<Superseded> {
        let newest = self.newest();
        let numbered = self.copies.iter().enumerate();
        let superseded = numbered.filter_map(|(number, known)| {
            let is_asked_for = with_writes || known.copy.kind == CopyKind::Shown;
            let newest = newest[number];
            let newest =
                (newest != number && is_asked_for).then(|| self.copies[newest].copy.index)?;
            let path = &self.paths[known.copy.path as usize].shown;
            Some(Superseded {
                requests_before: known.requests_before,
                ..known.copy.superseded_by(newest, path)?
            })
        });
        superseded.collect()
    }

    /// For each copy, the number of the newest that it gives way to; its own if there is none.
    fn newest(&self) -> Vec<usize> {
        // From the newest to the oldest: what supersedes a copy is newer, so its end is known.
        let mut newest = vec![0; self.copies.len()];
        for (number, known) in self.copies.iter().enumerate().rev() {
            newest[number] = known.superseded_by.map_or(number, |by| newest[by]);
        }
        newest
    }
}

/// Whether the word after this one is the directory that a command changes to.
fn changes_directory(word: &str) -> bool {
    ["cd", "chdir", "pushd", "Set-Location", "sl"]
        .iter()
        .any(|verb| word.eq_ignore_ascii_case(verb))
}

fn last_name(spelling: &str) -> &str {
    spelling.rsplit('/').next().unwrap_or(spelling)
}

fn folders_of(spelling: &str) -> impl Iterator<Item = &str> {
    spelling.split('/').rev().skip(1)
}

#[cfg(test)]
mod tests {
    use super::super::super::reading::Place;
    use super::super::copy::CopyForm;
    use super::*;

    /// An event that happens to files, one letter and a few numbers for each event.
    enum Event<'a> {
        Copy(&'a str, Extent),
        Plain(&'a str, &'a str),
        Framed(&'a str, &'a str),
        Print(&'a str, &'a str),
        Change(&'a str, &'a str),
        Edit(&'a str),
        Run(&'a str),
    }
    use Event::{Change, Copy, Edit, Framed, Plain, Print, Run};

    const ALL: Extent = Extent::Complete;
    const fn lines(first: u32, last: u32) -> Extent {
        Extent::Lines { first, last }
    }

    /// The superseded copies and their newest, by the indexes of the events.
    fn superseded(events: &[Event]) -> Vec<(u32, u32)> {
        let mut copies = FileCopies::new(None);
        for (index, event) in (0..).zip(events) {
            let mut add = |path: &str, extent, text: &str, form| {
                let path = copies.path_number(path);
                let shown = FileCopy::new(path, index, text);
                copies.add(
                    FileCopy {
                        extent,
                        form,
                        place: Some(Place::of(index)),
                        ..shown
                    },
                    0,
                );
            };
            let same = "x".repeat(900);
            match event {
                Copy(path, extent) => add(path, *extent, &same, CopyForm::Framed),
                Framed(path, text) => add(path, ALL, text, CopyForm::Framed),
                Plain(path, text) => add(path, ALL, text, CopyForm::Plain),
                Print(path, text) => add(path, ALL, text, CopyForm::Printed),
                Edit(path) => {
                    let path = copies.path_number(path);
                    copies.edited(path, &Lines::default());
                }
                Change(path, text) => {
                    let path = copies.path_number(path);
                    copies.edited(path, &Lines::of_edit(text));
                }
                Run(command) => copies.ran(command),
            }
        }
        let newest = copies.newest();
        let numbered = newest.iter().enumerate();
        numbered
            .filter(|(number, newest)| number != *newest)
            .map(|(number, newest)| [number, *newest].map(|it| copies.copies[it].copy.index))
            .map(|[index, newest]| (index, newest))
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
            "mv src/a b", "git mv 'src/a' b", "cp src/a b", "mv src lib", "cd src; mv a b",
            "mv src/* b", "mv cd src",
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
        for command in [
            "pip install -e src",
            "python rename.py",
            "copy lib\\*.ts b",
            "cd C:\\w\\src && ren x y",
        ] {
            let events = [
                Copy("/w/src/rename.py", ALL),
                Run(command),
                Copy("/w/src/rename.py", ALL),
            ];
            assert_eq!(superseded(&events), [(0, 2)], "{command}");
        }
    }

    const FILE: &str = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight";

    #[test]
    fn a_text_without_a_frame_supersedes_what_it_is_like() {
        let longer = format!("{FILE}\nnine");
        let other = FILE.replace("two", "2");
        let number = |text: &str| -> String {
            let lines = (1..).zip(text.lines());
            lines.map(|(at, line)| format!("{at}\t{line}\n")).collect()
        };
        for text in [FILE, &longer, &other, &number(FILE), &number(&other)] {
            let events = [Framed("a", FILE), Plain("a", text)];
            assert_eq!(superseded(&events), [(0, 1)], "{text}");
        }
        let numbered = number("a\nb\nc\nd\ne\nf\ng\nh");
        for (between, count) in [(Run("ls"), 0), (Edit("a"), 1)] {
            let events = [Framed("a", FILE), between, Plain("a", &numbered)];
            assert_eq!(superseded(&events).len(), count);
        }
        let preview = "one\ntwo\nthree\nfour";
        let numbered_part = "1\tone\n2\ttwo\n3\tthree";
        let wide = "a\nb\nc\nd\ne\nf\ng\nh\ni\nj";
        for text in ["gone", "x\ny", preview, numbered_part, wide] {
            for between in [Run("ls"), Edit("a"), Change("a", "x\ny")] {
                let events = [Framed("a", FILE), between, Plain("a", text)];
                assert_eq!(superseded(&events), [], "{text}");
            }
            let events = [Framed("a", FILE), Plain("a", text), Framed("a", FILE)];
            assert!(superseded(&events).contains(&(0, 2)));
        }
    }

    #[test]
    fn what_an_edit_took_out_may_be_missing() {
        let short = FILE.replace("four\nfive\nsix\n", "");
        let edit = Change("a", "four\nfive\nsix");
        let events = [Framed("a", FILE), edit, Plain("a", &short)];
        assert_eq!(superseded(&events), [(0, 2)]);
        let events = [Framed("a", FILE), Change("a", "six"), Plain("a", &short)];
        assert_eq!(superseded(&events), []);
    }

    #[test]
    fn a_framed_copy_that_is_shorter_supersedes_only_after_an_edit() {
        let events = |between| [Framed("a", FILE), between, Framed("a", "one\ntwo")];
        assert_eq!(superseded(&events(Run("ls"))), []);
        assert_eq!(superseded(&events(Edit("a"))), [(0, 2)]);
    }

    #[test]
    fn of_unlike_copies_only_the_newest_are_compared_with_the_next() {
        let texts: Vec<String> = (0..200).map(|at| format!("a{at}\nb{at}")).collect();
        let mut events: Vec<Event> = texts.iter().map(|text| Plain("a", text)).collect();
        events.extend(texts.iter().map(|text| Framed("a", text)));
        assert_eq!(superseded(&events).len(), 0);
        events.truncate(200);
        events.extend([Plain("a", &texts[0]), Plain("a", &texts[199])]);
        assert_eq!(superseded(&events), [(199, 201)]);
    }

    #[test]
    fn a_print_supersedes_nothing_but_prints() {
        let events = [Plain("a", FILE), Print("a", FILE)];
        assert_eq!(superseded(&events), []);
        let events = [Print("a", FILE), Print("a", FILE), Plain("a", FILE)];
        assert_eq!(superseded(&events), [(0, 2), (1, 2)]);
    }

    #[test]
    fn a_short_text_that_may_be_a_refusal_is_superseded_by_nothing_else() {
        let events = [Plain("a", "Not now, please."), Framed("a", FILE)];
        assert_eq!(superseded(&events), []);
    }

    #[test]
    fn arguments_supersede_and_stay_unless_asked_for() {
        let mut copies = FileCopies::new(None);
        let path = copies.path_number("a");
        let kinds = [CopyKind::Shown, CopyKind::Written, CopyKind::Shown];
        for (index, kind) in (0..).zip(kinds) {
            let copy = FileCopy::new(path, index, &"text ".repeat(50));
            let place = Some(Place::of(index));
            copies.add(
                FileCopy {
                    kind,
                    place,
                    ..copy
                },
                0,
            );
        }
        let numbers = |with_writes| -> Vec<u32> {
            let found = copies.superseded(with_writes);
            found.iter().map(|one| one.place.index).collect()
        };
        assert_eq!(numbers(false), [0]);
        assert_eq!(numbers(true), [0, 1]);
    }
}
