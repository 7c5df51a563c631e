//! The profiles of other agents, each beside a detector that is slow and obviously right.

use std::cell::Cell;
use std::hash::{BuildHasher, Hasher, RandomState};

use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, TestCaseError, TestRng, TestRunner};
use serde_json::{Map, Value, json};
use turnkeeper_loop_detector::{AgentEvent, Prompt};
use turnkeeper_peers::{PeerDetector, PeerVerdict};

use super::detector;

#[path = "naive_peers.rs"]
mod naive;

use naive::{Action, Naive};

/// A step of a conversation.
#[derive(Debug, Clone)]
enum Step {
    Event(AgentEvent),
    Prompt(u8),
    Clear,
}

fn text(text: &str) -> AgentEvent {
    AgentEvent::Text {
        text: text.to_owned(),
    }
}

fn event() -> impl Strategy<Value = AgentEvent> {
    let name = prop_oneof![
        4 => Just("read_file"), 2 => Just("bash"), 2 => Just("ls"), 1 => Just("edit"),
        1 => Just("browser_action"),
    ];
    // Equal for some peers, for others not.
    let args = prop_oneof![
        6 => Just(json!({"a": 1, "b": {"c": 2, "d": []}})),
        1 => Just(json!({"b": {"c": 2, "d": []}, "a": 1})),
        1 => Just(json!({"a": 1, "b": {"d": [], "c": 2}})),
        1 => Just(json!({"a": 1.0, "b": {"c": 2, "d": []}})),
        1 => Just(json!({"params": {"a": 1, "b": 2}, "nativeArgs": {}, "more": 1})),
        1 => Just(json!({"params": {"b": 2, "a": 1}, "nativeArgs": {}})),
        1 => Just(json!({"params": {"a": 1, "b": 2}, "nativeArgs": {"x": 1}})),
        1 => Just(json!({"params": {"a": 1, "b": 2}})),
        1 => Just(json!({"params": {}, "nativeArgs": []})),
        1 => Just(json!({"nativeArgs": {"files": [{"path": "a", "line": 1}]}})),
        1 => Just(json!({"nativeArgs": {"files": [{"line": 1, "path": "a"}]}})),
        1 => Just(json!("null")),
        1 => Just(json!("1")),
        1 => Just(json!(1)),
        1 => Just(json!({"action": "scroll_down"})),
        1 => Just(json!({"params": {"action": "scroll_up"}})),
        1 => Just(json!("{\"a\": 1}")),
        1 => Just(json!("{\"a\":1}")),
        1 => Just(json!({"a": 1})),
        1 => Just(json!("a: 1")),
        1 => Just(json!({})),
        1 => Just(Value::Null),
    ];
    let id = || prop_oneof![2 => Just(None), 1 => (0..3u8).prop_map(|id| Some(format!("c{id}")))];
    let call = (id(), name, args).prop_map(|(id, name, args)| AgentEvent::ToolCall {
        key: None,
        id,
        name: name.to_owned(),
        args: Some(args),
    });
    let bare = Just(AgentEvent::ToolCall {
        key: None,
        id: None,
        name: "ls".to_owned(),
        args: None,
    });
    let output = prop_oneof![4 => Just("same"), 1 => Just("other"), 1 => Just("")];
    let is_error = prop_oneof![3 => Just(None), 1 => any::<bool>().prop_map(Some)];
    let exit_code = prop_oneof![2 => Just(None), 1 => (0..2i64).prop_map(Some)];
    let result =
        (id(), output, is_error, exit_code).prop_map(|(id, output, is_error, exit_code)| {
            AgentEvent::ToolResult {
                id,
                output: output.to_owned(),
                is_error,
                exit_code,
            }
        });
    let plain = prop_oneof![
        6 => Just(AgentEvent::TurnStarted),
        1 => Just(AgentEvent::Finished),
        1 => Just(AgentEvent::Other),
        2 => Just(AgentEvent::Condensation),
    ];
    prop_oneof![
        8 => call,
        1 => bare,
        6 => result,
        4 => prose(),
        1 => Just(AgentEvent::Reasoning { text: "hm, ".to_owned() }),
        4 => plain,
        1 => Just(AgentEvent::UserMessage),
    ]
}

/// Prose and what looks like Markdown.
fn prose() -> impl Strategy<Value = AgentEvent> {
    prop_oneof![
        8 => prop_oneof![
            Just("I check it. "), Just("I check"), Just(" it, and again. "), Just("a"), Just("😀 再"),
            Just("   "), Just("-_- "), Just("─│┌ "), Just("b\n"), Just(""),
        ].prop_map(str::to_owned),
        2 => prop_oneof![
            Just("```"), Just("\n* "), Just("| a |"), Just("# x"), Just("1. x"), Just("> x"),
            Just("."), Just("2026"), Just("---"), Just("- x"), Just("\n```js\n"),
        ].prop_map(str::to_owned),
        2 => ("[ab ]{1,7}", 1usize..40).prop_map(|(passage, times)| passage.repeat(times)),
    ]
    .prop_map(|prose| text(&prose))
}

