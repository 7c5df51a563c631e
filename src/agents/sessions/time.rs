//! When a value was written.

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
        Json::Text(text) => time_in(text),
        // Some agents count seconds.
        Json::Number(number) if *number > 0.0 && *number < 1e11 => Some(number * 1_000.0),
        Json::Number(number) if *number > 0.0 && number.is_finite() => Some(*number),
        _ => None,
    }
}

/// A time as ISO 8601 or as mails have it; without a zone, as SQLite writes it, it is in UTC. A library that reads times
/// has them in a fifth of the module for JavaScript.
pub(crate) fn time_in(text: &str) -> Option<f64> {
    let usual = text.as_bytes().try_into().ok().and_then(of_javascript);
    let text = || text.trim();
    usual
        .or_else(|| of_iso(text()))
        .or_else(|| of_mail(text()))
        .map(|time| time as f64)
}

/// `2026-01-02T03:04:05.678Z`, as most times are written, in a fraction of the time that all forms take.
fn of_javascript(text: &[u8; 24]) -> Option<i64> {
    const FORM: &[u8; 24] = b"0000-00-00T00:00:00.000Z";
    let is_digit = |byte: u8, form: u8| form == b'0' && byte.is_ascii_digit();
    let is_so = |(byte, form): (&u8, &u8)| byte == form || is_digit(*byte, *form);
    // All are looked at, so that many are at a time.
    if !text.iter().zip(FORM).fold(true, |all, it| all & is_so(it)) {
        return None;
    }
    let digit = |at: usize| i64::from(text[at] - b'0');
    let pair = |at: usize| digit(at) * 10 + digit(at + 1);
    let (hours, minutes, seconds) = (pair(11), pair(14), pair(17));
    // The last second of a minute may be a leap second.
    if hours > 23 || minutes > 59 || seconds > 59 {
        return None;
    }
    let date = start_of_day(pair(0) * 100 + pair(2), pair(5), pair(8))?;
    let thousandths = pair(20) * 10 + digit(22);
    Some(date + hours * HOUR + minutes * MINUTE + seconds * 1_000 + thousandths)
}

/// `2026-01-02`, `2026-01-02 03:04:05`, `2026-01-02T03:04:05.678+01:00[Europe/Berlin]`.
fn of_iso(text: &str) -> Option<i64> {
    let mut rest = Rest(text.as_bytes());
    let year = rest.number(4)?;
    rest.one_of(b"-")?;
    let month = rest.number(2)?;
    rest.one_of(b"-")?;
    let date = start_of_day(year, month, rest.number(2)?)?;
    if rest.0.is_empty() {
        return Some(date);
    }
    rest.one_of(b"Tt ")?;
    let time = rest.time()?;
    let offset = match rest.0 {
        [] | [b'[', ..] => 0,
        _ => rest.offset()?,
    };
    matches!(rest.0, [] | [b'[', .., b']']).then_some(date + time - offset)
}

/// `Fri, 02 Jan 2026 03:04:05 GMT`.
fn of_mail(text: &str) -> Option<i64> {
    let text = text.split_once(", ").map_or(text, |(_, rest)| rest);
    let words: Vec<&str> = text.split_ascii_whitespace().collect();
    let &[day, month, year, time, zone] = words.as_slice() else {
        return None;
    };
    let month = MONTHS
        .iter()
        .position(|it| it.eq_ignore_ascii_case(month))?;
    let month = i64::try_from(month).ok()? + 1;
    let date = start_of_day(whole(year, 4)?, month, whole(day, day.len().min(2))?)?;
    let offset = match zone {
        "GMT" | "UT" => 0,
        _ => Rest(zone.as_bytes()).offset()?,
    };
    Some(date + Rest(time.as_bytes()).time()? - offset)
}

const MONTHS: [&str; 12] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
];

const MINUTE: i64 = 60_000;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

