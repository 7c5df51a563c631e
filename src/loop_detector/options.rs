//! What a host may set, and how it is read.

use super::MACHINE;
use super::messages::MessageTexts;
use super::verdict::LoopType;
use crate::error::{Error, ErrorCode};
use crate::setting::{Named, OPTIONS, Setting};

/// A rule set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(rename_all = "kebab-case")
)]
pub enum LoopProfile {
    /// The rules of the seed product; the default.
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
        let found = Self::ALL.iter().find(|(profile, _)| *profile == self);
        found.expect("every profile is listed").1
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
            Self::Contains(part) => {
                let (model, part) = (model.as_bytes(), part.as_bytes());
                part.is_empty()
                    || model
                        .windows(part.len())
                        .any(|window| window.eq_ignore_ascii_case(part))
            }
            Self::Pattern { .. } => false,
        }
    }
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
        let whole = Named {
            machine: MACHINE,
            name: OPTIONS.to_owned(),
            value,
        };
        for (name, value) in whole.fields()? {
            match name {
                "profile" => options.profile = Some(profile(&value)?),
                "identicalCalls" => options.identical_calls = Some(value.count()?),
                "previewModel" => options.preview_model = Some(preview_model(&value)?),
                "previewCalls" => options.preview_calls = Some(value.count()?),
                "previewIntensiveCalls" => options.preview_intensive_calls = Some(value.count()?),
                "intensiveTools" => options.intensive_tools = Some(value.texts()?),
                "repeatedPassages" => options.repeated_passages = Some(value.count()?),
                "modelCheck" => options.model_check = Some(model_check(&value)?),
                "messages" => options.messages = Some(messages(&value)?),
                _ => return Err(value.error("is not an option of this profile")),
            }
        }
        Ok(options)
    }

    /// What [`read`](Self::read) reads.
    pub(crate) fn write(&self) -> Setting {
        let mut fields = Fields::default();
        fields.put(
            "profile",
            self.profile.map(|profile| profile.name().to_owned()),
        );
        fields.put("identicalCalls", self.identical_calls);
        fields.put(
            "previewModel",
            self.preview_model.as_ref().map(|model| match model {
                PreviewModel::Contains(part) => Setting::Text(part.clone()),
                PreviewModel::Pattern { source, flags } => Setting::Pattern {
                    source: source.clone(),
                    flags: flags.clone(),
                },
            }),
        );
        fields.put("previewCalls", self.preview_calls);
        fields.put("previewIntensiveCalls", self.preview_intensive_calls);
        fields.put(
            "intensiveTools",
            self.intensive_tools
                .as_ref()
                .map(|tools| Setting::List(tools.iter().cloned().map(Setting::Text).collect())),
        );
        fields.put("repeatedPassages", self.repeated_passages);
        fields.put(
            "modelCheck",
            self.model_check.as_ref().map(|setting| match setting {
                ModelCheckSetting::Off => Setting::Flag(false),
                ModelCheckSetting::On(own) => {
                    let mut fields = Fields::default();
                    fields.put("afterTurns", own.after_turns);
                    fields.put("interval", own.interval);
                    fields.put("minInterval", own.min_interval);
                    fields.put("maxInterval", own.max_interval);
                    fields.put("historyCount", own.history_count);
                    fields.put("confidence", own.confidence.map(Setting::Number));
                    fields.into()
                }
            }),
        );
        fields.put(
            "messages",
            self.messages.as_ref().map(|messages| {
                let mut fields = Fields::default();
                for (loop_type, texts) in messages {
                    let mut own = Fields::default();
                    own.put("message", texts.message.clone());
                    own.put("feedback", texts.feedback.clone());
                    fields.put(loop_type.name(), Some(Setting::from(own)));
                }
                Setting::from(fields)
            }),
        );
        fields.into()
    }
}

/// The named values of an object, those that are set.
#[derive(Default)]
struct Fields(Vec<(String, Setting)>);

impl Fields {
    fn put(&mut self, name: &str, value: Option<impl Into<Setting>>) {
        if let Some(value) = value {
            self.0.push((name.to_owned(), value.into()));
        }
    }
}

impl From<Fields> for Setting {
    fn from(fields: Fields) -> Self {
        Self::Fields(fields.0)
    }
}

pub(crate) fn invalid(field: &str, message: impl Into<String>) -> Error {
    Error::new(ErrorCode::InvalidConfig, MACHINE, message).at(field)
}

fn profile(value: &Named) -> Result<LoopProfile, Error> {
    let given = value.text().unwrap_or_default();
    let found = LoopProfile::ALL.iter().find(|(_, name)| *name == given);
    found.map(|(profile, _)| *profile).ok_or_else(|| {
        let names = LoopProfile::ALL.map(|(_, name)| name).join(", ");
        value.error(format!("must be one of {names}"))
    })
}

fn preview_model(value: &Named) -> Result<PreviewModel, Error> {
    match value.value {
        Setting::Text(part) => Ok(PreviewModel::Contains(part.clone())),
        Setting::Pattern { source, flags } => Ok(PreviewModel::Pattern {
            source: source.clone(),
            flags: flags.clone(),
        }),
        _ => Err(value.error("must be a string or a RegExp")),
    }
}

fn model_check(value: &Named) -> Result<ModelCheckSetting, Error> {
    if *value.value == Setting::Flag(false) {
        return Ok(ModelCheckSetting::Off);
    }
    let Setting::Fields(_) = value.value else {
        return Err(value.error("must be false or an object"));
    };
    let mut options = ModelCheckOptions::default();
    for (name, value) in value.fields()? {
        match name {
            "afterTurns" => options.after_turns = Some(value.count()?),
            "interval" => options.interval = Some(value.count()?),
            "minInterval" => options.min_interval = Some(value.count()?),
            "maxInterval" => options.max_interval = Some(value.count()?),
            "historyCount" => options.history_count = Some(value.count()?),
            "confidence" => options.confidence = Some(value.share()?),
            _ => return Err(value.error("is not an option of the model check")),
        }
    }
    Ok(ModelCheckSetting::On(options))
}

fn messages(value: &Named) -> Result<Vec<(LoopType, MessageTexts)>, Error> {
    let mut messages = Vec::new();
    for (name, value) in value.fields()? {
        let loop_type = LoopType::ALL.into_iter().find(|known| known.name() == name);
        let Some(loop_type) = loop_type else {
            return Err(value.error("is not a type of loop"));
        };
        let mut texts = MessageTexts::default();
        for (name, value) in value.fields()? {
            match name {
                "message" => texts.message = Some(value.text()?.to_owned()),
                "feedback" => texts.feedback = Some(value.text()?.to_owned()),
                _ => return Err(value.error("must be message or feedback")),
            }
        }
        messages.push((loop_type, texts));
    }
    Ok(messages)
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
            assert_eq!(LoopDetectorOptions::read(&options.write()), Ok(options));
        }
        let pattern = PreviewModel::Pattern {
            source: "x".to_owned(),
            flags: "i".to_owned(),
        };
        let options = LoopDetectorOptions {
            preview_model: Some(pattern),
            ..LoopDetectorOptions::default()
        };
        assert_eq!(LoopDetectorOptions::read(&options.write()), Ok(options));
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
