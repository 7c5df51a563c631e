//! Plays a session to a detector.

use anyhow::{Result, anyhow};
use turnkeeper_core::{AgentEvent, LoopDetector, LoopDetectorOptions, Prompt};

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
    /// How much was new by then.
    pub progress: f64,
    pub rule: String,
    pub count: u64,
    pub evidence: String,
}

/// How much was new after each result of a session.
pub fn progress(session: &Session, options: &str) -> Result<Vec<f64>> {
    let options = LoopDetectorOptions::from_json(options).map_err(|error| anyhow!("{error}"))?;
    let mut detector = LoopDetector::new(options).map_err(|error| anyhow!("{error}"))?;
    detector.start_prompt(Prompt::new("session"));
    let mut progress = Vec::new();
    for event in &session.events {
        detector
            .observe(event)
            .map_err(|error| anyhow!("{}: {error}", session.id))?;
        if matches!(event, AgentEvent::ToolResult { .. }) {
            progress.push(detector.progress());
        }
    }
    Ok(progress)
}

/// What a detector with these options says of a session that is played as one prompt, up to a stop.
pub fn play(session: &Session, options: &str) -> Result<Vec<Hit>> {
    let options = LoopDetectorOptions::from_json(options).map_err(|error| anyhow!("{error}"))?;
    let mut detector = LoopDetector::new(options).map_err(|error| anyhow!("{error}"))?;
    detector.start_prompt(Prompt::new("session"));
    let mut calls: u64 = 0;
    let mut hits = Vec::new();
    for event in &session.events {
        let is_call = matches!(event, AgentEvent::ToolCall { .. });
        calls += u64::from(is_call);
        let verdict = detector
            .observe(event)
            .map_err(|error| anyhow!("{}: {error}", session.id))?;
        let Some(report) = verdict.report() else {
            continue;
        };
        let is_stop = verdict.is_stop();
        let mut hit = Hit {
            is_stop,
            calls_before: calls - u64::from(is_call),
            call: calls.saturating_sub(1),
            progress: 0.0,
            rule: report.rule.to_string(),
            count: report.count,
            evidence: report.evidence.clone(),
        };
        hit.progress = detector.progress();
        hits.push(hit);
        if is_stop {
            break;
        }
    }
    Ok(hits)
}
