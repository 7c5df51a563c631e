//! The calls of a session in their order, for a picture.

use serde::{Deserialize, Serialize};

use super::report::{Action, Loop};
use super::tools::CallKind;

/// The calls that a timeline can show; a longer session is cut into this many stretches.
pub const WIDEST: usize = 400;

/// Neighbouring calls of a timeline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stretch {
    /// The first call, from 0 over the session.
    pub first: u64,
    /// The last call.
    pub last: u64,
    /// The work of most of them.
    pub kind: CallKind,
    /// The strongest verdict on a loop that is there.
    #[serde(rename = "loop", default, skip_serializing_if = "Option::is_none")]
    pub in_loop: Option<Action>,
}

/// The calls of a session in their order, a byte each.
#[derive(Debug, Clone, Default)]
pub(crate) struct Timeline(Vec<u8>);

impl Timeline {
    pub(crate) fn take(&mut self, kind: CallKind) {
        self.0.push(kind as u8);
    }

    /// The calls, or stretches of them by their most frequent kind, and whether a loop is there.
    pub(crate) fn stretches(&self, loops: &[Loop]) -> Vec<Stretch> {
        let size = self.0.len().div_ceil(WIDEST).max(1);
        let stretches = self.0.chunks(size).enumerate().map(|(at, calls)| {
            let mut counts = [0_usize; CallKind::ALL.len()];
            for call in calls {
                counts[usize::from(*call)] += 1;
            }
            // Of equal ones the first.
            let most = (0..counts.len()).rev().max_by_key(|kind| counts[*kind]);
            let first = (at * size) as u64;
            let last = first + calls.len() as u64 - 1;
            let here = loops.iter().filter(|found| {
                found.first_call.unwrap_or(0) <= last && found.last_call.unwrap_or(0) >= first
            });
            Stretch {
                first,
                last,
                kind: CallKind::ALL[most.unwrap_or_default()],
                in_loop: here.map(|found| found.action).max(),
            }
        });
        stretches.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_session_is_cut_into_stretches_of_their_most_frequent_kind() {
        let mut timeline = Timeline::default();
        assert_eq!(timeline.stretches(&[]), []);
        for call in 0..1_000 {
            timeline.take(if call % 3 == 0 {
                CallKind::Read
            } else {
                CallKind::Run
            });
        }
        let stretches = timeline.stretches(&[]);
        assert_eq!(stretches.len(), 334);
        assert_eq!((stretches[0].first, stretches[0].last), (0, 2));
        assert_eq!((stretches[333].first, stretches[333].last), (999, 999));
        assert_eq!(stretches[0].kind, CallKind::Run);
        assert_eq!(stretches[333].kind, CallKind::Read);
    }
}
