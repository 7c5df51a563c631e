//! What a host may set, and how it is read.

use super::MACHINE;
use super::messages::MessageTexts;
use super::verdict::LoopType;
use crate::error::{Error, ErrorCode};
use crate::setting::{Named, OPTIONS, OptionValue, Setting, Share, Word, write};

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
    /// In the order in which they are declared.
    const ALL: [(Self, &'static str); 8] = [
        (Self::Standard, "standard"),
        (Self::Adaptive, "adaptive"),
        (Self::GeminiCli, "gemini-cli"),
        (Self::Deepv, "deepv"),
        (Self::Openhands, "openhands"),
        (Self::Roo, "roo"),
        (Self::Cline, "cline"),
        (Self::Crush, "crush"),
    ];

    pub(crate) fn name(self) -> &'static str {
        Self::ALL[self as usize].1
    }
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

impl PreviewModel {
    pub(crate) fn matches(&self, model: &str) -> bool {
        match self {
            Self::Contains(part) => contains(model, part),
            Self::Pattern { .. } => false,
        }
    }
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

/// When a model is asked for its opinion. What is left out has the seed's value.
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
    /// Turns from one request to the next until the first answer; 3.
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
}

/// Off, or on with options.
#[derive(Debug, Clone, PartialEq)]
pub enum ModelCheckSetting {
    /// No model is ever asked.
    Off,
    /// On.
    On(ModelCheckOptions),
}

/// The settings of a [`LoopDetector`](super::LoopDetector). What is left out has the profile's
/// value, which for `standard` is the seed's. A threshold is an integer of at least 1.
#[derive(Debug, Clone, Default, PartialEq)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(optional_fields, rename_all = "camelCase")
)]
pub struct LoopDetectorOptions {
    /// The rule set; `standard`.
    pub profile: Option<LoopProfile>,
    /// So many identical calls in a row stop the model; 10.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
    pub identical_calls: Option<u64>,
    /// Which models are watched by `previewCalls` and `previewIntensiveCalls`: those whose name
    /// contains the string, case ignored, or matches the pattern; `/preview/i`.
    #[cfg_attr(feature = "typescript", ts(optional, type = "string | RegExp"))]
    pub preview_model: Option<PreviewModel>,
    /// So many calls of one tool since the prompt started stop a preview model; 5.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
    pub preview_calls: Option<u64>,
    /// The same for the tools of `intensiveTools`; 4.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
    pub preview_intensive_calls: Option<u64>,
    /// `read_file`, `read_many_files`, `glob`, `search_file_content` and `ls`.
    pub intensive_tools: Option<Vec<String>>,
    /// A passage of 2 to 1,000 UTF-16 code units is a loop at so many copies without a break that
    /// fill 200 units, or at 5 copies that fill 100 units for each of these; 20. One copy is no
    /// repeat, so 1 counts as 2.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
    pub repeated_passages: Option<u64>,
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
    pub messages: Option<Vec<(LoopType, MessageTexts)>>,
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
        let mut options = Self::default();
        Named::whole(MACHINE, value).read(&mut options.values())?;
        Ok(options)
    }

    /// What [`read`](Self::read) reads.
    pub(crate) fn write(&mut self) -> Setting {
        write(&self.values())
    }

    fn values(&mut self) -> [(&'static str, &mut dyn OptionValue); 9] {
        [
            ("profile", &mut self.profile),
            ("identicalCalls", &mut self.identical_calls),
            ("previewModel", &mut self.preview_model),
            ("previewCalls", &mut self.preview_calls),
            ("previewIntensiveCalls", &mut self.preview_intensive_calls),
            ("intensiveTools", &mut self.intensive_tools),
            ("repeatedPassages", &mut self.repeated_passages),
            ("modelCheck", &mut self.model_check),
            ("messages", &mut self.messages),
        ]
    }
}

impl Word for LoopProfile {
    const WORDS: &'static [(Self, &'static str)] = &Self::ALL;
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
        let preview = PreviewModel::Contains("preview".to_owned());
        for (model, strict) in [
            ("gemini-3-pro-preview", true),
            ("gemini-pro-PREVIEW-05", true),
            ("gemini-2.0-flash", false),
            ("previe", false),
            ("", false),
        ] {
            assert_eq!(preview.matches(model), strict, "{model}");
        }
    }
}
