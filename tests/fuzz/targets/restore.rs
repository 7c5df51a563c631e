//! Bytes become a snapshot: as they are, or, so that more than the checksum is tried, as the body
//! of one whose envelope is right. Whatever is accepted must work.

use serde_json::json;
use turnkeeper_core::{AgentEvent, LoopDetector};
use xxhash_rust::xxh3::xxh3_64;

pub fn run(bytes: &[u8]) {
    try_restore(bytes);
    let body = bytes.strip_suffix(&[0; 8]).unwrap_or(bytes);
    let mut snapshot = [b"TKSl\x01", body].concat();
    snapshot.extend(xxh3_64(&snapshot).to_le_bytes());
    try_restore(&snapshot);
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
