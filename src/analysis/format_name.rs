//! A format by its name, as reports have it.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serializer};
use turnkeeper_agents::sessions::Format;

pub(crate) fn serialize<S: Serializer>(format: &Format, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(format.name())
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Format, D::Error> {
    let name = String::deserialize(deserializer)?;
    let mut all = Format::ALL.iter();
    let found = all.find(|format| format.name() == name);
    found
        .copied()
        .ok_or_else(|| D::Error::custom(format!("no format is called {name:?}")))
}
