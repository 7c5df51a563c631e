//! The share of the recent calls and answers that was new: a number for a host to show as a meter.
//!
//! Of each of the last [`WINDOW`] calls one half is whether the call was new, and the other whether its
//! answer was: neither had come among the [`KEPT`] before it. A new edit that was made counts as a new
//! answer, for it has changed a file although such answers are all alike. Without an answer the call
//! alone counts.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::texts;
use crate::copies::clone_by_fields;
use turnkeeper_base::newest;
use turnkeeper_base::snapshot::Corrupt;

/// The number is about as many of the newest calls.
const WINDOW: usize = 10;
/// As many calls, and as many answers, are remembered: one from before them counts as new again.
const KEPT: usize = 32;

/// Follows the newest calls and answers.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    calls: Recent,
    answers: Recent,
    /// From the oldest to the newest.
    window: VecDeque<Piece>,
}

clone_by_fields! { Progress: calls, answers, window }

/// A call, and what was new of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Piece {
    index: u64,
    is_new: bool,
    /// `None` until an answer comes.
    answer_is_new: Option<bool>,
}

/// The keys by which a rule compares the newest call and its answer, if it reads more than their spelling.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Newest {
    /// The call's.
    pub call: Option<u64>,
    /// The answer's.
    pub answer: Option<u64>,
    /// The answer is that of an edit that was made.
    pub changed_file: bool,
}

impl Progress {
    /// A call came.
    pub fn call(&mut self, index: u64, key: u64) {
        let piece = Piece {
            index,
            is_new: self.calls.is_new(key),
            answer_is_new: None,
        };
        newest::push(&mut self.window, piece, WINDOW);
    }

    /// The answer to a call came.
    pub fn answer(&mut self, index: u64, key: u64, changed_file: bool) {
        let is_new = self.answers.is_new(key);
        let answered = self.window.iter_mut().rev();
        if let Some(piece) = answered.into_iter().find(|piece| piece.index == index) {
            piece.answer_is_new = Some(is_new || changed_file && piece.is_new);
        }
    }

    /// From 0, nothing new, to 1, which it is before the first call, too.
    pub fn value(&self) -> f64 {
        let halves: u32 = self.window.iter().map(|piece| piece.halves()).sum();
        match self.window.len() {
            0 => 1.0,
            calls => f64::from(halves) / (2 * calls) as f64,
        }
    }

    /// Whether it is about this many calls, or about as many as it ever is.
    pub fn knows(&self, calls: u64) -> bool {
        self.window.len() as u64 >= calls.min(WINDOW as u64)
    }

    /// The number of calls that it is about, and of those among them that were made before or had a result that was seen.
    pub fn not_wholly_new(&self) -> (u64, u64) {
        let repeats = self.window.iter().filter(|piece| piece.halves() < 2);
        (self.window.len() as u64, repeats.count() as u64)
    }

    /// One sentence of facts, about calls the newest of which is of this tool.
    pub(crate) fn fact(&self, tool: &str) -> String {
        let count = |is_repeat: fn(&&Piece) -> bool| self.window.iter().filter(is_repeat).count();
        let kept = &self.calls.0;
        let of_newest = kept.iter().filter(|key| Some(*key) == kept.back()).count();
        format!(
            "Of the last {} calls {} had been made before, and {} of their results had been seen; the last call, of \
             {}, came {of_newest} times among the last {}.",
            self.window.len(),
            count(|piece| !piece.is_new),
            count(|piece| piece.answer_is_new == Some(false)),
            texts::shown_name(tool),
            kept.len()
        )
    }

    /// Whether a snapshot may hold it.
    pub fn validate(&self) -> Result<(), Corrupt> {
        Corrupt::unless(self.window.len() <= WINDOW)?;
        Corrupt::unless(self.calls.0.len() <= KEPT && self.answers.0.len() <= KEPT)
    }
}

impl Piece {
    /// 0, 1 or 2.
    fn halves(self) -> u32 {
        u32::from(self.is_new) + u32::from(self.answer_is_new.unwrap_or(self.is_new))
    }
}

/// The last keys, from the oldest to the newest.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Recent(VecDeque<u64>);

