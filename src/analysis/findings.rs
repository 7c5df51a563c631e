//! On what money went that could have been saved, and where most of it did.

use std::cmp::Ordering;

use rustc_hash::FxHashMap;
use serde::Serialize;
use turnkeeper_base::names;

use super::report::{Saveable, SessionReport};

names! {
    /// Something on which money goes that could have been saved.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
    #[serde(rename_all = "lowercase")]
    Waste {
        /// Loops after the model should have been told.
        Loops,
        /// The part that newer messages say better.
        Outdated,
        /// Reads again after compactions.
        Rereads,
        /// Tokens that were paid for again after pauses.
        Pauses,
    }
}

impl Waste {
    /// Its tokens and dollars in what a session could have saved.
    pub fn cost_in(self, saveable: &Saveable) -> (u64, Option<f64>) {
        match self {
            Self::Loops => (saveable.loops.tokens, saveable.loops.dollars),
            Self::Outdated => (saveable.outdated.tokens, saveable.outdated.dollars),
            Self::Rereads => (saveable.rereads.tokens, saveable.rereads.dollars),
            Self::Pauses => (saveable.pauses.tokens, saveable.pauses.dollars),
        }
    }

    /// The number in a session: loops, items of the history, calls, requests.
    pub fn count_in(self, session: &SessionReport) -> u64 {
        match self {
            Self::Loops => session.loops.len() as u64,
            Self::Outdated => session.saveable.outdated.kinds.items(),
            Self::Rereads => session.saveable.rereads.calls,
            Self::Pauses => session.saveable.pauses.requests,
        }
    }
}

/// The findings on a waste.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding<'a> {
    /// Its kind.
    pub waste: Waste,
    /// In US dollars; none if no prices are known.
    pub dollars: Option<f64>,
    /// The number of loops, items, calls or requests that it is.
    pub count: u64,
    /// Their tokens.
    pub tokens: u64,
    /// The session that it cost most.
    pub worst: &'a SessionReport,
    /// The agent, or else the format, and the project of which most of it came.
    pub agent: &'a str,
    /// The project's folder.
    pub project: Option<&'a str>,
}

/// The findings in the sessions, the dearest first.
pub fn findings_of<'a>(sessions: &[&'a SessionReport]) -> Vec<Finding<'a>> {
    let wastes = Waste::ALL.iter();
    let mut found: Vec<Finding> = wastes
        .filter_map(|waste| finding_of(sessions, *waste))
        .collect();
    found.sort_by(|a, b| descending(a.dollars, b.dollars).then(b.tokens.cmp(&a.tokens)));
    found
}

fn finding_of<'a>(sessions: &[&'a SessionReport], waste: Waste) -> Option<Finding<'a>> {
    let mut places: FxHashMap<(&str, Option<&str>), f64> = FxHashMap::default();
    let mut order = Vec::new();
    let (mut count, mut tokens, mut dollars) = (0, 0, None);
    let mut worst: Option<&SessionReport> = None;
    for session in sessions
        .iter()
        .filter(|session| waste.count_in(session) > 0)
    {
        let (its_tokens, its_dollars) = waste.cost_in(&session.saveable);
        count += waste.count_in(session);
        tokens += its_tokens;
        if let Some(more) = its_dollars {
            dollars = Some(dollars.unwrap_or(0.0) + more);
        }
        if worst.is_none_or(|worst| is_worse(session, worst, waste)) {
            worst = Some(session);
        }
        let place = (agent_of(session), session.session.project.as_deref());
        let weight = places.entry(place).or_insert_with(|| {
            order.push(place);
            0.0
        });
        *weight += its_dollars.unwrap_or(its_tokens as f64 / 1e9);
    }
    // Of equal ones the first.
    let heavier = |a: &&(&'a str, Option<&'a str>), b: &&(&'a str, Option<&'a str>)| {
        places[*a].total_cmp(&places[*b])
    };
    let (agent, project) = *order.iter().rev().max_by(heavier)?;
    Some(Finding {
        waste,
        dollars,
        count,
        tokens,
        worst: worst?,
        agent,
        project,
    })
}

/// The agent of a session, or else its format.
fn agent_of(session: &SessionReport) -> &str {
    session.session.agent_or_format()
}

fn is_worse(a: &SessionReport, b: &SessionReport, waste: Waste) -> bool {
    let (tokens, dollars) = waste.cost_in(&a.saveable);
    let (its_tokens, its_dollars) = waste.cost_in(&b.saveable);
    descending(dollars, its_dollars).then(its_tokens.cmp(&tokens)) == Ordering::Less
}

/// The sessions that wasted most, the worst first; where nothing was, those that cost most.
pub fn worst_first<'a>(sessions: &[&'a SessionReport]) -> Vec<&'a SessionReport> {
    let mut sorted = sessions.to_vec();
    sorted.sort_by(|a, b| {
        weight_of(&b.saveable)
            .total_cmp(&weight_of(&a.saveable))
            .then(b.loops.len().cmp(&a.loops.len()))
            .then(descending(a.usage.dollars, b.usage.dollars))
            .then(b.usage.tokens.cmp(&a.usage.tokens))
    });
    sorted
}

/// In dollars; where no prices are known, by what a million tokens may cost from a cache.
fn weight_of(saveable: &Saveable) -> f64 {
    let sent = saveable.outdated.tokens_sent + saveable.rereads.tokens_sent;
    let tokens = saveable.loops.tokens + sent + saveable.pauses.tokens;
    saveable.dollars.unwrap_or(tokens as f64 * 3e-7)
}

fn descending(a: Option<f64>, b: Option<f64>) -> Ordering {
    b.unwrap_or(0.0).total_cmp(&a.unwrap_or(0.0))
}
