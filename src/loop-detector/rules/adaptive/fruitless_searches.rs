//! Finds: 8 different searches in a row with the same result (24 of other files or folders, 4 ranges of one file), or 10
//! that say in any words that nothing was found; after an edit, and of `glob`, twice as many fruitless ones; a stop at
//! 14 (30, 10), or 16. What the model looks for is not there.
//! In Chinese: 连续 8 次不同的搜索结果相同（换了文件或文件夹的 24 次，同一文件不同范围的 4 次），或 10 次说没有找到，不管怎么说；修改之后和用 `glob` 时没找到的要加倍；停止：14 次（30 次，10 次），或 16 次。
//! Must not find: searches with results of their own; equal searches, which other rules judge; a last
//! check after an edit that nothing was overlooked; taking stock of the kinds of files; folders that hold the same.
//! The number: 8; healthy sessions have up to 5. Three times that where something was found elsewhere,
//! and for short results of commands that name something. In different words 10: in sets A and B healthy ones have 9,
//! and 5 loops of 119 are found in addition; twice that after an edit. Two healthy sessions ask for files by name 8 and
//! 12 times in vain.

use serde::{Deserialize, Serialize};

use super::features::{CallFeatures, Step};
use super::finding::{Finding, Said};
use super::history::{History, KEPT};
use super::run::{Limit, RunOfDifferentCalls};
use super::step_rule::{StepRule, StepRuleInfo};
use crate::report::LoopType;
use crate::rules::RunUnderWay;

#[derive(Clone, Default, Serialize, Deserialize)]
pub(super) struct FruitlessSearches {
    /// Searches with the same result, ...
    equal: RunOfDifferentCalls,
    /// and those that say in any words that nothing was found.
    fruitless: RunOfDifferentCalls,
    /// The number of finds after which searches are for something else than what the last edit may have overlooked.
    finds_of_check: u64,
    /// Whether the last call asks whether there are files of a kind.
    takes_stock: bool,
    /// The number of times that the last result may come.
    limit: u64,
}

/// A check after an edit finds this much at most.
const FINDS_OF_CHECK: u64 = 2;
/// Whatever was looked for, it is one run.
const FRUITLESS: u64 = 0;

impl FruitlessSearches {
    /// Nothing found after an edit may be what a last check hopes for, and many things are equal.
    fn limit_in_the_same_words(&self, step: &Step, history: &History, limit: u64) -> u64 {
        let Step { call, result, .. } = step;
        let is_elsewhere =
            || call.runs_command && result.is_short || is_about_another(call, history);
        // Whatever range is asked for, the tool gives the whole.
        let mut before = history.newest_first().skip(1);
        let is_same_path =
            |before: &Step| before.call.path.is_some() && before.call.path == call.path;
        if !result.is_fruitless && !result.is_short && before.next().is_some_and(is_same_path) {
            return limit.div_ceil(2);
        }
        let times = match (result.is_fruitless, result.failed) {
            (true, _) => 1 + u64::from(self.finds_of_check > 0 || call.takes_stock),
            (false, false) if is_elsewhere() => 3,
            (false, _) => 1,
        };
        limit.saturating_mul(times)
    }

    /// Different words weigh less than the same ones.
    fn limit_in_any_words(&self, limit: u64) -> u64 {
        let limit =
            limit.saturating_mul(1 + u64::from(self.finds_of_check > 0 || self.takes_stock));
        limit.saturating_add(limit / 4)
    }
}

/// Whether the newest call is about a thing that no call before it was about, which may well hold the same.
fn is_about_another(call: &CallFeatures, history: &History) -> bool {
    call.looks_up || history.is_elsewhere()
}

pub(super) const INFO: StepRuleInfo = StepRuleInfo {
    usual: 8,
    loop_type: LoopType::SameToolDifferentArguments,
    message: "{count} different searches in a row gave the same answer{answer}, the last of {call}.",
    feedback: "You seem to be stuck: {message} Other words for the same thing will not find it either. Ask for a part of the name, list the folder where it should be, look in another place, or tell the user what is missing.",
    ..StepRuleInfo::USUAL
};

/// Whether most of the last results are in the same words, names left out: "not found" may stand in what was found.
fn say_the_same(history: &History) -> bool {
    let (count, different) = history.different(KEPT, &|step| step.result.outline);
    different * 2 <= count
}

