//! Bytes become a snapshot: as they are, or, so that more than the checksum is tried, as the body
//! of one whose envelope is right. Whatever is accepted must work.

use serde_json::json;
use turnkeeper_core::summary_injector::{PromptParts, PromptPhase, Recall, Turn, TurnSummary};
use turnkeeper_core::{AgentEvent, LoopDetector, SummaryInjector};
use xxhash_rust::xxh64::xxh64;

pub fn run(bytes: &[u8]) {
    try_restore(bytes);
    try_injector(bytes);
    let body = bytes.strip_suffix(&[0; 8]).unwrap_or(bytes);
    try_restore(&enveloped(b'l', body));
    try_injector(&enveloped(b'i', body));
}

fn enveloped(letter: u8, body: &[u8]) -> Vec<u8> {
    let mut snapshot = [b"TKS", &[letter, 1][..], body].concat();
    snapshot.extend(xxh64(&snapshot, 0).to_le_bytes());
    snapshot
}

fn try_injector(snapshot: &[u8]) {
    let Ok(mut injector) = SummaryInjector::restore(snapshot) else {
        return;
    };
    let saved = injector.snapshot();
    let again = SummaryInjector::restore(&saved).expect("what was saved is read");
    assert_eq!(again.snapshot(), saved);
    let words = vec!["a".to_owned()];
    let wanted = Recall {
        turns: vec![1, 2],
        turn_numbers: vec![3],
        ids: words.clone(),
        keywords: words.clone(),
    };
    injector.recall(&wanted).expect("not too much");
    let parts = PromptParts {
        capability: "C",
        direction: "D",
        workspace: "W",
    };
    for _ in 0..5 {
        injector.start_turn(Turn::default());
        let stored = injector.store_summary(&TurnSummary {
            turn: None,
            summary: "Some words.".to_owned(),
            insights: words.clone(),
        });
        stored.expect("the turn is open");
        if injector.take_fold_request().is_some() {
            let answer = json!({ "summary": "Some words.", "insights": words });
            let answered = injector.answer_fold_request(&answer);
            answered.expect("it was taken");
        }
        for phase in [PromptPhase::Thinking, PromptPhase::Action] {
            injector.build_prompt(phase, parts);
        }
    }
}

fn try_restore(snapshot: &[u8]) {
    let Ok(mut detector) = LoopDetector::restore(snapshot) else {
        return;
    };
    let saved = detector.snapshot();
    let again = LoopDetector::restore(&saved).expect("what was saved is read");
    assert_eq!(again.snapshot(), saved);
    let call = AgentEvent::ToolCall {
        id: None,
        name: "t".into(),
        args: Some(json!({"a": 1})),
    };
    for event in [
        AgentEvent::Text {
            text: "12. and ```\ncode\n```\n| row |\nagain ".repeat(70),
        },
        AgentEvent::Reasoning {
            text: "思考".repeat(700),
        },
        AgentEvent::TurnStarted,
        call,
    ] {
        detector.observe(&event).expect("not too deep");
    }
    let _ = (detector.take_model_check(), detector.blind());
    detector.clear();
    detector
        .observe(&AgentEvent::Text {
            text: "again ".repeat(400),
        })
        .expect("text");
}
