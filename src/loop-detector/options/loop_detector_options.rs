//! The list of all options.

use serde::de::{self, Deserializer};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;

use super::{LoopMessages, LoopProfile, LowProgress, ModelCheckSetting, PreviewModel, ToolLists};
use crate::MACHINE;
use crate::rules::step_rules;
use turnkeeper_base::error::Error;
use turnkeeper_base::options::{self, Count, Threshold, table};
use turnkeeper_base::options_with_table;

macro_rules! with_step_rules {
    ($($(#[doc = $about:tt])* $option:ident::$rule:ident,)*) => { options_with_table! {
    /// The options of a [`LoopDetector`](crate::LoopDetector). What is left out has the profile's value.
    ///
    /// A rule is on if its profile has it or if one of its thresholds is set; its other options then have
    /// the values that are given here. An option that only says how a rule works changes nothing while the
    /// rule is off. So a host can add the rules of one
    /// profile to the other.
    ///
    /// A threshold is an integer of at least 1, or `false`, which switches its rule off. A number in an
    /// option's documentation is that of the profile which it names, or of every profile that has the rule.
    #[derive(Debug, Clone, Default, PartialEq)]
    #[cfg_attr(
        feature = "typescript",
        derive(ts_rs::TS),
        ts(optional_fields, rename_all = "camelCase")
    )]
    pub struct LoopDetectorOptions {
        /// The profile. Default: `"adaptive"`. Those of other agents are in `turnkeeper/peers`.
        pub profile: Option<LoopProfile>,

        /// The number of identical calls in a row that stops the model; 10 in `standard`.
        #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
        pub identical_calls: Option<Threshold>,
        /// The models that are watched by `previewCalls` and `previewIntensiveCalls`: those whose name contains the
        /// string, case ignored, or matches the pattern. Default: `/preview/i`.
        #[cfg_attr(feature = "typescript", ts(optional, type = "string | RegExp"))]
        pub preview_model: Option<PreviewModel>,
        /// The number of calls of one tool since the prompt started that stops a preview model; 5 in
        /// `standard`.
        #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
        pub preview_calls: Option<Threshold>,
        /// The same for the tools of `tools.intensive`; 4 in `standard`.
        #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
        pub preview_intensive_calls: Option<Threshold>,
        $(
            $(#[doc = $about])*
            #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
            pub $option: Option<Threshold>,
        )*
        /// The longest round of `cycleRounds`, in calls; 15, which is also the most.
        #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
        pub longest_cycle: Option<Count>,
        /// The number of identical calls in a row that stops the model while no result was seen in the
        /// prompt, from its sixth call on; 10 in `adaptive`. The first result ends it.
        #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
        pub blind_calls: Option<Threshold>,
        /// The same for rounds of 2 to 5 calls; 5 in `adaptive`.
        #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
        pub blind_rounds: Option<Threshold>,
        /// The longest result, in UTF-16 code units without white space and escape sequences, in which
        /// words of errors and of success are looked for; at most 2,000. Default: 400. On recorded
        /// sessions, 200 to 400 make no difference; at 600, text that only talks about errors is taken
        /// for an error.
        #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
        pub short_result: Option<Count>,
        /// Tools of the host's own, by what they do. Default: none.
        #[cfg_attr(feature = "typescript", ts(optional, type = "ToolLists"))]
        pub tools: Option<ToolLists>,
        /// Arguments that no rule compares, case ignored: names of keys, at the top of the arguments or within
        /// `params` and `nativeArgs`. The rules of `adaptive` leave out `description`, `explanation`,
        /// `task_progress`, `requires_approval`, `timeout` and the like in any case.
        pub cosmetic_arguments: Option<Vec<String>>,

        /// A passage of 2 to 1,000 UTF-16 code units is a loop at this number of copies without a break if
        /// they fill 200 units, or at 5 copies that fill 100 units for each of these; 20 in `standard` and
        /// `adaptive`. One copy is no repeat, so 1 counts as 2.
        #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
        pub repeated_passages: Option<Threshold>,
        /// The number of copies of such a passage without a break that is a nudge if they fill 600 units; 3
        /// in `adaptive`.
        #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
        pub long_passages: Option<Threshold>,
        /// The share of the last ten calls and results that was new, from 0 to 1, at or below which the model is
        /// told, from the 8th call of a prompt on and then not for 10 calls; `true` is 0.5. It is the check of
        /// `modelCheck` for hosts that have no model to ask, and never a stop. Default: `false`.
        #[cfg_attr(feature = "typescript", ts(optional, type = "number | boolean"))]
        pub low_progress: Option<LowProgress>,
        /// When to ask a model, or `false` for never.
        #[cfg_attr(
            feature = "typescript",
            ts(optional, type = "false | ModelCheckOptions")
        )]
        pub model_check: Option<ModelCheckSetting>,
        /// The host's own texts. `{tool}`, `{count}`, `{threshold}` and `{period}` are filled in.
        #[cfg_attr(
            feature = "typescript",
            ts(optional, type = "Partial<Record<LoopType, MessageTexts>>")
        )]
        pub messages: Option<LoopMessages>,
    }
    } };
}
step_rules!(with_step_rules);

impl LoopDetectorOptions {
    /// Reads options out of a JSON object.
    ///
    /// # Errors
    /// `invalid_config`, naming the field, for an unknown option and for a value of the wrong type
    /// or out of range.
    pub fn from_json(json: &str) -> Result<Self, Error> {
        Self::from_value(&options::from_json(MACHINE, json)?)
    }

    /// As [`from_json`](Self::from_json), of JSON that was read.
    pub(crate) fn from_value(value: &Value) -> Result<Self, Error> {
        table::read(MACHINE, Self::FIELDS, value).map_err(|error| {
            let field = error.field().unwrap_or_default();
            let is_unknown =
                value.get(field).is_some() && table::find(Self::FIELDS, field).is_none();
            match is_unknown || field == "profile" {
                true => error.adding("; those of other agents are in \"turnkeeper/peers\""),
                false => error,
            }
        })
    }

    /// The options that are set, as JSON.
    pub(crate) fn to_value(&self) -> Value {
        table::write(Self::FIELDS, self)
    }

    /// Options that are not set have the value that others have.
    pub(crate) fn or(mut self, others: Self) -> Self {
        table::fill(Self::FIELDS, &mut self, others);
        self
    }
}

/// As JSON has them, those that are set.
impl Serialize for LoopDetectorOptions {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_value().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for LoopDetectorOptions {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        Self::from_value(&value).map_err(de::Error::custom)
    }
}
