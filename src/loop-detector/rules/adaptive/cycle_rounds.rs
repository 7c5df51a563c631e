//! Finds: 3 rounds of up to 15 calls with the same results, 2 of three requests or more or with the same words of the
//! model before each call; 6 of acknowledgements alone, 10 with waiting in them, 20 with a pause or of steps of a
//! debugger; twice as many of results that are only alike; a stop 2 rounds later.
//! In Chinese: 最多 15 次调用为一轮、结果相同的 3 轮，含三个以上请求的、或每次调用前模型的话也相同的 2 轮；只有确认的 6 轮，带等待的 10 轮，带停顿的或调试器单步的 20 轮；结果只是相似的加倍；停止：再过 2 轮。
//! Must not find: the same edit and test with other outcomes; rounds of waiting, or of successes that
//! are only acknowledged, before they come twice as often.
//! The number: 3 rounds, one more than healthy sessions have, and 2 of three requests or more, which no
//! healthy session of 1,469 in sets A and B has; they find 3 loops of 119 that came to an end before a third.

use serde::{Deserialize, Serialize};

use super::super::period_tracker::{Item, PeriodTracker};
use super::features::Step;
use super::finding::Finding;
use super::history::History;
use super::run::Limit;
use super::step_rule::{StepRule, StepRuleInfo};
use crate::LoopDetectorOptions;
use crate::copies::clone_by_fields;
use crate::report::LoopType;
use turnkeeper_base::options::Count;
use turnkeeper_base::text::hash::mixed;

/// `longestCycle` unless the host sets it: the longest round, in calls.
const LONGEST_ROUND: u64 = 15;
/// A round of this many calls is a long one.
const LONG_ROUND: u64 = 3;
/// One call alone is no round.
const SHORTEST_ROUND: u64 = 2;

#[derive(Default, Serialize, Deserialize)]
pub(super) struct CycleRounds {
    periods: PeriodTracker,
    /// Whether the model was nudged for the rounds that go on.
    was_nudged: bool,
    /// The longest round, in calls.
    #[serde(skip)]
    longest_round: u64,
}

clone_by_fields! { CycleRounds: periods, was_nudged, longest_round }

impl CycleRounds {
    /// The number of times that a round has to come. A long one says more than a short one, if each of
    /// its calls could have been answered by something else than the same again: they were made one
    /// after the other.
    fn rounds(&self, round: u64, history: &History, limit: u64) -> u64 {
        let fewer = limit.saturating_sub(1).max(2);
        if !is_equal(round, history) {
            // Its results are alike, which may still be different in what matters.
            return limit.saturating_mul(2);
        }
        if limit == INFO.usual && is_said_again(round, history) {
            return fewer;
        }
        if round < LONG_ROUND {
            return limit;
        }
        // From each call to the same one a round before, as many requests begin as a round has.
        let mut steps = history.newest_first().take(round as usize + 1);
        let mut last = steps.next().map(|step| step.call.request);
        let mut requests = 0;
        for step in steps {
            let request = Some(step.call.request);
            requests += u64::from(last != request);
            last = request;
        }
        match requests >= LONG_ROUND {
            true => fewer,
            false => limit,
        }
    }

    /// The shortest round that came often enough.
    fn round(&self, history: &History, limit: u64) -> Option<u64> {
        let is_often_enough = |round: &u64| {
            self.periods.covered(*round)
                >= round.saturating_mul(self.rounds(*round, history, limit))
        };
        (SHORTEST_ROUND..=self.longest_round).find(is_often_enough)
    }
}

/// Whether the model said the same before each call of the last round as a round before.
fn is_said_again(round: u64, history: &History) -> bool {
    let last = history.newest_first().take(round as usize);
    let before = history.newest_first().skip(round as usize);
    let mut rounds = last.zip(before);
    rounds.len() as u64 == round && rounds.all(|(last, before)| last.is_said_as(before))
}

