//! Runs the cases of `tests/data/summary-injector/`; see `tests/data/README.md`.

use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use turnkeeper_core::Error;
use turnkeeper_core::summary_injector::{
    PromptParts, PromptPhase, Recall, SummaryInjector, SummaryInjectorOptions, TaskState, Turn,
    TurnMessage, TurnRecord, TurnSummary, TurnToolCall, thinking_tools,
};

use super::recorded::{Trace, digest};

const FILES: [(&str, &str); 9] = [
    (
        "turn-store",
        include_str!("../../data/summary-injector/turn-store.json"),
    ),
    (
        "texts",
        include_str!("../../data/summary-injector/texts.json"),
    ),
    (
        "turns",
        include_str!("../../data/summary-injector/turns.json"),
    ),
    (
        "messages",
        include_str!("../../data/summary-injector/messages.json"),
    ),
    (
        "recall",
        include_str!("../../data/summary-injector/recall.json"),
    ),
    (
        "folds",
        include_str!("../../data/summary-injector/folds.json"),
    ),
    (
        "forged",
        include_str!("../../data/summary-injector/forged.json"),
    ),
    (
        "phases",
        include_str!("../../data/summary-injector/phases.json"),
    ),
    (
        "summary-requests",
        include_str!("../../data/summary-injector/summary-requests.json"),
    ),
];

/// Every case of a file, by the file's name, and what each leaves behind.
pub fn run(file: &str) -> Vec<Trace> {
    let found = FILES.iter().find(|(name, _)| *name == file);
    let (_, content) = found.expect("a known file");
    let cases: Vec<Value> = serde_json::from_str(content).expect("fixtures are JSON");
    assert!(!cases.is_empty());
    let trace = |case: &Value| Trace {
        name: format!("summary-injector/{file}: {}", text(&case["name"])),
        trace: digest(&run_case(case)),
    };
    cases.iter().map(trace).collect()
}

/// The names of all files, so that none is forgotten.
pub fn files() -> impl Iterator<Item = &'static str> {
    FILES.iter().map(|(name, _)| *name)
}

/// Runs a case; the snapshot of the injector at the end.
fn run_case(case: &Value) -> Vec<u8> {
    let name = case["name"].as_str().expect("a case has a name");
    let options = case.get("options").cloned().unwrap_or_else(|| json!({}));
    let options = SummaryInjectorOptions::from_json(&options.to_string()).expect(name);
    let mut injector = SummaryInjector::new(options).expect(name);
    run_steps(&mut injector, &case["steps"], name);
    injector.snapshot()
}

fn run_steps(injector: &mut SummaryInjector, steps: &Value, place: &str) {
    let steps = steps.as_array().expect("steps are an array");
    for (at, step) in steps.iter().enumerate() {
        let place = format!("{place}, step {at}");
        if let Some(count) = step.get("repeat").and_then(Value::as_u64) {
            for number in 1..=count {
                let steps = step["steps"]
                    .to_string()
                    .replace("{n}", &number.to_string());
                let steps = serde_json::from_str(&steps).expect("still JSON");
                run_steps(injector, &steps, &format!("{place}, time {number}"));
            }
        } else if step.get("snapshot").is_some() {
            let snapshot = injector.snapshot();
            *injector = SummaryInjector::restore(&snapshot).expect("just saved");
            assert_eq!(injector.snapshot(), snapshot, "{place}");
        } else {
            run_step(injector, step, &place);
        }
    }
}

