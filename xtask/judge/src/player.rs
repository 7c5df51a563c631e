//! Plays a session to a detector.

use std::fmt::Display;

use anyhow::{Context, Result};
use rayon::prelude::*;
use turnkeeper_core::{AgentEvent, LoopDetector, LoopDetectorOptions, Prompt};
use turnkeeper_loop_detector::Detector;
use turnkeeper_loop_detector::detecting::DetectorOptions;
use turnkeeper_peers::{PeerDetector, PeerOptions};

use crate::sessions::Session;

/// A verdict other than `ok`.
pub struct Hit {
    pub is_stop: bool,
    /// The calls that had been made when it was said: not the one that it came at, which has not been run
    /// yet, but one whose result brought it.
    pub calls_before: u64,
    /// The call that it came at, or else the last one before it.
    pub call: u64,
    pub rule: String,
    pub count: u64,
    pub evidence: String,
}

/// The verdicts on each session, which are played on all cores.
pub fn play_all(sessions: &[Session], options: &str) -> Result<Vec<Vec<Hit>>> {
    let played = sessions.par_iter().map(|session| play(session, options));
    played.collect()
}

/// The verdicts of a detector with these options on a session, up to a stop. Options of another agent's profile make
/// its detector.
pub fn play(session: &Session, options: &str) -> Result<Vec<Hit>> {
    if let Ok(options) = PeerOptions::from_json(options) {
        return hits(PeerDetector::new(options)?, session);
    }
    let options = LoopDetectorOptions::from_json(options)?;
    hits(LoopDetector::new(options)?, session)
}

/// Plays a session as hosts have it: each message of the user begins a prompt.
fn hits<O: DetectorOptions<Rule: Display>>(
    mut detector: Detector<O>,
    session: &Session,
) -> Result<Vec<Hit>> {
    let mut prompts: u64 = 0;
    let mut start_prompt = |detector: &mut Detector<O>, at| {
        prompts += 1;
        let id = format!("prompt-{prompts}");
        let prompt = Prompt::new(&id);
        detector.start_prompt(match session.words.get(&at) {
            Some(words) => prompt.user_prompt(words),
            None => prompt,
        });
    };
    start_prompt(&mut detector, 0);
    let mut calls: u64 = 0;
    let mut hits = Vec::new();
    for (at, event) in session.events.iter().enumerate() {
        if matches!(event, AgentEvent::UserMessage) {
            start_prompt(&mut detector, at);
        }
        let is_call = matches!(event, AgentEvent::ToolCall { .. });
        calls += u64::from(is_call);
        let verdict = detector
            .observe(event)
            .with_context(|| session.id.clone())?;
        let Some(report) = verdict.report() else {
            continue;
        };
        hits.push(Hit {
            is_stop: verdict.is_stop(),
            calls_before: calls - u64::from(is_call),
            call: calls.saturating_sub(1),
            rule: report.rule.to_string(),
            count: report.count,
            evidence: report.evidence.clone(),
        });
        if verdict.is_stop() {
            break;
        }
    }
    Ok(hits)
}
