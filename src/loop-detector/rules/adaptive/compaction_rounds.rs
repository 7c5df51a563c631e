//! Finds: 2 stretches in a row between condensations of which four fifths came before, with no new edit and no new
//! outcome of a command; a stop at 4. The agent compacts its context, forgets what it knew, and does again what it
//! did before.
//! In Chinese: 连续 2 段（两次压缩上下文之间）有五分之四是以前做过的，没有新的修改，命令也没有新的结果；停止：4 段。
//! Must not find: reading again in order to go on; a stretch with a new edit or a new outcome of a command.
//! The number: 2 idle stretches in a row, so that the model is told in the third, before it is condensed, too; in
//! reports of users there are 70 and more, and none in the sessions at hand, healthy or not.

use crate::counts::MAX_COUNT;
use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::features::{CallFeatures, Step};
use super::finding::Finding;
use super::history::History;
use super::run::Limit;
use super::step_rule::{StepRule, StepRuleInfo};
use crate::copies::clone_by_fields;
use crate::report::LoopType;

use turnkeeper_base::newest;

/// This many steps are remembered of the stretches before, and as many of this one.
const KEPT: usize = 256;

#[derive(Default, Serialize, Deserialize)]
pub(super) struct CompactionRounds {
    /// The steps of the stretches before, from the oldest to the newest.
    before: VecDeque<u32>,
    stretch: Stretch,
    /// Idle stretches in a row.
    idle: u64,
    was_nudged: bool,
    /// The first call of the first idle stretch.
    first_index: u64,
}

clone_by_fields! { CompactionRounds: before, stretch, idle, was_nudged, first_index }

/// The steps since the last condensation.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Stretch {
    /// The last steps, from the oldest to the newest.
    done: VecDeque<u32>,
    steps: u64,
    /// The number of steps that came in the stretches before.
    repeated: u64,
    /// Something was changed that had not been changed so, or a command showed something new.
    brought_news: bool,
    first_index: u64,
}

clone_by_fields! { Stretch: done, steps, repeated, brought_news, first_index }

impl Stretch {
    fn is_idle(&self) -> bool {
        !self.brought_news && self.repeated * 5 >= self.steps * 4
    }
}

/// A short fingerprint of a step, since there are few to compare with; that of an edit is its call alone.
fn fingerprint(step: &Step) -> Option<u32> {
    let key = match step.call.edits {
        true => step.call.call,
        false => step.key,
    };
    key.map(|key| key as u32)
}

impl CompactionRounds {
    /// The stretch is over: it is among those before from now on.
    fn end_stretch(&mut self) {
        let stretch = std::mem::take(&mut self.stretch);
        if stretch.steps == 0 {
            return;
        }
        if !stretch.is_idle() {
            (self.idle, self.was_nudged) = (0, false);
        } else {
            if self.idle == 0 {
                self.first_index = stretch.first_index;
            }
            self.idle = self.idle.saturating_add(1);
        }
        for key in stretch.done {
            if !self.before.contains(&key) {
                newest::push(&mut self.before, key, KEPT);
            }
        }
    }
}

pub(super) const INFO: StepRuleInfo = StepRuleInfo {
    usual: 2,
    loop_type: LoopType::RepeatedToolCycle,
    message: "the context was compacted {count} times in a row, and what followed each time had been done \
              before with the same answers, the last of it by {call}.",
    feedback: "You seem to be stuck: {message} What you read is lost with each compaction. Write down what \
               you need in a few lines, read less at a time, and make the next change before you read on.",
    needs_every_result: false,
    ..StepRuleInfo::USUAL
};

impl StepRule for CompactionRounds {
    fn going_on_from(&self, saved: Self) -> Option<Self> {
        let Stretch {
            done,
            steps,
            repeated,
            ..
        } = &saved.stretch;
        let is_bounded = saved.before.len() <= KEPT && done.len() <= KEPT;
        let can_count_on = *steps <= MAX_COUNT / 8 && repeated <= steps;
        (is_bounded && can_count_on).then_some(saved)
    }

    fn at_result(&mut self, step: &Step, _: &mut History, _: u64) -> Option<Finding> {
        if step.is_mere_note() {
            return None;
        }
        let key = fingerprint(step);
        let is_repeated = key.is_some_and(|key| self.before.contains(&key));
        let CallFeatures {
            edits,
            runs_command,
            looks,
            index,
            ..
        } = step.call;
        let changes = edits && step.result.acknowledges;
        let shows = runs_command && !looks && !edits;
        let stretch = &mut self.stretch;
        if stretch.steps == 0 {
            stretch.first_index = index;
        }
        stretch.steps = (stretch.steps + 1).min(MAX_COUNT / 8);
        stretch.repeated += u64::from(is_repeated && stretch.repeated < stretch.steps);
        stretch.brought_news |= !is_repeated && (changes || shows);
        if let Some(key) = key {
            newest::push(&mut stretch.done, key, KEPT);
        }
        None
    }

