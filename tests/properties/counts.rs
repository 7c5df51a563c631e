//! What `counts` says beside what the rules tell, in every profile: a run is below its threshold until the
//! rule tells, and then it is not.

use proptest::prelude::*;
use serde_json::{Value, json};
use turnkeeper_core::{AgentEvent, LoopDetector, LoopVerdict};

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
    let thresholds = proptest::collection::vec(1u64..7, 4);
    let adaptive = (1u64..4, thresholds).prop_map(|(results, thresholds)| {
        let mut options = json!({
            "profile": "adaptive",
            "repeatedResults": results,
            "repeatedWaits": 1,
        });
        let names = ["repeatedEdits", "rewrites", "refusedEdits", "resentEdits"];
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

/// Calls whose rules look at what they do, and their results.
pub(super) fn work() -> impl Strategy<Value = Vec<Step>> {
    let call = proptest::sample::select(vec![
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
    ]);
    let result = proptest::sample::select(vec![
        "Error: the gate is shut",
        "Error: old_str was not found in the file",
        "No matches found",
        "Twelve beds of roses",
        "7 lamps",
        "8 lamps",
        "",
    ]);
    let is_error = prop_oneof![4 => Just(None), 1 => Just(Some(true))];
    let says =
        prop_oneof![6 => Just(None), 1 => Just(Some("Now I look for the gate in the garden. "))];
    let begins = prop_oneof![6 => Just(true), 1 => Just(false)];
    let turn = (begins, says, call, result, is_error).prop_map(
        |(begins, says, (name, args), output, is_error)| {
            let text = says.map(|text| AgentEvent::Text {
                text: text.to_owned(),
            });
            let call = AgentEvent::ToolCall {
                id: None,
                name: name.to_owned(),
                args: Some(args),
            };
            let result = AgentEvent::ToolResult {
                id: None,
                output: output.to_owned(),
                is_error,
                exit_code: None,
            };
            let begin = begins.then_some(AgentEvent::TurnStarted);
            let events = begin.into_iter().chain(text).chain([call, result]);
            events.map(Step::Event).collect::<Vec<Step>>()
        },
    );
    let round = (proptest::collection::vec(turn, 1..4), 1usize..12);
    let rounds = round.prop_map(|(turns, times)| vec![turns.concat(); times].concat());
    proptest::collection::vec(rounds, 1..6).prop_map(|parts| parts.concat())
}

/// Rules whose runs `counts` tells of.
const COUNTING: [&str; 13] = [
    "identical_calls",
    "preview_calls",
    "preview_intensive_calls",
    "repeated_results",
    "repeated_waits",
    "repeated_edits",
    "rewrites",
    "equal_errors",
    "similar_errors",
    "refused_edits",
    "resent_edits",
    "fruitless_searches",
    "echo_calls",
];

/// Of these, the rules whose run may begin with calls that are left to others as long as nothing else comes.
const LATE: [&str; 3] = ["equal_errors", "similar_errors", "fruitless_searches"];

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
            let counts = rule.as_deref().is_some_and(|rule| COUNTING.contains(&rule));
            if rule.is_some() {
                told = Some(now);
            } else if is_below(now) {
                told = None;
            } else {
                prop_assert_eq!(Some(now), told, "{}", place);
            }
            if verdict.is_stop() && counts {
                let is_at_threshold = now.1 > 0 && now.0 >= now.1;
                prop_assert!(is_at_threshold, "{}: {:?}", place, rule);
            }
            let is_late = rule.as_deref().is_some_and(|rule| LATE.contains(&rule));
            if let LoopVerdict::Nudge { report } = &verdict && counts && !is_late {
                // It was foretold: before, the run was one short of the threshold.
                let (count, threshold) = before;
                let was_near = count * report.threshold >= (report.threshold - 1) * threshold;
                prop_assert!(was_near, "{}: {:?}, {}", place, rule, report.threshold);
            }
        }
    }
}
