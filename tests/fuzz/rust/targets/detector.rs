//! Bytes become a conversation, which the detector and a naive one watch side by side.

use serde_json::json;
use turnkeeper_core::{AgentEvent, LoopDetector, LoopDetectorOptions, Prompt};
use turnkeeper_peers::{PeerDetector, PeerOptions};

#[path = "../../../rust/properties/naive.rs"]
mod naive;

/// What the naive detector plays; see `tests/rust/properties/conversation.rs`, which has one more.
pub enum Step {
    Prompt { id: String, model: String },
    Event(AgentEvent),
    Clear,
}

const PASSAGES: [&str; 6] = [
    "a",
    "😀",
    "again ",
    "再看一次。",
    "I will check once more. ",
    "ab\n",
];

/// How often a delta repeats its passage. Mostly few times, because long deltas take most of the time.
const TIMES: [usize; 8] = [1, 1, 2, 2, 3, 5, 10, 20];

fn next_step(bytes: &mut std::slice::Iter<u8>) -> Option<Step> {
    let (kind, value) = (bytes.next()?, *bytes.next()?);
    let text = || {
        let passage = PASSAGES[usize::from(value) % PASSAGES.len()];
        passage.repeat(TIMES[usize::from(value) / PASSAGES.len() % TIMES.len()])
    };
    Some(match kind % 12 {
        0 => Step::Prompt {
            id: format!("p{}", value % 4),
            model: if value & 16 == 0 { "m" } else { "m-preview" }.to_owned(),
        },
        1 => Step::Clear,
        2..=4 => Step::Event(AgentEvent::Text { text: text() }),
        5 => Step::Event(AgentEvent::Reasoning { text: text() }),
        6 => Step::Event(AgentEvent::ToolResult {
            id: None,
            output: "x".repeat(usize::from(value % 3)),
            is_error: (value & 64 != 0).then_some(value & 128 != 0),
            exit_code: (value & 32 != 0).then_some(i64::from(value % 2)),
        }),
        7 => Step::Event(AgentEvent::TurnStarted),
        8 if value & 1 == 1 => Step::Event(AgentEvent::Condensation),
        8 => Step::Event(AgentEvent::UserMessage),
        _ => Step::Event(AgentEvent::ToolCall {
            key: None,
            id: None,
            name: ["read_file", "edit", "ls"][usize::from(value) % 3].to_owned(),
            args: match (value / 3) % 4 {
                0 => None,
                1 => Some(json!({"a": value / 12, "b": {}})),
                2 => Some(json!(format!("{{\"b\":{{}}, \"a\":{}.0}}", value / 12))),
                _ => Some(json!(format!("not json {}", value / 12))),
            },
        }),
    })
}

/// Rule sets whose verdicts nobody foretells here: they must not panic, and must go on from any of
/// their snapshots as if they had never stopped.
const RULES: [&str; 5] = [
    r#"{"profile": "gemini-cli", "unit": 4, "history": 40}"#,
    r#"{"profile": "deepv", "unit": 16, "history": 64, "copies": 3, "monitoredCalls": 3}"#,
    r#"{"profile": "roo"}"#,
    r#"{"profile": "cline"}"#,
    r#"{"profile": "adaptive", "repeatedResults": 2, "cycleRounds": 2, "longPassages": 2}"#,
];

const STANDARD: &str = r#"{"profile": "standard", "identicalCalls": 4, "previewCalls": 7,
    "previewIntensiveCalls": 5}"#;

fn detector(options: &str) -> LoopDetector {
    let options = LoopDetectorOptions::from_json(options).expect("valid options");
    LoopDetector::new(options).expect("valid options")
}

/// A detector of this library or of another agent.
#[derive(Clone)]
enum Subject {
    Own(Box<LoopDetector>),
    Peer(Box<PeerDetector>),
}

impl Subject {
    fn of(options: &str) -> Self {
        match PeerOptions::from_json(options) {
            Ok(options) => Self::Peer(Box::new(PeerDetector::new(options).expect("valid options"))),
            Err(_) => Self::Own(Box::new(detector(options))),
        }
    }

