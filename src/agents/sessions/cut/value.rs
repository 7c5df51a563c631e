//! The values that bytes are.

use turnkeeper_base::json::{Json, JsonError, Unread, parse_but};
use turnkeeper_messages::{is_blank, trimmed};

use super::salvage::{Salvaged, salvage};
use crate::sessions::container::Container;
use crate::sessions::record::Unreadable;

/// Takes the bytes of a value with the value, which is none if they are blank, or the reason why they are left out.
pub(crate) type TakeValue<'t> = dyn FnMut(&[u8], Result<Option<&Json>, Unreadable>) + 't;

/// The values in the bytes of one, which are several if a line holds several records, and none if it is blank; without
/// the fields that nobody reads.
pub(crate) fn each_value(
    bytes: &[u8],
    container: Container,
    unread: &'static Unread,
    room: &mut Vec<u8>,
    take: &mut TakeValue,
) {
    let is_line = container == Container::Lines;
    match value_of(bytes, is_line, unread, room) {
        Ok(value) => take(bytes, Ok(value.as_ref())),
        Err(problem) if !is_line => take(bytes, Err(problem)),
        Err(problem) => {
            let parts = salvage(bytes);
            if let [] | [Salvaged::Lost(_)] = &parts[..] {
                return take(bytes, Err(problem));
            }
            for part in parts {
                match part {
                    Salvaged::Lost(range) => {
                        let part = &bytes[range];
                        let reason = reason_of_lost(part, &problem);
                        take(part, Err(reason));
                    }
                    Salvaged::Whole(range) => {
                        let part = &bytes[range];
                        let value = value_of(part, is_line, unread, room);
                        take(
                            part,
                            value.as_ref().map(Option::as_ref).map_err(Clone::clone),
                        );
                    }
                }
            }
        }
    }
}

fn reason_of_lost(part: &[u8], problem: &Unreadable) -> Unreadable {
    match is_nul(part) {
        true => Unreadable::new(NULS),
        false => problem.clone(),
    }
}

const NO_EVENT: &str = "is not an event: a JSON object with a type is needed";

const NULS: &str = "has a run of NULs";

fn is_nul(bytes: &[u8]) -> bool {
    bytes.contains(&0) && bytes.iter().all(|it| *it == 0 || it.is_ascii_whitespace())
}

/// The value that bytes are; none if they are blank.
fn value_of<'a>(
    bytes: &'a [u8],
    is_line: bool,
    unread: &'static Unread,
    room: &'a mut Vec<u8>,
) -> Result<Option<Json<'a>>, Unreadable> {
    let text = str::from_utf8(bytes).map_err(|_| Unreadable::new("is not UTF-8 text"))?;
    if is_line && is_blank(text) {
        return Ok(None);
    }
    match parse_but(trimmed(text), unread, room) {
        Ok(value) if is_line && !matches!(value, Json::Object(_)) => Err(Unreadable::new(NO_EVENT)),
        Ok(value) => Ok(Some(value)),
        Err(_) if is_nul(bytes) => Err(Unreadable::new(NULS)),
        Err(error) => Err(reason_of(&error, trimmed(text), is_line)),
    }
}

/// The characters of a broken text that are told.
const SHOWN: usize = 24;

/// The reason why a text is no value, with what is in the wrong place.
fn reason_of(error: &JsonError, text: &str, is_line: bool) -> Unreadable {
    if error.is_too_deep() {
        return match is_line && !text.starts_with('{') {
            true => Unreadable::new(NO_EVENT),
            false => Unreadable::new("is nested too deep"),
        };
    }
    let why = error.reason();
    let place = error.place_in(text.as_bytes());
    let shown = place.map_or_else(String::new, |place| {
        let is_boundary = |at: &usize| text.is_char_boundary(*at);
        let from = (0..=place).rev().find(is_boundary).unwrap_or_default();
        format!(" at `{}`", beginning_of(&text[from..]))
    });
    Unreadable::new(format!("is not JSON ({why}{shown})"))
}

/// The first characters of a text, without any that controls how a text is shown.
fn beginning_of(text: &str) -> String {
    let mut shown = String::new();
    for sign in text.chars().take(SHOWN) {
        match sign {
            '"' | '\'' | '\\' => shown.push(sign),
            _ => shown.extend(sign.escape_debug()),
        }
    }
    if text.chars().nth(SHOWN).is_some() {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reason(bytes: &[u8], container: Container) -> String {
        let mut reasons = Vec::new();
        let room = &mut Vec::new();
        each_value(bytes, container, Unread::NONE, room, &mut |_, value| {
            reasons.extend(value.err().map(|it| it.reason));
        });
        reasons.concat()
    }

    #[test]
    fn what_is_in_the_wrong_place_is_told_in_part_and_without_controls() {
        let deep = "[".repeat(2_000) + &"]".repeat(2_000);
        let (line, element) = (Container::Lines, Container::Array);
        for (text, container, expected) in [
            (
                "{\"a\":user}",
                element,
                "is not JSON (expected value at `user}`)",
            ),
            (
                "\u{1b}[2J\u{202e}\u{2028}x",
                line,
                "is not JSON (expected value at `\\u{1b}[2J\\u{202e}\\u{2028}x`)",
            ),
            (
                "<img src=x onerror=alert(1)>",
                line,
                "is not JSON (expected value at `<img src=x onerror=alert…`)",
            ),
            ("{\"é\":é}", element, "is not JSON (expected value at `é}`)"),
            (
                "{\"a\":\"b",
                line,
                "is not JSON (EOF while parsing a string)",
            ),
            (&deep, line, NO_EVENT),
            (&deep, element, "is nested too deep"),
            (&format!("{{\"a\":{deep}}}"), line, "is nested too deep"),
        ] {
            assert_eq!(reason(text.as_bytes(), container), expected);
        }
    }
}
