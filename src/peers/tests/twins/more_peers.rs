//! The profiles of five more agents, each beside a detector that is slow and obviously right. The
//! conversations are made of few events, so that they repeat.

use proptest::prelude::*;
use serde_json::{Value, json};
use turnkeeper_loop_detector::AgentEvent;

use super::peers::{Step, compare, hold, prose};

#[path = "naive_more_peers.rs"]
mod naive;

use naive::{QwenHeuristics, QwenLimits};

fn id() -> impl Strategy<Value = Option<String>> {
    prop_oneof![3 => Just(None), 1 => (0..3u8).prop_map(|id| Some(format!("c{id}")))]
}

fn call() -> impl Strategy<Value = AgentEvent> {
    let of = |name: &'static str, args: Value| Just((name, Some(args)));
    let call = prop_oneof![
        3 => of("read_file", json!({"path": "a", "range": {"from": 1, "to": 2}})),
        1 => of("read_file", json!({"range": {"to": 2, "from": 1}, "path": "a"})),
        1 => of("read_file", json!("{\"path\": \"a\", \"range\": {\"from\": 1, \"to\": 2}}")),
        2 => of("read_file", json!({"path": "b"})),
        1 => of("list_directory", json!({})),
        1 => Just(("list_directory", None)),
        1 => of("edit", json!({"path": "a"})),
        3 => of("task_list", json!({})),
        1 => of("task_list", json!({"of": "b"})),
        2 => of("run_shell_command", json!({"command": "git status"})),
        2 => of("run_shell_command", json!({"command": "git diff HEAD && git ls-files"})),
        1 => of("run_shell_command", json!({"command": "GIT --no-pager Diff"})),
        1 => of("run_shell_command", json!({"command": "git diff a.rs"})),
        1 => of("run_shell_command", json!({"command": "git status && make"})),
        2 => of("process", json!({"action": "poll"})),
        1 => of("process", json!({"action": "log"})),
        1 => of("process", json!({"action": "kill"})),
        1 => of("command_status", json!({"id": 1})),
        2 => of("web_search", json!({"query": "a"})),
        1 => of("web_search", json!({"query": "b"})),
    ];
    (id(), call).prop_map(|(id, (name, args))| AgentEvent::ToolCall {
        id,
        name: name.to_owned(),
        args,
    })
}

fn result() -> impl Strategy<Value = AgentEvent> {
    let long = |end: &str| format!("{}{end}", "é😀".repeat(50));
    let output = prop_oneof![
        6 => Just("same".to_owned()),
        2 => Just("other".to_owned()),
        1 => Just(String::new()),
        1 => Just(long("one")),
        1 => Just(long("two")),
        1 => Just(long("two")[6..].to_owned()),
        3 => Just("Unknown tool: web_search".to_owned()),
        1 => Just("Unknown tool: Web_Search".to_owned()),
        1 => Just("Unknown tool: other".to_owned()),
    ];
    let is_error = prop_oneof![2 => Just(None), 2 => Just(Some(true)), 1 => Just(Some(false))];
    (id(), output, is_error).prop_map(|(id, output, is_error)| AgentEvent::ToolResult {
        id,
        output,
        is_error,
        exit_code: None,
    })
}

fn event() -> impl Strategy<Value = AgentEvent> {
    let thought = prop_oneof![
        3 => Just("**Plan** I look.".to_owned()),
        1 => Just(" i LOOK. **plan **".to_owned()),
        1 => Just("**Plan** I look again.".to_owned()),
        1 => Just("hm".to_owned()),
        1 => Just(" ".to_owned()),
        1 => Just(format!("{}a", "x".repeat(200))),
        1 => Just(format!("{}b", "x".repeat(200))),
        1 => Just("** a".to_owned()),
    ];
    prop_oneof![
        10 => call(),
        7 => result(),
        3 => prose(),
        2 => thought.prop_map(|text| AgentEvent::Reasoning { text }),
        4 => Just(AgentEvent::TurnStarted),
        2 => Just(AgentEvent::Finished),
        1 => Just(AgentEvent::Other),
        1 => Just(AgentEvent::Condensation),
        1 => Just(AgentEvent::UserMessage),
    ]
}

/// Rounds of a few calls with their results, rounds of anything, and anything.
pub fn steps() -> impl Strategy<Value = Vec<Step>> {
    let of_calls = proptest::collection::vec((call(), result(), any::<bool>()), 1..4);
    let tidy = of_calls.prop_map(|calls| {
        let begin = |begins: bool| begins.then_some(AgentEvent::TurnStarted);
        let of_one = |(call, result, begins)| begin(begins).into_iter().chain([call, result]);
        calls.into_iter().flat_map(of_one).collect()
    });
    let circle = prop_oneof![
        2 => tidy,
        2 => proptest::collection::vec(event(), 1..6),
    ];
    let odd = (any::<proptest::sample::Index>(), event());
    let rounds = (circle, 1usize..26, proptest::collection::vec(odd, 0..3)).prop_map(
        |(circle, times, odd): (Vec<AgentEvent>, usize, Vec<_>)| {
            let mut all = vec![circle; times].concat();
            for (at, event) in odd {
                let at = at.index(all.len());
                all[at] = event;
            }
            all.into_iter().map(Step::Event).collect::<Vec<Step>>()
        },
    );
    let part = prop_oneof![
        10 => rounds,
        3 => proptest::collection::vec(event().prop_map(Step::Event), 1..12),
        1 => (0..3u8).prop_map(|id| vec![Step::Prompt(id)]),
        1 => Just(vec![Step::Clear]),
    ];
    proptest::collection::vec(part, 1..6).prop_map(|parts| parts.concat())
}

