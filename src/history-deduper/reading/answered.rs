//! Calls that were answered: the copies of files in the answers, what may have changed files, and results that may come
//! again.

use turnkeeper_base::text::first_units;
use turnkeeper_messages::{LineRange, is_of_word};

use super::calls::FileCall;
use super::extents::{end_of_content, extent_of, extent_of_text, is_cut, is_no_file};
use super::in_text::{
    CopyInText, ListedFile, copies_in_answer, copy_in_answer, holds_other_heading, mentioned_files,
};
use super::listed::listed_in;
use super::shell::output_start;
use super::texts::Said;
use super::{Call, CopySource, Extent, HistoryReader, NOTICES, Place};
use crate::files::{CopyForm, CopyKind, FileCopy, Lines};
use turnkeeper_messages::pieces::ends_word;

impl HistoryReader {
    /// A call and its result, which begins at `start` of the text. `is_alone` if the text has no other
    /// result, for it is a part with the call's id.
    pub(super) fn read_answer(
        &mut self,
        call: Call,
        said: Said,
        start: usize,
        is_error: bool,
        is_alone: bool,
    ) {
        let body = &said.text[start..];
        let failed = is_error || is_no_file(body, &NOTICES);
        match call.does {
            FileCall::Read { .. } if failed => {}
            FileCall::Read {
                paths,
                extent,
                is_shell,
            } => self.read_files(&paths, extent, is_shell, said, start, is_alone),
            FileCall::Write { path, content, .. } => {
                let path = self.files.path_number(&path);
                self.files.edited(path, &Lines::of_edit(&content));
                if !failed {
                    self.add_written(path, &content, call.written, &said, body);
                }
                self.read_edited(said, start);
            }
            FileCall::Edit { path, text } => {
                let path = self.files.path_number(&path);
                self.files.edited(path, &Lines::of_edit(&text));
                if !self.read_edited(said, start) && !failed {
                    self.add_result(said, start);
                }
            }
            FileCall::Run { command } => {
                self.files.ran(&command);
                if !failed {
                    self.add_result(said, start);
                }
            }
            FileCall::Patch { patches } => {
                let words = patches.iter().map(|patch| match patch.moves {
                    true => format!("mv {}", patch.path),
                    false => patch.path.clone(),
                });
                self.files.ran(&words.collect::<Vec<_>>().join(" "));
                for patch in patches {
                    let path = self.files.path_number(&patch.path);
                    self.files.edited(path, &Lines::of_edit(&patch.text));
                }
                for copy in copies_in_answer(body) {
                    let copy = copy.moved(start);
                    self.add_framed(said, copy, Extent::Complete, CopySource::Edit);
                }
            }
            FileCall::Ask => {
                for copy in mentioned_files(said.text) {
                    self.add_framed(said, copy, Extent::Complete, CopySource::Mention);
                }
            }
            FileCall::Other if failed => {}
            FileCall::Other => self.add_result(said, start),
        }
    }

    /// The whole file that the answer to an edit may show.
    fn read_edited(&mut self, said: Said, start: usize) -> bool {
        let copy = copy_in_answer(&said.text[start..]);
        let is_there = copy.is_some();
        if let Some(copy) = copy {
            let copy = copy.moved(start);
            self.add_framed(said, copy, Extent::Complete, CopySource::Edit);
        }
        is_there
    }

    /// The files that a read shows: each under its name, or one alone.
    fn read_files(
        &mut self,
        paths: &[String],
        asked: Extent,
        is_shell: bool,
        said: Said,
        start: usize,
        is_alone: bool,
    ) {
        let body = &said.text[start..];
        let listed = match is_shell {
            true => Some(Vec::new()),
            false => listed_in(body, paths),
        };
        // If there are none, the files were asked for, but are not shown.
        let Some(listed) = listed else { return };
        if !listed.is_empty() {
            for file in listed {
                self.add_listed(file, asked, said, start);
            }
            return;
        }
        let [path] = paths else { return };
        if !is_alone && holds_other_heading(body) {
            return;
        }
        let output = match is_shell {
            true => output_start(body).map(|from| from..body.len()),
            false => Some(0..end_of_content(body)),
        };
        let Some(output) = output else { return };
        let content = &body[output.clone()];
        if is_no_file(content, &NOTICES) {
            return;
        }
        let copy = FileCopy {
            extent: extent_of_text(content, asked),
            form: match is_shell {
                true => CopyForm::Printed,
                false => CopyForm::Plain,
            },
            ..self.copy_at(said, path, content, start + output.start)
        };
        self.add_copy(copy, content);
    }

