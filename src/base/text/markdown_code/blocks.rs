//! The blocks of a Markdown text, line by line, as far as they say where fenced code begins and ends.
//!
//! A fence counts from the indentation of what holds it, a quotation or an item of a list, and ends
//! with it. So both have to be followed. What a line is depends on its beginning alone, except for a
//! fence's own line: [`MarkdownBlocks::read`] says it as soon as the beginning is long enough, which
//! lets a stream be read unit by unit.

use serde::{Deserialize, Serialize};

use super::line::{
    BACKTICK, CODE_INDENTATION, Container, Cursor, Fence, GREATER, Line, Next, SHORTEST_FENCE,
    TILDE,
};

/// Blocks nested deeper are text. It keeps hostile nesting from costing more than its length.
const DEEPEST_NESTING: usize = 16;

const CARRIAGE_RETURN: u16 = b'\r' as u16;

/// A block with which the next line may go on.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
enum OpenBlock {
    #[default]
    None,
    Paragraph,
    Code(Fence),
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
    /// Whether the line is a fence, if [`Self::may_be_followed_by`] says so of its rest.
    pub fn is_opening_fence(&self) -> bool {
        matches!(self.line, Line::OpeningFence { .. })
    }

    /// Whether this may follow the marks of a fence, up to the end of the line. A line with three
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
    /// Whether what was restored can have been saved.
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

    /// Whether the text is within a fenced block of code.
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
        let mut cursor = Cursor::new(units, is_whole);
        let mut start = LineStart {
            line: Line::Single,
            continued: self.count_continued(&mut cursor)?,
            begun: Vec::new(),
            ends_code: false,
        };
        if let OpenBlock::Code(fence) = self.open {
            if start.continued == self.containers.len() {
                start.line = cursor.read_code(fence)?;
                return Some(start);
            }
            start.ends_code = true;
        }
        start.line = match self.read_begun(&mut cursor, &mut start)? {
            Some(line) => line,
            None => return Some(self.read_as_text_after(start)),
        };
        Some(start)
    }

    /// Adds the containers that begin on a line, after whose marks the cursor then is, and says what the rest of
    /// it is, unless that is text. `None` on the outside if that is not known yet.
    fn read_begun(&self, cursor: &mut Cursor, start: &mut LineStart) -> Option<Option<Line>> {
        loop {
            let (indentation, next) = cursor.indentation();
            let Next::Unit(unit) = next? else {
                return Some(Some(Line::Blank));
            };
            let is_lazy = self.is_lazy(start);
            if indentation >= CODE_INDENTATION {
                // Indented code, or a paragraph that goes on.
                return Some((!is_lazy).then_some(Line::Single));
            }
            let follows_paragraph = is_lazy && start.continued == self.containers.len();
            let may_nest = start.continued + start.begun.len() < DEEPEST_NESTING;
            if unit == GREATER && may_nest {
                cursor.skip_quotation_mark();
                start.begun.push(Container::Quotation);
                continue;
            }
            let line = cursor.read_single_block(unit, follows_paragraph)?;
            if line.is_some() || !may_nest {
                return Some(line);
            }
            match cursor.skip_item_marker(follows_paragraph)? {
                Some(item) => start.begun.push(item),
                None => return Some(None),
            }
        }
    }

    /// Whether text would go on with a paragraph, whatever marks the line lacks.
    fn is_lazy(&self, start: &LineStart) -> bool {
        self.open == OpenBlock::Paragraph && start.begun.is_empty()
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
        let (line, continued) = match self.is_lazy(&start) {
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
