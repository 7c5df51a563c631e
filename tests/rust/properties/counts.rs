//! What `counts` says beside what the rules tell, in every profile: a run is below its threshold until the
//! rule tells, and then it is not.

use std::collections::HashMap;
use std::sync::LazyLock;

use proptest::prelude::*;
use serde_json::{Value, json};
use turnkeeper_core::loop_detector::RuleName;
use turnkeeper_core::{AgentEvent, LoopDetector, LoopDetectorOptions, LoopVerdict, Prompt};

use super::conversation::{self, Step};
use super::{detector, play};

/// The profiles, and settings with which rules meet that otherwise seldom do.
fn settings() -> impl Strategy<Value = Value> {
    let profiles = [
        json!({"profile": "standard"}),
        json!({"profile": "adaptive"}),
    ];
    let others = [
        json!({"profile": "standard", "identicalCalls": 4}),
        json!({"profile": "adaptive", "identicalCalls": 3, "previewCalls": 4}),
    ];
    // With these, equal calls are stopped before a rule over different ones can find itself beyond both of
    // its thresholds when another call comes.
    let thresholds = proptest::collection::vec(1u64..7, 2);
    let adaptive = (1u64..4, thresholds).prop_map(|(results, thresholds)| {
        let mut options = json!({
            "profile": "adaptive",
            "repeatedResults": results,
            "repeatedWaits": 1,
        });
        let names = ["repeatedEdits", "rewrites"];
        for (name, threshold) in names.into_iter().zip(thresholds) {
            options[name] = json!(threshold);
        }
        options
    });
    let settings = prop_oneof![
        6 => proptest::sample::select(profiles.to_vec()),
        3 => proptest::sample::select(others.to_vec()),
        5 => adaptive,
    ];
    settings.prop_map(|mut options| {
        options["modelCheck"] = json!(false);
        options
    })
}

/// Calls whose rules look at what they do.
fn calls() -> Vec<(&'static str, Value)> {
    vec![
        ("read_file", json!({"path": "a"})),
        ("search_files", json!({"regex": "a"})),
        ("search_files", json!({"regex": "b"})),
        ("search_files", json!({"regex": "c"})),
        ("replace", json!({"path": "a", "text": "x"})),
        ("replace", json!({"path": "a", "text": "y"})),
        ("write_file", json!({"path": "a", "text": "x"})),
        ("write_file", json!({"path": "a", "text": "y"})),
        ("wait_for", json!({"what": "a"})),
        ("bash", json!({"command": "sleep 5"})),
        ("bash", json!({"command": "make a"})),
        ("bash", json!({"command": "make b"})),
        ("bash", json!({"command": "echo a"})),
        ("task_list", json!({})),
        ("think", json!({"thought": "a"})),
    ]
}

/// What they answer.
const RESULTS: [&str; 7] = [
    "Error: the gate is shut",
    "Error: old_str was not found in the file",
    "No matches found",
    "Twelve beds of roses",
    "7 lamps",
    "8 lamps",
    "",
];

fn call(name: &str, args: &Value) -> AgentEvent {
    AgentEvent::ToolCall {
        key: None,
        id: None,
        name: name.to_owned(),
        args: Some(args.clone()),
    }
}

fn result(output: &str, is_error: Option<bool>) -> AgentEvent {
    AgentEvent::ToolResult {
        id: None,
        output: output.to_owned(),
        is_error,
        exit_code: None,
    }
}

/// Such calls and their results, in rounds.
pub(super) fn work() -> impl Strategy<Value = Vec<Step>> {
    let called = proptest::sample::select(calls());
    let answer = proptest::sample::select(&RESULTS[..]);
    let is_error = prop_oneof![4 => Just(None), 1 => Just(Some(true))];
    let says =
        prop_oneof![6 => Just(None), 1 => Just(Some("Now I look for the gate in the garden. "))];
    let begins = prop_oneof![6 => Just(true), 1 => Just(false)];
    let turn = (begins, says, called, answer, is_error).prop_map(
        |(begins, says, (name, args), output, is_error)| {
            let text = says.map(|text| AgentEvent::Text {
                text: text.to_owned(),
            });
            let begin = begins.then_some(AgentEvent::TurnStarted);
            let events = begin
                .into_iter()
                .chain(text)
                .chain([call(name, &args), result(output, is_error)]);
            events.map(Step::Event).collect::<Vec<Step>>()
        },
    );
    let round = (proptest::collection::vec(turn, 1..4), 1usize..12);
    let rounds = round.prop_map(|(turns, times)| vec![turns.concat(); times].concat());
    proptest::collection::vec(rounds, 1..6).prop_map(|parts| parts.concat())
}

/// How soon `counts` tells of a rule's run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Counted {
    /// From its first call on.
    AtOnce,
    /// From a later one, as of a rule that leaves its first calls to others as long as nothing else comes.
    Late,
    Never,
}

