//! `@{…}` and the escapes `\@[` and `\@{`.
//!
//! A directive stands on one line. It is read by its grammar, which fails at the first unit that
//! does not fit, so that reading takes time in proportion to the text, whatever the text.

use std::ops::Range;

use turnkeeper_kernels::{find_at_sign, find_newline};

use super::super::Diagnostic;
use super::code::Cursor;
use super::{
    BACKSLASH, CLOSE_BRACE, NEWLINE, OPEN_BRACE, OPEN_BRACKET, QUOTE, find_unit, is_name,
    is_name_start, is_word, part, skip_blanks, unit_at,
};

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The backslash before `@[` or `@{`.
    Escape,
    Define,
    Use,
    IfDefined,
    If(Operator),
    Else,
    Endif,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operator {
    Is,
    Contains,
    Matches,
}

/// A directive or an escape, and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Token<'a> {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) kind: Kind,
    /// Whether a condition holds if it does not: `ifndef`, `ISNT` and so on.
    pub(crate) is_negated: bool,
    /// The macro's, as it stands there, and where that is.
    pub(crate) name: &'a [u16],
    pub(crate) name_at: usize,
    /// What is defined, or the right side of a condition.
    pub(crate) value: Vec<u16>,
    /// Whether the right side is the name of a macro.
    pub(crate) is_name: bool,
}

const COMMANDS: [(&str, Kind, bool); 7] = [
    ("define", Kind::Define, false),
    ("recall", Kind::Use, false),
    ("ifdef", Kind::IfDefined, false),
    ("ifndef", Kind::IfDefined, true),
    ("if", Kind::If(Operator::Is), false),
    ("else", Kind::Else, false),
    ("endif", Kind::Endif, false),
];

const OPERATORS: [(&str, Operator, bool); 6] = [
    ("IS", Operator::Is, false),
    ("ISNT", Operator::Is, true),
    ("CONTAINS", Operator::Contains, false),
    ("DOESNT_CONTAIN", Operator::Contains, true),
    ("MATCHES", Operator::Matches, false),
    ("DOESNT_MATCH", Operator::Matches, true),
];

/// The directives and escapes of a text outside `code`, and what is wrong with others.
pub(crate) fn scan<'a>(
    units: &'a [u16],
    code: &[Range<usize>],
    remarks: &mut Vec<Diagnostic>,
) -> Vec<Token<'a>> {
    let mut tokens = Vec::new();
    let mut code = Cursor::new(code);
    // The next end of a line and the next closing brace, if they are not behind already.
    let (mut line_end, mut close) = (0, 0);
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
        let mut token = Token {
            start,
            end: at,
            kind: Kind::Escape,
            is_negated: false,
            name: &[],
            name_at: start,
            value: Vec::new(),
            is_name: false,
        };
        if matches!(next, OPEN_BRACE | OPEN_BRACKET) && is_escaped(units, start) {
            token.start -= 1;
            token.end -= 1;
            tokens.push(token);
            continue;
        }
        if next != OPEN_BRACE || !is_name_start(unit_at(units, at + 1)) {
            continue;
        }
        let mut reader = Reader { units, at: at + 1 };
        let Some(is_known) = reader.directive(&mut token) else {
            at = reader.at;
            token.end = at;
            tokens.push(token);
            continue;
        };
        if line_end <= start {
            line_end = find_newline(units, start);
        }
        if close <= start {
            close = find_unit(units, start, CLOSE_BRACE);
        }
        let (code, message) = if close >= line_end {
            ("unclosed_directive", "nothing closes this `@{` on its line")
        } else if is_known {
            (
                "bad_directive",
                "this command is not written as it has to be",
            )
        } else {
            ("unknown_command", "this is no known command")
        };
        remarks.push(Diagnostic::error(start, code, message));
    }
}

/// Whether a backslash stands before the offset.
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

    /// Passes blanks and a name, which is empty if there is none.
    fn name(&mut self) -> &'a [u16] {
        self.at = skip_blanks(self.units, self.at);
        let from = self.at;
        if is_name_start(self.peek()) {
            while is_name(self.peek()) || matches!(self.peek(), 0x2d | 0x2e) {
                self.at += 1;
            }
        }
        part(self.units, from, self.at)
    }

    /// A string in double quotes on one line. `\"`, `\\`, `\n` and `\t` are escapes; before
    /// anything else a backslash is itself, as in a Windows path.
    fn string(&mut self, text: &mut Vec<u16>) -> bool {
        if !self.take(QUOTE) {
            return false;
        }
        while let Some(&unit) = self.units.get(self.at) {
            self.at += 1;
            let escaped = match (unit, self.peek()) {
                (QUOTE, _) => return true,
                (NEWLINE, _) => return false,
                (BACKSLASH, same @ (QUOTE | BACKSLASH)) => same,
                (BACKSLASH, 0x6e) => NEWLINE,
                (BACKSLASH, 0x74) => 0x09,
                _ => {
                    text.push(unit);
                    continue;
                }
            };
            text.push(escaped);
            self.at += 1;
        }
        false
    }

    /// Reads behind the brace. If that is no directive, whether its command is known.
    fn directive(&mut self, token: &mut Token<'a>) -> Option<bool> {
        let word = self.name();
        let mut is_whole = true;
        let mut is_known = false;
        token.kind = Kind::Use;
        token.name = word;
        token.name_at = self.at - word.len();
        for (command, kind, is_negated) in COMMANDS {
            if is_word(word, command) {
                is_known = true;
                token.kind = kind;
                token.is_negated = is_negated;
                is_whole = self.command(token);
            }
        }
        let is_whole = is_whole && self.take(CLOSE_BRACE);
        (!is_whole).then_some(is_known)
    }

    /// Reads what follows a command.
    fn command(&mut self, token: &mut Token<'a>) -> bool {
        token.name = &[];
        if matches!(token.kind, Kind::Else | Kind::Endif) {
            return true;
        }
        token.name = self.name();
        token.name_at = self.at - token.name.len();
        !token.name.is_empty()
            && match token.kind {
                // A name without a value is defined as empty.
                Kind::Define => !self.take(u16::from(b',')) || self.string(&mut token.value),
                Kind::If(_) => self.comparison(token),
                _ => true,
            }
    }

    /// Reads the operator and the right side of a condition.
    fn comparison(&mut self, token: &mut Token<'a>) -> bool {
        let word = self.name();
        let known = OPERATORS.iter().find(|known| is_word(word, known.0));
        let Some(&(_, operator, is_negated)) = known else {
            return false;
        };
        token.kind = Kind::If(operator);
        token.is_negated = is_negated;
        self.at = skip_blanks(self.units, self.at);
        if self.peek() == QUOTE {
            return self.string(&mut token.value);
        }
        token.is_name = true;
        token.value = self.name().to_vec();
        !token.value.is_empty()
    }
}
