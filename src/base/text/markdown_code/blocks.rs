//! The blocks of a Markdown text, line by line, as far as they say where fenced code begins and ends.
//!
//! A fence counts from the indentation of what holds it, a quotation or an item of a list, and ends
//! with it. So both have to be followed. What a line is depends on its beginning alone, except for a
//! fence's own line: [`MarkdownBlocks::read`] says it as soon as the beginning is long enough, which
//! lets a stream be read unit by unit.

use serde::{Deserialize, Serialize};

/// A line indented by this many columns or more begins no block: it is indented code, or goes on with a
/// paragraph.
const CODE_INDENTATION: usize = 4;
/// A shorter run of marks is no fence.
const SHORTEST_FENCE: usize = 3;
const SHORTEST_DIVIDER: usize = 3;
const TAB_STOP: usize = 4;
/// Longer numbers begin no item of a list.
const LONGEST_NUMBER: usize = 9;
/// Blocks nested deeper are text. It keeps hostile nesting from costing more than its length.
const DEEPEST_NESTING: usize = 16;

const TAB: u16 = b'\t' as u16;
const CARRIAGE_RETURN: u16 = b'\r' as u16;
const SPACE: u16 = b' ' as u16;
const HASH: u16 = b'#' as u16;
const GREATER: u16 = b'>' as u16;
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
enum Container {
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
    mark: u16,
    length: usize,
}

/// A block with which the next line may go on.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
enum OpenBlock {
    #[default]
    None,
    Paragraph,
    Code(Fence),
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
    /// A fence, the line before a block of code, if [`LineStart::may_be_followed_by`] says so of the
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

/// The beginning of a line, as far as it was read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineStart {
    /// The kind of the line, so far.
    pub line: Line,
    /// The number of containers that go on.
    continued: usize,
    /// The containers that begin on this line.
    begun: Vec<Container>,
    /// A block of code is open, and what holds it does not go on, so that the code ended with the line
    /// before this one.
    pub ends_code: bool,
}

impl LineStart {
    /// True if the line is a fence, if [`Self::may_be_followed_by`] says so of its rest.
    pub fn is_opening_fence(&self) -> bool {
        matches!(self.line, Line::OpeningFence { .. })
    }

    /// True if this may follow the marks of a fence, up to the end of the line. A line with three
    /// backticks and more of them later on is inline code.
    pub fn may_be_followed_by(&self, rest: &[u16]) -> bool {
        match self.line {
            Line::OpeningFence { fence, .. } => fence.mark == TILDE || !rest.contains(&BACKTICK),
            _ => true,
        }
    }
}

/// Follows the blocks of a text.
#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MarkdownBlocks {
    containers: Vec<Container>,
    open: OpenBlock,
}

impl MarkdownBlocks {
    /// True if what was restored can have been saved.
    pub fn is_valid(&self) -> bool {
        let is_nested_too_deep = self.containers.len() > DEEPEST_NESTING;
        let is_fence = match self.open {
            OpenBlock::Code(fence) => {
                matches!(fence.mark, BACKTICK | TILDE) && fence.length >= SHORTEST_FENCE
            }
            _ => true,
        };
        !is_nested_too_deep && is_fence
    }

    /// True if the text is within a fenced block of code.
    pub fn is_in_code(&self) -> bool {
        matches!(self.open, OpenBlock::Code(_))
    }

    /// Takes a whole line, without its line feed, and says what it is. Second is whether a block of code
    /// ended with the line before, because what holds it did.
    pub fn push_line(&mut self, line: &[u16]) -> (Line, bool) {
        let mut start = self.read(line, true).unwrap_or_else(|| self.read_as_text());
        if let Line::OpeningFence { rest, .. } = start.line
            && !start.may_be_followed_by(&line[rest..])
        {
            start = self.read_as_text_after(start);
        }
        let said = (start.line, start.ends_code);
        self.go_on(start);
        said
    }

    /// The kind of the line with this beginning, if the beginning is enough to say so.
    pub fn read(&self, beginning: &[u16], is_whole: bool) -> Option<LineStart> {
        // A carriage return before the line feed is no part of the line.
        let units = match beginning.split_last() {
            Some((&CARRIAGE_RETURN, units)) => units,
            _ => beginning,
        };
        let mut cursor = Cursor {
            units,
            index: 0,
            column: 0,
            is_whole,
        };
        let continued = self.count_continued(&mut cursor)?;
        let all_continue = continued == self.containers.len();
        let mut start = LineStart {
            line: Line::Single,
            continued,
            begun: Vec::new(),
            ends_code: false,
        };
        if let OpenBlock::Code(fence) = self.open {
            if all_continue {
                start.line = read_code(&mut cursor, fence)?;
                return Some(start);
            }
            start.ends_code = true;
        }
        loop {
            let (indentation, next) = cursor.indentation();
            let is_lazy = self.open == OpenBlock::Paragraph && start.begun.is_empty();
            let follows_paragraph = is_lazy && all_continue;
            let unit = match next? {
                Next::End => {
                    start.line = Line::Blank;
                    return Some(start);
                }
                Next::Unit(unit) => unit,
            };
            let is_nested_too_deep = continued + start.begun.len() == DEEPEST_NESTING;
            if indentation < CODE_INDENTATION {
                if unit == GREATER && !is_nested_too_deep {
                    cursor.skip_quotation_mark();
                    start.begun.push(Container::Quotation);
                    continue;
                }
                if let Some(line) = cursor.read_single_block(unit, follows_paragraph)? {
                    start.line = line;
                    return Some(start);
                }
                if !is_nested_too_deep
                    && let Some(item) = cursor.skip_item_marker(follows_paragraph)?
                {
                    start.begun.push(item);
                    continue;
                }
            } else if !is_lazy {
                // Indented code.
                return Some(start);
            }
            return Some(self.read_as_text_after(start));
        }
    }

