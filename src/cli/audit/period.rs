//! The time that an audit is of.

use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan, ZonedDateTime};
use turnkeeper_analysis::sum::Period as Times;

/// The time that an audit is of.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Period {
    pub(crate) times: Times,
    /// In words.
    pub(crate) title: String,
}

/// A point in time, as an option names it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Moment {
    time: f64,
    /// The end of the day, if a day is named.
    end: f64,
    /// In words, as the beginning of a period that lasts until now.
    title: String,
    /// In words, as the end of a period.
    until: String,
}

const UNITS: [(char, &str, f64); 3] = [
    ('h', "hour", 3_600_000.0),
    ('d', "day", 86_400_000.0),
    ('w', "week", 7.0 * 86_400_000.0),
];

impl Moment {
    /// Reads `7d`, `24h`, `2w`, a date, a time, or `all`.
    pub(super) fn read(text: &str) -> Result<Self, String> {
        Moment::read_at(text, &ZonedDateTime::now())
    }

    fn read_at(text: &str, now: &ZonedDateTime) -> Result<Self, String> {
        let moment = match text {
            "all" => Some(Moment {
                time: f64::NEG_INFINITY,
                end: f64::INFINITY,
                title: "all time".into(),
                until: "now".into(),
            }),
            _ => ago(text, now)
                .or_else(|| day(text, now.time_zone()))
                .or_else(|| time(text, now.time_zone())),
        };
        let wanted = "it is a time such as 7d, 24h, 2w or 2026-11-01, or \"all\"";
        moment.ok_or_else(|| wanted.to_owned())
    }
}

fn ago(text: &str, now: &ZonedDateTime) -> Option<Moment> {
    let (unit, name, milliseconds) = UNITS.into_iter().find(|it| text.ends_with(it.0))?;
    let count = text.strip_suffix(unit)?;
    let is_count = (1..=4).contains(&count.len()) && count.bytes().all(|it| it.is_ascii_digit());
    let number: f64 = count.parse().ok().filter(|_| is_count)?;
    let time = millis(now.timestamp()) - number * milliseconds;
    let (last, span) = match count {
        "1" => (format!("last {name}"), format!("1 {name}")),
        _ => (format!("last {count} {name}s"), format!("{count} {name}s")),
    };
    Some(Moment {
        time,
        end: time,
        title: last,
        until: format!("{span} ago"),
    })
}

/// A date alone is a day of the user's, not of Greenwich.
fn day(text: &str, zone: &TimeZone) -> Option<Moment> {
    let is_of_date = |it: u8| it.is_ascii_digit() || it == b'-';
    let is_date = text.len() == 10 && text.bytes().all(is_of_date);
    let date: Date = text.parse().ok().filter(|_| is_date)?;
    let start = |date: Date| Some(millis(zone.to_timestamp(date.at(0, 0, 0, 0)).ok()?));
    let next = date.checked_add(1.day()).ok()?;
    Some(Moment {
        end: start(next)? - 1.0,
        ..at(start(date)?, text)
    })
}

/// A time of day without a zone is the user's.
fn time(text: &str, zone: &TimeZone) -> Option<Moment> {
    let has_time = text.as_bytes().get(10) == Some(&b'T');
    let time = text.parse::<Timestamp>().ok().or_else(|| {
        let local: DateTime = text.parse().ok()?;
        zone.to_timestamp(local).ok()
    });
    Some(at(millis(time.filter(|_| has_time)?), text))
}

fn at(time: f64, text: &str) -> Moment {
    Moment {
        time,
        end: time,
        title: format!("since {text}"),
        until: text.to_owned(),
    }
}

fn millis(time: Timestamp) -> f64 {
    time.as_millisecond() as f64
}

impl Period {
    /// The period between two moments. Where sessions are looked for, and not named, it is the last week.
    pub(super) fn between(since: Option<&Moment>, until: Option<&Moment>, is_found: bool) -> Self {
        let usual = if is_found { "7d" } else { "all" };
        let from = since.cloned().map_or_else(|| Moment::read(usual), Ok);
        let (since, title) = match from {
            Ok(from) => (from.time, from.title),
            Err(_) => (f64::NEG_INFINITY, String::new()),
        };
        Period {
            times: Times {
                since,
                until: until.map_or(f64::INFINITY, |until| until.end),
            },
            title: match until {
                Some(until) => format!("{title} until {}", until.until),
                None => title,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moment(text: &str, zone: &str) -> Result<Moment, String> {
        let now: Timestamp = "2026-11-27T12:00:00Z".parse().expect("a time");
        Moment::read_at(text, &now.in_tz(zone).expect("a zone"))
    }

    fn iso(time: f64) -> String {
        let time = Timestamp::from_millisecond(time as i64);
        time.expect("a time").to_string()
    }

    #[test]
    fn moments_are_times_before_now_or_days_of_the_user() {
        let week = moment("7d", "UTC").expect("a week");
        assert_eq!(iso(week.time), "2026-11-20T12:00:00Z");
        assert_eq!(
            (week.title.as_str(), week.until.as_str()),
            ("last 7 days", "7 days ago")
        );
        let hour = moment("1h", "UTC").expect("an hour");
        assert_eq!(
            (hour.title.as_str(), hour.until.as_str()),
            ("last hour", "1 hour ago")
        );
        let day = moment("2026-10-04", "Asia/Shanghai").expect("a day");
        assert_eq!(iso(day.time), "2026-10-03T16:00:00Z");
        assert_eq!(iso(day.end), "2026-10-04T15:59:59.999Z");
        assert_eq!(
            (day.title.as_str(), day.until.as_str()),
            ("since 2026-10-04", "2026-10-04")
        );
        // The day on which the clocks go back has 25 hours.
        let long = moment("2026-10-25", "Europe/Berlin").expect("a day");
        assert_eq!(long.end - long.time, 25.0 * 3_600_000.0 - 1.0);
        for (text, expected) in [
            ("2026-11-01T08:00:00Z", "2026-11-01T08:00:00Z"),
            ("2026-11-01T08:00:00+02:00", "2026-11-01T06:00:00Z"),
            ("2026-11-01T08:00", "2026-11-01T00:00:00Z"),
        ] {
            let time = moment(text, "Asia/Shanghai").expect("a time").time;
            assert_eq!(iso(time), expected, "{text}");
        }
        let all = moment("all", "UTC").expect("all");
        assert_eq!((all.time, all.end), (f64::NEG_INFINITY, f64::INFINITY));
    }

    #[test]
    fn what_is_no_time_is_refused() {
        for wrong in [
            "yesterday", "2026-02-31", "7", "d", "12345d", "+7d", "2026-11", "20261101", "", "7D",
        ] {
            let why = moment(wrong, "UTC").expect_err(wrong);
            assert!(why.contains("7d, 24h, 2w"), "{why}");
        }
    }
}
