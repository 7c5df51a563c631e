//! When a model is asked for its opinion.

use std::fmt;

use serde::de::value::MapAccessDeserializer;
use serde::de::{self, Deserializer, MapAccess, Unexpected, Visitor};
use serde::{Deserialize, Serialize, Serializer};

use turnkeeper_base::options;

/// When a model is asked for its opinion. What is left out has the profile's value, or `standard`'s.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(optional_fields, rename_all = "camelCase")
)]
pub struct ModelCheckOptions {
    /// The turn of a prompt from which on a model is asked, counting from 1. Default: 30.
    #[serde(deserialize_with = "options::count")]
    #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
    pub after_turns: Option<u64>,
    /// How many turns lie between requests until the first answer. Default: 3, in `gemini-cli` 10.
    #[serde(deserialize_with = "options::count")]
    #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
    pub interval: Option<u64>,
    /// How many turns later the next request comes after an answer with a confidence of 1. Default:
    /// 5.
    #[serde(deserialize_with = "options::count")]
    #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
    pub min_interval: Option<u64>,
    /// How many turns later the next request comes after an answer with a confidence of 0. Default:
    /// 15.
    #[serde(deserialize_with = "options::count")]
    #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
    pub max_interval: Option<u64>,
    /// How many of the newest entries of the history the model gets to see. Default: 20.
    #[serde(deserialize_with = "options::count")]
    #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
    pub history_count: Option<u64>,
    /// An answer with a confidence above this, from 0 to 1, is a loop. Default: 0.9.
    #[serde(deserialize_with = "options::share")]
    pub confidence: Option<f64>,
    /// Whether exactly this confidence is a loop, too. Default: `false`, in `gemini-cli` `true`.
    pub inclusive: Option<bool>,
}

impl ModelCheckOptions {
    /// What is not set has the value that others have.
    pub(super) fn fill(&mut self, others: &Self) {
        *self = Self {
            after_turns: self.after_turns.or(others.after_turns),
            interval: self.interval.or(others.interval),
            min_interval: self.min_interval.or(others.min_interval),
            max_interval: self.max_interval.or(others.max_interval),
            history_count: self.history_count.or(others.history_count),
            confidence: self.confidence.or(others.confidence),
            inclusive: self.inclusive.or(others.inclusive),
        };
    }
}

/// Off (`false`), or on with options.
#[derive(Debug, Clone, PartialEq)]
pub enum ModelCheckSetting {
    /// No model is ever asked.
    Off,
    /// On.
    On(ModelCheckOptions),
}

impl Serialize for ModelCheckSetting {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Off => serializer.serialize_bool(false),
            Self::On(options) => options.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for ModelCheckSetting {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ModelCheckVisitor;
        impl<'de> Visitor<'de> for ModelCheckVisitor {
            type Value = ModelCheckSetting;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("false or an object")
            }

            fn visit_bool<E: de::Error>(self, on: bool) -> Result<ModelCheckSetting, E> {
                match on {
                    false => Ok(ModelCheckSetting::Off),
                    true => Err(E::invalid_value(Unexpected::Bool(on), &self)),
                }
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<ModelCheckSetting, A::Error> {
                let options = ModelCheckOptions::deserialize(MapAccessDeserializer::new(map))?;
                Ok(ModelCheckSetting::On(options))
            }
        }
        deserializer.deserialize_any(ModelCheckVisitor)
    }
}