fn or_usual(
    usual: [usize; 5],
    others: [std::ops::Range<usize>; 5],
) -> impl Strategy<Value = [usize; 5]> {
    prop_oneof![Just(usual), others]
}

#[test]
fn openhands_sdk() {
    let limits = or_usual([4, 4, 3, 3, 20], [1..6, 1..6, 1..5, 1..5, 1..30]);
    hold("openhands-sdk", &(steps(), limits), |(steps, limits)| {
        let [pairs, errors, messages, turns, window] = limits;
        let options = json!({
            "profile": "openhands-sdk", "recentPairs": pairs, "recentErrors": errors,
            "recentMessages": messages, "recentTurns": turns, "recentEvents": window,
        });
        compare(&options, naive::openhands_sdk(limits), &steps)
    });
}

#[test]
fn opencode() {
    let given = (steps(), prop_oneof![Just(3usize), 1..6usize]);
    hold("opencode", &given, |(steps, threshold)| {
        let options = json!({ "profile": "opencode", "identicalCalls": threshold });
        compare(&options, naive::opencode(threshold), &steps)
    });
}

#[test]
fn qwen_code() {
    let limits = or_usual([5, 8, 100, 6, 0], [1..7, 1..9, 1..60, 1..7, 0..1]);
    let given = (steps(), limits);
    hold(
        "qwen-code",
        &given,
        |(steps, [identical, overviews, cap, cap_repeats, _])| {
            let options = json!({
                "profile": "qwen-code", "repeatedCalls": identical, "repeatedOverviews": overviews,
                "callCap": cap, "callCapRepeats": cap_repeats,
            });
            let limits = QwenLimits {
                identical,
                overviews,
                cap,
                cap_repeats,
                heuristics: None,
            };
            compare(&options, naive::qwen_code(limits), &steps)
        },
    );
}

#[test]
fn qwen_code_with_its_heuristics() {
    let limits = or_usual([6, 3, 8, 15, 8], [1..9, 1..5, 1..10, 10..17, 1..10]);
    let prose = prop_oneof![Just([10i64, 50]), [2..9i64, 2..24i64]];
    let given = (steps(), limits, 2usize..5, prose, any::<bool>());
    hold(
        "qwen-code, heuristics",
        &given,
        |(steps, limits, thoughts, prose, is_usual)| {
            let [duplicates, rounds, reads, window, same_tool] = limits;
            let [copies, unit] = prose;
            let numbers = json!({
                "duplicateCalls": duplicates, "alternatingCalls": rounds, "frequentReads": reads,
                "readWindow": window, "sameToolCalls": same_tool, "repeatedThoughts": thoughts,
                "copies": copies, "unit": unit,
            });
            let mut options = json!({
                "profile": "qwen-code", "heuristics": true, "repeatedCalls": 30, "callCap": false,
                "distinctGaps": 100,
            });
            let mut heuristics = QwenHeuristics {
                duplicates: 6,
                rounds: 3,
                reads: 8,
                window: 15,
                same_tool: 8,
                thoughts: 3,
                copies: 10,
                unit: 50,
            };
            if !is_usual {
                let options = options.as_object_mut().expect("an object");
                options.extend(numbers.as_object().expect("an object").clone());
                heuristics = QwenHeuristics {
                    duplicates,
                    rounds,
                    reads,
                    window,
                    same_tool,
                    thoughts,
                    copies,
                    unit,
                };
            }
            let limits = QwenLimits {
                identical: 30,
                overviews: 8,
                cap: usize::MAX,
                cap_repeats: 6,
                heuristics: Some(heuristics),
            };
            compare(&options, naive::qwen_code(limits), &steps)
        },
    );
}

#[test]
fn openclaw() {
    let limits = or_usual([10, 10, 10, 10, 30], [2..8, 2..8, 2..8, 2..8, 2..32]);
    hold("openclaw", &(steps(), limits), |(steps, limits)| {
        let [same, polls, in_turn, unknown, window] = limits;
        let options = json!({
            "profile": "openclaw", "sameCalls": same, "unchangedPolls": polls,
            "callsInTurn": in_turn, "unknownToolCalls": unknown, "callWindow": window,
        });
        compare(&options, naive::openclaw(limits), &steps)
    });
}

#[test]
fn goose() {
    let repetitions = prop_oneof![1 => Just(None), 3 => (1usize..7).prop_map(Some)];
    let given = (steps(), repetitions, prop_oneof![Just(3usize), 1..6usize]);
    hold("goose", &given, |(steps, repetitions, errors)| {
        let mut options = json!({ "profile": "goose", "sameErrors": errors });
        if let Some(repetitions) = repetitions {
            options["maxRepetitions"] = json!(repetitions);
        }
        compare(&options, naive::goose(repetitions, errors), &steps)
    });
}
