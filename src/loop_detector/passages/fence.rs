//! A fenced block of code, from behind its first line to its end.

use crate::hash::UnitHash;
use crate::snapshot::{Corrupt, Reader, Writer};

pub(crate) const NEWLINE: u16 = b'\n' as u16;
pub(crate) const BACKTICK: u16 = b'`' as u16;
pub(crate) const TILDE: u16 = b'~' as u16;

/// Within a block that a line of `count` marks or more ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Fence {
    mark: u16,
    count: u64,
    line: CodeLine,
    hash: UnitHash,
}

/// Where in a line of code the next unit stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CodeLine {
    /// Behind white space and quote marks only.
    Start,
    /// Behind so many fence marks.
    Marks { count: u64 },
    /// Behind fence marks and white space.
    Closed { count: u64 },
    /// Within any other line.
    Other,
}

impl Fence {
    /// Behind the fence's own line, which has the hash, or within it if that line is very long.
    pub(crate) fn open(mark: u16, count: u64, hash: UnitHash, at_line_start: bool) -> Self {
        let line = if at_line_start {
            CodeLine::Start
        } else {
            CodeLine::Other
        };
        Self {
            mark,
            count,
            line,
            hash,
        }
    }

    /// Takes the next unit. The unit that ends the block, the end of its last line, gives the
    /// block's hash.
    pub(crate) fn push(&mut self, unit: u16) -> Option<UnitHash> {
        use CodeLine::{Closed, Marks, Other, Start};
        let next = match self.line {
            Marks { count } | Closed { count } if unit == NEWLINE && count >= self.count => {
                return Some(self.hash);
            }
            _ if unit == NEWLINE => Start,
            Start if is_prefix(unit) => Start,
            Start if unit == self.mark => Marks { count: 1 },
            Marks { count } if unit == self.mark => Marks { count: count + 1 },
            Marks { count } | Closed { count } if is_space(unit) => Closed { count },
            _ => Other,
        };
        self.line = next;
        self.hash.push(unit);
        None
    }

    pub(crate) fn save(self, to: &mut Writer) {
        save_mark(self.mark, to);
        to.number(self.count);
        to.number(self.hash.0);
        let (kind, count) = match self.line {
            CodeLine::Start => (0, 0),
            CodeLine::Marks { count } => (1, count),
            CodeLine::Closed { count } => (2, count),
            CodeLine::Other => (3, 0),
        };
        to.number(kind);
        to.number(count);
    }

    /// `offset` is that of the unit to come.
    pub(crate) fn load(from: &mut Reader, offset: u64) -> Result<Self, Corrupt> {
        let (mark, count) = (load_mark(from)?, from.number_to(offset)?);
        let hash = UnitHash(from.number()?);
        let (kind, marks) = (from.number()?, from.number_to(offset)?);
        let line = match kind {
            0 => CodeLine::Start,
            1 => CodeLine::Marks { count: marks },
            2 => CodeLine::Closed { count: marks },
            3 => CodeLine::Other,
            _ => return Err(Corrupt),
        };
        Ok(Self {
            mark,
            count,
            line,
            hash,
        })
    }
}

pub(crate) fn save_mark(mark: u16, to: &mut Writer) {
    to.flag(mark == TILDE);
}

pub(crate) fn load_mark(from: &mut Reader) -> Result<u16, Corrupt> {
    Ok(if from.flag()? { TILDE } else { BACKTICK })
}

/// White space within a line, and the marks of a quotation.
pub(crate) fn is_prefix(unit: u16) -> bool {
    is_space(unit) || unit == u16::from(b'>')
}

fn is_space(unit: u16) -> bool {
    matches!(unit, 0x20 | 0x09 | 0x0d)
}
