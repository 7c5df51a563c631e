//! The time.

use std::time::{SystemTime, UNIX_EPOCH};

/// The time in milliseconds since 1970, with fractions.
pub(crate) fn now() -> f64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0.0, |since| since.as_secs_f64() * 1e3)
}

/// A time in milliseconds since 1970 as ISO 8601, in UTC.
pub(crate) fn iso(milliseconds: f64) -> String {
    const DAY: i64 = 24 * 60 * 60 * 1000;
    let time = milliseconds as i64;
    let (days, time) = (time.div_euclid(DAY), time.rem_euclid(DAY));
    // Years of 400 that begin with March, so that a leap day is the last of its year.
    let day = days + 719_468;
    let (era, day) = (day.div_euclid(146_097), day.rem_euclid(146_097));
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = era * 400 + year + i64::from(month <= 2);
    let (hour, minute) = (time / 3_600_000, time / 60_000 % 60);
    let (second, thousandth) = (time / 1000 % 60, time % 1000);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{thousandth:03}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_as_javascript_writes_them() {
        for (time, expected) in [
            (0.0, "1970-01-01T00:00:00.000Z"),
            (951_782_400_000.0, "2000-02-29T00:00:00.000Z"),
            (951_868_799_999.9, "2000-02-29T23:59:59.999Z"),
            (1_795_766_399_123.0, "2026-11-27T07:59:59.123Z"),
            (4_107_542_400_000.0, "2100-03-01T00:00:00.000Z"),
            (1_709_251_199_000.0, "2024-02-29T23:59:59.000Z"),
        ] {
            assert_eq!(iso(time), expected);
        }
    }
}
