//! The build of a file.

use turnkeeper_messages::{is_blank, is_white};

use crate::sessions::cut::markdown::is_markdown_export;
use crate::sessions::input_error::{InputError, InputFailure};

/// The build of a file: values a line, an array, an object, or an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Container {
    Lines,
    Array,
    Object,
    Markdown,
}

/// The beginning of a database, in which opencode and goose keep their sessions by now.
const SQLITE: &[u8] = b"SQLite format 3\0";

/// The properties of an object that hold a session.
pub(crate) const HOLDERS: &[&str] = &[
    "messages", "trajectory", "history", "events", "items", "input", "conversation", "requests",
    "steps", "log_entries", "simulations",
];

/// The build of a file that begins with these bytes, of which a few hundred kilobytes are enough.
///
/// # Errors
/// If it is no text, and neither JSON nor an export.
pub(crate) fn container_of(file: &str, beginning: &[u8]) -> Result<Container, InputError> {
    if beginning.starts_with(&[0xff, 0xfe]) || beginning.starts_with(&[0xfe, 0xff]) {
        let reason = "is UTF-16 text; save it as UTF-8";
        return Err(InputError::new(file, InputFailure::Broken, reason));
    }
    if beginning.starts_with(SQLITE) {
        let reason = "is an SQLite database, which only the audit of an agent's own folder reads";
        return Err(InputError::new(file, InputFailure::Unknown, reason));
    }
    let first = first_value(beginning);
    match first.first() {
        Some(b'[') => return Ok(Container::Array),
        Some(b'{') => {
            return Ok(match is_one_object(first) {
                true => Container::Object,
                false => Container::Lines,
            });
        }
        _ => {}
    }
    let text = String::from_utf8_lossy(beginning);
    let first = text.trim_start_matches(|it| is_white(it) || it == '\0');
    if beginning.contains(&0) {
        let error = InputError::new(file, InputFailure::Unknown, "is a binary file");
        return Err(InputError {
            line: Some(1),
            ..error
        });
    }
    if is_markdown_export(&text) {
        return Ok(Container::Markdown);
    }
    if first.is_empty() {
        return Err(InputError::new(file, InputFailure::Empty, "has no events"));
    }
    let is_markup = first.starts_with('<');
    let what = ["it is no JSON", "it is no JSON but markup"][usize::from(is_markup)];
    Err(InputError::no_format(file, what))
}

/// Whether the build of a file shows already, so that nothing that follows changes what [`container_of`] and
/// [`begins_with_record`] say.
pub(crate) fn shows_container(beginning: &[u8]) -> bool {
    let first = first_value(beginning);
    beginning.len() >= RECORD_LOOKED_AT
        && match first.first() {
            Some(b'[') => true,
            Some(b'{') => is_on_several_lines(first) || has_more(outline(first).rest),
            _ => false,
        }
}

/// Whether something follows an object that is no white space, whose last sign may be cut.
fn has_more(rest: Option<&[u8]>) -> bool {
    rest.is_some_and(|rest| without_white(rest).len() >= LONGEST_SIGN)
}

/// The most bytes of a sign.
const LONGEST_SIGN: usize = 4;

/// Whether nothing follows an object, as far as the text goes.
fn is_nothing(rest: Option<&[u8]>) -> bool {
    rest.is_none_or(|rest| without_white(rest).is_empty())
}

/// The bytes from the first sign of a text on; a disk that was full leaves a run of NULs before the next record.
fn first_value(beginning: &[u8]) -> &[u8] {
    let mut rest = beginning;
    loop {
        let after = without_white(rest);
        match after.first() {
            Some(0) => rest = &after[1..],
            _ => return after,
        }
    }
}

/// Bytes without the white space that they begin with.
fn without_white(bytes: &[u8]) -> &[u8] {
    let mut rest = bytes;
    while let Some(first) = rest.first() {
        // Few begin with what is not ASCII.
        let length = match first.is_ascii() {
            true => 1,
            false => 2 + usize::from(*first >= 0xe0) + usize::from(*first >= 0xf0),
        };
        let sign = rest.get(..length).and_then(|it| str::from_utf8(it).ok());
        match sign.is_some_and(is_blank) {
            true => rest = &rest[length..],
            false => break,
        }
    }
    rest
}

/// The bytes in which the beginning of a record shows.
const RECORD_LOOKED_AT: usize = 4_096;

