//! Bytes become a snapshot: as they are, or, so that more than the checksum is tried, as the body
//! of one whose envelope is right, of each machine. Whatever is accepted must work.

use serde::Deserialize;
use serde_json::json;
use turnkeeper_core::ghost_block::{Answer, Work};
use turnkeeper_core::summary_injector::{
    Event, Json, PromptParts, PromptPhase, Recall, Turn, TurnSummary,
};
use turnkeeper_core::terminal_selector::{TerminalChange, TerminalRegistration, TerminalRequest};
use turnkeeper_core::{
    AgentEvent, GhostBlockAssembler, LoopDetector, SummaryInjector, TerminalSelector, WorkLedger,
};
use xxhash_rust::xxh64::xxh64;

/// Reads a snapshot as one machine's, and lets what is accepted work.
type Machine = fn(&[u8]);

pub fn run(bytes: &[u8]) {
    let body = bytes.strip_suffix(&[0; 8]).unwrap_or(bytes);
    let machines: [(u8, Machine); 5] = [
        (b'l', try_restore),
        (b'i', try_injector),
        (b'g', try_assembler),
        (b't', try_selector),
        (b'w', try_ledger),
    ];
    for (letter, machine) in machines {
        machine(bytes);
        machine(&enveloped(letter, body));
    }
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

fn try_assembler(snapshot: &[u8]) {
    let Ok(mut assembler) = GhostBlockAssembler::restore(snapshot) else {
        return;
    };
    let saved = assembler.snapshot();
    let again = GhostBlockAssembler::restore(&saved).expect("what was saved is read");
    assert_eq!(again.snapshot(), saved);
    for prompt in ["See @[a.rs] and @[b.rs:1-3].", "Go on."] {
        assembler.begin(Work::Prompt, prompt);
        let mut rounds = 0;
        while !assembler.is_ready() {
            for request in assembler.take_requests() {
                let answered = assembler.answer(request.id, Answer::content("one\ntwo\n"));
                answered.expect("it waits");
            }
            rounds += 1;
            assert!(rounds < 500, "no end");
        }
        assembler.finish_prompt(None).expect("ready");
    }
}

fn try_selector(snapshot: &[u8]) {
    let Ok(mut selector) = TerminalSelector::restore(snapshot) else {
        return;
    };
    let saved = selector.snapshot();
    let again = TerminalSelector::restore(&saved).expect("what was saved is read");
    assert_eq!(again.snapshot(), saved);
    // A request that the options or the terminals forbid is refused; nothing else is asked of it.
    let _ = selector.register(&TerminalRegistration {
        working_directory: Some("/srv".to_owned()),
        ..TerminalRegistration::new(7, "p")
    });
    for known in selector.terminals() {
        let _ = selector.select(&TerminalRequest::new("cd a && make", "/srv/a", "p"));
        let ended = TerminalChange {
            busy: Some(false),
            ..TerminalChange::default()
        };
        selector.update(known.id, &ended).expect("it is known");
        let _ = selector.cancel(known.id);
    }
    let _ = selector.release_task("a");
}

fn try_ledger(snapshot: &[u8]) {
    let Ok(mut ledger) = WorkLedger::restore(snapshot) else {
        return;
    };
    let saved = ledger.snapshot();
    let again = WorkLedger::restore(&saved).expect("what was saved is read");
    assert_eq!(again.snapshot(), saved);
    ledger.prompt("Mend it.");
    for event in [
        json!({ "type": "tool_call", "id": "1", "name": "Edit", "args": { "file_path": "a.rs", "old_string": "a", "new_string": "b" } }),
        json!({ "type": "tool_result", "id": "1", "output": "ok" }),
        json!({ "type": "tool_call", "id": "2", "name": "Bash", "args": { "command": "make" } }),
        json!({ "type": "tool_result", "id": "2", "output": "make: ***", "exitCode": 2 }),
    ] {
        let event = Json::deserialize(event).expect("JSON");
        ledger.observe(&Event::read(&event).expect("an event"));
    }
    for characters in [0, 90, 6_000] {
        assert!(ledger.text(characters).encode_utf16().count() <= characters);
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
        key: None,
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
