//! `@{…}` and the escapes `\@[` and `\@{`.
//!
//! A directive is on one line. It is read by its grammar, which fails at the first unit that
//! does not fit, so that reading takes time in proportion to the text, whatever the text.

use turnkeeper_base::text::markdown_code::MarkdownCode;
use turnkeeper_base::text::{find_at_sign, find_newline};

use super::super::diagnostic::{DiagnosticCode, Problem, Problems};
use super::{
    BACKSLASH, CLOSE_BRACE, NEWLINE, OPEN_BRACE, OPEN_BRACKET, QUOTE, find_unit, is_blank, is_name,
    is_name_start, is_word, part, skip_blanks, unit_at,
};

const COMMA: u16 = b',' as u16;
const TAB: u16 = b'\t' as u16;
const LETTER_N: u16 = b'n' as u16;
const LETTER_T: u16 = b't' as u16;

/// A directive or an escape, and where it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Token<'a> {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) directive: Directive<'a>,
}

/// The meaning of a token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Directive<'a> {
    /// The backslash before `@[` or `@{`, which are text then.
    Escape,
    Define {
        name: Name<'a>,
        value: Vec<u16>,
    },
    Use {
        name: Name<'a>,
    },
    If(Condition<'a>),
    Else,
    Endif,
}

impl<'a> Directive<'a> {
    /// The macro that it is about.
    pub(crate) fn name(&self) -> Option<Name<'a>> {
        match self {
            Self::Define { name, .. } | Self::Use { name } => Some(*name),
            Self::If(condition) => Some(condition.name),
            Self::Escape | Self::Else | Self::Endif => None,
        }
    }
}

/// The name of a macro, and where it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Name<'a> {
    pub(crate) units: &'a [u16],
    pub(crate) start: usize,
}

/// A condition on the value of a macro.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Condition<'a> {
    pub(crate) name: Name<'a>,
    pub(crate) test: Test,
    /// Whether it holds if the test fails: `ifndef`, `ISNT` and so on.
    pub(crate) is_negated: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Test {
    IsDefined,
    Compares(Operator, Operand),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operator {
    Is,
    Contains,
    Matches,
}

/// The right side of a comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Operand {
    Text(Vec<u16>),
    /// The value of a macro, by its name.
    Macro(Vec<u16>),
}

/// The operators, and whether the condition holds if the test fails.
const OPERATORS: [(&str, Operator, bool); 6] = [
    ("IS", Operator::Is, false),
    ("ISNT", Operator::Is, true),
    ("CONTAINS", Operator::Contains, false),
    ("DOESNT_CONTAIN", Operator::Contains, true),
    ("MATCHES", Operator::Matches, false),
    ("DOESNT_MATCH", Operator::Matches, true),
];

/// The directives and escapes of a text outside `code`, in order. Problems are of others.
pub(crate) fn scan<'a>(
    units: &'a [u16],
    code: &MarkdownCode,
    problems: &mut Problems,
) -> Vec<Token<'a>> {
    let mut tokens = Vec::new();
    let mut next_ends = NextEnds::default();
    let mut at = 0;
    loop {
        let start = find_at_sign(units, at);
        if start == units.len() {
            return tokens;
        }
        at = start + 1;
        if let Some(end) = code.end_of(start) {
            at = end;
            continue;
        }
        let next = unit_at(units, at);
        if matches!(next, OPEN_BRACE | OPEN_BRACKET) && is_escaped(units, start) {
            tokens.push(Token {
                start: start - 1,
                end: start,
                directive: Directive::Escape,
            });
            continue;
        }
        if next != OPEN_BRACE || !is_name_start(unit_at(units, at + 1)) {
            continue;
        }
        let mut reader = Reader { units, at: at + 1 };
        match reader.directive() {
            Ok(directive) => {
                at = reader.at;
                tokens.push(Token {
                    start,
                    end: at,
                    directive,
                });
            }
            Err(wrong) => {
                let is_closed = next_ends.is_closed_on_its_line(units, start);
                problems.push(wrong.problem(start, is_closed));
            }
        }
    }
}

/// The next end of a line and the next closing brace, unless they are passed already.
#[derive(Default)]
struct NextEnds {
    line: usize,
    brace: usize,
}

impl NextEnds {
    /// Whether a brace closes the directive that begins here. Each call is for a later one.
    fn is_closed_on_its_line(&mut self, units: &[u16], start: usize) -> bool {
        if self.line <= start {
            self.line = find_newline(units, start);
        }
        if self.brace <= start {
            self.brace = find_unit(units, start, CLOSE_BRACE);
        }
        self.brace < self.line
    }
}

/// A reason why `@{` begins no directive.
enum Wrong {
    KnownCommand,
    UnknownCommand,
}

