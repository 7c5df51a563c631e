//! The cost of a prompt so far, so that a report can say what went into the loop.

use crate::counts::MAX_COUNT;
use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::report::{LoopReport, Subject, Wasted};
use crate::copies::clone_by_fields;
use turnkeeper_base::newest;
use turnkeeper_base::snapshot::Corrupt;

/// The spending before each of this many calls is known. A loop that began earlier is counted from the first
/// of them on.
const CALLS_KEPT: usize = 128;

/// Counts what is spent, in UTF-16 code units.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Spending {
    characters: u64,
    /// The sum that had been spent when each of the last calls came, from the oldest to the newest.
    before_calls: VecDeque<u64>,
}

clone_by_fields! { Spending: characters, before_calls }

impl Spending {
    /// Text, reasoning or a result came.
    pub(crate) fn add(&mut self, characters: usize) {
        self.characters += characters as u64;
    }

    /// A call came.
    pub(crate) fn add_call(&mut self, characters: usize) {
        newest::push(&mut self.before_calls, self.characters, CALLS_KEPT);
        self.add(characters);
    }

    /// The cost of the loop that a report is about, in a prompt of this many calls.
    pub(crate) fn wasted<R, P>(&self, report: &LoopReport<R, P>, calls: u64) -> Wasted {
        match report.loop_type.subject() {
            Subject::Calls => {
                let calls = calls.saturating_sub(report.first_index);
                let kept = self.before_calls.len() as u64;
                let place = kept.saturating_sub(calls) as usize;
                let before = self.before_calls.get(place).copied();
                Wasted {
                    calls,
                    characters: self.characters - before.unwrap_or(self.characters),
                }
            }
            Subject::Text => Wasted {
                calls: 0,
                characters: (report.last_index + 1).saturating_sub(report.first_index),
            },
            // Nobody has said where it began.
            Subject::Judgement => Wasted::default(),
        }
    }

    /// Whether a snapshot may hold it.
    pub(crate) fn validate(&self) -> Result<(), Corrupt> {
        Corrupt::unless(self.characters <= MAX_COUNT)?;
        Corrupt::unless(self.before_calls.len() <= CALLS_KEPT)?;
        let in_order = self.before_calls.iter().is_sorted();
        let newest = self.before_calls.back().copied().unwrap_or_default();
        Corrupt::unless(in_order && newest <= self.characters)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{LoopType, RuleName};

    fn of_calls(first_index: u64) -> LoopReport {
        let mut report = *LoopReport::new(LoopType::RepeatedToolCycle, RuleName::CycleRounds);
        report.first_index = first_index;
        report
    }

    #[test]
    fn a_loop_of_calls_costs_what_came_from_its_first_call_on() {
        let mut spending = Spending::default();
        for _ in 0..5 {
            spending.add(100);
            spending.add_call(10);
            spending.add(1);
        }
        let wasted = spending.wasted(&of_calls(3), 5);
        assert_eq!((wasted.calls, wasted.characters), (2, 2 * 11 + 100));
        assert_eq!(spending.wasted(&of_calls(0), 5).characters, 5 * 11 + 400);
    }

    #[test]
    fn a_loop_of_text_costs_the_text() {
        let mut report = of_calls(100);
        report.loop_type = LoopType::ChantingIdenticalSentences;
        report.last_index = 299;
        let wasted = Spending::default().wasted(&report, 7);
        assert_eq!((wasted.calls, wasted.characters), (0, 200));
    }

    #[test]
    fn of_a_long_loop_the_last_calls_are_known() {
        let mut spending = Spending::default();
        for _ in 0..1_000 {
            spending.add_call(10);
        }
        let wasted = spending.wasted(&of_calls(0), 1_000);
        let kept = CALLS_KEPT as u64;
        assert_eq!((wasted.calls, wasted.characters), (1_000, kept * 10));
        spending.validate().expect("valid");
    }
}
