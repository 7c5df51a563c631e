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
    Answered, CallSeen, CallSummary, Context, Detection, Event, MAX_COUNT, Needs, Restart, Rule,
    RuleInfo, count_or,
};
use crate::loop_detector::options::LoopDetectorOptions;
use crate::loop_detector::report::{LoopReport, LoopType, RuleName};
use crate::loop_detector::texts::Texts;
use crate::snapshot::{self, Corrupt, SavedState};
use crate::text::hash::mixed;

const TEXTS: Texts = Texts {
    message: "the model made the same calls in {count} of its last steps, with the same results.",
    feedback: "In {count} of your last steps you made the same calls, such as {tool}, and got the \
               same results. Making them again will not change anything. Use what you have, or try \
               something else.",
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
    state: State,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct State {
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

/// What a call adds to its step's sum.
fn share(place: u64, call: u64, result: u64) -> u64 {
    mixed(mixed(place, call), result)
}

impl RepeatedSteps {
    fn begin_step(&mut self) {
        self.state.is_step_running = true;
        if self.state.steps.len() == self.window {
            self.state.steps.remove(0);
        }
        self.state.steps.push(Step::default());
    }

    fn call(&mut self, seen: &CallSeen) {
        let CallSeen { key, index, .. } = *seen;
        self.state.calls += 1;
        let steps = &mut self.state.steps;
        let alike = steps.iter().filter(|step| step.first_call == key).count() as u64 + 1;
        let Some(step) = steps.last_mut() else {
            return;
        };
        if step.sum == 0 {
            step.first_call = key;
            step.first_index = index;
            // Only a step that begins like enough others can be one too many.
            if alike >= self.threshold {
                self.state.last_call = Some(CallSummary::of(seen.call));
            }
        }
        step.last_index = index;
        step.unanswered += 1;
        let place = index.wrapping_sub(step.first_index);
        step.sum = step.sum.wrapping_add(share(place, key, 0));
    }

    fn result(&mut self, answered: Answered, key: u64) {
        let made_before = |step: &&mut Step| step.sum != 0 && step.first_index <= answered.index;
        if let Some(step) = self.state.steps.iter_mut().rev().find(made_before) {
            let place = answered.index - step.first_index;
            step.unanswered = step.unanswered.saturating_sub(1);
            let without = step.sum.wrapping_sub(share(place, answered.key, 0));
            step.sum = without.wrapping_add(share(place, answered.key, key));
        }
    }

    /// The oldest step that is there too often, as a report without the call.
    fn find(&self) -> Option<Box<LoopReport>> {
        let steps = &self.state.steps;
        if steps.len() < self.minimum {
            return None;
        }
        let may_be_answered = self.state.has_result || self.state.calls < BLIND_AT;
        let waits = may_be_answered && self.state.is_step_running;
        let over = match waits && steps.last()?.unanswered > 0 {
            true => &steps[..steps.len() - 1],
            false => &steps[..],
        };
        for step in over.iter().filter(|step| step.sum != 0) {
            let equal = || over.iter().filter(|other| other.sum == step.sum);
            let count = equal().count() as u64;
            if count >= self.threshold {
                let mut report =
                    LoopReport::new(LoopType::RepeatedToolCycle, RuleName::RepeatedSteps);
                report.count = count;
                report.threshold = self.threshold;
                report.first_index = equal().next()?.first_index;
                report.last_index = equal().map(|step| step.last_index).max()?;
                return Some(report);
            }
        }
        None
    }
}

impl RepeatedSteps {
    fn detection(&self, mut report: Box<LoopReport>) -> Detection {
        if let Some(call) = &self.state.last_call {
            call.fill(&mut report);
        }
        Detection::stop(report, TEXTS)
    }
}

impl Rule for RepeatedSteps {
    fn info() -> &'static [RuleInfo] {
        &[RuleInfo {
            name: RuleName::RepeatedSteps,
            options: &["maxRepeats", "windowSize", "windowMinimum", "inclusive"],
            finds: "equal steps among the last ones, with others in between or not",
        }]
    }

    fn from_options(options: &LoopDetectorOptions) -> Option<Self> {
        if options.window_size.is_none() && options.max_repeats.is_none() {
            return None;
        }
        let max_repeats = count_or(options.max_repeats, 5)?;
        let is_inclusive = options.inclusive.unwrap_or(false);
        let window = options.window_size.unwrap_or(10);
        Some(Self {
            window: window as usize,
            minimum: options.window_minimum.unwrap_or(window) as usize,
            threshold: max_repeats.saturating_add(u64::from(!is_inclusive)),
            state: State::default(),
        })
    }

    fn needs(&self) -> Needs {
        Needs {
            results: true,
            ..Needs::default()
        }
    }

    fn observe(&mut self, event: &Event, _: &Context) -> Option<Detection> {
        match event {
            Event::TurnStarted => {
                if !self.state.is_step_running && self.state.has_turn_begun {
                    // The step that ends has done nothing at all.
                    self.begin_step();
                }
                self.state.is_step_running = false;
                self.state.has_turn_begun = true;
            }
            Event::Text { .. } | Event::Call(_) if !self.state.is_step_running => self.begin_step(),
            Event::Call(_) | Event::Result(_) => {}
            _ => return None,
        }
        match event {
            Event::Call(seen) => self.call(seen),
            Event::Result(seen) => {
                self.state.has_result = true;
                self.result(seen.answered?, seen.key);
            }
            _ => {}
        }
        let found = self.find();
        let count = found.as_ref().map_or(0, |report| report.count);
        let before = std::mem::replace(&mut self.state.told, count);
        found
            .filter(|_| count != before)
            .map(|report| self.detection(report))
    }

    fn still_holds(&self) -> bool {
        self.state.told > 0
    }

    fn tell_again(&self, _: &Event, _: &Context) -> Option<Detection> {
        self.find().map(|report| self.detection(report))
    }

    fn restart(&mut self, _: Restart) {
        self.state.steps.clear();
        self.state.has_turn_begun = false;
        self.state.is_step_running = false;
        self.state.has_result = false;
        self.state.calls = 0;
        self.state.told = 0;
    }

    fn save(&self) -> Vec<u8> {
        snapshot::encode(&self.state)
    }

    fn load(&mut self, saved: &[u8]) -> Result<(), Corrupt> {
        let state: State = snapshot::decode(saved)?;
        Corrupt::unless(state.steps.len() <= self.window)?;
        self.state = state;
        Ok(())
    }
}