const NOTHING_FOUND: Said = Said {
    message: "{count} different searches in a row found nothing{answer}, the last of {call}.",
    ..INFO.said()
};

impl StepRule for FruitlessSearches {
    fn at_result(&mut self, step: &Step, history: &mut History, limit: u64) -> Option<Finding> {
        if step.is_mere_note() {
            return None;
        }
        let Step { call, result, .. } = step;
        if !call.looks {
            let is_edit = call.edits && result.acknowledges;
            self.finds_of_check = if is_edit { FINDS_OF_CHECK } else { 0 };
        } else if !(result.is_fruitless || result.is_seen) {
            self.finds_of_check = self.finds_of_check.saturating_sub(1);
        }
        self.takes_stock = call.takes_stock;
        let limit_in_any_words = self.limit_in_any_words(limit);
        self.limit = self.limit_in_the_same_words(step, history, limit);
        let Self {
            equal,
            fruitless,
            limit,
            ..
        } = self;
        equal.add(call.looks.then_some(result.text), call);
        let found_nothing = call.looks && result.is_fruitless;
        // Reading again what was read before finds nothing, and does not end the run.
        if found_nothing || !(call.looks && result.is_seen) {
            fruitless.add(found_nothing.then_some(FRUITLESS), call);
        }
        // Both may be told of at once.
        let of_equal = equal.judge(Limit::of_different(*limit));
        let of_fruitless = fruitless.judge(Limit::of_different(limit_in_any_words));
        let of_fruitless = of_fruitless
            .filter(|found| !found.is_stop || say_the_same(history))
            .map(|found| found.saying(&NOTHING_FOUND));
        // A short result that says nothing of the kind may acknowledge something, by a tool whose name misleads.
        let says_nothing_found = result.is_fruitless || result.failed || !result.is_short;
        let found = of_equal
            .filter(|found| says_nothing_found || !found.is_stop)
            .or(of_fruitless);
        let may_stop = || result.failed || !is_about_another(call, history);
        found.filter(|found| !found.is_stop || may_stop())
    }

    fn is_on_a_run(&self, _: u64) -> bool {
        self.equal.has_begun() || self.fruitless.has_begun()
    }

    fn under_way(&self, limit: u64) -> Option<RunUnderWay> {
        let any = self.limit_in_any_words(limit);
        let runs = [
            self.equal.under_way(Limit::of_different(self.limit)),
            self.fruitless.under_way(Limit::of_different(any)),
        ];
        RunUnderWay::nearest(runs.into_iter().flatten())
    }
}

#[cfg(test)]
mod tests {
    use super::super::example::{self, Rule, told};
    use super::*;

    fn rule() -> Rule {
        example::rule("fruitless_searches", 4)
    }

    fn search(call: u64, result: u64) -> Step {
        let mut step = example::step(call, result);
        step.call.looks = true;
        step
    }

    #[test]
    fn different_searches_with_one_result_are_told_of_and_stopped() {
        let steps: Vec<Step> = (0..10).map(|call| search(call, 1)).collect();
        let expected = ["", "", "", "nudge 4", "", "", "", "", "", "stop 10"];
        assert_eq!(told(&mut rule(), &steps), expected);
    }

    #[test]
    fn what_holds_words_of_nothing_found_is_told_of_and_not_stopped() {
        let found = |outline: fn(u64) -> u64| {
            let steps = (0..14).map(|call| {
                let mut step = search(call, call);
                step.result.is_fruitless = true;
                step.result.outline = Some(outline(call));
                step
            });
            let told = told(&mut rule(), &steps.collect::<Vec<Step>>());
            let said = told.into_iter().filter(|told| !told.is_empty());
            said.take(2).collect()
        };
        let in_other_words: Vec<String> = found(|call| call);
        let in_the_same_words: Vec<String> = found(|_| 1);
        assert_eq!(in_other_words, ["nudge 5"]);
        assert_eq!(in_the_same_words, ["nudge 5", "stop 11"]);
    }