    fn play(&mut self, step: &Step) {
        match (self, step) {
            (Self::Own(own), Step::Prompt { id, model }) => {
                own.start_prompt(Prompt::new(id).model(model));
            }
            (Self::Peer(peer), Step::Prompt { id, model }) => {
                peer.start_prompt(Prompt::new(id).model(model));
            }
            (Self::Own(own), Step::Clear) => own.clear(),
            (Self::Peer(peer), Step::Clear) => peer.clear(),
            (Self::Own(own), Step::Event(event)) => {
                own.observe(event).expect("not too deep");
            }
            (Self::Peer(peer), Step::Event(event)) => {
                peer.observe(event).expect("not too deep");
            }
        }
    }

    fn says_the_same_as(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Own(own), Self::Own(other)) => own.verdict() == other.verdict(),
            (Self::Peer(peer), Self::Peer(other)) => peer.verdict() == other.verdict(),
            _ => false,
        }
    }

    fn snapshot(&self) -> Vec<u8> {
        match self {
            Self::Own(own) => own.snapshot(),
            Self::Peer(peer) => peer.snapshot(),
        }
    }

    fn restored(&self) -> Self {
        let saved = self.snapshot();
        match self {
            Self::Own(_) => Self::Own(Box::new(LoopDetector::restore(&saved).expect("just saved"))),
            Self::Peer(_) => {
                Self::Peer(Box::new(PeerDetector::restore(&saved).expect("just saved")))
            }
        }
    }
}

thread_local! {
    /// Reading options takes longer than most inputs do, so each detector is made once and copied.
    static OF_RULES: Vec<Subject> = RULES.into_iter().map(Subject::of).collect();
    static OF_STANDARD: LoopDetector = detector(STANDARD);
}

/// One detector goes straight on; the other is saved once on the way, after as many steps as the last byte says.
fn run_rules(mut straight: Subject, mut bytes: std::slice::Iter<u8>) {
    let all_steps = bytes.len() / 2;
    let last = bytes.as_slice().last().copied().unwrap_or(0);
    let saved_after = 1 + usize::from(last) % all_steps.max(1);
    let mut saving = straight.clone();
    let mut steps = 0;
    while let Some(step) = next_step(&mut bytes) {
        for detector in [&mut straight, &mut saving] {
            detector.play(&step);
        }
        assert!(straight.says_the_same_as(&saving));
        steps += 1;
        if steps == saved_after {
            saving = saving.restored();
        }
    }
    assert_eq!(straight.snapshot(), saving.snapshot());
}

pub fn run(bytes: &[u8]) {
    if let Some((first, rest)) = bytes.split_first()
        && let rules = usize::from(*first).wrapping_sub(0xf0)
        && rules < RULES.len()
    {
        return run_rules(OF_RULES.with(|made| made[rules].clone()), rest.iter());
    }
    let mut fast = OF_STANDARD.with(LoopDetector::clone);
    let mut slow = naive::Detector::new(4, 7, 5);
    let mut bytes = bytes.iter();
    let mut units = 0;
    while let Some(step) = next_step(&mut bytes) {
        match &step {
            Step::Prompt { id, model } => fast.start_prompt(Prompt::new(id).model(model)),
            Step::Clear => fast.clear(),
            Step::Event(event) => {
                if let AgentEvent::Text { text } | AgentEvent::Reasoning { text } = event {
                    units += text.len();
                }
                fast.observe(event).expect("not too deep");
            }
        }
        if units > 1_200 {
            // The naive one would take too long over more.
            return;
        }
        let got = fast.verdict().report().map(|report| {
            (
                report.loop_type, report.count, report.first_index, report.last_index,
            )
        });
        assert_eq!(got, slow.play(&step));
        assert_eq!(fast.verdict().is_stop(), slow.is_stopped());
    }
    let snapshot = fast.snapshot();
    let restored = LoopDetector::restore(&snapshot).expect("just saved");
    assert_eq!(restored.snapshot(), snapshot);
}