/// The milliseconds from 1970 to a date, if there is such a date.
fn start_of_day(year: i64, month: i64, day: i64) -> Option<i64> {
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let last = match month {
        2 => 28 + i64::from(is_leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    if !(1..=last).contains(&day) {
        return None;
    }
    // Years that begin in March have the day that not all have at their end, and months of 153 days in each five.
    let (year, month) = if month > 2 {
        (year, month - 3)
    } else {
        (year - 1, month + 9)
    };
    let leap_days = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    let days = year * 365 + leap_days + (month * 153 + 2) / 5 + day - 1;
    Some((days - DAYS_TO_1970) * DAY)
}

/// From March 1 of the year 0.
const DAYS_TO_1970: i64 = 719_468;

/// The number that a text is, if it has this many digits.
fn whole(text: &str, digits: usize) -> Option<i64> {
    let mut rest = Rest(text.as_bytes());
    rest.number(digits).filter(|_| rest.0.is_empty())
}

/// The rest of a text.
struct Rest<'t>(&'t [u8]);

impl Rest<'_> {
    fn one_of(&mut self, signs: &[u8]) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        signs.contains(first).then(|| self.0 = rest)?;
        Some(*first)
    }

    fn number(&mut self, digits: usize) -> Option<i64> {
        let (number, rest) = self.0.split_at_checked(digits)?;
        self.0 = rest;
        let sum = number.iter().try_fold(0, |sum, digit| {
            digit
                .is_ascii_digit()
                .then(|| sum * 10 + i64::from(digit - b'0'))
        });
        sum.filter(|_| digits > 0)
    }

    fn number_to(&mut self, most: i64) -> Option<i64> {
        self.number(2).filter(|number| *number <= most)
    }

    /// A time of day in milliseconds: `03:04`, `03:04:05`, `03:04:05.678901`.
    fn time(&mut self) -> Option<i64> {
        let hours = self.number_to(23)?;
        self.one_of(b":")?;
        let minutes = self.number_to(59)?;
        let time = hours * HOUR + minutes * MINUTE;
        if self.one_of(b":").is_none() {
            return Some(time);
        }
        // A leap second is the one before.
        let time = time + self.number_to(60)?.min(59) * 1_000;
        if self.one_of(b".,").is_none() {
            return Some(time);
        }
        let digits = self.0.iter().take_while(|it| it.is_ascii_digit()).count();
        let mut fraction = Rest(self.0);
        self.0 = &self.0[digits..];
        let milliseconds = match digits {
            1..=3 => fraction.number(digits)? * [100, 10, 1][digits - 1],
            4..=9 => fraction.number(3)?,
            _ => return None,
        };
        Some(time + milliseconds)
    }

    /// `Z`, `+01:00`, `+0100` or `+01`, in milliseconds.
    fn offset(&mut self) -> Option<i64> {
        let sign = match self.one_of(b"Zz+-")? {
            b'+' => 1,
            b'-' => -1,
            _ => return Some(0),
        };
        let hours = self.number_to(25)?;
        let has_minutes =
            self.one_of(b":").is_some() || self.0.first().is_some_and(u8::is_ascii_digit);
        let minutes = if has_minutes { self.number_to(59)? } else { 0 };
        Some(sign * (hours * HOUR + minutes * MINUTE))
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::DateTime;
    use jiff::fmt::rfc2822;
    use jiff::{Timestamp, tz::TimeZone};
    use proptest::prelude::*;
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

    /// The time that a library reads, which knows more forms.
    fn read_by_a_library(text: &str) -> Option<f64> {
        let time = text.parse::<Timestamp>().ok();
        let time = time.or_else(|| {
            TimeZone::UTC
                .to_timestamp(text.parse::<DateTime>().ok()?)
                .ok()
        });
        let time = time.or_else(|| Some(rfc2822::parse(text).ok()?.timestamp()));
        Some(time?.as_millisecond() as f64)
    }

    proptest! {
        #[test]
        fn times_are_those_of_a_library(
            text in "(19[7-9][0-9]|2[0-9]{3})-[01][0-9]-[0-3][0-9]([T ][0-2][0-9]:[0-6][0-9](:[0-6][0-9]([.,][0-9]{1,10})?)?(Z|[+-][01][0-9]:?[0-5][0-9]|[+-][01][0-9])?)?",
        ) {
            prop_assert_eq!(time_in(&text), read_by_a_library(&text), "{}", text);
        }

        #[test]
        fn the_usual_form_is_one_of_all_forms(
            text in "[0-9]{4}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-6][0-9]:[0-6][0-9]\\.[0-9]{3}[Zz]",
        ) {
            let expected = of_iso(&text).map(|time| time as f64);
            prop_assert_eq!(time_in(&text), expected, "{}", text);
        }

        #[test]
        fn times_of_mails_are_those_of_a_library(
            text in "[0-3]?[0-9] (Jan|Feb|Jun|Dec) 20[0-9]{2} [0-2][0-9]:[0-5][0-9](:[0-5][0-9])? (GMT|UT|[+-][01][0-9][0-5][0-9])",
        ) {
            prop_assert_eq!(time_in(&text), read_by_a_library(&text), "{}", text);
        }

        #[test]
        fn no_text_is_too_strange(text in "[0-9:TZ+., \\[\\]é-]{0,40}") {
            time_in(&text);
        }
    }
}
