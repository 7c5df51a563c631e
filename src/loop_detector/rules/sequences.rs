//! What repeats: calls, actions and results, each compared with those before it.
//!
//! There is a sequence for each kind of thing that happens, and a rule says how many rounds of what
//! are too many, of one sequence or of two at once. That gives rows of identical calls, cycles of
//! calls or of calls with their results, and the rules of OpenHands, which looks at actions (calls and
//! messages of the model) on one side and at results on the other. OpenHands goes through everything
//! since the last message of the user each time; here counts are kept that say the same. What the
//! model has said so far counts as its message while it goes on.

use super::super::verdict::{Channel, EVIDENCE_UNITS, LoopReport, LoopType};
use super::quote::Quote;
use super::runs::{Item, Runs};
use super::syntax_error::syntax_error;
use super::{CallSeen, Event, Found, Part, ResultSeen};
use crate::hash::{UnitHash, mixed};
use crate::snapshot::Codec;
use crate::text::excerpt_units;
use turnkeeper_kernels::is_white;

/// The sequences.
pub(crate) const CALLS: usize = 0;
/// Calls of monitored tools by a preview model, whatever the arguments.
pub(crate) const MONITORED: usize = 1;
/// Calls and messages of the model.
pub(crate) const ACTIONS: usize = 2;
/// Results and condensations.
pub(crate) const RESULTS: usize = 3;
/// Results that are errors, as long as no other comes.
pub(crate) const ERRORS: usize = 4;
/// Results that end in a syntax error, as long as no other comes.
pub(crate) const SYNTAX_ERRORS: usize = 5;
/// Messages of the model; those before a result are others than those behind it.
pub(crate) const MESSAGES: usize = 6;
/// Condensations; those before anything else are others than those behind it.
pub(crate) const CONDENSATIONS: usize = 7;
const SEQUENCES: usize = 8;

/// What is too much.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Repeats {
    pub(crate) name: &'static str,
    pub(crate) loop_type: LoopType,
    /// The sequences that have to repeat at once; twice the same for one.
    pub(crate) of: [usize; 2],
    /// The shortest and the longest period.
    pub(crate) periods: (u64, u64),
    /// Exactly so many rounds are a nudge, 0 for none; so many or more a stop.
    pub(crate) nudge_at: u64,
    pub(crate) stop_from: u64,
}

/// What ends a row of calls.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Breaks {
    pub(crate) text: bool,
    pub(crate) user_message: bool,
    /// Unless each tool has a row of its own.
    pub(crate) other_tool: bool,
}

/// What holds of all the rules.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Conditions {
    /// In the order in which they are asked.
    pub(crate) repeats: Vec<Repeats>,
    /// Whether a call counts when its result comes, and as one with that.
    pub(crate) with_results: bool,
    pub(crate) breaks: Breaks,
    /// Whether a message of the user leaves actions and results as they are.
    pub(crate) headless: bool,
    /// By [`Call::tool_fingerprint`](crate::call::Call::tool_fingerprint).
    pub(crate) monitored_tools: Vec<u64>,
}

/// So many tools' rows are kept where each has its own.
const MOST_TOOLS: usize = 256;
/// What no result is compared by.
const CONDENSATION: u64 = 0x636f_6e64_656e_7365;

/// Follows the sequences.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Sequences {
    conditions: Conditions,
    runs: Vec<Runs>,
    /// The rows of other tools than the one whose calls were last.
    others: Vec<Runs>,
    /// The index of the last call, and what a report would say of it, if it may be part of a loop.
    index: u64,
    quote: Option<Quote>,
    /// The beginning of the last error.
    error: Vec<u16>,
    /// UTF-16 code units of the prompt's prose so far, and where in it what the model is saying
    /// begins, or the first of its last equal messages.
    offset: u64,
    message_at: u64,
    messages_at: u64,
    /// What the model is saying, and whether that is anything but white space, without which it is
    /// nothing.
    message: u64,
    is_saying: bool,
    /// The beginning of what it is saying or said last.
    said: Vec<u16>,
    /// The place of the rule that holds, from 1, and its count; whether it is a stop.
    told: (u64, u64),
    is_stop: bool,
    /// Whether the row of calls got longer with this event.
    has_counted: bool,
}

impl Sequences {
    pub(crate) fn new(conditions: Conditions) -> Self {
        let mut this = Self {
            conditions,
            ..Self::default()
        };
        for sequence in 0..SEQUENCES {
            this.runs.push(Runs::new(this.longest(sequence)));
        }
        this.message = UnitHash::EMPTY.0;
        this
    }

    pub(crate) fn needs_results(&self) -> bool {
        let Conditions {
            with_results,
            breaks,
            ..
        } = self.conditions;
        let goes_beyond_calls = (ACTIONS..SEQUENCES).any(|sequence| self.follows(sequence));
        with_results || breaks.user_message || goes_beyond_calls
    }

    fn clear(&mut self, first: usize, end: usize) {
        for sequence in first..end {
            self.runs[sequence].clear();
        }
        if first == CALLS {
            self.others.clear();
        }
    }

