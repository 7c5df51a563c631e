//! Finds: 7 results that came before, from calls that differ or take turns, and each 21 further ones; a new result takes
//! 2 back; or at most 7 different results in 16 calls; never a stop.
//! It is one failure after one remedy and another, the same screen after each click, a file that is read round and
//! round.
//! In Chinese: 7 个以前出现过的结果，来自不同的或轮流的调用，之后每 21 个再提醒；一个新结果抵掉 2 个；或 16 次调用里最多 7 种不同的结果；不停止。
//! Must not find: calls that wait; successes that are only acknowledged, and short answers to different calls,
//! which are alike in healthy work; reading again after a change, a short check after an edit; another file that
//! holds the same; old results among as many new ones; the same checks after each new edit.
//! The number: 7, one more than any of 2,522 healthy recorded sessions has, of which a new result takes 2 back. 7 among 16
//! have none of 3,062, nor of 397 made-up ones that look like a loop.
//! It is never a stop by itself: somebody who tries seven remedies may find the eighth.

use serde::{Deserialize, Serialize};

use super::features::Step;
use super::finding::{Finding, Said};
use super::history::History;
use super::step_rule::{StepRule, StepRuleInfo};
use crate::report::LoopType;

/// A new result takes this many old ones back.
const WORTH_OF_NEW: u64 = 2;

#[derive(Clone, Default, Serialize, Deserialize)]
pub(super) struct NothingNew {
    /// The old results, less what the new ones took back.
    count: u64,
    /// The index of the first one's call.
    first_index: u64,
    /// The request of the last one's call.
    last_request: u64,
    /// The count at which the model was told last, 0 if it was not.
    told_at: u64,
    /// The number of reads left that may look at what may have been changed.
    reads_after_change: u64,
    /// Whether the last work before them was an edit for certain.
    after_edit: bool,
    /// Whether the model was told of the few calls that go on.
    was_told_of_few: bool,
}

/// After a change this many reads in a row may show what was seen.
const READS_AFTER_CHANGE: u64 = 8;

/// The news in a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum News {
    Old,
    /// Nothing that says whether the model gets on.
    Neither,
    New,
}

impl NothingNew {
    /// The count at which the model is told next: after a hint it takes three times as many more.
    fn next(&self, limit: u64) -> u64 {
        match self.told_at {
            0 => limit,
            told_at => told_at.saturating_add(limit.saturating_mul(3)),
        }
    }

    /// Whether few different results go on, in whatever order, of which the model was not told yet. A result that says
    /// much is one whatever the call, the receipts of one act are one, and a click may lead on. What waits is given its
    /// time by other rules, and calls of one request were made before the first was answered.
    fn goes_on_with_few(&mut self, history: &History, limit: u64) -> bool {
        let steps = usize::try_from(steps_of_few(limit)).unwrap_or(usize::MAX);
        let key = |step: &Step| {
            let Step { call, result, .. } = step;
            match call.acts && !result.failed {
                _ if step.is_weak() => None,
                true => call.call,
                false if result.has_few_words || result.acknowledges => step.key,
                false => Some(result.text),
            }
        };
        let (count, different) = history.different(steps, &key);
        let different = different as u64;
        let calls = || history.newest_first().take(steps).map(|step| step.call);
        let requests = || {
            let first = calls().last().map_or(0, |call| call.request);
            let last = calls().next().map_or(0, |call| call.request);
            last.saturating_sub(first)
        };
        let are_few = count == steps
            && different <= limit
            && !calls().any(|call| call.waits || call.sleeps)
            // One call again and again is for other rules to judge.
            && calls().any(|other| calls().next().is_some_and(|last| other.call != last.call))
            && requests() >= steps as u64 * 3 / 4 - 1
            && !history.gets_on(steps, &|step| key(step).filter(|_| step.call.edits));
        let was_told = self.was_told_of_few;
        self.was_told_of_few = are_few || was_told && different <= limit + limit / 2;
        are_few && !was_told
    }

    /// Counts the old results, less what the new ones take back.
    fn old(&mut self, step: &Step, history: &History, limit: u64) -> Option<Finding> {
        match self.news(step, history) {
            News::Neither => return None,
            News::New => {
                self.count = self.count.saturating_sub(WORTH_OF_NEW);
                self.told_at = self.told_at.min(self.count);
                return None;
            }
            News::Old => {}
        }
        if self.count == 0 {
            self.first_index = step.call.index;
        } else if self.last_request == step.call.request {
            return None;
        }
        self.last_request = step.call.request;
        self.count = self.count.saturating_add(1);
        if self.count < self.next(limit) {
            return None;
        }
        self.told_at = self.count;
        Finding::nudge(limit, self.count, self.first_index).if_mere_hint()
    }

