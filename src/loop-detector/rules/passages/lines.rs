//! The compared part of a Markdown text: everything but code, tables and list numbers.
//!
//! Works unit by unit, so the result does not depend on how a stream is cut, and holds back at
//! most the beginning of a line. What is not compared is not simply dropped, or "Output:" above
//! twenty different blocks of code would look like twenty copies of one passage:
//!
//! - a fenced block of code and a row of a table become one unit each, which stands for their
//!   text: the same block gives the same unit;
//! - a number at the start of a line (`1.`, `12)`, `3、`) becomes one unit that is the same for
//!   every number.
//!
//! [`MarkdownBlocks`] says by the beginning of each line whether it is code.

use serde::{Deserialize, Serialize};

use crate::copies::clone_by_fields;
use turnkeeper_base::text::find_newline;
use turnkeeper_base::text::hash::UnitHash;
use turnkeeper_base::text::markdown_code::{BACKTICK, LineStart, MarkdownBlocks, TILDE};

const NEWLINE: u16 = b'\n' as u16;

/// Stands for the number in front of a list item. From the private use area, as is [`folded`].
pub(crate) const LIST_NUMBER: u16 = 0xf8ff;
const FOLDED: u16 = 0xe000;
const FOLDED_VALUES: u64 = 0xf8ff - 0xe000;

/// A line of which this many units do not say what it is goes on as the line before: deeper
/// indentation is text like any other.
const LONGEST_BEGINNING: usize = 64;
/// A longer number is not a list's.
const LONGEST_NUMBER: u64 = 9;
/// A fence is one whatever comes after this many units on its line.
const LONGEST_INFO: u64 = 256;
/// A row beyond this is no table's: a model that fell into endless padding is seen again.
const LONGEST_ROW: u64 = 4_096;

/// The part of a line, or of a block of code, that is being read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
enum State {
    /// After white space and quote marks at the start of a line. They are held.
    Start,
    /// Text, which is compared as it is.
    Text,
    /// After digits at the start of a line. They are held.
    Number,
    /// After the digits' `.` or `)`, all held.
    NumberEnd,
    /// After backticks or tildes that may become a fence. They are held.
    Marks,
    /// After a fence, on its line, which is held.
    Info,
    /// Within a block of code.
    Code,
    /// Within a row of a table.
    Row,
}

/// Turns the units of a text into the units that are compared.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct MarkdownNormalizer {
    state: State,
    blocks: MarkdownBlocks,
    /// The line so far, until that says what the line is.
    beginning: Vec<u16>,
    /// The beginning of the line does not say yet what the line is.
    is_unknown: bool,
    /// The fence on whose line the text is, unless a backtick follows.
    opening: Option<LineStart>,
    /// The digits of a number, the units after a fence's marks or of a row.
    units: u64,
    /// Of a block of code or a row.
    hash: UnitHash,
    /// Units that may still be folded, or are text after all.
    held: Vec<u16>,
    /// The offset in the text of the held units, or of the folded block.
    held_at: u64,
}

clone_by_fields! {
    MarkdownNormalizer:
    state, blocks, beginning, is_unknown, opening, units, hash, held, held_at
}

/// Takes the compared units where a line is more than text. It is called, not copied to each place that
/// emits: a function with ten copies of the rule's loop takes long to compile at the first delta.
type Emit<'a> = &'a mut dyn FnMut(u16, u64);

