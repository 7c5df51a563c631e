//! From a pattern's text to its program, in one pass.

use super::{Instruction, Invalid, LAST, Pattern, Place, code_point};
use crate::ghost_block::syntax::{is_name, is_name_start};

/// The deepest nesting of groups.
const DEEPEST: usize = 100;

/// The largest program, in steps: each instruction is one, or one for each range that it looks
/// through.
const LARGEST: usize = 10_000;

const HYPHEN: u32 = b'-' as u32;

/// Classes with a letter of their own, in ascending order.
const DIGITS: &[(u32, u32)] = &[(0x30, 0x39)];
const WORD: &[(u32, u32)] = &[(0x30, 0x39), (0x41, 0x5a), (0x5f, 0x5f), (0x61, 0x7a)];
const SPACES: &[(u32, u32)] = &[
    (0x09, 0x0d),
    (0x20, 0x20),
    (0xa0, 0xa0),
    (0x1680, 0x1680),
    (0x2000, 0x200a),
    (0x2028, 0x2029),
    (0x202f, 0x202f),
    (0x205f, 0x205f),
    (0x3000, 0x3000),
    (0xfeff, 0xfeff),
];

pub(super) fn parse(units: &[u16]) -> Result<Pattern, Invalid> {
    let mut parser = Parser {
        units,
        at: 0,
        flags: Flags::default(),
        program: Vec::new(),
        ranges: Vec::new(),
        size: 0,
    };
    parser.alternatives(0)?;
    if parser.at < units.len() {
        return Err(Invalid::UnopenedGroup);
    }
    parser.emit(Instruction::Match)?;
    Ok(Pattern {
        program: parser.program,
        ranges: parser.ranges,
        steps: parser.size,
    })
}

#[derive(Clone, Copy, Default)]
struct Flags {
    ignores_case: bool,
    is_multiline: bool,
    dot_takes_all: bool,
}

/// How often something stands: at least, and at most.
type Times = (usize, Option<usize>);

struct Parser<'a> {
    units: &'a [u16],
    at: usize,
    flags: Flags,
    program: Vec<Instruction>,
    ranges: Vec<(u32, u32)>,
    /// Of the program, as `LARGEST` counts it.
    size: usize,
}

