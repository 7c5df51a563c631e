//! The things that blocks tell of, where blocks of one tag tell of several.
//!
//! A block of values or of sections is the state of the whole environment: the next one of its tag replaces
//! it. Claude Code puts one tag around each of its notes, which are sentences: this file was modified, that
//! file was modified, the list of tasks is empty. A note replaces those that begin with the same words and
//! name the same files.

use turnkeeper_base::sorted_map::SortedMap;
use turnkeeper_base::text::lossy;
use turnkeeper_base::text::white_space::trimmed;

use super::elements::{Element, Tag};

/// The units of a block's first line that are looked at.
const LONGEST_LINE: usize = 1_000;
/// The number of words that make a line a sentence, and of those that are compared.
const WORDS_OF_SENTENCE: usize = 4;
const WORDS_COMPARED: usize = 3;

/// The number of a state. Blocks that tell of the same thing have the same.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct State(u32);

/// The thing that a block tells of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Told {
    pub(super) state: State,
    /// Whether it is a note, which only another one about the same replaces.
    pub(super) is_note: bool,
}

/// The states that blocks have told of.
#[derive(Debug, Clone, Default)]
pub(super) struct States {
    numbers: SortedMap<(usize, Option<String>), State>,
}

impl States {
    /// The thing that the block tells of.
    pub(super) fn told_by(&mut self, text: &[u16], block: &Element, tags: &[Tag]) -> Told {
        let range = block.range();
        let tag = &tags[block.tag];
        let start = range.start + tag.open.len();
        // Of a long block only the beginning may be given.
        let end = range.end.saturating_sub(tag.close.len());
        let subject = subject_of(text.get(start..end).unwrap_or_default());
        let is_note = subject.is_some();
        let next = State(self.numbers.len() as u32);
        let state = *self
            .numbers
            .get_or_insert_with((block.tag, subject), || next);
        Told { state, is_note }
    }
}

/// The subject of a note: its first words, and the files that its first line names. None if it is no
/// sentence.
fn subject_of(inside: &[u16]) -> Option<String> {
    let text = trimmed(inside);
    let line = text.split(|unit| *unit == u16::from(b'\n')).next()?;
    let line = lossy(&line[..line.len().min(LONGEST_LINE)]);
    if !line.starts_with(char::is_alphabetic) {
        return None;
    }
    let mut words = 0;
    let mut subject = String::new();
    let mut paths = String::new();
    let mut follows_path = false;
    for token in line.split_whitespace() {
        let token = token.trim_matches(|one: char| ".,:;!?'\"`()[]{}<>".contains(one));
        if is_path(token) {
            paths.push(' ');
            paths.push_str(token);
        } else if is_word(token) {
            words += 1;
            if words <= WORDS_COMPARED {
                subject.push_str(token);
                subject.push(' ');
            }
            follows_path |= !paths.is_empty();
        }
    }
    // `Open file: src/a.ts` is a value, and `Note: src/a.ts was modified` is not.
    let is_sentence = words >= WORDS_OF_SENTENCE || (words > 1 && follows_path);
    is_sentence.then(|| subject + &paths)
}

fn is_word(token: &str) -> bool {
    let is_part = |one: char| one.is_alphabetic() || matches!(one, '\'' | '\u{2019}' | '-');
    token.starts_with(char::is_alphabetic) && token.chars().all(is_part)
}

/// Whether a word names a file: it has a separator, or an extension.
fn is_path(token: &str) -> bool {
    let begins = token.starts_with(['/', '\\', '~', '.', '_', '@']);
    if token.contains(['/', '\\']) {
        return begins || token.starts_with(char::is_alphabetic);
    }
    let extension = token.rsplit_once('.').filter(|(name, _)| !name.is_empty());
    extension.is_some_and(|(_, extension)| {
        extension.len() <= 8
            && extension.starts_with(|one: char| one.is_ascii_alphabetic())
            && extension.chars().all(|one| one.is_ascii_alphanumeric())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn subject(inside: &str) -> Option<String> {
        subject_of(&inside.encode_utf16().collect::<Vec<_>>())
    }

    #[test]
    fn notes_about_different_things_have_different_subjects() {
        let notes = [
            "\nNote: /srv/a.ts was modified, either by the user or by a linter.\n1→x",
            "Note: /srv/b.ts was modified, either by the user or by a linter.",
            "Note: C:\\srv\\b.ts was modified, either by the user or by a linter.",
            "The user opened the file /srv/a.ts in the IDE. This may be related.",
            "The user opened the file a.ts in the IDE.",
            "The list of tasks has not been used lately.",
            "Plan mode is active. Do not edit.",
            "As you answer the user's questions, you can use the following context:\n# claudeMd",
            "Called the Read tool with the following input: {\"file_path\":\"/srv/a.ts\"}",
            "Called the Read tool with the following input: {\"file_path\":\"/srv/b.ts\"}",
        ];
        let mut subjects: Vec<String> = notes.iter().filter_map(|note| subject(note)).collect();
        assert_eq!(subjects.len(), notes.len());
        subjects.sort();
        subjects.dedup();
        assert_eq!(subjects.len(), notes.len(), "{subjects:?}");
    }

    #[test]
    fn a_note_that_says_the_same_of_another_time_has_the_same_subject() {
        for (one, other) in [
            (
                "Note: /srv/a.ts was modified, here are the changes:\n1→x",
                "\n\nNote: /srv/a.ts was modified by a linter.\n1→y",
            ),
            (
                "The list of tasks is empty.",
                "The list of tasks has 3 open ones.",
            ),
        ] {
            assert_eq!(subject(one), subject(other), "{one}");
        }
    }

    #[test]
    fn what_is_no_sentence_tells_of_everything() {
        for inside in [
            "",
            " \n ",
            "a",
            "10:05",
            "time 10:05",
            "Current time: 10:05",
            "# VSCode Open Tabs\na.ts, b.ts",
            "Working directory: /srv/app\nIs git repo: yes",
            "Open file: src/a.ts",
            "<cwd>/srv/app</cwd>",
            "{\"cwd\": \"/srv/app\"}",
            "Token usage: 10/200; 190 left",
            "- a.ts was modified by the user",
        ] {
            assert_eq!(subject(inside), None, "{inside:?}");
        }
    }
}