impl Wrong {
    fn problem(self, start: usize, is_closed: bool) -> Problem {
        let (code, message) = match self {
            _ if !is_closed => (
                DiagnosticCode::UnclosedDirective,
                "nothing closes this `@{` on its line",
            ),
            Self::KnownCommand => (
                DiagnosticCode::BadDirective,
                "this command is not written as it has to be",
            ),
            Self::UnknownCommand => (DiagnosticCode::UnknownCommand, "this is no known command"),
        };
        Problem::new(start, code, message)
    }
}

/// Whether a backslash is before the offset.
pub(crate) fn is_escaped(units: &[u16], at: usize) -> bool {
    at > 0 && units[at - 1] == BACKSLASH
}

struct Reader<'a> {
    units: &'a [u16],
    at: usize,
}

impl<'a> Reader<'a> {
    fn peek(&self) -> u16 {
        unit_at(self.units, self.at)
    }

    /// Passes blanks and then the unit, if it is next.
    fn take(&mut self, unit: u16) -> bool {
        self.at = skip_blanks(self.units, self.at);
        let is_next = self.at < self.units.len() && self.peek() == unit;
        self.at += usize::from(is_next);
        is_next
    }

    /// Passes blanks and a name.
    fn name(&mut self) -> Option<Name<'a>> {
        self.at = skip_blanks(self.units, self.at);
        let start = self.at;
        if is_name_start(self.peek()) {
            while is_name(self.peek()) || matches!(self.peek(), 0x2d | 0x2e) {
                self.at += 1;
            }
        }
        let units = part(self.units, start, self.at);
        (!units.is_empty()).then_some(Name { units, start })
    }

    /// A string in double quotes on one line. `\"`, `\\`, `\n` and `\t` are escapes; before
    /// anything else a backslash is itself, as in a Windows path.
    fn string(&mut self) -> Option<Vec<u16>> {
        if !self.take(QUOTE) {
            return None;
        }
        let mut text = Vec::new();
        while let Some(&unit) = self.units.get(self.at) {
            self.at += 1;
            let escaped = match (unit, self.peek()) {
                (QUOTE, _) => return Some(text),
                (NEWLINE, _) => return None,
                (BACKSLASH, same @ (QUOTE | BACKSLASH)) => same,
                (BACKSLASH, LETTER_N) => NEWLINE,
                (BACKSLASH, LETTER_T) => TAB,
                _ => {
                    text.push(unit);
                    continue;
                }
            };
            text.push(escaped);
            self.at += 1;
        }
        None
    }

    /// Reads what follows the brace.
    fn directive(&mut self) -> Result<Directive<'a>, Wrong> {
        let word = self.name().ok_or(Wrong::UnknownCommand)?;
        let is = |command| is_word(word.units, command);
        let directive = if is("define") {
            self.define()
        } else if is("recall") {
            self.name().map(|name| Directive::Use { name })
        } else if is("ifdef") || is("ifndef") {
            self.name().map(|name| {
                Directive::If(Condition {
                    name,
                    test: Test::IsDefined,
                    is_negated: is("ifndef"),
                })
            })
        } else if is("if") {
            self.comparison().map(Directive::If)
        } else if is("else") {
            Some(Directive::Else)
        } else if is("endif") {
            Some(Directive::Endif)
        } else if self.take(CLOSE_BRACE) {
            return Ok(Directive::Use { name: word });
        } else {
            return Err(Wrong::UnknownCommand);
        };
        directive
            .filter(|_| self.take(CLOSE_BRACE))
            .ok_or(Wrong::KnownCommand)
    }

    /// Reads a name and its value. A name without a value is defined as empty.
    fn define(&mut self) -> Option<Directive<'a>> {
        let name = self.name()?;
        let value = match self.take(COMMA) {
            true => self.value()?,
            false => Vec::new(),
        };
        Some(Directive::Define { name, value })
    }

    /// A string in quotes, or the plain text up to the closing brace on the line.
    fn value(&mut self) -> Option<Vec<u16>> {
        self.at = skip_blanks(self.units, self.at);
        if self.peek() == QUOTE {
            return self.string();
        }
        let start = self.at;
        while self.at < self.units.len() && !matches!(self.peek(), CLOSE_BRACE | NEWLINE | QUOTE) {
            self.at += 1;
        }
        let mut end = self.at;
        while end > start && is_blank(self.units[end - 1]) {
            end -= 1;
        }
        (end > start).then(|| part(self.units, start, end).to_vec())
    }

    /// Reads a name, an operator and the right side.
    fn comparison(&mut self) -> Option<Condition<'a>> {
        let name = self.name()?;
        let word = self.name()?;
        let known = OPERATORS.iter().find(|known| is_word(word.units, known.0));
        let &(_, operator, is_negated) = known?;
        self.at = skip_blanks(self.units, self.at);
        let operand = match self.peek() {
            QUOTE => Operand::Text(self.string()?),
            _ => Operand::Macro(self.name()?.units.to_vec()),
        };
        Some(Condition {
            name,
            test: Test::Compares(operator, operand),
            is_negated,
        })
    }
}
