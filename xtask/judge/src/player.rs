//! Plays a session to a detector.

use anyhow::{Result, anyhow};
use turnkeeper_core::{AgentEvent, LoopDetector, LoopDetectorOptions, Prompt};

use crate::sessions::Session;

/// A verdict other than `ok`.
#[derive(Debug, Clone)]
pub struct Hit {
    pub is_stop: bool,
    /// How many calls came before the one at which it was said.
    pub calls_before: u64,
    pub rule: String,
    pub count: u64,
    pub evidence: String,
}

/// What a detector with these options says of a session that is played as one prompt, up to a stop.
pub fn play(session: &Session, options: &str) -> Result<Vec<Hit>> {
    let options = LoopDetectorOptions::from_json(options).map_err(|error| anyhow!("{error}"))?;
    let mut detector = LoopDetector::new(options).map_err(|error| anyhow!("{error}"))?;
    detector.start_prompt(Prompt::new("session"));
    let mut calls: u64 = 0;
    let mut hits = Vec::new();
    for event in &session.events {
        calls += u64::from(matches!(event, AgentEvent::ToolCall { .. }));
        let verdict = detector
            .observe(event)
            .map_err(|error| anyhow!("{}: {error}", session.id))?;
        let Some(report) = verdict.report() else {
            continue;
        };
        hits.push(Hit {
            is_stop: verdict.is_stop(),
            calls_before: calls.saturating_sub(1),
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
