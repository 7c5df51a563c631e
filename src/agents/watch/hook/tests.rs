use proptest::prelude::*;
use turnkeeper_base::json::{parse, written};

use super::*;
use crate::agent::Watched;
use crate::watch::log::Done;
use crate::watch::testing::Memory;

fn setting<'s>(agent: &'s str, mode: Mode, settings: &'s UserSettings) -> Setting<'s> {
    Setting {
        agent,
        dialect: Watched::named(agent)
            .and_then(|it| it.dialect)
            .expect("it has hooks"),
        mode,
        economy: true,
        settings,
        started_at: 2.0,
        now: &|| 1.0,
    }
}

/// The `at`-th equal look at a log.
fn look(at: usize, subagent: &str) -> String {
    format!(
        r#"{{"hook_event_name": "PostToolBatch", "session_id": "s", {subagent} "tool_calls": [
            {{"tool_name": "Bash", "tool_input": {{"command": "cat log"}}, "tool_use_id": "{at}", "tool_response": "Compiling"}}]}}"#
    )
}

#[test]
fn a_record_that_is_none_is_begun_afresh_and_logged_once() {
    let settings = UserSettings::default();
    let setting = setting("claude-code", Mode::Hint, &settings);
    let mut memory = Memory::default();
    let said = |at, memory: &mut Memory| memory.send(&setting, look(at, "").as_bytes()).is_some();
    assert!(!said(0, &mut memory) && !said(1, &mut memory));
    for record in memory.records.values_mut() {
        *record = br#"{"version":1}"#.to_vec();
    }
    let all: Vec<bool> = (2..5).map(|at| said(at, &mut memory)).collect();
    assert_eq!(all, [false, false, true]);
    let done: Vec<Done> = memory.log.iter().map(|line| line.what).collect();
    assert_eq!(done, [Done::Failure, Done::Nudge]);
}

/// The `at`-th equal result, told by itself.
fn alone(at: usize) -> String {
    format!(
        r#"{{"hook_event_name": "PostToolUse", "session_id": "s", "tool_name": "Bash",
            "tool_input": {{"command": "cat log"}}, "tool_use_id": "{at}", "tool_response": "Compiling"}}"#
    )
}

#[test]
fn results_that_come_by_themselves_count_once_also_if_a_batch_tells_of_them_again() {
    let settings = UserSettings::default();
    let mut setting = setting("claude-code", Mode::Stop, &settings);
    setting.economy = false;
    for with_batch in [false, true] {
        let mut memory = Memory::default();
        let mut said = Vec::new();
        for at in 0..6 {
            setting.started_at = at as f64 * 1_000.0;
            let batch = look(at, "");
            let events = [alone(at), batch];
            for event in &events[..if with_batch { 2 } else { 1 }] {
                if memory.send(&setting, event.as_bytes()).is_some() {
                    said.push(at);
                }
            }
        }
        said.dedup();
        assert_eq!(said, [2, 4, 5], "{with_batch}");
    }
    // With an economy the batch alone is judged.
    setting.economy = true;
    let mut memory = Memory::default();
    let said = (0..6).filter_map(|at| memory.send(&setting, alone(at).as_bytes()));
    assert_eq!(said.count(), 0);
}

#[test]
fn the_user_is_told_once_that_a_project_leaves_nothing_to_find() {
    for project in [&br#"{"off": true}"#[..], br#"{"exempt": ["*"]}"#] {
        let mut settings = UserSettings::default();
        settings.take("p/turnkeeper.json", project, crate::watch::Owner::Project);
        let setting = setting("claude-code", Mode::Hint, &settings);
        let mut memory = Memory::default();
        let said: Vec<_> = (0..6)
            .filter_map(|at| memory.send(&setting, look(at, "").as_bytes()))
            .collect();
        assert!(
            said.len() == 1 && said[0].contains("p/turnkeeper.json"),
            "{said:?}"
        );
        let done: Vec<Done> = memory.log.iter().map(|line| line.what).collect();
        assert_eq!(done, [Done::Silenced]);
    }
}

