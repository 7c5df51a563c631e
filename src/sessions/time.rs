//! When a value was written.

use jiff::civil::{Date, DateTime};
use jiff::fmt::rfc2822;
use jiff::{Timestamp, tz::TimeZone};
use turnkeeper_base::json::Json;

/// The fields in which agents write it, in the line or in an object of it.
const FIELDS: [(Option<&str>, &str); 6] = [
    (None, "timestamp"),
    (None, "ts"),
    (Some("time"), "created"),
    (None, "created"),
    (None, "created_at"),
    (Some("message"), "timestamp"),
];

/// When a value was written, in milliseconds since 1970, where it says so.
pub(crate) fn time_of(value: &Json) -> Option<f64> {
    let given = FIELDS.iter().find_map(|(object, name)| {
        let holder = match object {
            None => Some(value),
            Some(name @ "time") => {
                let info = value.get("info").and_then(|info| info.get(name));
                info.or_else(|| value.get(name))
            }
            Some(name) => value.get(name),
        };
        holder?.get(name).filter(|it| !matches!(it, Json::Null))
    });
    time(given?)
}

/// A time as agents write it: a text, or milliseconds or seconds since 1970.
pub(crate) fn time(written: &Json) -> Option<f64> {
    match written {
        Json::Text(text) => parsed(text.trim()),
        // Some agents count seconds.
        Json::Number(number) if *number > 0.0 && *number < 1e11 => Some(number * 1_000.0),
        Json::Number(number) if *number > 0.0 && number.is_finite() => Some(*number),
        _ => None,
    }
}

/// A text without a zone, such as SQLite's own, is in UTC.
fn parsed(text: &str) -> Option<f64> {
    let utc = |time: DateTime| TimeZone::UTC.to_timestamp(time).ok();
    let time = text.parse::<Timestamp>().ok();
    let time = time.or_else(|| utc(text.parse::<DateTime>().ok()?));
    let time = time.or_else(|| utc(text.parse::<Date>().ok()?.at(0, 0, 0, 0)));
    let time = time.or_else(|| Some(rfc2822::parse(text).ok()?.timestamp()));
    Some(time?.as_millisecond() as f64)
}

#[cfg(test)]
mod tests {
    use turnkeeper_base::json::parse;

    use super::*;

    #[test]
    fn times_are_found_in_every_agents_fields_and_forms() {
        for (value, expected) in [
            (
                r#"{"timestamp":"2026-01-02T03:04:05.678Z"}"#,
                Some(1_767_323_045_678.0),
            ),
            (
                r#"{"timestamp":"2026-01-02T03:04:05.678901+01:00"}"#,
                Some(1_767_319_445_678.0),
            ),
            (
                r#"{"created_at":"2026-01-02 03:04:05"}"#,
                Some(1_767_323_045_000.0),
            ),
            (r#"{"timestamp":"2026-01-02"}"#, Some(1_767_312_000_000.0)),
            (
                r#"{"timestamp":"Fri, 02 Jan 2026 03:04:05 GMT"}"#,
                Some(1_767_323_045_000.0),
            ),
            (
                r#"{"timestamp":null,"ts":1767323045}"#,
                Some(1_767_323_045_000.0),
            ),
            (
                r#"{"time":{"created":1767323045678}}"#,
                Some(1_767_323_045_678.0),
            ),
            (
                r#"{"info":{"time":{"created":1767323045678}},"time":{"created":1}}"#,
                Some(1_767_323_045_678.0),
            ),
            (
                r#"{"message":{"timestamp":1767323045678}}"#,
                Some(1_767_323_045_678.0),
            ),
            (r#"{"timestamp":"yesterday"}"#, None),
            (r#"{"timestamp":0}"#, None),
            ("[]", None),
        ] {
            let mut room = Vec::new();
            let read = parse(value.as_bytes(), &mut room).expect("JSON");
            assert_eq!(time_of(&read), expected, "{value}");
        }
    }
}
