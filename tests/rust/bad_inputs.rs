//! Every call of the native API with every value of `tests/data/bad-inputs`, in the place of what it
//! takes and of each part of that: an error with a code, after which the object is as it was, or an
//! answer. `tests/js/node/bad-inputs.test.mjs` does the same in JavaScript.

use serde_json::{Value, json};
use turnkeeper_core::Count;
use turnkeeper_core::ghost_block::{Answer, AssemblerOptions, GhostBlockAssembler, Work};
use turnkeeper_core::history_deduper::{MessagePosition, OnExisting, UserMessage};
use turnkeeper_core::summary_injector::{
    PromptParts, PromptPhase, Recall, Turn, TurnMessage, TurnSummary,
};
use turnkeeper_core::terminal_selector::{TerminalChange, TerminalRegistration, TerminalRequest};
use turnkeeper_core::{
    AgentEvent, DedupeOptions, Error, HistoryDeduper, LoopDetector, LoopDetectorOptions, Prompt,
    SummaryInjector, SummaryInjectorOptions, TerminalSelector, TerminalSelectorOptions,
};

const VALUES: &str = include_str!("../data/bad-inputs/values.json");

/// A value that JSON can hold, and its name.
struct Bad {
    name: String,
    value: Value,
}

/// Those that JSON can hold. A number that is none, and half of a surrogate pair, JSON and Rust's strings
/// have no way to say.
fn bad_inputs() -> Vec<Bad> {
    let catalogue: Value = serde_json::from_str(VALUES).expect("the catalogue is JSON");
    let entries = catalogue["values"].as_array().expect("a list").iter();
    let bad: Vec<Bad> = entries
        .filter_map(|entry| {
            let name = entry["name"].as_str().expect("a name").to_owned();
            value_of(entry).map(|value| Bad { name, value })
        })
        .collect();
    assert!(bad.len() >= 30, "{} values", bad.len());
    bad
}

fn value_of(entry: &Value) -> Option<Value> {
    let count = |name: &str| entry[name].as_u64().expect("a count");
    if let Some(json) = entry["json"].as_str() {
        return Some(serde_json::from_str(json).expect("JSON"));
    }
    if let Some(text) = entry["repeat"].as_str() {
        return Some(json!(text.repeat(count("times") as usize)));
    }
    if !entry["items"].is_null() {
        return Some((0..count("items")).map(|at| at.to_string()).collect());
    }
    if let Some(kind) = entry["nested"].as_str() {
        let mut value = if kind == "array" {
            json!([])
        } else {
            json!({})
        };
        for _ in 1..count("deep") {
            // `json!` would copy all that is inside each time.
            value = if kind == "array" {
                Value::Array(vec![value])
            } else {
                Value::Object([("a".to_owned(), value)].into_iter().collect())
            };
        }
        return Some(value);
    }
    entry.get("value").cloned()
}

/// `good` with the value in the place of all of it, and of each of its parts.
fn spoiled(good: &Value, bad: &Value) -> Vec<Value> {
    let mut all = vec![bad.clone()];
    match good {
        Value::Object(fields) => {
            for (name, field) in fields {
                for spoilt in spoiled(field, bad) {
                    let mut whole = good.clone();
                    whole[name] = spoilt;
                    all.push(whole);
                }
            }
        }
        Value::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                for spoilt in spoiled(item, bad) {
                    let mut whole = good.clone();
                    whole[at] = spoilt;
                    all.push(whole);
                }
            }
        }
        _ => {}
    }
    all
}

/// Runs work on a stack that is deep enough for what `serde_json` does with values 5,000 deep; its own
/// reader of text refuses them at 128.
fn with_deep_stack(work: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(512 << 20);
    let work = thread.spawn(work).expect("a thread");
    if let Err(panic) = work.join() {
        std::panic::resume_unwind(panic);
    }
}

/// Calls with every bad value in every place of `good`.
fn each(good: &Value, mut call: impl FnMut(&str, Value)) {
    for Bad { name, value } in bad_inputs() {
        for spoilt in spoiled(good, &value) {
            call(&name, spoilt);
        }
    }
}

fn check(error: &Error, machine: &str, name: &str) {
    assert_eq!(error.machine(), machine, "{name}: {error}");
    let text = error.to_string();
    assert!(
        text.len() < 2_000,
        "{name}: a message of {} bytes",
        text.len()
    );
}

