//! When a model is asked for its opinion.

use std::fmt;

use serde::de::value::MapAccessDeserializer;
use serde::de::{self, Deserializer, MapAccess, Unexpected, Visitor};
use serde::{Deserialize, Serialize, Serializer};

use turnkeeper_base::options::{Count, Share};

/// The reasons for which a model is asked for its opinion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ModelCheckWhen {
    /// A prompt that goes on for many turns.
    Turns,
    /// Few new calls and results.
    Doubt,
    /// Both.
    Either,
}

/// When a model is asked for its opinion. What is left out has the profile's value, or `standard`'s.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(optional_fields, rename_all = "camelCase")
)]
pub struct ModelCheckOptions {
    /// The reason for which it is asked. Default: `"doubt"` in `adaptive`, else `"turns"`; if one of the other's numbers
    /// is set, `"either"`.
    #[cfg_attr(
        feature = "typescript",
        ts(optional, type = "\"turns\" | \"doubt\" | \"either\"")
    )]
    pub when: Option<ModelCheckWhen>,
    /// In doubt, a model is asked when this much or less of the last ten calls and results was new, from 0
    /// to 1. Default: 0.6.
    pub progress: Option<Share>,
    /// In doubt, the call of a prompt from which on a model is asked, counting from 1. Default: 8.
    pub min_calls: Option<Count>,
    /// In doubt, how many calls lie between requests. Default: 10.
    pub cooldown: Option<Count>,
    /// The turn of a prompt from which on a model is asked, counting from 1. Default: 30.
    pub after_turns: Option<Count>,
    /// The number of turns between requests until the first answer. Default: 3, in `gemini-cli` 10.
    pub interval: Option<Count>,
    /// The number of turns after which the next request comes after an answer with a confidence of 1. Default:
    /// 5.
    pub min_interval: Option<Count>,
    /// The number of turns after which the next request comes after an answer with a confidence of 0. Default:
    /// 15.
    pub max_interval: Option<Count>,
    /// The number of the newest entries of the history that the model gets to see. Default: 20.
    pub history_count: Option<Count>,
    /// An answer with a confidence above this, from 0 to 1, is a stop. In doubt, one above 0.5 is a nudge.
    /// Default: 0.9.
    pub confidence: Option<Share>,
    /// Whether exactly this confidence is a loop, too. Default: `false`, in `gemini-cli` `true`.
    pub inclusive: Option<bool>,
}

impl ModelCheckOptions {
    /// Whether a number is set that only another cause than this one has.
    fn sets_numbers_beside(&self, when: ModelCheckWhen) -> bool {
        let of_turns = [
            self.after_turns, self.interval, self.min_interval, self.max_interval,
        ];
        match when {
            ModelCheckWhen::Turns => self.has_doubt(),
            ModelCheckWhen::Doubt => of_turns.iter().any(Option::is_some),
            ModelCheckWhen::Either => false,
        }
    }

    /// Whether a number is set that only doubt has.
    #[must_use]
    pub fn has_doubt(&self) -> bool {
        self.progress.is_some() || self.min_calls.is_some() || self.cooldown.is_some()
    }

    /// Options that are not set have the value that others have.
    pub(super) fn fill(&mut self, others: &Self) {
        *self = Self {
            when: self.when.or(match others.when {
                Some(when) if self.sets_numbers_beside(when) => Some(ModelCheckWhen::Either),
                when => when,
            }),
            progress: self.progress.or(others.progress),
            min_calls: self.min_calls.or(others.min_calls),
            cooldown: self.cooldown.or(others.cooldown),
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