    /// Whether anything is asked of a sequence.
    fn follows(&self, sequence: usize) -> bool {
        self.runs[sequence].longest() > 0
    }

    /// The longest period that is asked of a sequence, 0 for one that nothing is asked of.
    fn longest(&self, sequence: usize) -> u64 {
        let mut longest = 0;
        for repeats in &self.conditions.repeats {
            if repeats.of.contains(&sequence) && repeats.periods.1 > longest {
                longest = repeats.periods.1;
            }
        }
        longest
    }

    fn push(&mut self, sequence: usize, key: u64, call: u64, index: u64) {
        self.runs[sequence].push(Item { key, call, index });
    }

    fn call(&mut self, seen: &CallSeen) {
        let CallSeen { key, index, .. } = *seen;
        let Conditions {
            with_results,
            breaks,
            ..
        } = self.conditions;
        let mut tool = 0;
        if !breaks.other_tool || self.follows(MONITORED) {
            tool = seen.call.tool_fingerprint();
        }
        self.index = index;
        if !with_results {
            self.count_call(tool, key, key, index);
        }
        if seen.is_preview && self.conditions.monitored_tools.contains(&tool) {
            self.push(MONITORED, tool, tool, index);
        } else {
            self.runs[MONITORED].clear();
        }
        // For when the result comes: only a call that equals one of the last can be part of a loop,
        // unless it takes one.
        let may_repeat = (with_results && self.runs[CALLS].has(key))
            || self.runs[ACTIONS].has(key)
            || self
                .conditions
                .repeats
                .iter()
                .any(|repeats| repeats.stop_from == 1);
        self.quote = may_repeat.then(|| Quote::of(seen.call));
        self.push(ACTIONS, key, key, index);
        self.runs[CONDENSATIONS].separate();
    }

    fn count_call(&mut self, tool: u64, key: u64, call: u64, index: u64) {
        if self.runs[CALLS].tool != tool && !self.conditions.breaks.other_tool {
            let mut place = 0;
            while place < self.others.len() && self.others[place].tool != tool {
                place += 1;
            }
            if place == MOST_TOOLS {
                self.others.clear();
                place = 0;
            }
            if place == self.others.len() {
                let mut runs = Runs::new(self.longest(CALLS));
                runs.tool = tool;
                self.others.push(runs);
            }
            std::mem::swap(&mut self.runs[CALLS], &mut self.others[place]);
        }
        self.push(CALLS, key, call, index);
        self.has_counted = self.follows(CALLS);
    }

    fn result(&mut self, seen: &ResultSeen) {
        if let Some(call) = seen.answered
            && self.conditions.with_results
        {
            let key = mixed(call.key, seen.key);
            self.count_call(call.tool, key, call.key, call.index);
        }
        let is_error = u64::from(seen.is_error);
        self.come(mixed(seen.key, is_error));
        self.runs[CONDENSATIONS].separate();
        if seen.is_error {
            self.push(ERRORS, is_error, 0, 0);
            self.error = seen.output.units().first(EVIDENCE_UNITS + 1);
        } else {
            self.runs[ERRORS].clear();
        }
        if self.follows(SYNTAX_ERRORS) {
            match syntax_error(seen.output) {
                Some(key) => self.push(SYNTAX_ERRORS, key, 0, 0),
                None => self.runs[SYNTAX_ERRORS].clear(),
            }
        }
    }

    /// A result, or what counts as one.
    fn come(&mut self, key: u64) {
        self.push(RESULTS, key, 0, 0);
        self.runs[MESSAGES].separate();
    }

    fn say(&mut self, delta: &[u16]) {
        if self.message_at == self.offset {
            self.said.clear();
        }
        let mut hash = UnitHash(self.message);
        for unit in delta {
            hash.push(*unit);
            self.is_saying |= !is_white(*unit);
            if self.said.len() <= EVIDENCE_UNITS {
                self.said.push(*unit);
            }
        }
        self.message = hash.0;
        self.offset += delta.len() as u64;
    }

    /// The message is complete.
    fn finish_message(&mut self) {
        if self.is_saying {
            if self.count(MESSAGES, 1) == 1 {
                self.messages_at = self.message_at;
            }
            self.push(ACTIONS, self.message, 0, self.index);
            self.push(MESSAGES, self.message, 0, 0);
            self.runs[CONDENSATIONS].separate();
        }
        self.message = UnitHash::EMPTY.0;
        self.is_saying = false;
        self.message_at = self.offset;
    }

    /// How many items of a sequence repeat with a period, what the model is saying among them.
    fn count(&self, sequence: usize, period: u64) -> u64 {
        let is_coming = self.is_saying && matches!(sequence, ACTIONS | MESSAGES);
        self.runs[sequence].covered(period, is_coming.then_some(self.message))
    }

