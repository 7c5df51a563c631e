//! White space, and what cannot be seen.

/// The start of the white space at the end of `text`.
pub fn end_of(text: &[u16]) -> usize {
    let mut end = text.len();
    while end > 0 && is_white(text[end - 1]) {
        end -= 1;
    }
    end
}

/// `text` without the white space at both ends.
pub fn trimmed(text: &[u16]) -> &[u16] {
    let text = &text[..end_of(text)];
    let start = text.iter().position(|unit| !is_white(*unit));
    &text[start.unwrap_or(0)..]
}

/// Whether there is nothing but white space.
pub fn is_blank(text: &[u16]) -> bool {
    text.iter().all(|unit| is_white(*unit))
}

/// Whether a character takes no room and shows nothing, such as a mark of direction or a variation selector.
pub fn is_invisible(character: char) -> bool {
    matches!(character,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
        | '\u{ffa0}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}')
}

/// White space as JavaScript's `trim` knows it.
pub fn is_white(unit: u16) -> bool {
    matches!(unit, 0x9..=0xd | 0x20 | 0xa0 | 0x1680 | 0x2000..=0x200a)
        || matches!(unit, 0x2028 | 0x2029 | 0x202f | 0x205f | 0x3000 | 0xfeff)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_is_what_rust_and_javascript_agree_on_but_for_two_characters() {
        for unit in 0..=u16::MAX {
            let Some(character) = char::from_u32(unit.into()) else {
                assert!(!is_white(unit));
                continue;
            };
            let expected = match unit {
                0x85 => false,
                0xfeff => true,
                _ => character.is_whitespace(),
            };
            assert_eq!(is_white(unit), expected, "{unit:x}");
        }
    }
}
