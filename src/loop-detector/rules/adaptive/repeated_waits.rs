//! Finds: 10 identical calls in a row that wait or move on, with the same result; 20 that pause by themselves or come
//! after a pause, by turns or not, unless they say that it still goes on, 5 that fail; a stop at 15, or 30, 8.
//! In Chinese: 连续 10 次相同的等待或翻页，结果也相同；调用本身会停顿、或在停顿之后轮流查询，且没有说还在进行的 20 次，失败的 5 次；停止：15 次；30 次、8 次。
//! Must not find: polling that gets somewhere; a page that is scrolled down; longer and longer pauses until a service
//! answers.
//! The number: 10; a silent build is asked 6 to 8 times in healthy sessions. Twice as often where each call
//! pauses by itself, since remote checks take a quarter of an hour, but for what says of a process that nothing has come,
//! which no healthy session of 3,062 in sets A to D hears 10 times. Half as often where it fails,
//! since an element that is gone does not come by clicking. From 8 to 20 the number finds the same loops of sets A and B.

use serde::{Deserialize, Serialize};

use super::features::Step;
use super::finding::Finding;
use super::history::History;
use super::run::{Limit, Run};
use super::step_rule::{StepRule, StepRuleInfo};
use crate::report::LoopType;
use crate::rules::RunUnderWay;

#[derive(Clone, Default, Serialize, Deserialize)]
pub(super) struct RepeatedWaits {
    run: Run,
    /// The numbers of times that the last call that waits may change nothing.
    limit: Limit,
    /// Whether the last step only paused, so that the next asks what has become of it.
    is_after_pause: bool,
}

/// The numbers of times that a call that waits like this one may change nothing.
fn patience(step: &Step, follows_pause: bool, limit: u64) -> Limit {
    let Step { call, result, .. } = step;
    let pauses = call.sleeps || follows_pause;
    // What says of a process each time that nothing has come has said so by itself.
    let is_told = result.goes_on && !(follows_pause || call.sleeps && call.runs_command);
    match (pauses && !is_told, result.failed && !is_told) {
        (true, _) => Limit::of_waits(limit.saturating_mul(2)),
        (false, true) => Limit::of_waits(limit.div_ceil(2)),
        (false, false) => Limit::of_waits(limit),
    }
}

pub(super) const INFO: StepRuleInfo = StepRuleInfo {
    usual: 10,
    loop_type: LoopType::ConsecutiveIdenticalToolCalls,
    message: "{call} was called {count} times in a row and nothing changed{answer}.",
    feedback: "You seem to be stuck: {message} Wait once, for longer, or find out what it waits for.",
    ..StepRuleInfo::USUAL
};

impl StepRule for RepeatedWaits {
    fn at_result(&mut self, step: &Step, history: &mut History, limit: u64) -> Option<Finding> {
        if step.call.is_note {
            return None;
        }
        let follows_pause = std::mem::replace(&mut self.is_after_pause, step.is_mere_pause());
        if step.is_mere_pause() && self.run.key() != step.key && self.run.count() > 0 {
            // It counts with what is asked after it.
            return None;
        }
        let run = &mut self.run;
        let before = || history.newest_first().skip(1);
        let is_of_tool = |other: &&Step| other.call.waits && other.call.tool == step.call.tool;
        // However it is asked for, what goes on has come no further.
        let goes_on = step.result.goes_on
            && before()
                .take_while(is_of_tool)
                .any(|other| other.result.text == step.result.text);
        let has_come_before = || before().any(|other| other.key == step.key);
        let key = if !step.call.waits && !follows_pause {
            if run.count() > 1 && !step.call.edits && has_come_before() {
                // Asked beside the rest, with the same answer as ever.
                return None;
            }
            None
        } else if goes_on || (step.call.sleeps || follows_pause) && has_come_before() {
            run.key().or(step.key)
        } else {
            step.key
        };
        run.add(key, &step.call);
        let limit = patience(step, follows_pause, limit);
        // Of steps that differ, the most patient counts.
        self.limit = match self.run.count() > 1 {
            true => self.limit.later(limit),
            false => limit,
        };
        history.judge_repeats(&mut self.run, step, self.limit)
    }

