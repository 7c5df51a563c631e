//! Plays a session to a detector.

use anyhow::{Context, Result, anyhow};
use turnkeeper_core::{AgentEvent, LoopDetector, LoopDetectorOptions, LoopVerdict, Prompt};

use crate::sessions::Session;

/// A verdict other than `ok`.
#[derive(Debug, Clone)]
pub struct Hit {
    pub is_stop: bool,
    /// How many calls had been made when it was said: not the one that it came at, which has not been run
    /// yet, but one whose result brought it.
    pub calls_before: u64,
    /// The call that it came at, or else the last one before it.
    pub call: u64,
    /// The place of the event that it came at.
    pub event: usize,
    /// How much was new by then.
    pub progress: f64,
    pub rule: String,
    pub count: u64,
    pub evidence: String,
}

/// A detector that is played a session as hosts have it: what a person says begins a prompt of its own.
struct Player {
    detector: LoopDetector,
    prompts: u64,
}

impl Player {
    fn new(options: &str) -> Result<Self> {
        let options =
            LoopDetectorOptions::from_json(options).map_err(|error| anyhow!("{error}"))?;
        let detector = LoopDetector::new(options).map_err(|error| anyhow!("{error}"))?;
        let mut player = Self {
            detector,
            prompts: 0,
        };
        player.start_prompt();
        Ok(player)
    }

    fn start_prompt(&mut self) {
        self.prompts += 1;
        let id = format!("prompt-{}", self.prompts);
        self.detector.start_prompt(Prompt::new(&id));
    }

    fn observe(&mut self, event: &AgentEvent) -> Result<&LoopVerdict> {
        if matches!(event, AgentEvent::UserMessage) {
            self.start_prompt();
        }
        let verdict = self.detector.observe(event);
        verdict.map_err(|error| anyhow!("{error}"))
    }
}

/// How much was new after each result of a session.
pub fn progress(session: &Session, options: &str) -> Result<Vec<f64>> {
    let mut player = Player::new(options)?;
    let mut progress = Vec::new();
    for event in &session.events {
        player.observe(event).with_context(|| session.id.clone())?;
        if matches!(event, AgentEvent::ToolResult { .. }) {
            progress.push(player.detector.progress());
        }
    }
    Ok(progress)
}

/// What a detector with these options says of a session, up to a stop.
pub fn play(session: &Session, options: &str) -> Result<Vec<Hit>> {
    let mut player = Player::new(options)?;
    let mut calls: u64 = 0;
    let mut hits = Vec::new();
    for (at, event) in session.events.iter().enumerate() {
        let is_call = matches!(event, AgentEvent::ToolCall { .. });
        calls += u64::from(is_call);
        let verdict = player.observe(event).with_context(|| session.id.clone())?;
        let Some(report) = verdict.report() else {
            continue;
        };
        let is_stop = verdict.is_stop();
        let mut hit = Hit {
            is_stop,
            calls_before: calls - u64::from(is_call),
            call: calls.saturating_sub(1),
            event: at,
            progress: 0.0,
            rule: report.rule.to_string(),
            count: report.count,
            evidence: report.evidence.clone(),
        };
        hit.progress = player.detector.progress();
        hits.push(hit);
        if is_stop {
            break;
        }
    }
    Ok(hits)
}
