//! What a host may set, and how it is read.

pub use super::setting_list::LoopDetectorOptions;

use super::MACHINE;
use super::messages::MessageTexts;
use super::setting_list::LIST;
use super::verdict::LoopType;
use crate::error::{Error, ErrorCode};
use crate::setting::{Kind, Kinds, Named, OPTIONS, OptionValue, Setting, Share, Word, write};

/// A rule set.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(rename_all = "kebab-case")
)]
pub enum LoopProfile {
    /// The rules of the seed product; the default.
    #[default]
    Standard,
    /// Evidence-based rules over calls and results.
    Adaptive,
    /// The verdicts of gemini-cli.
    GeminiCli,
    /// The verdicts of DeepV Code.
    Deepv,
    /// The verdicts of OpenHands.
    Openhands,
    /// The verdicts of Roo Code.
    Roo,
    /// The verdicts of Cline.
    Cline,
    /// The verdicts of crush.
    Crush,
}

impl LoopProfile {
    pub(super) const NAMES: &str = "standard adaptive gemini-cli deepv openhands roo cline crush";
}

/// Which models are watched more strictly.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PreviewModel {
    /// Those whose name contains this, ASCII case ignored.
    Contains(String),
    /// Those that a JavaScript regular expression matches. Only JavaScript can tell, so the
    /// caller of [`start_prompt`](super::LoopDetector::start_prompt) does.
    #[allow(missing_docs)]
    Pattern { source: String, flags: String },
}

/// Whether the name contains the part, ASCII case ignored.
pub(crate) fn contains(name: &str, part: &str) -> bool {
    let (mut rest, part) = (name.as_bytes(), part.as_bytes());
    while let Some(begin) = rest.get(..part.len()) {
        if begin.eq_ignore_ascii_case(part) {
            return true;
        }
        rest = &rest[1..];
    }
    false
}

/// When a model is asked for its opinion. What is left out has the profile's value, or the seed's.
#[derive(Debug, Clone, Default, PartialEq)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(optional_fields, rename_all = "camelCase")
)]
pub struct ModelCheckOptions {
    /// From this turn of a prompt on; 30.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
    pub after_turns: Option<u64>,
    /// Turns from one request to the next until the first answer; 3, in `gemini-cli` 10.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
    pub interval: Option<u64>,
    /// Turns to the next request after an answer of confidence 1; 5.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
    pub min_interval: Option<u64>,
    /// Turns to the next request after an answer of confidence 0; 15.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
    pub max_interval: Option<u64>,
    /// How many of the newest entries of the history the model gets to see; 20.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
    pub history_count: Option<u64>,
    /// A confidence above this, from 0 to 1, is a loop; 0.9.
    pub confidence: Option<f64>,
    /// Whether just this confidence is a loop, too; `false`, in `gemini-cli` `true`.
    pub inclusive: Option<bool>,
}

/// Off, or on with options.
#[derive(Debug, Clone, PartialEq)]
pub enum ModelCheckSetting {
    /// No model is ever asked.
    Off,
    /// On.
    On(ModelCheckOptions),
}

/// What becomes of a `stop`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(rename_all = "snake_case")
)]
pub enum AfterFiring {
    /// Every further event gets it, until a new prompt or `clear`.
    #[default]
    Latched,
    /// The rule that fired starts afresh; the next event is judged as if it had not. For a rule over
    /// prose that is the next delta, so verdicts then depend on how prose is cut.
    Reset,
    /// The verdict is what the rules say of the events so far, so it ends with its reason: with a
    /// different call, for instance.
    Stateless,
}

/// What of a call's arguments is compared.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(rename_all = "snake_case")
)]
pub enum CompareArguments {
    /// Their value; the order of keys does not matter, and a JSON string is the value that it holds.
    #[default]
    Sorted,
    /// The same, but a string is compared as it is. One that is the object's JSON, keys sorted and
    /// without white space, is the same as the object.
    SortedOrText,
    /// Their value with keys in the order given; a JSON string is the value that it holds.
    Ordered,
    /// As they were written. An object is written as `JSON.stringify` does it.
    Raw,
    /// Of their keys, `params` and, unless it is empty, `nativeArgs`, whose keys may come in any
    /// order, but not those further in. Arguments without these two count as `params`.
    Params,
    /// Nothing: all calls of one tool are the same.
    None,
}

/// What of a result is compared.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(rename_all = "snake_case")
)]
pub enum CompareResults {
    /// Nothing: calls are counted when they are made.
    #[default]
    None,
    /// Of a command, its exit code, if the result carries one; otherwise the whole output.
    ExitCode,
    /// The whole output.
    Full,
}

