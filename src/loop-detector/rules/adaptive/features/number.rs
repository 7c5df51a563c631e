//! A number in a text, perhaps of several that are joined, such as a date, a time or an address; or an
//! id, which counts as one.

use super::characters::{Class, are_all, is_ascii, lower_case};
use super::vocabulary::{ResultWord, VOCABULARY};

/// A longer word is an id, whatever is in it.
const LONGEST_WORD: usize = 64;
/// The shortest word of hexadecimal digits that is an id.
const SHORTEST_HEX_ID: usize = 6;
/// The shortest word of any letters and at least two digits that is an id.
const SHORTEST_MIXED_ID: usize = 16;
/// The first group of an id in groups has at least this many digits.
const SHORTEST_FIRST_GROUP: usize = 8;
/// Any other group has at least this many.
const SHORTEST_GROUP: usize = 4;
/// A time in seconds since 1970 has this many digits; in a smaller unit it has three, six or nine more.
const TIME_DIGITS: usize = 10;

/// The kind of a word, by its letters and digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WordKind {
    /// No digits.
    Text,
    /// Letters and digits that are none of the following.
    Mixed,
    Number(NumberKind),
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum NumberKind {
    #[default]
    Plain,
    /// With a unit of time: `5s`, `3min`.
    Duration,
    /// With a unit of size: `5k`, `3MiB`.
    Size,
    Id,
}

impl WordKind {
    /// `classes` are those of its characters.
    pub(super) fn of(word: &[u16], classes: Class) -> Self {
        if word.len() > LONGEST_WORD {
            return Self::Number(NumberKind::Id);
        }
        if !classes.intersects(Class::DIGIT) {
            return Self::Text;
        }
        if classes == Class::DIGIT {
            return Self::Number(NumberKind::Plain);
        }
        let is_letter = |unit: &u16| !are_all(&[*unit], Class::DIGIT);
        let digits_in_front = word.iter().position(is_letter).unwrap_or(word.len());
        let unit_of_measure = &word[digits_in_front..];
        let is_hex = |word: &[u16]| are_all(word, Class::HEX_DIGIT);
        let is_long_hex = word.len() >= SHORTEST_HEX_ID && is_hex(word);
        if digits_in_front > 0 {
            if is_unit_of_size(unit_of_measure) {
                return Self::Number(NumberKind::Size);
            }
            // `12345d` is rather an id than as many days.
            if !is_long_hex && (are_all(word, Class::TIME) || is_unit_of_time(unit_of_measure)) {
                return Self::Number(NumberKind::Duration);
            }
        }
        let has_digits = || word.iter().filter(|unit| !is_letter(unit)).count() > 1;
        let has_hex_prefix =
            digits_in_front == 1 && word.len() > 2 && is_ascii(lower_case(word[1]), b'x');
        if is_long_hex
            || word.len() >= SHORTEST_MIXED_ID && has_digits()
            || has_hex_prefix && is_hex(&word[2..])
        {
            Self::Number(NumberKind::Id)
        } else {
            Self::Mixed
        }
    }
}

fn is_unit_of_time(word: &[u16]) -> bool {
    let meaning = VOCABULARY.results.meaning(word).unwrap_or_default();
    meaning.contains(ResultWord::AFTER_CHANGING_NUMBER)
}

/// Such as `B`, `k`, `MB` or `GiB`.
fn is_unit_of_size(word: &[u16]) -> bool {
    let is_magnitude = |unit: u16| b"BKkMGT".iter().any(|letter| is_ascii(unit, *letter));
    match word {
        [magnitude] => is_magnitude(*magnitude),
        [magnitude, .., last] => {
            word.len() <= 3 && is_magnitude(*magnitude) && is_ascii(*last, b'B')
        }
        [] => false,
    }
}

/// Whether a number is a time since 1970 between the years 2014 and 2033.
fn is_time_since_1970(digits: &[u16]) -> bool {
    let has_length = (0..4).any(|thousands| digits.len() == TIME_DIGITS + 3 * thousands);
    has_length
        && are_all(digits, Class::DIGIT)
        && is_ascii(digits[0], b'1')
        && digits[1] >= u16::from(b'4')
}

/// Whether a mark between two numbers joins them.
pub(super) fn is_joiner(unit: u16) -> bool {
    b",-./:".iter().any(|mark| is_ascii(unit, *mark))
}

/// A number that may go on.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Number {
    pub(super) kind: NumberKind,
    pub(super) start: usize,
    pub(super) end: usize,
    colons: usize,
    slashes: usize,
    dashes: usize,
    /// The mark after it, which joins another number if one follows.
    pub(super) joiner: Option<u16>,
    /// Whether it changes by itself, by the words before it or a unit of time in it.
    pub(super) changes_by_itself: bool,
    /// Whether the words before it say so, ...
    pub(super) is_announced: bool,
    /// and whether they say that it is the name of something, such as a job.
    pub(super) is_name: bool,
    pub(super) has_space_before: bool,
    pub(super) has_space_after: bool,
}

