//! What a host may set.

mod choices;
mod loop_detector_options;
mod messages;
mod model_check;
mod preview_model;

pub use self::choices::{
    AfterFiring, CompareArguments, CompareResults, LoopProfile, PromptStarts, RunBreak,
};
pub use self::loop_detector_options::LoopDetectorOptions;
pub use self::messages::{LoopMessages, MessageTexts};
pub use self::model_check::{ModelCheckOptions, ModelCheckSetting};
pub use self::preview_model::PreviewModel;

use turnkeeper_base::options::table::Kind;

impl Kind for AfterFiring {}
impl Kind for CompareArguments {}
impl Kind for CompareResults {}
impl Kind for LoopMessages {}
impl Kind for LoopProfile {}
impl Kind for PreviewModel {}
impl Kind for PromptStarts {}

/// What a host leaves out has the profile's value, field by field.
impl Kind for ModelCheckSetting {
    fn fill(&mut self, other: &Self) {
        if let (Self::On(options), Self::On(others)) = (self, other) {
            options.fill(others);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use turnkeeper_base::error::ErrorCode;

    #[test]
    fn every_wrong_option_is_named() {
        let table = [
            ("[]", "options"),
            ("nothing", "options"),
            (r#"{"identicalCall": 3}"#, "identicalCall"),
            (r#"{"identicalCalls": 0}"#, "identicalCalls"),
            (r#"{"identicalCalls": 2.5}"#, "identicalCalls"),
            (r#"{"identicalCalls": "3"}"#, "identicalCalls"),
            (r#"{"identicalCalls": true}"#, "identicalCalls"),
            (r#"{"previewCalls": -1}"#, "previewCalls"),
            (
                r#"{"previewIntensiveCalls": null}"#,
                "previewIntensiveCalls",
            ),
            (r#"{"repeatedPassages": 1e300}"#, "repeatedPassages"),
            (r#"{"profile": "Standard"}"#, "profile"),
            (r#"{"previewModel": 3}"#, "previewModel"),
            (
                r#"{"previewModel": {"source": "a", "flag": ""}}"#,
                "previewModel.flag",
            ),
            (r#"{"intensiveTools": "ls"}"#, "intensiveTools"),
            (r#"{"intensiveTools": ["ls", 1]}"#, "intensiveTools[1]"),
            (r#"{"limit": 0.5}"#, "limit"),
            (r#"{"limit": 1e300}"#, "limit"),
            (r#"{"headless": 1}"#, "headless"),
            (r#"{"compareArguments": "order"}"#, "compareArguments"),
            (r#"{"compareResults": null}"#, "compareResults"),
            (r#"{"afterFiring": ""}"#, "afterFiring"),
            (r#"{"breaksRun": ["text", "tool"]}"#, "breaksRun[1]"),
            (r#"{"breaksRun": [1]}"#, "breaksRun[0]"),
            (r#"{"commandTools": "bash"}"#, "commandTools"),
            (r#"{"modelCheck": true}"#, "modelCheck"),
            (r#"{"modelCheck": {"interval": 0}}"#, "modelCheck.interval"),
            (
                r#"{"modelCheck": {"inclusive": 1}}"#,
                "modelCheck.inclusive",
            ),
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
            r#"{"identicalCalls":false,"limit":-3,"breaksRun":["text","user_message"]}"#,
            r#"{"previewModel":{"source":"x","flags":"i"}}"#,
            r#"{"previewIntensiveCalls":6,"intensiveTools":["a"],"repeatedPassages":9}"#,
            r#"{"modelCheck":false,"messages":{"monologue":{"feedback":"f"}}}"#,
            r#"{"modelCheck":{"afterTurns":1,"interval":2,"minInterval":3,"maxInterval":4,
                "historyCount":5,"confidence":0.5},"messages":{}}"#,
        ] {
            let given: serde_json::Value = serde_json::from_str(json).expect("JSON");
            let options = LoopDetectorOptions::from_json(json).expect("valid");
            assert_eq!(options.to_value(), given);
        }
    }
}
