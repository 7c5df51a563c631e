//! Finds: 3 identical edits in a row, whatever their results, or 4 identical acts such as sending a message; 3 edits that
//! come again as they were refused, or as they were made before others; 8 refused edits in a row with nothing in between
//! but reading and what fails, 5 that are refused in the same words; a stop at 6, or 8; 9; 14, or 11.
//! In Chinese: 连续 3 次相同的修改，不管结果如何，或 4 次相同的动作，如发消息；3 次修改在被拒绝之后，或在做过别的修改之后，原样重来；连续 8 次被拒绝的修改，中间只有读取和失败的调用，以同样的措辞被拒绝的 5 次；停止：6 次，或 8 次；9 次；14 次，或 11 次。
//! Must not find: an edit that is sent again after a look at the file because it was refused; edits that differ, be it in
//! white space; an edit that is refused and then made in another way; an edit that is made, taken back and made once
//! more; edits of one request.
//! The number: 3, one more than healthy sessions have; an act may be tried once more, and no healthy session of 3,138
//! has 4. Of edits that come again with others in between, 3 healthy sessions of 1,469 have 2 and none 3. Healthy ones get
//! out of up to 7 refusals, and have 3 in the same words.

use serde::{Deserialize, Serialize};

use super::features::{CallFeatures, Step};
use super::finding::{Finding, Said};
use super::history::History;
use super::run::{Limit, Run};
use super::step_rule::{StepRule, StepRuleInfo};
use crate::report::LoopType;
use crate::rules::RunUnderWay;

/// Whatever comes again or is refused, it is one run.
const ANY: u64 = 0;

#[derive(Clone, Default, Serialize, Deserialize)]
pub(super) struct RepeatedEdits {
    /// Identical edits.
    run: Run,
    /// Whether the last edit was carried out.
    was_applied: bool,
    /// Whether the run is of acts on the world.
    acts: bool,
    /// The last receipt of an act, but for its numbers.
    receipt: u64,
    /// Identical calls that are answered by receipts.
    receipts: Run,
    /// Edits that are refused in any words, ...
    refused: Run,
    /// in the same ones, ...
    refused_alike: Run,
    /// and as they were refused before.
    resent: Run,
    /// Edits that were made as before, and undone or overwritten since.
    remade: Run,
    /// The number of the last step that changed something; refusals before it do not count.
    changed_at: u64,
    /// The last edit that was made.
    last_made: Option<u64>,
}

pub(super) const INFO: StepRuleInfo = StepRuleInfo {
    usual: 3,
    loop_type: LoopType::ConsecutiveIdenticalToolCalls,
    message: "{call} was called {count} times in a row to do the same.",
    feedback: "You seem to be stuck: {message} It is done, or will not be. Look at what there is now, then go on with what is still missing.",
    // The calls alone say it.
    needs_every_result: false,
    ..StepRuleInfo::USUAL
};

const REFUSED: Said = Said {
    loop_type: LoopType::RepeatedError,
    message: "{count} edits in a row were refused, the last of {call}{answer}.",
    feedback: "You seem to be stuck: {message} Read the refusal and the lines of the file as they are now, make a smaller edit, or write the file anew.",
};

const CAME_AGAIN: Said = Said {
    loop_type: LoopType::RepeatedToolCycle,
    message: "{count} times an edit came again as it had come before, the last of {call}{answer}.",
    feedback: "You seem to be stuck: {message} What was refused will be refused again, and what was made and undone will do no better. Read the lines of the file as they are now, and find out why the last attempt was not enough.",
};

impl RepeatedEdits {
    fn limit(&self, limit: u64) -> Limit {
        match self.acts {
            true => limit_of_acts(limit),
            false => Limit::of_edits(limit),
        }
    }

    /// An edit that was refused.
    fn refuses(&mut self, step: &Step, history: &History, limit: u64) -> Option<Finding> {
        let Step { call, result, .. } = step;
        self.refused.add(Some(ANY), call);
        self.refused_alike
            .add(Some(result.text_without_numbers), call);
        let was_refused = |other: &Step| {
            other.result.refuses_edit
                && other.number > self.changed_at
                && other.number < step.number
                && other.call.request != call.request
                && other.call.exact == call.exact
        };
        let mut found = None;
        if call.exact.is_some() && history.newest_first().any(was_refused) {
            self.resent.add(Some(ANY), call);
            let again = self.resent.judge(Limit::of_different(limit));
            found = again.map(|found| found.saying(&CAME_AGAIN));
        }
        let refused = [
            self.refused_alike.judge(limit_of_refused_alike(limit)),
            self.refused.judge(limit_of_refused(limit)),
        ];
        // The model is told once of both.
        self.refused.nudged_with(&refused[0]);
        self.refused_alike.nudged_with(&refused[1]);
        let refused = refused.into_iter().flatten();
        let all = found
            .into_iter()
            .chain(refused.map(|found| found.saying(&REFUSED)));
        // Of those that are alike, the last would be taken.
        all.rev().max_by_key(|found| found.is_stop)
    }

