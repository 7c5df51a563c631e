//! Where a model would be asked: how many loops are found or asked about, and what that costs where there is
//! none.

use std::collections::BTreeMap;

use anyhow::Result;
use turnkeeper_core::AgentEvent;

use crate::arguments::Arguments;
use crate::cores;
use crate::player::questions;
use crate::score::{Score, TOLERANCE, score};
use crate::sessions::Session;
use crate::table::play_all;

#[derive(Default)]
struct Total {
    loops: usize,
    found: usize,
    found_or_asked: usize,
    healthy: usize,
    healthy_asked: usize,
    healthy_calls: usize,
    questions: usize,
}

pub fn run(sessions: &[Session], arguments: &Arguments) -> Result<()> {
    let options = arguments.options("adaptive", &[]);
    let all_hits = play_all(sessions, &options)?;
    let asked: Vec<Vec<u64>> = cores::map(sessions, |session| questions(session, &options))
        .into_iter()
        .collect::<Result<_>>()?;
    let mut totals: BTreeMap<String, Total> = BTreeMap::new();
    for (session, (hits, asked)) in sessions.iter().zip(all_hits.iter().zip(&asked)) {
        let is_found = matches!(score(session, hits), Score::Found { .. });
        for group in [
            "all".to_owned(),
            format!("set {}", session.set),
            format!("set {} agent {}", session.set, session.agent),
        ] {
            let total = totals.entry(group).or_default();
            match session.loop_start {
                Some(start) => {
                    let is_asked = asked.iter().any(|call| call + TOLERANCE >= start);
                    total.loops += 1;
                    total.found += usize::from(is_found);
                    total.found_or_asked += usize::from(is_found || is_asked);
                }
                None => {
                    total.healthy += 1;
                    total.healthy_asked += usize::from(!asked.is_empty());
                    total.questions += asked.len();
                    total.healthy_calls += calls(session);
                }
            }
        }
        if session.loop_start.is_some() && !is_found && !arguments.totals_only {
            println!("missed {}: asked after {asked:?}", session.id);
        }
    }
    println!(
        "{:<32} {:>6} {:>6} {:>9} {:>8} {:>6} {:>14}",
        "", "loops", "found", "or asked", "healthy", "asked", "per 100 calls"
    );
    for (name, total) in &totals {
        let share = 100.0 * total.questions as f64 / total.healthy_calls.max(1) as f64;
        println!(
            "{name:<32} {:>6} {:>6} {:>9} {:>8} {:>6} {share:>14.2}",
            total.loops, total.found, total.found_or_asked, total.healthy, total.healthy_asked
        );
    }
    Ok(())
}

fn calls(session: &Session) -> usize {
    let is_call = |event: &&AgentEvent| matches!(event, AgentEvent::ToolCall { .. });
    session.events.iter().filter(is_call).count()
}