impl Number {
    pub(super) fn new(kind: NumberKind, start: usize, end: usize) -> Self {
        Self {
            kind,
            start,
            end,
            changes_by_itself: kind == NumberKind::Duration,
            ..Self::default()
        }
    }

    /// Takes the word up that ends at `end`, if the mark before it joins the two.
    pub(super) fn join(&mut self, word: &[u16], kind: WordKind, end: usize) -> bool {
        let Some(joiner) = self.joiner else {
            return false;
        };
        if let WordKind::Number(kind) = kind
            && kind != NumberKind::Id
            && self.kind != NumberKind::Id
        {
            match u8::try_from(joiner) {
                Ok(b':') => self.colons += 1,
                Ok(b'/') => self.slashes += 1,
                Ok(b'-') => self.dashes += 1,
                _ => {}
            }
            self.changes_by_itself |= kind == NumberKind::Duration;
            if kind == NumberKind::Size {
                self.kind = kind;
            }
        } else if is_ascii(joiner, b'-') && self.is_id_with_group(word) {
            self.kind = NumberKind::Id;
        } else {
            return false;
        }
        self.end = end;
        self.joiner = None;
        true
    }

    /// Whether it and another group of hexadecimal digits are an id such as a UUID, whose first group
    /// may be digits alone.
    fn is_id_with_group(&self, group: &[u16]) -> bool {
        let is_first_group =
            self.end - self.start >= SHORTEST_FIRST_GROUP && self.colons + self.slashes == 0;
        (self.kind == NumberKind::Id || is_first_group)
            && group.len() >= SHORTEST_GROUP
            && are_all(group, Class::HEX_DIGIT)
    }

    /// Whether it is a time of day, a date with a time, or seconds since 1970.
    pub(super) fn is_time(&self, digits: &[u16]) -> bool {
        is_time_since_1970(digits) || self.colons > 1 || self.colons == 1 && self.dashes > 1
    }

    /// How long something took or lasts, if it is told with a unit of time.
    pub(super) fn seconds(&self, digits: &[u16]) -> Option<f32> {
        if self.kind != NumberKind::Duration {
            return None;
        }
        let (mut sum, mut start, mut last) = (0.0, 0, ' ');
        for (at, unit) in digits.iter().chain(&[u16::from(b' ')]).enumerate() {
            let letter = char::from_u32(u32::from(*unit)).unwrap_or(' ');
            if letter.is_ascii_digit() || letter == '.' {
                last = letter;
                continue;
            }
            if let Some(value) = decimal(&digits[start..at]) {
                sum += value
                    * match letter {
                        'd' => 86_400.0,
                        'h' => 3_600.0,
                        'm' => 60.0,
                        _ => 1.0,
                    };
            } else if last == 'm' && letter == 's' {
                // Milliseconds were taken for minutes.
                sum /= 60_000.0;
            }
            (start, last) = (at + 1, letter);
        }
        Some(sum)
    }

    /// Whether it is of several parts, as a date, an address or a place in a file.
    pub(super) fn has_many_parts(&self) -> bool {
        self.colons + self.dashes > 1 || self.slashes > 1
    }

    /// Whether it is one number of another, as in `3/10`.
    pub(super) fn is_fraction(&self) -> bool {
        self.slashes == 1 && self.colons + self.dashes == 0
    }
}

/// The number that digits are, with a point among them or none, and with commas that say nothing.
pub(super) fn decimal(digits: &[u16]) -> Option<f32> {
    let (mut value, mut scale, mut has_digits) = (0.0, 0.0, false);
    for unit in digits {
        match u8::try_from(*unit) {
            Ok(digit @ b'0'..=b'9') => {
                value = value * 10.0 + f64::from(digit - b'0');
                // It is 0 before the point.
                scale *= 10.0;
                has_digits = true;
            }
            Ok(b'.') if scale == 0.0 => scale = 1.0,
            Ok(b',') => {}
            _ => return None,
        }
    }
    has_digits.then(|| (value / f64::max(scale, 1.0)) as f32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_decimal_is_what_the_standard_library_reads() {
        for text in [
            "0", "7", "4711", "0.5", ".5", "5.", "3.14159", "16777217", "1.2.3", ".", "", "5s",
            "1e3",
        ] {
            let units: Vec<u16> = text.encode_utf16().collect();
            let expected = text.parse().ok().filter(|_| !text.contains('e'));
            assert_eq!(decimal(&units), expected, "{text}");
        }
        let thousands: Vec<u16> = "12,345.5".encode_utf16().collect();
        assert_eq!(decimal(&thousands), Some(12_345.5));
    }
}