    /// An edit that was made.
    fn made(&mut self, step: &Step, history: &History, limit: u64) -> Option<Finding> {
        let call = &step.call;
        let came_just_before = std::mem::replace(&mut self.last_made, call.exact) == call.exact;
        if came_just_before {
            return None;
        }
        let was_made = |other: &Step| {
            other.call.exact == call.exact
                && other.number < step.number
                && other.result.acknowledges
                && other.call.request != call.request
        };
        // Without its file, an edit of one line may be of another file.
        let is_whole = call.path.is_some() || !call.edits;
        let is_again = is_whole && call.exact.is_some() && history.newest_first().any(was_made);
        self.remade.add(is_again.then_some(ANY), call);
        let found = self.remade.judge(Limit::of_different(limit));
        found.map(|found| found.saying(&CAME_AGAIN))
    }
}

/// Something may be sent once more than it is edited.
fn limit_of_acts(limit: u64) -> Limit {
    Limit {
        nudge: limit.saturating_add(1),
        patience: 4,
    }
}

/// At this many refusals in a row it speaks, ...
fn limit_of_refused(limit: u64) -> Limit {
    Limit::of_different(limit.saturating_mul(2).saturating_add(2))
}

/// and at this many in the same words.
fn limit_of_refused_alike(limit: u64) -> Limit {
    Limit::of_different(limit.saturating_add(2))
}

impl StepRule for RepeatedEdits {
    /// Judged before the edit is made once more.
    fn at_call(&mut self, call: &CallFeatures, limit: u64) -> Option<Finding> {
        // Looking at what an edit did is no reason to make it again; looking why it was refused is.
        let goes_on = call.is_note || call.looks && self.was_applied;
        if goes_on {
            return None;
        }
        self.acts = call.acts;
        let changes = call.edits || call.acts && !call.waits;
        self.run.add(call.exact.filter(|_| changes), call);
        self.run.judge(self.limit(limit))
    }

    fn at_result(&mut self, step: &Step, history: &mut History, limit: u64) -> Option<Finding> {
        let Step { call, result, .. } = step;
        let receipt = result.text_without_numbers;
        if call.acts && std::mem::replace(&mut self.receipt, receipt) != receipt {
            // Another answer than a receipt: something has changed.
            self.run = Run::default();
            self.run.add(call.exact, call);
        }
        if call.edits || call.acts {
            self.was_applied = if call.edits {
                result.acknowledges
            } else {
                !result.failed
            };
        }
        let is_receipt = result.is_receipt
            && !(call.edits || call.acts || call.looks || call.waits || call.is_note)
            && !(call.changes_shell || call.closes);
        if !call.is_note {
            self.receipts.add(call.exact.filter(|_| is_receipt), call);
        }
        if let Some(found) = self.receipts.judge(limit_of_acts(limit)) {
            return Some(found);
        }
        if result.refuses_edit {
            return self.refuses(step, history, limit);
        }
        let is_change = !call.looks && !call.is_note && !result.failed;
        if is_change {
            self.resent = Run::default();
            self.changed_at = step.number;
        }
        // Nothing else was changed by what failed.
        let fails_otherwise = result.failed && !call.may_edit && !call.edits;
        if !(call.is_note || call.looks || fails_otherwise) {
            self.refused = Run::default();
            self.refused_alike = Run::default();
        }
        match call.may_edit && result.acknowledges {
            true => self.made(step, history, limit),
            false => None,
        }
    }

    /// Nobody knows whether refusals are in a row; for the others, the edits before are what they were.
    fn at_missing_result(&mut self) {
        self.refused = Run::default();
        self.refused_alike = Run::default();
    }