/// Conversations that go round in circles, with something else here and there.
fn steps() -> impl Strategy<Value = Vec<Step>> {
    let circle = (
        proptest::collection::vec(event(), 1..7),
        1usize..14,
        proptest::collection::vec((any::<proptest::sample::Index>(), event()), 0..2),
    );
    let part = prop_oneof![
        10 => circle.prop_map(|(events, times, others)| {
            let circle: Vec<Step> = events.into_iter().map(Step::Event).collect();
            let mut all = vec![circle; times].concat();
            for (at, other) in others {
                let at = at.index(all.len());
                all[at] = Step::Event(other);
            }
            all
        }),
        3 => proptest::collection::vec(event().prop_map(Step::Event), 1..12),
        1 => (0..3u8).prop_map(|id| vec![Step::Prompt(id)]),
        1 => Just(vec![Step::Clear]),
    ];
    proptest::collection::vec(part, 1..8).prop_map(|parts| parts.concat())
}

fn play(detector: &mut PeerDetector, step: &Step) -> PeerVerdict {
    match step {
        Step::Event(event) => detector.observe(event).expect("not too deep").clone(),
        Step::Prompt(id) => {
            detector.start_prompt(Prompt::new(&format!("p{id}")).model("m-preview"));
            detector.verdict().clone()
        }
        Step::Clear => {
            detector.clear();
            detector.verdict().clone()
        }
    }
}

fn action(verdict: &PeerVerdict) -> Action {
    match verdict {
        PeerVerdict::Ok => Action::Ok,
        PeerVerdict::Nudge { .. } => Action::Nudge,
        PeerVerdict::Stop { .. } => Action::Stop,
    }
}

/// The things that conversations had in them.
#[derive(Debug, Clone, Copy, Default)]
struct Met {
    calls: u64,
    nudges: u64,
    stops: u64,
}

/// Plays the steps to both. The answer is what they had in them.
fn compare(options: &Value, mut naive: Naive, steps: &[Step]) -> Result<Met, TestCaseError> {
    let mut met = Met::default();
    let mut fast = detector(&options.to_string());
    for (at, step) in steps.iter().enumerate() {
        let got = action(&play(&mut fast, step));
        let expected = match step {
            Step::Event(event) => naive.observe(event),
            Step::Prompt(id) => naive.start_prompt(*id),
            Step::Clear => naive.clear(),
        };
        prop_assert_eq!(got, expected, "step {} {:?}", at, step);
        met.calls += u64::from(matches!(step, Step::Event(AgentEvent::ToolCall { .. })));
        met.nudges += u64::from(got == Action::Nudge);
        met.stops += u64::from(got == Action::Stop);
    }
    Ok(met)
}

/// The peers that nudge.
const NUDGING: [&str; 1] = ["cline"];

/// The calls over which a profile is held to its naive twin, or a few more.
const ENOUGH: u64 = 10_000;

/// Holds a profile to its naive twin over conversations of chance, until both have seen enough calls and
/// each of the verdicts has come.
fn hold<G: Strategy>(peer: &str, given: &G, test: impl Fn(G::Value) -> Result<Met, TestCaseError>) {
    let seed = match std::env::var("TURNKEEPER_SEED") {
        Ok(seed) => seed.parse().expect("a number"),
        Err(_) => RandomState::new().build_hasher().finish() >> 32,
    };
    println!("{peer}: TURNKEEPER_SEED={seed}");
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let asked = asked_cases();
    let config = ProptestConfig {
        // They hold 24 calls each, or more.
        cases: asked.unwrap_or(2_300),
        source_file: Some(file!()),
        ..ProptestConfig::default()
    };
    let random = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    let mut runner = TestRunner::new_with_rng(config, random);
    let all = Cell::new(Met::default());
    let has_failed = Cell::new(false);
    let held = runner.run(given, |given| {
        let before = all.get();
        // After a failure proptest looks for a smaller one, however many calls there were.
        let is_enough = before.calls >= ENOUGH && before.stops > 0;
        if is_enough && asked.is_none() && !has_failed.get() {
            return Ok(());
        }
        let met = test(given).inspect_err(|_| has_failed.set(true))?;
        all.set(Met {
            calls: before.calls + met.calls,
            nudges: before.nudges + met.nudges,
            stops: before.stops + met.stops,
        });
        Ok(())
    });
    let met = all.get();
    println!("{peer}: {met:?}");
    if let Err(error) = held {
        panic!("{peer}, TURNKEEPER_SEED={seed}: {error}");
    }
    if asked.is_none() {
        assert!(
            met.calls >= ENOUGH,
            "{peer}, TURNKEEPER_SEED={seed}: {met:?}"
        );
    }
    assert!(met.stops > 0, "{peer}, TURNKEEPER_SEED={seed}: {met:?}");
    assert!(
        met.nudges > 0 || !NUDGING.contains(&peer),
        "{peer}, TURNKEEPER_SEED={seed}: {met:?}"
    );
}

