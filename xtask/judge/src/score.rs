//! The score of a profile on labelled sessions.

use std::ops::AddAssign;

use crate::player::Hit;
use crate::sessions::Session;

/// A verdict this many calls before the labelled start is still about the loop.
const TOLERANCE: u64 = 2;

/// Its score on one session.
pub enum Score<'a> {
    Found {
        hit: &'a Hit,
        wasted: u64,
        early: Option<&'a Hit>,
    },
    Missed {
        early: Option<&'a Hit>,
    },
    Quiet,
    FalseAlarm {
        hit: &'a Hit,
        stop: Option<&'a Hit>,
    },
}

pub fn score<'a>(session: &Session, hits: &'a [Hit]) -> Score<'a> {
    let Some(start) = session.loop_start else {
        let stop = hits.iter().find(|hit| hit.is_stop);
        return match hits.first() {
            Some(hit) => Score::FalseAlarm { hit, stop },
            None => Score::Quiet,
        };
    };
    let is_in_time = |hit: &&Hit| hit.call + TOLERANCE >= start;
    let early = hits.iter().find(|hit| !is_in_time(hit));
    match hits.iter().find(is_in_time) {
        Some(hit) => Score::Found {
            hit,
            wasted: hit.calls_before.saturating_sub(start),
            early,
        },
        None => Score::Missed { early },
    }
}

/// Its score on many.
#[derive(Default)]
pub struct Total {
    pub loops: u64,
    pub found: u64,
    pub healthy: u64,
    pub false_stops: u64,
    /// Without those that became a stop.
    pub false_nudges: u64,
    /// Calls that were made from the labelled start, the one there with them, until the first verdict, for
    /// each loop that was found: as `turnkeeper replay --compare` counts them.
    pub wasted: Vec<u64>,
}

impl Total {
    pub fn add(&mut self, score: &Score) {
        match score {
            Score::Found { wasted, .. } => {
                self.loops += 1;
                self.found += 1;
                self.wasted.push(*wasted);
            }
            Score::Missed { .. } => self.loops += 1,
            Score::Quiet => self.healthy += 1,
            Score::FalseAlarm { stop, .. } => {
                self.healthy += 1;
                self.false_stops += u64::from(stop.is_some());
                self.false_nudges += u64::from(stop.is_none());
            }
        }
    }

    /// The middle of the wasted calls, or the mean of the two in the middle.
    pub fn median_wasted(&self) -> Option<f64> {
        let mut sorted = self.wasted.clone();
        sorted.sort_unstable();
        let at = |place: usize| sorted.get(place).map(|value| *value as f64);
        let half = sorted.len() / 2;
        match sorted.len() % 2 {
            1 => at(half),
            _ => Some((at(half.checked_sub(1)?)? + at(half)?) / 2.0),
        }
    }
}

impl AddAssign<&Self> for Total {
    fn add_assign(&mut self, other: &Self) {
        self.loops += other.loops;
        self.found += other.found;
        self.healthy += other.healthy;
        self.false_stops += other.false_stops;
        self.false_nudges += other.false_nudges;
        self.wasted.extend(&other.wasted);
    }
}
