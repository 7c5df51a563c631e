//! The places of values in the text of a JSON value, so that some can be changed and the others stay as they are written.

use std::ops::Range;

use super::reading::parse;
use super::strings::end_of_string;
use super::value::Json;

/// A step on the way to a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Key {
    /// The field of an object. Of several with one name the last counts.
    Name(&'static str),
    /// The element of an array.
    Index(usize),
}

impl From<&'static str> for Key {
    fn from(name: &'static str) -> Self {
        Self::Name(name)
    }
}

impl From<usize> for Key {
    fn from(index: usize) -> Self {
        Self::Index(index)
    }
}

impl Json<'_> {
    /// The value to which the keys lead.
    pub fn at(&self, keys: &[Key]) -> Option<&Self> {
        keys.iter().try_fold(self, |value, key| match key {
            Key::Name(name) => value.get(name),
            Key::Index(at) => value.items().get(*at),
        })
    }
}

/// The bytes of the value to which the keys lead from the outermost one, in a text that is known to be JSON; before the
/// value anything may stand that begins none, such as a byte-order mark. Linear in the text, however deep it is nested.
pub fn value_at(text: &[u8], keys: &[Key]) -> Option<Range<usize>> {
    let start = text.iter().position(|byte| begins_value(*byte))?;
    let Some((first, keys)) = keys.split_first() else {
        return Some(start..end_of_value(text, start));
    };
    let within = |start, key: &Key| match key {
        Key::Name(name) => member_at(text, start, name),
        Key::Index(at) => elements_at(text, start).into_iter().nth(*at),
    };
    keys.iter()
        .try_fold(within(start, first)?, |range, key| within(range.start, key))
}

/// The elements of the array that begins at `start`; none of anything else.
pub fn elements_at(text: &[u8], start: usize) -> Vec<Range<usize>> {
    match text.get(start) {
        Some(b'[') => values_from(text, start + 1),
        _ => Vec::new(),
    }
}

/// The value of a field of the object that begins at `start`.
fn member_at(text: &[u8], start: usize, name: &str) -> Option<Range<usize>> {
    if text.get(start) != Some(&b'{') {
        return None;
    }
    let values = values_from(text, start + 1);
    let (members, _) = values.as_chunks();
    let is_it = |[key, _]: &&[Range<usize>; 2]| is_named(&text[key.clone()], name);
    members.iter().rfind(is_it).map(|[_, value]| value.clone())
}

/// The values from a place within an array on, or within an object, where the keys are among them.
fn values_from(text: &[u8], mut at: usize) -> Vec<Range<usize>> {
    let mut values = Vec::new();
    loop {
        at = after_space(text, at);
        if matches!(text.get(at), None | Some(b']' | b'}')) {
            return values;
        }
        let end = end_of_value(text, at);
        values.push(at..end);
        at = after_space(text, end);
        if !matches!(text.get(at), Some(b',' | b':')) {
            return values;
        }
        at += 1;
    }
}

/// Whether a key, with its quotes, is that name.
fn is_named(key: &[u8], name: &str) -> bool {
    if key.contains(&b'\\') {
        let mut room = Vec::new();
        return parse(key, &mut room).is_ok_and(|key| key.as_text() == Some(name));
    }
    let inside = key
        .strip_prefix(b"\"")
        .and_then(|it| it.strip_suffix(b"\""));
    inside == Some(name.as_bytes())
}

fn begins_value(byte: u8) -> bool {
    matches!(
        byte,
        b'{' | b'[' | b'"' | b'-' | b'0'..=b'9' | b't' | b'f' | b'n'
    )
}

fn after_space(text: &[u8], at: usize) -> usize {
    let space = |byte: &&u8| matches!(byte, b' ' | b'\n' | b'\r' | b'\t');
    let rest = text.get(at..).unwrap_or_default();
    at + rest.iter().take_while(space).count()
}