    fn judge(&mut self, event: &Event) -> Option<Found> {
        let before = std::mem::take(&mut self.told);
        self.is_stop = false;
        let mut found = None;
        for (place, repeats) in self.conditions.repeats.iter().enumerate() {
            let Repeats {
                of: [one, other],
                nudge_at,
                stop_from,
                ..
            } = *repeats;
            for period in repeats.periods.0..=repeats.periods.1 {
                let covered = self.count(one, period).min(self.count(other, period));
                let count = covered / period;
                if count >= stop_from
                    || (count * period == covered && count == nudge_at && count > 0)
                {
                    found = Some((*repeats, period, count));
                    self.told = (place as u64 + 1, count);
                    self.is_stop = count >= stop_from;
                    break;
                }
            }
            if self.is_stop {
                break;
            }
        }
        let (repeats, period, count) = found?;
        // What was told goes on, unless a call makes it one more; a nudge is for that call alone.
        let is_new = self.has_counted || (self.is_stop && self.told != before);
        is_new.then(|| self.report(&repeats, period, count, event))
    }

    fn report(&self, repeats: &Repeats, period: u64, count: u64, event: &Event) -> Found {
        let sequence = repeats.of[0];
        let mut loop_type = repeats.loop_type;
        if sequence == ACTIONS && (self.is_saying || self.runs[ACTIONS].back(1).call == 0) {
            // Messages with the same results in between.
            loop_type = LoopType::Monologue;
        } else if loop_type == LoopType::RepeatedToolCycle && period == 1 {
            loop_type = LoopType::ConsecutiveIdenticalToolCalls;
        }
        let mut report = LoopReport::new(loop_type, repeats.name);
        report.count = count;
        report.threshold = if self.is_stop {
            repeats.stop_from
        } else {
            repeats.nudge_at
        };
        report.first_index = self.runs[sequence].first_index(period);
        report.last_index = self.index;
        report.period = (period > 1).then_some(period);
        match (loop_type, event) {
            (LoopType::Monologue, _) => {
                let is_first = self.is_saying && self.count(MESSAGES, 1) == 1;
                report.channel = Some(Channel::Text);
                report.first_index = if is_first {
                    self.message_at
                } else {
                    self.messages_at
                };
                report.last_index = self.offset.saturating_sub(1);
                report.evidence = excerpt_units(&self.said, EVIDENCE_UNITS);
            }
            (_, Event::Condensation) => report.first_index = self.index,
            (_, Event::Call(seen)) => Quote::of(seen.call).fill(&mut report),
            _ => {
                if let Some(quote) = &self.quote {
                    quote.fill(&mut report);
                }
                if repeats.of[1] == ERRORS {
                    report.evidence = excerpt_units(&self.error, EVIDENCE_UNITS);
                }
            }
        }
        Found {
            is_nudge: !self.is_stop,
            report,
        }
    }
}

impl Part for Sequences {
    fn observe(&mut self, event: &Event) -> Option<Found> {
        let breaks = self.conditions.breaks;
        self.has_counted = false;
        match event {
            Event::Text {
                channel: Channel::Text,
                delta,
                ..
            } => {
                if breaks.text {
                    self.clear(CALLS, ACTIONS);
                }
                if !self.follows(ACTIONS) && !self.follows(MESSAGES) {
                    return None;
                }
                self.say(delta);
            }
            Event::Text { .. } | Event::Other => return None,
            _ => self.finish_message(),
        }
        match event {
            Event::Call(seen) => self.call(seen),
            Event::Result(seen) => self.result(seen),
            Event::Condensation => {
                self.come(CONDENSATION);
                self.push(CONDENSATIONS, CONDENSATION, 0, 0);
                self.runs[ERRORS].clear();
                self.runs[SYNTAX_ERRORS].clear();
            }
            Event::UserMessage => {
                if breaks.user_message {
                    self.clear(CALLS, ACTIONS);
                }
                if !self.conditions.headless {
                    self.clear(ACTIONS, SEQUENCES);
                }
            }
            _ => {}
        }
        self.judge(event)
    }

    fn restart(&mut self, is_new_prompt: bool) {
        self.clear(CALLS, SEQUENCES);
        self.told = (0, 0);
        self.is_stop = false;
        self.message = UnitHash::EMPTY.0;
        self.is_saying = false;
        if is_new_prompt {
            self.offset = 0;
            self.index = 0;
        }
        self.message_at = self.offset;
    }

    fn stands(&self) -> bool {
        self.is_stop
    }

    fn visit(&mut self, codec: &mut Codec) {
        for sequence in 0..SEQUENCES {
            let longest = self.longest(sequence);
            self.runs[sequence].visit(longest, codec);
        }
        let longest = self.longest(CALLS);
        codec.items(&mut self.others, MOST_TOOLS);
        for runs in &mut self.others {
            runs.visit(longest, codec);
        }
        codec.number(&mut self.message, u64::MAX);
        for count in [
            &mut self.index,
            &mut self.offset,
            &mut self.message_at,
            &mut self.messages_at,
            &mut self.told.0,
            &mut self.told.1,
        ] {
            codec.count(count);
        }
        codec.flag(&mut self.is_saying);
        codec.flag(&mut self.is_stop);
        codec.units(&mut self.said, EVIDENCE_UNITS + 1);
        codec.units(&mut self.error, EVIDENCE_UNITS + 1);
        Quote::visit(&mut self.quote, codec);
    }
}
