//! The profiles: each a function that says which rules are on, and with which numbers.

use super::options::{
    LoopDetectorOptions, LoopProfile, ModelCheckOptions, ModelCheckSetting, ModelCheckWhen,
};
use super::rules;
use turnkeeper_base::options::{Count, Threshold};

impl LoopProfile {
    /// The options that a host does not have to set.
    #[must_use]
    pub fn defaults(self) -> LoopDetectorOptions {
        let defaults: fn() -> LoopDetectorOptions = match self {
            Self::Standard => standard,
            Self::Adaptive => adaptive,
        };
        defaults()
    }
}

/// The agent that this library grew from.
fn standard() -> LoopDetectorOptions {
    LoopDetectorOptions {
        identical_calls: at(10),
        preview_calls: at(5),
        preview_intensive_calls: at(4),
        repeated_passages: at(20),
        model_check: model_is_asked(ModelCheckWhen::Turns),
        ..LoopDetectorOptions::default()
    }
}

/// Every count is one above where healthy sessions begin to be hit, or more. Rules over steps have theirs in their
/// files.
fn adaptive() -> LoopDetectorOptions {
    let mut options = LoopDetectorOptions {
        blind_calls: at(10),
        blind_rounds: at(5),
        repeated_passages: at(20),
        long_passages: at(3),
        model_check: model_is_asked(ModelCheckWhen::Doubt),
        ..LoopDetectorOptions::default()
    };
    rules::set_usual_counts(&mut options);
    options
}

fn at(count: u64) -> Option<Threshold> {
    Count::new(count).map(Threshold::At)
}

/// With the numbers of [`ModelCheckLimits`](super::model_check::ModelCheckLimits).
fn model_is_asked(when: ModelCheckWhen) -> Option<ModelCheckSetting> {
    Some(ModelCheckSetting::On(ModelCheckOptions {
        when: Some(when),
        ..ModelCheckOptions::default()
    }))
}

/// Tools that cost preview models much.
pub(super) const INTENSIVE_TOOLS: [&str; 5] = [
    "read_file",
    "read_many_files",
    "glob",
    "search_file_content",
    "ls",
];

#[cfg(test)]
mod tests {
    use super::*;

    const DOCUMENT: &str = include_str!("../../docs/loop-detector.md");

    #[test]
    fn the_document_says_what_the_profiles_set() {
        let says = |line: &str, number: u64| {
            let mut words = line.split(|sign: char| !sign.is_ascii_alphanumeric());
            words.any(|word| word.trim_end_matches(char::is_alphabetic) == number.to_string())
        };
        for profile in [LoopProfile::Adaptive, LoopProfile::Standard] {
            let defaults = profile.defaults().to_value();
            for (name, value) in defaults.as_object().expect("options are an object") {
                let option = format!("`{name}`");
                let mut lines = DOCUMENT.lines().filter(|line| line.contains(&option));
                let is_said = lines.any(|line| match value.as_u64() {
                    Some(number) => says(line, number),
                    None => true,
                });
                assert!(
                    is_said,
                    "docs/loop-detector.md says nowhere that {name} is {value}"
                );
            }
        }
    }
}
