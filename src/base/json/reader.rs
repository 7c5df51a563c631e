//! Reads JSON many bytes at a time.

use std::borrow::Cow;

use super::reading::{MAX_DEPTH, Place, Unread, read_number};
use super::strings::{PIECE, end_of_string, unescape};
use super::value::Json;

/// The value that a text is, without the fields that nobody reads; `None` if it is no JSON. What JavaScript alone reads
/// is read, as [`parse`](super::parse) says.
pub(super) fn read_value<'a>(text: impl Source<'a>, unread: &'static Unread) -> Option<Json<'a>> {
    let mut reader = Reader { text, at: 0 };
    let value = reader.value::<true>(MAX_DEPTH, unread)?;
    reader.peek().is_none().then_some(value)
}

/// Whether a text goes on at a place in the innermost of some objects, has more fields of each but the outermost, none of
/// them of these names, and ends them all.
pub(super) fn ends_objects(text: &str, place: Place, objects: usize, but: &[&str]) -> bool {
    let mut reader = Reader { text, at: 0 };
    (place == Place::AfterValue || reader.string::<false>().is_some())
        && (2..=objects)
            .rev()
            .all(|depth| reader.more_fields(depth, but).is_some())
        && reader.next() == Some(b'}')
        && reader.peek().is_none()
}

/// Takes the fields of an object of whole numbers that a text begins with, of which there is no other JSON but with spaces
/// and escapes, and answers with what follows it.
pub(super) fn split_numbers<'a>(
    text: &'a str,
    mut take: impl FnMut(&'a str, f64),
) -> Option<&'a str> {
    let mut rest = text.strip_prefix("{")?;
    loop {
        rest = rest.strip_prefix("\"")?;
        let (end, escape) = end_of_string(rest.as_bytes(), 0)?;
        if escape.is_some() {
            return None;
        }
        let name = &rest[..end];
        let digits = rest[end..].strip_prefix("\":")?;
        let (number, count) = whole_number(digits.as_bytes());
        let is_shortest = count == 1 || !digits.starts_with("0");
        if !is_shortest || !(1..=PRINTED_DIGITS).contains(&count) {
            return None;
        }
        take(name, number as f64);
        rest = &digits[count..];
        match rest.as_bytes().first()? {
            b',' => rest = &rest[1..],
            b'}' => return Some(&rest[1..]),
            _ => return None,
        }
    }
}

/// The number that the digits are that bytes begin with, and how many they are.
#[inline]
fn whole_number(bytes: &[u8]) -> (u64, usize) {
    let (mut count, mut number) = (0, 0_u64);
    while let Some(digit @ b'0'..=b'9') = bytes.get(count) {
        number = number
            .wrapping_mul(10)
            .wrapping_add(u64::from(digit - b'0'));
        count += 1;
    }
    (number, count)
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

    /// Passes over more fields of an object at a depth up to its end.
    fn more_fields(&mut self, depth: usize, but: &[&str]) -> Option<()> {
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
            self.value::<false>(MAX_DEPTH - depth, Unread::NONE)?;
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
        let (number, count) = whole_number(digits);
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
        self.at += length - 1;
        read_number(&text[..length])
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

/// Most objects have no more fields.
const USUAL_FIELDS: usize = 8;

/// A number of at most 19 digits is exact in 64 bits.
const EXACT_DIGITS: usize = 19;

/// JavaScript prints a number of at most 15 digits as it is.
const PRINTED_DIGITS: usize = 15;
