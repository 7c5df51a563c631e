//! Finds: 3 identical calls in a row with the same result, 2 with the same words of the model before them, 6 that say
//! hardly more than that they were made ("Clicked Next"), 6 whose results are seven tenths alike (12 short ones); 5 within
//! 20 with others in between; a stop at 5, or 8, 18; never. They bring nothing new.
//! In Chinese: 连续 3 次相同的调用，结果也相同，模型在前面说的话也相同的 2 次；只说做了（“Clicked Next”）的 6 次；结果有七成相似的 6 次（短的 12 次）；20 次之内、中间有别的调用的 5 次；停止：5 次，或 8 次、18 次；从不。
//! Must not find: another result of the same call, which is progress, and so is a number that moves one way, a list that
//! grows, a state that changes once; calls that wait; a button that leads on a few times; what is run again because
//! something was changed.
//! The number: 3, at which 1 of 1,404 recorded sessions without a loop was hit. Who says the same, does the same and gets
//! the same does not see that it was done: no healthy session of 3,062 in sets A to D has that twice, and 28 of 239 loops
//! have. What the user asked to repeat is announced alike, too, and takes all that it was asked for. 5 within 20 steps is
//! one more than healthy sessions have.

use serde::{Deserialize, Serialize};

use super::features::{CallFeatures, Step};
use super::finding::{Finding, Said};
use super::history::History;
use super::run::{Limit, Run};
use super::step_rule::{StepRule, StepRuleInfo};
use crate::report::LoopType;
use crate::rules::RunUnderWay;

#[derive(Clone, Default, Serialize, Deserialize)]
pub(super) struct RepeatedResults {
    run: Run,
    /// Notes have a run of their own, so that thinking between two calls does not part them.
    notes: Run,
    /// Calls whose results are alike.
    alike: Run,
    /// Whether the last result is too short to say much by being alike.
    says_little: bool,
    /// The last result without numbers.
    without_numbers: u64,
    /// Whether the last result says hardly more than that something was done.
    is_weak: bool,
    /// The words before the last call, 0 if there were none.
    said: u32,
    /// Whether the second call of a run was announced as the first.
    is_said_again: bool,
    /// The last steps that went on by one, that waited, and that waited or changed something in a new way, 0 for none:
    /// what is run after them may be about another thing.
    moved_at: u64,
    waited_at: u64,
    changed_at: u64,
}

pub(super) const INFO: StepRuleInfo = StepRuleInfo {
    usual: 3,
    loop_type: LoopType::ConsecutiveIdenticalToolCalls,
    message: "{call} was called {count} times in a row with the same arguments and gave the same answer{answer}.",
    needs_every_result: false,
    ..StepRuleInfo::USUAL
};

const ALIKE: Said = Said {
    message: "{call} was called {count} times in a row with the same arguments and gave nearly the same answer{answer}.",
    ..INFO.said()
};

const SCATTERED: Said = Said {
    loop_type: LoopType::RepeatedToolCycle,
    message: "{call} was called {count} times with the same arguments and gave the same answer, with other calls in between{answer}.",
    feedback: "You seem to be stuck: {message} The answer has not changed. Use what it says, write down what matters of it, and look at something that you have not seen.",
};

/// The limit of repeats with others in between; what was asked for several times takes no more.
fn limit_of_scattered(limit: u64) -> u64 {
    let usual = INFO.usual + 2;
    limit.saturating_add(2).min(limit.max(usual))
}

impl RepeatedResults {
    /// A click that was made may have led on, so that it takes twice as many. The stop comes no sooner for the words.
    fn limit(&self, limit: u64) -> Limit {
        let usual = self.limit_of_notes(limit);
        match self.is_said_again && !self.is_weak && limit == INFO.usual {
            true => Limit {
                nudge: usual.nudge - 1,
                patience: usual.patience + 1,
            },
            false => usual,
        }
    }

    /// The same for notes, of which the words before them say nothing.
    fn limit_of_notes(&self, limit: u64) -> Limit {
        Limit::of_identical(limit.saturating_mul(1 + u64::from(self.is_weak)))
    }

    /// What is only alike may yet differ in what matters.
    fn limit_of_alike(&self, limit: u64) -> Limit {
        let times = 2 + 2 * u64::from(self.says_little);
        Limit {
            nudge: limit.saturating_mul(times),
            patience: limit.saturating_mul(4),
        }
    }