impl LoopDetectorOptions {
    /// Reads options out of a JSON object.
    ///
    /// # Errors
    /// `invalid_config`, naming the field, for an unknown option and for a value of the wrong type
    /// or out of range.
    pub fn from_json(json: &str) -> Result<Self, Error> {
        let value: serde_json::Value = serde_json::from_str(json).map_err(|error| {
            let message = format!("are not JSON: {error}");
            Error::new(ErrorCode::InvalidConfig, MACHINE, message).at(OPTIONS)
        })?;
        Self::read(&Setting::from(value))
    }

    pub(crate) fn read(value: &Setting) -> Result<Self, Error> {
        let value = Named::whole(MACHINE, value);
        value.fill(LIST, &mut [])?;
        let mut options = Self::default();
        value.read(&mut options.values())?;
        Ok(options)
    }

    /// What [`read`](Self::read) reads.
    pub(crate) fn write(&mut self) -> Setting {
        write(&self.values())
    }
}

impl Word for LoopProfile {
    const MEANINGS: &'static [Self] = &[
        Self::Standard,
        Self::Adaptive,
        Self::GeminiCli,
        Self::Deepv,
        Self::Openhands,
        Self::Roo,
        Self::Cline,
        Self::Crush,
    ];
    const WORDS: &'static str = Self::NAMES;
}

impl AfterFiring {
    pub(super) const NAMES: &str = "latched reset stateless";
}

impl Word for AfterFiring {
    const MEANINGS: &'static [Self] = &[Self::Latched, Self::Reset, Self::Stateless];
    const WORDS: &'static str = Self::NAMES;
}

impl CompareArguments {
    pub(super) const ALL: [Self; 6] = [
        Self::Sorted,
        Self::SortedOrText,
        Self::Ordered,
        Self::Raw,
        Self::Params,
        Self::None,
    ];
    pub(super) const NAMES: &str = "sorted sorted_or_text ordered raw params none";
}

impl Word for CompareArguments {
    const MEANINGS: &'static [Self] = &Self::ALL;
    const WORDS: &'static str = Self::NAMES;
}

impl CompareResults {
    pub(super) const NAMES: &str = "none exit_code full";
}

impl Word for CompareResults {
    const MEANINGS: &'static [Self] = &[Self::None, Self::ExitCode, Self::Full];
    const WORDS: &'static str = Self::NAMES;
}

impl ModelCheckOptions {
    /// The names of its settings, and what may be their values.
    pub(super) const LIST: &Kinds = &Kinds {
        names: "afterTurns interval minInterval maxInterval historyCount confidence inclusive",
        kinds: &[
            Kind::Count,
            Kind::Count,
            Kind::Count,
            Kind::Count,
            Kind::Count,
            Kind::Share,
            Kind::Flag,
        ],
    };
}

impl OptionValue for Option<PreviewModel> {
    fn read(&mut self, from: &Named) -> Result<(), Error> {
        *self = Some(match from.value {
            Setting::Text(part) => PreviewModel::Contains(part.clone()),
            Setting::Pattern { source, flags } => PreviewModel::Pattern {
                source: source.clone(),
                flags: flags.clone(),
            },
            _ => return Err(from.error("must be a string or a RegExp")),
        });
        Ok(())
    }

    fn write(&self) -> Option<Setting> {
        Some(match self.clone()? {
            PreviewModel::Contains(part) => Setting::Text(part),
            PreviewModel::Pattern { source, flags } => Setting::Pattern { source, flags },
        })
    }
}

