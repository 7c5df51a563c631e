//! What a host may set: an agent, and what that agent's detection has.

use serde::de::{self, Deserializer};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::MACHINE;
use crate::agent::AgentOptions;
use turnkeeper_base::error::{Error, ErrorCode};
use turnkeeper_base::options::{self, Count};
use turnkeeper_loop_detector::model_check::ModelCheckLimits;
use turnkeeper_loop_detector::{ModelCheckSetting, ModelCheckWhen};

/// Declares the agents: the profile's name, and the options that belong to it.
macro_rules! peers {
    ($($(#[$about:meta])* $name:ident($options:ident),)*) => {
        /// An agent whose verdicts are given.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(rename_all = "kebab-case")]
        #[cfg_attr(
            feature = "typescript",
            derive(ts_rs::TS, documented::DocumentedFields)
        )]
        #[non_exhaustive]
        pub enum PeerProfile {
            $($(#[$about])* $name,)*
        }

        impl PeerProfile {
            /// Every agent.
            pub const ALL: &[Self] = &[$(Self::$name,)*];

            fn read(self, options: &Value) -> Result<PeerOptions, Error> {
                Ok(match self {
                    $(Self::$name => PeerOptions::$name(options::read(MACHINE, options)?),)*
                })
            }
        }

        /// The options of a [`PeerDetector`](crate::PeerDetector), by agent. As JSON they are an object
        /// with the agent's name as `profile`.
        #[derive(Debug, Clone, PartialEq)]
        #[non_exhaustive]
        pub enum PeerOptions {
            $($(#[$about])* $name(crate::$options),)*
        }

        impl PeerOptions {
            /// The agent.
            pub fn profile(&self) -> PeerProfile {
                match self {
                    $(Self::$name(_) => PeerProfile::$name,)*
                }
            }

            /// What its file says of it.
            pub(crate) fn of_agent(&self) -> &dyn AgentOptions {
                match self {
                    $(Self::$name(options) => options,)*
                }
            }

            fn agents_own(&self) -> Value {
                match self {
                    $(Self::$name(options) => options::to_value(options),)*
                }
            }
        }
    };
}

peers! {
    /// The verdicts of gemini-cli.
    GeminiCli(GeminiCliOptions),
    /// The verdicts of DeepV Code.
    Deepv(DeepvOptions),
    /// The verdicts of Roo Code.
    Roo(RooOptions),
    /// The verdicts of Cline.
    Cline(ClineOptions),
}

/// The one option that every agent has.
#[derive(Deserialize)]
struct Profile {
    profile: PeerProfile,
}

impl PeerOptions {
    /// Reads options out of a JSON object: the agent's name as `profile`, and its options.
    ///
    /// # Errors
    /// `invalid_config`, naming the field, for an option that the agent does not have, for a value of the
    /// wrong type or out of range, and for a `profile` that is missing or none of these agents.
    pub fn from_json(json: &str) -> Result<Self, Error> {
        Self::from_value(options::from_json(MACHINE, json)?)
    }

    /// As [`from_json`](Self::from_json), of JSON that was read.
    pub(crate) fn from_value(mut value: Value) -> Result<Self, Error> {
        let Some(fields) = value.as_object_mut() else {
            // Whose error says what it must be.
            return PeerProfile::Roo.read(&value);
        };
        let mut named = serde_json::Map::new();
        if let Some(profile) = fields.shift_remove("profile") {
            named.insert("profile".to_owned(), profile);
        }
        let Profile { profile } = options::read(MACHINE, &Value::Object(named))?;
        let options = profile.read(&value)?;
        options.of_agent().check()?;
        Ok(options)
    }

    /// As JSON has them.
    pub(crate) fn to_value(&self) -> Value {
        let mut value = self.agents_own();
        value["profile"] = options::to_value(&self.profile());
        value
    }
}

/// For a snapshot.
impl Serialize for PeerOptions {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_value().to_string().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for PeerOptions {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let json = String::deserialize(deserializer)?;
        Self::from_json(&json).map_err(de::Error::custom)
    }
}

/// A number that a host may set: its name, and the agent's own where the host has set none.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Number {
    name: &'static str,
    user_value: Option<u64>,
    usual: u64,
}

impl Number {
    pub(crate) fn new(name: &'static str, user_value: Option<Count>, usual: u64) -> Self {
        Self {
            name,
            user_value: user_value.map(Count::get),
            usual,
        }
    }

    pub(crate) fn value(self) -> u64 {
        self.user_value.unwrap_or(self.usual)
    }

    /// Refuses it if it is more than this.
    pub(crate) fn at_most(self, most: u64) -> Result<(), Error> {
        match self.value() {
            number if number > most => Err(refused(
                self.name,
                format!("must be at most {most}, not {number}"),
            )),
            _ => Ok(()),
        }
    }

    /// Refuses the one of the two that the host has set, if this is more than the other.
    pub(crate) fn no_more_than(self, other: Self) -> Result<(), Error> {
        let (lower, higher) = (self.value(), other.value());
        if lower <= higher {
            return Ok(());
        }
        Err(match self.user_value {
            Some(_) => refused(
                self.name,
                format!("must be at most {}, {higher}, not {lower}", other.name),
            ),
            None => refused(
                other.name,
                format!("must be at least {}, {lower}, not {higher}", self.name),
            ),
        })
    }
}

/// Whether an agent that asks a model by turns alone can do so.
pub(crate) fn check_model_check(user_options: Option<&ModelCheckSetting>) -> Result<(), Error> {
    let Some(ModelCheckSetting::On(options)) = user_options else {
        return Ok(());
    };
    let is_by_turns = matches!(options.when, None | Some(ModelCheckWhen::Turns));
    if !is_by_turns || options.has_doubt() {
        let message = "must be asked by turns: this agent knows no doubt".to_owned();
        return Err(refused("modelCheck", message));
    }
    let least = ModelCheckLimits::MIN_INTERVAL;
    let most = ModelCheckLimits::MAX_INTERVAL;
    let min_interval = Number::new("modelCheck.minInterval", options.min_interval, least);
    min_interval.no_more_than(Number::new(
        "modelCheck.maxInterval",
        options.max_interval,
        most,
    ))
}

/// The error for an option.
pub(crate) fn refused(option: &str, message: String) -> Error {
    Error::new(ErrorCode::InvalidConfig, MACHINE, message).at(option)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn field_of(options: &Value) -> Option<String> {
        let refused = PeerOptions::from_value(options.clone()).err()?;
        assert_eq!(refused.code(), ErrorCode::InvalidConfig);
        Some(refused.field().expect("a field").to_owned())
    }

    #[test]
    fn what_an_agent_does_not_have_and_what_is_out_of_bounds_is_named() {
        for (options, field) in [
            (json!([]), "options"),
            (json!({}), "profile"),
            (json!({"profile": "adaptive"}), "profile"),
            (json!({"profile": "roo", "rounds": 3}), "rounds"),
            (json!({"profile": "roo", "limit": 0.5}), "limit"),
            (json!({"profile": "openhands"}), "profile"),
            (json!({"profile": "cline", "limit": 3}), "limit"),
            (
                json!({"profile": "gemini-cli", "maxPeriod": 101}),
                "maxPeriod",
            ),
            (json!({"profile": "deepv", "unit": 5_001}), "unit"),
            (json!({"profile": "deepv", "copies": 101}), "copies"),
            (json!({"profile": "deepv", "history": 100_001}), "history"),
            (
                json!({"profile": "gemini-cli", "minPeriod": 6}),
                "minPeriod",
            ),
            (
                json!({"profile": "gemini-cli", "minPeriod": 1, "maxPeriod": 0}),
                "maxPeriod",
            ),
            (json!({"profile": "gemini-cli", "history": 49}), "history"),
            (
                json!({"profile": "deepv", "unit": 50, "history": 49}),
                "unit",
            ),
            (
                json!({"profile": "deepv", "modelCheck": {"minInterval": 16}}),
                "modelCheck.minInterval",
            ),
            (
                json!({"profile": "deepv", "modelCheck": {"maxInterval": 4}}),
                "modelCheck.maxInterval",
            ),
            (
                json!({"profile": "deepv", "modelCheck": {"turns": 4}}),
                "modelCheck.turns",
            ),
        ] {
            assert_eq!(field_of(&options).as_deref(), Some(field), "{options}");
        }
    }

    #[test]
    fn options_survive_being_written_and_read() {
        for profile in PeerProfile::ALL {
            let mut given =
                json!({"profile": profile, "messages": {"monologue": {"feedback": "f"}}});
            if *profile == PeerProfile::Roo {
                given["limit"] = json!(-3);
            }
            let options = PeerOptions::from_value(given.clone()).expect("valid");
            assert_eq!((options.profile(), options.to_value()), (*profile, given));
        }
    }
}
