//! One line of a Markdown text, from its beginning: the containers and the block that begin there.

use serde::{Deserialize, Serialize};

/// A line indented by this many columns or more begins no block: it is indented code, or goes on with a
/// paragraph.
pub(super) const CODE_INDENTATION: usize = 4;
/// A shorter run of marks is no fence.
pub(super) const SHORTEST_FENCE: usize = 3;
const SHORTEST_DIVIDER: usize = 3;
const TAB_STOP: usize = 4;
/// Longer numbers begin no item of a list.
const LONGEST_NUMBER: usize = 9;

const TAB: u16 = b'\t' as u16;
const SPACE: u16 = b' ' as u16;
const HASH: u16 = b'#' as u16;
pub(super) const GREATER: u16 = b'>' as u16;
const EQUALS: u16 = b'=' as u16;
const ASTERISK: u16 = b'*' as u16;
const PLUS: u16 = b'+' as u16;
const DASH: u16 = b'-' as u16;
const UNDERSCORE: u16 = b'_' as u16;
const DOT: u16 = b'.' as u16;
const CLOSE_PAREN: u16 = b')' as u16;
/// The mark of a fence, and of inline code.
pub const BACKTICK: u16 = b'`' as u16;
/// The other mark of a fence.
pub const TILDE: u16 = b'~' as u16;

/// A container of the block that is being read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Container {
    /// A quotation, of which each line begins with `>`.
    Quotation,
    /// An item of a list, of which each line is indented.
    Item {
        /// By how many columns.
        indentation: usize,
        /// Nothing has followed the item's marker so far.
        is_empty: bool,
    },
}

/// The marks that a fenced block of code begins with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fence {
    pub(super) mark: u16,
    pub(super) length: usize,
}

/// The kind of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Line {
    /// Nothing but white space.
    Blank,
    /// The first line of a paragraph.
    Paragraph,
    /// A further line of the paragraph before it.
    Continuation,
    /// A heading, a divider, a line of indented code: text that no other line goes on with.
    Single,
    /// A fence, the line before a block of code, if [`LineStart::may_be_followed_by`](super::LineStart::may_be_followed_by) says so of the
    /// line from the index `rest` on.
    OpeningFence {
        /// Its marks.
        fence: Fence,
        /// The start of the text after the marks.
        rest: usize,
    },
    /// A line of a block of code.
    Code,
    /// The fence that ends a block of code.
    ClosingFence,
}

/// A character of a line, or its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Next {
    Unit(u16),
    /// The line's end.
    End,
}