fn run_step(injector: &mut SummaryInjector, step: &Value, place: &str) {
    let call = step["call"].as_str().expect("a step calls something");
    let nothing = Vec::new();
    let with = step["with"].as_array().unwrap_or(&nothing);
    let before = injector.snapshot();
    match (answer(injector, call, with), step.get("throws")) {
        (Ok(got), None) => {
            if let Some(expected) = step.get("gives") {
                assert_eq!(got, *expected, "{place}: {call}");
            }
            if let Some(expected) = step.get("numbers") {
                let turns = got.as_array().expect("turns");
                let numbers: Vec<&Value> = turns.iter().map(|turn| &turn["number"]).collect();
                assert_eq!(json!(numbers), *expected, "{place}: {call}");
            }
            if let Some(lines) = step.get("lines") {
                let lines: Vec<&str> = lines.as_array().expect("lines").iter().map(text).collect();
                assert_eq!(got, json!(lines.join("\n")), "{place}: {call}");
            }
            for (field, expected) in step["has"].as_object().into_iter().flatten() {
                assert_eq!(got[field], *expected, "{place}: {field} of {got}");
            }
        }
        (Err(error), Some(code)) => {
            let got = serde_json::to_value(error.code()).expect("a code is a name");
            assert_eq!(got, *code, "{place}: {error}");
            if let Some(field) = step.get("field") {
                assert_eq!(json!(error.field()), *field, "{place}: {error}");
            }
            assert_eq!(injector.snapshot(), before, "{place}: something changed");
        }
        (got, expected) => panic!("{place}: {call} gave {got:?}, expected {expected:?}"),
    }
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

/// An argument of a call.
fn read<T: DeserializeOwned>(argument: &Value) -> T {
    T::deserialize(argument).expect("an argument of the right type")
}

fn answer(injector: &mut SummaryInjector, call: &str, with: &[Value]) -> Result<Value, Error> {
    let first = with.first().unwrap_or(&Value::Null);
    Ok(match call {
        "startTurn" => {
            let started = match first {
                Value::Null => injector.start_turn(Turn::default()),
                turn => injector.start_turn(read::<Turn>(turn)),
            };
            json!(started.number)
        }
        "addMessage" => {
            let turn = first.get("turn").and_then(Value::as_u64);
            nothing(injector.add_message(TurnMessage::from_value(first)?, turn))?
        }
        "addToolCall" => {
            let turn = first.get("turn").and_then(Value::as_u64);
            let name = first["name"].as_str().unwrap_or_default().to_owned();
            let original = first.to_string();
            nothing(injector.add_tool_call(TurnToolCall { name, original }, turn))?
        }
        "setNotes" => {
            let turn = with.get(1).and_then(Value::as_u64);
            nothing(injector.set_notes(first.to_string(), turn))?
        }
        "requestSucceeded" => {
            injector.request_succeeded();
            Value::Null
        }
        "turns" => {
            let number = |name: &str| first.get(name).and_then(Value::as_u64);
            let newest = injector.turns(1, u64::MAX).len() as u64;
            let last = number("last").map(|last| (newest + 1).saturating_sub(last));
            let from = number("from").or(last).unwrap_or(1);
            records(&injector.turns(from, number("to").unwrap_or(u64::MAX)))
        }
        "search" => records(&injector.search(&read::<Vec<String>>(first))),
        "addThinkingRound" => nothing(injector.add_thinking_round(text(first)))?,
        "storeSummary" => {
            injector.store_summary(&read::<TurnSummary>(first))?;
            Value::Null
        }
        "completeTurn" => nothing(injector.complete_turn())?,
        "answerFoldRequest" => {
            let found = injector.answer_fold_request(first)?;
            json!({ "diagnostics": found })
        }
        "dropFoldRequest" => {
            injector.drop_fold_request();
            Value::Null
        }
        "currentTurn" => json!(injector.current_turn()),
        "log" => json!(injector.log().collect::<Vec<_>>()),
        "accumulatedSummaries" => injector.accumulated_summaries().into(),
        "actionContext" => injector.context(PromptPhase::Action, text(first)).into(),
        "thinkingContext" => injector.context(PromptPhase::Thinking, text(first)).into(),
        "systemPrompt" => {
            let (capability, direction) = (text(&first["capability"]), text(&first["direction"]));
            let phase = first.get("phase").map_or(PromptPhase::Action, read);
            injector.system_prompt(phase, capability, direction).into()
        }
        "thinkingMessage" => injector
            .thinking_message()
            .as_deref()
            .map_or(Value::Null, system),
        "thinkingTools" => json!(thinking_tools()),
        "recall" => json!(injector.recall(&Recall::from_json(&first.to_string())?)?),
        "takeSummaryRequest" => json!(injector.take_summary_request()),
        "answerSummaryRequest" => {
            let is_finished = with.get(1).is_some_and(|state| state["finished"] == true);
            let state = match is_finished {
                true => TaskState::Finished,
                false => TaskState::Open,
            };
            json!({ "diagnostics": injector.answer_summary_request(first, state)? })
        }
        "dropSummaryRequest" => {
            injector.drop_summary_request();
            Value::Null
        }
        "takeFoldRequest" => injector.take_fold_request().map_or(Value::Null, |request| {
            let turns = format!("{} to {}", request.from_turn, request.to_turn);
            assert!(request.prompt.contains(&turns), "{}", request.prompt);
            json!({"fromTurn": request.from_turn, "toTurn": request.to_turn, "text": request.text})
        }),
        "buildPrompt" => build_prompt(injector, text(first), &with[1]),
        _ => panic!("{call} is not run"),
    })
}

fn build_prompt(injector: &mut SummaryInjector, phase: &str, parts: &Value) -> Value {
    let (phase, is_action) = match phase {
        "thinking" => (PromptPhase::Thinking, false),
        "action" => (PromptPhase::Action, true),
        _ => panic!("{phase} is no phase"),
    };
    let prompt = injector.build_prompt(
        phase,
        PromptParts {
            capability: text(&parts["capability"]),
            direction: text(&parts["direction"]),
            workspace: text(&parts["workspace"]),
        },
    );
    let history = prompt.conversation_history.iter();
    let mut history: Vec<Value> = if is_action {
        let messages = history.map(|original| serde_json::from_str(original).expect("JSON"));
        messages.collect()
    } else {
        history.map(|message| json!(message)).collect()
    };
    history.extend(prompt.thinking_message.as_deref().map(system));
    json!({
        "systemPrompt": prompt.system_prompt,
        "workspaceContext": prompt.workspace_context,
        "conversationHistory": history,
    })
}

/// Turns as they cross to JavaScript.
fn records(turns: &[TurnRecord]) -> Value {
    let parsed = |text: &String| -> Value { serde_json::from_str(text).expect("JSON") };
    let turns = turns.iter().map(|turn| {
        let messages = turn.messages.iter().map(|it| parsed(&it.original));
        let calls = turn.tool_calls.iter().map(|it| parsed(&it.original));
        let mut record = json!({
            "number": turn.number,
            "isOpen": turn.is_open,
            "insights": turn.insights,
            "rounds": turn.rounds,
            "messages": messages.collect::<Vec<_>>(),
            "toolCalls": calls.collect::<Vec<_>>(),
        });
        let texts = [
            ("task", turn.task),
            ("workspace", turn.workspace),
            ("summary", turn.summary),
        ];
        for (name, text) in texts {
            if let Some(text) = text {
                record[name] = text.into();
            }
        }
        if let Some(notes) = turn.notes {
            record["notes"] = serde_json::from_str(notes).expect("JSON");
        }
        record
    });
    turns.collect()
}

fn system(content: &str) -> Value {
    json!({ "role": "system", "content": content })
}

fn nothing(done: Result<(), Error>) -> Result<Value, Error> {
    done.map(|()| Value::Null)
}