impl ModelCheckOptions {
    fn with_values<T>(
        &mut self,
        with: impl FnOnce(&mut [(&'static str, &mut dyn OptionValue)]) -> T,
    ) -> T {
        with(&mut [
            ("afterTurns", &mut self.after_turns),
            ("interval", &mut self.interval),
            ("minInterval", &mut self.min_interval),
            ("maxInterval", &mut self.max_interval),
            ("historyCount", &mut self.history_count),
            ("confidence", &mut Share(&mut self.confidence)),
            ("inclusive", &mut self.inclusive),
        ])
    }
}

impl OptionValue for Option<ModelCheckSetting> {
    fn read(&mut self, from: &Named) -> Result<(), Error> {
        *self = Some(match from.value {
            Setting::Flag(false) => ModelCheckSetting::Off,
            Setting::Fields(_) => {
                let mut options = ModelCheckOptions::default();
                options.with_values(|values| from.read(values))?;
                ModelCheckSetting::On(options)
            }
            _ => return Err(from.error("must be false or an object")),
        });
        Ok(())
    }

    fn write(&self) -> Option<Setting> {
        Some(match self.clone()? {
            ModelCheckSetting::Off => Setting::Flag(false),
            ModelCheckSetting::On(mut options) => options.with_values(|values| write(values)),
        })
    }
}

impl MessageTexts {
    fn values(&mut self) -> [(&'static str, &mut dyn OptionValue); 2] {
        [
            ("message", &mut self.message),
            ("feedback", &mut self.feedback),
        ]
    }
}

impl OptionValue for Option<Vec<(LoopType, MessageTexts)>> {
    fn read(&mut self, from: &Named) -> Result<(), Error> {
        let mut messages = Vec::new();
        for (name, value) in from.fields()? {
            let loop_type = LoopType::ALL.into_iter().find(|known| known.name() == name);
            let Some(loop_type) = loop_type else {
                return Err(value.error("is not a type of loop"));
            };
            let mut texts = MessageTexts::default();
            value.read(&mut texts.values())?;
            messages.push((loop_type, texts));
        }
        *self = Some(messages);
        Ok(())
    }

    fn write(&self) -> Option<Setting> {
        let mut fields = Vec::new();
        for (loop_type, mut texts) in self.clone()? {
            fields.push((loop_type.name().to_owned(), write(&texts.values())));
        }
        Some(Setting::Fields(fields))
    }
}

pub(crate) fn invalid(field: &str, message: impl Into<String>) -> Error {
    Error::new(ErrorCode::InvalidConfig, MACHINE, message).at(field)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_wrong_option_is_named() {
        let table = [
            ("[]", "options"),
            ("nothing", "options"),
            (r#"{"identicalCall": 3}"#, "identicalCall"),
            (r#"{"identicalCalls": 0}"#, "identicalCalls"),
            (r#"{"identicalCalls": 2.5}"#, "identicalCalls"),
            (r#"{"identicalCalls": "3"}"#, "identicalCalls"),
            (r#"{"previewCalls": -1}"#, "previewCalls"),
            (
                r#"{"previewIntensiveCalls": null}"#,
                "previewIntensiveCalls",
            ),
            (r#"{"repeatedPassages": 1e300}"#, "repeatedPassages"),
            (r#"{"profile": "Standard"}"#, "profile"),
            (r#"{"previewModel": 3}"#, "previewModel"),
            (
                r#"{"previewModel": {"source": "a", "flags": ""}}"#,
                "previewModel",
            ),
            (r#"{"intensiveTools": "ls"}"#, "intensiveTools"),
            (r#"{"intensiveTools": ["ls", 1]}"#, "intensiveTools[1]"),
            (r#"{"modelCheck": true}"#, "modelCheck"),
            (r#"{"modelCheck": {"interval": 0}}"#, "modelCheck.interval"),
            (
                r#"{"modelCheck": {"confidence": 1.1}}"#,
                "modelCheck.confidence",
            ),
            (r#"{"modelCheck": {"turns": 1}}"#, "modelCheck.turns"),
            (r#"{"messages": {"loop": {}}}"#, "messages.loop"),
            (r#"{"messages": {"monologue": "x"}}"#, "messages.monologue"),
            (
                r#"{"messages": {"monologue": {"message": 1}}}"#,
                "messages.monologue.message",
            ),
            (
                r#"{"messages": {"monologue": {"text": ""}}}"#,
                "messages.monologue.text",
            ),
        ];
        for (json, field) in table {
            let error = LoopDetectorOptions::from_json(json).expect_err(json);
            assert_eq!(error.code(), ErrorCode::InvalidConfig);
            assert_eq!(error.field(), Some(field), "{json}");
        }
    }

    #[test]
    fn options_survive_being_written_and_read() {
        for json in [
            r#"{}"#,
            r#"{"profile":"standard","identicalCalls":3,"previewModel":"x","previewCalls":7}"#,
            r#"{"previewIntensiveCalls":6,"intensiveTools":["a"],"repeatedPassages":9}"#,
            r#"{"modelCheck":false,"messages":{"monologue":{"feedback":"f"}}}"#,
            r#"{"modelCheck":{"afterTurns":1,"interval":2,"minInterval":3,"maxInterval":4,
                "historyCount":5,"confidence":0.5},"messages":{}}"#,
        ] {
            let options = LoopDetectorOptions::from_json(json).expect("valid");
            assert_eq!(
                LoopDetectorOptions::read(&options.clone().write()),
                Ok(options)
            );
        }
        let pattern = PreviewModel::Pattern {
            source: "x".to_owned(),
            flags: "i".to_owned(),
        };
        let options = LoopDetectorOptions {
            preview_model: Some(pattern),
            ..LoopDetectorOptions::default()
        };
        assert_eq!(
            LoopDetectorOptions::read(&options.clone().write()),
            Ok(options)
        );
    }

    #[test]
    fn a_model_is_found_by_a_part_of_its_name() {
        for (model, strict) in [
            ("gemini-3-pro-preview", true),
            ("gemini-pro-PREVIEW-05", true),
            ("gemini-2.0-flash", false),
            ("previe", false),
            ("", false),
        ] {
            assert_eq!(contains(model, "preview"), strict, "{model}");
        }
    }
}