#[test]
fn a_stop_within_a_subagent_is_told_to_the_main_agent_at_its_next_event() {
    let settings = UserSettings::default();
    let setting = setting("claude-code", Mode::Stop, &settings);
    let mut memory = Memory::default();
    let subagent = r#""agent_id": "a","#;
    let ended = (0..5).filter_map(|at| memory.send(&setting, look(at, subagent).as_bytes()));
    assert!(
        ended
            .last()
            .is_some_and(|it| it.contains(r#""continue":false"#))
    );
    let told = memory.send(&setting, look(9, "").as_bytes());
    assert!(told.is_some_and(|it| it.contains("a subagent was ended")));
    assert_eq!(memory.send(&setting, look(10, "").as_bytes()), None);
}

/// What an answer does.
fn heard(answer: Option<String>) -> &'static str {
    match answer {
        Some(answer) if answer.contains(r#""continue":false"#) => "stop",
        Some(_) => "hint",
        None => "-",
    }
}

#[test]
fn a_loop_that_a_compaction_shows_is_told_with_the_next_results_before_it_ends_the_turn() {
    let settings = UserSettings::default();
    let setting = setting("claude-code", Mode::Stop, &settings);
    let mut memory = Memory::default();
    let compacted = r#"{"hook_event_name":"SessionStart","session_id":"s","source":"compact"}"#;
    let said: Vec<_> = (0..7)
        .map(|at| {
            let said = heard(memory.send(&setting, look(at, "").as_bytes()));
            let compacted = compacted.replace("\"s\"", &format!("\"s\",\"n\":{at}"));
            memory.send(&setting, compacted.as_bytes());
            said
        })
        .collect();
    assert_eq!(said, ["-", "-", "-", "hint", "-", "stop", "stop"]);
}

#[test]
fn nobody_is_stopped_who_was_not_told() {
    let settings = UserSettings::default();
    let setting = setting("claude-code", Mode::Stop, &settings);
    let mut memory = Memory::default();
    let batch = |from: usize| {
        let call = |at| {
            format!(
                r#"{{"tool_name":"Bash","tool_input":{{"command":"cat log"}},"tool_use_id":"{at}","tool_response":"Compiling"}}"#
            )
        };
        let calls = (from..from + 12).map(call).collect::<Vec<_>>().join(",");
        format!(r#"{{"hook_event_name":"PostToolBatch","session_id":"s","tool_calls":[{calls}]}}"#)
    };
    let prompt = |id: &str| {
        format!(
            r#"{{"hook_event_name":"UserPromptSubmit","session_id":"s","prompt_id":"{id}","prompt":"Go on, {id}."}}"#
        )
    };
    for id in ["p", "q"] {
        memory.send(&setting, prompt(id).as_bytes());
        let from = usize::from(id == "q") * 100;
        let said = [batch(from), batch(from + 20), batch(from + 40)];
        let said = said.map(|batch| heard(memory.send(&setting, batch.as_bytes())));
        assert_eq!(said[0], "hint", "{said:?}");
        assert!(said[1..].contains(&"stop"), "{said:?}");
    }
}

/// Every event of an agent that tells of no compaction, and of one that does, each with a secret in it.
#[test]
fn words_are_kept_for_agents_alone_that_are_told_of_them_after_a_compaction() {
    const SECRET: &str = "Geheimnis";
    let settings = UserSettings::default();
    let told = |agent, mode| {
        let setting = Setting {
            economy: false,
            ..setting(agent, mode, &settings)
        };
        let mut memory = Memory::default();
        for at in 0..7 {
            for event in [
                "BeforeAgent", "UserPromptSubmit", "PostToolUse", "AfterTool",
            ] {
                let event = format!(
                    r#"{{"hook_event_name": "{event}", "session_id": "s", "prompt": "Say {SECRET}.", "tool_name": "Bash",
                        "tool_use_id": "{at}", "tool_input": {{"command": "cat {SECRET}"}}, "tool_response": "{SECRET}"}}"#
                );
                memory.send(&setting, event.as_bytes());
            }
        }
        let is_in = |record: &Vec<u8>| {
            record
                .windows(SECRET.len())
                .any(|it| it == SECRET.as_bytes())
        };
        assert!(!memory.records.is_empty(), "{agent}");
        memory.records.values().any(is_in)
    };
    for agent in ["claude-code", "codex", "qwen-code"] {
        assert!(told(agent, Mode::Hint), "{agent}");
        assert!(!told(agent, Mode::Watch), "{agent}");
    }
    for agent in ["gemini-cli", "copilot-cli", "cursor"] {
        assert!(!told(agent, Mode::Stop), "{agent}");
    }
}

/// Values that a field may have in the payload of an agent that has changed, or is not one.
fn values() -> impl Strategy<Value = Json<'static>> {
    let leaf = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::Bool),
        any::<f64>().prop_map(Json::Number),
        "[a-c]{0,2}".prop_map(Json::from),
        Just(Json::from("success")),
        Just(Json::from("compact")),
        Just(Json::from("invoke_agent")),
        Just(Json::from(
            "Exit Code: 1\n<shellId: 1 completed with exit code 0>"
        )),
        Just(Json::from("é".repeat(3_000))),
        ".{0,9}".prop_map(Json::from),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        let named = (prop::sample::select(FIELDS), inner.clone());
        prop_oneof![
            prop::collection::vec(inner, 0..3).prop_map(Json::List),
            prop::collection::vec(named, 0..4).prop_map(object),
        ]
    })
}

