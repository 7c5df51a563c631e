//! A case of a detector's fixtures, for each kind of detector; see `tests/data/README.md`.

use serde_json::{Value, json};
use turnkeeper_loop_detector::detecting::{Detector, DetectorOptions};
use turnkeeper_loop_detector::{AgentEvent, Prompt};

/// Runs a case; the snapshot of the detector at the end.
pub fn run<O: DetectorOptions>(case: &Value) -> Vec<u8> {
    let name = case["name"].as_str().expect("a case has a name");
    let options = case.get("options").cloned().unwrap_or_else(|| json!({}));
    let options = O::from_value(&options).expect(name);
    let mut detector = Detector::new(options).expect(name);
    for (at, step) in case["steps"]
        .as_array()
        .expect("a case has steps")
        .iter()
        .enumerate()
    {
        let place = format!("{name}, step {at}");
        if step.get("play").is_some() {
            play(&mut detector, &case["events"], step, &place);
        } else {
            run_step(&mut detector, step, &place);
        }
    }
    detector.snapshot()
}

/// Events by their names, and what each gives.
fn play<O: DetectorOptions>(detector: &mut Detector<O>, events: &Value, step: &Value, place: &str) {
    let words = |field: &str| {
        step[field]
            .as_str()
            .expect(place)
            .split(' ')
            .collect::<Vec<_>>()
    };
    let (names, verdicts) = (words("play"), words("gives"));
    assert_eq!(names.len(), verdicts.len(), "{place}");
    for (at, (name, gives)) in names.into_iter().zip(verdicts).enumerate() {
        let event = events
            .get(name)
            .unwrap_or_else(|| panic!("{place}: no event {name}"));
        let verdict = match gives {
            "-" => "ok",
            "n" => "nudge",
            "S" => "stop",
            other => panic!("{place}: {other} is no verdict"),
        };
        let mut one = json!({"event": event, "verdict": verdict});
        if verdict != "ok"
            && let Some(report) = step.get("report")
        {
            one["report"] = report.clone();
        }
        run_step(detector, &one, &format!("{place}, {name} at {at}"));
    }
}

fn run_step<O: DetectorOptions>(detector: &mut Detector<O>, step: &Value, place: &str) {
    let kind = [
        "startPrompt", "event", "clear", "disable", "enable", "snapshot",
    ];
    let kind = kind
        .into_iter()
        .chain([
            "takeModelCheck", "answerModelCheck", "blind", "takeFeedback",
        ])
        .chain(["counts", "prompt", "progress"]);
    let kind = kind.into_iter().find(|kind| step.get(kind).is_some());
    match kind.unwrap_or_else(|| panic!("{place}: unknown step {step}")) {
        "startPrompt" => {
            let text = |name: &str| step["startPrompt"].get(name).and_then(Value::as_str);
            let mut prompt = Prompt::new(text("id").expect("a prompt has an id"));
            if let Some(model) = text("model") {
                prompt = prompt.model(model);
            }
            if let Some(words) = text("userPrompt") {
                prompt = prompt.user_prompt(words);
            }
            detector.start_prompt(prompt);
        }
        "event" => {
            let mut event = step["event"].clone();
            if let Some(times) = step.get("times").and_then(Value::as_u64) {
                let text = event["text"].as_str().expect("only text is repeated");
                event["text"] = text.repeat(times as usize).into();
            }
            let event: AgentEvent = serde_json::from_value(event).expect("an event");
            for _ in 0..step.get("repeat").and_then(Value::as_u64).unwrap_or(1) {
                let verdict = json!(detector.observe(&event).expect("a valid event"));
                expect_verdict(&verdict, step, place);
                assert_eq!(json!(detector.verdict()), verdict, "{place}");
            }
        }
        "clear" => detector.clear(),
        "disable" => detector.disable(),
        "enable" => detector.enable(),
        "snapshot" => {
            let restored = Detector::restore(&detector.snapshot()).expect("just saved");
            assert_eq!(restored.snapshot(), detector.snapshot(), "{place}");
            *detector = restored;
        }
        "takeModelCheck" => {
            let taken = detector.take_model_check();
            assert_eq!(
                Value::Bool(taken.is_some()),
                step["takeModelCheck"],
                "{place}"
            );
            if let (Some(request), Some(reason)) = (taken, step.get("reason")) {
                assert_eq!(&json!(request.reason), reason, "{place}");
                assert!(request.prompt.contains(&request.reason), "{place}");
            }
        }
        "answerModelCheck" => {
            let mut answer = step["answerModelCheck"].clone();
            if let Some(text) = answer.as_str() {
                answer = serde_json::from_str(text).unwrap_or_default();
            }
            let reasoning = answer
                .get("reasoning")
                .and_then(Value::as_str)
                .unwrap_or_default();
            let confidence = answer.get("confidence").and_then(Value::as_f64);
            let answer = confidence.map(|confidence| (confidence, reasoning));
            expect_verdict(&json!(detector.answer_model_check(answer)), step, place);
        }
        "blind" => {
            let blind = detector.blind();
            let named = [
                ("calls", blind.calls),
                ("arguments", blind.arguments),
                ("results", blind.results),
                ("prompts", blind.prompts),
            ];
            let lacking: Vec<&str> = named
                .into_iter()
                .filter(|(_, lacks)| *lacks)
                .map(|(name, _)| name)
                .collect();
            assert_eq!(json!(lacking), step["blind"], "{place}");
        }
        "takeFeedback" => {
            let taken = detector.take_feedback();
            let expected = step["takeFeedback"].as_array().expect("a list");
            assert_eq!(taken.len(), expected.len(), "{place}: {taken:?}");
            for (hint, part) in taken.iter().zip(expected) {
                let part = part.as_str().expect("a part of the hint");
                assert!(hint.contains(part), "{place}: {hint}");
            }
        }
        "counts" => {
            let counts = serde_json::to_value(detector.counts()).expect("plain data");
            assert_eq!(counts, step["counts"], "{place}");
        }
        "progress" => {
            let expected = step["progress"].as_f64().expect("a number");
            let off = (detector.progress() - expected).abs();
            assert!(off < 1e-12, "{place}: {}", detector.progress());
        }
        "prompt" => {
            let prompt = serde_json::to_value(detector.prompt()).expect("plain data");
            assert_eq!(prompt, step["prompt"], "{place}");
        }
        kind => panic!("{place}: {kind} is not run"),
    }
}

fn expect_verdict(got: &Value, step: &Value, place: &str) {
    let expected = step.get("verdict").cloned().unwrap_or_else(|| "ok".into());
    assert_eq!(got["action"], expected, "{place}: {got}");
    for (field, expected) in step
        .get("report")
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
    {
        assert_eq!(got["report"][field], *expected, "{place}: {field} of {got}");
    }
}