    /// A copy under its name, of which a list may say more.
    fn add_listed(&mut self, file: ListedFile, asked: Extent, said: Said, start: usize) {
        let ListedFile { copy, lines, notes } = file;
        if notes.contains("<error>") {
            return;
        }
        let of_lines = || {
            let lines = lines.as_deref()?;
            let is_one = !lines.is_empty() && lines.bytes().all(|it| it.is_ascii_digit());
            let range = match is_one {
                true => LineRange::in_text(&format!("{lines}-{lines}")),
                false => LineRange::in_text(lines),
            };
            range.map(extent_of)
        };
        let is_noted = notes.contains("<notice>") || notes.contains("Note: ");
        let is_whole = asked == Extent::Complete && !is_noted;
        let asked = match is_whole {
            true => Extent::Complete,
            false => of_lines().unwrap_or(Extent::Unknown),
        };
        let copy = copy.moved(start);
        let extent = match lines {
            None => extent_of_text(&said.text[copy.range.clone()], asked),
            Some(_) => asked,
        };
        self.add_framed(said, copy, extent, CopySource::Read);
    }

    /// A copy that its text marks off and names.
    pub(super) fn add_framed(
        &mut self,
        said: Said,
        copy: CopyInText,
        extent: Extent,
        from: CopySource,
    ) {
        let content = &said.text[copy.range.clone()];
        if is_no_file(content, &NOTICES) || content.starts_with("Error fetching ") {
            return;
        }
        let copy = FileCopy {
            extent,
            // A text that a user mentions may be a quotation after all.
            form: match from {
                CopySource::Mention => CopyForm::Plain,
                _ => CopyForm::Framed,
            },
            from,
            ..self.copy_at(said, &copy.path, content, copy.range.start)
        };
        self.add_copy(copy, content);
    }

    /// A file that is the argument of a call that succeeded, as its answer says in the message with that index.
    fn add_written(
        &mut self,
        path: u32,
        content: &str,
        place: Option<Place>,
        answer: &Said,
        body: &str,
    ) {
        if is_no_file(content, &NOTICES) {
            return;
        }
        let index = place.as_ref().map_or(answer.at.index, |place| place.index);
        let copy = FileCopy {
            kind: CopyKind::Written,
            form: match has_succeeded(body) {
                true => CopyForm::Framed,
                false => CopyForm::Plain,
            },
            from: CopySource::Edit,
            place,
            ..FileCopy::new(path, index, content)
        };
        self.add_copy(copy, content);
    }

    /// A copy that begins at `start` of a text, complete unless something else is said of it.
    fn copy_at(&mut self, said: Said, path: &str, content: &str, start: usize) -> FileCopy {
        let copy = FileCopy::new(self.files.path_number(path), said.at.index, content);
        let place = said.at.place(said.text, start, copy.size);
        FileCopy {
            place: Some(place),
            ..copy
        }
    }

    fn add_copy(&mut self, mut copy: FileCopy, content: &str) {
        if is_cut(content) {
            copy.extent = Extent::Unknown;
        }
        self.files.add(copy, self.requests);
    }

    /// A result that holds no file, from `start` of its text.
    pub(super) fn add_result(&mut self, said: Said, start: usize) {
        let content = &said.text[start..];
        if !self.watches_results || is_no_file(content, &NOTICES) {
            return;
        }
        let place = |size| said.at.place(said.text, start, size);
        self.results.add(content, place, self.requests);
    }
}

/// The words of an answer with which it says that a file was written.
const DONE: [&str; 13] = [
    "success", "successful", "successfully", "created", "saved", "written", "writes", "wrote",
    "updated", "overwritten", "overwrote", "ok", "done",
];
/// The words with which it says that it was not.
const NOT_DONE: [&str; 7] = ["not", "never", "no", "false", "denied", "would", "nothing"];
/// The beginnings of such words.
const NOT_DONE_STARTS: [&str; 8] = [
    "fail", "error", "reject", "refus", "cancel", "abort", "declin", "un",
];

/// Whether the answer to a write says that the file was written. Whatever else it says, it may not have been.
fn has_succeeded(answer: &str) -> bool {
    let start = first_units(answer, 300).to_ascii_lowercase();
    let words = || start.split(|it| !is_of_word(it));
    let is_not = |word: &str| {
        NOT_DONE.contains(&word)
            || word != "un" && NOT_DONE_STARTS.iter().any(|it| word.starts_with(it))
    };
    let is_denied = start
        .match_indices("n't")
        .any(|(at, it)| ends_word(&start[at + it.len()..]));
    words().any(|word| DONE.contains(&word)) && !words().any(is_not) && !is_denied
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_says_whether_a_file_was_written() {
        for answer in ["The file was saved.", "OK", "Successfully wrote 3 lines"] {
            assert!(has_succeeded(answer), "{answer}");
        }
        for answer in [
            "",
            "It was not saved.",
            "saved? unsure",
            "Failed: file created before",
            "It isn't done",
            "booked",
        ] {
            assert!(!has_succeeded(answer), "{answer}");
        }
    }
}
