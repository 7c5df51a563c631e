//! Times and ids, which change by themselves.

/// Whether a text may hold one: a word of 8 or more ASCII letters and digits with a digit in it, such as
/// `20261122` or `9f8c2d1a`, one of more than 64, or a colon behind a word with a digit, as in `10:00`.
/// `units` are UTF-16 code units, little-endian, if they are wide, and bytes of ASCII if not.
pub fn may_hold_time(units: &[u8], are_wide: bool) -> bool {
    if are_wide {
        let (units, _) = units.as_chunks();
        any(units.iter().map(|&unit| match unit {
            [low, 0] => low,
            _ => 0,
        }))
    } else {
        any(units.iter().copied())
    }
}

#[inline(always)]
fn any(characters: impl Iterator<Item = u8>) -> bool {
    let (mut length, mut digits) = (0, 0);
    for character in characters {
        if character.is_ascii_alphanumeric() {
            length += 1;
            digits += u32::from(character.is_ascii_digit());
            if length >= 8 && digits > 0 || length > 64 {
                return true;
            }
        } else {
            if character == b':' && digits > 0 {
                return true;
            }
            (length, digits) = (0, 0);
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