/// Goes through the beginning of a line.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cursor<'a> {
    units: &'a [u16],
    index: usize,
    /// Tabs reach to the next column that is a multiple of [`TAB_STOP`]. Within a tab, of which a
    /// part was skipped, the index is that of the tab.
    column: usize,
    /// Nothing follows the units on their line.
    is_whole: bool,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(units: &'a [u16], is_whole: bool) -> Self {
        Self {
            units,
            index: 0,
            column: 0,
            is_whole,
        }
    }

    /// `None` if what follows is not known yet.
    fn next(&self) -> Option<Next> {
        match self.units.get(self.index) {
            Some(&unit) => Some(Next::Unit(unit)),
            None => self.is_whole.then_some(Next::End),
        }
    }

    /// The columns of white space that follow, and the character after those.
    pub(super) fn indentation(&self) -> (usize, Option<Next>) {
        let mut ahead = *self;
        ahead.skip_blanks();
        (ahead.column - self.column, ahead.next())
    }

    fn skip_blanks(&mut self) {
        while let Some(Next::Unit(SPACE | TAB)) = self.next() {
            self.skip_columns(1);
        }
    }

    /// Skips columns of white space, at most up to its end.
    pub(super) fn skip_columns(&mut self, count: usize) {
        for _ in 0..count {
            match self.next() {
                Some(Next::Unit(SPACE)) => self.index += 1,
                Some(Next::Unit(TAB)) if self.column % TAB_STOP == TAB_STOP - 1 => self.index += 1,
                Some(Next::Unit(TAB)) => {}
                _ => return,
            }
            self.column += 1;
        }
    }

    /// Skips as many of these units as follow, and answers with how many they were.
    fn skip_all(&mut self, unit: u16) -> usize {
        let start = self.index;
        while self.next() == Some(Next::Unit(unit)) {
            self.skip_unit();
        }
        self.index - start
    }

    fn skip_unit(&mut self) {
        self.index += 1;
        self.column += 1;
    }

    /// Skips `>` and the white space before it, and the column after it if that is white, too.
    pub(super) fn skip_quotation_mark(&mut self) {
        self.skip_blanks();
        self.skip_unit();
        self.skip_columns(1);
    }

    /// The kind of a line within a block of code.
    pub(super) fn read_code(&mut self, fence: Fence) -> Option<Line> {
        let (indentation, next) = self.indentation();
        if indentation >= CODE_INDENTATION || next? != Next::Unit(fence.mark) {
            return Some(Line::Code);
        }
        self.skip_blanks();
        let length = self.skip_all(fence.mark);
        let (_, next) = self.indentation();
        let closes = next? == Next::End && length >= fence.length;
        Some(if closes {
            Line::ClosingFence
        } else {
            Line::Code
        })
    }

    /// The heading, the divider, the underline of a paragraph or the fence that begins with this
    /// unit, if there is one. `None` on the outside if that is not known yet.
    pub(super) fn read_single_block(
        &self,
        first: u16,
        follows_paragraph: bool,
    ) -> Option<Option<Line>> {
        let mut ahead = *self;
        ahead.skip_blanks();
        Some(match first {
            HASH => {
                let is_heading = ahead.skip_all(HASH) <= 6;
                (is_heading && ahead.next()?.is_blank()).then_some(Line::Single)
            }
            BACKTICK | TILDE => {
                let fence = Fence {
                    mark: first,
                    length: ahead.skip_all(first),
                };
                ahead.next()?;
                let rest = ahead.index;
                (fence.length >= SHORTEST_FENCE).then_some(Line::OpeningFence { fence, rest })
            }
            EQUALS if follows_paragraph => {
                ahead.skip_all(EQUALS);
                let (_, next) = ahead.indentation();
                (next? == Next::End).then_some(Line::Single)
            }
            ASTERISK | DASH | UNDERSCORE => {
                let in_a_row = ahead.skip_all(first);
                let mut marks = in_a_row;
                ahead.skip_blanks();
                let is_underline = first == DASH && follows_paragraph && ahead.next()? == Next::End;
                while ahead.next()? == Next::Unit(first) {
                    marks += ahead.skip_all(first);
                    ahead.skip_blanks();
                }
                let is_divider = marks >= SHORTEST_DIVIDER && ahead.next()? == Next::End;
                (is_underline || is_divider).then_some(Line::Single)
            }
            _ => None,
        })
    }

    /// Skips the marker of an item of a list, if there is one, and the white space after it. `None` on
    /// the outside if that is not known yet. Directly after a paragraph, the number of an item is 1 and
    /// the item is not empty, or too much of ordinary text would be one.
    pub(super) fn skip_item_marker(
        &mut self,
        follows_paragraph: bool,
    ) -> Option<Option<Container>> {
        let mut ahead = *self;
        ahead.skip_blanks();
        let number = ahead.index;
        match ahead.next()? {
            Next::Unit(ASTERISK | PLUS | DASH) => ahead.skip_unit(),
            Next::Unit(unit) if is_digit(unit) => {
                while let Next::Unit(unit) = ahead.next()?
                    && is_digit(unit)
                    && ahead.index - number < LONGEST_NUMBER
                {
                    ahead.skip_unit();
                }
                let is_one = ahead.units[number..ahead.index] == [u16::from(b'1')];
                let is_number = matches!(ahead.next()?, Next::Unit(DOT | CLOSE_PAREN));
                if !is_number || follows_paragraph && !is_one {
                    return Some(None);
                }
                ahead.skip_unit();
            }
            _ => return Some(None),
        }
        if !ahead.next()?.is_blank() {
            return Some(None);
        }
        let marker_end = ahead.column;
        let (blanks, next) = ahead.indentation();
        let is_empty = next? == Next::End;
        if follows_paragraph && is_empty {
            return Some(None);
        }
        // More white space belongs to what follows, which is indented code.
        let is_separated = !is_empty && blanks <= CODE_INDENTATION;
        let blanks = if is_separated { blanks } else { 1 };
        ahead.skip_columns(blanks);
        let indentation = marker_end + blanks - self.column;
        *self = ahead;
        Some(Some(Container::Item {
            indentation,
            is_empty,
        }))
    }
}

impl Next {
    /// Whether it ends a marker: white space or the line's end.
    fn is_blank(self) -> bool {
        matches!(self, Self::End | Self::Unit(SPACE | TAB))
    }
}

fn is_digit(unit: u16) -> bool {
    (0x30..=0x39).contains(&unit)
}
