//! Turns as data, which JavaScript's session takes, too; see `tests/data/README.md`.

use std::sync::{Arc, Mutex};

use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use turnkeeper_core::ghost_block::{Answer, Part};
use turnkeeper_core::session::{SessionOptions, SharedTerminals};
use turnkeeper_core::summary_injector::{
    PromptParts, PromptPhase, Recall, TurnMessage, TurnSummary,
};
use turnkeeper_core::terminal_selector::TerminalRequest;
use turnkeeper_core::{
    AgentEvent, AgentSession, AgentSessionOptions, Error, LoopVerdict, NewTurn, PathPlatform,
    TerminalSelector, TerminalSelectorOptions,
};

#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

#[test]
fn turns_that_sessions_in_both_languages_take() {
    let cases = include_str!("../data/agent-session/turns.json");
    let cases: Vec<Value> = serde_json::from_str(cases).expect("fixtures are JSON");
    assert!(!cases.is_empty());
    for case in &cases {
        let name = text(&case["name"]);
        let mut session = AgentSession::new(options(&case["options"]), terminals()).expect(name);
        for (at, step) in list(&case["steps"]).iter().enumerate() {
            if step.get("snapshot").is_some() {
                let snapshot = session.snapshot();
                session = AgentSession::restore(&snapshot, None).expect(name);
                assert_eq!(session.snapshot(), snapshot, "{name}");
                continue;
            }
            let (call, with) = step
                .as_object()
                .and_then(|it| it.iter().next())
                .expect(name);
            let given = answer(&mut session, call, with)
                .unwrap_or_else(|error| json!({ "throws": error.code(), "by": error.machine() }));
            assert_eq!(given, step["gives"], "{name}, step {at}: {call}");
        }
    }
}

#[test]
fn sessions_of_one_window_share_its_terminals() {
    let shared = terminals();
    let session = |task_id: &str| {
        let given = json!({ "assembler": { "root": "/work" }, "taskId": task_id });
        AgentSession::new(options(&given), Arc::clone(&shared)).expect("valid")
    };
    let (mut first, mut second) = (session("a"), session("b"));
    let request = || TerminalRequest::new("ls", "/work", "p");
    let choice = first.select_terminal(request()).expect("valid");
    assert_eq!(choice.terminal_id(), None);
    let terminal = json!({
        "id": 1, "provider": "p", "shell": "bash", "workingDirectory": "/work", "taskId": "a",
    });
    first.terminals().register(&read(&terminal)).expect("new");
    second.terminals().release_task("a").expect("a name");
    let choice = second.select_terminal(request()).expect("valid");
    assert_eq!(choice.terminal_id(), Some(1));
    let restored = AgentSession::restore(&second.snapshot(), Some(shared)).expect("just saved");
    assert!(restored.terminals().terminals()[0].busy);
    assert_eq!((first.log().len(), second.log().len()), (1, 1));
}

#[test]
fn no_altered_snapshot_is_taken_for_a_session() {
    let given = options(&json!({ "assembler": { "root": "/work" } }));
    let mut session = AgentSession::new(given, terminals()).expect("valid");
    session.begin_turn(NewTurn::new("one"));
    let snapshot = session.snapshot();
    for at in 0..snapshot.len() {
        assert!(AgentSession::restore(&snapshot[..at], None).is_err());
        let mut altered = snapshot.clone();
        altered[at] ^= 1 << (at % 8);
        assert!(AgentSession::restore(&altered, None).is_err());
    }
    let other = AgentSession::restore(&session.loop_detector.snapshot(), None);
    let code = serde_json::to_value(other.expect_err("a detector's").code()).expect("a name");
    assert_eq!(code, "wrong_machine");
}

fn terminals() -> SharedTerminals {
    let options = TerminalSelectorOptions::new(PathPlatform::Posix);
    Arc::new(Mutex::new(TerminalSelector::new(options).expect("valid")))
}

