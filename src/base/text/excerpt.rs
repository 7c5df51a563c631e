//! The beginning of a text that is too long to show.

use super::utf16::lossy;

/// `text` if it has at most `limit` units, otherwise its beginning and an ellipsis, together at
/// most `limit`, never cut inside a character.
pub fn excerpt(text: &str, limit: usize) -> String {
    let mut units = 0;
    let mut cut = 0;
    for (at, character) in text.char_indices() {
        units += character.len_utf16();
        if units > limit {
            return format!("{}…", &text[..cut]);
        }
        if units < limit {
            cut = at + character.len_utf8();
        }
    }
    text.to_owned()
}

/// The same for UTF-16 code units; an unpaired surrogate shows as U+FFFD.
pub fn excerpt_units(units: &[u16], limit: usize) -> String {
    // One character beyond the limit is enough to know that something was cut.
    let seen = &units[..units.len().min(limit + 2)];
    excerpt(&lossy(seen), limit)
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

    #[test]
    fn an_excerpt_of_units_survives_unpaired_surrogates() {
        assert_eq!(excerpt_units(&[0xd83d, 0x61], 10), "\u{fffd}a");
    }
}
