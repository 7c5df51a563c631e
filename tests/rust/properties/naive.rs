//! A detector that is slow and obviously right: it keeps the whole prompt and looks it all through
//! at every event. It knows plain prose only, no code, tables or list numbers.

use serde_json::Value;
use turnkeeper_core::AgentEvent;
use turnkeeper_core::loop_detector::LoopType;

use super::Step;

type Found = (LoopType, u64, u64, u64);

pub struct Detector {
    identical: u64,
    calls_of_one: u64,
    reads_of_one: u64,
    prompt: String,
    preview: bool,
    /// Of the running prompt; `fresh` says from where on they count.
    calls: Vec<(String, Option<Value>)>,
    fresh: usize,
    text: Text,
    reasoning: Text,
    found: Option<Found>,
}

/// Everything since the last reset, and how many units there were before.
struct Text {
    before: usize,
    units: Vec<u16>,
    /// For each length of a passage: so many units in a row equal the one so far before them.
    matched: [usize; LONGEST + 1],
}

/// No passage that occurs here is longer.
const LONGEST: usize = 60;

impl Detector {
    pub fn new(identical: u64, calls_of_one: u64, reads_of_one: u64) -> Self {
        Self {
            identical,
            calls_of_one,
            reads_of_one,
            prompt: String::new(),
            preview: false,
            calls: Vec::new(),
            fresh: 0,
            text: Text::new(),
            reasoning: Text::new(),
            found: None,
        }
    }

    pub fn is_stopped(&self) -> bool {
        self.found.is_some()
    }

    pub fn play(&mut self, step: &Step) -> Option<Found> {
        match step {
            Step::Prompt { id, model } if *id != self.prompt => {
                *self = Self::new(self.identical, self.calls_of_one, self.reads_of_one);
                self.prompt.clone_from(id);
                self.preview = model.contains("preview");
            }
            Step::Clear => {
                self.found = None;
                self.fresh = self.calls.len();
                self.text.reset();
                self.reasoning.reset();
            }
            Step::Event(event) if self.found.is_none() => self.event(event),
            _ => {}
        }
        self.found
    }

    fn event(&mut self, event: &AgentEvent) {
        match event {
            AgentEvent::Text { text } => self.found = self.text.push(text),
            AgentEvent::Reasoning { text } => self.found = self.reasoning.push(text),
            AgentEvent::ToolCall { name, args, .. } => {
                self.text.reset();
                self.reasoning.reset();
                self.calls.push((name.clone(), args.clone().map(value)));
                self.found = self.identical_calls().or_else(|| self.calls_of_one_tool());
            }
            _ => {}
        }
    }

    fn identical_calls(&self) -> Option<Found> {
        let last = self.calls.last()?;
        let run = self.calls[self.fresh..]
            .iter()
            .rev()
            .take_while(|call| *call == last)
            .count();
        let (run, end) = (run as u64, self.calls.len() as u64);
        let found = (
            LoopType::ConsecutiveIdenticalToolCalls,
            run,
            end - run,
            end - 1,
        );
        (run >= self.identical).then_some(found)
    }

    fn calls_of_one_tool(&self) -> Option<Found> {
        let (name, _) = self.calls.last()?;
        let numbered = self.calls.iter().enumerate().skip(self.fresh);
        let same: Vec<usize> = numbered
            .filter(|(_, call)| call.0 == *name)
            .map(|(at, _)| at)
            .collect();
        let reads = name == "read_file" || name == "ls";
        let limit = if reads {
            self.reads_of_one
        } else {
            self.calls_of_one
        };
        let count = same.len() as u64;
        let found = (
            LoopType::SameToolDifferentArguments,
            count,
            same[0] as u64,
            self.calls.len() as u64 - 1,
        );
        (self.preview && count >= limit).then_some(found)
    }
}

impl Text {
    fn new() -> Self {
        Self {
            before: 0,
            units: Vec::new(),
            matched: [0; LONGEST + 1],
        }
    }

    fn reset(&mut self) {
        *self = Self {
            before: self.before + self.units.len(),
            ..Self::new()
        };
    }

    fn push(&mut self, delta: &str) -> Option<Found> {
        for unit in delta.encode_utf16() {
            for (period, matched) in self.matched.iter_mut().enumerate().skip(1) {
                let at = self.units.len().checked_sub(period);
                let same = at.is_some_and(|at| self.units[at] == unit);
                *matched = if same { *matched + 1 } else { 0 };
            }
            self.units.push(unit);
            if let Some(found) = self.repeated() {
                return Some(found);
            }
        }
        None
    }

    /// Copies of a passage at the end of the text.
    fn repeated(&self) -> Option<Found> {
        for period in 2..=LONGEST {
            let covered = match self.matched[period] {
                0 => continue,
                matched => matched + period,
            };
            let copies = covered / period;
            let filled = copies * period;
            if (copies >= 20 && filled >= 200) || (copies >= 5 && filled >= 2_000) {
                let kind = LoopType::ChantingIdenticalSentences;
                let end = self.before + self.units.len();
                return Some((kind, copies as u64, (end - covered) as u64, end as u64 - 1));
            }
        }
        None
    }
}

/// Arguments as a JSON string are the value that they hold; integers and doubles may be equal.
fn value(args: Value) -> Value {
    let value = match &args {
        Value::String(text) => serde_json::from_str(text).unwrap_or(args),
        _ => args,
    };
    doubles(value)
}

fn doubles(value: Value) -> Value {
    match value {
        Value::Number(number) => number.as_f64().into(),
        Value::Array(items) => items.into_iter().map(doubles).collect(),
        Value::Object(fields) => fields.into_iter().map(|(k, v)| (k, doubles(v))).collect(),
        other => other,
    }
}
