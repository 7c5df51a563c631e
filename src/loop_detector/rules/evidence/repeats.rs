//! The rules over what comes in a row. Each counts a run and says what goes on with it.

use super::run::{COUNT, DIFFERS, FIRST, NUDGED, add};
use super::step::*;
use super::{
    EQUAL_ERRORS, Evidence, FRUITLESS_SEARCHES, IS_APPLIED, NOTES, REPEATED_EDITS,
    REPEATED_RESULTS, REPEATED_WAITS, REWRITTEN, SIMILAR_RESULTS,
};

impl Evidence {
    /// The same edit, whatever it answers: a file that grows each time, or does not change. Judged when
    /// it is called for. While it is applied, looking in between does not matter; one that was refused
    /// may be sent again after a look.
    pub(super) fn repeated_edits(&mut self, step: &Step) {
        let goes_on = has(step, LOOKS) && self.numbers[IS_APPLIED] != 0;
        if !has(step, IS_NOTE) && !goes_on {
            self.count(REPEATED_EDITS, has(step, EDITS), step[EXACT], step);
        }
    }

    /// One file written whole again and again, as when an output limit cuts it off. Looking and talking
    /// in between do not matter.
    pub(super) fn rewrites(&mut self, step: &Step) {
        if !has(step, IS_NOTE | LOOKS) {
            self.count(REWRITTEN, has(step, REWRITES), step[PATH], step);
        }
    }

    /// The same call with the same answer: nothing new comes of it. An answer in which only numbers
    /// move may be progress, so it may come more often; and what waits, even unchanged. Notes have a run
    /// of their own, so that thinking between two calls does not part them.
    pub(super) fn repeated_results(&mut self, step: &Step) {
        let is_note = has(step, IS_NOTE);
        let is_wait = has(step, WAITS);
        let place = if is_note { NOTES } else { REPEATED_RESULTS };
        let rule = match is_wait {
            true => REPEATED_WAITS,
            false => REPEATED_RESULTS,
        };
        let run = &mut self.runs[place];
        add(run, step[KEY], step, false);
        let count = run[COUNT];
        let mut found = false;
        if run[NUDGED] == 0 && count == self.limits[rule] && self.told.contains(&step[KEY]) {
            // The model goes back to it.
            let first = run[FIRST];
            found = true;
            self.find(rule, true, count, [count, first, 0]);
        } else if self.judge(place, rule) {
            found = true;
            self.tell(step[KEY]);
        }
        if is_note && step[KEY] != 0 {
            return;
        }
        let similar = &mut self.runs[SIMILAR_RESULTS];
        add(similar, bit(!is_wait, step[WIDE]), step, false);
        similar[NUDGED] |= u64::from(found);
        if !found && similar[COUNT] > count {
            self.judge(SIMILAR_RESULTS, SIMILAR_RESULTS);
        }
    }

    /// One answer to different calls: the same short error, of a tool that fails whatever it is asked,
    /// where a search that finds nothing is no error; searches that find nothing new.
    pub(super) fn repeated_answers(&mut self, step: &Step) {
        let searches = has(step, LOOKS);
        let fails = has(step, FAILED) && !has(step, EMPTY) && !(searches && has(step, DRY));
        self.count(EQUAL_ERRORS, fails, step[ANSWER], step);
        self.count(FRUITLESS_SEARCHES, searches, step[NEAR], step);
    }

    /// A rule whose run goes on with a step that holds something, and is broken by any other. Of those
    /// over answers to different calls, a batch counts once.
    #[inline(never)]
    fn count(&mut self, rule: usize, holds: bool, key: u64, step: &Step) {
        let is_answer = rule >= EQUAL_ERRORS;
        let run = &mut self.runs[rule];
        add(run, bit(holds, key), step, is_answer);
        if !is_answer || run[DIFFERS] != 0 {
            self.judge(rule, rule);
        }
    }
}
