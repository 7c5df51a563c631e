//! The values that bytes are.

use turnkeeper_base::json::{Json, parse};
use turnkeeper_messages::{is_blank, trimmed};

use super::salvage::{Salvaged, salvage};
use crate::container::Container;
use crate::record::Unreadable;

/// Takes the bytes of a value with the value, which is none if they are blank, or the reason why they are left out.
pub(crate) type TakeValue<'t> = dyn FnMut(&[u8], Result<Option<&Json>, Unreadable>) + 't;

/// The values in the bytes of one, which are several if a line holds several records, and none if it is blank.
pub(crate) fn each_value(
    bytes: &[u8],
    container: Container,
    room: &mut Vec<u8>,
    take: &mut TakeValue,
) {
    let is_line = container == Container::Lines;
    match value_of(bytes, is_line, room) {
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
                        let value = value_of(part, is_line, room);
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

const NULS: &str = "has a run of NULs";

fn is_nul(bytes: &[u8]) -> bool {
    bytes.contains(&0) && bytes.iter().all(|it| *it == 0 || it.is_ascii_whitespace())
}

/// The value that bytes are; none if they are blank.
fn value_of<'a>(
    bytes: &'a [u8],
    is_line: bool,
    room: &'a mut Vec<u8>,
) -> Result<Option<Json<'a>>, Unreadable> {
    let text = str::from_utf8(bytes).map_err(|_| Unreadable::new("is not UTF-8 text"))?;
    if is_line && is_blank(text) {
        return Ok(None);
    }
    match parse(trimmed(text).as_bytes(), room) {
        Ok(value) if is_line && !matches!(value, Json::Object(_)) => {
            let reason = "is not an event: a JSON object with a type is needed";
            Err(Unreadable::new(reason))
        }
        Ok(value) => Ok(Some(value)),
        Err(_) if is_nul(bytes) => Err(Unreadable::new(NULS)),
        Err(error) => {
            let error = error.to_string();
            // The place counts from the beginning of the value.
            let why = error
                .rsplit_once(" at line ")
                .map_or(&error[..], |(why, _)| why);
            Err(Unreadable::new(format!("is not JSON ({why})")))
        }
    }
}
