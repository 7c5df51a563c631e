//! UTF-16 lengths and excerpts. Every length in this library is in UTF-16 code units.

const ELLIPSIS: char = '…';

/// `text` if it has at most `limit` units, otherwise its beginning and an ellipsis, together at
/// most `limit`, never cut inside a character.
pub(crate) fn excerpt(text: &str, limit: usize) -> String {
    let mut units = 0;
    let mut cut = 0;
    for (at, character) in text.char_indices() {
        units += character.len_utf16();
        if units > limit {
            let mut short = text.to_owned();
            short.truncate(cut);
            short.push(ELLIPSIS);
            return short;
        }
        if units < limit {
            cut = at + character.len_utf8();
        }
    }
    text.to_owned()
}

/// The same for UTF-16 units; an unpaired surrogate shows as U+FFFD.
pub(crate) fn excerpt_units(units: &[u16], limit: usize) -> String {
    // One unit beyond the limit is enough to know that something was cut.
    let seen = &units[..units.len().min(limit + 2)];
    let mut text = String::new();
    push_units(&mut text, seen);
    excerpt(&text, limit)
}

/// Adds UTF-16 units; an unpaired surrogate shows as U+FFFD.
pub(crate) fn push_units(text: &mut String, units: &[u16]) {
    let mut rest = units;
    while let Some(character) = next_character(&mut rest) {
        text.push(character.unwrap_or(char::REPLACEMENT_CHARACTER));
    }
}

/// One string of several.
pub(crate) fn concat(parts: &[&str]) -> String {
    let mut out = String::new();
    for part in parts {
        push(&mut out, part);
    }
    out
}

/// Takes the first character off, or an unpaired surrogate.
pub(crate) fn next_character(units: &mut &[u16]) -> Option<Result<char, u16>> {
    let (&first, rest) = units.split_first()?;
    *units = rest;
    if let Some(character) = char::from_u32(u32::from(first)) {
        return Some(Ok(character));
    }
    if first < 0xdc00
        && let Some((&second @ 0xdc00..=0xdfff, rest)) = rest.split_first()
        && let Some(character) = char::from_u32(
            0x1_0000 + (u32::from(first - 0xd800) << 10) + u32::from(second - 0xdc00),
        )
    {
        *units = rest;
        return Some(Ok(character));
    }
    Some(Err(first))
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
        if hash == goal && at >= wanted.len() && text.get(at - wanted.len()..at) == Some(wanted) {
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

/// White space: what Rust's `trim` or JavaScript's takes for it.
pub(crate) fn is_white(character: char) -> bool {
    matches!(
        character,
        '\t'..='\r' | ' ' | '\u{85}' | '\u{a0}' | '\u{1680}'
    ) || matches!(
        character,
        '\u{2000}'..='\u{200a}' | '\u{2028}' | '\u{2029}' | '\u{202f}'
    ) || matches!(character, '\u{205f}' | '\u{3000}' | '\u{feff}')
}

/// Adds a text. Where the module is compiled for size, each place that did it by itself would take
/// four times as much of it.
#[inline(never)]
pub(crate) fn push(out: &mut String, text: &str) {
    out.push_str(text);
}

/// The text from one offset to another, none if there are no such offsets.
#[inline(never)]
pub(crate) fn part(text: &str, from: usize, to: usize) -> &str {
    text.get(from..to).unwrap_or_default()
}

/// The text without white space at its ends.
#[inline(never)]
pub(crate) fn trimmed(text: &str) -> &str {
    text.trim_matches(is_white)
}

/// The text in upper case, as Unicode has it.
#[cfg(not(target_family = "wasm"))]
pub(crate) fn upper_case(text: &str) -> String {
    text.to_uppercase()
}

/// Where there is a JavaScript, it has the table, which is large.
#[cfg(target_family = "wasm")]
pub(crate) use crate::wasm::upper_case;

/// Adds a number in decimal digits.
pub(crate) fn push_number(text: &mut String, number: u64) {
    if number >= 10 {
        push_number(text, number / 10);
    }
    text.push(char::from(b'0' + (number % 10) as u8));
}

/// A number in decimal digits.
#[inline(never)]
pub(crate) fn decimal(number: u64) -> String {
    let mut text = String::new();
    push_number(&mut text, number);
    text
}

/// Adds a string of JSON.
#[cfg_attr(not(target_family = "wasm"), allow(dead_code))]
pub(crate) fn push_quoted(json: &mut String, text: &str) {
    json.push('"');
    for character in text.chars() {
        push_character(Ok(character), true, json);
    }
    json.push('"');
}

/// As `JSON.stringify` writes it inside quotes, or plainly outside of them.
pub(crate) fn push_character(character: Result<char, u16>, escaped: bool, json: &mut String) {
    let plain = match character {
        Err(unpaired) if escaped => return push_escape(unpaired, json),
        Err(_) => char::REPLACEMENT_CHARACTER,
        Ok(character) => character,
    };
    let short = match plain {
        _ if !escaped => None,
        '"' | '\\' => Some(plain),
        '\n' => Some('n'),
        '\r' => Some('r'),
        '\t' => Some('t'),
        '\u{8}' => Some('b'),
        '\u{c}' => Some('f'),
        control if control < ' ' => return push_escape(control as u16, json),
        _ => None,
    };
    if short.is_some() {
        json.push('\\');
    }
    json.push(short.unwrap_or(plain));
}

fn push_escape(unit: u16, json: &mut String) {
    json.push_str("\\u");
    push_hex(json, (unit >> 8) as u8);
    push_hex(json, unit as u8);
}

/// Adds a byte as two lower-case hexadecimal digits.
pub(crate) fn push_hex(text: &mut String, byte: u8) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    text.push(char::from(DIGITS[usize::from(byte >> 4)]));
    text.push(char::from(DIGITS[usize::from(byte & 15)]));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_excerpt_never_exceeds_its_limit_nor_cuts_a_character() {
        assert_eq!(excerpt("思考思考", 4), "思考思考");
        assert_eq!(excerpt("思考思考思", 4), "思考思…");
        assert_eq!(excerpt("a😀b", 3), "a…");
        assert_eq!(excerpt("a😀", 3), "a😀");
        for limit in 1..12 {
            let short = excerpt("😀a😀bb😀思😀", limit);
            assert!(short.encode_utf16().count() <= limit, "{short} at {limit}");
        }
    }

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

    #[test]
    fn white_space_is_what_rust_or_javascript_trims() {
        for character in '\0'..=char::MAX {
            let expected = character.is_whitespace() || character == '\u{feff}';
            assert_eq!(is_white(character), expected, "{character:?}");
        }
    }

    #[test]
    fn an_excerpt_of_units_survives_unpaired_surrogates() {
        assert_eq!(excerpt_units(&[0xd83d, 0x61], 10), "\u{fffd}a");
    }
}