/// Whether the last round is equal to the one before, and not only alike, as far as that is known.
fn is_equal(round: u64, history: &History) -> bool {
    let last = history.newest_first().take(round as usize);
    let before = history.newest_first().skip(round as usize);
    let says = |step: &Step| !step.call.edits && !step.result.acknowledges;
    last.zip(before)
        .all(|(last, before)| last.key == before.key || !says(last))
}

/// The key that a step is compared by: the call, and what its result is like. That of an edit, or of a call that is only acknowledged, is its call alone,
/// since its result says nothing, unless it was refused and does not say what it writes.
fn key(step: &Step) -> Option<u64> {
    let Step { call, result, .. } = step;
    match call.edits {
        true if result.refuses_edit => match call.rough {
            Some(rough) => Some(mixed(rough, result.text)),
            None => call.call,
        },
        true => call.call,
        false if result.acknowledges => call.call,
        false if call.waits || result.failed => step.key,
        false => step.alike.or(step.key),
    }
}

/// A key that no other step has, for one that cannot be compared.
fn unique_key(step: &Step) -> u64 {
    const UNKNOWN: u64 = 0x756e_6b6e_6f77_6e21;
    mixed(UNKNOWN, step.number)
}

pub(super) const INFO: StepRuleInfo = StepRuleInfo {
    usual: 3,
    loop_type: LoopType::RepeatedToolCycle,
    message: "the same {period} calls in a row gave the same answers {count} times, the last of {call}{answer}.",
    feedback: "You seem to be stuck: {message} Another round will give the same answers. Do something other than these calls, or say what you know and ask the user.",
    also_reads: &["longestCycle"],
    ..StepRuleInfo::USUAL
};

impl StepRule for CycleRounds {
    fn with(options: &LoopDetectorOptions) -> Self {
        let rule = Self {
            longest_round: options.longest_cycle.map_or(LONGEST_ROUND, Count::get),
            ..Self::default()
        };
        rule.fresh()
    }

    fn fresh(&self) -> Self {
        Self {
            periods: PeriodTracker::new(self.longest_round),
            was_nudged: false,
            ..*self
        }
    }

    fn going_on_from(&self, saved: Self) -> Option<Self> {
        saved.periods.validate(self.longest_round).ok()?;
        Some(Self {
            longest_round: self.longest_round,
            ..saved
        })
    }

