//! Strings of JSON, many bytes at a time.

use wide::u8x16;

use crate::text::utf8::{bits, escaped_in_json, is};

/// The place of the quote that ends a string which begins at a place, and that of its first escape.
#[inline]
pub(super) fn end_of_string(text: &[u8], mut at: usize) -> Option<(usize, Option<usize>)> {
    while let Some(piece) = text.get(at..)?.first_chunk() {
        let first = marks_of_piece(piece).trailing_zeros() as usize;
        match piece.get(first) {
            None => at += PIECE,
            Some(b'"') => return Some((at + first, None)),
            Some(_) => break,
        }
    }
    end_with_escapes(text, at)
}

/// The same of a string that may have escapes.
fn end_with_escapes(text: &[u8], mut at: usize) -> Option<(usize, Option<usize>)> {
    let mut first_escape = None;
    let mut is_escaped = false;
    loop {
        let block = block_of(text.get(at..)?);
        let mut marks = bits_of(&block, escaped_in_json);
        let backslashes = bits_of(&block, is::<b'\\'>);
        if is_escaped || backslashes != 0 {
            let escaped;
            (escaped, is_escaped) = after_escapes(backslashes, is_escaped);
            marks &= !(backslashes | escaped);
            // All up to the first mark.
            let inner = marks ^ marks.wrapping_sub(1);
            let mut others = escaped & inner & !bits_of(&block, usual_escapes);
            while others != 0 {
                length_of_escape(&text[at + others.trailing_zeros() as usize - 1..])?;
                others &= others - 1;
            }
            let escapes = backslashes & inner;
            if escapes != 0 {
                first_escape.get_or_insert(at + escapes.trailing_zeros() as usize);
            }
        }
        if marks != 0 {
            let end = at + marks.trailing_zeros() as usize;
            return (*text.get(end)? == b'"').then_some((end, first_escape));
        }
        at += BLOCK;
    }
}

/// A bit for each byte that follows an odd number of backslashes, and whether that after the block does. The byte before
/// it may have been one that counts.
fn after_escapes(backslashes: u64, is_escaped: bool) -> (u64, bool) {
    const EVEN: u64 = 0x5555_5555_5555_5555;
    let first = u64::from(is_escaped);
    let runs = backslashes & !first;
    let starts = runs & !(runs << 1);
    // A sum moves the start of a run to the byte after its end.
    let from_even = runs.wrapping_add(starts & EVEN);
    let (from_odd, goes_on) = runs.overflowing_add(starts & !EVEN);
    let after = (from_even & !EVEN | from_odd & EVEN) & !runs;
    (after | first, goes_on)
}

/// Bytes that are looked at together.
pub(super) const PIECE: usize = 16;

/// Bytes of a string with escapes that are looked at together.
const BLOCK: usize = 64;

/// The first bytes, with NULs after the last.
fn block_of(bytes: &[u8]) -> [u8; BLOCK] {
    bytes.first_chunk().copied().unwrap_or_else(|| {
        let mut block = [0; BLOCK];
        block[..bytes.len()].copy_from_slice(bytes);
        block
    })
}

/// A bit for each byte of which something is true.
#[inline(always)]
fn bits_of(block: &[u8; BLOCK], wanted: impl Fn(u8x16) -> u8x16) -> u64 {
    let (pieces, _) = block.as_chunks();
    pieces.iter().rev().fold(0, |all, piece| {
        all << PIECE | u64::from(bits(wanted(u8x16::new(*piece))))
    })
}

/// A bit for each byte that a string does not have as it is.
#[inline(always)]
fn marks_of_piece(piece: &[u8; PIECE]) -> u32 {
    bits(escaped_in_json(u8x16::new(*piece)))
}

/// What most backslashes stand before.
#[inline(always)]
fn usual_escapes(bytes: u8x16) -> u8x16 {
    is::<b'n'>(bytes) | is::<b'"'>(bytes) | is::<b'\\'>(bytes) | is::<b't'>(bytes)
}

/// The length of the escape that begins the bytes.
fn length_of_escape(bytes: &[u8]) -> Option<usize> {
    match bytes.get(1)? {
        b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => Some(2),
        b'u' => unit_of(bytes).map(|_| UNIT_ESCAPE),
        _ => None,
    }
}

/// The length of an escape such as `\ud83d`.
pub(super) const UNIT_ESCAPE: usize = 6;

/// The unit that an escape such as `\ud83d` at the beginning of the bytes stands for.
pub(super) fn unit_of(bytes: &[u8]) -> Option<u16> {
    let digits = bytes.get(..UNIT_ESCAPE)?.strip_prefix(br"\u")?;
    let digit = |unit: u32, byte: &u8| Some(unit << 4 | char::from(*byte).to_digit(16)?);
    let unit = digits.iter().try_fold(0, digit)?;
    u16::try_from(unit).ok()
}

/// Moves a text from a place to one that is no later, makes characters of its escapes, and answers where it ends then.
/// Half of a surrogate pair becomes U+FFFD. The escapes are whole.
pub(super) fn unescape(text: &mut [u8], mut from: usize, mut to: usize) -> usize {
    while let Some(&byte) = text.get(from) {
        let (read, wrote) = match byte {
            b'\\' if text[from + 1] == b'u' => {
                let units = [from, from + UNIT_ESCAPE].map(|at| text.get(at..).and_then(unit_of));
                let mut characters = char::decode_utf16(units.into_iter().map_while(|it| it));
                let character = characters.next().and_then(Result::ok);
                let character = character.unwrap_or(char::REPLACEMENT_CHARACTER);
                let wrote = character.encode_utf8(&mut text[to..]).len();
                (UNIT_ESCAPE * character.len_utf16(), wrote)
            }
            b'\\' => {
                text[to] = match text[from + 1] {
                    b'b' => 0x08,
                    b'f' => 0x0c,
                    b'n' => b'\n',
                    b'r' => b'\r',
                    b't' => b'\t',
                    other => other,
                };
                (2, 1)
            }
            _ => match text[from..].first_chunk::<PIECE>().copied() {
                // The piece is copied whole. Its bytes from the first mark on are written over by the next step, and none of them
                // reaches what is yet to be read.
                Some(piece) if from - to >= PIECE => {
                    text[to..to + PIECE].copy_from_slice(&piece);
                    let plain = (marks_of_piece(&piece) | 1 << PIECE).trailing_zeros() as usize;
                    (plain, plain)
                }
                _ => {
                    text[to] = byte;
                    (1, 1)
                }
            },
        };
        from += read;
        to += wrote;
    }
    to
}
