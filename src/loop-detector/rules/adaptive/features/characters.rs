//! Classes of UTF-16 code units. They are asked for once per character, so always inlined, although the
//! crate is compiled small.

use bitflags::bitflags;

bitflags! {
    /// The classes of a unit. A letter has one of the three flags of letters, but for `d`, which
    /// has two.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(super) struct Class: u8 {
        const DIGIT = 1 << 0;
        /// `a` to `f`, in either case.
        const HEX_LETTER = 1 << 1;
        /// `T`, `Z`, `d`, `h`, `m` and `s`, which occur in times.
        const TIME_LETTER = 1 << 2;
        /// Any other letter of the scripts that put spaces between words.
        const OTHER_LETTER = 1 << 3;
        const WHITE_SPACE = 1 << 4;
        /// A mark that ends a word of a command line.
        const COMMAND_MARK = 1 << 5;
        /// A letter that [`lower_case`] changes, which has one of the flags of letters, too.
        const CAPITAL = 1 << 6;

        const LETTER = Self::HEX_LETTER.bits()
            | Self::TIME_LETTER.bits()
            | Self::OTHER_LETTER.bits();
        const WORD = Self::DIGIT.bits() | Self::LETTER.bits();
        const HEX_DIGIT = Self::DIGIT.bits() | Self::HEX_LETTER.bits();
        const TIME = Self::DIGIT.bits() | Self::TIME_LETTER.bits();
        const END_OF_COMMAND_WORD = Self::WHITE_SPACE.bits() | Self::COMMAND_MARK.bits();
    }
}

/// The classes of the ASCII characters.
const ASCII: [Class; 128] = {
    let mut classes = [Class::empty(); 128];
    let mut unit = 0;
    while unit < 128 {
        classes[unit] = class_of_ascii(unit as u8);
        unit += 1;
    }
    classes
};

const fn class_of_ascii(character: u8) -> Class {
    let class = match character {
        b'0'..=b'9' => Class::DIGIT,
        b'd' => Class::HEX_LETTER.union(Class::TIME_LETTER),
        b'a'..=b'f' | b'A'..=b'F' => Class::HEX_LETTER,
        b'T' | b'Z' | b'h' | b'm' | b's' => Class::TIME_LETTER,
        b'a'..=b'z' | b'A'..=b'Z' => Class::OTHER_LETTER,
        b' ' | 9..=13 => Class::WHITE_SPACE,
        b'"' | b'&' | b'\'' | b'(' | b')' | b';' | b'<' | b'>' | b'|' => Class::COMMAND_MARK,
        _ => Class::empty(),
    };
    match character {
        b'A'..=b'Z' => class.union(Class::CAPITAL),
        _ => class,
    }
}

/// The classes of a unit.
#[inline(always)]
pub(super) fn class_of(unit: u16) -> Class {
    match ASCII.get(usize::from(unit)) {
        Some(class) => *class,
        // The spaces that documents hold: no-break, zero-width no-break and ideographic.
        None if matches!(unit, 0xa0 | 0xfeff | 0x3000) => Class::WHITE_SPACE,
        // Latin letters with marks, Greek and Cyrillic ones.
        None if matches!(unit, 0xc0..=0xd6 | 0xd8..=0xf6 | 0xf8..=0x24f | 0x370..=0x52f) => {
            match lower_case(unit) == unit {
                true => Class::OTHER_LETTER,
                false => Class::OTHER_LETTER.union(Class::CAPITAL),
            }
        }
        None => Class::empty(),
    }
}

/// Whether a unit is of one of these classes.
#[inline(always)]
pub(super) fn is(unit: u16, classes: Class) -> bool {
    class_of(unit).intersects(classes)
}

/// Whether every unit is of one of these classes.
pub(super) fn are_all(units: &[u16], classes: Class) -> bool {
    units.iter().all(|unit| is(*unit, classes))
}

/// Whether a unit is this ASCII character.
#[inline(always)]
pub(super) fn is_ascii(unit: u16, character: u8) -> bool {
    unit == u16::from(character)
}

/// A letter of English and its neighbours, of Greek or of Russian in lower case; any other unit as it is.
#[inline(always)]
pub(super) fn lower_case(unit: u16) -> u16 {
    match unit {
        0..0x80 => u16::from((unit as u8).to_ascii_lowercase()),
        0xc0..=0xd6 | 0xd8..=0xde | 0x391..=0x3a9 | 0x410..=0x42f => unit + 0x20,
        0x400..=0x40f => unit + 0x50,
        _ => unit,
    }
}

/// A text without the white space at its beginning.
pub(super) fn trimmed_start(text: &[u16]) -> &[u16] {
    let begin = text.iter().position(|unit| !is(*unit, Class::WHITE_SPACE));
    &text[begin.unwrap_or(text.len())..]
}

/// A text without the white space at its end.
pub(super) fn trimmed_end(text: &[u16]) -> &[u16] {
    let end = text.iter().rposition(|unit| !is(*unit, Class::WHITE_SPACE));
    &text[..end.map_or(0, |end| end + 1)]
}

/// Whether a text ends with these lower-case ASCII letters, in either case, and is longer than they.
pub(super) fn ends_with(text: &[u16], end: &str) -> bool {
    let Some(start) = text.len().checked_sub(end.len()) else {
        return false;
    };
    start > 0
        && text[start..]
            .iter()
            .zip(end.bytes())
            .all(|(unit, character)| is_ascii(lower_case(*unit), character))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn capitals_are_the_letters_that_have_a_lower_case() {
        for unit in 0..=u16::MAX {
            let is_capital = is(unit, Class::LETTER) && lower_case(unit) != unit;
            assert_eq!(is(unit, Class::CAPITAL), is_capital, "{unit:#x}");
        }
    }
}
