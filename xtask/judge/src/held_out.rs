//! Chooses the value of an option on all agents but one and judges that one with it, for each in turn: whether a number
//! that fits the sessions at hand fits others, too.

use std::collections::BTreeMap;

use anyhow::Result;
use serde_json::Value;

use crate::arguments::{Arguments, Choice};
use crate::player::play_all;
use crate::score::{Total, score};
use crate::sessions::Session;
use crate::table::{heading, row};

/// The weight of a false alarm against a loop found: at the prices that the aims imply (one false stop in
/// 2,000 healthy sessions, one false nudge in 300, nine loops of ten found).
const FALSE_STOP: i64 = 7;
const FALSE_NUDGE: i64 = 1;

fn worth(total: &Total) -> i64 {
    total.found as i64
        - FALSE_STOP * total.false_stops as i64
        - FALSE_NUDGE * total.false_nudges as i64
}

/// The totals of agents with one value.
type Agents<'a> = BTreeMap<&'a str, Total>;

pub fn run(sessions: &[Session], choice: &Choice, arguments: &Arguments) -> Result<()> {
    let judged_with = |value: &Value| -> Result<Agents> {
        let hits = play_all(
            sessions,
            &arguments.options("adaptive", &[(&choice.option, value)]),
        )?;
        let mut agents = Agents::new();
        for (session, hits) in sessions.iter().zip(&hits) {
            let total = agents.entry(&session.agent).or_default();
            total.add(&score(session, hits));
        }
        Ok(agents)
    };
    let by_value: Vec<(&Value, Agents)> = choice
        .values
        .iter()
        .map(|value| Ok((value, judged_with(value)?)))
        .collect::<Result<_>>()?;
    println!("{}\n{}", choice.option, heading());
    for (value, agents) in &by_value {
        println!("{}", row(&format!("always {value}"), &sum(agents, None)));
    }
    let mut unseen = Total::default();
    let agents = by_value.first().map(|(_, agents)| agents.keys().copied());
    for agent in agents.into_iter().flatten() {
        let on_others = |(_, agents): &&(&Value, Agents)| worth(&sum(agents, Some(agent)));
        if let Some((value, agents)) = by_value.iter().rev().max_by_key(on_others) {
            println!(
                "{}",
                row(&format!("without {agent}: {value}"), &agents[agent])
            );
            unseen += &agents[agent];
        }
    }
    println!("{}", row("each agent left out in turn", &unseen));
    Ok(())
}

/// The sum over all agents, or over all but one.
fn sum(agents: &Agents, left_out: Option<&str>) -> Total {
    let mut sum = Total::default();
    for (agent, total) in agents {
        if Some(*agent) != left_out {
            sum += total;
        }
    }
    sum
}