    fn news(&mut self, step: &Step, history: &History) -> News {
        let Step { call, result, .. } = step;
        let failed = step.fails();
        if call.sleeps || result.goes_on || result.ages || step.is_weak() || call.waits && !failed {
            return News::Neither;
        }
        if !failed && (call.edits || result.acknowledges) {
            self.after_edit |= call.edits;
            if call.edits || !call.looks && !call.changes_shell {
                self.reads_after_change = READS_AFTER_CHANGE;
            }
            return News::Neither;
        }
        let before = || history.newest_first().skip(1);
        let was_made = before().any(|other| call.call.is_some() && other.call.call == call.call);
        if step.found_nothing() {
            return match was_made && call.looks {
                true => News::Old,
                false => News::Neither,
            };
        }
        let after_change = self.reads_after_change > 0;
        let after_edit = self.after_edit;
        self.reads_after_change = match call.looks {
            true => self.reads_after_change.saturating_sub(1),
            false => 0,
        };
        self.after_edit &= call.looks;
        let is_equal = before().any(|other| other.result.text == result.text);
        if failed {
            // Another call that fails in the same words has failed for the same reason; the same call may have
            // got further, so that other names in them count.
            let says_the_same =
                |other: &Step| other.fails() && other.result.outline == result.outline;
            let is_alike = !was_made && result.outline.is_some() && before().any(says_the_same);
            return match is_equal || is_alike || result.is_seen {
                true => News::Old,
                // Another failure is no progress.
                false => News::Neither,
            };
        }
        let is_old = match call.looks {
            true => {
                let shows_what_was_seen = result.is_seen || is_equal && !result.is_short;
                shows_what_was_seen && !after_change && !history.is_elsewhere()
            }
            // A check that says after an edit what it said before may say that all is well.
            false => is_equal && (!result.is_short || was_made && !after_edit),
        };
        let is_neither = is_equal || call.looks && result.is_seen;
        match (is_old, is_neither) {
            (true, _) => News::Old,
            (false, true) => News::Neither,
            (false, false) => News::New,
        }
    }
}

pub(super) const INFO: StepRuleInfo = StepRuleInfo {
    usual: 7,
    loop_type: LoopType::RepeatedToolCycle,
    message: "{count} results had come before and hardly a new one came in between, the last of them of {call}{answer}.",
    feedback: "You seem to be stuck: {message} What you try changes nothing. Find out the cause first, look at something that you have not seen, or tell the user what stands in the way.",
    // The steps need not be in a row.
    needs_every_result: false,
    calls_of_a_repeat: 2,
    ..StepRuleInfo::USUAL
};

/// The number of steps among which as many different ones as the limit are few. More than are kept are never.
fn steps_of_few(limit: u64) -> u64 {
    limit.saturating_mul(2).saturating_add(2)
}

const FEW: Said = Said {
    message: "the last {count} calls were a few ones again and again, with answers that had come before, the last of them {call}{answer}.",
    ..INFO.said()
};

impl StepRule for NothingNew {
    fn at_result(&mut self, step: &Step, history: &mut History, limit: u64) -> Option<Finding> {
        if step.is_mere_note() {
            return None;
        }
        let goes_on_with_few = self.goes_on_with_few(history, limit);
        let of_old = self.old(step, history, limit);
        if !goes_on_with_few {
            return of_old;
        }
        let steps = steps_of_few(limit);
        let found = Finding::nudge(steps, steps, history.first_index(steps));
        found.saying(&FEW).if_mere_hint()
    }

    fn is_on_a_run(&self, limit: u64) -> bool {
        self.count.saturating_add(1) >= self.next(limit)
    }
}

#[cfg(test)]
mod tests {
    use super::super::example::{self, Rule, told};
    use super::*;

    fn rule() -> Rule {
        example::rule("nothing_new", 4)
    }

    /// A call that fails in the same words as others.
    fn failure(call: u64) -> Step {
        let mut step = example::step(call, call);
        step.result.failed = true;
        step.result.outline = Some(1);
        step
    }

    fn look(call: u64, is_seen: bool) -> Step {
        let mut step = example::step(call, call);
        step.call.looks = true;
        step.result.is_seen = is_seen;
        step
    }

    fn edit(call: u64) -> Step {
        let mut step = example::step(call, 90);
        step.call.edits = true;
        step.result.acknowledges = true;
        step
    }

    fn last_of(steps: &[Step]) -> String {
        let told = told(&mut rule(), steps);
        let (last, before) = told.split_last().expect("a step");
        assert!(before.iter().all(String::is_empty), "{before:?}");
        last.clone()
    }

    #[test]
    fn a_failure_that_stays_the_same_after_each_remedy_is_told_of_once() {
        let steps: Vec<Step> = (0..6).flat_map(|n| [failure(n), edit(10 + n)]).collect();
        let told = told(&mut rule(), &steps);
        let nudges: Vec<(usize, &String)> = told
            .iter()
            .enumerate()
            .filter(|(_, told)| !told.is_empty())
            .collect();
        assert_eq!(nudges, [(8, &"nudge 4".to_owned())]);
    }

    /// Steps of calls in an order that is no round, each call with its result or receipt.
    fn few(step: impl Fn(u64) -> Step) -> Vec<Step> {
        [1, 2, 3, 1, 3, 2, 2, 1, 3, 3].map(step).into()
    }

