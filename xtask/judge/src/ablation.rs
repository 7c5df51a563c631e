//! What each rule of `adaptive` is good for: what changes without it, and what it finds alone.

use anyhow::Result;
use serde_json::Value;
use turnkeeper_core::loop_detector::LoopProfile;

use crate::arguments::Arguments;
use crate::score::{Score, Total, score};
use crate::sessions::Session;
use crate::table::play_all;

/// How one session came out, as far as it matters here.
#[derive(PartialEq, Eq)]
enum Outcome {
    Found,
    Missed,
    Quiet,
    Nudged,
    Stopped,
}

impl Outcome {
    fn of(score: &Score) -> Self {
        match score {
            Score::Found { .. } => Self::Found,
            Score::Missed { .. } => Self::Missed,
            Score::Quiet => Self::Quiet,
            Score::FalseAlarm { stop: Some(_), .. } => Self::Stopped,
            Score::FalseAlarm { stop: None, .. } => Self::Nudged,
        }
    }
}

pub fn run(sessions: &[Session], arguments: &Arguments) -> Result<()> {
    let judge = |more: &[(&str, &Value)]| -> Result<(Total, Vec<Outcome>)> {
        let all_hits = play_all(sessions, &arguments.options("adaptive", more))?;
        let mut total = Total::default();
        let mut outcomes = Vec::new();
        for (session, hits) in sessions.iter().zip(&all_hits) {
            let score = score(session, hits);
            total.add(&score);
            outcomes.push(Outcome::of(&score));
        }
        Ok((total, outcomes))
    };
    let (all, with_all) = judge(&[])?;
    println!(
        "with all rules: {} of {} found, {} false stops, {} false nudges, {:?} wasted",
        all.found,
        all.loops,
        all.false_stops,
        all.false_nudges,
        all.median_wasted().unwrap_or_default()
    );
    println!(
        "{:<22} {:>6} {:>12} {:>13} {:>8} {:>6} {:>6}",
        "without", "lost", "false stops", "false nudges", "wasted", "alone", "false"
    );
    let options = thresholds();
    for option in &options {
        let (total, outcomes) = judge(&[(option, &Value::Bool(false))])?;
        let others: Vec<(&str, &Value)> = options
            .iter()
            .filter(|other| *other != option)
            .map(|other| (&**other, &Value::Bool(false)))
            .collect();
        let (alone, _) = judge(&others)?;
        let lost: Vec<&str> = sessions
            .iter()
            .zip(with_all.iter().zip(&outcomes))
            .filter(|(_, (before, after))| **before == Outcome::Found && **after == Outcome::Missed)
            .map(|(session, _)| &*session.id)
            .collect();
        println!(
            "{option:<22} {:>6} {:>12} {:>13} {:>8} {:>6} {:>6} {}",
            lost.len(),
            total.false_stops as i64 - all.false_stops as i64,
            total.false_nudges as i64 - all.false_nudges as i64,
            total.median_wasted().unwrap_or_default(),
            alone.found,
            alone.false_stops + alone.false_nudges,
            lost.join(" ")
        );
    }
    Ok(())
}

/// The options of `adaptive` that `false` switches off.
fn thresholds() -> Vec<String> {
    let options = serde_json::to_value(LoopProfile::Adaptive.defaults());
    let Ok(Value::Object(options)) = options else {
        return Vec::new();
    };
    let is_threshold = |(name, value): (String, Value)| value.is_u64().then_some(name);
    options.into_iter().filter_map(is_threshold).collect()
}
