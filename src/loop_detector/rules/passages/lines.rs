//! What of a Markdown text is compared: everything but code, tables and list numbers.
//!
//! Works unit by unit, so the result does not depend on how a stream is cut, and holds back at
//! most the beginning of a line. What is not compared is not simply dropped, or "Output:" above
//! twenty different blocks of code would look like twenty copies of one passage:
//!
//! - a fenced block of code and a row of a table become one unit each, which stands for their
//!   text: the same block gives the same unit;
//! - a number at the start of a line (`1.`, `12)`, `3、`) becomes one unit that is the same for
//!   every number.

use super::fence::{BACKTICK, Fence, NEWLINE, TILDE, is_prefix};
use crate::hash::UnitHash;
use crate::snapshot::Codec;
use turnkeeper_kernels::find_newline;

/// Stands for the number in front of a list item. From the private use area, as is [`folded`].
pub(crate) const LIST_NUMBER: u16 = 0xf8ff;
const FOLDED: u16 = 0xe000;
const FOLDED_VALUES: u64 = 0xf8ff - 0xe000;

/// Deeper indentation than this is text like any other.
const LONGEST_PREFIX: usize = 64;
/// A longer number is not a list's.
const LONGEST_NUMBER: u64 = 9;
/// What follows the fence on its line; beyond this it is a fence whatever comes.
const LONGEST_INFO: u64 = 256;
/// A row beyond this is no table's: a model that fell into endless padding is seen again.
const LONGEST_ROW: u64 = 4_096;

/// Where in a line the next unit stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// At the start of a line, behind white space and quote marks only. They are held.
    Start,
    /// Within a line of text.
    Text,
    /// Behind digits at the start of a line. They are held.
    Number,
    /// Behind the digits' `.` or `)`, all held.
    NumberEnd,
    /// Behind backticks or tildes, held.
    Marks,
    /// Behind a fence, on its line, which is held.
    Info,
    /// Within a block of code.
    Code,
    /// Within a row of a table.
    Row,
}

impl State {
    const ALL: [Self; 8] = [
        Self::Start,
        Self::Text,
        Self::Number,
        Self::NumberEnd,
        Self::Marks,
        Self::Info,
        Self::Code,
        Self::Row,
    ];
}

/// Turns the units of a text into the units that are compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Lines {
    state: State,
    /// The digits of a number, the units behind a fence's marks or of a row.
    units: u64,
    /// The fence whose marks, line or block it is.
    fence: Fence,
    /// Of a row.
    hash: UnitHash,
    held: Vec<u16>,
    /// Where in the text the held units, or the folded block, begin.
    held_at: u64,
}

impl Lines {
    pub(crate) fn new() -> Self {
        Self {
            state: State::Start,
            units: 0,
            fence: Fence::begin(BACKTICK),
            hash: UnitHash::EMPTY,
            held: Vec::new(),
            held_at: 0,
        }
    }

    pub(crate) fn clear(&mut self) {
        self.state = State::Start;
        self.held.clear();
    }