/// Whether a text that begins like JSON goes on as records do: with an object and a name in quotes, or not at all yet.
pub(crate) fn begins_with_record(beginning: &[u8]) -> bool {
    let first = first_value(&beginning[..beginning.len().min(RECORD_LOOKED_AT)]);
    let first = first.strip_prefix(b"[").map_or(first, without_white);
    let name = first.strip_prefix(b"{").map(without_white);
    matches!(first, [] | [b']', ..]) || matches!(name, Some([] | [b'"' | b'}', ..]))
}

/// Whether a file is one object with a session inside, and not an object a line.
fn is_one_object(text: &[u8]) -> bool {
    if is_on_several_lines(text) {
        return true;
    }
    let Outline {
        arrays,
        rest,
        first_key,
    } = outline(text);
    // A run of an evaluation is a line with its instance, even if there is only one.
    is_nothing(rest)
        && first_key != Some(b"instance_id")
        && arrays
            .iter()
            .any(|key| HOLDERS.iter().any(|it| it.as_bytes() == *key))
}

/// Whether a line ends between the bracket and the first key of an object.
fn is_on_several_lines(text: &[u8]) -> bool {
    let after = &text[1..];
    let white = &after[..after.len() - without_white(after).len()];
    white.contains(&b'\n')
}

/// The outermost level of an object.
#[derive(Default)]
struct Outline<'a> {
    first_key: Option<&'a [u8]>,
    /// The keys of the object whose values are arrays.
    arrays: Vec<&'a [u8]>,
    /// The bytes that follow the object; none if the text ends inside it.
    rest: Option<&'a [u8]>,
}

/// The outermost level of the object that a text begins with; the text may end anywhere.
fn outline(bytes: &[u8]) -> Outline<'_> {
    let mut found = Outline::default();
    let (mut at, mut depth) = (0, 0_usize);
    let (mut string, mut key): (&[u8], &[u8]) = (b"", b"");
    while at < bytes.len() {
        let byte = bytes[at];
        at += 1;
        match byte {
            b'"' => {
                let end = end_of_string(bytes, at);
                string = bytes.get(at..end).unwrap_or_default();
                at = (end + 1).min(bytes.len());
            }
            b'}' | b']' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    found.rest = Some(&bytes[at..]);
                    return found;
                }
            }
            b'{' | b'[' => {
                if depth == 1 && byte == b'[' {
                    found.arrays.push(key);
                }
                depth += 1;
            }
            b':' if depth == 1 => {
                key = string;
                found.first_key.get_or_insert(key);
            }
            _ => {}
        }
    }
    found
}

/// The place of the quote that ends the string whose text begins at `at`, or the end of the text.
fn end_of_string(bytes: &[u8], mut at: usize) -> usize {
    while let Some(found) = memchr::memchr2(b'"', b'\\', bytes.get(at..).unwrap_or_default()) {
        at += found;
        if bytes[at] == b'"' {
            return at;
        }
        at += 2;
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_beginning_tells_how_a_file_is_built() {
        use Container::{Array, Lines, Markdown, Object};
        for (beginning, expected) in [
            ("\u{feff} [1]", Array),
            ("{\n\"a\":1}", Object),
            (r#"{"messages":[{"role":"us"#, Object),
            (r#"{"messages":[]}"#, Object),
            ("{\"messages\":[]}\n{\"messages\":[]}", Lines),
            (r#"{"instance_id":"a","history":[]}"#, Lines),
            (r#"{"a":{"messages":[]}}"#, Lines),
            (r#"{"a\"messages":[]}"#, Lines),
            ("\0\0\0{\"type\":1}", Lines),
            ("**User:**\n\nGo on.", Markdown),
        ] {
            let found = container_of("a", beginning.as_bytes());
            assert_eq!(found, Ok(expected), "{beginning}");
        }
    }

    #[test]
    fn what_is_no_session_is_told_apart() {
        use InputFailure::{Broken, Empty, Unknown};
        for (beginning, expected) in [
            (&b""[..], Empty),
            (b" \n", Empty),
            (b"<html>", Unknown),
            (b"Hello", Unknown),
            (b"\x7fELF\0", Unknown),
            (b"\0\0", Unknown),
            (SQLITE, Unknown),
            (b"\xff\xfea\0", Broken),
        ] {
            let kind = container_of("a", beginning).map_err(|it| it.kind);
            assert_eq!(kind, Err(expected), "{beginning:?}");
        }
    }

    #[test]
    fn records_begin_with_a_name_in_quotes() {
        for (beginning, expected) in [
            ("", true),
            ("{", true),
            ("[ {\"a", true),
            ("[]", true),
            ("{}", true),
            ("{ // settings", false),
            ("[Unit]", false),
            ("[1", false),
        ] {
            assert_eq!(
                begins_with_record(beginning.as_bytes()),
                expected,
                "{beginning}"
            );
        }
    }
}
