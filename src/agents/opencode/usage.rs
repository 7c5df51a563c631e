//! The tokens and the money in sessions of opencode: a message what its last request used, and the money of all; and
//! each step of a message what its own request used.

use turnkeeper_base::json::Json;

use crate::sessions::given::at;
use crate::sessions::record::Usage;
use crate::sessions::time::time_of;
use crate::sessions::tokens::Tokens;
use crate::sessions::usage::{amount, named, paid, recorded, written_by_model};

/// Counts each step of a message once.
#[derive(Default)]
pub(crate) struct OpencodeUsage {
    /// The key that all copies of the message have.
    id: String,
    model: Option<String>,
    provider: Option<String>,
    time: Option<f64>,
    /// There is no record of the message, only its steps.
    is_printed: bool,
    /// The message's own record, with the money of all steps but those that have been given.
    message: Vec<Usage>,
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
            model: named(info.get("modelID")),
            provider: named(info.get("providerID")),
            time: time_of(info),
            ..Self::default()
        };
        usage.message = usage.used(info, paid(info.get("cost")));
        usage.found.clone_from(&usage.message);
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
        let mut step = self.used(part, paid(part.get("cost")));
        step.retain(|usage| Tokens::of(usage).total() > 0.0);
        for usage in &mut step {
            usage.id = usage.id.take().map(|id| format!("{id} {}", self.steps));
            usage.time = self.time;
        }
        if !self.is_printed {
            std::mem::swap(&mut self.last, &mut step);
            step = step
                .into_iter()
                .flat_map(|step| self.with_its_money(step))
                .collect();
        }
        self.found.append(&mut step);
    }

    /// A step, and the message's own record without the step's money.
    fn with_its_money(&mut self, mut step: Usage) -> Vec<Usage> {
        let Some(message) = self.message.first_mut() else {
            return vec![step];
        };
        let Some(all) = message.dollars else {
            step.dollars = None;
            return vec![step];
        };
        // As its tokens say, where the step does not say it itself.
        let [own, rest] = [&step, message].map(|it| Tokens::of(it).total());
        let cost = step.dollars.unwrap_or(all * own / (own + rest));
        step.dollars = Some(cost);
        message.dollars = Some((all - cost).max(0.0));
        let is_message = |it: &&mut Usage| it.id == message.id;
        match self.found.iter_mut().find(is_message) {
            Some(found) => {
                found.clone_from(message);
                vec![step]
            }
            None => vec![step, message.clone()],
        }
    }

    /// The record since the last time.
    pub(crate) fn take(&mut self) -> Vec<Usage> {
        std::mem::take(&mut self.found)
    }

    fn used(&self, value: &Json, dollars: Option<f64>) -> Vec<Usage> {
        let of = |keys: &[&str]| amount(at(value, &[&["tokens"], keys].concat()));
        let sent = of(&["input"]) + of(&["cache", "read"]) + of(&["cache", "write"]);
        let by_total = of(&["total"]) - sent;
        recorded(Usage {
            id: Some(self.id.clone()),
            model: self.model.clone(),
            provider: self.provider.clone(),
            input: of(&["input"]),
            cache_read: of(&["cache", "read"]),
            cache_write: of(&["cache", "write"]),
            output: written_by_model(of(&["output"]), of(&["reasoning"]), by_total),
            dollars,
            ..Usage::default()
        })
    }
}
