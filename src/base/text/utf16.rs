//! UTF-16 code units, as JavaScript holds text: a surrogate may be unpaired.

use super::lanes::{Count, LANES, Mask, any, is_half, is_up_to, load};
use super::utf8::ascii_at;

/// Lanes count in 16 bits, so that a longer text is counted in pieces of this many units.
const COUNTED_AT_ONCE: usize = LANES * u16::MAX as usize;

/// The text of UTF-16 code units; an unpaired surrogate shows as U+FFFD.
pub fn lossy(units: &[u16]) -> String {
    String::from_utf16_lossy(units)
}

/// The text of UTF-16 code units, `None` if a surrogate is unpaired.
pub fn exact(units: &[u16]) -> Option<String> {
    if is_ascii(units) {
        return String::from_utf8(units.iter().map(|&unit| unit as u8).collect()).ok();
    }
    String::from_utf16(units).ok()
}

/// UTF-16 code units from little-endian bytes.
pub fn units_from_le_bytes(bytes: &[u8]) -> Vec<u16> {
    let mut units: Vec<u16> = bytemuck::pod_collect_to_vec(bytes);
    if cfg!(target_endian = "big") {
        units.iter_mut().for_each(|unit| *unit = unit.swap_bytes());
    }
    units
}

/// Adds the UTF-16 code units of a text, at most `most` of them.
pub fn push_units_of(text: &str, most: usize, units: &mut Vec<u16>) {
    let wanted = units.len().saturating_add(most);
    units.reserve(text.len().min(most));
    runs_of(text, |run| match run {
        Run::Plain(bytes) => units.extend(bytes.iter().map(|byte| u16::from(*byte))),
        Run::Other(character) => units.extend(character.encode_utf16(&mut [0; 2]).iter()),
    });
    units.truncate(wanted);
}

/// Adds the UTF-16 code units of a text as little-endian bytes.
pub fn push_le_bytes_of(text: &str, bytes: &mut Vec<u8>) {
    bytes.reserve(2 * text.len());
    runs_of(text, |run| match run {
        Run::Plain(plain) => {
            let start = bytes.len();
            bytes.resize(start + 2 * plain.len(), 0);
            let (units, _) = bytes[start..].as_chunks_mut::<2>();
            for (unit, byte) in units.iter_mut().zip(plain) {
                *unit = [*byte, 0];
            }
        }
        Run::Other(character) => {
            for unit in character.encode_utf16(&mut [0; 2]) {
                bytes.extend_from_slice(&unit.to_le_bytes());
            }
        }
    });
}

enum Run<'a> {
    /// ASCII characters.
    Plain(&'a [u8]),
    Other(char),
}

/// Gives out a text in its order: many characters at a time where they are ASCII, as most are.
fn runs_of(text: &str, mut take: impl FnMut(Run)) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        loop {
            match ascii_at(bytes, at) {
                0 => break,
                plain => at += plain,
            }
        }
        while bytes.get(at).is_some_and(u8::is_ascii) {
            at += 1;
        }
        if at > start {
            take(Run::Plain(&bytes[start..at]));
        }
        if let Some(character) = text[at..].chars().next() {
            take(Run::Other(character));
            at += character.len_utf8();
        }
    }
}

/// Length in bytes of UTF-8, where an unpaired surrogate takes three.
pub(super) fn utf8_len(units: &[u16]) -> u64 {
    // Three bytes a unit, less one for each unit below 0x800, less another for ASCII. Each half of a
    // pair is two of the pair's four bytes, and so one less than three, too.
    let mut saved = 0;
    for piece in units.chunks(COUNTED_AT_ONCE) {
        let (mut ascii, mut short, mut halves) = (Count::NONE, Count::NONE, Count::NONE);
        let (chunks, rest) = piece.as_chunks::<LANES>();
        for chunk in chunks {
            let lanes = load(chunk);
            ascii.add(is_up_to::<0x7f>(lanes));
            short.add(is_up_to::<0x7ff>(lanes));
            halves.add(is_half(lanes));
        }
        saved += ascii.total() + short.total() + halves.total();
        for &unit in rest {
            saved += u64::from(unit < 0x80) + u64::from(unit < 0x800);
            saved += u64::from(unit & 0xf800 == 0xd800);
        }
    }
    3 * units.len() as u64 - saved
}

/// Whether every unit is an ASCII character.
pub(super) fn is_ascii(units: &[u16]) -> bool {
    let (chunks, rest) = units.as_chunks::<LANES>();
    for chunk in chunks {
        if any(is_up_to::<0x7f>(load(chunk)) ^ Mask::MAX) {
            return false;
        }
    }
    rest.iter().all(|&unit| unit < 0x80)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// One unit at a time.
    fn naive_utf8_len(units: &[u16]) -> u64 {
        let mut length = 0;
        for &unit in units {
            length += match unit {
                0..0x80 => 1,
                0x80..0x800 | 0xd800..0xe000 => 2,
                _ => 3,
            };
        }
        length
    }

    #[test]
    fn an_unpaired_surrogate_shows_or_is_refused() {
        let units = [0x61, 0xd83d, 0x62];
        assert_eq!(lossy(&units), "a\u{fffd}b");
        assert_eq!(exact(&units), None);
        assert_eq!(exact(&[0xd83d, 0xde00]).as_deref(), Some("😀"));
        assert_eq!(exact(&[0x61]).as_deref(), Some("a"));
    }

    #[test]
    fn bytes_are_little_endian() {
        assert_eq!(units_from_le_bytes(&[0x61, 0, 0x3d, 0xd8]), [0x61, 0xd83d]);
    }

    #[test]
    fn no_more_units_are_added_than_asked_for() {
        for (text, expected) in [("abc", vec![0x61, 0x62]), ("a😀", vec![0x61, 0xd83d])] {
            let mut units = Vec::new();
            push_units_of(text, 2, &mut units);
            assert_eq!(units, expected, "{text}");
        }
    }

    #[test]
    fn units_are_those_of_the_standard_library() {
        let ascii = "a line of plain text that is longer than lanes are ";
        for text in ["", "é", ascii, &format!("{ascii}é😀{ascii}\u{feff}中")] {
            let expected: Vec<u16> = text.encode_utf16().collect();
            let mut units = Vec::new();
            push_units_of(text, usize::MAX, &mut units);
            assert_eq!(units, expected, "{text}");
            let mut bytes = Vec::new();
            push_le_bytes_of(text, &mut bytes);
            assert_eq!(units_from_le_bytes(&bytes), expected, "{text}");
        }
    }

    #[test]
    fn a_text_longer_than_lanes_can_count_is_counted() {
        let units = vec![0x61; COUNTED_AT_ONCE + 9];
        assert_eq!(utf8_len(&units), units.len() as u64);
    }

    proptest! {
        #[test]
        fn lanes_say_what_a_look_at_each_unit_says(
            start in proptest::collection::vec(0u16..0x90, 0..40),
            units in proptest::collection::vec(proptest::num::u16::ANY, 0..40),
        ) {
            let all = [start.clone(), units].concat();
            prop_assert_eq!(utf8_len(&all), naive_utf8_len(&all));
            prop_assert_eq!(is_ascii(&all), all.iter().all(|unit| *unit < 0x80));
            prop_assert_eq!(is_ascii(&start), start.iter().all(|unit| *unit < 0x80));
        }
    }
}
