//! JSON in ASCII, which JavaScript takes over and reads several times as fast as any other.

use crate::text::utf8::find_beyond_ascii;

/// More escapes, one in this many bytes, take longer than they save.
const BYTES_AN_ESCAPE: usize = 16;

/// The same JSON with escapes for its characters beyond ASCII, if these are few.
pub fn in_ascii(json: String) -> String {
    let mut left = json.len() / BYTES_AN_ESCAPE;
    let mut escaped = String::new();
    let mut from = 0;
    loop {
        let at = find_beyond_ascii(json.as_bytes(), from);
        let Some(character) = json[at..].chars().next() else {
            break;
        };
        if left == 0 {
            return json;
        }
        left -= 1;
        escaped.reserve(json.len() - from);
        escaped.push_str(&json[from..at]);
        for unit in character.encode_utf16(&mut [0; 2]) {
            escaped.push_str("\\u");
            let digits = [12, 8, 4, 0].map(|shift| u32::from(*unit >> shift & 0xf));
            escaped.extend(digits.iter().filter_map(|it| char::from_digit(*it, 16)));
        }
        from = at + character.len_utf8();
    }
    if from == 0 {
        return json;
    }
    escaped.push_str(&json[from..]);
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_characters_beyond_ascii_become_escapes() {
        let line = "a".repeat(BYTES_AN_ESCAPE);
        for (characters, expected) in [
            ("", ""),
            ("\u{7f}", "\u{7f}"),
            ("→", r"\u2192"),
            ("é😀", r"\u00e9\ud83d\ude00"),
        ] {
            let json = |inside: &str| format!("[\"{inside}{line}{line}{line}\"]");
            assert_eq!(in_ascii(json(characters)), json(expected));
        }
    }

    #[test]
    fn many_stay_as_they_are() {
        let json = format!("[\"{}\"]", "中文".repeat(20));
        assert_eq!(in_ascii(json.clone()), json);
    }
}
