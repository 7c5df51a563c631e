//! Reads JSON many bytes at a time.

use std::borrow::Cow;

use wide::{i8x16, u8x16};

use super::reading::{MAX_DEPTH, Unread, read_number};
use super::value::Json;

/// The value that a text is, without the fields that nobody reads; `None` if it is no JSON. What JavaScript alone reads
/// is read, as [`parse`](super::parse) says.
pub(super) fn read_value<'a>(text: impl Source<'a>, unread: &'static Unread) -> Option<Json<'a>> {
    let mut reader = Reader { text, at: 0 };
    let value = reader.value::<true>(MAX_DEPTH, unread)?;
    reader.peek().is_none().then_some(value)
}

/// Whether a text goes on within a string of an object, then has more fields of it, none of them of these names, and then
/// ends it and the object around it.
pub(super) fn ends_two_objects(text: &str, but: &[&str]) -> bool {
    let mut reader = Reader { text, at: 0 };
    let ended = reader.string::<false>().and_then(|_| {
        reader.more_fields(but)?;
        reader.next().filter(|byte| *byte == b'}')
    });
    ended.is_some() && reader.peek().is_none()
}

/// A text that is read.
pub(super) trait Source<'a> {
    /// What is left of it.
    fn bytes(&self) -> &[u8];

    /// The string between two places, and where the byte after its last quote is then. Its first escape may be at a
    /// third.
    fn string(
        &mut self,
        start: usize,
        end: usize,
        escape: Option<usize>,
    ) -> Option<(Cow<'a, str>, usize)>;
}

/// A text that stays as it is.
impl<'a> Source<'a> for &'a str {
    fn bytes(&self) -> &[u8] {
        self.as_bytes()
    }

    fn string(
        &mut self,
        start: usize,
        end: usize,
        escape: Option<usize>,
    ) -> Option<(Cow<'a, str>, usize)> {
        let string = &self[start..end];
        let text = match escape {
            None => string.into(),
            Some(_) => {
                // With room before it that whole pieces are moved into.
                let mut bytes = Vec::with_capacity(PIECE + string.len());
                bytes.extend([0; PIECE]);
                bytes.extend_from_slice(string.as_bytes());
                let length = unescape(&mut bytes, PIECE, 0);
                bytes.truncate(length);
                String::from_utf8(bytes).ok()?.into()
            }
        };
        Some((text, end + 1))
    }
}

/// A text of UTF-8, of no use afterwards: its escapes become characters in their place.
impl<'a> Source<'a> for &'a mut [u8] {
    fn bytes(&self) -> &[u8] {
        self
    }

    fn string(
        &mut self,
        start: usize,
        end: usize,
        escape: Option<usize>,
    ) -> Option<(Cow<'a, str>, usize)> {
        let (read, rest) = std::mem::take(self).split_at_mut(end);
        *self = rest;
        let end = escape.map_or(end, |escape| unescape(read, escape, escape));
        Some((str::from_utf8(&read[start..end]).ok()?.into(), 1))
    }
}

/// A text, and the place up to which it is read.
struct Reader<T> {
    text: T,
    at: usize,
}

impl<'a, T: Source<'a>> Reader<T> {
    /// The next byte that is no space.
    #[inline]
    fn peek(&mut self) -> Option<u8> {
        loop {
            let byte = *self.text.bytes().get(self.at)?;
            if !matches!(byte, b' ' | b'\n' | b'\r' | b'\t') {
                return Some(byte);
            }
            self.at += 1;
        }
    }

    /// The same, which is passed.
    #[inline]
    fn next(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.at += 1;
        Some(byte)
    }

