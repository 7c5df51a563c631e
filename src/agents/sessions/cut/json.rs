//! Cuts a JSON file into its values, without ever holding more than one of them.

use std::borrow::Cow;

use turnkeeper_base::json::{Json, parse};

use super::piece::{At, Cut, Held, TOO_LONG, Take};
use crate::sessions::input_error::InputError;
use crate::sessions::record::Unreadable;

/// The bytes that may come next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Next {
    #[default]
    Root,
    FirstElement,
    Element,
    FirstKey,
    Key,
    Colon,
    Property,
    Comma,
    /// The file is over.
    End,
}

/// Cuts a JSON file: into the elements of its array, or the properties of its object, of which those that are arrays
/// are cut into their elements. The end of a value is where its brackets and quotes end, whatever is inside: whoever
/// parses it says whether it is one. What is in the wrong place between values is told, and passed over.
#[derive(Debug, Default)]
pub(crate) struct JsonCutter {
    next: Next,
    is_object: bool,
    /// Whether it is inside an array that is a property of the object.
    is_inside: bool,
    key: Option<String>,
    place: u32,
    /// Whether something in the wrong place has been told of since the last value.
    is_told: bool,
    /// Whether its own value stands on several lines, and whether a line has ended after it.
    has_lines: bool,
    has_line_after: bool,
    value: Value,
}

/// A value or a key that has begun.
#[derive(Debug, Default)]
struct Value {
    has_begun: bool,
    held: Held,
    depth: usize,
    in_string: bool,
    is_escaped: bool,
    is_scalar: bool,
}

impl JsonCutter {
    pub(super) fn push(&mut self, chunk: &[u8], take: &mut Take) -> Result<(), InputError> {
        // The beginning of what has not been given out.
        let mut from = 0;
        loop {
            if !self.value.has_begun {
                let begin = self.begin(chunk, from, take)?;
                if begin > from {
                    take(Cut::Between(&chunk[from..begin]))?;
                }
                if begin == chunk.len() {
                    return Ok(());
                }
                from = begin;
            }
            let end = self.value.skip(chunk, from);
            let bytes = &chunk[from..end.unwrap_or(chunk.len())];
            match end {
                Some(end) => {
                    self.is_told = false;
                    self.ended(bytes, take)?;
                    from = end;
                }
                None => return self.value.held.hold(bytes, take),
            }
        }
    }

    pub(super) fn end(&mut self, take: &mut Take) -> Result<(), InputError> {
        if self.next == Next::End {
            return Ok(());
        }
        let reason = match self.next {
            Next::Root => "is empty".into(),
            _ => format!("breaks off {}", self.place_in_words()).into(),
        };
        take(Cut::Bad(
            &self.value.held.bytes,
            Unreadable { place: 0, reason },
        ))
    }

    fn is_in_array(&self) -> bool {
        self.is_inside || !self.is_object
    }

    /// Gives out a value or a key that ends with these bytes.
    fn ended(&mut self, last: &[u8], take: &mut Take) -> Result<(), InputError> {
        let Held { mut bytes, is_lost } = std::mem::take(&mut self.value).held;
        let is_key = self.next == Next::Key;
        self.next = if is_key { Next::Colon } else { Next::Comma };
        if is_lost {
            let place = if is_key { 0 } else { self.place };
            let reason = TOO_LONG.into();
            return take(Cut::Bad(last, Unreadable { place, reason }));
        }
        let is_whole = bytes.is_empty();
        if !is_whole {
            bytes.extend_from_slice(last);
        }
        let whole = if is_whole { last } else { &bytes };
        if is_key {
            self.key = Some(key_of(whole));
            self.place = 0;
            take(Cut::Between(whole))?;
        } else {
            let at = At {
                key: self.key.as_deref(),
                place: self.place,
                is_element: self.is_in_array(),
            };
            take(Cut::Value(whole, at))?;
        }
        bytes.clear();
        self.value.held.bytes = bytes;
        Ok(())
    }

    /// The place where the next value or key begins, or the end of the chunk.
    fn begin(&mut self, chunk: &[u8], from: usize, take: &mut Take) -> Result<usize, InputError> {
        for (at, byte) in chunk.iter().enumerate().skip(from) {
            if matches!(byte, b' ' | b'\n' | b'\r' | b'\t') {
                match self.next {
                    _ if *byte != b'\n' => {}
                    Next::Root => {}
                    Next::End => self.has_line_after = true,
                    _ => self.has_lines = true,
                }
                continue;
            }
            let is_over = self.next == Next::End;
            let opens = [b'[', b'{'][usize::from(self.is_object)];
            if is_over && self.has_line_after && !self.has_lines && *byte == opens && !self.is_told
            {
                take(Cut::AnotherLine)?;
            }
            let step = self.step(*byte);
            let is_wrong = matches!(step, Step::Wrong | Step::BeginsUnparted);
            if is_wrong && !self.is_told {
                self.is_told = true;
                let reason = match is_over {
                    true => "has trailing content".into(),
                    false => self.wrong(*byte),
                };
                take(Cut::Bad(b"", Unreadable { place: 0, reason }))?;
            }
            if step == Step::BeginsUnparted {
                self.element();
            }
            if matches!(step, Step::Begins | Step::BeginsUnparted) {
                self.value.start(*byte);
                return Ok(at);
            }
        }
        Ok(chunk.len())
    }

