//! Words that change by themselves: times and ids.

/// A word of at least this many letters and digits, one of them a digit, may be a time or an id.
const SHORTEST_ID: usize = 8;
/// A longer word may be one without a digit in it, too.
const LONGEST_PLAIN_WORD: usize = 64;

/// Whether a text may hold a time or an id: a word of ASCII letters and digits with a digit in it,
/// such as `20261122` or `9f8c2d1a`, a very long one, or a colon after a word with a digit, as in
/// `10:00`. `units` are UTF-16 code units, little-endian, if they are wide, and bytes of ASCII if
/// not.
pub fn may_hold_time(units: &[u8], are_wide: bool) -> bool {
    if are_wide {
        let (units, _) = units.as_chunks();
        holds_changing_word(units.iter().map(|&unit| match unit {
            [ascii, 0] => ascii,
            _ => 0,
        }))
    } else {
        holds_changing_word(units.iter().copied())
    }
}

#[inline(always)]
fn holds_changing_word(characters: impl Iterator<Item = u8>) -> bool {
    let (mut length, mut has_digit) = (0, false);
    for character in characters {
        if character.is_ascii_alphanumeric() {
            length += 1;
            has_digit |= character.is_ascii_digit();
            if length >= SHORTEST_ID && has_digit || length > LONGEST_PLAIN_WORD {
                return true;
            }
        } else {
            if character == b':' && has_digit {
                return true;
            }
            (length, has_digit) = (0, false);
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use regex::Regex;

    #[test]
    fn times_and_ids_are_seen() {
        for (text, expected) in [
            ("", false),
            ("src/a12.ts:", false),
            ("line 1234567, column 12", false),
            ("at 10:00", true),
            ("20261122", true),
            ("commit 9f8c2d1a", true),
            ("abcdefgh", false),
            ("a5:", true),
            (&"x".repeat(64), false),
            (&"x".repeat(65), true),
            ("12 : 30", false),
        ] {
            assert_eq!(may_hold_time(text.as_bytes(), false), expected, "{text}");
            let wide: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
            assert_eq!(may_hold_time(&wide, true), expected, "{text}, wide");
        }
        let between: Vec<u8> = "1234测5678"
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect();
        assert!(!may_hold_time(&between, true));
    }

    proptest! {
        #[test]
        fn as_an_expression_sees_it(text in "([a-z]{0,9}[0-9:. é]{0,3}){0,6}[a-z]{0,70}") {
            let word = "[0-9A-Za-z]{7,}[0-9]|[0-9][0-9A-Za-z]{7,}|[0-9A-Za-z]{65,}|[0-9][A-Za-z]*:";
            let inner = (1..7).map(|before| {
                let after = 7 - before;
                format!("[0-9A-Za-z]{{{before}}}[0-9][0-9A-Za-z]{{{after}}}")
            });
            let patterns: Vec<String> = inner.chain([word.to_owned()]).collect();
            let expression = Regex::new(&patterns.join("|")).expect("a pattern");
            let wide: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
            prop_assert_eq!(may_hold_time(&wide, true), expression.is_match(&text), "{}", text);
        }
    }
}