    /// The next value, within which `left` levels may be. Of one that is not kept, only what it is made of is looked at.
    fn value<const KEEPS: bool>(
        &mut self,
        left: usize,
        unread: &'static Unread,
    ) -> Option<Json<'a>> {
        match self.next()? {
            b'"' => self.string::<KEEPS>().map(Json::from),
            b'{' => self.object::<KEEPS>(left.checked_sub(1)?, unread),
            b'[' => self.list::<KEEPS>(left.checked_sub(1)?, unread),
            b'-' | b'0'..=b'9' => self.number(),
            b't' => self.word("rue", Json::Bool(true)),
            b'f' => self.word("alse", Json::Bool(false)),
            b'n' => self.word("ull", Json::Null),
            _ => None,
        }
    }

    fn object<const KEEPS: bool>(
        &mut self,
        left: usize,
        unread: &'static Unread,
    ) -> Option<Json<'a>> {
        let mut fields = Vec::with_capacity(if KEEPS { USUAL_FIELDS } else { 0 });
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Some(Json::Object(Vec::new()));
        }
        loop {
            if self.next()? != b'"' {
                return None;
            }
            let name = self.string::<KEEPS>()?;
            if self.next()? != b':' {
                return None;
            }
            if KEEPS && !unread.fields.contains(&&*name) {
                let value = self.value::<true>(left, unread.within(&name))?;
                fields.push((name, value));
            } else {
                self.value::<false>(left, Unread::NONE)?;
            }
            match self.next()? {
                b',' => {}
                b'}' => return Some(Json::Object(fields)),
                _ => return None,
            }
        }
    }

    /// Passes over the fields of an object within another up to its end.
    fn more_fields(&mut self, but: &[&str]) -> Option<()> {
        loop {
            match self.next()? {
                b',' => {}
                b'}' => return Some(()),
                _ => return None,
            }
            if self.next()? != b'"' {
                return None;
            }
            let (end, escape) = end_of_string(self.text.bytes(), self.at)?;
            let name = &self.text.bytes()[self.at..end];
            if escape.is_some() || but.iter().any(|it| it.as_bytes() == name) {
                return None;
            }
            self.at = end + 1;
            if self.next()? != b':' {
                return None;
            }
            self.value::<false>(MAX_DEPTH - 2, Unread::NONE)?;
        }
    }

    fn list<const KEEPS: bool>(
        &mut self,
        left: usize,
        unread: &'static Unread,
    ) -> Option<Json<'a>> {
        let mut items = Vec::new();
        if self.peek() == Some(b']') {
            self.at += 1;
            return Some(Json::List(items));
        }
        loop {
            let item = self.value::<KEEPS>(left, unread)?;
            if KEEPS {
                items.push(item);
            }
            match self.next()? {
                b',' => {}
                b']' => return Some(Json::List(items)),
                _ => return None,
            }
        }
    }

    fn word(&mut self, rest: &str, value: Json<'a>) -> Option<Json<'a>> {
        let is_it = self.text.bytes()[self.at..].starts_with(rest.as_bytes());
        self.at += rest.len();
        is_it.then_some(value)
    }

    /// The number whose first byte has been passed.
    fn number(&mut self) -> Option<Json<'a>> {
        let text = &self.text.bytes()[self.at - 1..];
        let is_below = text[0] == b'-';
        let digits = &text[usize::from(is_below)..];
        let (mut count, mut number) = (0, 0_u64);
        while let Some(digit @ b'0'..=b'9') = digits.get(count) {
            number = number
                .wrapping_mul(10)
                .wrapping_add(u64::from(digit - b'0'));
            count += 1;
        }
        let is_whole = !matches!(digits.get(count), Some(b'.' | b'e' | b'E'));
        let is_shortest = count == 1 || digits.first() != Some(&b'0');
        if is_whole && is_shortest && (1..=EXACT_DIGITS).contains(&count) {
            let number = number as f64;
            self.at += count - usize::from(!is_below);
            return Some(Json::Number(if is_below { -number } else { number }));
        }
        let is_of_number =
            |byte: &&u8| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E');
        let length = text.iter().take_while(is_of_number).count();
        let number = str::from_utf8(&text[..length]).ok()?;
        self.at += length - 1;
        read_number(number)
    }

    /// The string whose first quote has been passed.
    fn string<const KEEPS: bool>(&mut self) -> Option<Cow<'a, str>> {
        let (end, escape) = end_of_string(self.text.bytes(), self.at)?;
        let (text, after) = match KEEPS {
            true => self.text.string(self.at, end, escape)?,
            false => ("".into(), end + 1),
        };
        self.at = after;
        Some(text)
    }
}

/// The place of the quote that ends a string which begins at a place, and that of its first escape.
#[inline]
fn end_of_string(text: &[u8], mut at: usize) -> Option<(usize, Option<usize>)> {
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
        let mut marks = bits_of(&block, marks_in);
        let backslashes = bits_of(&block, |bytes| bytes.cmp_eq(u8x16::splat(b'\\')));
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
const PIECE: usize = 16;

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
fn bits_of(block: &[u8; BLOCK], is: impl Fn(u8x16) -> u8x16) -> u64 {
    let (pieces, _) = block.as_chunks();
    pieces.iter().rev().fold(0, |bits, piece| {
        bits << PIECE | u64::from(mask_of(is(u8x16::new(*piece))))
    })
}

/// A bit for each byte that a string does not have as it is.
#[inline(always)]
fn marks_of_piece(piece: &[u8; PIECE]) -> u32 {
    mask_of(marks_in(u8x16::new(*piece)))
}

#[inline(always)]
fn marks_in(bytes: u8x16) -> u8x16 {
    let controls = bytes.min(u8x16::splat(0x1f)).cmp_eq(bytes);
    controls | bytes.cmp_eq(u8x16::splat(b'"')) | bytes.cmp_eq(u8x16::splat(b'\\'))
}

/// What most backslashes stand before.
#[inline(always)]
fn usual_escapes(bytes: u8x16) -> u8x16 {
    let is = |byte| bytes.cmp_eq(u8x16::splat(byte));
    is(b'n') | is(b'"') | is(b'\\') | is(b't')
}

#[inline(always)]
fn mask_of(bytes: u8x16) -> u32 {
    bytemuck::cast::<_, i8x16>(bytes).move_mask() as u32
}

/// Most objects have no more fields.
const USUAL_FIELDS: usize = 8;

/// A number of at most 19 digits is exact in 64 bits.
const EXACT_DIGITS: usize = 19;

/// The length of the escape that begins the bytes.
fn length_of_escape(bytes: &[u8]) -> Option<usize> {
    match bytes.get(1)? {
        b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => Some(2),
        b'u' => unit_of(bytes).map(|_| UNIT_ESCAPE),
        _ => None,
    }
}

/// The length of an escape such as `\ud83d`.
const UNIT_ESCAPE: usize = 6;

/// The unit that an escape such as `\ud83d` at the beginning of the bytes stands for.
fn unit_of(bytes: &[u8]) -> Option<u16> {
    let digits = bytes.get(..UNIT_ESCAPE)?.strip_prefix(br"\u")?;
    let digit = |unit: u32, byte: &u8| Some(unit << 4 | char::from(*byte).to_digit(16)?);
    let unit = digits.iter().try_fold(0, digit)?;
    u16::try_from(unit).ok()
}

/// Moves a text from a place to one that is no later, makes characters of its escapes, and answers where it ends then.
/// Half of a surrogate pair becomes U+FFFD. The escapes are whole.
fn unescape(text: &mut [u8], mut from: usize, mut to: usize) -> usize {
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
