//! The options with every default filled in. The numbers are the seed's.

use super::model_check::ModelCheckLimits;
use super::options::{
    LoopDetectorOptions, LoopProfile, ModelCheckOptions, ModelCheckSetting, invalid,
};
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
    pub(crate) identical_calls: u64,
    pub(crate) preview_calls: u64,
    pub(crate) preview_intensive_calls: u64,
    /// By [`Call::tool_fingerprint`].
    pub(crate) intensive_tools: Vec<u64>,
    pub(crate) repeated_passages: u64,
    pub(crate) model_check: Option<ModelCheckLimits>,
}

impl Settings {
    pub(crate) fn new(options: &LoopDetectorOptions) -> Result<Self, Error> {
        let profile = options.profile.unwrap_or_default();
        if profile != LoopProfile::Standard {
            let message = profile.name().to_owned() + " is not available in this version";
            return Err(invalid("profile", message));
        }
        check_counts(&[
            ("identicalCalls", options.identical_calls),
            ("previewCalls", options.preview_calls),
            ("previewIntensiveCalls", options.preview_intensive_calls),
            ("repeatedPassages", options.repeated_passages),
        ])?;
        let mut intensive_tools = Vec::new();
        match &options.intensive_tools {
            Some(tools) => {
                for tool in tools {
                    intensive_tools.push(fingerprint(tool));
                }
            }
            None => {
                for tool in INTENSIVE_TOOLS {
                    intensive_tools.push(fingerprint(tool));
                }
            }
        }
        Ok(Self {
            identical_calls: options.identical_calls.unwrap_or(10),
            preview_calls: options.preview_calls.unwrap_or(5),
            preview_intensive_calls: options.preview_intensive_calls.unwrap_or(4),
            intensive_tools,
            repeated_passages: options.repeated_passages.unwrap_or(20),
            model_check: match &options.model_check {
                Some(ModelCheckSetting::Off) => None,
                Some(ModelCheckSetting::On(own)) => Some(model_check(own)?),
                None => Some(ModelCheckLimits::default()),
            },
        })
    }
}

fn fingerprint(tool: &str) -> u64 {
    let encoded = call::encode_without_arguments(tool);
    Call::decode(&encoded).map_or(0, |call| call.tool_fingerprint())
}

/// What was read is right; a native host may have put anything.
fn check_counts(counts: &[(&str, Option<u64>)]) -> Result<(), Error> {
    for (field, count) in counts {
        if *count == Some(0) {
            return Err(invalid(field, "must be an integer of at least 1"));
        }
    }
    Ok(())
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
    check_counts(&[
        ("modelCheck.afterTurns", own.after_turns),
        ("modelCheck.interval", own.interval),
        ("modelCheck.minInterval", own.min_interval),
        ("modelCheck.maxInterval", own.max_interval),
        ("modelCheck.historyCount", own.history_count),
    ])?;
    let limits = ModelCheckLimits {
        after_turns: own.after_turns.unwrap_or(defaults.after_turns),
        interval: own.interval.unwrap_or(defaults.interval),
        min_interval: own.min_interval.unwrap_or(defaults.min_interval),
        max_interval: own.max_interval.unwrap_or(defaults.max_interval),
        history_count: own.history_count.unwrap_or(defaults.history_count),
        confidence,
    };
    if limits.min_interval > limits.max_interval {
        // Name the one that the host has set.
        return Err(match own.min_interval {
            Some(_) => invalid("modelCheck.minInterval", "must be at most maxInterval"),
            None => invalid("modelCheck.maxInterval", "must be at least minInterval"),
        });
    }
    Ok(limits)
}
