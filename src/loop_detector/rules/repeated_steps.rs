//! Steps of the model that come again and again, with others in between or not.
//!
//! A step is what the model calls from one `turn_started` to the next, all of it together, with the
//! results; one without calls takes a place, too. The verdict is what the last steps say, the running
//! one as far as it has come.

use super::super::verdict::{LoopReport, LoopType};
use super::quote::Quote;
use super::{Answered, CallSeen, Event, Found, Part};
use crate::hash::mixed;
use crate::snapshot::Codec;

/// Stops while one of the last steps is there too often.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RepeatedSteps {
    /// So many steps are looked at, ...
    window: usize,
    /// none before there are so many, ...
    minimum: usize,
    /// and fewer than so many may be equal.
    threshold: u64,
    /// From the oldest to the running one.
    steps: Vec<Step>,
    /// Whether a turn has begun, and the model has done nothing in it.
    has_begun: bool,
    is_between: bool,
    /// Of the last step that began like enough others.
    quote: Option<Quote>,
    /// How often the step came that was told of.
    told: u64,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Step {
    /// Of its calls and results, in the order of the calls; 0 without any.
    sum: u64,
    /// What its first call is compared by.
    first: u64,
    first_index: u64,
    last_index: u64,
}

/// What a call adds to its step's sum.
fn share(place: u64, call: u64, result: u64) -> u64 {
    mixed(mixed(place, call), result)
}

impl RepeatedSteps {
    pub(crate) fn new(window: u64, minimum: u64, threshold: u64) -> Self {
        Self {
            window: window as usize,
            minimum: minimum as usize,
            threshold,
            steps: Vec::new(),
            has_begun: false,
            is_between: true,
            quote: None,
            told: 0,
        }
    }

    fn add_step(&mut self) {
        self.is_between = false;
        if self.steps.len() == self.window {
            self.steps.remove(0);
        }
        self.steps.push(Step::default());
    }

    fn call(&mut self, seen: &CallSeen) {
        let CallSeen { key, index, .. } = *seen;
        let mut alike = 1;
        for step in &self.steps {
            alike += u64::from(step.first == key);
        }
        let Some(step) = self.steps.last_mut() else {
            return;
        };
        if step.sum == 0 {
            (step.first, step.first_index) = (key, index);
            // Only a step that begins like enough others can be one too many.
            if alike >= self.threshold {
                self.quote = Some(Quote::of(seen.call));
            }
        }
        step.last_index = index;
        let number = index.wrapping_sub(step.first_index);
        step.sum = step.sum.wrapping_add(share(number, key, 0));
    }

    fn result(&mut self, answered: Answered, key: u64) {
        for step in self.steps.iter_mut().rev() {
            if step.sum != 0 && step.first_index <= answered.index {
                let number = answered.index - step.first_index;
                let without = step.sum.wrapping_sub(share(number, answered.key, 0));
                step.sum = without.wrapping_add(share(number, answered.key, key));
                return;
            }
        }
    }

    fn judge(&mut self) -> Option<Found> {
        let before = std::mem::take(&mut self.told);
        let mut report = LoopReport::new(LoopType::RepeatedToolCycle, "repeated_steps");
        for step in &self.steps {
            if step.sum == 0 || self.steps.len() < self.minimum {
                continue;
            }
            let mut count = 0;
            for other in self.steps.iter().rev() {
                if other.sum == step.sum {
                    count += 1;
                    report.first_index = other.first_index;
                    report.last_index = report.last_index.max(other.last_index);
                }
            }
            if count >= self.threshold {
                self.told = count;
                report.count = count;
                break;
            }
            report.last_index = 0;
        }
        if self.told == before || self.told == 0 {
            return None;
        }
        if let Some(quote) = &self.quote {
            quote.fill(&mut report);
        }
        report.threshold = self.threshold;
        Found::stop(report)
    }
}

impl Part for RepeatedSteps {
    fn observe(&mut self, event: &Event) -> Option<Found> {
        match event {
            Event::TurnStarted => {
                if self.is_between && self.has_begun {
                    // The step that ends has done nothing at all.
                    self.add_step();
                }
                self.is_between = true;
                self.has_begun = true;
            }
            Event::Text { .. } | Event::Call(_) if self.is_between => self.add_step(),
            Event::Call(_) | Event::Result(_) => {}
            _ => return None,
        }
        match event {
            Event::Call(seen) => self.call(seen),
            Event::Result(seen) => self.result(seen.answered?, seen.key),
            _ => {}
        }
        self.judge()
    }

    fn restart(&mut self, _: bool) {
        self.steps.clear();
        self.has_begun = false;
        self.is_between = true;
        self.told = 0;
    }

    fn stands(&self) -> bool {
        self.told > 0
    }

    fn visit(&mut self, codec: &mut Codec) {
        codec.items(&mut self.steps, self.window);
        for step in &mut self.steps {
            let Step {
                sum,
                first,
                first_index,
                last_index,
            } = step;
            for number in [sum, first, first_index, last_index] {
                codec.number(number, u64::MAX);
            }
        }
        codec.flag(&mut self.has_begun);
        codec.flag(&mut self.is_between);
        Quote::visit(&mut self.quote, codec);
        codec.count(&mut self.told);
    }
}
