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

use super::fence::{BACKTICK, Fence, NEWLINE, TILDE, is_prefix, load_mark, save_mark};
use crate::hash::UnitHash;
use crate::snapshot::{Corrupt, Reader, Writer};

/// Stands for the number in front of a list item. From the private use area, as is [`folded`].
pub(crate) const LIST_NUMBER: u16 = 0xf8ff;
const FOLDED: u16 = 0xe000;
const FOLDED_VALUES: u64 = 0xf8ff - 0xe000;

/// Deeper indentation than this is text like any other.
const LONGEST_PREFIX: usize = 64;
/// A longer number is not a list's.
const LONGEST_NUMBER: usize = 9;
/// What follows the fence on its line; beyond this it is a fence whatever comes.
const LONGEST_INFO: usize = 256;
/// A row beyond this is no table's: a model that fell into endless padding is seen again.
const LONGEST_ROW: u64 = 4_096;

/// Where in a line the next unit stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// At the start of a line, behind white space and quote marks only. They are held.
    Start,
    /// Within a line of text.
    Text,
    /// Behind so many digits at the start of a line. They are held.
    Number { digits: usize },
    /// Behind the digits' `.` or `)`, all held.
    NumberEnd,
    /// Behind so many backticks or tildes, held.
    Marks { mark: u16, count: u64 },
    /// Behind a fence, on its line, which is held.
    Info { mark: u16, count: u64, units: usize },
    /// Within a block of code.
    Code(Fence),
    /// Within a row of a table.
    Row { hash: UnitHash, units: u64 },
}

/// Turns the units of a text into the units that are compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Lines {
    state: State,
    held: Vec<u16>,
    /// Where in the text the held units, or the folded block, begin.
    held_at: u64,
}

impl Lines {
    pub(crate) fn new() -> Self {
        Self {
            state: State::Start,
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
    #[inline]
    pub(crate) fn plain<'a>(&self, coming: &'a [u16]) -> &'a [u16] {
        if self.state != State::Text {
            return &[];
        }
        match coming.iter().position(|&unit| unit == NEWLINE) {
            Some(end) => &coming[..=end],
            None => coming,
        }
    }

