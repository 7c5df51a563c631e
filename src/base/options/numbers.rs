//! Numbers among the options, and what each may be.

use std::fmt;

use serde::de::{self, Deserializer, Unexpected, Visitor};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;

/// The largest integer that JavaScript counts exactly.
pub const MAX_SAFE_INTEGER: u64 = 9_007_199_254_740_991;

/// A threshold of a rule: an integer of at least 1, or `false`, which switches the rule off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Threshold {
    /// The rule is off.
    Off,
    /// The count at which the rule fires.
    At(Count),
}

impl Threshold {
    /// The count, unless the rule is off.
    pub fn count(self) -> Option<u64> {
        match self {
            Self::Off => None,
            Self::At(count) => Some(count.get()),
        }
    }
}

impl Serialize for Threshold {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Off => serializer.serialize_bool(false),
            Self::At(count) => count.serialize(serializer),
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
                let threshold = Count::new(count).map(Threshold::At);
                threshold.ok_or_else(|| E::invalid_value(Unexpected::Unsigned(count), &self))
            }
        }
        deserializer.deserialize_any(ThresholdVisitor)
    }
}

/// Declares a number within bounds, which cannot be made of another.
macro_rules! bounded {
    (
        $(#[$about:meta])*
        $name:ident($number:ty), $allowed:literal, $is_allowed:expr
    ) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Serialize)]
        #[serde(transparent)]
        pub struct $name($number);

        impl $name {
            /// The number, if it is within the bounds.
            #[must_use]
            pub fn new(number: $number) -> Option<Self> {
                let is_allowed: fn(f64) -> bool = $is_allowed;
                is_allowed(number as f64).then_some(Self(number))
            }

            /// The number.
            #[must_use]
            pub const fn get(self) -> $number {
                self.0
            }
        }

        #[cfg(feature = "typescript")]
        crate::typescript::crosses_as!($name, f64);

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let visitor = Number { allowed: $allowed, is_allowed: $is_allowed };
                let number = deserializer.deserialize_f64(visitor)?;
                Ok(Self(number as $number))
            }
        }
    };
}

bounded!(
    /// A count: an integer of at least 1 that JavaScript, too, counts exactly.
    Count(u64), "an integer of at least 1", |number| number >= 1.0 && is_integer(number)
);

impl Eq for Count {}

bounded!(
    /// A share: a number from 0 to 1.
    Share(f64), "a number from 0 to 1", |number| (0.0..=1.0).contains(&number)
);
impl Share {
    /// A half.
    pub const HALF: Self = Self(0.5);
}

bounded!(
    /// A number of at least 0, such as milliseconds. Infinity, which JSON does not have, arrives as the
    /// largest number that there is.
    AtLeastZero(f64), "a number of at least 0", |number| number >= 0.0
);

/// For `deserialize_with`: a limit, which is an integer of at least 0. What does not fit is no limit.
pub fn limit<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u32>, D::Error> {
    let visitor = Number {
        allowed: "an integer of at least 0",
        is_allowed: |number| number >= 0.0 && number.trunc() == number,
    };
    let number = deserializer.deserialize_f64(visitor)?;
    Ok(Some(number as u32))
}

pub(super) fn is_integer(number: f64) -> bool {
    number.abs() <= MAX_SAFE_INTEGER as f64 && number.trunc() == number
}

/// A number as JSON has it: an integer if a double can tell it from those beside it.
pub(crate) fn json_number(number: f64) -> Value {
    match is_integer(number) {
        true => (number as i64).into(),
        false => number.into(),
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_number_out_of_bounds_can_be_made() {
        for count in [0, MAX_SAFE_INTEGER + 1, u64::MAX] {
            assert_eq!(Count::new(count), None, "{count}");
        }
        for share in [-0.1, 1.1, f64::NAN, f64::INFINITY] {
            assert_eq!(Share::new(share), None, "{share}");
        }
        for number in [-1.0, f64::NAN, f64::NEG_INFINITY] {
            assert_eq!(AtLeastZero::new(number), None, "{number}");
        }
        let counts = [1, MAX_SAFE_INTEGER].map(|count| Count::new(count).map(Count::get));
        assert_eq!(counts, [Some(1), Some(MAX_SAFE_INTEGER)]);
        let numbers = [0.0, f64::INFINITY].map(|it| AtLeastZero::new(it).map(AtLeastZero::get));
        assert_eq!(numbers, [Some(0.0), Some(f64::INFINITY)]);
    }
}
