//! The options with every default filled in. The numbers are the seed's.

use super::messages::MessageTexts;
use super::model_check::ModelCheckLimits;
use super::options::{
    LoopDetectorOptions, LoopProfile, ModelCheckOptions, ModelCheckSetting, PreviewModel, invalid,
};
use super::verdict::LoopType;
use crate::call::{self, Call};
use crate::error::Error;

const INTENSIVE_TOOLS: [&str; 5] = [
    "read_file",
    "read_many_files",
    "glob",
    "search_file_content",
    "ls",
];

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Settings {
    pub(crate) profile: LoopProfile,
    pub(crate) identical_calls: u64,
    pub(crate) preview_model: PreviewModel,
    pub(crate) preview_calls: u64,
    pub(crate) preview_intensive_calls: u64,
    /// By [`Call::tool_fingerprint`].
    pub(crate) intensive_tools: Vec<u64>,
    pub(crate) repeated_passages: u64,
    pub(crate) model_check: Option<ModelCheckLimits>,
    pub(crate) messages: Vec<(LoopType, MessageTexts)>,
}

impl Settings {
    pub(crate) fn new(options: &LoopDetectorOptions) -> Result<Self, Error> {
        let profile = options.profile.unwrap_or(LoopProfile::Standard);
        if profile != LoopProfile::Standard {
            let message = format!("{} is not available in this version", profile.name());
            return Err(invalid("profile", message));
        }
        let preview_model = options.preview_model.clone();
        let tools = options.intensive_tools.as_deref();
        Ok(Self {
            profile,
            identical_calls: count("identicalCalls", options.identical_calls, 10)?,
            preview_model: preview_model
                .unwrap_or_else(|| PreviewModel::Contains("preview".to_owned())),
            preview_calls: count("previewCalls", options.preview_calls, 5)?,
            preview_intensive_calls: count(
                "previewIntensiveCalls",
                options.preview_intensive_calls,
                4,
            )?,
            intensive_tools: match tools {
                Some(tools) => tools.iter().map(|tool| fingerprint(tool)).collect(),
                None => INTENSIVE_TOOLS.into_iter().map(fingerprint).collect(),
            },
            repeated_passages: count("repeatedPassages", options.repeated_passages, 20)?,
            model_check: match &options.model_check {
                Some(ModelCheckSetting::Off) => None,
                Some(ModelCheckSetting::On(own)) => Some(model_check(own)?),
                None => Some(ModelCheckLimits::default()),
            },
            messages: options.messages.clone().unwrap_or_default(),
        })
    }
}

fn fingerprint(tool: &str) -> u64 {
    let encoded = call::encode_without_arguments(tool);
    Call::decode(&encoded)
        .expect("just encoded")
        .tool_fingerprint()
}

fn count(field: &str, given: Option<u64>, default: u64) -> Result<u64, Error> {
    match given {
        Some(0) => Err(invalid(field, "must be an integer of at least 1")),
        Some(count) => Ok(count),
        None => Ok(default),
    }
}

fn model_check(own: &ModelCheckOptions) -> Result<ModelCheckLimits, Error> {
    let defaults = ModelCheckLimits::default();
    let confidence = own.confidence.unwrap_or(defaults.confidence);
    if !(0.0..=1.0).contains(&confidence) {
        return Err(invalid(
            "modelCheck.confidence",
            "must be a number from 0 to 1",
        ));
    }
    let field = |name: &str| format!("modelCheck.{name}");
    let limits = ModelCheckLimits {
        after_turns: count(&field("afterTurns"), own.after_turns, defaults.after_turns)?,
        interval: count(&field("interval"), own.interval, defaults.interval)?,
        min_interval: count(
            &field("minInterval"),
            own.min_interval,
            defaults.min_interval,
        )?,
        max_interval: count(
            &field("maxInterval"),
            own.max_interval,
            defaults.max_interval,
        )?,
        history_count: count(
            &field("historyCount"),
            own.history_count,
            defaults.history_count,
        )?,
        confidence,
    };
    if limits.min_interval > limits.max_interval {
        // Name the one that the host has set.
        let (name, relation) = match own.min_interval {
            Some(_) => ("minInterval", "must be at most maxInterval"),
            None => ("maxInterval", "must be at least minInterval"),
        };
        return Err(invalid(&field(name), relation));
    }
    Ok(limits)
}
