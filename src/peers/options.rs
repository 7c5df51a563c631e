//! What a host may set: an agent, and what that agent's detection has.

use std::fmt;

use serde::de::{self, Deserializer, Unexpected, Visitor};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::MACHINE;
use crate::settings::{RuleSettings, count};
use turnkeeper_base::error::{Error, ErrorCode};
use turnkeeper_base::options::{self, Threshold};
use turnkeeper_loop_detector::model_check::ModelCheckLimits;
use turnkeeper_loop_detector::{ModelCheckSetting, ModelCheckWhen, ProfileName};

/// Another agent's detection: its options say which rules it has.
pub(crate) trait Peer {
    /// Its rules, with the host's numbers where the host has set any.
    fn settings(&self) -> RuleSettings;
}

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

            pub(crate) fn in_report(self) -> ProfileName {
                match self {
                    $(Self::$name => ProfileName::$name,)*
                }
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

            fn peer(&self) -> &dyn Peer {
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
    /// The verdicts of OpenHands.
    Openhands(OpenhandsOptions),
    /// The verdicts of Roo Code.
    Roo(RooOptions),
    /// The verdicts of Cline.
    Cline(ClineOptions),
    /// The verdicts of crush.
    Crush(CrushOptions),
    /// The verdicts of OpenHands' software agent SDK.
    OpenhandsSdk(OpenhandsSdkOptions),
    /// The verdicts of opencode and Kilo Code.
    Opencode(OpencodeOptions),
    /// The verdicts of Qwen Code.
    QwenCode(QwenCodeOptions),
    /// The verdicts of OpenClaw.
    Openclaw(OpenclawOptions),
    /// The verdicts of goose.
    Goose(GooseOptions),
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
        check(&options.settings(), &value)?;
        Ok(options)
    }

    /// As JSON has them.
    pub(crate) fn to_value(&self) -> Value {
        let mut value = self.agents_own();
        value["profile"] = options::to_value(&self.profile());
        value
    }

    /// The rules, with their numbers.
    pub(crate) fn settings(&self) -> RuleSettings {
        self.peer().settings()
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

/// Whether numbers are in bounds, so that memory and the cost of an event are, and in order. An error
/// names the option that the host has set.
fn check(settings: &RuleSettings, user_options: &Value) -> Result<(), Error> {
    let fires_at = |threshold: Option<Threshold>| threshold.and_then(Threshold::count);
    at_most("maxPeriod", settings.max_period, 100)?;
    at_most("windowSize", settings.window_size, 100)?;
    at_most("recentEvents", settings.recent_events, 100)?;
    at_most("callWindow", settings.call_window, 100)?;
    at_most("readWindow", settings.read_window, 32)?;
    at_most("alternatingCalls", fires_at(settings.alternating_calls), 50)?;
    at_most("unit", settings.unit, 5_000)?;
    at_most("copies", fires_at(settings.copies), 100)?;
    at_most("history", settings.history, 100_000)?;
    in_order(
        ("minPeriod", settings.min_period),
        ("maxPeriod", settings.max_period),
        user_options,
    )?;
    in_order(
        ("unit", settings.unit),
        ("history", settings.history),
        user_options,
    )?;
    if let Some(ModelCheckSetting::On(model_check)) = &settings.model_check {
        let is_by_turns = matches!(model_check.when, None | Some(ModelCheckWhen::Turns));
        if !is_by_turns || model_check.has_doubt() {
            let message = "must be asked by turns: this agent knows no doubt".to_owned();
            return Err(refused("modelCheck", message));
        }
        let least = ModelCheckLimits::MIN_INTERVAL;
        let most = ModelCheckLimits::MAX_INTERVAL;
        in_order(
            (
                "modelCheck.minInterval",
                count(model_check.min_interval, least),
            ),
            (
                "modelCheck.maxInterval",
                count(model_check.max_interval, most),
            ),
            user_options,
        )?;
    }
    Ok(())
}

fn at_most(option: &str, number: Option<u64>, most: u64) -> Result<(), Error> {
    match number {
        Some(number) if number > most => Err(refused(
            option,
            format!("must be at most {most}, not {number}"),
        )),
        _ => Ok(()),
    }
}

/// Whether the first number is no larger than the second, if both are known.
fn in_order(
    (low, lower): (&str, Option<u64>),
    (high, higher): (&str, Option<u64>),
    user_options: &Value,
) -> Result<(), Error> {
    let (Some(lower), Some(higher)) = (lower, higher) else {
        return Ok(());
    };
    if lower <= higher {
        return Ok(());
    }
    let place = format!("/{}", low.replace('.', "/"));
    Err(match user_options.pointer(&place) {
        Some(_) => refused(
            low,
            format!("must be at most {high}, {higher}, not {lower}"),
        ),
        None => refused(
            high,
            format!("must be at least {low}, {lower}, not {higher}"),
        ),
    })
}

fn refused(option: &str, message: String) -> Error {
    Error::new(ErrorCode::InvalidConfig, MACHINE, message).at(option)
}

/// Any integer, or `false`, which means 0.
pub(crate) fn limit<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<i64>, D::Error> {
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
            (json!({"profile": "openhands", "headless": 1}), "headless"),
            (
                json!({"profile": "gemini-cli", "maxPeriod": 101}),
                "maxPeriod",
            ),
            (json!({"profile": "crush", "windowSize": 101}), "windowSize"),
            (
                json!({"profile": "openhands-sdk", "recentEvents": 101}),
                "recentEvents",
            ),
            (
                json!({"profile": "openclaw", "callWindow": 101}),
                "callWindow",
            ),
            (
                json!({"profile": "qwen-code", "readWindow": 33}),
                "readWindow",
            ),
            (
                json!({"profile": "qwen-code", "alternatingCalls": 51}),
                "alternatingCalls",
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
