//! What a prompt or a rule says: directives, references, and what is code and therefore text.

pub(crate) mod code;
pub(crate) mod directives;
pub(crate) mod pattern;
pub(crate) mod preprocess;
pub(crate) mod references;

pub(crate) const AT: u16 = b'@' as u16;
pub(crate) const BACKSLASH: u16 = b'\\' as u16;
pub(crate) const OPEN_BRACE: u16 = b'{' as u16;
pub(crate) const CLOSE_BRACE: u16 = b'}' as u16;
pub(crate) const OPEN_BRACKET: u16 = b'[' as u16;
pub(crate) const CLOSE_BRACKET: u16 = b']' as u16;
pub(crate) const QUOTE: u16 = b'"' as u16;
pub(crate) const NEWLINE: u16 = b'\n' as u16;

/// The unit at an offset; NUL, which has no meaning here, behind the end.
pub(crate) fn unit_at(units: &[u16], at: usize) -> u16 {
    units.get(at).copied().unwrap_or(0)
}

/// The units from one offset to another, none if there are no such offsets.
#[inline(never)]
pub(crate) fn part(units: &[u16], from: usize, to: usize) -> &[u16] {
    units.get(from..to).unwrap_or_default()
}

/// Where a unit stands next, or the end.
pub(crate) fn find_unit(units: &[u16], mut at: usize, unit: u16) -> usize {
    while at < units.len() && units[at] != unit {
        at += 1;
    }
    at
}

/// Whether a part stands in a text. Time in proportion to the text: parts of the same hash are
/// compared, others are not.
pub(crate) fn contains(text: &[u16], wanted: &[u16]) -> bool {
    const BASE: u64 = 0x9e37_79b9_7f4a_7c15;
    let push = |hash: u64, unit: u16| hash.wrapping_mul(BASE).wrapping_add(unit.into());
    let (mut goal, mut hash, mut first) = (0, 0, 1_u64);
    for &unit in wanted {
        goal = push(goal, unit);
        first = first.wrapping_mul(BASE);
    }
    for (at, &unit) in text.iter().enumerate() {
        if hash == goal && at >= wanted.len() && part(text, at - wanted.len(), at) == wanted {
            return true;
        }
        hash = push(hash, unit);
        if at >= wanted.len() {
            let gone = u64::from(text[at - wanted.len()]);
            hash = hash.wrapping_sub(gone.wrapping_mul(first));
        }
    }
    text.ends_with(wanted)
}

/// Where the blanks end that begin at an offset.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn units(text: &str) -> Vec<u16> {
        text.encode_utf16().collect()
    }

    #[test]
    fn parts_are_found_wherever_they_stand() {
        let text = units("abcab\u{e9}😀");
        for from in 0..=text.len() {
            for to in from..=text.len() {
                assert!(contains(&text, &text[from..to]), "{from}..{to}");
            }
        }
        for other in ["ac", "abcabc", "cabé\u{1f601}", "b c", "abcab\u{e9}😀a"] {
            assert!(!contains(&text, &units(other)), "{other}");
        }
        assert!(contains(&[], &[]));
        // Each place but the last differs at the part's end only.
        let long = units(&"a".repeat(1_000_000));
        let wanted = units(&format!("{}b", "a".repeat(500_000)));
        assert!(!contains(&long, &wanted));
    }
}