    fn under_way(&self, _: u64) -> Option<RunUnderWay> {
        Some(self.run.under_way(self.limit))
    }
}

#[cfg(test)]
mod tests {
    use super::super::example::{self, Rule, told};
    use super::super::features::CallFeatures;
    use super::*;

    fn rule() -> Rule {
        example::rule("repeated_waits", 4)
    }

    fn wait(result: u64) -> Step {
        let mut step = example::step(1, result);
        step.call.waits = true;
        step
    }

    #[test]
    fn waiting_in_vain_is_told_of_and_stopped() {
        let steps = vec![wait(1); 6];
        let expected = ["", "", "", "nudge 4", "", "stop 6"];
        assert_eq!(told(&mut rule(), &steps), expected);
    }

    #[test]
    fn a_pause_is_waited_for_longer_and_a_failure_shorter() {
        let mut pause = wait(1);
        pause.call.sleeps = true;
        let expected = ["", "", "", "", "", "", "", "nudge 8", "", "", "", "stop 12"];
        assert_eq!(told(&mut rule(), &[pause; 12]), expected);
        let mut failure = wait(1);
        failure.result.failed = true;
        let expected = ["", "nudge 2", "", "stop 4"];
        assert_eq!(told(&mut rule(), &[failure; 4]), expected);
    }

    #[test]
    fn the_run_under_way_goes_to_the_number_of_such_a_call() {
        let mut pause = wait(1);
        pause.call.sleeps = true;
        let mut failure = wait(1);
        failure.result.failed = true;
        for (step, threshold) in [(wait(1), 4), (pause, 8), (failure, 2)] {
            let mut rule = rule();
            assert_eq!(told(&mut rule, &[step]), [""]);
            let expected = RunUnderWay {
                count: 1,
                threshold,
            };
            assert_eq!(rule.rule.under_way(rule.limit), Some(expected));
        }
    }

    #[test]
    fn what_goes_on_has_come_no_further_however_it_is_asked_for() {
        let ask = |call, result, goes_on| {
            let mut step = wait(result);
            step.call.call = Some(call);
            step.result.goes_on = goes_on;
            Step::new(step.call, step.result, 0, true)
        };
        let steps: Vec<Step> = (0..12).map(|call| ask(call, 1, true)).collect();
        const STOPS: [&str; 6] = [
            "stop 7", "stop 8", "stop 9", "stop 10", "stop 11", "stop 12",
        ];
        let mut expected = [""; 12];
        expected[3] = "nudge 4";
        expected[5] = "stop 6";
        expected[6..12].copy_from_slice(&STOPS);
        assert_eq!(told(&mut rule(), &steps), expected);
        let other_keys: Vec<Step> = (0..6).map(|call| ask(call, 1, false)).collect();
        assert_eq!(told(&mut rule(), &other_keys), [""; 6]);
        let gets_on: Vec<Step> = (0..6).map(|call| ask(call, call, true)).collect();
        assert_eq!(told(&mut rule(), &gets_on), [""; 6]);
    }

    #[test]
    fn what_is_asked_by_turns_after_pauses_counts_together() {
        let pause = |seconds| {
            let mut step = example::step(seconds, 90);
            step.call.sleeps = true;
            step.result.is_short = true;
            Step::new(
                CallFeatures {
                    waits: true,
                    ..step.call
                },
                step.result,
                0,
                true,
            )
        };
        let turns: Vec<Step> = (0..10)
            .flat_map(|at| [pause(70 + at % 2), example::step(1 + at % 2, 1 + at % 2)])
            .collect();
        let mut expected = [""; 20];
        expected[17] = "nudge 8";
        assert_eq!(told(&mut rule(), &turns), expected);
        let gets_on: Vec<Step> = (0..6)
            .flat_map(|at| [pause(70), example::step(1, at)])
            .collect();
        assert_eq!(told(&mut rule(), &gets_on), [""; 12]);
    }

    #[test]
    fn a_change_and_another_call_end_the_run() {
        let change = [wait(1), wait(1), wait(1), wait(2), wait(1)];
        assert_eq!(told(&mut rule(), &change), [""; 5]);
        let other = [wait(1), wait(1), wait(1), example::step(2, 2), wait(1)];
        assert_eq!(told(&mut rule(), &other), [""; 5]);
    }
}
