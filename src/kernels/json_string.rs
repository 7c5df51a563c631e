//! JSON strings in the form of JavaScript's `JSON.stringify`, and with `<` as `\u003c` where a tag of
//! the block would begin.

use crate::lanes::{LANES, any, is, is_half, is_up_to, load};

const HEX: &[u8; 16] = b"0123456789abcdef";
/// The name of the block's tag.
const TAG: &[u8] = b"content_reference";

/// The escape of a unit that may not stand in a JSON string, after its backslash.
fn escape(unit: u16) -> ([u8; 5], usize) {
    let short = match unit {
        0x08 => b'b',
        0x09 => b't',
        0x0a => b'n',
        0x0c => b'f',
        0x0d => b'r',
        0x22 => b'"',
        0x5c => b'\\',
        _ => {
            let digit = |shift: u32| HEX[usize::from(unit >> shift & 15)];
            return ([b'u', digit(12), digit(8), digit(4), digit(0)], 5);
        }
    };
    ([short, 0, 0, 0, 0], 1)
}

/// Whether a tag of the block begins with the `<` before these units.
fn is_tag<T: Copy + Into<u16>>(behind: &[T]) -> bool {
    let name = match behind.first() {
        Some(&slash) if slash.into() == 0x2f => &behind[1..],
        _ => behind,
    };
    name.len() >= TAG.len()
        && TAG.iter().zip(name).all(|(&expected, &unit)| {
            let unit: u16 = unit.into();
            unit < 0x80 && (unit as u8).eq_ignore_ascii_case(&expected)
        })
}

/// Where among the first eight bytes one stands that may need an escape, as the lowest set bit of
/// its byte; higher bits may be wrong.
fn special_bytes(bytes: u64) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGHS: u64 = 0x8080_8080_8080_8080;
    let zero = |bytes: u64| bytes.wrapping_sub(ONES) & !bytes & HIGHS;
    let is = |byte: u8| zero(bytes ^ (ONES * u64::from(byte)));
    let control = bytes.wrapping_sub(ONES * 0x20) & !bytes & HIGHS;
    control | is(b'"') | is(b'\\') | is(b'<')
}

/// Appends ASCII text as a JSON string.
pub fn quote_ascii(bytes: &[u8], out: &mut Vec<u8>) {
    out.reserve(bytes.len() + bytes.len() / 8 + 2);
    out.push(b'"');
    let mut from = 0;
    let mut at = 0;
    while at < bytes.len() {
        let special = match bytes[at..].first_chunk::<8>() {
            Some(chunk) => match special_bytes(u64::from_le_bytes(*chunk)) {
                0 => {
                    at += 8;
                    continue;
                }
                found => at + (found.trailing_zeros() / 8) as usize,
            },
            None => {
                let is_special = |byte: &u8| *byte < 0x20 || matches!(byte, b'"' | b'\\' | b'<');
                match bytes[at..].iter().position(is_special) {
                    Some(found) => at + found,
                    None => break,
                }
            }
        };
        at = special + 1;
        if bytes[special] == b'<' && !is_tag(&bytes[at..]) {
            continue;
        }
        out.extend_from_slice(&bytes[from..special]);
        let (text, length) = escape(u16::from(bytes[special]));
        out.push(b'\\');
        out.extend_from_slice(&text[..length]);
        from = at;
    }
    out.extend_from_slice(&bytes[from..]);
    out.push(b'"');
}

/// Appends UTF-16 code units as a JSON string; an unpaired surrogate is escaped.
pub fn quote_wide(units: &[u16], out: &mut Vec<u16>) {
    out.reserve(units.len() + units.len() / 16 + 2);
    out.push(0x22);
    let mut at = 0;
    while at < units.len() {
        if let Some(chunk) = units[at..].first_chunk::<LANES>() {
            let lanes = load(chunk);
            let escaped = is_up_to::<0x1f>(lanes) | is::<0x22>(lanes) | is::<0x5c>(lanes);
            if !any(escaped | is::<0x3c>(lanes) | is_half(lanes)) {
                out.extend_from_slice(chunk);
                at += LANES;
                continue;
            }
        }
        let stop = (at + LANES).min(units.len());
        while at < stop {
            let unit = units[at];
            at += 1;
            let stays = match unit {
                0x3c => !is_tag(&units[at..]),
                0xd800..0xdc00 => match units.get(at) {
                    Some(&low @ 0xdc00..0xe000) => {
                        out.push(unit);
                        out.push(low);
                        at += 1;
                        continue;
                    }
                    _ => false,
                },
                0xdc00..0xe000 => false,
                _ => unit >= 0x20 && unit != 0x22 && unit != 0x5c,
            };
            if stays {
                out.push(unit);
            } else {
                let (text, length) = escape(unit);
                out.push(0x5c);
                out.extend(text[..length].iter().map(|&byte| u16::from(byte)));
            }
        }
    }
    out.push(0x22);
}
