//! The options that a host may set.

mod choices;
mod loop_detector_options;
mod low_progress;
mod messages;
mod model_check;
mod preview_model;
mod tools;

pub use self::choices::LoopProfile;
pub use self::loop_detector_options::LoopDetectorOptions;
pub use self::low_progress::LowProgress;
pub use self::messages::{LoopMessages, MessageTexts};
pub use self::model_check::{ModelCheckOptions, ModelCheckSetting, ModelCheckWhen};
pub use self::preview_model::PreviewModel;
pub use self::tools::ToolLists;

use turnkeeper_base::options::table::Kind;

impl Kind for LoopMessages {}
impl Kind for LoopProfile {}
impl Kind for PreviewModel {}
impl Kind for ToolLists {}

/// A field that a host leaves out has the profile's value.
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
            (r#"{"tools": ["ls"]}"#, "tools"),
            (r#"{"tools": {"intensive": "ls"}}"#, "tools.intensive"),
            (
                r#"{"tools": {"intensive": ["ls", 1]}}"#,
                "tools.intensive[1]",
            ),
            (r#"{"tools": {"read": ["ls"]}}"#, "tools.read"),
            // Another agent's.
            (r#"{"limit": 3}"#, "limit"),
            (r#"{"windowSize": 3}"#, "windowSize"),
            (r#"{"profile": "roo"}"#, "profile"),
            (r#"{"lowProgress": 1.5}"#, "lowProgress"),
            (r#"{"lowProgress": "half"}"#, "lowProgress"),
            (r#"{"modelCheck": true}"#, "modelCheck"),
            (r#"{"modelCheck": {"when": "never"}}"#, "modelCheck.when"),
            (r#"{"modelCheck": {"progress": 2}}"#, "modelCheck.progress"),
            (r#"{"modelCheck": {"minCalls": 0}}"#, "modelCheck.minCalls"),
            (r#"{"modelCheck": {"cooldown": 0}}"#, "modelCheck.cooldown"),
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
            let is_of_peers = error.to_string().contains("turnkeeper/peers");
            let is_unknown = ["identicalCall", "limit", "windowSize", "profile"].contains(&field);
            assert_eq!(is_of_peers, is_unknown, "{json}: {error}");
        }
    }

    #[test]
    fn options_survive_being_written_and_read() {
        for json in [
            r#"{}"#,
            r#"{"profile":"standard","identicalCalls":3,"previewModel":"x","previewCalls":7}"#,
            r#"{"identicalCalls":false,"tools":{"wait":["poll"],"edit":[]}}"#,
            r#"{"previewModel":{"source":"x","flags":"i"}}"#,
            r#"{"previewIntensiveCalls":6,"tools":{"intensive":["a"]},"repeatedPassages":9}"#,
            r#"{"modelCheck":false,"messages":{"monologue":{"feedback":"f"}}}"#,
            r#"{"lowProgress":0.25,"modelCheck":{"when":"either","progress":0.5,"minCalls":2,
                "cooldown":3}}"#,
            r#"{"modelCheck":{"afterTurns":1,"interval":2,"minInterval":3,"maxInterval":4,
                "historyCount":5,"confidence":0.5},"messages":{}}"#,
        ] {
            let given: serde_json::Value = serde_json::from_str(json).expect("JSON");
            let options = LoopDetectorOptions::from_json(json).expect("valid");
            assert_eq!(options.to_value(), given);
        }
    }
}
