//! Plays a session to a detector.

use std::fmt::Display;

use anyhow::{Context, Result, anyhow};
use turnkeeper_core::{AgentEvent, LoopDetector, LoopDetectorOptions, LoopVerdict, Prompt};
use turnkeeper_peers::{PeerDetector, PeerOptions};

use crate::sessions::Session;

/// A verdict other than `ok`.
#[derive(Debug, Clone)]
pub struct Hit {
    pub is_stop: bool,
    /// The calls that had been made when it was said: not the one that it came at, which has not been run
    /// yet, but one whose result brought it.
    pub calls_before: u64,
    /// The call that it came at, or else the last one before it.
    pub call: u64,
    /// The place of the event that it came at.
    pub event: usize,
    /// The share that was new by then.
    pub progress: f64,
    pub rule: String,
    pub count: u64,
    pub evidence: String,
}

/// What a verdict other than `ok` says, by whatever names.
struct Told {
    is_stop: bool,
    rule: String,
    count: u64,
    evidence: String,
}

impl Told {
    fn of<R: Display, P>(verdict: &LoopVerdict<R, P>) -> Option<Self> {
        verdict.report().map(|report| Self {
            is_stop: verdict.is_stop(),
            rule: report.rule.to_string(),
            count: report.count,
            evidence: report.evidence.clone(),
        })
    }
}

/// A detector of this library or of another agent.
enum Detector {
    Own(Box<LoopDetector>),
    Peer(Box<PeerDetector>),
}

impl Detector {
    fn new(options: &str) -> Result<Self> {
        if let Ok(options) = PeerOptions::from_json(options) {
            let detector = PeerDetector::new(options).map_err(|error| anyhow!("{error}"))?;
            return Ok(Self::Peer(Box::new(detector)));
        }
        let options =
            LoopDetectorOptions::from_json(options).map_err(|error| anyhow!("{error}"))?;
        let detector = LoopDetector::new(options).map_err(|error| anyhow!("{error}"))?;
        Ok(Self::Own(Box::new(detector)))
    }

    fn progress(&self) -> f64 {
        match self {
            Self::Own(detector) => detector.progress(),
            Self::Peer(detector) => detector.progress(),
        }
    }
}

/// A detector that is played a session as hosts have it: what a person says begins a prompt of its own.
struct Player<'a> {
    detector: Detector,
    prompts: u64,
    session: &'a Session,
    /// The number of events that it was played.
    played: usize,
}

impl<'a> Player<'a> {
    fn new(session: &'a Session, options: &str) -> Result<Self> {
        let mut player = Self {
            detector: Detector::new(options)?,
            prompts: 0,
            session,
            played: 0,
        };
        player.start_prompt();
        Ok(player)
    }

    fn start_prompt(&mut self) {
        self.prompts += 1;
        let id = format!("prompt-{}", self.prompts);
        let words = self.session.words.get(&self.played);
        match &mut self.detector {
            Detector::Own(detector) => {
                let prompt = Prompt::new(&id);
                detector.start_prompt(match words {
                    Some(words) => prompt.user_prompt(words),
                    None => prompt,
                });
            }
            Detector::Peer(detector) => detector.start_prompt(Prompt::new(&id)),
        }
    }

    fn observe(&mut self, event: &AgentEvent) -> Result<Option<Told>> {
        if matches!(event, AgentEvent::UserMessage) {
            self.start_prompt();
        }
        self.played += 1;
        let told = match &mut self.detector {
            Detector::Own(detector) => detector.observe(event).map(Told::of),
            Detector::Peer(detector) => detector.observe(event).map(Told::of),
        };
        told.map_err(|error| anyhow!("{error}"))
    }
}

/// The share that was new after each result of a session.
pub fn progress(session: &Session, options: &str) -> Result<Vec<f64>> {
    let mut player = Player::new(session, options)?;
    let mut progress = Vec::new();
    for event in &session.events {
        player.observe(event).with_context(|| session.id.clone())?;
        if matches!(event, AgentEvent::ToolResult { .. }) {
            progress.push(player.detector.progress());
        }
    }
    Ok(progress)
}

/// The calls after which a model would be asked, of hosts that ask whenever there is something to ask and get no
/// answer, up to a stop.
pub fn questions(session: &Session, options: &str) -> Result<Vec<u64>> {
    let mut player = Player::new(session, options)?;
    let mut calls: u64 = 0;
    let mut asked = Vec::new();
    for event in &session.events {
        calls += u64::from(matches!(event, AgentEvent::ToolCall { .. }));
        let told = player.observe(event).with_context(|| session.id.clone())?;
        if told.is_some_and(|told| told.is_stop) {
            break;
        }
        if let Detector::Own(detector) = &mut player.detector
            && detector.take_model_check().is_some()
        {
            asked.push(calls.saturating_sub(1));
        }
    }
    Ok(asked)
}

/// The calls after the first nudge of a session.
#[derive(Debug, Clone, Copy)]
pub enum After {
    Stopped,
    /// After this many more repeats something else was done.
    Turned {
        repeats: u64,
    },
    /// The session was over first.
    Over,
}

/// The calls after the first nudge, if there was one, of a detector with these options, of which one rule
/// counts.
pub fn after_nudge(session: &Session, options: &str) -> Result<Option<After>> {
    let mut player = Player::new(session, options)?;
    // The length of the run at the nudge, and at most after it.
    let mut run: Option<(u64, u64)> = None;
    for event in &session.events {
        let told = player.observe(event).with_context(|| session.id.clone())?;
        if told.as_ref().is_some_and(|told| told.is_stop) {
            return Ok(run.map(|_| After::Stopped));
        }
        let Detector::Own(detector) = &player.detector else {
            return Ok(None);
        };
        let now = detector.counts().run;
        run = match run {
            None => told.map(|told| (told.count, told.count)),
            Some((at_nudge, most)) if now < at_nudge && detector.counts().threshold > 0 => {
                let repeats = most - at_nudge;
                return Ok(Some(After::Turned { repeats }));
            }
            Some((at_nudge, most)) => Some((at_nudge, most.max(now))),
        };
    }
    Ok(run.map(|_| After::Over))
}

/// The verdicts of a detector with these options on a session, up to a stop.
pub fn play(session: &Session, options: &str) -> Result<Vec<Hit>> {
    let mut player = Player::new(session, options)?;
    let mut calls: u64 = 0;
    let mut hits = Vec::new();
    for (at, event) in session.events.iter().enumerate() {
        let is_call = matches!(event, AgentEvent::ToolCall { .. });
        calls += u64::from(is_call);
        let Some(told) = player.observe(event).with_context(|| session.id.clone())? else {
            continue;
        };
        hits.push(Hit {
            is_stop: told.is_stop,
            calls_before: calls - u64::from(is_call),
            call: calls.saturating_sub(1),
            event: at,
            progress: player.detector.progress(),
            rule: told.rule,
            count: told.count,
            evidence: told.evidence,
        });
        if told.is_stop {
            break;
        }
    }
    Ok(hits)
}
