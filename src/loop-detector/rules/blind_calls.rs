//! **Finds** calls in a row that are the same, and rounds of the same calls, where no result was ever seen.
//! **Must not find** anything once a result of a call has come: then the rules that compare results know better.
//! **The numbers**: 10 calls in a row, as in `standard`, and 5 rounds of up to 5 calls, because calls alone
//! say less than calls with their results.

use crate::counts::count_of;
use serde::{Deserialize, Serialize};

use super::event_rule::EventRule;
use super::period_tracker::{Item, PeriodTracker};
use super::{CallSeen, Context, Detection, Event, LoopInfo, Restart, Tally};
use crate::options::LoopDetectorOptions;
use crate::prompt::CALLS_BEFORE_BLIND;
use crate::report::{LoopType, RuleName};
use crate::texts::Texts;
use turnkeeper_base::snapshot::{Corrupt, SavedState};

/// A round of more calls is not looked for.
const LONGEST_ROUND: u64 = 5;

const BLIND_CALLS: LoopInfo = LoopInfo {
    name: RuleName::BlindCalls,
    options: &["blindCalls"],
    loop_type: LoopType::ConsecutiveIdenticalToolCalls,
    texts: Texts {
        message: "{call} was called {count} times in a row with the same arguments, and no results were \
                  seen.",
        feedback: "You seem to be stuck: {message} {held}Use the answer that you have. If it did not help, \
                   say what is missing, try another way, or ask the user.",
    },
};
const BLIND_ROUNDS: LoopInfo = LoopInfo {
    name: RuleName::BlindRounds,
    options: &["blindRounds"],
    loop_type: LoopType::RepeatedToolCycle,
    texts: Texts {
        message: "the same {period} calls in a row came {count} times, the last of {call}, and no results \
                  were seen.",
        feedback: "You seem to be stuck: {message} {held}Change something before you look again, or say \
                   what you know and ask the user.",
    },
};

/// Each number is off if there is none.
#[derive(Debug)]
pub(crate) struct BlindCalls {
    calls: Option<u64>,
    rounds: Option<u64>,
}

/// The calls so far, as long as there is no result.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct State {
    saw_results: bool,
    /// Whether the host tells where a request begins.
    saw_turns: bool,
    /// Calls since the last request began.
    calls_of_turn: u64,
    /// Follows nothing before the first call.
    periods: PeriodTracker,
}

impl SavedState for State {
    fn validate(&self) -> Result<(), Corrupt> {
        self.periods
            .validate(self.periods.longest().min(LONGEST_ROUND))
    }
}

impl State {
    fn forget(&mut self) {
        self.periods = PeriodTracker::default();
    }
}

impl BlindCalls {
    /// The number for rounds of this many calls, of which a single one is none.
    fn threshold(&self, period: u64) -> Option<u64> {
        if period == 1 { self.calls } else { self.rounds }
    }

    /// A stop, if the calls have come round often enough with this one.
    fn found(
        &self,
        state: &State,
        period: u64,
        seen: &CallSeen,
        context: &Context,
    ) -> Option<Detection> {
        // As often as the user asked for, it is no loop.
        let mut threshold = self.threshold(period)?.max(context.least_count());
        let covered = state.periods.covered(period);
        if state.saw_turns && covered <= state.calls_of_turn {
            // They were made at once, and their results may still come.
            threshold = threshold.saturating_mul(2);
        }
        // One call again and again is no round of two.
        let is_one_call = period > 1 && state.periods.covered(1) >= period;
        let tally = Tally {
            count: covered / period,
            threshold,
            first_index: state.periods.first_index(period),
            last_index: seen.index,
        };
        if tally.count < threshold || is_one_call {
            return None;
        }
        Some(match period {
            1 => BLIND_CALLS.stop(tally).at(seen.call),
            _ => BLIND_ROUNDS.stop(tally).at(seen.call).in_rounds_of(period),
        })
    }
}

impl EventRule for BlindCalls {
    type State = State;
    const LOOPS: &'static [LoopInfo] = &[BLIND_CALLS, BLIND_ROUNDS];

    fn from_options(options: &LoopDetectorOptions) -> Option<Self> {
        let rule = Self {
            calls: count_of(options.blind_calls),
            rounds: count_of(options.blind_rounds),
        };
        rule.calls.or(rule.rounds).map(|_| rule)
    }

    fn observe(&self, state: &mut State, event: &Event, context: &Context) -> Option<Detection> {
        let seen = match event {
            Event::Call(seen) if !state.saw_results => seen,
            Event::Result(seen) if seen.answered.is_some() => {
                state.saw_results = true;
                state.forget();
                return None;
            }
            Event::UserMessage => {
                state.forget();
                return None;
            }
            Event::TurnStarted => {
                state.saw_turns = true;
                state.calls_of_turn = 0;
                return None;
            }
            _ => return None,
        };
        if !seen.call.has_arguments() {
            // Calls whose arguments are not known cannot be told apart.
            state.forget();
            return None;
        }
        state.calls_of_turn = state.calls_of_turn.saturating_add(1);
        state.periods.follow(LONGEST_ROUND);
        state.periods.push(Item {
            key: seen.key,
            call: seen.key,
            index: seen.index,
        });
        if seen.index + 1 < CALLS_BEFORE_BLIND {
            return None;
        }
        (1..=LONGEST_ROUND).find_map(|period| self.found(state, period, seen, context))
    }

    /// A result once seen counts for the whole prompt.
    fn restart(state: &mut State, restart: Restart) {
        *state = State {
            saw_results: state.saw_results && restart == Restart::Cleared,
            ..State::default()
        };
    }
}