/// The end of the value that begins at `start`.
fn end_of_value(text: &[u8], start: usize) -> usize {
    let mut depth = 0_usize;
    let mut at = start;
    while at < text.len() {
        match text[at] {
            b'"' => at = end_of_string(text, at + 1).map_or(text.len(), |(end, _)| end + 1),
            b'{' | b'[' => {
                depth += 1;
                at += 1;
            }
            b'}' | b']' => {
                depth = depth.saturating_sub(1);
                at += 1;
            }
            // Between the values of another one only their beginnings and ends are of interest.
            _ if depth > 0 => at += 1,
            _ => {
                let of_scalar = |byte: &&u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
                at += text[at..].iter().take_while(of_scalar).count().max(1);
            }
        }
        if depth == 0 {
            break;
        }
    }
    at.min(text.len())
}

/// The bytes at which UTF-16 units of a string begin that is written as JSON, with its quotes. The units ascend; what
/// lies in the middle of a character counts as its beginning, and what lies after the end as the end.
pub(super) fn places_of_units(json: &[u8], units: impl Iterator<Item = usize>) -> Vec<usize> {
    let end = json.len().saturating_sub(1).max(1);
    let (mut at, mut unit) = (1, 0);
    let place = |wanted: usize| {
        while at < end {
            let (bytes, of_units) = character(&json[at..end]);
            if unit + of_units > wanted {
                break;
            }
            at += bytes;
            unit += of_units;
        }
        at.min(end)
    };
    units.map(place).collect()
}

/// The bytes and the units of a string's next character, or of its next half of a surrogate pair.
fn character(json: &[u8]) -> (usize, usize) {
    match json {
        [b'\\', b'u', ..] => (6, 1),
        [b'\\', ..] => (2, 1),
        [0xf0..=0xff, ..] => (4, 2),
        [0xe0..=0xef, ..] => (3, 1),
        [0xc0..=0xdf, ..] => (2, 1),
        _ => (1, 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_found_by_their_keys() {
        let text = r#" {"a" : 1, "x":{"\u0061":[10 , "]\"" , {"b":[]}], "a b":null},"a":-1.5e3 }"#;
        let table: &[(&[Key], Option<&str>)] = &[
            (&[], Some(text.trim())),
            // Of two keys the last counts.
            (&[Key::Name("a")], Some("-1.5e3")),
            (&[Key::Name("x"), Key::Name("a b")], Some("null")),
            (&[Key::Name("x"), Key::Name("a"), Key::Index(0)], Some("10")),
            (
                &[Key::Name("x"), Key::Name("a"), Key::Index(1)],
                Some(r#""]\"""#),
            ),
            (
                &[
                    Key::Name("x"),
                    Key::Name("a"),
                    Key::Index(2),
                    Key::Name("b"),
                ],
                Some("[]"),
            ),
            (&[Key::Name("x"), Key::Name("a"), Key::Index(3)], None),
            (&[Key::Name("a"), Key::Name("b")], None),
            (&[Key::Index(0)], None),
        ];
        for (keys, expected) in table {
            let found = value_at(text.as_bytes(), keys).map(|range| &text[range]);
            assert_eq!(found, *expected, "{keys:?}");
        }
        assert_eq!(
            value_at("\u{feff} [1]".as_bytes(), &[Key::Index(0)]),
            Some(5..6)
        );
    }

    #[test]
    fn broken_texts_do_not_trap() {
        for text in [
            "", "{", "[", "[1,", "{\"a", "{\"a\":", "\"\\", "]", "[[[", "{\"a\" 1}",
        ] {
            for keys in [&[][..], &["a".into()], &[0.into()], &[0.into(), 0.into()]] {
                let _ = value_at(text.as_bytes(), keys);
            }
        }
    }

    #[test]
    fn units_are_counted_as_they_are_written() {
        let json = r#""aé\u00e9😀\ud83d\ude00\n\ud83d.""#.as_bytes();
        let units = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 99];
        let places = places_of_units(json, units.into_iter());
        assert_eq!(places, [1, 2, 4, 10, 10, 14, 20, 26, 28, 34, 35, 35]);
    }
}
