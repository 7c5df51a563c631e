//! The profile `adaptive` on labelled sessions: our own collection, and recordings of real ones where
//! they are at hand. `tests/js/node/loops.test.mjs` plays the same ones through the package.

use std::fs;
use std::path::Path;

use turnkeeper_core::{AgentEvent, LoopDetector, LoopDetectorOptions, LoopVerdict, Prompt};

const COLLECTION: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/loops/collection");

/// A session, and what a person said of it who has read it.
struct Session {
    id: String,
    /// The index of the call at which the loop starts, if there is one.
    starts: Option<u64>,
    events: Vec<AgentEvent>,
}

/// A verdict other than `ok`.
struct Hit {
    is_stop: bool,
    /// How many calls there were.
    calls: u64,
    rule: String,
}

fn sessions(folder: &Path) -> Vec<Session> {
    let index = fs::read_to_string(folder.join("index.tsv")).expect("an index");
    let mut sessions = Vec::new();
    for line in index.lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let text = fs::read_to_string(folder.join(fields[0]).with_extension("jsonl"));
        let text = text.expect("a session");
        let events = text.lines().map(|line| {
            serde_json::from_str(line).unwrap_or_else(|error| panic!("{}: {error}", fields[0]))
        });
        sessions.push(Session {
            id: fields[0].to_owned(),
            starts: (fields[1] == "loop").then(|| fields[2].parse().expect("a number")),
            events: events.collect(),
        });
    }
    sessions
}

fn play(events: &[AgentEvent]) -> Vec<Hit> {
    let options = LoopDetectorOptions::from_json(r#"{"profile": "adaptive"}"#).expect("valid");
    let mut detector = LoopDetector::new(options).expect("valid");
    detector.start_prompt(Prompt::new("session"));
    let mut calls = 0;
    let mut hits: Vec<Hit> = Vec::new();
    for event in events {
        calls += u64::from(matches!(event, AgentEvent::ToolCall { .. }));
        let verdict = detector.observe(event).expect("a valid event");
        let Some(report) = verdict.report() else {
            continue;
        };
        assert!(!report.message.is_empty() && !report.evidence.is_empty());
        hits.push(Hit {
            is_stop: verdict.is_stop(),
            calls,
            rule: report.rule.to_string(),
        });
        if matches!(verdict, LoopVerdict::Stop { .. }) {
            break;
        }
    }
    hits
}

/// What is wrong, and how many calls came behind the one at which each loop starts before it was told
/// of.
fn judge(sessions: &[Session]) -> (Vec<String>, Vec<u64>) {
    let mut wrong = Vec::new();
    let mut wasted = Vec::new();
    for session in sessions {
        let hits = play(&session.events);
        let trail: Vec<String> = hits
            .iter()
            .map(|hit| {
                let action = if hit.is_stop { "stop" } else { "nudge" };
                format!("{action} {} at {}", hit.rule, hit.calls)
            })
            .collect();
        match (session.starts, hits.first()) {
            (Some(starts), Some(first)) => wasted.push(first.calls.saturating_sub(starts + 1)),
            (Some(_), None) | (None, Some(_)) => wrong.push(session.id.clone()),
            (None, None) => {}
        }
        let stops = hits.last().is_some_and(|hit| hit.is_stop);
        if (session.id.ends_with("-recovers") && stops)
            || (session.id == "finding-10-fires" && !stops)
        {
            wrong.push(session.id.clone());
        }
        if std::env::var_os("TURNKEEPER_TRAILS").is_some() {
            println!("{}\t{}", session.id, trail.join(", "));
        }
    }
    wasted.sort_unstable();
    wrong.sort_unstable();
    (wrong, wasted)
}

/// The sessions of our own that are judged wrong so far. One that is judged right goes from the list.
fn known_wrong() -> Vec<String> {
    let list = fs::read_to_string(Path::new(COLLECTION).join("known-wrong.tsv")).expect("a list");
    let rows = list.lines().skip(1);
    let mut ids: Vec<String> = rows
        .filter_map(|row| row.split('\t').next().map(str::to_owned))
        .collect();
    ids.sort_unstable();
    ids
}

#[test]
fn the_collection() {
    let sessions = sessions(Path::new(COLLECTION));
    assert_eq!(sessions.len(), 381);
    let (wrong, wasted) = judge(&sessions);
    assert_eq!(wrong, known_wrong(), "other than known-wrong.tsv says");
    assert!(wasted[wasted.len() / 2] <= 3, "{wasted:?}");
}

#[test]
fn the_recordings() {
    // Names a folder of labelled sessions that is not part of the project.
    let Some(folder) = std::env::var_os("TURNKEEPER_RECORDINGS") else {
        return;
    };
    let (wrong, wasted) = judge(&sessions(Path::new(&folder)));
    assert!(wrong.is_empty(), "{wrong:#?}");
    // Of an even number of loops, the mean of the two in the middle.
    let middle = wasted.len() / 2;
    let median = (wasted[(wasted.len() - 1) / 2] + wasted[middle]) as f64 / 2.0;
    assert!(median <= 3.0, "{wasted:?}");
}

#[test]
fn the_profile_is_adaptive_unless_another_is_named() {
    let unnamed = LoopDetector::new(LoopDetectorOptions::default()).expect("valid");
    let options = LoopDetectorOptions::from_json(r#"{"profile": "adaptive"}"#).expect("valid");
    let named = LoopDetector::new(options).expect("valid");
    assert_eq!(unnamed.snapshot(), named.snapshot());
}