    /// Takes a byte that is between values.
    fn step(&mut self, byte: u8) -> Step {
        let is_in_array = self.is_in_array();
        let closes = byte == if is_in_array { b']' } else { b'}' };
        match (self.next, byte) {
            // A byte-order mark.
            (Next::Root, 0xef | 0xbb | 0xbf) => return Step::Passes,
            (Next::Root, b'{' | b'[') => {
                self.is_object = byte == b'{';
                self.next = [Next::FirstElement, Next::FirstKey][usize::from(self.is_object)];
            }
            (Next::FirstElement | Next::FirstKey | Next::Comma, _) if closes => self.close(),
            // A comma too many, or no value, stands before the end.
            (Next::Element | Next::Key | Next::Property, _) if closes => {
                self.close();
                return Step::Wrong;
            }
            (Next::Comma, b',') => self.next = [Next::Key, Next::Element][usize::from(is_in_array)],
            (Next::FirstElement | Next::Element, _) if begins_value(byte) => return self.element(),
            (Next::Comma, b'{') if is_in_array => return Step::BeginsUnparted,
            (Next::FirstKey | Next::Key, b'"') => {
                self.next = Next::Key;
                return Step::Begins;
            }
            (Next::Colon, b':') => self.next = Next::Property,
            (Next::Property, b'[') => {
                self.is_inside = true;
                self.next = Next::FirstElement;
            }
            (Next::Property, _) if begins_value(byte) => return Step::Begins,
            (Next::Property, b',') => {
                self.next = Next::Key;
                return Step::Wrong;
            }
            _ => return Step::Wrong,
        }
        Step::Passes
    }

    fn element(&mut self) -> Step {
        self.place = self.place.saturating_add(1);
        Step::Begins
    }

    fn close(&mut self) {
        self.next = [Next::End, Next::Comma][usize::from(self.is_inside)];
        self.is_inside = false;
    }

    fn wrong(&self, byte: u8) -> Cow<'static, str> {
        let what = match byte.is_ascii_graphic() {
            true => char::from(byte).to_string(),
            false => "something".to_owned(),
        };
        let place = self.place_in_words();
        format!("is not JSON: {what} is in the wrong place {place}").into()
    }

    fn place_in_words(&self) -> String {
        let key = self.key.as_ref().map(|key| format!("{key:?}"));
        match (self.is_in_array(), key) {
            (true, None) => format!("at element {}", self.place.max(1)),
            (true, Some(key)) => format!("at element {} of {key}", self.place.max(1)),
            (false, Some(key)) => format!("at {key}"),
            (false, None) => "at its beginning".to_owned(),
        }
    }
}

/// The effect of a byte between values.
#[derive(Debug, PartialEq, Eq)]
enum Step {
    Passes,
    Begins,
    /// It begins an element, before which a comma is missing.
    BeginsUnparted,
    Wrong,
}

/// Whether a byte may be the first of a value, or at least is no sign between values.
fn begins_value(byte: u8) -> bool {
    !matches!(byte, b',' | b':' | b']' | b'}' | 0)
}

/// The text of a key; as it is written, if it is no JSON.
fn key_of(bytes: &[u8]) -> String {
    let mut room = Vec::new();
    match parse(bytes, &mut room) {
        Ok(Json::Text(key)) => key.into_owned(),
        _ => String::from_utf8_lossy(bytes).into_owned(),
    }
}

impl Value {
    /// Begins with this byte, at which [`skip`](Self::skip) will look.
    fn start(&mut self, byte: u8) {
        self.has_begun = true;
        self.is_scalar = !matches!(byte, b'{' | b'[' | b'"');
    }

    /// The place after the end of the value, if it ends in this chunk.
    fn skip(&mut self, chunk: &[u8], mut at: usize) -> Option<usize> {
        while at < chunk.len() {
            if self.is_escaped {
                self.is_escaped = false;
                at += 1;
            } else if self.in_string {
                at += memchr::memchr2(b'"', b'\\', &chunk[at..])? + 1;
                self.is_escaped = chunk[at - 1] == b'\\';
                self.in_string = self.is_escaped;
                if !self.in_string && self.depth == 0 {
                    return Some(at);
                }
            } else if self.is_scalar {
                let ends = |byte: &u8| *byte <= b' ' || matches!(byte, b',' | b']' | b'}');
                return chunk[at..].iter().position(ends).map(|end| at + end);
            } else {
                at += chunk[at..]
                    .iter()
                    .position(|it| IS_SIGN[usize::from(*it)])?
                    + 1;
                match chunk[at - 1] {
                    b'"' => self.in_string = true,
                    b'{' | b'[' => self.depth += 1,
                    _ => {
                        self.depth -= 1;
                        if self.depth == 0 {
                            return Some(at);
                        }
                    }
                }
            }
        }
        None
    }
}

/// The signs that matter outside of strings: quotes and brackets.
const IS_SIGN: [bool; 256] = {
    let mut is_sign = [false; 256];
    let signs = b"\"{}[]";
    let mut at = 0;
    while at < signs.len() {
        is_sign[signs[at] as usize] = true;
        at += 1;
    }
    is_sign
};
