//! The options that a host may set: an agent, and what that agent's detection has.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::report::{PeerRule, PeerRules};
use turnkeeper_base::error::Error;
use turnkeeper_base::options;
use turnkeeper_loop_detector::detecting::{
    DetectorOptions, Prompts, Setup, check_intervals, refused,
};
use turnkeeper_loop_detector::{
    LoopMessages, MACHINE, ModelCheckSetting, ModelCheckWhen, PreviewModel,
};

/// An agent's options.
pub(crate) trait AgentOptions {
    /// Whether numbers are in bounds, so that memory and the cost of an event are, and in order.
    fn check(&self) -> Result<(), Error> {
        Ok(())
    }

    /// The agent's detection, with the host's numbers where the host has set any.
    fn rules(&self) -> Box<PeerRules>;

    /// When the agent asks a model, if it does.
    fn model_check(&self) -> Option<ModelCheckSetting> {
        None
    }

    /// The models that count as preview models, if the host has said so.
    fn preview_model(&self) -> Option<&PreviewModel> {
        None
    }
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

            /// The agent's own options.
            pub(crate) fn of_agent(&self) -> &dyn AgentOptions {
                match self {
                    $(Self::$name(options) => options,)*
                }
            }

            fn texts(&self) -> Option<&LoopMessages> {
                match self {
                    $(Self::$name(options) => options.messages.as_ref(),)*
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
        Self::from_value(&options::from_json(MACHINE, json)?)
    }
}

impl DetectorOptions for PeerOptions {
    type Rule = PeerRule;
    type Profile = PeerProfile;

    const SNAPSHOT_LETTER: u8 = b'p';

    fn from_value(value: &Value) -> Result<Self, Error> {
        let mut value = value.clone();
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

    fn to_value(&self) -> Value {
        let mut value = self.agents_own();
        value["profile"] = options::to_value(&self.profile());
        value
    }

    fn set_up(&mut self) -> Result<Setup<PeerRule, PeerProfile>, Error> {
        // A native user's struct may hold what JSON may not.
        *self = Self::from_value(&self.to_value())?;
        Ok(Setup {
            profile: self.profile(),
            model_check: self.of_agent().model_check(),
            prompts: Prompts::Completed,
            rules: self.of_agent().rules(),
        })
    }

    fn messages(&self) -> Option<&LoopMessages> {
        self.texts()
    }

    fn preview_model(&self) -> Option<&PreviewModel> {
        self.of_agent().preview_model()
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
    check_intervals(user_options)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use turnkeeper_base::error::ErrorCode;

    fn field_of(options: &Value) -> Option<String> {
        let refused = PeerOptions::from_value(options).err()?;
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
            let options = PeerOptions::from_value(&given).expect("valid");
            assert_eq!((options.profile(), options.to_value()), (*profile, given));
        }
    }
}
