//! Where each rule of `adaptive` has its evidence: the loops that it is the first to tell of and those that no
//! other rule finds, of how many agents, by how many calls it is sooner than the others, and its false alarms.

use std::collections::BTreeSet;

use anyhow::Result;
use serde_json::Value;
use turnkeeper_core::loop_detector::LoopProfile;

use crate::arguments::Arguments;
use crate::player::play_all;
use crate::score::{Score, Total, score};
use crate::sessions::Session;

/// Sessions, and the agents that they are of.
#[derive(Default)]
struct Cases<'a> {
    sessions: Vec<&'a str>,
    agents: BTreeSet<&'a str>,
}

impl<'a> Cases<'a> {
    fn add(&mut self, session: &'a Session) {
        self.sessions.push(&session.id);
        self.agents.insert(&session.agent);
    }

    /// Their number, and that of their agents.
    fn counts(&self) -> String {
        format!("{} of {}", self.sessions.len(), self.agents.len())
    }
}

pub fn run(sessions: &[Session], arguments: &Arguments) -> Result<()> {
    let play = |more: &[(&str, &Value)]| play_all(sessions, &arguments.options("adaptive", more));
    let with_all = play(&[])?;
    println!(
        "{:<20} {:>14} {:>14} {:>7} {:>7}  {:<22} found by it alone",
        "rule", "first of", "alone", "sooner", "alarms", "agents"
    );
    for option in thresholds() {
        let rule = rule_of(&option);
        let without = play(&[(&option, &Value::Bool(false))])?;
        let mut first = Cases::default();
        let mut alone = Cases::default();
        let mut alarms = Cases::default();
        // Of the loops that another rule finds later, by how many calls.
        let mut later = Total::default();
        for ((session, before), after) in sessions.iter().zip(&with_all).zip(&without) {
            match score(session, before) {
                Score::Found { hit, wasted, .. } => {
                    let is_first = hit.rule == rule;
                    if is_first {
                        first.add(session);
                    }
                    match score(session, after) {
                        Score::Found { wasted: then, .. } if is_first => {
                            later.wasted.push(then.saturating_sub(wasted));
                        }
                        Score::Found { .. } => {}
                        _ => alone.add(session),
                    }
                }
                Score::FalseAlarm { hit, .. } if hit.rule == rule => alarms.add(session),
                _ => {}
            }
        }
        println!(
            "{rule:<20} {:>14} {:>14} {:>7} {:>7}  {:<22} {}",
            first.counts(),
            alone.counts(),
            later
                .median_wasted()
                .map_or("-".to_owned(), |calls| calls.to_string()),
            alarms.sessions.len(),
            alone.agents.iter().copied().collect::<Vec<_>>().join(" "),
            alone.sessions.join(" ")
        );
    }
    Ok(())
}

/// The options of `adaptive` that `false` switches off, each of which has a rule.
fn thresholds() -> Vec<String> {
    let options = serde_json::to_value(LoopProfile::Adaptive.defaults());
    let Ok(Value::Object(options)) = options else {
        return Vec::new();
    };
    let is_threshold = |(name, value): (String, Value)| value.is_u64().then_some(name);
    options.into_iter().filter_map(is_threshold).collect()
}

/// The name under which the rule of an option reports.
fn rule_of(option: &str) -> String {
    let mut rule = String::new();
    for letter in option.chars() {
        if letter.is_ascii_uppercase() {
            rule.push('_');
        }
        rule.push(letter.to_ascii_lowercase());
    }
    rule
}
