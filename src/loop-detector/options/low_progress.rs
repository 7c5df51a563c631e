//! The share of new calls and results at which the model is told.

use serde::de::{self, Deserializer};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;

use turnkeeper_base::options::Share;
use turnkeeper_base::options::table::Kind;

/// Off (`false`), or the share of the last calls and results that was new at which the model is told;
/// `true` is [`USUAL`](Self::USUAL).
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum LowProgress {
    /// Never.
    Off,
    /// At this share or less, from 0 to 1.
    At(Share),
}

impl LowProgress {
    /// At half.
    pub const USUAL: Self = Self::At(Share::HALF);
}

impl Kind for LowProgress {
    const ALLOWED: Option<&'static str> = Some("a number from 0 to 1, true or false");

    fn plain(value: &Value) -> Option<Self> {
        match value {
            Value::Bool(false) => Some(Self::Off),
            Value::Bool(true) => Some(Self::USUAL),
            _ => {
                let share = value.as_f64().and_then(Share::new);
                share.map(Self::At)
            }
        }
    }
}

impl Serialize for LowProgress {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Off => serializer.serialize_bool(false),
            Self::At(share) => share.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for LowProgress {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        Self::plain(&value).ok_or_else(|| de::Error::custom(Self::ALLOWED.unwrap_or_default()))
    }
}
