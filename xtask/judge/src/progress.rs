//! The share that was new where loops were found, and in healthy sessions: whether the detector's number tells
//! the two apart, and what it would do as a veto of verdicts.

use std::collections::BTreeSet;

use anyhow::Result;

use crate::arguments::Arguments;
use crate::cores;
use crate::player::{Hit, progress};
use crate::score::{Score, Total, score};
use crate::sessions::Session;
use crate::table::{heading, play_all, row};

/// A verdict is taken back where more than this was new; 1 takes none back.
const VETOES: [f64; 6] = [1.0, 0.9, 0.8, 0.7, 0.6, 0.5];
const SHARES: [usize; 5] = [5, 25, 50, 75, 95];

pub fn run(sessions: &[Session], arguments: &Arguments) -> Result<()> {
    let options = arguments.options("adaptive", &[]);
    let all_hits = play_all(sessions, &options)?;
    let found = sessions.iter().zip(&all_hits);
    let at_loops = found.filter_map(|(session, hits)| match score(session, hits) {
        Score::Found { hit, .. } if hit.calls_before > 0 => Some(hit.progress),
        _ => None,
    });
    print_shares("where a loop is found", at_loops.collect());

    let healthy: Vec<&Session> = sessions
        .iter()
        .filter(|one| one.loop_start.is_none())
        .collect();
    let all: Vec<Vec<f64>> = cores::map(&healthy, |session| progress(session, &options))
        .into_iter()
        .collect::<Result<_>>()?;
    let lowest = all
        .iter()
        .filter_map(|of| of.iter().copied().reduce(f64::min));
    print_shares("healthy, the lowest", lowest.collect());
    print_shares("healthy, any result", all.concat());

    println!("\nas a veto\n{}", heading());
    let agents: BTreeSet<&str> = sessions.iter().map(|session| &*session.agent).collect();
    for veto in VETOES {
        let mut total = Total::default();
        let mut agents_hurt = agents.clone();
        for (session, hits) in sessions.iter().zip(&all_hits) {
            let kept = kept(hits, veto);
            let (with, without) = (score(session, &kept), score(session, hits));
            if matches!(
                (&with, &without),
                (Score::Missed { .. }, Score::Found { .. })
            ) {
                agents_hurt.remove(&*session.agent);
            }
            total.add(&with);
        }
        let hurt = agents.len() - agents_hurt.len();
        println!(
            "{}  {hurt} agents lose",
            row(&format!("where more than {veto} is new"), &total)
        );
    }
    Ok(())
}

fn kept(hits: &[Hit], veto: f64) -> Vec<Hit> {
    let is_kept = |hit: &&Hit| hit.progress <= veto;
    hits.iter().filter(is_kept).cloned().collect()
}

fn print_shares(name: &str, mut values: Vec<f64>) {
    values.sort_unstable_by(f64::total_cmp);
    let Some(last) = values.len().checked_sub(1) else {
        return;
    };
    let shares = SHARES.map(|share| format!("{share} %: {:.2}", values[last * share / 100]));
    println!("{name:<24} {:>6}  {}", values.len(), shares.join("  "));
}
