//! Random conversations of the kind that loops are made of: few tools, few passages, much repeated.

use proptest::prelude::*;
use serde_json::{Value, json};
use turnkeeper_core::AgentEvent;

#[path = "naive.rs"]
pub mod naive;

#[derive(Debug, Clone)]
pub enum Step {
    Prompt { id: String, model: String },
    Event(AgentEvent),
    Clear,
    Check { confidence: f64 },
}

pub fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        1 => (0..3u8, any::<bool>()).prop_map(|(id, preview)| Step::Prompt {
            id: format!("p{id}"),
            model: if preview { "m-preview".to_owned() } else { "m".to_owned() },
        }),
        12 => call().prop_map(Step::Event),
        4 => passage().prop_map(|text| Step::Event(AgentEvent::Text { text })),
        2 => passage().prop_map(|text| Step::Event(AgentEvent::Reasoning { text })),
        4 => plain().prop_map(Step::Event),
        1 => Just(Step::Clear),
        1 => (0.0..1.2f64).prop_map(|confidence| Step::Check { confidence }),
    ];
    proptest::collection::vec(step, 0..120)
}

fn call() -> impl Strategy<Value = AgentEvent> {
    let name = prop_oneof![3 => Just("read_file"), 1 => Just("edit"), 1 => Just("ls")];
    // Equal values in several spellings.
    let args = prop_oneof![
        4 => Just(Some(json!({"a": 1, "b": [true]}))),
        2 => Just(Some(Value::from("{\"b\": [true], \"a\": 1.0}"))),
        1 => (0..3).prop_map(|n| Some(json!({ "a": n }))),
        1 => Just(None),
    ];
    (name, args).prop_map(|(name, args)| AgentEvent::ToolCall {
        key: None,
        id: None,
        name: name.to_owned(),
        args,
    })
}

fn plain() -> impl Strategy<Value = AgentEvent> {
    prop_oneof![
        Just(AgentEvent::ToolResult {
            id: None,
            output: String::new(),
            is_error: None,
            exit_code: None,
        }),
        Just(AgentEvent::TurnStarted),
        Just(AgentEvent::UserMessage),
        Just(AgentEvent::Finished),
        Just(AgentEvent::Condensation),
        Just(AgentEvent::Other),
    ]
}

fn passage() -> impl Strategy<Value = String> {
    let passage = prop_oneof![
        Just("I will check once more. "),
        Just("再看一次。"),
        Just("Check it\n"),
        Just("😀"),
        Just("a"),
    ];
    (passage, 1usize..90).prop_map(|(passage, times)| passage.repeat(times))
}

/// Texts with everything that the detector treats specially.
pub fn text() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        4 => passage(),
        2 => (1usize..40).prop_map(|times| "1. Check\n".repeat(times)),
        1 => Just("```\n".to_owned()),
        1 => Just("~~~~ js\ncode\n~~~~\n".to_owned()),
        1 => Just("| a | b |\n".to_owned()).prop_map(|row| row.repeat(5)),
        1 => Just("\n  > 12) ".to_owned()),
        1 => (0..2_000u32).prop_map(|n| format!("\n{n}. ")),
        1 => ".{0,20}",
        1 => Just(" ".repeat(90)),
        1 => Just("\n".to_owned()),
        1 => "[`~|#>0-9.) \n]{0,30}",
    ];
    proptest::collection::vec(part, 1..30).prop_map(|parts| parts.concat())
}
