//! JSON strings in the form of JavaScript's `JSON.stringify`, whole texts and character by character.

use std::fmt::Write;

use super::lanes::Unit;

const LESS: u16 = b'<' as u16;
const HEX: &[u8; 16] = b"0123456789abcdef";
/// Room that is always there: for a piece, and for an escape.
const ROOM: usize = 32;

/// Appends ASCII text, or UTF-16 code units, as a JSON string. An unpaired surrogate is escaped, and
/// so is `<`, as `\u003c`, where a tag of this name would begin or end.
pub(super) fn quote<T: Unit>(text: &[T], tag: &str, out: &mut Vec<T>) {
    let mut to = out.len();
    make_room(text, to, out);
    put(b'"', out, &mut to);
    let mut at = 0;
    // Each piece is copied as it is; where one holds something special, what follows that is copied
    // again after the escape.
    while let Some(piece) = T::piece(&text[at..]) {
        if out.len() - to < ROOM {
            make_room(&text[at..], to, out);
        }
        if let Some(room) = T::piece_mut(&mut out[to..]) {
            *room = *piece;
        }
        let plain = T::plain(piece);
        at += plain;
        to += plain;
        if plain < T::LANES {
            let escape = match text[at].into() {
                0x0a => b'n',
                0x22 => b'"',
                _ => {
                    at = put_special(text, at, tag, out, &mut to);
                    continue;
                }
            };
            // Most of what is special ends a line or a string.
            put(b'\\', out, &mut to);
            put(escape, out, &mut to);
            at += 1;
        }
    }
    while at < text.len() {
        if out.len() - to < ROOM {
            make_room(&text[at..], to, out);
        }
        at = put_special(text, at, tag, out, &mut to);
    }
    put(b'"', out, &mut to);
    out.truncate(to);
}

/// For the rest of a text, of which some units are escaped. What the room is filled with is written
/// over; filling it with text takes no longer than reserving it.
fn make_room<T: Unit>(rest: &[T], to: usize, out: &mut Vec<T>) {
    out.truncate(to);
    out.extend_from_slice(rest);
    out.extend_from_slice(&rest[..rest.len() / 8]);
    out.extend_from_slice(&[T::default(); 2 * ROOM]);
}

#[inline(always)]
fn put<T: Unit>(byte: u8, out: &mut [T], to: &mut usize) {
    out[*to] = T::from(byte);
    *to += 1;
}

/// Writes a unit that may need an escape, or a pair, and returns the index after it.
fn put_special<T: Unit>(text: &[T], at: usize, tag: &str, out: &mut [T], to: &mut usize) -> usize {
    let unit: u16 = text[at].into();
    let next = at + 1;
    let pair = text
        .get(next)
        .copied()
        .filter(|&low| (0xd800..0xdc00).contains(&unit) && (0xdc00..0xe000).contains(&low.into()));
    let escape = match unit {
        _ if pair.is_some() => None,
        LESS => is_tag(&text[next..], tag).then_some(b'u'),
        _ => escape_of(unit),
    };
    let Some(escape) = escape else {
        out[*to] = text[at];
        *to += 1;
        if let Some(low) = pair {
            out[*to] = low;
            *to += 1;
            return next + 1;
        }
        return next;
    };
    put(b'\\', out, to);
    put(escape, out, to);
    if escape == b'u' {
        for shift in [12, 8, 4, 0] {
            put(HEX[usize::from(unit >> shift & 15)], out, to);
        }
    }
    next
}

/// Whether a tag of this name begins or ends with the `<` before these units.
fn is_tag<T: Unit>(following: &[T], tag: &str) -> bool {
    let name = match following.first() {
        Some(&slash) if slash.into() == 0x2f => &following[1..],
        _ => following,
    };
    name.len() >= tag.len()
        && tag.bytes().zip(name).all(|(expected, &unit)| {
            let unit: u16 = unit.into();
            unit < 0x80 && (unit as u8).eq_ignore_ascii_case(&expected)
        })
}

/// The character after the backslash with which JSON writes a unit that it does not write as it is, a half of a
/// pair included; `u` is followed by four digits.
fn escape_of(unit: u16) -> Option<u8> {
    Some(match unit {
        0x08 => b'b',
        0x09 => b't',
        0x0a => b'n',
        0x0c => b'f',
        0x0d => b'r',
        0x22 => b'"',
        0x5c => b'\\',
        0..0x20 | 0xd800..0xe000 => b'u',
        _ => return None,
    })
}

/// Appends a character as `JSON.stringify` writes it inside quotes.
pub fn push_character(character: Result<char, u16>, json: &mut String) {
    let unit = match character {
        Ok(character) => u16::try_from(u32::from(character)).ok(),
        Err(surrogate) => Some(surrogate),
    };
    match unit.and_then(escape_of).zip(unit) {
        Some((b'u', unit)) => {
            write!(json, "\\u{unit:04x}").expect("a string takes whatever is written");
        }
        Some((short, _)) => json.extend(['\\', char::from(short)]),
        None => json.push(character.unwrap_or(char::REPLACEMENT_CHARACTER)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_are_escaped_as_serde_json_does() {
        for character in '\0'..='\u{200}' {
            let mut json = String::from('"');
            push_character(Ok(character), &mut json);
            json.push('"');
            let expected = serde_json::to_string(&character).expect("a character is JSON");
            assert_eq!(json, expected);
        }
    }

    #[test]
    fn an_unpaired_surrogate_is_escaped() {
        let mut json = String::new();
        push_character(Err(0xd83d), &mut json);
        assert_eq!(json, "\\ud83d");
    }
}