clone_by_fields! { Recent: 0 }

impl Recent {
    /// Whether a key, which is kept, was not there.
    fn is_new(&mut self, key: u64) -> bool {
        let is_new = !self.0.contains(&key);
        newest::push(&mut self.0, key, KEPT);
        is_new
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Calls with their answers: the keys of both, and whether a file was changed.
    fn after(steps: &[(u64, u64, bool)]) -> f64 {
        let mut progress = Progress::default();
        for (index, (call, answer, changed_file)) in (0..).zip(steps) {
            progress.call(index, *call);
            progress.answer(index, *answer, *changed_file);
        }
        progress.value()
    }

    #[test]
    fn it_is_one_before_the_first_call_and_while_all_is_new() {
        assert_eq!(after(&[]), 1.0);
        assert_eq!(after(&[(1, 1, false), (2, 2, false)]), 1.0);
    }

    #[test]
    fn it_sinks_to_nothing_when_all_came_before() {
        let steps = [(1, 1, false); 6];
        assert_eq!(after(&steps[..2]), 0.5);
        assert_eq!(after(&steps[..4]), 0.25);
        assert_eq!(after(&[(1, 1, false); WINDOW + 1]), 0.0);
    }

    #[test]
    fn a_new_call_and_a_new_answer_are_half_each() {
        let searches: Vec<_> = (0..WINDOW as u64 + 1)
            .map(|call| (call, 7, false))
            .collect();
        assert_eq!(after(&searches), 0.5);
        let polls: Vec<_> = (0..WINDOW as u64 + 1)
            .map(|answer| (7, answer, false))
            .collect();
        assert_eq!(after(&polls), 0.5);
    }

    #[test]
    fn a_file_that_changes_is_new_whatever_the_answer_says_unless_the_edit_came_before() {
        let edits: Vec<_> = (0..20).map(|call| (call, 7, true)).collect();
        assert_eq!(after(&edits), 1.0);
        assert_eq!(after(&[(7, 7, true); 20]), 0.0);
    }

    #[test]
    fn a_call_without_an_answer_counts_alone() {
        let mut progress = Progress::default();
        progress.call(0, 1);
        assert_eq!(progress.value(), 1.0);
        progress.call(1, 1);
        assert_eq!(progress.value(), 0.5);
        progress.answer(1, 9, false);
        assert_eq!(progress.value(), 0.75);
        // Of a call that nobody knows of any more.
        progress.answer(77, 9, false);
        assert_eq!(progress.value(), 0.75);
    }

    #[test]
    fn what_came_before_is_told_as_a_fact() {
        let mut progress = Progress::default();
        for (index, call) in (0..).zip([1, 2, 1, 3, 1]) {
            progress.call(index, call);
            progress.answer(index, call.min(2), false);
        }
        assert_eq!(
            progress.fact("read_file"),
            "Of the last 5 calls 2 had been made before, and 3 of their results had been seen; the last \
             call, of read_file, came 3 times among the last 5."
        );
    }

    /// The same, from the whole list of what came.
    fn naive(steps: &[(u64, u64, bool)]) -> f64 {
        let is_new = |keys: &[u64], at: usize| {
            let before = &keys[at.saturating_sub(KEPT)..at];
            !before.contains(&keys[at])
        };
        let calls: Vec<u64> = steps.iter().map(|step| step.0).collect();
        let answers: Vec<u64> = steps.iter().map(|step| step.1).collect();
        let last = steps.len().saturating_sub(WINDOW)..steps.len();
        let count = last.len();
        let sum: f64 = last
            .map(|at| {
                let call = is_new(&calls, at);
                let answer = is_new(&answers, at) || steps[at].2 && call;
                (f64::from(u8::from(call)) + f64::from(u8::from(answer))) / 2.0
            })
            .sum();
        if count == 0 { 1.0 } else { sum / count as f64 }
    }

    proptest! {
        #[test]
        fn it_is_what_the_whole_list_says(
            steps in prop::collection::vec((0u64..40, 0u64..40, any::<bool>()), 0..120)
        ) {
            prop_assert!((after(&steps) - naive(&steps)).abs() < 1e-12);
        }
    }
}