impl MarkdownNormalizer {
    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }

    /// Whether the last unit was one of a block of code.
    #[inline(always)]
    pub(crate) fn is_in_code(&self) -> bool {
        self.state == State::Code
    }

    /// As many of the units to come as are text, up to the end of the line, each compared as it is.
    /// They need not go through [`MarkdownNormalizer::push`]; [`MarkdownNormalizer::pass`] takes
    /// those that did not.
    #[inline(always)]
    pub(crate) fn plain<'a>(&self, coming: &'a [u16]) -> &'a [u16] {
        if self.state != State::Text || self.is_unknown {
            return &[];
        }
        let end = find_newline(coming, 0);
        coming.get(..=end).unwrap_or(coming)
    }

    /// Takes units of what [`MarkdownNormalizer::plain`] gave.
    #[inline(always)]
    pub(crate) fn pass(&mut self, plain: &[u16]) {
        if plain.last() == Some(&NEWLINE) {
            self.begin_line(State::Start);
        }
    }

    /// Takes the unit at offset `at` of the text, and gives each unit that is compared, with its
    /// own offset, to `emit`.
    #[inline]
    pub(crate) fn push(&mut self, unit: u16, at: u64, emit: &mut impl FnMut(u16, u64)) {
        if self.state == State::Text && !self.is_unknown {
            self.emit_text(unit, at, emit);
        } else {
            self.push_special(unit, at, emit);
        }
    }

    fn push_special(&mut self, unit: u16, at: u64, emit: Emit) {
        if self.is_unknown
            && self.state != State::Info
            && let Some(start) = self.read(unit)
        {
            if start.ends_code {
                return self.end_code(&start, unit, at, emit);
            }
            if start.is_opening_fence() {
                self.opening = Some(start);
                self.state = State::Info;
                self.units = 0;
            } else {
                self.decide(start);
            }
        }
        match self.state {
            State::Text if is_mark(unit) && self.is_unknown => {
                self.state = State::Marks;
                self.hold(unit, at);
            }
            State::Text => self.emit_text(unit, at, emit),
            State::Start => self.push_start(unit, at, emit),
            State::Number => match unit {
                _ if is_digit(unit) && self.units < LONGEST_NUMBER => {
                    self.units += 1;
                    self.hold(unit, at);
                }
                // "." ")" and the Chinese enumeration marks
                0x2e | 0x29 | 0x3001 | 0xff0e | 0xff09 => {
                    self.state = State::NumberEnd;
                    self.hold(unit, at);
                }
                _ => self.release(unit, at, emit),
            },
            // "3.14" is no list item.
            State::NumberEnd if is_digit(unit) => self.release(unit, at, emit),
            State::NumberEnd => {
                self.replace_number();
                self.release(unit, at, emit);
            }
            State::Marks if self.is_unknown => self.hold(unit, at),
            State::Marks => self.release(unit, at, emit),
            State::Info => self.push_info(unit, at, emit),
            State::Code => self.push_code(unit, at, emit),
            State::Row if unit == NEWLINE => self.fold(self.hash, at, emit),
            State::Row => {
                self.hash.push(unit);
                if self.units >= LONGEST_ROW {
                    emit(folded(self.hash), self.held_at);
                    self.state = State::Text;
                }
                self.units += 1;
            }
        }
    }

    /// The kind of the line, if it is known with this unit, the next of its beginning.
    fn read(&mut self, unit: u16) -> Option<LineStart> {
        if unit == NEWLINE {
            return self.blocks.read(&self.beginning, true);
        }
        self.beginning.push(unit);
        let start = self.blocks.read(&self.beginning, false);
        if start.is_none() && self.beginning.len() > LONGEST_BEGINNING {
            return Some(self.blocks.read_as_text());
        }
        start
    }

    /// Goes on, now that it is known what the line is.
    fn decide(&mut self, start: LineStart) {
        self.blocks.go_on(start);
        self.is_unknown = false;
    }

    fn begin_line(&mut self, state: State) {
        self.state = state;
        self.beginning.clear();
        self.is_unknown = true;
    }

    fn push_start(&mut self, unit: u16, at: u64, emit: Emit) {
        match unit {
            _ if is_prefix(unit) && self.held.len() < LONGEST_BEGINNING => self.hold(unit, at),
            _ if is_digit(unit) => {
                self.state = State::Number;
                self.units = 1;
                self.hold(unit, at);
            }
            _ if is_mark(unit) && self.is_unknown => {
                self.state = State::Marks;
                self.hold(unit, at);
            }
            // A pipe, or what boxes are drawn with.
            0x7c | 0x2500..=0x257f => {
                self.hold(unit, at);
                self.hash = self.take_held();
                self.state = State::Row;
                self.units = 1;
            }
            _ => self.release(unit, at, emit),
        }
    }

    /// Takes what follows a fence on its line.
    fn push_info(&mut self, unit: u16, at: u64, emit: Emit) {
        let Some(opening) = self.opening.take() else {
            return self.release(unit, at, emit);
        };
        if !opening.may_be_followed_by(&[unit]) {
            // Inline code in three backticks, not a fence.
            self.decide(self.blocks.read_as_text_after(opening));
            self.release(unit, at, emit);
        } else if unit == NEWLINE || self.units >= LONGEST_INFO {
            self.decide(opening);
            self.hash = self.take_held();
            self.hash.push(unit);
            self.state = State::Code;
            self.beginning.clear();
            self.is_unknown = unit == NEWLINE;
        } else {
            self.opening = Some(opening);
            self.units += 1;
            self.hold(unit, at);
        }
    }

    /// Takes a unit of a block of code, or of a line that may end it.
    fn push_code(&mut self, unit: u16, at: u64, emit: Emit) {
        if self.is_unknown {
            return;
        }
        if !self.blocks.is_in_code() {
            return self.fold(self.hash, at, emit);
        }
        let is_among_beginning = !self.beginning.is_empty() && unit != NEWLINE;
        for unit in self.beginning.drain(..) {
            self.hash.push(unit);
        }
        if !is_among_beginning {
            self.hash.push(unit);
        }
        if unit == NEWLINE {
            self.begin_line(State::Code);
        }
    }

    /// A block of code ended with the line before, since this one does not belong to what holds it.
    /// So its beginning is read again, as that of a line after the block.
    fn end_code(&mut self, start: &LineStart, unit: u16, at: u64, emit: Emit) {
        let mut line = std::mem::take(&mut self.beginning);
        if unit == NEWLINE {
            line.push(unit);
        }
        let line_at = (at + 1).saturating_sub(line.len() as u64);
        self.blocks.end_code(start);
        self.fold(self.hash, line_at.saturating_sub(1), emit);
        for (index, unit) in line.into_iter().enumerate() {
            self.push(unit, line_at + index as u64, &mut |unit, offset| {
                emit(unit, offset)
            });
        }
    }

    fn hold(&mut self, unit: u16, at: u64) {
        if self.held.is_empty() {
            self.held_at = at;
        }
        self.held.push(unit);
    }

    /// The hash of what was held, which is not needed any more.
    fn take_held(&mut self) -> UnitHash {
        UnitHash::of(self.held.drain(..))
    }

    /// Emits the held units and this one, which are text after all.
    fn release(&mut self, unit: u16, at: u64, emit: Emit) {
        // A number is shorter once replaced, so the held units count back from this one.
        let begin = at - self.held.len() as u64;
        for (index, unit) in self.held.drain(..).enumerate() {
            emit(unit, begin + index as u64);
        }
        self.state = State::Text;
        self.emit_text(unit, at, emit);
    }

    fn emit_text(&mut self, unit: u16, at: u64, emit: Emit) {
        emit(unit, at);
        if unit == NEWLINE {
            self.begin_line(State::Start);
        }
    }

    /// Digits and their mark end the held units; one unit takes the digits' place.
    fn replace_number(&mut self) {
        let Some(mark) = self.held.pop() else { return };
        while self.held.last().is_some_and(|&unit| is_digit(unit)) {
            self.held.pop();
        }
        self.held.push(LIST_NUMBER);
        self.held.push(mark);
    }

    /// A block or a row ended with its line: one unit stands for it, then comes the line's end.
    fn fold(&mut self, hash: UnitHash, line_end: u64, emit: Emit) {
        emit(folded(hash), self.held_at);
        self.state = State::Text;
        self.emit_text(NEWLINE, line_end, emit);
    }

    /// Whether what was restored can have been saved before the unit at `offset`.
    pub(crate) fn is_valid(&self, offset: u64) -> bool {
        let longest_held = 2 * LONGEST_BEGINNING + LONGEST_INFO as usize;
        self.blocks.is_valid()
            && self.beginning.len() <= LONGEST_BEGINNING + 1
            && self.beginning.len() as u64 <= offset
            && self.opening.is_some() == (self.state == State::Info)
            && self.units <= offset
            && self.held.len() <= longest_held
            && self.held.len() as u64 <= offset
            && self.held_at <= offset
    }
}