/// The options of a case, most of them by machine.
fn options(given: &Value) -> AgentSessionOptions {
    let mut own = given.as_object().expect("options").clone();
    let mut of = |name| own.shift_remove(name).unwrap_or_else(|| json!({}));
    AgentSessionOptions {
        assembler: read(&of("assembler")),
        loop_detector: read(&of("loop")),
        summaries: read(&of("summaries")),
        session: read::<SessionOptions>(&own.into()),
    }
}

/// What a step gives, as JavaScript has it.
fn answer(session: &mut AgentSession, call: &str, with: &Value) -> Result<Value, Error> {
    Ok(match call {
        "beginTurn" => {
            let mut turn = NewTurn::new(text(&with["prompt"]));
            if let Some(id) = with["promptId"].as_str() {
                turn = turn.prompt_id(id);
            }
            if let Some(model) = with["model"].as_str() {
                turn = turn.model(model);
            }
            // A task that is null is done.
            if let Some(task) = with.get("task") {
                turn = turn.task(task.as_str().unwrap_or_default());
            }
            json!(session.begin_turn(turn))
        }
        "assemble" => assemble(session, with)?,
        "addMessage" => {
            let message = TurnMessage::from_value(with)?;
            session.summaries.add_message(message, None)?;
            Value::Null
        }
        "recall" => json!(
            session
                .summaries
                .recall(&Recall::from_json(&with.to_string())?)?
        ),
        "buildPrompt" => build_prompt(session, text(with)),
        "answer" => actions(session, list(with))?,
        "selectTerminal" => {
            let choice = session.select_terminal(read(with))?;
            serde_json::to_value(choice).expect("plain data")["action"].take()
        }
        "endTurn" => {
            let summary = with.get("summary").map(|_| read::<TurnSummary>(with));
            session.end_turn(summary.as_ref())?;
            Value::Null
        }
        "log" => json!(session.log().collect::<Vec<_>>()),
        _ => panic!("{call} is not run"),
    })
}

fn assemble(session: &mut AgentSession, with: &Value) -> Result<Value, Error> {
    session.begin_message()?;
    loop {
        let requests = session.assembler.take_requests();
        if requests.is_empty() {
            break;
        }
        for request in requests {
            let file = with["files"][&request.source.name].as_str();
            let answer = file.map_or(Answer::Missing, Answer::content);
            session.assembler.answer(request.id, answer)?;
        }
    }
    let parts = session.finish_message(with["environment"].as_str(), None)?;
    let parts = parts.iter().map(|part| match part {
        Part::Text(text) => text.to_lossy().into(),
        Part::Image(image) => json!({ "alt": image.alt.to_lossy() }),
    });
    Ok(parts.collect())
}

fn build_prompt(session: &mut AgentSession, phase: &str) -> Value {
    let phase = match phase {
        "thinking" => PromptPhase::Thinking,
        _ => PromptPhase::Action,
    };
    let parts = PromptParts {
        capability: "",
        direction: "",
        workspace: "",
    };
    let history = session.build_prompt(phase, parts).conversation_history;
    match phase {
        PromptPhase::Thinking => json!(history),
        PromptPhase::Action => {
            let messages = history.iter().map(|it| serde_json::from_str::<Value>(it));
            messages.map(|it| it.expect("a message is JSON")).collect()
        }
    }
}

/// The model answers: what the host is told of the events.
fn actions(session: &mut AgentSession, events: &[Value]) -> Result<Value, Error> {
    let mut actions = Vec::new();
    for event in events {
        let times = event["repeat"].as_u64().unwrap_or(1);
        let event: AgentEvent = read(event);
        for _ in 0..times {
            match session.observe(&event)? {
                LoopVerdict::Ok => {}
                LoopVerdict::Nudge { .. } => actions.push("nudge"),
                LoopVerdict::Stop { .. } => {
                    actions.push("stop");
                    return Ok(json!(actions));
                }
            }
        }
    }
    session.request_succeeded();
    Ok(json!(actions))
}

fn read<T: DeserializeOwned>(value: &Value) -> T {
    T::deserialize(value).expect("an argument of the right type")
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}
