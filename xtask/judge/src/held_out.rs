//! Chooses the value of an option on all agents but one and judges that one with it, for each agent in
//! turn, and the same for sets: whether a number that fits the sessions at hand fits others, too.

use std::collections::BTreeSet;

use anyhow::Result;
use serde_json::Value;

use crate::arguments::{Arguments, Choice};
use crate::score::{Total, score};
use crate::sessions::Session;
use crate::table::{heading, play_all, row};

/// The weight of a false alarm against a loop found: at the prices that the aims imply (one false stop in
/// 2,000 healthy sessions, one false nudge in 300, nine loops of ten found).
const FALSE_STOP: i64 = 7;
const FALSE_NUDGE: i64 = 1;

fn worth(total: &Total) -> i64 {
    total.found as i64
        - FALSE_STOP * total.false_stops as i64
        - FALSE_NUDGE * total.false_nudges as i64
}

pub fn run(sessions: &[Session], arguments: &Arguments) -> Result<()> {
    for choice in &arguments.choices {
        judge_choice(sessions, arguments, choice, "agent", |one| &one.agent)?;
        judge_choice(sessions, arguments, choice, "set", |one| &one.set)?;
    }
    Ok(())
}

fn judge_choice<'a>(
    sessions: &'a [Session],
    arguments: &Arguments,
    choice: &Choice,
    what: &str,
    group: impl Fn(&'a Session) -> &'a str,
) -> Result<()> {
    let groups: BTreeSet<&str> = sessions.iter().map(&group).collect();
    // For each value, the total of each group.
    let mut by_value: Vec<Vec<Total>> = Vec::new();
    for value in &choice.values {
        let options = arguments.options("adaptive", &[(&choice.option, value)]);
        let all_hits = play_all(sessions, &options)?;
        let mut totals = vec![Total::default(); groups.len()];
        for (session, hits) in sessions.iter().zip(&all_hits) {
            let place = groups.iter().position(|one| *one == group(session));
            if let Some(place) = place {
                totals[place].add(&score(session, hits));
            }
        }
        by_value.push(totals);
    }

    println!("{}\n{}", choice.option, heading());
    for (value, totals) in choice.values.iter().zip(&by_value) {
        println!("{}", row(&format!("always {value}"), &sum(totals, None)));
    }
    let mut unseen = Total::default();
    for (place, left_out) in groups.iter().enumerate() {
        let best = (0..by_value.len())
            .rev()
            .max_by_key(|value| worth(&sum(&by_value[*value], Some(place))));
        let Some(best) = best else {
            continue;
        };
        let value: &Value = &choice.values[best];
        println!(
            "{}",
            row(
                &format!("without {left_out}: {value}"),
                &by_value[best][place]
            )
        );
        unseen.add_total(&by_value[best][place]);
    }
    println!(
        "{}\n",
        row(&format!("each {what} left out in turn"), &unseen)
    );
    Ok(())
}

/// The sum over all groups, or over all but one.
fn sum(totals: &[Total], left_out: Option<usize>) -> Total {
    let mut sum = Total::default();
    for (place, total) in totals.iter().enumerate() {
        if Some(place) != left_out {
            sum.add_total(total);
        }
    }
    sum
}
