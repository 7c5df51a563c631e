//! Plays the sessions of `tests/data/sessions/` in every profile.

use serde_json::{Value, json};
use turnkeeper_core::{AgentEvent, LoopDetector, LoopDetectorOptions, Prompt};

use super::recorded::{Trace, digest};

/// Every profile.
pub const PROFILES: [&str; 2] = ["standard", "adaptive"];

const SESSIONS: [(&str, &str); 3] = [
    (
        "chinese-chant",
        include_str!("../../data/sessions/chinese-chant.jsonl"),
    ),
    ("healthy", include_str!("../../data/sessions/healthy.jsonl")),
    (
        "preview-loop",
        include_str!("../../data/sessions/preview-loop.jsonl"),
    ),
];

/// Every verdict, and the snapshot at the end.
pub fn run() -> Vec<Trace> {
    let of_profile = |profile: &'static str| {
        SESSIONS.map(|(session, lines)| Trace {
            name: format!("sessions/{session}: {profile}"),
            trace: trace(profile, lines),
        })
    };
    PROFILES.into_iter().flat_map(of_profile).collect()
}

fn trace(profile: &str, lines: &str) -> String {
    let options = json!({ "profile": profile }).to_string();
    let options = LoopDetectorOptions::from_json(&options).expect("a profile");
    let mut detector = LoopDetector::new(options).expect("a profile");
    let mut verdicts = String::new();
    for line in lines.lines() {
        let event: Value = serde_json::from_str(line).expect("an event");
        if event["type"] == "prompt_started" {
            detector.start_prompt(prompt(&event));
            continue;
        }
        let event: AgentEvent = serde_json::from_value(event).expect("an event");
        let verdict = detector.observe(&event).expect("a valid event");
        verdicts += &serde_json::to_string(verdict).expect("plain data");
        verdicts.push('\n');
    }
    format!(
        "{} {}",
        digest(verdicts.as_bytes()),
        digest(&detector.snapshot())
    )
}

fn prompt(event: &Value) -> Prompt<'_> {
    let text = |field: &str| event[field].as_str();
    let mut prompt = Prompt::new(text("promptId").expect("an id"));
    if let Some(model) = text("model") {
        prompt = prompt.model(model);
    }
    if let Some(words) = text("userPrompt") {
        prompt = prompt.user_prompt(words);
    }
    prompt
}