    /// Takes units of what [`Lines::plain`] gave.
    #[inline]
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
            State::Number { digits } => match unit {
                _ if is_digit(unit) && digits < LONGEST_NUMBER => {
                    self.hold(unit, at, State::Number { digits: digits + 1 });
                }
                // "." ")" and the Chinese enumeration marks
                0x2e | 0x29 | 0x3001 | 0xff0e | 0xff09 => self.hold(unit, at, State::NumberEnd),
                _ => self.release(unit, at, emit),
            },
            // "3.14" is no list item.
            State::NumberEnd if is_digit(unit) => self.release(unit, at, emit),
            State::NumberEnd => {
                self.replace_number();
                self.release(unit, at, emit);
            }
            State::Marks { mark, count } => match unit {
                _ if unit == mark => self.hold(
                    unit,
                    at,
                    State::Marks {
                        mark,
                        count: count + 1,
                    },
                ),
                _ if count < 3 => self.release(unit, at, emit),
                _ => {
                    self.state = State::Info {
                        mark,
                        count,
                        units: 0,
                    };
                    self.push_special(unit, at, emit);
                }
            },
            State::Info { mark, count, units } => match unit {
                // Inline code in three backticks, not a fence.
                BACKTICK if mark == BACKTICK => self.release(unit, at, emit),
                _ if unit == NEWLINE || units == LONGEST_INFO => {
                    let mut hash = UnitHash::EMPTY;
                    self.held.drain(..).for_each(|unit| hash.push(unit));
                    hash.push(unit);
                    self.state = State::Code(Fence::open(mark, count, hash, unit == NEWLINE));
                }
                _ => self.hold(
                    unit,
                    at,
                    State::Info {
                        mark,
                        count,
                        units: units + 1,
                    },
                ),
            },
            State::Code(mut fence) => match fence.push(unit) {
                Some(hash) => self.fold(hash, at, emit),
                None => self.state = State::Code(fence),
            },
            State::Row { hash, .. } if unit == NEWLINE => self.fold(hash, at, emit),
            State::Row { mut hash, units } => {
                hash.push(unit);
                self.state = State::Row {
                    hash,
                    units: units + 1,
                };
                if units == LONGEST_ROW {
                    emit(folded(hash), self.held_at);
                    self.state = State::Text;
                }
            }
        }
    }

    fn push_start(&mut self, unit: u16, at: u64, emit: &mut impl FnMut(u16, u64)) {
        match unit {
            _ if is_prefix(unit) && self.held.len() < LONGEST_PREFIX => {
                self.hold(unit, at, State::Start);
            }
            _ if is_digit(unit) => self.hold(unit, at, State::Number { digits: 1 }),
            BACKTICK | TILDE => self.hold(
                unit,
                at,
                State::Marks {
                    mark: unit,
                    count: 1,
                },
            ),
            // A pipe, or what boxes are drawn with.
            0x7c | 0x2500..=0x257f => {
                self.hold(unit, at, State::Start);
                let mut hash = UnitHash::EMPTY;
                self.held.drain(..).for_each(|unit| hash.push(unit));
                self.state = State::Row { hash, units: 1 };
            }
            _ => self.release(unit, at, emit),
        }
    }

    fn hold(&mut self, unit: u16, at: u64, state: State) {
        if self.held.is_empty() {
            self.held_at = at;
        }
        self.held.push(unit);
        self.state = state;
    }

    /// What was held is text after all, and so is this unit.
    fn release(&mut self, unit: u16, at: u64, emit: &mut impl FnMut(u16, u64)) {
        // A number is shorter once replaced, so the held units count back from this one.
        let begin = at - self.held.len() as u64;
        for (place, unit) in self.held.drain(..).enumerate() {
            emit(unit, begin + place as u64);
        }
        self.state = State::Text;
        self.push(unit, at, emit);
    }

    /// Digits and their mark end the held units; one unit takes the digits' place.
    fn replace_number(&mut self) {
        let mark = self.held.pop().expect("the mark behind the number is held");
        while self.held.last().is_some_and(|&unit| is_digit(unit)) {
            self.held.pop();
        }
        self.held.extend([LIST_NUMBER, mark]);
    }

    /// A block ended with its line: one unit stands for it, then comes the line's end.
    fn fold(&mut self, hash: UnitHash, at: u64, emit: &mut impl FnMut(u16, u64)) {
        emit(folded(hash), self.held_at);
        self.state = State::Text;
        self.push(NEWLINE, at, emit);
    }

    pub(crate) fn save(&self, to: &mut Writer) {
        match self.state {
            State::Start => to.number(0),
            State::Text => to.number(1),
            State::Number { digits } => {
                to.number(2);
                to.length(digits);
            }
            State::NumberEnd => to.number(3),
            State::Marks { mark, count } => {
                to.number(4);
                save_mark(mark, to);
                to.number(count);
            }
            State::Info { mark, count, units } => {
                to.number(5);
                save_mark(mark, to);
                to.number(count);
                to.length(units);
            }
            State::Code(fence) => {
                to.number(6);
                fence.save(to);
            }
            State::Row { hash, units } => {
                to.number(7);
                to.number(hash.0);
                to.number(units);
            }
        }
        to.units(&self.held);
        to.number(self.held_at);
    }

    /// `offset` is that of the unit to come.
    pub(crate) fn load(from: &mut Reader, offset: u64) -> Result<Self, Corrupt> {
        let state = match from.number()? {
            0 => State::Start,
            1 => State::Text,
            2 => State::Number {
                digits: from.number_to(LONGEST_NUMBER as u64)? as usize,
            },
            3 => State::NumberEnd,
            4 => State::Marks {
                mark: load_mark(from)?,
                count: from.number_to(offset)?,
            },
            5 => State::Info {
                mark: load_mark(from)?,
                count: from.number_to(offset)?,
                units: from.number_to(LONGEST_INFO as u64)? as usize,
            },
            6 => State::Code(Fence::load(from, offset)?),
            7 => State::Row {
                hash: UnitHash(from.number()?),
                units: from.number_to(LONGEST_ROW)?,
            },
            _ => return Err(Corrupt),
        };
        let held = from.units(usize::MAX)?;
        let held_at = from.number()?;
        let numbered = held.last().is_some_and(|&unit| !is_digit(unit));
        if held.len() as u64 > offset
            || held_at > offset
            || (state == State::NumberEnd && !numbered)
        {
            return Err(Corrupt);
        }
        Ok(Self {
            state,
            held,
            held_at,
        })
    }
}

/// The one unit that stands for a block of code or a table's row.
fn folded(hash: UnitHash) -> u16 {
    FOLDED + u16::try_from(hash.0 % FOLDED_VALUES).expect("the private use area is small")
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