    /// The line whose beginning was read goes by.
    pub fn go_on(&mut self, start: LineStart) {
        let begins_container = !start.begun.is_empty();
        self.containers.truncate(start.continued);
        self.containers.extend(start.begun);
        let filled = match start.line {
            Line::Blank if begins_container => self.containers.len() - 1,
            Line::Blank => 0,
            _ => self.containers.len(),
        };
        for container in &mut self.containers[..filled] {
            if let Container::Item { is_empty, .. } = container {
                *is_empty = false;
            }
        }
        self.open = match start.line {
            Line::OpeningFence { fence, .. } => OpenBlock::Code(fence),
            Line::Code => self.open,
            Line::Paragraph | Line::Continuation => OpenBlock::Paragraph,
            Line::Blank | Line::Single | Line::ClosingFence => OpenBlock::None,
        };
    }

    /// The block of code ended before the line with this beginning, which is still to come.
    pub fn end_code(&mut self, start: &LineStart) {
        self.containers.truncate(start.continued);
        self.open = OpenBlock::None;
    }

    /// The line with this beginning, if it is text. It goes on with a paragraph even where it lacks the
    /// marks of what holds that.
    pub fn read_as_text_after(&self, start: LineStart) -> LineStart {
        let is_lazy = self.open == OpenBlock::Paragraph && start.begun.is_empty();
        let (line, continued) = match is_lazy {
            true => (Line::Continuation, self.containers.len()),
            false => (Line::Paragraph, start.continued),
        };
        LineStart {
            line,
            continued,
            ..start
        }
    }

    /// A line whose beginning is too long to be looked at.
    pub fn read_as_text(&self) -> LineStart {
        let line = match self.open {
            OpenBlock::None => Line::Paragraph,
            OpenBlock::Paragraph => Line::Continuation,
            OpenBlock::Code(_) => Line::Code,
        };
        LineStart {
            line,
            continued: self.containers.len(),
            begun: Vec::new(),
            ends_code: false,
        }
    }

    /// The number of containers that go on in a line, after whose marks the cursor then is.
    fn count_continued(&self, cursor: &mut Cursor) -> Option<usize> {
        for (index, container) in self.containers.iter().enumerate() {
            let (columns, next) = cursor.indentation();
            let next = next?;
            let goes_on = match *container {
                Container::Quotation => columns < CODE_INDENTATION && next == Next::Unit(GREATER),
                Container::Item { is_empty, .. } if next == Next::End => !is_empty,
                Container::Item { indentation, .. } => columns >= indentation,
            };
            if !goes_on {
                return Some(index);
            }
            match *container {
                Container::Quotation => cursor.skip_quotation_mark(),
                Container::Item { indentation, .. } => cursor.skip_columns(indentation),
            }
        }
        Some(self.containers.len())
    }
}

/// The kind of a line within a block of code.
fn read_code(cursor: &mut Cursor, fence: Fence) -> Option<Line> {
    let (indentation, next) = cursor.indentation();
    if indentation >= CODE_INDENTATION || next? != Next::Unit(fence.mark) {
        return Some(Line::Code);
    }
    cursor.skip_blanks();
    let length = cursor.skip_all(fence.mark);
    let (_, next) = cursor.indentation();
    let closes = next? == Next::End && length >= fence.length;
    Some(if closes {
        Line::ClosingFence
    } else {
        Line::Code
    })
}

/// A character of a line, or its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Next {
    Unit(u16),
    /// The line's end.
    End,
}

/// Goes through the beginning of a line.
#[derive(Debug, Clone, Copy)]
struct Cursor<'a> {
    units: &'a [u16],
    index: usize,
    /// Tabs reach to the next column that is a multiple of [`TAB_STOP`]. Within a tab, of which a
    /// part was skipped, the index is that of the tab.
    column: usize,
    /// Nothing follows the units on their line.
    is_whole: bool,
}

impl Cursor<'_> {
    /// `None` if what follows is not known yet.
    fn next(&self) -> Option<Next> {
        match self.units.get(self.index) {
            Some(&unit) => Some(Next::Unit(unit)),
            None => self.is_whole.then_some(Next::End),
        }
    }

    /// The columns of white space that follow, and the character after those.
    fn indentation(&self) -> (usize, Option<Next>) {
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
    fn skip_columns(&mut self, count: usize) {
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
    fn skip_quotation_mark(&mut self) {
        self.skip_blanks();
        self.skip_unit();
        self.skip_columns(1);
    }

    /// The heading, the divider, the underline of a paragraph or the fence that begins with this
    /// unit, if there is one. `None` on the outside if that is not known yet.
    fn read_single_block(&self, first: u16, follows_paragraph: bool) -> Option<Option<Line>> {
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
    fn skip_item_marker(&mut self, follows_paragraph: bool) -> Option<Option<Container>> {
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
    /// True if it ends a marker: white space or the line's end.
    fn is_blank(self) -> bool {
        matches!(self, Self::End | Self::Unit(SPACE | TAB))
    }
}

fn is_digit(unit: u16) -> bool {
    (0x30..=0x39).contains(&unit)
}
