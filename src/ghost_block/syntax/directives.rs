//! `@{…}` and the escapes `\@[` and `\@{`.
//!
//! A directive stands on one line. It is read by its grammar, which fails at the first unit that
//! does not fit, so that reading takes time in proportion to the text, whatever the text.

use super::code::Cursor;
use super::{
    AT, BACKSLASH, CLOSE_BRACE, NEWLINE, OPEN_BRACE, OPEN_BRACKET, QUOTE, Remark, is_blank,
    is_name, is_name_start,
};
use std::ops::Range;

/// What a directive asks for. Names are kept as they stand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Directive {
    Define { name: Vec<u16>, value: Vec<u16> },
    Use { name: Vec<u16> },
    If(Condition),
    Else,
    Endif,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Condition {
    Defined {
        name: Vec<u16>,
        expected: bool,
    },
    Compare {
        left: Vec<u16>,
        operator: Operator,
        right: Operand,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operator {
    Is,
    Isnt,
    Contains,
    DoesntContain,
    Matches,
    DoesntMatch,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Operand {
    Text(Vec<u16>),
    Name(Vec<u16>),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Token {
    /// The backslash before `@[` or `@{`.
    Escape,
    Directive(Directive),
}

/// A token and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Placed {
    pub(crate) range: Range<usize>,
    pub(crate) token: Token,
}

/// The directives and escapes of a text outside `code`, and what is wrong with others.
pub(crate) fn scan(units: &[u16], code: &[Range<usize>]) -> (Vec<Placed>, Vec<Remark>) {
    let mut tokens = Vec::new();
    let mut remarks = Vec::new();
    let mut code = Cursor::new(code);
    let mut lines = LineEnds {
        units,
        end: 0,
        close: 0,
    };
    let mut at = 0;
    while let Some(found) = units[at..].iter().position(|&unit| unit == AT) {
        let start = at + found;
        at = start + 1;
        if let Some(end) = code.end_of(start) {
            at = end;
            continue;
        }
        let next = units.get(at).copied();
        let is_syntax = matches!(next, Some(OPEN_BRACE | OPEN_BRACKET));
        if is_syntax && start > 0 && units[start - 1] == BACKSLASH {
            tokens.push(Placed {
                range: start - 1..start,
                token: Token::Escape,
            });
            continue;
        }
        if next != Some(OPEN_BRACE) || !units.get(at + 1).is_some_and(|&unit| is_name_start(unit)) {
            continue;
        }
        let mut reader = Reader { units, at: at + 1 };
        match reader.directive() {
            Ok(directive) => {
                at = reader.at;
                tokens.push(Placed {
                    range: start..at,
                    token: Token::Directive(directive),
                });
            }
            Err(problem) => remarks.push(if lines.closes_after(start) {
                match problem {
                    Problem::Unknown => {
                        Remark::error(start, "unknown_command", "this is no known command")
                    }
                    Problem::Malformed => Remark::error(
                        start,
                        "bad_directive",
                        "this command is not written as it has to be",
                    ),
                }
            } else {
                Remark::error(
                    start,
                    "unclosed_directive",
                    "nothing closes this `@{` on its line",
                )
            }),
        }
    }
    (tokens, remarks)
}

/// Finds line ends and closing braces behind offsets that never decrease.
struct LineEnds<'a> {
    units: &'a [u16],
    end: usize,
    close: usize,
}

impl LineEnds<'_> {
    /// Whether a brace closes on the offset's line.
    fn closes_after(&mut self, at: usize) -> bool {
        let next = |of: u16, known: usize| {
            if known > at {
                return known;
            }
            let found = self.units[at..].iter().position(|&unit| unit == of);
            found.map_or(usize::MAX, |place| at + place)
        };
        self.end = next(NEWLINE, self.end);
        self.close = next(CLOSE_BRACE, self.close);
        self.close < self.end
    }
}

enum Problem {
    Unknown,
    Malformed,
}

struct Reader<'a> {
    units: &'a [u16],
    at: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u16> {
        self.units.get(self.at).copied()
    }

    fn blank(&mut self) {
        while self.peek().is_some_and(is_blank) {
            self.at += 1;
        }
    }

    fn take(&mut self, unit: u16) -> Option<()> {
        (self.peek() == Some(unit)).then(|| self.at += 1)
    }

    fn name(&mut self) -> Option<Vec<u16>> {
        let from = self.at;
        if !self.peek().is_some_and(is_name_start) {
            return None;
        }
        while self
            .peek()
            .is_some_and(|unit| is_name(unit) || matches!(unit, 0x2d | 0x2e))
        {
            self.at += 1;
        }
        Some(self.units[from..self.at].to_vec())
    }

    /// A string in double quotes on one line. `\"`, `\\`, `\n` and `\t` are escapes; before
    /// anything else a backslash is itself, as in a Windows path.
    fn string(&mut self) -> Option<Vec<u16>> {
        self.take(QUOTE)?;
        let mut text = Vec::new();
        loop {
            let unit = self.peek()?;
            self.at += 1;
            match unit {
                QUOTE => return Some(text),
                NEWLINE => return None,
                BACKSLASH => {
                    let escaped = match self.peek()? {
                        same @ (QUOTE | BACKSLASH) => same,
                        0x6e => NEWLINE,
                        0x74 => 0x09,
                        _ => {
                            text.push(BACKSLASH);
                            continue;
                        }
                    };
                    text.push(escaped);
                    self.at += 1;
                }
                _ => text.push(unit),
            }
        }
    }

    fn directive(&mut self) -> Result<Directive, Problem> {
        let word = self.name().ok_or(Problem::Malformed)?;
        let known = String::from_utf16_lossy(&word);
        let directive = match known.as_str() {
            "define" => self.define(),
            "recall" => self.spaced_name().map(|name| Directive::Use { name }),
            "ifdef" => self.defined(true),
            "ifndef" => self.defined(false),
            "if" => self.compare(),
            "else" => Some(Directive::Else),
            "endif" => Some(Directive::Endif),
            _ => {
                self.blank();
                return match self.take(CLOSE_BRACE) {
                    Some(()) => Ok(Directive::Use { name: word }),
                    None => Err(Problem::Unknown),
                };
            }
        };
        self.blank();
        directive
            .filter(|_| self.take(CLOSE_BRACE).is_some())
            .ok_or(Problem::Malformed)
    }

    fn spaced_name(&mut self) -> Option<Vec<u16>> {
        self.blank();
        self.name()
    }

    /// A name without a value is defined as empty.
    fn define(&mut self) -> Option<Directive> {
        let name = self.spaced_name()?;
        self.blank();
        let value = match self.take(u16::from(b',')) {
            Some(()) => {
                self.blank();
                self.string()?
            }
            None => Vec::new(),
        };
        Some(Directive::Define { name, value })
    }

    fn defined(&mut self, expected: bool) -> Option<Directive> {
        let name = self.spaced_name()?;
        Some(Directive::If(Condition::Defined { name, expected }))
    }

    fn compare(&mut self) -> Option<Directive> {
        let left = self.spaced_name()?;
        let operator = match String::from_utf16_lossy(&self.spaced_name()?).as_str() {
            "IS" => Operator::Is,
            "ISNT" => Operator::Isnt,
            "CONTAINS" => Operator::Contains,
            "DOESNT_CONTAIN" => Operator::DoesntContain,
            "MATCHES" => Operator::Matches,
            "DOESNT_MATCH" => Operator::DoesntMatch,
            _ => return None,
        };
        self.blank();
        let right = if self.peek() == Some(QUOTE) {
            Operand::Text(self.string()?)
        } else {
            Operand::Name(self.name()?)
        };
        Some(Directive::If(Condition::Compare {
            left,
            operator,
            right,
        }))
    }
}
