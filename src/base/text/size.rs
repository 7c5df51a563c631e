//! The size of texts, in UTF-16 code units and in estimated tokens.

use std::ops::{Add, AddAssign, Sub};

use super::lanes::{LANES, Mask, any, is_up_to, load};
use super::utf8::{ascii_at, is_all_ascii};

/// A size that can be added to others before it is rounded.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Size {
    /// UTF-16 code units.
    pub units: u32,
    /// Units of characters that are a token each, and the number of these.
    wide_units: u32,
    wide: u32,
}

impl Size {
    /// The size of a text.
    pub fn of(text: &[u16]) -> Self {
        let mut size = Self {
            units: text.len() as u32,
            ..Self::default()
        };
        let mut at = 0;
        while at < text.len() {
            // Most text has none of these characters at all.
            if let Some(chunk) = text[at..].first_chunk::<LANES>()
                && !any(is_up_to::<0x10ff>(load(chunk)) ^ Mask::MAX)
            {
                at += LANES;
                continue;
            }
            let stop = text.len().min(at + LANES);
            while at < stop {
                size.count_wide(text, at);
                at += 1;
            }
        }
        size
    }

    /// The size of a text in UTF-8.
    pub fn of_text(text: &str) -> Self {
        if is_all_ascii(text.as_bytes()) {
            return Self::plain(text.len() as u32);
        }
        let mut size = Self::default();
        let mut at = 0;
        while at < text.len() {
            // Most text is ASCII.
            let plain = ascii_at(text.as_bytes(), at);
            if plain > 0 {
                size.units += plain as u32;
                at += plain;
                continue;
            }
            let Some(character) = text[at..].chars().next() else {
                break;
            };
            let units = character.len_utf16() as u32;
            size.units += units;
            let mut buffer = [0; 2];
            if character > '\u{10ff}' {
                size.count_wide(character.encode_utf16(&mut buffer), 0);
            }
            at += character.len_utf8();
        }
        size
    }

    fn count_wide(&mut self, text: &[u16], at: usize) {
        let units = match text[at] {
            // The pairs of the planes of ideographs. A unit at a piece's end counts as any other.
            0xd840..=0xd88d if matches!(text.get(at + 1), Some(0xdc00..=0xdfff)) => 2,
            unit if is_wide(unit) => 1,
            _ => return,
        };
        self.wide_units += units;
        self.wide += 1;
    }

    /// White space, of which no character is a token by itself.
    pub fn white(units: usize) -> Self {
        Self::plain(units as u32)
    }

    /// A text of which no character is a token by itself.
    pub fn plain(units: u32) -> Self {
        Self {
            units,
            ..Self::default()
        }
    }

    /// One for each Han, Kana or Hangul character, and one for every four units of the rest.
    pub fn tokens(self) -> u32 {
        self.wide + (self.units - self.wide_units).div_ceil(4)
    }

    /// The same in quarters of a token, which need no rounding.
    pub fn quarter_tokens(self) -> u64 {
        4 * u64::from(self.wide) + u64::from(self.units - self.wide_units)
    }
}

fn is_wide(unit: u16) -> bool {
    matches!(unit, 0x1100..=0x11ff | 0x2e80..=0x2fdf | 0x3005..=0x3007 | 0x3021..=0x3029)
        || matches!(unit, 0x3041..=0x3096 | 0x309d..=0x30ff | 0x3131..=0x318e | 0x31f0..=0x31ff)
        || matches!(unit, 0x3400..=0x4dbf | 0x4e00..=0x9fff | 0xa960..=0xa97c | 0xac00..=0xd7fb)
        || matches!(unit, 0xf900..=0xfaff | 0xff66..=0xffdc)
}

/// A sum that is larger than can be counted stays at the most.
impl Add for Size {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            units: self.units.saturating_add(other.units),
            wide_units: self.wide_units.saturating_add(other.wide_units),
            wide: self.wide.saturating_add(other.wide),
        }
    }
}

impl AddAssign for Size {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sub for Size {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self {
            units: self.units - other.units,
            wide_units: self.wide_units - other.wide_units,
            wide: self.wide - other.wide,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// One character at a time.
    fn naive_tokens(text: &str) -> u32 {
        let is_token = |character: &char| match u16::try_from(u32::from(*character)) {
            Ok(unit) => is_wide(unit),
            // The planes of ideographs, as far as pairs from 0xd840 to 0xd88d reach.
            Err(_) => ('\u{20000}'..='\u{337ff}').contains(character),
        };
        let tokens = text.chars().filter(is_token).count();
        let others = text.chars().filter(|character| !is_token(character));
        let units: usize = others.map(char::len_utf16).sum();
        (tokens + units.div_ceil(4)) as u32
    }

    #[test]
    fn four_units_or_one_ideograph_are_a_token() {
        for (text, tokens) in [
            ("", 0),
            ("a", 1),
            ("abcd", 1),
            ("abcde", 2),
            ("思考", 2),
            ("思考 ab", 3),
            ("かなカナ", 4),
            ("한국어", 3),
            ("𠀀𠀁", 2),
            ("😀😀", 1),
            ("привет", 2),
        ] {
            let units: Vec<u16> = text.encode_utf16().collect();
            assert_eq!(Size::of(&units).tokens(), tokens, "{text}");
        }
    }

    proptest! {
        #[test]
        fn lanes_count_what_a_look_at_each_character_counts(
            text in "([a-zé ]{0,20}|[\u{3000}-\u{ffff}]{0,6}|[\u{1f000}-\u{34000}]{0,3}){0,6}",
        ) {
            let units: Vec<u16> = text.encode_utf16().collect();
            prop_assert_eq!(Size::of(&units).tokens(), naive_tokens(&text), "{}", text);
            prop_assert_eq!(Size::of_text(&text), Size::of(&units), "{}", text);
        }
    }
}
