//! The tokens and the money in sessions of opencode: a message what its last request used, and the money of all; and
//! each step of a message what its own request used.

use std::borrow::Cow;

use turnkeeper_base::json::Json;

use crate::given::{at, text_at};
use crate::record::Usage;
use crate::time::time_of;
use crate::tokens::Tokens;
use crate::usage::{Written, amount, dollars, recorded};

/// Counts each step of a message once.
#[derive(Default)]
pub(crate) struct OpencodeUsage {
    /// The key that all copies of the message have.
    id: String,
    model: Option<String>,
    time: Option<f64>,
    /// There is no record of the message, only its steps.
    is_printed: bool,
    has_dollars: bool,
    steps: u32,
    /// The last step, which the message's own record has, unless another follows.
    last: Vec<Usage>,
    /// The part that has not been taken yet.
    found: Vec<Usage>,
}

impl OpencodeUsage {
    /// Of an answer with its own record.
    pub(crate) fn of_message(info: &Json, id: &str) -> Self {
        let mut usage = Self {
            id: id.into(),
            model: text_at(info, &["modelID"]).map(str::to_owned),
            time: time_of(info),
            ..Self::default()
        };
        usage.found = usage.used(info, cost(info));
        let mut found = usage.found.iter();
        usage.has_dollars = found.any(|usage| usage.dollars.is_some());
        usage
    }

    /// Of an answer that is printed step by step.
    pub(crate) fn printed(id: &str) -> Self {
        Self {
            id: id.into(),
            is_printed: true,
            ..Self::default()
        }
    }

    /// Reads the end of a step.
    pub(crate) fn step(&mut self, part: &Json) {
        self.steps += 1;
        let mut step = self.used(part, cost(part));
        step.retain(|usage| Tokens::of(usage).total() > 0.0);
        for usage in &mut step {
            usage.id = usage.id.take().map(|id| format!("{id} {}", self.steps));
            usage.time = self.time;
            if !self.is_printed {
                // The message has the money of all.
                usage.dollars = self.has_dollars.then_some(0.0);
            }
        }
        if !self.is_printed {
            std::mem::swap(&mut self.last, &mut step);
        }
        self.found.append(&mut step);
    }

    /// The record since the last time.
    pub(crate) fn take(&mut self) -> Vec<Usage> {
        std::mem::take(&mut self.found)
    }

    fn used(&self, value: &Json, dollars: Option<f64>) -> Vec<Usage> {
        let of = |keys: &[&str]| amount(at(value, &[&["tokens"], keys].concat()));
        recorded(Written {
            id: Some(Cow::Borrowed(&self.id)),
            model: self.model.as_deref().map(Cow::Borrowed),
            input: of(&["input"]),
            cache_read: of(&["cache", "read"]),
            cache_write: of(&["cache", "write"]),
            output: of(&["output"]) + of(&["reasoning"]),
            dollars,
            ..Written::default()
        })
    }
}

/// A cost of 0 may be a subscription.
fn cost(value: &Json) -> Option<f64> {
    dollars(value.get("cost")).filter(|cost| *cost > 0.0)
}