    #[test]
    fn few_different_results_are_told_of_once_whatever_the_order() {
        let receipt = |call: u64| {
            let mut step = example::step(call, call);
            step.call.acts = true;
            step.result.acknowledges = true;
            step
        };
        let of_receipts: Vec<Step> = few(receipt)
            .into_iter()
            .zip(100..)
            .map(|(mut step, text)| {
                step.result.text = text;
                step.key = Some(text);
                step
            })
            .chain(few(receipt))
            .collect();
        let told = told(&mut rule(), &of_receipts);
        let nudges: Vec<usize> = (0..told.len()).filter(|at| !told[*at].is_empty()).collect();
        assert_eq!(nudges, [9], "{told:?}");
        assert_eq!(told[9], "nudge 10");
    }

    #[test]
    fn what_waits_or_leads_on_is_not_few() {
        let waiting = |call: u64| {
            let mut step = example::step(call, 100 + call);
            step.call.waits = true;
            step
        };
        let weak = |call: u64| {
            let mut step = example::step(call, 100 + call);
            step.call.leads_on = true;
            step.result.says_little = true;
            step
        };
        for steps in [few(waiting), few(weak)] {
            assert_eq!(last_of(&steps), "");
        }
    }

    #[test]
    fn the_same_call_that_fails_otherwise_has_got_further() {
        let steps: Vec<Step> = (0..9)
            .map(|n| {
                let mut step = failure(1);
                step.result.text = n;
                step
            })
            .collect();
        assert_eq!(last_of(&steps), "");
    }

    #[test]
    fn what_was_seen_is_nothing_new_unless_something_was_changed() {
        let seen: Vec<Step> = (0..4).map(|n| look(n, true)).collect();
        assert_eq!(last_of(&seen), "nudge 4");
        let after_edits: Vec<Step> = (0..9).flat_map(|n| [edit(10 + n), look(n, true)]).collect();
        assert_eq!(last_of(&after_edits), "");
    }

    #[test]
    fn a_short_check_that_says_the_same_after_each_edit_may_say_that_all_is_well() {
        let mut check = example::step(1, 1);
        check.result.is_short = true;
        let steps: Vec<Step> = (0..9).flat_map(|n| [edit(10 + n), check]).collect();
        assert_eq!(last_of(&steps), "");
        let other = failure(50);
        let steps: Vec<Step> = (0..4).flat_map(|_| [other, check]).collect();
        assert_eq!(told(&mut rule(), &steps)[5], "nudge 4");
    }

    #[test]
    fn after_a_change_eight_reads_may_show_what_was_seen() {
        let mut steps = vec![edit(70)];
        steps.extend((0..11).map(|n| look(n, true)));
        assert_eq!(last_of(&steps), "");
        steps.push(look(11, true));
        assert_eq!(last_of(&steps), "nudge 4");
    }

    #[test]
    fn a_new_result_takes_two_old_ones_back() {
        let mut steps: Vec<Step> = (0..3).map(|n| look(n, true)).collect();
        steps.push(look(50, false));
        steps.extend([look(3, true), look(4, true)]);
        assert_eq!(last_of(&steps), "");
        steps.push(look(5, true));
        assert_eq!(last_of(&steps), "nudge 4");
    }

    #[test]
    fn waits_notes_acknowledgements_and_short_answers_count_neither_way() {
        let mut wait = example::step(60, 60);
        wait.call.waits = true;
        let mut note = example::step(61, 61);
        note.call.is_note = true;
        let mut short = example::step(62, 0);
        short.result.is_short = true;
        for between in [wait, note, edit(64)] {
            let steps: Vec<Step> = (0..5).flat_map(|n| [failure(n), between]).collect();
            let told = told(&mut rule(), &steps[..9]);
            assert_eq!(told[8], "nudge 4", "{between:?}");
        }
        let other_failure = |n| {
            let mut step = failure(20 + n);
            step.result.outline = Some(20 + n);
            step
        };
        let steps: Vec<Step> = (0..5)
            .flat_map(|n| [failure(n), other_failure(n)])
            .collect();
        assert_eq!(last_of(&steps[..9]), "nudge 4");
        let answers: Vec<Step> = (0..9)
            .map(|n| Step {
                call: example::step(n, n).call,
                ..short
            })
            .collect();
        assert_eq!(last_of(&answers), "");
    }

    #[test]
    fn another_file_may_hold_the_same() {
        let read = |call, path| {
            let mut step = look(call, true);
            step.call.path = Some(path);
            step
        };
        let files: Vec<Step> = (0..9).map(|n| read(n, n)).collect();
        assert_eq!(last_of(&files), "");
        let one_file: Vec<Step> = (0..5).map(|n| read(n, 1)).collect();
        assert_eq!(last_of(&one_file), "nudge 4");
    }

    #[test]
    fn old_results_of_one_request_count_once() {
        let mut rule = rule();
        let mut history = History::default();
        for index in 0..9 {
            let mut step = failure(index);
            step.call.index = index;
            step.call.request = 1;
            history.push(step);
            assert_eq!(rule.at_result(&step, &mut history), None);
        }
    }
}