    #[test]
    fn a_check_after_an_edit_may_find_nothing_until_something_else_was_found() {
        let mut edit = example::step(90, 90);
        edit.call.edits = true;
        edit.result.acknowledges = true;
        let dry = |call: u64| {
            let mut step = search(call, call);
            step.result.is_fruitless = true;
            step
        };
        let find = |call: u64| search(call, 50 + call);
        let first_told = |before: &[Step]| {
            let steps: Vec<Step> = before.iter().copied().chain((0..12).map(dry)).collect();
            let told = told(&mut rule(), &steps);
            told.iter()
                .position(|told| !told.is_empty())
                .map(|at| at - before.len())
        };
        assert_eq!(first_told(&[]), Some(4));
        assert_eq!(first_told(&[edit]), Some(9));
        assert_eq!(first_told(&[edit, find(20)]), Some(9));
        assert_eq!(first_told(&[edit, find(20), find(21)]), Some(4));
    }

    #[test]
    fn folders_with_the_same_files_may_be_three_times_as_many() {
        let by_command = |call| {
            let mut step = search(call, 1);
            step.call.runs_command = true;
            step.result.is_short = true;
            step
        };
        let by_path = |call| {
            let mut step = search(call, 1);
            step.call.path = Some(call);
            step
        };
        for steps in [
            (0..12).map(by_command).collect::<Vec<Step>>(),
            (0..12).map(by_path).collect(),
        ] {
            let told = told(&mut rule(), &steps);
            assert_eq!(told[11], "nudge 12");
            assert!(told[..11].iter().all(String::is_empty), "{told:?}");
        }
        let by_name = |call| {
            let mut step = search(call, 1);
            step.call.looks_up = true;
            step
        };
        let steps: Vec<Step> = (0..40).map(by_name).collect();
        assert_eq!(
            told(&mut rule(), &steps)
                .iter()
                .position(|told| !told.is_empty()),
            Some(11)
        );
        // One file in other ranges is one place, and what fails or finds nothing shows no files.
        let of_one_file: Vec<Step> = (0..4)
            .map(|call| {
                let mut step = search(call, 1);
                step.call.path = Some(1);
                step
            })
            .collect();
        assert_eq!(told(&mut rule(), &of_one_file)[1], "nudge 2");
        for failed in [true, false] {
            let steps: Vec<Step> = (0..4)
                .map(|call| {
                    let mut step = by_path(call);
                    step.result.failed = failed;
                    step.result.is_fruitless = !failed;
                    step
                })
                .collect();
            assert_eq!(told(&mut rule(), &steps)[3], "nudge 4");
        }
    }

    #[test]
    fn empty_folders_are_told_of_and_not_stopped() {
        let empty = |call, path| {
            let mut step = search(call, 1);
            step.call.path = path;
            step.result.is_fruitless = true;
            step
        };
        for (path, last) in [(None, "stop 10"), (Some(7), "stop 10")] {
            let steps: Vec<Step> = (0..10).map(|call| empty(call, path)).collect();
            assert_eq!(told(&mut rule(), &steps)[9], last);
        }
        let steps: Vec<Step> = (0..20).map(|call| empty(call, Some(call))).collect();
        let told = told(&mut rule(), &steps);
        assert_eq!(told[3], "nudge 4");
        assert!(
            told.iter().all(|told| !told.starts_with("stop")),
            "{told:?}"
        );
    }

    #[test]
    fn another_result_and_other_work_end_the_run() {
        for end in [search(7, 2), example::step(7, 1)] {
            let steps = [search(1, 1), search(2, 1), search(3, 1), end, search(4, 1)];
            assert_eq!(told(&mut rule(), &steps), [""; 5]);
        }
    }

    #[test]
    fn reading_what_was_read_does_not_end_a_run_of_those_that_find_nothing() {
        let fruitless = |call| {
            let mut step = search(call, call);
            step.result.is_fruitless = true;
            step
        };
        let mut read = search(50, 50);
        for (is_seen, last) in [(true, "nudge 5"), (false, "")] {
            read.result.is_seen = is_seen;
            let steps = [
                fruitless(1),
                fruitless(2),
                read,
                fruitless(3),
                fruitless(4),
                fruitless(5),
            ];
            assert_eq!(told(&mut rule(), &steps)[5], last);
        }
    }

    #[test]
    fn a_note_in_between_does_not_matter() {
        let mut note = example::step(9, 9);
        note.call.is_note = true;
        let steps = [search(1, 1), search(2, 1), note, search(3, 1), search(4, 1)];
        assert_eq!(told(&mut rule(), &steps), ["", "", "", "", "nudge 4"]);
    }
}