impl Default for MarkdownNormalizer {
    fn default() -> Self {
        Self {
            state: State::Start,
            blocks: MarkdownBlocks::default(),
            beginning: Vec::new(),
            is_unknown: true,
            opening: None,
            units: 0,
            hash: UnitHash::EMPTY,
            held: Vec::new(),
            held_at: 0,
        }
    }
}

/// The one unit that stands for a block of code or a table's row.
fn folded(hash: UnitHash) -> u16 {
    FOLDED + (hash.0 % FOLDED_VALUES) as u16
}

fn is_digit(unit: u16) -> bool {
    (0x30..=0x39).contains(&unit)
}

/// The characters of which fences are made.
fn is_mark(unit: u16) -> bool {
    matches!(unit, BACKTICK | TILDE)
}

/// White space within a line, and the marks of a quotation.
fn is_prefix(unit: u16) -> bool {
    matches!(unit, 0x20 | 0x09 | 0x0d) || unit == u16::from(b'>')
}

#[cfg(test)]
mod tests {
    use super::*;
    use turnkeeper_base::text::markdown_code::MarkdownCode;

    /// The compared text with `#` for a list's number and `@` for what was folded.
    fn compared(text: &str) -> String {
        let mut lines = MarkdownNormalizer::default();
        let mut units = Vec::new();
        for (at, unit) in text.encode_utf16().enumerate() {
            lines.push(unit, at as u64, &mut |unit, offset| {
                assert!(offset <= at as u64);
                units.push(match unit {
                    LIST_NUMBER => u16::from(b'#'),
                    0xe000..=0xf8fe => u16::from(b'@'),
                    _ => unit,
                });
            });
        }
        String::from_utf16(&units).expect("no unit was lost")
    }

