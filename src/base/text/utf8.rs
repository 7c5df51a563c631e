//! Searches in UTF-8, many bytes at a time.

use wide::{i8x16, u8x16};

const LANES: usize = 16;

#[inline(always)]
fn load(bytes: &[u8; LANES]) -> u8x16 {
    u8x16::new(*bytes)
}

#[inline(always)]
pub(crate) fn is<const BYTE: u8>(bytes: u8x16) -> u8x16 {
    bytes.cmp_eq(const { u8x16::new([BYTE; LANES]) })
}

/// A bit for each byte of which all bits are set.
#[inline(always)]
pub(crate) fn bits(mask: u8x16) -> u32 {
    bytemuck::cast::<_, i8x16>(mask).move_mask() as u32
}

/// The bytes that a string of JSON does not have as they are.
#[inline(always)]
pub(crate) fn escaped_in_json(bytes: u8x16) -> u8x16 {
    let controls = bytes.min(u8x16::splat(0x1f)).cmp_eq(bytes);
    controls | is::<b'"'>(bytes) | is::<b'\\'>(bytes)
}

/// Whether all bytes are ASCII. They are looked at without a stop, for most texts are.
pub(super) fn is_all_ascii(text: &[u8]) -> bool {
    let (chunks, rest) = text.as_chunks::<LANES>();
    let all = chunks
        .iter()
        .fold(u8x16::ZERO, |all, chunk| all | load(chunk));
    bits(all) == 0 && rest.is_ascii()
}

/// The number of bytes from `from` on that are surely ASCII: as many as are looked at together, or none.
#[inline(always)]
pub(super) fn ascii_at(text: &[u8], from: usize) -> usize {
    match text[from..].first_chunk::<LANES>() {
        // The sign of a byte says whether it is ASCII.
        Some(chunk) if bits(load(chunk)) == 0 => LANES,
        _ => 0,
    }
}

/// The next line feed at or after `from`, or the end.
pub fn find_line_feed(text: &[u8], from: usize) -> usize {
    let (chunks, rest) = text.get(from..).unwrap_or_default().as_chunks::<LANES>();
    for (number, chunk) in chunks.iter().enumerate() {
        let found = bits(is::<b'\n'>(load(chunk)));
        if found != 0 {
            return from + number * LANES + found.trailing_zeros() as usize;
        }
    }
    let found = rest.iter().position(|it| *it == b'\n');
    found.map_or(text.len(), |at| text.len() - rest.len() + at)
}

/// The next byte that is not ASCII at or after `from`, or the end.
pub fn find_beyond_ascii(text: &[u8], from: usize) -> usize {
    let (chunks, rest) = text.get(from..).unwrap_or_default().as_chunks::<LANES>();
    for (number, chunk) in chunks.iter().enumerate() {
        let found = bits(load(chunk));
        if found != 0 {
            return from + number * LANES + found.trailing_zeros() as usize;
        }
    }
    let found = rest.iter().position(|it| !it.is_ascii());
    found.map_or(text.len(), |at| text.len() - rest.len() + at)
}

/// The next three dots, as three characters or as one, at or after `from`.
pub fn find_dots(text: &[u8], from: usize) -> Option<usize> {
    let (chunks, rest) = text.get(from..)?.as_chunks::<LANES>();
    for (number, chunk) in chunks.iter().enumerate() {
        let dots = bits(is::<b'.'>(load(chunk)));
        // The bytes after the last two are in the next chunk.
        let may_be_three = dots & (dots >> 1 | 1 << (LANES - 1)) & (dots >> 2 | 3 << (LANES - 2));
        let mut found = may_be_three | bits(is::<{ DOTS[0] }>(load(chunk)));
        while found != 0 {
            let place = from + number * LANES + found.trailing_zeros() as usize;
            if begins_with_dots(&text[place..]) {
                return Some(place);
            }
            found &= found - 1;
        }
    }
    let from = text.len() - rest.len();
    (from..text.len()).find(|at| begins_with_dots(&text[*at..]))
}

/// Three dots as one character.
const DOTS: &[u8] = "\u{2026}".as_bytes();

fn begins_with_dots(text: &[u8]) -> bool {
    text.starts_with(b"...") || text.starts_with(DOTS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn all_is_found_where_a_look_at_each_byte_finds_it(
            text in "([a-z]{0,20}(\n|\\.{1,4}|…|é|\u{20ac})?){0,6}",
            from in 0_usize..80,
        ) {
            let bytes = text.as_bytes();
            let line = bytes.iter().skip(from).position(|it| *it == b'\n');
            let expected = line.map_or(bytes.len(), |it| from + it);
            prop_assert_eq!(find_line_feed(bytes, from), expected);
            let is_dots = |at: &usize| {
                bytes[*at..].starts_with(b"...") || bytes[*at..].starts_with("…".as_bytes())
            };
            prop_assert_eq!(find_dots(bytes, from), (from..bytes.len()).find(is_dots));
        }
    }
}
