//! The tables: totals by agent, by set and by kind of loop, and the misses and false alarms by name.

use std::collections::BTreeMap;

use anyhow::{Context, Result};

use crate::arguments::Arguments;
use crate::cores;
use crate::player::{Hit, play};
use crate::score::{Score, Total, score};
use crate::sessions::Session;

pub fn print(sessions: &[Session], arguments: &Arguments) -> Result<()> {
    for profile in &arguments.profiles {
        let options = arguments.options(profile, &[]);
        let hits = play_all(sessions, &options)?;
        let scores: Vec<(&Session, Score)> = sessions
            .iter()
            .zip(&hits)
            .map(|(session, hits)| (session, score(session, hits)))
            .collect();
        println!("{profile}");
        println!("{}", heading());
        println!("{}", row("all", &total(&scores, |_| true)));
        print_groups("set", &scores, |session| Some(&session.set));
        print_groups("agent", &scores, |session| Some(&session.agent));
        print_groups("loop", &scores, |session| {
            session.loop_start.map(|_| &*session.kind)
        });
        if !arguments.totals_only {
            print_names(&scores);
        }
        println!();
    }
    Ok(())
}

pub fn play_all(sessions: &[Session], options: &str) -> Result<Vec<Vec<Hit>>> {
    cores::map(sessions, |session| play(session, options))
        .into_iter()
        .collect()
}

fn total(scores: &[(&Session, Score)], is_of: impl Fn(&Session) -> bool) -> Total {
    let mut total = Total::default();
    for (_, score) in scores.iter().filter(|(session, _)| is_of(session)) {
        total.add(score);
    }
    total
}

/// A row for each group that has a session.
fn print_groups<'a>(
    what: &str,
    scores: &'a [(&'a Session, Score)],
    group: impl Fn(&'a Session) -> Option<&'a str>,
) {
    let mut totals: BTreeMap<&str, Total> = BTreeMap::new();
    for (session, score) in scores {
        if let Some(name) = group(session) {
            totals.entry(name).or_default().add(score);
        }
    }
    for (name, total) in &totals {
        println!("{}", row(&format!("{what} {name}"), total));
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
                    "{profile}\t{}\t{start}\t{:?}\t{}",
                    name(session),
                    session.outcome,
                    places.join(", ")
                );
            }
        }
    }
    Ok(())
}
