//! Numbers among the options, and what each may be.

use std::fmt;

use serde::de::{self, Deserializer, Unexpected, Visitor};
use serde::{Deserialize, Serialize, Serializer};

/// The largest integer that JavaScript counts exactly.
pub const MAX_SAFE_INTEGER: u64 = 9_007_199_254_740_991;

/// A threshold of a rule: an integer of at least 1, or `false`, which switches the rule off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Threshold {
    /// The rule is off.
    Off,
    /// The count at which the rule fires.
    At(u64),
}

impl Threshold {
    /// The count, unless the rule is off.
    pub fn count(self) -> Option<u64> {
        match self {
            Self::Off => None,
            Self::At(count) => Some(count),
        }
    }
}

impl From<u64> for Threshold {
    fn from(count: u64) -> Self {
        Self::At(count)
    }
}

impl Serialize for Threshold {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Off => serializer.serialize_bool(false),
            Self::At(count) => serializer.serialize_u64(*count),
        }
    }
}

impl<'de> Deserialize<'de> for Threshold {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ThresholdVisitor;
        impl Visitor<'_> for ThresholdVisitor {
            type Value = Threshold;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("an integer of at least 1 or false")
            }

            fn visit_bool<E: de::Error>(self, on: bool) -> Result<Threshold, E> {
                match on {
                    false => Ok(Threshold::Off),
                    true => Err(E::invalid_value(Unexpected::Bool(true), &self)),
                }
            }

            fn visit_u64<E: de::Error>(self, count: u64) -> Result<Threshold, E> {
                match count {
                    1..=MAX_SAFE_INTEGER => Ok(Threshold::At(count)),
                    _ => Err(E::invalid_value(Unexpected::Unsigned(count), &self)),
                }
            }
        }
        deserializer.deserialize_any(ThresholdVisitor)
    }
}

/// Declares a function for `deserialize_with` that reads a number in bounds into an `Option`.
macro_rules! number {
    ($(#[$about:meta])* $name:ident, $type:ty, $allowed:literal, $is_allowed:expr) => {
        $(#[$about])*
        pub fn $name<'de, D: Deserializer<'de>>(
            deserializer: D,
        ) -> Result<Option<$type>, D::Error> {
            let visitor = Number { allowed: $allowed, is_allowed: $is_allowed };
            let number = deserializer.deserialize_f64(visitor)?;
            Ok(Some(number as $type))
        }
    };
}

number!(
    /// A count: an integer of at least 1.
    count, u64, "an integer of at least 1", |n| n >= 1.0 && is_integer(n)
);
number!(
    /// A limit: an integer of at least 0. What does not fit is no limit.
    limit, u32, "an integer of at least 0", |n| n >= 0.0 && n.trunc() == n
);
number!(
    /// A share: a number from 0 to 1.
    share, f64, "a number from 0 to 1", |n| (0.0..=1.0).contains(&n)
);
number!(
    /// Milliseconds: a number of at least 0. Infinity, which JSON does not have, arrives as the
    /// largest number that there is.
    milliseconds, f64, "a number of at least 0", |n| n >= 0.0
);

pub(crate) fn is_integer(number: f64) -> bool {
    number.abs() <= MAX_SAFE_INTEGER as f64 && number.trunc() == number
}

struct Number {
    allowed: &'static str,
    is_allowed: fn(f64) -> bool,
}

impl Visitor<'_> for Number {
    type Value = f64;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.allowed)
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<f64, E> {
        self.visit_f64(number as f64)
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<f64, E> {
        self.visit_f64(number as f64)
    }

    fn visit_f64<E: de::Error>(self, number: f64) -> Result<f64, E> {
        if (self.is_allowed)(number) {
            Ok(number)
        } else {
            Err(E::invalid_value(Unexpected::Float(number), &self))
        }
    }
}
