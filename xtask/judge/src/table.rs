//! The tables: totals by agent, by set and by kind of loop, and the misses and false alarms by name.

use std::collections::BTreeMap;

use anyhow::{Context, Result};

use crate::arguments::Arguments;
use crate::player::{Hit, play, play_all};
use crate::score::{Score, Total, score};
use crate::sessions::Session;

pub fn print(sessions: &[Session], arguments: &Arguments) -> Result<()> {
    for profile in &arguments.profiles {
        let options = arguments.options(profile, &[]);
        let hits = play_all(sessions, &options)?;
        let scores = sessions.iter().zip(&hits);
        let scores: Vec<(&Session, Score)> = scores
            .map(|(session, hits)| (session, score(session, hits)))
            .collect();
        println!("{profile}");
        print_totals(&scores);
        if !arguments.totals_only {
            print_names(&scores);
        }
        println!();
    }
    Ok(())
}

/// A row for all sessions, and one for each set, agent and kind of loop.
fn print_totals(scores: &[(&Session, Score)]) {
    let mut totals: BTreeMap<(usize, &str, &str), Total> = BTreeMap::new();
    for (session, score) in scores {
        let mut groups = vec![
            (0, "all", ""),
            (1, "set ", &*session.set),
            (2, "agent ", &*session.agent),
        ];
        groups.extend(session.loop_start.map(|_| (3, "loop ", &*session.kind)));
        for group in groups {
            totals.entry(group).or_default().add(score);
        }
    }
    println!("{}", heading());
    for ((_, what, name), total) in &totals {
        println!("{}", row(&format!("{what}{name}"), total));
    }
}

pub fn heading() -> String {
    format!(
        "{:<36} {:>13} {:>7} {:>12} {:>13} {:>7}",
        "", "found", "healthy", "false stops", "false nudges", "wasted"
    )
}

pub fn row(name: &str, total: &Total) -> String {
    let wasted = total.median_wasted();
    format!(
        "{name:<36} {:>13} {:>7} {:>12} {:>13} {:>7}",
        format!("{} of {}", total.found, total.loops),
        total.healthy,
        total.false_stops,
        total.false_nudges,
        wasted.map_or("-".to_owned(), |wasted| wasted.to_string())
    )
}

fn print_names(scores: &[(&Session, Score)]) {
    println!("\nmissed, with the call at which the loop starts");
    for (session, score) in scores {
        if let Score::Missed { early } = score {
            let early = early.map_or(String::new(), |hit| format!("; early: {}", place(hit)));
            println!(
                "  {} at {}{early}",
                name(session),
                session.loop_start.unwrap_or_default()
            );
        }
    }
    println!("\nfalse alarms, with the call at which they come");
    for (session, score) in scores {
        if let Score::FalseAlarm { hit, stop } = score {
            let stop = stop.map_or(String::new(), |hit| format!("; {}", place(hit)));
            println!("  {} {}{stop}", name(session), place(hit));
        }
    }
    println!("\nearly: before a loop that was found later");
    for (session, score) in scores {
        if let Score::Found {
            hit,
            early: Some(early),
            ..
        } = score
        {
            println!("  {} {}, then {}", name(session), place(early), place(hit));
        }
    }
}

fn name(session: &Session) -> String {
    format!(
        "{} {} {} {}",
        session.set, session.agent, session.id, session.kind
    )
}

pub fn place(hit: &Hit) -> String {
    let action = if hit.is_stop { "stop" } else { "nudge" };
    format!("{action} {} at {}", hit.rule, hit.call)
}

pub fn print_trail(sessions: &[Session], id: &str, arguments: &Arguments) -> Result<()> {
    let session = sessions
        .iter()
        .find(|session| session.id.starts_with(id))
        .with_context(|| format!("no session {id}"))?;
    println!("{} loop: {:?}", name(session), session.loop_start);
    for profile in &arguments.profiles {
        for hit in play(session, &arguments.options(profile, &[]))? {
            println!(
                "  {profile}: {} ({} times) {}",
                place(&hit),
                hit.count,
                hit.evidence
            );
        }
    }
    Ok(())
}

/// A line for each session with verdicts: what it is, and each verdict with its call.
pub fn print_verdicts(sessions: &[Session], arguments: &Arguments) -> Result<()> {
    for profile in &arguments.profiles {
        let all_hits = play_all(sessions, &arguments.options(profile, &[]))?;
        for (session, hits) in sessions.iter().zip(&all_hits) {
            let places: Vec<String> = hits.iter().map(place).collect();
            let start = session
                .loop_start
                .map_or("-".to_owned(), |at| at.to_string());
            if !places.is_empty() {
                println!(
                    "{profile}\t{}\t{start}\t{}",
                    name(session),
                    places.join(", ")
                );
            }
        }
    }
    Ok(())
}
