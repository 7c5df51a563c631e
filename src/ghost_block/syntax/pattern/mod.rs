//! Regular expressions that only say whether something in a text matches.
//!
//! All ways through the pattern are followed at once, one code point at a time (Thompson's
//! construction), so that no pattern takes longer than the text times its program, and none needs
//! more memory than its program. Nothing is captured, hence no way has to be preferred.
//!
//! The syntax is JavaScript's, without what needs backtracking, and with inline flags, `(?P<name>`,
//! `\A` and `\z`. Of the rest:
//!
//! - code points are matched, never halves of them; an unpaired surrogate is one of its own;
//! - a `{` that begins no quantifier is literal, and so are `]` and `}` that end nothing;
//! - within a class `[` and `&&` are literal, as is a `-` beside `\w` and its like; unlike in
//!   JavaScript a leading `]` is literal too, so that `[]` and `[^]` are unclosed, and `[:` is
//!   refused, because a POSIX class was meant;
//! - what is quantified is not quantified again, nor is a place such as `^`;
//! - `\d`, `\w`, `\b` and `(?i)` know ASCII only; `\s` is JavaScript's, with Unicode's blanks;
//! - `\n` alone ends a line: for `.`, and for `^` and `$` in `(?m)`.

mod parse;
#[cfg(test)]
mod tests;

/// The last code point.
const LAST: u32 = 0x10_ffff;

#[derive(Debug)]
pub(crate) struct Pattern {
    program: Vec<Instruction>,
    /// Of all classes, both ends included.
    ranges: Vec<(u32, u32)>,
    steps: usize,
}

/// Distances count from the instruction itself, so that a stretch of program can be copied.
#[derive(Debug, Clone, Copy)]
enum Instruction {
    /// Takes one code point, which is in the ranges from `start` to `end`, or is not.
    Class {
        start: usize,
        end: usize,
        is_negated: bool,
    },
    Assert(Place),
    Jump(usize),
    /// Goes on with the next instruction, or so far ahead.
    Skip(usize),
    /// Goes on with the next instruction, or so far back.
    Repeat(usize),
    Match,
}

#[derive(Debug, Clone, Copy)]
enum Place {
    Start,
    End,
    LineStart,
    LineEnd,
    WordBoundary,
    NoWordBoundary,
}

/// Why a text is no pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Invalid {
    BackReference,
    BadEscape,
    BadName,
    LookAround,
    NothingToRepeat,
    OutOfOrder,
    PosixClass,
    TooDeep,
    TooLarge,
    UnclosedClass,
    UnclosedGroup,
    UnicodeClass,
    UnknownGroup,
    UnopenedGroup,
}

impl Invalid {
    pub(crate) fn message(self) -> &'static str {
        match self {
            Self::BackReference => "back-references are not supported",
            Self::BadEscape => "unknown or incomplete escape",
            Self::BadName => "bad name of a group",
            Self::LookAround => "look-around is not supported",
            Self::NothingToRepeat => "nothing to repeat",
            Self::OutOfOrder => "range out of order",
            Self::PosixClass => "POSIX classes are not supported",
            Self::TooDeep => "groups nested too deeply",
            Self::TooLarge => "the pattern is too large",
            Self::UnclosedClass => "unclosed class",
            Self::UnclosedGroup => "unclosed group",
            Self::UnicodeClass => "Unicode classes are not supported",
            Self::UnknownGroup => "unknown group or flag",
            Self::UnopenedGroup => "unopened group",
        }
    }
}

impl Pattern {
    pub(crate) fn new(units: &[u16]) -> Result<Self, Invalid> {
        parse::parse(units)
    }

    /// Steps for each unit of a text: instructions, and ranges of classes.
    pub(crate) fn steps(&self) -> usize {
        self.steps
    }

    /// Whether anything in the text matches.
    pub(crate) fn is_match(&self, text: &[u16]) -> bool {
        let mut here = Threads::new(self.program.len());
        let mut ahead = Threads::new(self.program.len());
        let mut before = None;
        let mut at = 0;
        loop {
            let (after, width) = match code_point(text, at) {
                Some((code, width)) => (Some(code), width),
                None => (None, 0),
            };
            // A match may begin anywhere.
            here.add(0);
            let mut turn = 0;
            while let Some(&pc) = here.list.get(turn) {
                turn += 1;
                match self.program[pc] {
                    Instruction::Class {
                        start,
                        end,
                        is_negated,
                    } => {
                        if let Some(code) = after
                            && self.is_in(start, end, code) != is_negated
                        {
                            ahead.add(pc + 1);
                        }
                    }
                    Instruction::Assert(place) => {
                        if place.is_between(before, after) {
                            here.add(pc + 1);
                        }
                    }
                    Instruction::Jump(distance) => here.add(pc + distance),
                    Instruction::Skip(distance) => {
                        here.add(pc + 1);
                        here.add(pc + distance);
                    }
                    Instruction::Repeat(distance) => {
                        here.add(pc + 1);
                        here.add(pc - distance);
                    }
                    Instruction::Match => return true,
                }
            }
            if after.is_none() {
                return false;
            }
            std::mem::swap(&mut here, &mut ahead);
            ahead.clear();
            before = after;
            at += width;
        }
    }

    fn is_in(&self, start: usize, end: usize, code: u32) -> bool {
        let mut ranges = self.ranges[start..end].iter();
        ranges.any(|&(low, high)| low <= code && code <= high)
    }
}

impl Place {
    fn is_between(self, before: Option<u32>, after: Option<u32>) -> bool {
        let newline = Some(u32::from(b'\n'));
        match self {
            Self::Start => before.is_none(),
            Self::End => after.is_none(),
            Self::LineStart => before.is_none() || before == newline,
            Self::LineEnd => after.is_none() || after == newline,
            Self::WordBoundary => is_word(before) != is_word(after),
            Self::NoWordBoundary => is_word(before) == is_word(after),
        }
    }
}

fn is_word(code: Option<u32>) -> bool {
    let character = code.and_then(char::from_u32);
    character.is_some_and(|character| character.is_ascii_alphanumeric() || character == '_')
}

/// Where in the program the ways through it are, each place once, in the order they came there.
struct Threads {
    list: Vec<usize>,
    is_listed: Vec<bool>,
}

impl Threads {
    fn new(places: usize) -> Self {
        Self {
            list: Vec::with_capacity(places),
            is_listed: vec![false; places],
        }
    }

    fn add(&mut self, pc: usize) {
        if !std::mem::replace(&mut self.is_listed[pc], true) {
            self.list.push(pc);
        }
    }

    fn clear(&mut self) {
        for &pc in &self.list {
            self.is_listed[pc] = false;
        }
        self.list.clear();
    }
}

/// The code point that begins at `at`, and how many units it takes.
pub(crate) fn code_point(units: &[u16], at: usize) -> Option<(u32, usize)> {
    let first = u32::from(*units.get(at)?);
    match units.get(at + 1) {
        Some(&second @ 0xdc00..0xe000) if (0xd800..0xdc00).contains(&first) => {
            let code = 0x1_0000 + ((first - 0xd800) << 10) + (u32::from(second) - 0xdc00);
            Some((code, 2))
        }
        _ => Some((first, 1)),
    }
}