    fn at_condensation(&mut self, limit: u64) -> Option<Finding> {
        let idle_before = self.idle;
        self.end_stretch();
        let Self {
            idle,
            was_nudged,
            first_index,
            ..
        } = *self;
        let limit = Limit::of_identical(limit);
        let threshold = limit.after(was_nudged);
        if idle <= idle_before || idle < threshold {
            return None;
        }
        self.was_nudged = true;
        Some(Finding {
            is_stop: was_nudged,
            ..Finding::nudge(threshold, idle, first_index)
        })
    }

    /// The next condensation may make a loop of the calls before it.
    fn is_on_a_run(&self, _: u64) -> bool {
        self.idle > 0
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::example::{self, step};
    use super::*;

    /// The verdicts at the end of each stretch.
    fn told(stretches: &[Vec<Step>]) -> Vec<String> {
        let mut rule = example::rule("compaction_rounds", 3);
        let mut history = History::default();
        let of_stretch = stretches.iter().map(|stretch| {
            for step in stretch {
                assert_eq!(rule.at_result(step, &mut history), None);
            }
            rule.rule
                .at_condensation(rule.limit)
                .map_or_else(String::new, |found| {
                    let verdict = if found.is_stop { "stop" } else { "nudge" };
                    format!("{verdict} {}", found.count)
                })
        });
        of_stretch.collect()
    }

    fn reads(numbers: std::ops::Range<u64>) -> Vec<Step> {
        let reads = numbers.map(|number| {
            let mut read = step(number, number);
            read.call.looks = true;
            read
        });
        reads.collect()
    }

    #[test]
    fn reading_the_same_after_each_condensation_is_told_of_and_stopped() {
        for count in [1, 14] {
            let expected = ["", "", "", "nudge 3", "", "stop 5"];
            assert_eq!(told(&vec![reads(0..count); 6]), expected, "{count} reads");
        }
    }

    #[test]
    fn one_stretch_with_something_new_starts_the_count_afresh() {
        let mut edit = step(90, 90);
        edit.call.edits = true;
        edit.result.acknowledges = true;
        let mut command = step(91, 91);
        command.call.runs_command = true;
        let mut look = step(92, 92);
        (look.call.runs_command, look.call.looks) = (true, true);
        for (news, is_news) in [(edit, true), (command, true), (look, false)] {
            let mut stretches = vec![reads(0..14); 6];
            stretches[2].push(news);
            let expected = match is_news {
                true => ["", "", "", "", "", "nudge 3"],
                false => ["", "", "", "nudge 3", "", "stop 5"],
            };
            assert_eq!(told(&stretches), expected);
        }
    }

    #[test]
    fn more_than_a_fifth_of_new_steps_is_progress() {
        let stretches: Vec<_> = (0..12u64).map(|at| reads(at * 3..at * 3 + 10)).collect();
        assert_eq!(told(&stretches), [""; 12]);
    }

    #[test]
    fn condensations_with_nothing_in_between_count_for_nothing() {
        let mut stretches = vec![Vec::new(); 30];
        for at in [0, 7, 14, 21] {
            stretches[at] = reads(0..3);
        }
        let told = told(&stretches);
        assert_eq!(told.iter().position(|told| told == "nudge 3"), Some(21));
        assert_eq!(told.concat(), "nudge 3");
    }

    proptest! {
        #[test]
        fn it_is_what_going_through_all_stretches_says(
            stretches in prop::collection::vec(
                prop::collection::vec((0u64..12, 0usize..20), 0..8), 0..12)
        ) {
            let steps: Vec<Vec<Step>> = stretches
                .iter()
                .map(|stretch| {
                    let step = |&(number, kind): &(u64, usize)| {
                        let mut step = step(number, number);
                        step.call.runs_command = kind == 0;
                        step
                    };
                    stretch.iter().map(step).collect()
                })
                .collect();
            let mut naive = Vec::new();
            let mut idle = 0;
            for (at, stretch) in stretches.iter().enumerate() {
                let before = stretches[..at].concat();
                let came = |number: u64| before.iter().any(|other| other.0 == number);
                let repeated = stretch.iter().filter(|step| came(step.0)).count();
                let news = stretch.iter().any(|step| step.1 == 0 && !came(step.0));
                if !stretch.is_empty() {
                    idle = if !news && repeated * 5 >= stretch.len() * 4 { idle + 1 } else { 0 };
                }
                let said = match idle {
                    _ if stretch.is_empty() => String::new(),
                    3 => "nudge 3".to_owned(),
                    5.. => format!("stop {idle}"),
                    _ => String::new(),
                };
                naive.push(said);
            }
            prop_assert_eq!(told(&steps), naive);
        }
    }
}