    /// As many of the units to come as are text, up to the end of the line, each compared as it is.
    /// They need not go through [`Lines::push`]; [`Lines::pass`] takes those that did not.
    #[inline(always)]
    pub(crate) fn plain<'a>(&self, coming: &'a [u16]) -> &'a [u16] {
        if self.state != State::Text {
            return &[];
        }
        let end = find_newline(coming, 0);
        coming.get(..=end).unwrap_or(coming)
    }

    /// Takes units of what [`Lines::plain`] gave.
    #[inline(always)]
    pub(crate) fn pass(&mut self, plain: &[u16]) {
        if plain.last() == Some(&NEWLINE) {
            self.state = State::Start;
        }
    }

    /// Takes the unit at offset `at` of the text, and gives each unit that is compared, with its
    /// own offset, to `emit`.
    #[inline]
    pub(crate) fn push(&mut self, unit: u16, at: u64, emit: &mut impl FnMut(u16, u64)) {
        if self.state == State::Text {
            emit(unit, at);
            if unit == NEWLINE {
                self.state = State::Start;
            }
        } else {
            self.push_special(unit, at, emit);
        }
    }

    fn push_special(&mut self, unit: u16, at: u64, emit: &mut impl FnMut(u16, u64)) {
        match self.state {
            State::Text => self.push(unit, at, emit),
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
            State::Marks => match unit {
                _ if unit == self.fence.mark => {
                    self.fence.count += 1;
                    self.hold(unit, at);
                }
                _ if self.fence.count < 3 => self.release(unit, at, emit),
                _ => {
                    self.state = State::Info;
                    self.units = 0;
                    self.push_special(unit, at, emit);
                }
            },
            State::Info => match unit {
                // Inline code in three backticks, not a fence.
                BACKTICK if self.fence.mark == BACKTICK => self.release(unit, at, emit),
                _ if unit == NEWLINE || self.units >= LONGEST_INFO => {
                    let mut hash = self.take_held();
                    hash.push(unit);
                    self.state = State::Code;
                    self.fence.open(hash, unit == NEWLINE);
                }
                _ => {
                    self.units += 1;
                    self.hold(unit, at);
                }
            },
            State::Code => {
                if let Some(hash) = self.fence.push(unit) {
                    self.fold(hash, at, emit);
                }
            }
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

    fn push_start(&mut self, unit: u16, at: u64, emit: &mut impl FnMut(u16, u64)) {
        match unit {
            _ if is_prefix(unit) && self.held.len() < LONGEST_PREFIX => self.hold(unit, at),
            _ if is_digit(unit) => {
                self.state = State::Number;
                self.units = 1;
                self.hold(unit, at);
            }
            BACKTICK | TILDE => {
                self.state = State::Marks;
                self.fence = Fence::begin(unit);
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

    fn hold(&mut self, unit: u16, at: u64) {
        if self.held.is_empty() {
            self.held_at = at;
        }
        self.held.push(unit);
    }

    /// The hash of what was held, which is not needed any more.
    fn take_held(&mut self) -> UnitHash {
        let mut hash = UnitHash::EMPTY;
        for unit in &self.held {
            hash.push(*unit);
        }
        self.held.clear();
        hash
    }

    /// What was held is text after all, and so is this unit.
    fn release(&mut self, unit: u16, at: u64, emit: &mut impl FnMut(u16, u64)) {
        // A number is shorter once replaced, so the held units count back from this one.
        let begin = at - self.held.len() as u64;
        for (place, unit) in self.held.iter().enumerate() {
            emit(*unit, begin + place as u64);
        }
        self.held.clear();
        self.state = State::Text;
        self.push(unit, at, emit);
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

    /// A block ended with its line: one unit stands for it, then comes the line's end.
    fn fold(&mut self, hash: UnitHash, at: u64, emit: &mut impl FnMut(u16, u64)) {
        emit(folded(hash), self.held_at);
        self.state = State::Text;
        self.push(NEWLINE, at, emit);
    }

    /// `offset` is that of the unit to come.
    pub(crate) fn visit(&mut self, codec: &mut Codec, offset: u64) {
        codec.choice(&mut self.state, &State::ALL);
        codec.number(&mut self.units, offset);
        self.fence.visit(codec, offset.max(1));
        codec.number(&mut self.hash.0, u64::MAX);
        codec.units(&mut self.held, usize::MAX);
        codec.check(self.held.len() as u64 <= offset);
        codec.number(&mut self.held_at, offset);
    }
}

/// The one unit that stands for a block of code or a table's row.
fn folded(hash: UnitHash) -> u16 {
    FOLDED + (hash.0 % FOLDED_VALUES) as u16
}

fn is_digit(unit: u16) -> bool {
    (0x30..=0x39).contains(&unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The compared text with `#` for a list's number and `@` for what was folded.
    fn compared(text: &str) -> String {
        let mut lines = Lines::new();
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
    fn the_same_block_gives_the_same_unit_and_another_one_another() {
        let unit = |text: &str| {
            let mut lines = Lines::new();
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