/// The rules by their names, and what `counts` tells of each when it alone is on.
static RULES: LazyLock<HashMap<String, Counted>> = LazyLock::new(|| {
    let names = RuleName::ALL.iter().map(RuleName::to_string);
    names.map(|name| (name.clone(), counted(&name))).collect()
});

fn counted(rule: &str) -> Counted {
    let mut words = rule.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    let option = words.fold(first, |camel, word| {
        camel + &word[..1].to_uppercase() + &word[1..]
    });
    let mut options = json!({"profile": "standard", "modelCheck": false});
    for other in [
        "identicalCalls",
        "previewCalls",
        "previewIntensiveCalls",
        "repeatedPassages",
    ] {
        options[other] = json!(false);
    }
    // The model check and the host's report have no threshold.
    let mut set = options.clone();
    set[&option] = json!(30);
    let is_threshold = LoopDetectorOptions::from_json(&set.to_string()).is_ok();
    let mut detector = detector(&if is_threshold { set } else { options }.to_string());
    detector.start_prompt(Prompt::new("prompt").model("a preview"));
    let calls = calls();
    let of_a_result = |output| calls.iter().map(move |call| (call, output));
    let of_a_call = |call| RESULTS.iter().map(move |output| (call, output));
    let results = RESULTS.iter().flat_map(of_a_result);
    for ((name, args), output) in results.chain(calls.iter().flat_map(of_a_call)) {
        let once = [call(name, args), result(output, None)];
        for event in once.iter().chain(&once) {
            detector.observe(event).expect("a call and its result");
            match run(&detector) {
                (_, 0) => {}
                (1, _) => return Counted::AtOnce,
                _ => return Counted::Late,
            }
        }
    }
    Counted::Never
}

#[test]
fn of_each_rule_it_is_known_how_soon_its_run_is_told_of() {
    let of = |name: &str| RULES[name];
    assert_eq!(of("repeated_results"), Counted::AtOnce);
    assert_eq!(of("preview_intensive_calls"), Counted::AtOnce);
    assert_eq!(of("repeated_edits"), Counted::AtOnce);
    assert_eq!(of("equal_errors"), Counted::Late);
    assert_eq!(of("fruitless_searches"), Counted::Late);
    assert_eq!(of("nothing_new"), Counted::Never);
    assert_eq!(of("model_check"), Counted::Never);
}

/// A run, and the threshold that it is nearest to.
type Run = (u64, u64);

fn run(detector: &LoopDetector) -> Run {
    let counts = detector.counts();
    (counts.run, counts.threshold)
}

fn is_below((run, threshold): Run) -> bool {
    run < threshold || (run, threshold) == (0, 0)
}

proptest! {
    #[test]
    fn a_run_is_at_its_threshold_exactly_when_its_rule_tells(
        options in settings(),
        steps in prop_oneof![2 => work(), 1 => conversation::steps()],
    ) {
        let mut detector = detector(&options.to_string());
        // As it was with the last verdict: a host may lift a stop, and other events may hide it.
        let mut told = None;
        for (at, step) in steps.iter().enumerate() {
            let before = run(&detector);
            let verdict = play(&mut detector, step);
            let now = run(&detector);
            let place = format!("{options}, step {at} {step:?}: {before:?}, {now:?}");
            if !matches!(step, Step::Event(_)) {
                // The verdict may be that of the event before.
                told = told.filter(|_| !is_below(now));
                continue;
            }
            let rule = verdict.report().map(|report| report.rule.to_string());
            let counted = rule.as_ref().map_or(Counted::Never, |rule| RULES[rule]);
            if rule.is_some() {
                told = Some(now);
            } else if is_below(now) {
                told = None;
            } else {
                prop_assert_eq!(Some(now), told, "{}", place);
            }
            // The third nudge of several is a stop wherever its rule is.
            // So is what goes on after a hint, and repeats with others in between are counted anew at each.
            let is_third = verdict.report().is_some_and(|report| {
                report.strike >= 3 || report.message.contains("although the model was told")
            });
            let is_scattered = verdict
                .report()
                .is_some_and(|report| report.message.contains("with other calls in between"));
            if verdict.is_stop() && counted != Counted::Never && !is_third {
                let is_at_threshold = now.1 > 0 && now.0 >= now.1;
                prop_assert!(is_at_threshold, "{}: {:?}", place, rule);
            }
            if let LoopVerdict::Nudge { report } = &verdict && counted == Counted::AtOnce && !is_scattered {
                // It was foretold: before, the run was one short of the threshold.
                let (count, threshold) = before;
                let was_near = count * report.threshold >= (report.threshold - 1) * threshold;
                prop_assert!(was_near, "{}: {:?}, {}", place, rule, report.threshold);
            }
        }
    }
}