fn object(fields: Vec<(&'static str, Json<'static>)>) -> Json<'static> {
    let fields = fields.into_iter();
    Json::Object(fields.map(|(name, value)| (name.into(), value)).collect())
}

const FIELDS: &[&str] = &[
    "agent_id", "content", "error", "file", "input", "isImage", "iteration", "llmContent",
    "message", "name", "output", "postToolUse", "prompt", "prompt_id", "result", "resultType",
    "source", "stderr", "stdout", "success", "taskMetadata", "taskStart", "text",
    "textResultForLlm", "tool_calls", "tool_input", "tool_name", "tool_output", "tool_response",
    "tool_result", "tool_use_id", "type", "userPromptSubmit",
];

/// Payloads of an agent, in which every field may be anything.
fn payloads() -> impl Strategy<Value = (&'static str, Vec<Json<'static>>)> {
    let hooked = Watched::all().filter(|agent| agent.dialect.is_some());
    let hooked: Vec<_> = hooked.map(|agent| agent.name).collect();
    prop::sample::select(hooked).prop_flat_map(|name| {
        let dialect = Watched::named(name).and_then(|it| it.dialect);
        let events = dialect.map_or(&[][..], |it| it.events);
        let events: Vec<&str> = events.iter().map(|(event, _)| *event).collect();
        let fields = prop::collection::vec((prop::sample::select(FIELDS), values()), 0..8);
        let event = (prop::sample::select(events), fields).prop_map(|(event, mut fields)| {
            for (name, value) in [
                ("hook_event_name", event),
                ("hookName", event),
                ("session_id", "s"),
                ("taskId", "s"),
                ("tool_name", "T"),
            ] {
                fields.insert(0, (name, value.into()));
            }
            object(fields)
        });
        (Just(name), prop::collection::vec(event, 1..6))
    })
}

proptest! {
    #[test]
    fn no_payload_is_too_strange((agent, events) in payloads(), mode in 0..3_usize) {
        let settings = UserSettings::default();
        let mode = [Mode::Watch, Mode::Hint, Mode::Stop][mode];
        let setting = setting(agent, mode, &settings);
        let mut memory = Memory::default();
        for event in events {
            if let Some(printed) = memory.send(&setting, written(&event).as_bytes()) {
                let mut room = Vec::new();
                let answer = parse(printed.as_bytes(), &mut room);
                prop_assert!(matches!(answer, Ok(Json::Object(_))), "{printed}");
                prop_assert!(mode != Mode::Watch, "{printed}");
            }
        }
        for record in memory.records.values() {
            prop_assert!(Record::from_bytes(record).is_ok());
        }
    }

    #[test]
    fn no_bytes_are_too_strange(mut bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = read(&mut bytes);
    }
}
