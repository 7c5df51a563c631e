//! A limit that may be any integer.

use std::fmt;

use serde::de::{self, Deserializer, Unexpected, Visitor};

/// Any integer, or `false`, which means 0.
pub(super) fn limit<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<i64>, D::Error> {
    struct LimitVisitor;
    impl Visitor<'_> for LimitVisitor {
        type Value = i64;

        fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
            f.write_str("an integer or false")
        }

        fn visit_bool<E: de::Error>(self, on: bool) -> Result<i64, E> {
            match on {
                false => Ok(0),
                true => Err(E::invalid_value(Unexpected::Bool(on), &self)),
            }
        }

        fn visit_i64<E: de::Error>(self, limit: i64) -> Result<i64, E> {
            Ok(limit)
        }

        fn visit_u64<E: de::Error>(self, limit: u64) -> Result<i64, E> {
            i64::try_from(limit).map_err(|_| E::invalid_value(Unexpected::Unsigned(limit), &self))
        }
    }
    deserializer.deserialize_any(LimitVisitor).map(Some)
}