    fn at_result(&mut self, step: &Step, history: &mut History, limit: u64) -> Option<Finding> {
        if step.is_mere_note() {
            return None;
        }
        self.periods.push(Item {
            key: key(step).unwrap_or_else(|| unique_key(step)),
            call: step.call.call.unwrap_or_default(),
            index: step.call.index,
        });
        let Some(round) = self.round(history, limit) else {
            self.was_nudged = false;
            return None;
        };
        let steps = || history.newest_first().take(round as usize);
        if steps().all(|other| key(other) == key(step)) {
            // One call again and again, which other rules judge.
            return None;
        }
        let waits = steps().any(|step| step.call.waits && !step.call.moves);
        let only_acknowledges = steps().all(|step| step.result.acknowledges && !step.call.edits);
        let sleeps = steps().any(|step| step.call.sleeps);
        let limit = match (waits, sleeps) {
            (true, true) => history.waits.saturating_mul(2),
            (true, false) => history.waits,
            // A loop of the program comes back to where it was.
            (false, _) if steps().all(|step| step.call.steps) => history.waits.saturating_mul(2),
            (false, _) if only_acknowledges => limit.saturating_mul(2),
            (false, _) => self.rounds(round, history, limit),
        };
        let is_stop = self.was_nudged;
        let limit = Limit::of_identical(limit);
        let threshold = limit.after(is_stop);
        let count = self.periods.covered(round) / round;
        if count < threshold {
            return None;
        }
        self.was_nudged = true;
        Some(Finding {
            is_stop,
            period: Some(round),
            ..Finding::nudge(threshold, count, self.periods.first_index(round))
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::example::{self, Rule, step, told};
    use super::*;
    use turnkeeper_base::snapshot::Corrupt;

    fn rule() -> Rule {
        example::rule_with(
            "cycle_rounds",
            json!({ "cycleRounds": 3, "longestCycle": 4 }),
        )
    }

    /// The places, from 1, of what was told.
    fn places(steps: &[Step]) -> Vec<(usize, String)> {
        let told = told(&mut rule(), steps).into_iter();
        let told = told.enumerate().map(|(at, told)| (at + 1, told));
        told.filter(|(_, told)| !told.is_empty()).collect()
    }

    #[test]
    fn rounds_are_told_of_and_stopped() {
        let steps = [step(1, 1), step(2, 2), step(3, 3)].repeat(4);
        let expected = [(6, "nudge 2".to_owned()), (12, "stop 4".to_owned())];
        assert_eq!(places(&steps), expected);
    }

    #[test]
    fn a_long_round_that_one_request_makes_has_to_come_as_often_as_a_short_one() {
        let mut of_two_requests = rule();
        let mut history = History::default();
        let rounds = [step(1, 1), step(2, 2), step(3, 3)].repeat(3);
        for (at, mut step) in rounds.into_iter().enumerate() {
            step.call.index = at as u64;
            // The last two calls of a round are made at once.
            step.call.request = (at / 3 * 2 + at.rem_euclid(3).min(1)) as u64;
            step.number = at as u64 + 1;
            history.push(step);
            let found = of_two_requests.at_result(&step, &mut history);
            assert_eq!(found.is_some(), at == 8, "{at}");
        }
    }

    #[test]
    fn a_round_that_is_said_word_for_word_is_told_of_when_it_comes_again() {
        let said = |call, words| {
            let mut step = step(call, call);
            step.call.said = words;
            step
        };
        let rounds = [said(1, 1), said(2, 2)].repeat(2);
        assert_eq!(places(&rounds), [(4, "nudge 2".to_owned())]);
        assert_eq!(places(&[said(1, 1), said(2, 0)].repeat(2)), []);
        assert_eq!(
            places(&[said(1, 1), said(2, 2), said(1, 1), said(2, 3)]),
            []
        );
    }

    #[test]
    fn a_state_of_longer_rounds_is_refused_and_changes_nothing() {
        let longer = json!({ "cycleRounds": 3, "longestCycle": 5 });
        let longer = example::rule_with("cycle_rounds", longer);
        let mut rule = rule();
        let before = rule.rule.save();
        assert_eq!(rule.rule.load(&longer.rule.save()), Err(Corrupt));
        assert_eq!(rule.rule.save(), before);
    }

    #[test]
    fn one_call_is_no_round() {
        assert_eq!(places(&vec![step(1, 1); 20]), []);
    }

    #[test]
    fn another_result_is_progress_but_not_of_an_edit() {
        let round = |number| {
            let mut edit = step(1, number);
            edit.call.edits = true;
            [edit, step(2, 2)]
        };
        let steps: Vec<Step> = (0..3).flat_map(round).collect();
        assert_eq!(places(&steps), [(6, "nudge 3".to_owned())]);
        let round = |number| [step(1, number), step(2, 2)];
        let steps: Vec<Step> = (0..6).flat_map(round).collect();
        assert_eq!(places(&steps), []);
    }

    #[test]
    fn what_is_only_acknowledged_is_compared_by_its_calls() {
        let done = |call, result| {
            let mut step = step(call, result);
            step.result.acknowledges = true;
            step
        };
        let steps: Vec<Step> = (0..7).flat_map(|n| [done(1, n), done(2, 20 + n)]).collect();
        assert_eq!(places(&steps), [(12, "nudge 6".to_owned())]);
    }

    #[test]
    fn rounds_of_waiting_may_come_as_often_as_waits() {
        let mut wait = step(1, 1);
        wait.call.waits = true;
        let steps = [wait, step(2, 2)].repeat(12);
        let expected = [(20, "nudge 10".to_owned()), (24, "stop 12".to_owned())];
        assert_eq!(places(&steps), expected);
    }
}