/// The options of a machine as JSON: an error that is the machine's, or a machine that goes on from its
/// own snapshot.
fn check_options<T>(
    good: &Value,
    machine: &str,
    make: impl Fn(&str) -> Result<T, Error>,
    work: impl Fn(T),
) {
    make(&good.to_string())
        .map(&work)
        .expect("the good ones are good");
    each(good, |name, options| match make(&options.to_string()) {
        Ok(made) => work(made),
        Err(error) => check(&error, machine, name),
    });
}

#[test]
fn options_get_an_answer_or_an_error() {
    with_deep_stack(options);
}

fn options() {
    let good = json!({
        "profile": "standard", "identicalCalls": 4, "longestCycle": 9, "previewModel": "x",
        "messages": { "monologue": { "message": "m", "feedback": "f" } },
        "modelCheck": { "afterTurns": 30, "interval": 10 }, "tools": { "wait": ["w"] },
    });
    let good = good_options(good, |json| LoopDetectorOptions::from_json(json).is_ok());
    check_options(
        &good,
        "loop_detector",
        |json| LoopDetectorOptions::from_json(json).and_then(LoopDetector::new),
        |detector| drop(LoopDetector::restore(&detector.snapshot()).expect("just saved")),
    );
    check_options(
        &json!({
            "root": "/work", "allowedRoots": ["/lib"], "platform": "posix", "macros": { "A": "b" },
            "maxTokens": 900, "maxItems": 9, "tools": ["t"], "placement": "delta", "trustFiles": true,
        }),
        "ghost_block_assembler",
        |json| AssemblerOptions::from_json(json).and_then(GhostBlockAssembler::new),
        |assembler| drop(GhostBlockAssembler::restore(&assembler.snapshot()).expect("just saved")),
    );
    check_options(
        &json!({ "maxTokens": 900, "maxMessages": 9, "maxRecalledMessages": 3 }),
        "summary_injector",
        |json| SummaryInjectorOptions::from_json(json).and_then(SummaryInjector::new),
        |injector| drop(SummaryInjector::restore(&injector.snapshot()).expect("just saved")),
    );
    check_options(
        &json!({ "platform": "win32", "maxDirectoryChanges": 2, "maxTerminals": 3 }),
        "terminal_selector",
        |json| TerminalSelectorOptions::from_json(json).and_then(TerminalSelector::new),
        |selector| drop(TerminalSelector::restore(&selector.snapshot()).expect("just saved")),
    );
    check_options(
        &json!({ "tags": ["a"], "embedded": true, "recent": 3, "files": "newest", "readTools": { "r": "path" } }),
        "history_deduper",
        |json| DedupeOptions::from_json(json).and_then(HistoryDeduper::new),
        |deduper| drop(deduper.fresh_block("x")),
    );
}

/// Without the fields that this version does not know.
fn good_options(mut all: Value, is_good: impl Fn(&str) -> bool) -> Value {
    let names: Vec<String> = all.as_object().expect("fields").keys().cloned().collect();
    for name in names {
        let alone = json!({ &name: all[&name].clone() });
        if !is_good(&alone.to_string()) {
            all.as_object_mut().expect("fields").remove(&name);
        }
    }
    assert!(is_good(&all.to_string()) && all.as_object().is_some_and(|it| it.len() >= 4));
    all
}

#[test]
fn events_get_an_answer_or_an_error() {
    with_deep_stack(events);
}

