//! What must hold for any conversation. A failure prints the events that led to it, and its seed
//! is kept beside this file.

mod adaptive;
mod conversation;
mod counts;
mod deduper;
mod injector;
mod naive_deduper;
mod naive_injector;
mod naive_path;
mod naive_selector;
mod selector;

use proptest::prelude::*;
use turnkeeper_core::loop_detector::{Channel, LoopVerdict};
use turnkeeper_core::{AgentEvent, LoopDetector, LoopDetectorOptions, Prompt};

use conversation::{Step, naive, steps};

fn detector(options: &str) -> LoopDetector {
    let options = LoopDetectorOptions::from_json(options).expect("valid options");
    LoopDetector::new(options).expect("valid options")
}

/// It nudges nobody, so that the last verdict is the same wherever text is cut.
const STANDARD: &str = r#"{"profile": "standard"}"#;

/// Low thresholds, so that short conversations reach them.
const STRICT: &str = r#"{"profile": "standard", "identicalCalls": 4, "previewCalls": 7, "previewIntensiveCalls": 5,
    "modelCheck": {"afterTurns": 6, "interval": 2, "minInterval": 1, "maxInterval": 4}}"#;

fn play(detector: &mut LoopDetector, step: &Step) -> LoopVerdict {
    match step {
        Step::Prompt { id, model } => {
            detector.start_prompt(Prompt::new(id).model(model));
            detector.verdict().clone()
        }
        Step::Event(event) => detector.observe(event).expect("not too deep").clone(),
        Step::Clear => {
            detector.clear();
            detector.verdict().clone()
        }
        Step::Check { confidence } => {
            let _ = detector.take_model_check();
            detector
                .answer_model_check(Some((*confidence, "because")))
                .clone()
        }
    }
}

proptest! {
    #[test]
    fn the_verdict_does_not_depend_on_how_text_is_cut(
        text in conversation::text(),
        cuts in proptest::collection::vec(1usize..40, 1..200),
    ) {
        let units: Vec<u16> = text.encode_utf16().collect();
        let mut whole = detector(STANDARD);
        whole.observe_text(Channel::Text, &units);
        let mut parts = detector(STANDARD);
        let mut rest = &units[..];
        for cut in cuts.iter().cycle() {
            let (part, after) = rest.split_at((*cut).min(rest.len()));
            parts.observe_text(Channel::Text, part);
            rest = after;
            if rest.is_empty() {
                break;
            }
        }
        prop_assert_eq!(whole.verdict(), parts.verdict());
        prop_assert_eq!(whole.snapshot(), parts.snapshot());
    }

    #[test]
    fn going_on_from_a_snapshot_equals_never_having_stopped(
        steps in steps(),
        saved in proptest::collection::vec(any::<bool>(), 120),
    ) {
        let mut straight = detector(STRICT);
        let mut saving = detector(STRICT);
        for (step, save) in steps.iter().zip(saved.iter().cycle()) {
            prop_assert_eq!(play(&mut straight, step), play(&mut saving, step));
            if *save {
                saving = LoopDetector::restore(&saving.snapshot()).expect("just saved");
            }
            prop_assert_eq!(straight.blind(), saving.blind());
        }
        prop_assert_eq!(straight.snapshot(), saving.snapshot());
    }

    #[test]
    fn the_same_stops_as_the_naive_detector(steps in steps()) {
        let mut fast = detector(STRICT);
        let mut slow = naive::Detector::new(4, 7, 5);
        for (at, step) in steps.iter().enumerate() {
            let got = play(&mut fast, step);
            if matches!(step, Step::Check { .. }) {
                // The naive detector has no model to ask; a stop by one ends the comparison.
                if got.is_stop() && !slow.is_stopped() {
                    break;
                }
                continue;
            }
            let expected = slow.play(step);
            let got = got.report().map(|report| {
                (report.loop_type, report.count, report.first_index, report.last_index)
            });
            prop_assert_eq!(got, expected, "step {} {:?}", at, step);
        }
    }

    #[test]
    fn no_altered_snapshot_is_taken_for_a_detector(
        steps in steps(),
        at in any::<proptest::sample::Index>(),
        bit in 0u8..8,
    ) {
        let mut detector = detector(STRICT);
        steps.iter().for_each(|step| { play(&mut detector, step); });
        let mut snapshot = detector.snapshot();
        let at = at.index(snapshot.len());
        snapshot[at] ^= 1 << bit;
        prop_assert!(LoopDetector::restore(&snapshot).is_err());
        prop_assert!(LoopDetector::restore(&snapshot[..at]).is_err());
    }

    #[test]
    fn the_texts_of_a_report_are_short_and_say_what_happened(
        // What cannot be seen in a name is written out; fixtures have that.
        name in "[a-zA-Z0-9 ,_中文é😀-]{0,600}", value in ".{0,2000}",
    ) {
        let mut detector = detector(r#"{"profile": "standard", "identicalCalls": 2}"#);
        let args = Some(serde_json::Value::String(value));
        let call = AgentEvent::ToolCall { key: None, id: None, name: name.clone(), args };
        detector.observe(&call).expect("not deep");
        let verdict = detector.observe(&call).expect("not deep").clone();
        let report = verdict.report().expect("two of two");
        let units = |text: &str| text.encode_utf16().count();
        prop_assert!(units(&report.evidence) <= 300);
        prop_assert!(units(&report.message) <= 500);
        prop_assert!(units(&report.feedback) <= 2_000);
        let begin: String = name.chars().take(40).collect();
        prop_assert!(report.feedback.contains(&begin) && report.feedback.contains(" 2 times"));
    }
}
