//! The sum of sessions, in which each thing counts once, for the session that did it.

use std::cmp::Ordering;

use rustc_hash::FxHashMap;

use super::audited::AuditedSession;
use super::marks::Mark;
use super::parts::AddPart;
use super::report::{Action, SessionReport, Total};
use super::usage::Answer;

/// The times of which things count, in milliseconds since 1970.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Period {
    /// From when on.
    pub since: f64,
    /// Up to when.
    pub until: f64,
}

impl Period {
    /// All times.
    pub const ALL: Self = Self {
        since: f64::NEG_INFINITY,
        until: f64::INFINITY,
    };

    fn holds(&self, time: f64) -> bool {
        time >= self.since && time <= self.until
    }

    /// Whether something of a session may be of it, by when that began and ended, as far as they are known.
    pub fn touches(&self, (began, ended): (Option<f64>, Option<f64>)) -> bool {
        ended.unwrap_or(f64::INFINITY) >= self.since
            && began.unwrap_or(f64::NEG_INFINITY) <= self.until
    }
}

/// Sessions of a period, and their sum.
#[derive(Debug, Clone, Default)]
pub struct Summed {
    /// In the order in which they were given, each with what it did itself.
    pub sessions: Vec<AuditedSession>,
    /// All of them together.
    pub total: Total,
}

/// Adds sessions up. A record, an answer, a call or a loop that several files have, since one was resumed from another
/// or copied, counts for the session that did it: the one that began first. The sessions may come from threads, so the
/// sum depends on their order alone, and in nothing but what is the same in each.
pub fn sum(sessions: Vec<AuditedSession>, period: Period) -> Summed {
    let owners = owners_of(&sessions);
    let sessions = sessions
        .into_iter()
        .zip(0_u32..)
        .filter_map(|(mut session, place)| {
            // Those of other times own what they did, and are left out.
            if !period.touches(session.times()) {
                return None;
            }
            keep_own(&mut session, place, &owners, period);
            Some(session)
        });
    let sessions: Vec<AuditedSession> = sessions.collect();
    let mut total = Total::default();
    for session in &sessions {
        add_session(&mut total, &session.report);
    }
    Summed { sessions, total }
}

/// The session to which each record and answer belongs, by its key.
type Owners = FxHashMap<u64, u32>;

fn owners_of(sessions: &[AuditedSession]) -> Owners {
    let mut order: Vec<usize> = (0..sessions.len()).collect();
    order.sort_by(|a, b| by_time(&sessions[*a], &sessions[*b]).then(a.cmp(b)));
    let mut owners = Owners::default();
    let place = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    let answers = |at: usize, is_retold: bool| {
        let answers = sessions[at].answers.iter();
        let answers = answers.filter(move |answer| answer.is_retold == is_retold);
        answers.filter_map(|answer| answer.key)
    };
    for &at in &order {
        for key in sessions[at].marks.keys().chain(answers(at, false)) {
            owners.entry(key).or_insert(place(at));
        }
    }
    // What a session tells of others is theirs, where they have a file.
    for &at in &order {
        for key in answers(at, true) {
            owners.entry(key).or_insert(place(at));
        }
    }
    owners
}

/// The session that began first comes first, and of those that begin with the same record the one that ended first.
fn by_time(a: &AuditedSession, b: &AuditedSession) -> Ordering {
    let began = |session: &AuditedSession| session.began.or(session.written);
    let ended = |session: &AuditedSession| session.span.map(|(_, last)| last).or(session.written);
    let earlier = |a: Option<f64>, b: Option<f64>| {
        let [a, b] = [a, b].map(|time| time.unwrap_or(f64::INFINITY));
        a.total_cmp(&b)
    };
    earlier(began(a), began(b)).then(earlier(ended(a), ended(b)))
}

/// Leaves in a session's report what it did itself, and in its usage what it did in the period.
fn keep_own(session: &mut AuditedSession, place: u32, owners: &Owners, period: Period) {
    let is_own_key = |key: u64| owners.get(&key) == Some(&place);
    let own: Vec<bool> = session.marks.keys().map(is_own_key).collect();
    let is_own = |mark: Mark| mark.is_none_or(|at| own.get(at as usize) == Some(&true));
    let counts = |answer: &Answer| {
        answer.time.is_none_or(|time| period.holds(time))
            && answer.key.map_or_else(|| is_own(answer.mark), is_own_key)
    };
    if own.contains(&false) || !session.answers.iter().all(counts) {
        session.count(&is_own, &counts);
    }
}

/// The sum of one session.
pub(crate) fn total_of(report: &SessionReport) -> Total {
    let mut total = Total::default();
    add_session(&mut total, report);
    total
}

fn add_session(total: &mut Total, report: &SessionReport) {
    let stops = report
        .loops
        .iter()
        .filter(|found| found.action == Action::Stop);
    let stops = stops.count() as u64;
    total.sessions += 1;
    total.sessions_estimated += u64::from(report.usage.is_estimated);
    total.stops += stops;
    total.nudges += report.loops.len() as u64 - stops;
    total.sessions_with_stops += u64::from(stops > 0);
    total.counts.add(&report.counts);
    total.usage.add(&report.usage);
    total.saveable.add(&report.saveable);
    total.tokens.add(&report.tokens);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_is_of_a_period_if_any_of_it_is() {
        let period = Period {
            since: 10.0,
            until: 20.0,
        };
        let touches = |began, ended| period.touches((began, ended));
        assert!(touches(Some(5.0), Some(10.0)) && touches(Some(20.0), Some(30.0)));
        assert!(touches(None, None) && touches(Some(1.0), Some(99.0)));
        assert!(!touches(Some(1.0), Some(9.0)) && !touches(Some(21.0), Some(22.0)));
    }
}