    fn under_way(&self, limit: u64) -> Option<RunUnderWay> {
        let of_different = Limit::of_different(limit);
        let runs = [
            self.run.under_way(self.limit(limit)),
            self.receipts.under_way(limit_of_acts(limit)),
            self.refused.under_way(limit_of_refused(limit)),
            self.refused_alike.under_way(limit_of_refused_alike(limit)),
            self.resent.under_way(of_different),
            self.remade.under_way(of_different),
        ];
        RunUnderWay::nearest(runs.into_iter())
    }
}

#[cfg(test)]
mod tests {
    use super::super::example::{self, Rule, told};
    use super::*;

    fn rule() -> Rule {
        example::rule("repeated_edits", 3)
    }

    fn edit(what: u64) -> Step {
        let mut step = example::step(what, 0);
        step.call.edits = true;
        step.call.may_edit = true;
        step.call.path = Some(1);
        step.result.acknowledges = true;
        step
    }

    fn refused(what: u64) -> Step {
        let mut step = edit(what);
        step.result.acknowledges = false;
        step.result.refuses_edit = true;
        step
    }

    /// The same, refused in other words each time.
    fn refused_otherwise(what: u64) -> Step {
        let mut step = refused(what);
        step.result.text_without_numbers = what;
        step
    }

    #[test]
    fn the_same_edit_is_told_of_and_stopped() {
        let expected = ["", "", "nudge 3", "", "", "stop 6"];
        assert_eq!(told(&mut rule(), &vec![edit(1); 6]), expected);
    }

    #[test]
    fn another_edit_ends_the_run() {
        let steps = [edit(1), edit(1), edit(2), edit(1), edit(1)];
        assert_eq!(told(&mut rule(), &steps), [""; 5]);
    }

    #[test]
    fn looking_in_between_matters_only_after_a_refusal() {
        let mut look = example::step(9, 9);
        look.call.looks = true;
        let applied = [edit(1), look, edit(1), look, edit(1)];
        assert_eq!(told(&mut rule(), &applied), ["", "", "", "", "nudge 3"]);
        let mut refused = edit(1);
        refused.result.acknowledges = false;
        let refused = [refused, look, refused, look, refused];
        assert_eq!(told(&mut rule(), &refused), [""; 5]);
    }

    #[test]
    fn refused_edits_that_come_again_are_told_of_in_any_order() {
        let steps = [1, 2, 1, 3, 2, 1].map(refused_otherwise);
        assert_eq!(told(&mut rule(), &steps), ["", "", "", "", "", "nudge 3"]);
    }

    #[test]
    fn edits_that_undo_each_other_are_told_of() {
        let steps = [1, 2, 1, 2, 1].map(edit);
        assert_eq!(told(&mut rule(), &steps), ["", "", "", "", "nudge 3"]);
        let other = [1, 2, 1, 2, 3, 1, 2].map(edit);
        assert_eq!(told(&mut rule(), &other), [""; 7]);
    }

    #[test]
    fn after_a_change_an_edit_may_be_sent_again() {
        let steps = [
            refused(1),
            refused(2),
            refused(1),
            edit(7),
            refused(1),
            refused(2),
        ];
        assert_eq!(told(&mut rule(), &steps), [""; 6]);
    }

    #[test]
    fn refusals_are_told_of_sooner_in_the_same_words() {
        let steps: Vec<Step> = (0..8).map(refused_otherwise).collect();
        assert_eq!(told(&mut rule(), &steps)[7], "nudge 8");
        let steps: Vec<Step> = (0..11).map(refused).collect();
        let told = told(&mut rule(), &steps);
        assert_eq!((&*told[4], &*told[10]), ("nudge 5", "stop 11"));
        assert!(told[5..10].iter().all(String::is_empty));
    }

    #[test]
    fn refusals_of_one_request_and_others_around_what_was_done_are_not_in_a_row() {
        let mut history = History::default();
        let mut rule = rule();
        for index in 0..12 {
            let mut step = refused(index);
            step.call.index = index;
            step.call.request = 1;
            history.push(step);
            assert_eq!(rule.at_result(&step, &mut history), None);
        }
        let work = example::step(50, 50);
        let steps = [0, 1, 2, 3].map(refused);
        let steps = [
            &steps[..],
            &[work],
            &steps.map(|mut step| {
                step.call.exact = step.call.exact.map(|exact| exact + 10);
                step
            }),
        ]
        .concat();
        assert_eq!(
            told(&mut example::rule("repeated_edits", 3), &steps),
            [""; 9]
        );
    }
}