/// The number of conversations that each profile is tried on, if `TURNKEEPER_PEER_CASES` asks for a number.
fn asked_cases() -> Option<u32> {
    let asked = std::env::var("TURNKEEPER_PEER_CASES").ok()?;
    Some(asked.parse().expect("a number of cases"))
}

fn cases() -> u32 {
    asked_cases().unwrap_or(300)
}

/// The profile's own values, or others.
fn or_usual(usual: [i64; 5], others: [std::ops::Range<i64>; 5]) -> impl Strategy<Value = [i64; 5]> {
    prop_oneof![Just(usual), others]
}

#[test]
#[ignore = "10,000 calls take their time"]
fn gemini_cli() {
    let numbers = or_usual([5, 5, 50, 10, 5_000], [1..6, 1..8, 2..24, 2..9, 24..300]);
    let mean_distance = prop_oneof![Just(250i64), 1..60i64];
    let gaps = prop_oneof![Just(5i64), 1..4i64];
    let given = (steps(), numbers, mean_distance, gaps);
    hold(
        "gemini-cli",
        &given,
        |(steps, numbers, mean_distance, gaps)| {
            let [rounds, max_period, unit, copies, history] = numbers;
            let options = json!({
                "profile": "gemini-cli", "rounds": rounds, "maxPeriod": max_period, "unit": unit,
                "copies": copies, "meanDistance": mean_distance, "distinctGaps": gaps,
                "history": history, "modelCheck": false,
            });
            let limits = [
                rounds, max_period, unit, copies, history, mean_distance, gaps,
            ];
            compare(&options, Naive::gemini_cli(limits), &steps)
        },
    );
}

#[test]
#[ignore = "10,000 calls take their time"]
fn deepv() {
    let numbers = or_usual(
        [10, 32, 500, 20, 10_000],
        [1..12, 1..12, 2..24, 2..9, 24..300],
    );
    hold("deepv", &(steps(), numbers), |(steps, numbers)| {
        let [calls, monitored, unit, copies, history] = numbers;
        let options = json!({
            "profile": "deepv", "identicalCalls": calls, "monitoredCalls": monitored,
            "unit": unit, "copies": copies, "history": history, "modelCheck": false,
        });
        // Before the first prompt there is no model to watch.
        let steps = [vec![Step::Prompt(9)], steps].concat();
        compare(&options, Naive::deepv(numbers), &steps)
    });
}

#[test]
#[ignore = "10,000 calls take their time"]
fn roo() {
    let given = (steps(), prop_oneof![Just(3i64), -1..7i64]);
    hold("roo", &given, |(steps, limit)| {
        compare(
            &json!({ "profile": "roo", "limit": limit }),
            Naive::roo(limit),
            &steps,
        )
    });
}

#[test]
#[ignore = "10,000 calls take their time"]
fn cline() {
    hold(
        "cline",
        &(steps(), 1u64..6, 1u64..7),
        |(steps, soft, hard)| {
            let options =
                json!({ "profile": "cline", "softThreshold": soft, "hardThreshold": hard });
            compare(&options, Naive::cline(soft, hard), &steps)
        },
    );
}

/// Options of an agent: its own, or with some of its numbers changed.
fn options() -> impl Strategy<Value = Value> {
    const NUMBERS: &[(&str, &[&str])] = &[
        (
            "gemini-cli",
            &["rounds", "maxPeriod", "unit", "copies", "meanDistance"],
        ),
        (
            "deepv",
            &["identicalCalls", "monitoredCalls", "unit", "copies"],
        ),
        ("roo", &["limit"]),
        ("cline", &["softThreshold", "hardThreshold"]),
    ];
    proptest::sample::select(NUMBERS).prop_flat_map(|(profile, names): (&str, &'static [&str])| {
        let number = (proptest::sample::select(names), 1..7i64);
        proptest::collection::vec(number, 0..6).prop_map(move |numbers| {
            let mut options = Map::new();
            options.insert("profile".to_owned(), json!(profile));
            for (name, number) in numbers {
                options.insert(name.to_owned(), json!(number));
            }
            Value::Object(options)
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), ..ProptestConfig::default() })]

    #[test]
    fn going_on_from_a_snapshot_equals_never_having_stopped(
        options in options(),
        steps in steps(),
        saved in proptest::collection::vec(any::<bool>(), 97),
    ) {
        let mut straight = detector(&options.to_string());
        let mut saving = detector(&options.to_string());
        for (step, save) in steps.iter().zip(saved.iter().cycle()) {
            prop_assert_eq!(play(&mut straight, step), play(&mut saving, step));
            if *save {
                saving = PeerDetector::restore(&saving.snapshot()).expect("just saved");
            }
        }
        prop_assert_eq!(straight.snapshot(), saving.snapshot());
    }
}