    /// Repeats within the last steps, with others in between.
    fn scattered(&mut self, step: &Step, history: &mut History, limit: u64) -> Option<Finding> {
        let Step { call, result, .. } = step;
        let pauses = call.waits && !call.moves;
        if pauses {
            self.waited_at = step.number;
        }
        if pauses || result.acknowledges && step.is_new {
            self.changed_at = step.number;
        }
        let is_other =
            |other: &&Step| other.call.call == call.call && other.result.text != result.text;
        let other = history.newest_first().find(is_other);
        if call.runs_command && !call.looks && !result.failed && other.is_some() {
            // It goes on by one, as `git bisect` does, and what is run after it is about another thing.
            self.moved_at = step.number;
        }
        let key = step.key?;
        let says_nothing = call.edits || call.waits || result.acknowledges || step.is_weak();
        if says_nothing || step.is_mere_note() || history.was_told_of(key) {
            return None;
        }
        // A change is a reason to run something again, but none to read it or to fail again.
        let since = match (call.looks, result.failed) {
            (true, _) => self.waited_at,
            (false, true) => self.waited_at.max(self.moved_at),
            (false, false) => self.changed_at.max(self.moved_at),
        };
        // A call that gave another answer in between may give another again.
        let since = since.max(other.map_or(0, |other| other.number));
        // Calls of one request count once.
        let (mut count, mut last_request, mut first) = (0, None, call.index);
        for repeat in history.newest_first() {
            if repeat.key == Some(key) && repeat.number > since {
                let request = Some(repeat.call.request);
                count += u64::from(last_request != request);
                last_request = request;
                first = repeat.call.index;
            }
        }
        if count < limit {
            return None;
        }
        history.set_told_of(key);
        let found = Finding::nudge(limit, count, first).saying(&SCATTERED);
        found.if_mere_hint()
    }
}

impl StepRule for RepeatedResults {
    fn at_call(&mut self, call: &CallFeatures, _: u64) -> Option<Finding> {
        let is_same = call.said != 0 && call.said == self.said;
        self.is_said_again = is_same && self.run.count() == 1;
        self.said = call.said;
        None
    }

    /// A result in which only numbers change may be progress, and so is more than the same one.
    fn at_result(&mut self, step: &Step, history: &mut History, limit: u64) -> Option<Finding> {
        self.is_weak = step.is_weak();
        let without_numbers = step.result.text_without_numbers;
        let differs_in_numbers =
            std::mem::replace(&mut self.without_numbers, without_numbers) == without_numbers;
        // The numbers of a command's result may be what it is run for.
        let may_measure = differs_in_numbers
            && step.call.runs_command
            && !step.call.looks
            && step.key != self.run.key();
        self.says_little = step.result.has_few_words;
        self.is_said_again &= !step.key.is_some_and(|key| history.was_told_of(key));
        let of_notes = self.limit_of_notes(limit);
        let mut usual = self.limit(limit);
        if step.result.ages {
            // What is watched goes on meanwhile.
            usual = usual.later(Limit {
                patience: Limit::of_waits(history.waits).stop() - usual.nudge.min(history.waits),
                ..usual
            });
        }
        let of_alike = self.limit_of_alike(limit);
        let key = if step.call.waits { None } else { step.key };
        if step.call.is_note {
            self.notes.add(key, &step.call);
            return history.judge_repeats(&mut self.notes, step, of_notes);
        }
        self.notes = Run::default();
        self.run.add(key, &step.call);
        let says_much = key.is_some() && !step.is_weak() && !step.call.edits;
        let alike = step
            .alike
            .filter(|_| says_much && !may_measure && !step.result.acknowledges);
        self.alike.add(alike, &step.call);
        let found = history.judge_repeats(&mut self.run, step, usual);
        if self.run.was_nudged() {
            self.alike.set_nudged();
        }
        let scattered = self.scattered(step, history, limit_of_scattered(limit));
        let alike = self
            .alike
            .judge(of_alike)
            .filter(|_| self.run.count() < usual.nudge);
        found
            .or(alike.map(|found| Finding {
                is_mere_hint: !found.is_stop,
                ..found.saying(&ALIKE)
            }))
            .or(scattered)
    }

    fn at_missing_result(&mut self) {
        self.run = Run::default();
        self.notes = Run::default();
        self.alike = Run::default();
        self.is_said_again = false;
    }

    fn under_way(&self, limit: u64) -> Option<RunUnderWay> {
        let runs = [
            self.run.under_way(self.limit(limit)),
            self.notes.under_way(self.limit_of_notes(limit)),
            self.alike.under_way(self.limit_of_alike(limit)),
        ];
        RunUnderWay::nearest(runs.into_iter())
    }
}

#[cfg(test)]
mod tests {
    use super::super::example::{self, Rule, step, told};
    use super::*;

    fn rule() -> Rule {
        example::rule("repeated_results", 3)
    }

    #[test]
    fn the_same_call_with_the_same_result_is_told_of_and_stopped() {
        let expected = ["", "", "nudge 3", "", "stop 5"];
        assert_eq!(told(&mut rule(), &vec![step(1, 1); 5]), expected);
    }

