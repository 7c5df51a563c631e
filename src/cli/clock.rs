//! The time.

use std::time::{SystemTime, UNIX_EPOCH};

/// The time in milliseconds since 1970, with fractions.
pub(crate) fn now() -> f64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0.0, |since| since.as_secs_f64() * 1e3)
}
