//! The syntax of prompts and rules: directives, references, and code, which is text.

mod conditionals;
pub(crate) mod directives;
mod expanded;
pub(crate) mod macros;
pub(crate) mod pattern;
pub(crate) mod preprocess;
pub(crate) mod reference;
pub(crate) mod references;

pub(crate) const AT: u16 = b'@' as u16;
pub(crate) const BACKSLASH: u16 = b'\\' as u16;
pub(crate) const OPEN_BRACE: u16 = b'{' as u16;
pub(crate) const CLOSE_BRACE: u16 = b'}' as u16;
pub(crate) const OPEN_BRACKET: u16 = b'[' as u16;
pub(crate) const CLOSE_BRACKET: u16 = b']' as u16;
pub(crate) const QUOTE: u16 = b'"' as u16;
pub(crate) const NEWLINE: u16 = b'\n' as u16;

/// The unit at an offset; NUL, which has no meaning here, after the end.
pub(crate) fn unit_at(units: &[u16], at: usize) -> u16 {
    units.get(at).copied().unwrap_or(0)
}

/// The units from one offset to another, none if there are no such offsets.
pub(crate) fn part(units: &[u16], from: usize, to: usize) -> &[u16] {
    units.get(from..to).unwrap_or_default()
}

/// The offset of the next such unit, or the end.
pub(crate) fn find_unit(units: &[u16], at: usize, unit: u16) -> usize {
    let next = units[at..].iter().position(|&other| other == unit);
    next.map_or(units.len(), |distance| at + distance)
}

/// The end of the blanks that begin at an offset.
pub(crate) fn skip_blanks(units: &[u16], mut at: usize) -> usize {
    while is_blank(unit_at(units, at)) {
        at += 1;
    }
    at
}

/// Whether these units are the characters of a word of the program's own.
pub(crate) fn is_word(units: &[u16], word: &str) -> bool {
    units.len() == word.len() && starts_with(units, word)
}

pub(crate) fn starts_with(units: &[u16], word: &str) -> bool {
    let is_there = |(at, byte)| unit_at(units, at) == u16::from(byte);
    word.bytes().enumerate().all(is_there)
}

pub(crate) fn is_blank(unit: u16) -> bool {
    matches!(unit, 0x20 | 0x09 | 0x0d)
}

/// A letter, a digit, `_`, or anything beyond ASCII.
#[inline(always)]
pub(crate) fn is_name(unit: u16) -> bool {
    unit >= 0x80 || unit == 0x5f || (unit as u8).is_ascii_alphanumeric()
}

fn is_name_start(unit: u16) -> bool {
    is_name(unit) && !(0x30..=0x39).contains(&unit)
}
