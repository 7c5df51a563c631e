//! `false` switches off each rule of each profile. The events are those of the fixtures: for each threshold a
//! case is looked for at which its rule speaks when it is the only one that is on. One must be found, and
//! with `false` nothing may speak there.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};
use turnkeeper_core::loop_detector::LoopProfile;
use turnkeeper_core::{AgentEvent, LoopDetector, LoopDetectorOptions, Prompt};

use super::fixture_runner;
use super::sessions::PROFILES;

fn detector(options: &Map<String, Value>) -> LoopDetector {
    let options = LoopDetectorOptions::from_json(&Value::from(options.clone()).to_string());
    LoopDetector::new(options.expect("valid options")).expect("valid options")
}

/// The options of a profile that may be `false` instead of a number.
fn thresholds(profile: &str) -> Vec<String> {
    let of: LoopProfile = serde_json::from_value(json!(profile)).expect("a profile");
    let defaults = serde_json::to_value(of.defaults()).expect("plain data");
    let defaults = defaults.as_object().expect("an object").clone();
    let may_be_false = |name: &String| {
        LoopDetectorOptions::from_json(&json!({ (name): false }).to_string()).is_ok()
    };
    let is_number = |value: &Value| value.as_i64().is_some();
    defaults
        .into_iter()
        .filter(|(_, value)| is_number(value))
        .map(|(name, _)| name)
        .filter(may_be_false)
        .collect()
}

/// The rules that speak at a case, whatever it expects.
fn speak(options: &Map<String, Value>, case: &Value) -> Vec<String> {
    let mut detector = detector(options);
    let mut rules = Vec::new();
    let mut observe = |detector: &mut LoopDetector, event: &Value| {
        let event: AgentEvent = serde_json::from_value(event.clone()).expect("an event");
        let verdict = detector.observe(&event).expect("a valid event");
        let Some(rule) = verdict.report().map(|report| report.rule.to_string()) else {
            return;
        };
        if rule != "host_report" && !rules.contains(&rule) {
            rules.push(rule);
        }
    };
    for step in case["steps"].as_array().expect("steps") {
        if let Some(names) = step.get("play").and_then(Value::as_str) {
            for name in names.split(' ') {
                observe(&mut detector, &case["events"][name]);
            }
        } else if let Some(prompt) = step.get("startPrompt") {
            let id = prompt["id"].as_str().expect("an id");
            let model = prompt["model"].as_str().unwrap_or_default();
            detector.start_prompt(Prompt::new(id).model(model));
        } else if let Some(event) = step.get("event") {
            let mut event = event.clone();
            if let Some(times) = step.get("times").and_then(Value::as_u64) {
                event["text"] = event["text"]
                    .as_str()
                    .expect("text")
                    .repeat(times as usize)
                    .into();
            }
            for _ in 0..step.get("repeat").and_then(Value::as_u64).unwrap_or(1) {
                observe(&mut detector, &event);
            }
        }
    }
    rules
}

/// The sessions of our own collection, as cases.
fn sessions() -> Vec<Value> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/loops/collection");
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .expect("a folder")
        .map(|file| file.expect("readable").path())
        .filter(|file| file.extension().is_some_and(|end| end == "jsonl"))
        .collect();
    files.sort();
    let steps = |file: &PathBuf| {
        let text = fs::read_to_string(file).expect("a session");
        let event = |line| -> Value { serde_json::from_str(line).expect("an event") };
        let steps = text.lines().map(|line| json!({ "event": event(line) }));
        steps.collect::<Vec<Value>>()
    };
    files
        .iter()
        .map(|file| json!({ "name": file, "steps": steps(file) }))
        .collect()
}

/// Every case of every file, and the sessions.
fn cases() -> Vec<Value> {
    let cases = fixture_runner::files().flat_map(fixture_runner::cases);
    cases.chain(sessions()).collect()
}

#[test]
fn false_switches_off_each_rule_of_each_profile() {
    for profile in PROFILES {
        let names = thresholds(profile);
        assert!(!names.is_empty(), "{profile}");
        let cases = cases();
        for name in &names {
            let mut alone = Map::new();
            alone.insert("profile".to_owned(), json!(profile));
            alone.insert("modelCheck".to_owned(), json!(false));
            for other in names.iter().filter(|other| *other != name) {
                alone.insert(other.clone(), json!(false));
            }
            let case = cases
                .iter()
                .find(|case| !speak(&alone, case).is_empty())
                .unwrap_or_else(|| panic!("{profile}: no case is found by {name} alone"));
            let rules = speak(&alone, case);
            assert_eq!(rules.len(), 1, "{profile}, {name}: {rules:?}");
            alone.insert(name.clone(), json!(false));
            let rules = speak(&alone, case);
            assert!(
                rules.is_empty(),
                "{profile}, {name} is false: {rules:?} at {}",
                case["name"]
            );
        }
    }
}
