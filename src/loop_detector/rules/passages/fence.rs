//! A fenced block of code, from behind its first line to its end.

use crate::hash::UnitHash;
use crate::snapshot::Codec;

pub(crate) const NEWLINE: u16 = b'\n' as u16;
pub(crate) const BACKTICK: u16 = b'`' as u16;
pub(crate) const TILDE: u16 = b'~' as u16;

/// Within a block that a line of `count` marks or more ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Fence {
    pub(crate) mark: u16,
    pub(crate) count: u64,
    line: CodeLine,
    /// So many fence marks stand in the line so far, if there is nothing else but white space.
    marks: u64,
    hash: UnitHash,
}

/// Where in a line of code the next unit stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CodeLine {
    /// Behind white space and quote marks only.
    Start,
    /// Behind fence marks.
    Marks,
    /// Behind fence marks and white space.
    Closed,
    /// Within any other line.
    Other,
}

impl Fence {
    /// Behind the first mark of what may become a fence.
    pub(crate) fn begin(mark: u16) -> Self {
        Self {
            mark,
            count: 1,
            line: CodeLine::Other,
            marks: 0,
            hash: UnitHash::EMPTY,
        }
    }

    /// Behind the fence's own line, which has the hash, or within it if that line is very long.
    pub(crate) fn open(&mut self, hash: UnitHash, at_line_start: bool) {
        self.hash = hash;
        self.line = if at_line_start {
            CodeLine::Start
        } else {
            CodeLine::Other
        };
    }

    /// Takes the next unit. The unit that ends the block, the end of its last line, gives the
    /// block's hash.
    pub(crate) fn push(&mut self, unit: u16) -> Option<UnitHash> {
        use CodeLine::{Closed, Marks, Other, Start};
        let closes = matches!(self.line, Marks | Closed);
        self.line = match self.line {
            _ if unit == NEWLINE => {
                if closes && self.marks >= self.count {
                    return Some(self.hash);
                }
                Start
            }
            Start if is_prefix(unit) => Start,
            Start if unit == self.mark => {
                self.marks = 1;
                Marks
            }
            Marks if unit == self.mark => {
                self.marks += 1;
                Marks
            }
            Marks | Closed if is_space(unit) => Closed,
            _ => Other,
        };
        self.hash.push(unit);
        None
    }

    /// `offset` is that of the unit to come.
    pub(crate) fn visit(&mut self, codec: &mut Codec, offset: u64) {
        use CodeLine::{Closed, Marks, Other, Start};
        codec.choice(&mut self.mark, &[BACKTICK, TILDE]);
        codec.number(&mut self.count, offset);
        codec.choice(&mut self.line, &[Start, Marks, Closed, Other]);
        codec.number(&mut self.marks, offset);
        codec.number(&mut self.hash.0, u64::MAX);
    }
}

/// White space within a line, and the marks of a quotation.
pub(crate) fn is_prefix(unit: u16) -> bool {
    is_space(unit) || unit == u16::from(b'>')
}

fn is_space(unit: u16) -> bool {
    matches!(unit, 0x20 | 0x09 | 0x0d)
}