    #[test]
    fn the_same_words_before_it_are_told_of_sooner_and_stopped_no_sooner() {
        let mut said = step(1, 1);
        said.call.said = 7;
        let expected = ["", "nudge 2", "", "", "stop 5"];
        assert_eq!(told(&mut rule(), &[said; 5]), expected);
        let mut other = said;
        other.call.said = 8;
        assert_eq!(told(&mut rule(), &[said, other]), ["", ""]);
        // More was asked for.
        let mut raised = example::rule("repeated_results", 4);
        assert_eq!(told(&mut raised, &[said; 4]), ["", "", "", "nudge 4"]);
    }

    #[test]
    fn another_result_is_progress() {
        let steps = [step(1, 1), step(1, 1), step(1, 2), step(1, 1), step(1, 1)];
        assert_eq!(told(&mut rule(), &steps), [""; 5]);
    }

    #[test]
    fn going_back_to_what_was_told_of_is_a_stop_without_another_nudge() {
        let mut steps = vec![step(1, 1); 3];
        steps.push(step(2, 2));
        steps.extend(vec![step(1, 1); 3]);
        let expected = ["", "", "nudge 3", "", "", "", "stop 3"];
        assert_eq!(told(&mut rule(), &steps), expected);
    }

    #[test]
    fn notes_part_nothing_and_may_repeat_themselves() {
        let mut note = step(9, 9);
        note.call.is_note = true;
        let steps = [step(1, 1), note, step(1, 1), note, step(1, 1)];
        assert_eq!(told(&mut rule(), &steps), ["", "", "", "", "nudge 3"]);
        assert_eq!(told(&mut rule(), &vec![note; 3]), ["", "", "nudge 3"]);
    }

    #[test]
    fn a_missing_result_ends_the_run() {
        let mut rule = rule();
        assert_eq!(told(&mut rule, &[step(1, 1), step(1, 1)]), ["", ""]);
        rule.at_missing_result();
        assert_eq!(told(&mut rule, &[step(1, 1)]), [""]);
    }

    #[test]
    fn repeats_with_others_in_between_are_told_of_once() {
        let steps: Vec<Step> = (2..10)
            .flat_map(|other| [step(1, 1), step(other, 2)])
            .collect();
        let told = told(&mut rule(), &steps);
        assert_eq!(told[8], "nudge 5");
        assert_eq!(told.iter().filter(|told| !told.is_empty()).count(), 1);
    }

    #[test]
    fn what_is_run_again_after_a_change_is_not_counted_on() {
        let edit = |what| {
            let mut edit = step(what, 2);
            edit.call.edits = true;
            edit.result.acknowledges = true;
            edit
        };
        let steps: Vec<Step> = (2..9).flat_map(|other| [step(1, 1), edit(other)]).collect();
        assert_eq!(told(&mut rule(), &steps), [""; 14]);
        // But to read what was read before is nothing new.
        let mut look = step(1, 1);
        look.call.looks = true;
        let steps: Vec<Step> = (2..9).flat_map(|other| [look, edit(other)]).collect();
        assert_eq!(told(&mut rule(), &steps)[8], "nudge 5");
    }

    #[test]
    fn what_is_run_after_a_step_of_a_bisection_is_about_another_thing() {
        let bisect = |answer| {
            let mut bisect = step(2, answer);
            bisect.call.runs_command = true;
            bisect
        };
        let mut fails = step(1, 1);
        fails.result.failed = true;
        let steps: Vec<Step> = (10..18).flat_map(|at| [fails, bisect(at)]).collect();
        assert_eq!(told(&mut rule(), &steps), [""; 16]);
    }

    #[test]
    fn what_gave_another_answer_in_between_may_give_another_again() {
        let steps = [step(1, 1), step(1, 1), step(1, 2)].repeat(4);
        assert_eq!(told(&mut rule(), &steps), [""; 12]);
    }

    #[test]
    fn results_that_are_alike_are_told_of_later() {
        let alike = |result, has_few_words| {
            let mut step = step(1, result);
            step.alike = Some(7);
            step.result.has_few_words = has_few_words;
            step
        };
        for (is_short, nudge, stop) in [(false, 5, 17), (true, 11, 23)] {
            let steps: Vec<Step> = (0..24).map(|result| alike(result, is_short)).collect();
            let told = told(&mut rule(), &steps);
            assert!(
                told[nudge].starts_with("nudge") && told[stop].starts_with("stop"),
                "{told:?}"
            );
            assert_eq!(told[..nudge], vec![""; nudge]);
        }
        let other: Vec<Step> = (0..24).map(|result| step(1, result)).collect();
        assert_eq!(told(&mut rule(), &other), [""; 24]);
    }
}
