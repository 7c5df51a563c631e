//! **Finds** steps of the model that repeat, with others in between or not, as crush does.
//! **Must not find** steps whose results differ, nor anything before there are enough steps.
//! **The numbers** are crush's: more than 5 equal steps among the last 10.
//!
//! A step is what the model calls from one `turn_started` to the next, all of it together, with the
//! results; one without calls takes a place, too. The verdict is what the last steps say. The running one
//! takes its place at once, and is compared when each of its calls has its result, or when it is over. Where
//! no results come at all, it is compared at once.

use serde::{Deserialize, Serialize};

use super::{
    Answered, CallSeen, CallSummary, Context, Detection, Event, EventRule, LoopInfo, MAX_COUNT,
    Restart, RuleInfo, Tally, count_or,
};
use crate::report::{LoopType, RuleName};
use crate::settings::RuleSettings;
use crate::texts::Texts;
use turnkeeper_base::snapshot::{Corrupt, SavedState};
use turnkeeper_base::text::hash::mixed;

const REPEATED_STEPS: LoopInfo = LoopInfo {
    rule: RuleInfo {
        name: RuleName::RepeatedSteps,
        options: &["maxRepeats", "windowSize", "windowMinimum", "inclusive"],
    },
    loop_type: LoopType::RepeatedToolCycle,
    texts: Texts {
        message: "the model made the same calls in {count} of its last steps, with the same results.",
        feedback: "In {count} of your last steps you made the same calls, such as {tool}, and got the \
                   same results. Making them again will not change anything. Use what you have, or try \
                   something else.",
    },
};

/// The number of calls at which it is known that no results come; `blind` says so then, too.
const BLIND_AT: u64 = 6;

#[derive(Debug, Clone)]
pub(crate) struct RepeatedSteps {
    /// How many of the last steps are looked at.
    window: usize,
    /// Before there are this many, the rule is silent.
    minimum: usize,
    /// The number of equal steps that is one too many.
    threshold: u64,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct State {
    /// From the oldest to the running one.
    steps: Vec<Step>,
    /// Whether a turn has begun.
    has_turn_begun: bool,
    /// Whether the model has done something since the last turn began.
    is_step_running: bool,
    /// Whether a result has come, and how many calls have been made without one.
    has_result: bool,
    calls: u64,
    /// Of the last step that began like enough others.
    last_call: Option<CallSummary>,
    /// How often the step came that was found last, 0 if none was.
    told: u64,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Step {
    /// Of its calls and results, in the order of the calls; 0 without any.
    sum: u64,
    /// What its first call is compared by.
    first_call: u64,
    first_index: u64,
    last_index: u64,
    /// Calls whose results may still come.
    unanswered: u64,
}

impl SavedState for State {
    fn validate(&self) -> Result<(), Corrupt> {
        Corrupt::unless(self.told.max(self.calls) <= MAX_COUNT)
    }
}

/// The share of a call in its step's sum.
fn share(place: u64, call: u64, result: u64) -> u64 {
    mixed(mixed(place, call), result)
}

impl RepeatedSteps {
    fn begin_step(&self, state: &mut State) {
        state.is_step_running = true;
        if state.steps.len() == self.window {
            state.steps.remove(0);
        }
        state.steps.push(Step::default());
    }

    fn call(&self, state: &mut State, seen: &CallSeen) {
        let CallSeen { key, index, .. } = *seen;
        state.calls += 1;
        let steps = &mut state.steps;
        let alike = steps.iter().filter(|step| step.first_call == key).count() as u64 + 1;
        let Some(step) = steps.last_mut() else {
            return;
        };
        if step.sum == 0 {
            step.first_call = key;
            step.first_index = index;
            // Only a step that begins like enough others can be one too many.
            if alike >= self.threshold {
                state.last_call = Some(CallSummary::of(seen.call));
            }
        }
        step.last_index = index;
        step.unanswered += 1;
        let place = index.wrapping_sub(step.first_index);
        step.sum = step.sum.wrapping_add(share(place, key, 0));
    }

    /// The oldest step that is there too often.
    fn find(&self, state: &State) -> Option<Tally> {
        let steps = &state.steps;
        if steps.len() < self.minimum {
            return None;
        }
        let may_be_answered = state.has_result || state.calls < BLIND_AT;
        let waits = may_be_answered && state.is_step_running;
        let over = match waits && steps.last()?.unanswered > 0 {
            true => &steps[..steps.len() - 1],
            false => &steps[..],
        };
        for step in over.iter().filter(|step| step.sum != 0) {
            let equal = || over.iter().filter(|other| other.sum == step.sum);
            let count = equal().count() as u64;
            if count >= self.threshold {
                return Some(Tally {
                    count,
                    threshold: self.threshold,
                    first_index: equal().next()?.first_index,
                    last_index: equal().map(|step| step.last_index).max()?,
                });
            }
        }
        None
    }
}

impl State {
    fn result(&mut self, answered: Answered, key: u64) {
        let made_before = |step: &&mut Step| step.sum != 0 && step.first_index <= answered.index;
        if let Some(step) = self.steps.iter_mut().rev().find(made_before) {
            let place = answered.index - step.first_index;
            step.unanswered = step.unanswered.saturating_sub(1);
            let without = step.sum.wrapping_sub(share(place, answered.key, 0));
            step.sum = without.wrapping_add(share(place, answered.key, key));
        }
    }

    fn detection(&self, found: Tally) -> Detection {
        REPEATED_STEPS
            .stop(found)
            .at_summarized(self.last_call.as_ref())
    }
}

impl EventRule for RepeatedSteps {
    type State = State;
    const READS_RESULTS: bool = true;

    fn from_options(options: &RuleSettings) -> Option<Self> {
        if options.window_size.is_none() && options.max_repeats.is_none() {
            return None;
        }
        let max_repeats = count_or(options.max_repeats, 5)?;
        let window = options.window_size.unwrap_or(10);
        Some(Self {
            window: window as usize,
            minimum: window as usize,
            threshold: max_repeats.saturating_add(1),
        })
    }

    fn observe(&self, state: &mut State, event: &Event, _: &Context) -> Option<Detection> {
        match event {
            Event::TurnStarted => {
                if !state.is_step_running && state.has_turn_begun {
                    // The step that ends has done nothing at all.
                    self.begin_step(state);
                }
                state.is_step_running = false;
                state.has_turn_begun = true;
            }
            Event::Text { .. } | Event::Call(_) if !state.is_step_running => {
                self.begin_step(state);
            }
            Event::Call(_) | Event::Result(_) => {}
            _ => return None,
        }
        match event {
            Event::Call(seen) => self.call(state, seen),
            Event::Result(seen) => {
                state.has_result = true;
                // One that belongs to no call tells only that results do come.
                if let Some(answered) = seen.answered {
                    state.result(answered, seen.key);
                }
            }
            _ => {}
        }
        let found = self.find(state);
        let count = found.map_or(0, |found| found.count);
        let before = std::mem::replace(&mut state.told, count);
        let found = found.filter(|_| count != before)?;
        Some(state.detection(found))
    }

    fn still_holds(state: &State) -> bool {
        state.told > 0
    }

    fn tell_again(&self, state: &State) -> Option<Detection> {
        Some(state.detection(self.find(state)?))
    }

    /// Keeps the newest call, which reports of steps to come may show.
    fn restart(state: &mut State, _: Restart) {
        *state = State {
            last_call: state.last_call.take(),
            ..State::default()
        };
    }

    fn allows(&self, state: &State) -> bool {
        state.steps.len() <= self.window
    }
}