impl Parser<'_> {
    /// Up to the end of the group around, or of the pattern.
    fn alternatives(&mut self, depth: usize) -> Result<(), Invalid> {
        // The jumps from the end of each alternative behind the last.
        let mut jumps = Vec::new();
        let mut start = self.program.len();
        while self.at < self.units.len() && self.peek(0) != ')' {
            if self.eat('|') {
                let alternative = self.program.split_off(start);
                self.emit(Instruction::Skip(alternative.len() + 2))?;
                self.program.extend_from_slice(&alternative);
                jumps.push(self.program.len());
                self.emit(Instruction::Jump(0))?;
                start = self.program.len();
            } else {
                self.term(depth)?;
            }
        }
        for jump in jumps {
            self.program[jump] = Instruction::Jump(self.program.len() - jump);
        }
        Ok(())
    }

    /// Something with its quantifier.
    fn term(&mut self, depth: usize) -> Result<(), Invalid> {
        if self.quantifier()?.is_some() {
            return Err(Invalid::NothingToRepeat);
        }
        let (start, size) = (self.program.len(), self.size);
        let is_repeatable = self.atom(depth)?;
        match self.quantifier()? {
            None => Ok(()),
            Some(times) if is_repeatable => self.repeat(start, size, times),
            Some(_) => Err(Invalid::NothingToRepeat),
        }
    }

    /// Whether it may be repeated.
    fn atom(&mut self, depth: usize) -> Result<bool, Invalid> {
        let place = match (self.peek(0), self.peek(1)) {
            ('^', _) if self.flags.is_multiline => Place::LineStart,
            ('$', _) if self.flags.is_multiline => Place::LineEnd,
            ('^', _) | ('\\', 'A') => Place::Start,
            ('$', _) | ('\\', 'z') => Place::End,
            ('\\', 'b') => Place::WordBoundary,
            ('\\', 'B') => Place::NoWordBoundary,
            ('(', _) => return self.group(depth),
            _ => return self.one().map(|()| true),
        };
        self.at += 1 + usize::from(self.peek(0) == '\\');
        self.emit(Instruction::Assert(place))?;
        Ok(false)
    }

    fn group(&mut self, depth: usize) -> Result<bool, Invalid> {
        if depth == DEEPEST {
            return Err(Invalid::TooDeep);
        }
        let flags = self.flags;
        self.at += 1;
        if self.eat('?') && !self.group_kind()? {
            return Ok(false);
        }
        self.alternatives(depth + 1)?;
        if !self.eat(')') {
            return Err(Invalid::UnclosedGroup);
        }
        self.flags = flags;
        Ok(true)
    }

    /// What follows `(?`. Without a group, the flags hold for the rest of the one around.
    fn group_kind(&mut self) -> Result<bool, Invalid> {
        match (self.peek(0), self.peek(1)) {
            ('=' | '!', _) | ('<', '=' | '!') => return Err(Invalid::LookAround),
            ('P', '=') => return Err(Invalid::BackReference),
            ('P', '<') => self.at += 1,
            ('<', _) => {}
            _ => return self.flags(),
        }
        self.at += 1;
        let name = self.at;
        while self.units.get(self.at).is_some_and(|&unit| is_name(unit)) {
            self.at += 1;
        }
        if self.at == name || !is_name_start(self.units[name]) || !self.eat('>') {
            return Err(Invalid::BadName);
        }
        Ok(true)
    }

    fn flags(&mut self) -> Result<bool, Invalid> {
        let mut on = true;
        loop {
            let flag = self.peek(0);
            self.at += 1;
            match flag {
                'i' => self.flags.ignores_case = on,
                'm' => self.flags.is_multiline = on,
                's' => self.flags.dot_takes_all = on,
                '-' if on => on = false,
                ':' => return Ok(true),
                ')' => return Ok(false),
                _ => return Err(Invalid::UnknownGroup),
            }
        }
    }

    /// What takes one code point.
    fn one(&mut self) -> Result<(), Invalid> {
        let start = self.ranges.len();
        let mut is_negated = false;
        if self.eat('[') {
            is_negated = self.eat('^');
            self.class()?;
        } else if self.eat('.') {
            is_negated = true;
            if !self.flags.dot_takes_all {
                self.ranges.push((0x0a, 0x0a));
            }
        } else if let Some(code) = self.character()? {
            self.range(code, code);
        }
        let end = self.ranges.len();
        self.emit(Instruction::Class {
            start,
            end,
            is_negated,
        })
    }

    /// The rest of a class.
    fn class(&mut self) -> Result<(), Invalid> {
        let start = self.at;
        loop {
            if self.at == self.units.len() {
                return Err(Invalid::UnclosedClass);
            }
            if self.at > start && self.eat(']') {
                return Ok(());
            }
            if self.peek(0) == '[' && self.peek(1) == ':' {
                return Err(Invalid::PosixClass);
            }
            let low = self.character()?;
            let is_range = self.peek(0) == '-' && self.peek(1) != ']';
            let high = if is_range {
                self.at += 1;
                self.character()?
            } else {
                low
            };
            match (low, high) {
                (Some(low), Some(high)) if low > high => return Err(Invalid::OutOfOrder),
                (Some(low), Some(high)) => self.range(low, high),
                (None, None) if !is_range => {}
                // Beside `\w` and its like the hyphen is itself.
                (code, other) => {
                    self.range(HYPHEN, HYPHEN);
                    if let Some(code) = code.or(other) {
                        self.range(code, code);
                    }
                }
            }
        }
    }

    /// Adds a range to the class that is being read.
    fn range(&mut self, low: u32, high: u32) {
        self.ranges.push((low, high));
        if self.flags.ignores_case {
            for (first, last, other) in [(0x41, 0x5a, 0x61), (0x61, 0x7a, 0x41)] {
                let (low, high) = (low.max(first), high.min(last));
                if low <= high {
                    self.ranges
                        .push((low - first + other, high - first + other));
                }
            }
        }
    }

    /// A code point as it is or by an escape, or `None` for a class with a letter of its own, which
    /// is added to the ranges.
    fn character(&mut self) -> Result<Option<u32>, Invalid> {
        if !self.eat('\\') {
            return Ok(self.next());
        }
        let letter = self.peek(0);
        let code = self.next().ok_or(Invalid::BadEscape)?;
        let code = match letter {
            'd' | 'D' => return Ok(self.named_class(DIGITS, letter == 'D')),
            'w' | 'W' => return Ok(self.named_class(WORD, letter == 'W')),
            's' | 'S' => return Ok(self.named_class(SPACES, letter == 'S')),
            'n' => 0x0a,
            'r' => 0x0d,
            't' => 0x09,
            'f' => 0x0c,
            'v' => 0x0b,
            '0' if !self.peek(0).is_ascii_digit() => 0,
            'x' => self.hex(2)?,
            'u' => self.unicode()?,
            '1'..='9' | 'k' => return Err(Invalid::BackReference),
            'p' | 'P' => return Err(Invalid::UnicodeClass),
            '0' | 'a'..='z' | 'A'..='Z' => return Err(Invalid::BadEscape),
            _ => code,
        };
        Ok(Some(code))
    }

    fn named_class(&mut self, ranges: &[(u32, u32)], is_negated: bool) -> Option<u32> {
        if is_negated {
            let mut free = 0;
            for &(low, high) in ranges {
                if free < low {
                    self.ranges.push((free, low - 1));
                }
                free = high + 1;
            }
            self.ranges.push((free, LAST));
        } else {
            self.ranges.extend_from_slice(ranges);
        }
        None
    }

    /// What follows `\u`. Two escapes of surrogates that make a pair are one code point.
    fn unicode(&mut self) -> Result<u32, Invalid> {
        if self.eat('{') {
            let mut code = self.hex(1)?;
            while !self.eat('}') {
                code = code * 16 + self.hex(1)?;
                if code > LAST {
                    return Err(Invalid::BadEscape);
                }
            }
            return Ok(code);
        }
        let first = self.hex(4)?;
        let after = self.at;
        if self.eat('\\')
            && self.eat('u')
            && let Ok(second) = self.hex(4)
            && let Some((code, 2)) = code_point(&[first as u16, second as u16], 0)
        {
            return Ok(code);
        }
        self.at = after;
        Ok(first)
    }

    fn hex(&mut self, digits: usize) -> Result<u32, Invalid> {
        let mut code = 0;
        for _ in 0..digits {
            code = code * 16 + self.peek(0).to_digit(16).ok_or(Invalid::BadEscape)?;
            self.at += 1;
        }
        Ok(code)
    }

    /// A quantifier, if one follows. Whether it is lazy makes no difference.
    fn quantifier(&mut self) -> Result<Option<Times>, Invalid> {
        let start = self.at;
        let times = match self.peek(0) {
            '*' => (0, None),
            '+' => (1, None),
            '?' => (0, Some(1)),
            '{' => {
                self.at += 1;
                let Some(least) = self.number() else {
                    self.at = start;
                    return Ok(None);
                };
                let most = if self.eat(',') {
                    self.number()
                } else {
                    Some(least)
                };
                if self.peek(0) != '}' {
                    self.at = start;
                    return Ok(None);
                }
                (least, most)
            }
            _ => return Ok(None),
        };
        self.at += 1;
        self.eat('?');
        match times {
            (least, Some(most)) if least > most => Err(Invalid::OutOfOrder),
            (least, most) if least.max(most.unwrap_or(0)) > LARGEST => Err(Invalid::TooLarge),
            _ => Ok(Some(times)),
        }
    }

    fn number(&mut self) -> Option<usize> {
        let mut number = None;
        while let Some(digit) = self.peek(0).to_digit(10) {
            let tens = number.unwrap_or(0_usize).saturating_mul(10);
            number = Some(tens.saturating_add(digit as usize));
            self.at += 1;
        }
        number
    }

    /// Repeats the program from `start` on; up to there its size was `size`.
    fn repeat(&mut self, start: usize, size: usize, times: Times) -> Result<(), Invalid> {
        let body = self.program.split_off(start);
        self.size = size;
        let (least, most) = times;
        for _ in 0..least {
            self.copy(&body)?;
        }
        match most {
            Some(most) => {
                for _ in least..most {
                    self.emit(Instruction::Skip(body.len() + 1))?;
                    self.copy(&body)?;
                }
                Ok(())
            }
            None => {
                if least == 0 {
                    self.emit(Instruction::Skip(body.len() + 2))?;
                    self.copy(&body)?;
                }
                self.emit(Instruction::Repeat(body.len()))
            }
        }
    }

    fn copy(&mut self, body: &[Instruction]) -> Result<(), Invalid> {
        for &instruction in body {
            self.emit(instruction)?;
        }
        Ok(())
    }

    fn emit(&mut self, instruction: Instruction) -> Result<(), Invalid> {
        self.size += match instruction {
            Instruction::Class { start, end, .. } => (end - start).max(1),
            _ => 1,
        };
        if self.size > LARGEST {
            return Err(Invalid::TooLarge);
        }
        self.program.push(instruction);
        Ok(())
    }

    /// The character so far ahead; NUL, which has no meaning in a pattern, for none or a surrogate.
    fn peek(&self, ahead: usize) -> char {
        let unit = self.units.get(self.at + ahead).copied().unwrap_or(0);
        char::from_u32(unit.into()).unwrap_or('\0')
    }

    fn eat(&mut self, character: char) -> bool {
        let is_next = self.peek(0) == character;
        self.at += usize::from(is_next);
        is_next
    }

    fn next(&mut self) -> Option<u32> {
        let (code, width) = code_point(self.units, self.at)?;
        self.at += width;
        Some(code)
    }
}
