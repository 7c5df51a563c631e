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
        let count = digits.iter().take_while(|it| it.is_ascii_digit()).count();
        let is_whole = !matches!(digits.get(count), Some(b'.' | b'e' | b'E'));
        let is_shortest = count == 1 || digits.first() != Some(&b'0');
        if is_whole && is_shortest && (1..=EXACT_DIGITS).contains(&count) {
            let with = |number: u64, digit: &u8| 10 * number + u64::from(digit - b'0');
            let number = digits[..count].iter().fold(0, with) as f64;
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

/// The place of the quote that ends a string, of which no more than the first quote comes before `at`, and that of the
/// first escape.
#[inline]
fn end_of_string(text: &[u8], mut at: usize) -> Option<(usize, Option<usize>)> {
    let mut first_escape = None;
    while let Some(piece) = text.get(at..)?.first_chunk() {
        let mut marks = marks_of_piece(piece);
        let mut passed = PIECE;
        while marks != 0 {
            let mark = marks.trailing_zeros() as usize;
            match piece[mark] {
                b'"' => return Some((at + mark, first_escape)),
                b'\\' => first_escape = first_escape.or(Some(at + mark)),
                _ => return None,
            }
            let end = mark + length_of_escape(&text[at + mark..])?;
            passed = passed.max(end);
            marks &= u32::MAX.checked_shl(end as u32).unwrap_or_default();
        }
        at += passed;
    }
    loop {
        match *text.get(at)? {
            b'"' => return Some((at, first_escape)),
            b'\\' => {
                first_escape = first_escape.or(Some(at));
                at += length_of_escape(&text[at..])?;
            }
            ..0x20 => return None,
            _ => at += 1,
        }
    }
}

/// Bytes that are looked at together.
const PIECE: usize = 16;

/// A bit for each byte that a string does not have as it is.
#[inline(always)]
fn marks_of_piece(piece: &[u8; PIECE]) -> u32 {
    let bytes = u8x16::new(*piece);
    let controls = bytes.min(u8x16::splat(0x1f)).cmp_eq(bytes);
    let marks = controls | bytes.cmp_eq(u8x16::splat(b'"')) | bytes.cmp_eq(u8x16::splat(b'\\'));
    bytemuck::cast::<_, i8x16>(marks).move_mask() as u32
}

/// Most objects have no more fields.
const USUAL_FIELDS: usize = 8;

/// A number of at most 19 digits is exact in 64 bits.
const EXACT_DIGITS: usize = 19;

/// The length of the escape that begins the bytes.
#[inline]
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