    #[test]
    fn what_is_compared() {
        let table = [
            ("plain\n  indented\n", "plain\n  indented\n"),
            (
                "1. one\n12) twelve\n 3、三\n> 4. quoted\n",
                "#. one\n#) twelve\n #、三\n> #. quoted\n",
            ),
            (
                "3.14 is pi\n2026 was\n10:30\n",
                "3.14 is pi\n2026 was\n10:30\n",
            ),
            ("1234567890. too long\n", "1234567890. too long\n"),
            ("1.检查\n", "#.检查\n"),
            ("7.\n", "#.\n"),
            ("see 1. here\n", "see 1. here\n"),
            ("a\n```rust\nlet x;\n```\nb\n", "a\n@\nb\n"),
            ("````\n```\n~~~\n````  \nb\n", "@\nb\n"),
            ("```\n````\nb\n", "@\nb\n"),
            ("````\n```\n````\nb\n", "@\nb\n"),
            ("~~~ a`b\n```\n~~~\nb\n", "@\nb\n"),
            ("   - x\n     ```\n     code\n     ```\nb", "   - x\n@\nb"),
            ("> ```\n> code\n> ```\nb", "@\nb"),
            ("> ```\n> code\nb", "@\nb"),
            ("> ```\n> code\n\nb", "@\n\nb"),
            ("> ```\n> code\n1. b", "@\n#. b"),
            ("- ```\n  code\n  ```\nb", "- @\nb"),
            ("1. ```\n   code\n   ```\n2. b", "#. @\n#. b"),
            ("    ```\ntext\n    ```\n", "    ```\ntext\n    ```\n"),
            ("```\n    ```\ncode\n```\nb", "@\nb"),
            ("- a\n\n      ```\nb", "- a\n\n      ```\nb"),
            ("* * *\n    ```\nb", "* * *\n    ```\nb"),
            ("- `one` two\n", "- `one` two\n"),
            ("```inline``` code\nb", "```inline``` code\nb"),
            ("``two`` ~~gone~~\n", "``two`` ~~gone~~\n"),
            ("```\n``` x\nstill code\n```\nb", "@\nb"),
            ("| a | b |\n|---|---|\n| 1 | 2 |\nb", "@\n@\n@\nb"),
            ("  ┌──┐\n  │  │\nb", "@\n@\nb"),
            ("a | b\n", "a | b\n"),
            ("\n\n\r\n", "\n\n\r\n"),
        ];
        for (text, expected) in table {
            assert_eq!(compared(text), expected, "{text:?}");
        }
    }

    #[test]
    fn fenced_code_is_what_every_machine_takes_for_it() {
        #[derive(Deserialize)]
        struct Case {
            name: String,
            text: String,
        }
        let cases = include_str!("../../../../tests/data/markdown-code/cases.json");
        let cases: Vec<Case> = serde_json::from_str(cases).expect("the fixture can be read");
        for Case { name, text } in cases {
            let text: Vec<u16> = (text + "\n").encode_utf16().collect();
            let mut emitted = Vec::new();
            let mut lines = MarkdownNormalizer::default();
            for (at, &unit) in text.iter().enumerate() {
                lines.push(unit, at as u64, &mut |unit, offset| {
                    emitted.push((unit, offset))
                });
            }
            let code = MarkdownCode::of(&text);
            let fenced: Vec<_> = (code.ranges().iter())
                .filter(|range| text[range.start..range.end].contains(&NEWLINE))
                .filter(|range| text[range.end - 1] == NEWLINE || range.end == text.len())
                .collect();
            for (index, &unit) in text.iter().enumerate() {
                let is_letter = (0x61..=0x7a).contains(&unit);
                let is_fenced = fenced.iter().any(|range| range.contains(&index));
                let is_compared = emitted.contains(&(unit, index as u64));
                assert!(!is_letter || is_compared != is_fenced, "{name} at {index}");
            }
        }
    }

    #[test]
    fn the_same_block_gives_the_same_unit_and_another_one_another() {
        let unit = |text: &str| {
            let mut lines = MarkdownNormalizer::default();
            let mut units = Vec::new();
            for (at, unit) in text.encode_utf16().enumerate() {
                lines.push(unit, at as u64, &mut |unit, _| units.push(unit));
            }
            units[0]
        };
        assert_eq!(unit("```\nlet a;\n```\n"), unit("```\nlet a;\n```\n"));
        assert_ne!(unit("```\nlet a;\n```\n"), unit("```\nlet b;\n```\n"));
        assert_ne!(unit("| a |\n"), unit("| b |\n"));
    }

    #[test]
    fn endless_indentation_and_endless_rows_become_text_again() {
        let indented = format!("{}x", " ".repeat(500));
        assert_eq!(compared(&indented), indented);
        let row = format!("|{}", " ".repeat(5_000));
        assert_eq!(compared(&row).len(), 1 + 5_001 - (LONGEST_ROW as usize + 1));
    }
}