fn events() {
    let events = [
        json!({ "type": "text", "text": "x" }),
        json!({ "type": "tool_call", "id": "1", "name": "ls", "args": { "path": ["a"] } }),
        json!({ "type": "tool_result", "id": "1", "output": "x", "isError": false, "exitCode": 0 }),
    ];
    let options = LoopDetectorOptions::from_json(r#"{"profile": "adaptive"}"#).expect("good");
    let mut detector = LoopDetector::new(options).expect("good");
    for good in events {
        each(&good, |name, event| {
            // Other readers of JSON refuse what is nested this deep; a host's own may not.
            let Ok(event) = serde_json::from_value::<AgentEvent>(event) else {
                return;
            };
            let before = detector.clone();
            if let Err(error) = detector.observe(&event) {
                check(&error, "loop_detector", name);
                assert_eq!(
                    detector.snapshot(),
                    before.snapshot(),
                    "{name} has left something"
                );
            }
        });
    }
    assert!(LoopDetector::restore(&detector.snapshot()).is_ok());
}

#[test]
fn terminals_get_an_answer_or_an_error() {
    with_deep_stack(terminals);
}

fn terminals() {
    let options = TerminalSelectorOptions::from_json(r#"{"platform": "posix"}"#).expect("good");
    let mut selector = TerminalSelector::new(options).expect("valid");
    let terminal = json!({
        "id": 2, "provider": "p", "shell": "bash", "workingDirectory": "/a", "taskId": "t", "busy": false,
    });
    let after = |outcome: Result<(), Error>,
                 before: TerminalSelector,
                 name: &str,
                 selector: &TerminalSelector| {
        if let Err(error) = outcome {
            check(&error, "terminal_selector", name);
            let is_lost = error.field() == Some("change.workingDirectory");
            assert!(
                is_lost || selector.snapshot() == before.snapshot(),
                "{name} has left something"
            );
        }
    };
    selector
        .register(&serde_json::from_value(terminal.clone()).expect("good"))
        .expect("good");
    each(&terminal, |name, terminal| {
        if let Ok(terminal) = serde_json::from_value::<TerminalRegistration>(terminal) {
            let before = selector.clone();
            after(selector.register(&terminal), before, name, &selector);
        }
    });
    let change =
        json!({ "taskId": "t", "workingDirectory": "/b", "environment": ["A"], "busy": true });
    each(&change, |name, change| {
        if let Ok(change) = serde_json::from_value::<TerminalChange>(change) {
            let before = selector.clone();
            after(selector.update(2, &change), before, name, &selector);
        }
    });
    let request =
        json!({ "command": "ls", "workingDirectory": "/a", "provider": "p", "taskId": "t" });
    each(&request, |name, request| {
        if let Ok(request) = serde_json::from_value::<TerminalRequest>(request) {
            let before = selector.clone();
            after(selector.select(&request).map(drop), before, name, &selector);
        }
    });
    assert!(TerminalSelector::restore(&selector.snapshot()).is_ok());
}

#[test]
fn turns_get_an_answer_or_an_error() {
    with_deep_stack(turns);
}

fn turns() {
    let mut injector = SummaryInjector::new(SummaryInjectorOptions {
        max_tokens: Count::new(500),
        max_messages: Count::new(5),
        ..SummaryInjectorOptions::default()
    })
    .expect("good");
    injector.start_turn(Turn::default());
    let refused = |outcome: Result<(), Error>, name: &str| {
        if let Err(error) = outcome {
            check(&error, "summary_injector", name);
        }
    };
    each(&json!({ "task": "t", "workspace": "w" }), |_, turn| {
        if let Ok(turn) = serde_json::from_value::<Turn>(turn) {
            injector.start_turn(turn);
        }
    });
    let message = json!({ "role": "user", "content": [{ "type": "text", "text": "x" }] });
    each(&message, |name, message| {
        refused(
            TurnMessage::from_value(&message).and_then(|it| injector.add_message(it, None)),
            name,
        );
        let from_json = TurnMessage::from_json(&message.to_string());
        refused(
            from_json.and_then(|it| injector.add_message(it, None)),
            name,
        );
    });
    each(
        &json!({ "turn": 1, "summary": "s", "insights": ["i"] }),
        |name, summary| {
            if let Ok(summary) = serde_json::from_value::<TurnSummary>(summary) {
                let before = injector.clone();
                let stored = injector.store_summary(&summary);
                assert!(
                    stored.is_ok() || injector.snapshot() == before.snapshot(),
                    "{name} has left something"
                );
                refused(stored, name);
            }
        },
    );
    each(
        &json!({ "summary": "s", "insights": ["i"] }),
        |name, answer| {
            let _ = injector.take_fold_request();
            refused(injector.answer_fold_request(&answer).map(drop), name);
        },
    );
    each(
        &json!({ "turns": [1], "ids": ["a"], "keywords": ["k"] }),
        |name, wanted| {
            let recalled =
                Recall::from_json(&wanted.to_string()).and_then(|it| injector.recall(&it));
            refused(recalled.map(drop), name);
        },
    );
    let parts = PromptParts {
        capability: "c",
        direction: "d",
        workspace: "w",
    };
    injector.build_prompt(PromptPhase::Action, parts);
    assert!(SummaryInjector::restore(&injector.snapshot()).is_ok());
}

#[test]
fn texts_get_an_answer_or_an_error() {
    with_deep_stack(texts);
}

fn texts() {
    for Bad { name, value } in bad_inputs() {
        let Some(text) = value.as_str() else { continue };
        let mut assembler = GhostBlockAssembler::new(AssemblerOptions::new("/work")).expect("good");
        assembler.set_rules([(text, text)]);
        let prompt = format!("{text} @[{text}] @[a{{\"b\": {}}}]", value);
        let inspected = assembler.inspect(&prompt);
        assert!(inspected.len() <= prompt.len());
        for text in [text, &prompt] {
            assembler.begin(Work::Prompt, text);
            while !assembler.is_ready() {
                for request in assembler.take_requests() {
                    let climbs = request.source.name.split('/').any(|part| part == "..");
                    assert!(!climbs && !request.source.name.starts_with('/'), "{name}");
                    assembler
                        .answer(request.id, Answer::content(text))
                        .expect("it waits");
                }
            }
            assembler.finish_prompt(None).expect("ready");
        }
        assembler.scan_history([text.encode_utf16().collect::<Vec<_>>()]);
        assembler.forget(text);
        let mut injector = SummaryInjector::default();
        injector.start_turn(Turn {
            task: Some(text.to_owned()),
            ..Turn::default()
        });
        injector.add_thinking_round(text).expect("a turn is open");
        let parts = PromptParts {
            capability: text,
            direction: text,
            workspace: text,
        };
        injector.build_prompt(PromptPhase::Thinking, parts);
        let options = LoopDetectorOptions::from_json("{}").expect("good");
        let mut detector = LoopDetector::new(options).expect("good");
        detector.start_prompt(Prompt::new(text).model(text));
        let event = AgentEvent::Text {
            text: text.to_owned(),
        };
        detector.observe(&event).expect("a text");
        let mut deduper = HistoryDeduper::new(DedupeOptions::default()).expect("good");
        let message = UserMessage::from_text(text);
        deduper.expect_user_messages(1);
        deduper.read(
            MessagePosition {
                index: 0,
                user_index: 0,
            },
            &message,
        );
        deduper.finish();
        deduper.strip(&message, "\n\n");
        let fresh = deduper.fresh_block(text);
        deduper.place_block(&message, &fresh, OnExisting::default());
    }
}

#[test]
fn snapshots_get_an_answer_or_an_error() {
    with_deep_stack(snapshots);
}

fn snapshots() {
    let bytes = bad_inputs()
        .into_iter()
        .map(|bad| (bad.name, bad.value.to_string().into_bytes()));
    let mut tried: Vec<(String, Vec<u8>)> = bytes.collect();
    let own = [
        LoopDetector::new(LoopDetectorOptions::from_json("{}").expect("good"))
            .expect("good")
            .snapshot(),
        GhostBlockAssembler::new(AssemblerOptions::new("/work"))
            .expect("good")
            .snapshot(),
        SummaryInjector::default().snapshot(),
        TerminalSelector::new(
            TerminalSelectorOptions::from_json(r#"{"platform": "posix"}"#).expect("good"),
        )
        .expect("good")
        .snapshot(),
    ];
    for (at, snapshot) in own.iter().enumerate() {
        for end in 0..snapshot.len() {
            tried.push((format!("{at} cut at {end}"), snapshot[..end].to_vec()));
            let mut flipped = snapshot.clone();
            flipped[end] ^= 1;
            tried.push((format!("{at} altered at {end}"), flipped));
        }
    }
    for (name, bytes) in tried {
        let errors = [
            LoopDetector::restore(&bytes).err(),
            GhostBlockAssembler::restore(&bytes).err(),
            SummaryInjector::restore(&bytes).err(),
            TerminalSelector::restore(&bytes).err(),
        ];
        let machines = [
            "loop_detector",
            "ghost_block_assembler",
            "summary_injector",
            "terminal_selector",
        ];
        for (error, machine) in errors.iter().zip(machines) {
            let error = error.as_ref().unwrap_or_else(|| panic!("{name} was taken"));
            check(error, machine, &name);
        }
    }
}
