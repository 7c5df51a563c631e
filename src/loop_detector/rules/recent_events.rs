//! **Finds**, among the last events since the user's message, equal calls with equal results, equal calls
//! that fail, messages in a row, and two calls that take turns, as OpenHands' software agent SDK does.
//! **Must not find** what lies further back, nor a message in what is said in front of a call.
//! **The numbers** are the SDK's: 4, 4 after a nudge at 3, 3, and 3 rounds, among 20 events.
//!
//! An event is a call, a result, a message of the model or a condensation. The verdict is what the last of
//! them say, so everything is looked at anew with each: there are never many.

use serde::{Deserialize, Serialize};

use super::{
    Action, CallSeen, CallSummary, Context, Detection, Event, MAX_COUNT, Needs, Restart,
    ResultSeen, Rule, RuleInfo, count_of, identical_calls, repeated_cycle, repeated_errors,
};
use crate::loop_detector::options::LoopDetectorOptions;
use crate::loop_detector::report::{Channel, EVIDENCE_UNITS, LoopReport, LoopType, RuleName};
use crate::loop_detector::texts::Texts;
use crate::snapshot::{self, Corrupt, SavedState};
use crate::text::excerpt_units;
use crate::text::hash::{UnitHash, fingerprint, mixed};
use crate::text::white_space::is_white;

const MESSAGES: Texts = Texts {
    message: "the model wrote {count} messages in a row and did nothing in between.",
    feedback: "You wrote {count} messages in a row and did nothing in between. Act, ask the user, or \
               finish.",
};

/// Calls of a round.
const PERIOD: u64 = 2;

#[derive(Debug, Clone)]
pub(crate) struct RecentEvents {
    pairs: Option<u64>,
    errors: Option<u64>,
    messages: Option<u64>,
    turns: Option<u64>,
    window: usize,
    state: State,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct State {
    /// From the oldest to the last.
    events: Vec<Happened>,
    /// UTF-16 code units of the prompt's prose so far.
    prose_length: u64,
    message: Message,
    /// The first units of the last message.
    last_message: Vec<u16>,
    last_index: u64,
    /// What a report says of the last call, if that may be part of a loop.
    last_call: Option<CallSummary>,
    /// The number of the stop that holds, 0 if none does.
    told: u64,
}

/// What the model is writing.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Message {
    hash: u64,
    /// Whether it is anything but white space, without which it is no message.
    has_words: bool,
    first_index: u64,
    start: Vec<u16>,
}

/// An event that counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Happened {
    kind: Kind,
    key: u64,
    /// Of a call its index, of a message its place in the prompt's prose.
    index: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
enum Kind {
    Call,
    Result,
    Error,
    Message,
    Condensation,
}

/// What the events say.
struct Found {
    rule: RuleName,
    action: Action,
    count: u64,
    threshold: u64,
}

impl Default for State {
    fn default() -> Self {
        Self {
            events: Vec::new(),
            prose_length: 0,
            message: Message::beginning_at(0),
            last_message: Vec::new(),
            last_index: 0,
            last_call: None,
            told: 0,
        }
    }
}

impl Message {
    fn beginning_at(first_index: u64) -> Self {
        Self {
            hash: UnitHash::EMPTY.0,
            has_words: false,
            first_index,
            start: Vec::new(),
        }
    }
}

impl SavedState for State {
    fn validate(&self) -> Result<(), Corrupt> {
        let counts = [
            self.prose_length,
            self.message.first_index,
            self.last_index,
            self.told,
        ];
        Corrupt::unless(counts.into_iter().all(|count| count <= MAX_COUNT))?;
        Corrupt::unless(self.events.iter().all(|event| event.index <= MAX_COUNT))?;
        let starts = [&self.message.start, &self.last_message];
        Corrupt::unless(starts.iter().all(|start| start.len() <= EVIDENCE_UNITS + 1))
    }
}

impl RecentEvents {
    fn push(&mut self, kind: Kind, key: u64, index: u64) {
        let events = &mut self.state.events;
        if events.len() == self.window {
            events.remove(0);
        }
        events.push(Happened { kind, key, index });
    }

    fn write(&mut self, delta: &[u16]) {
        let message = &mut self.state.message;
        let mut hash = UnitHash(message.hash);
        for unit in delta {
            hash.push(*unit);
            message.has_words |= !is_white(*unit);
            if message.start.len() <= EVIDENCE_UNITS {
                message.start.push(*unit);
            }
        }
        message.hash = hash.0;
        self.state.prose_length += delta.len() as u64;
    }

    fn end_message(&mut self) {
        let Message {
            hash,
            has_words,
            first_index,
            ..
        } = self.state.message;
        if has_words {
            self.push(Kind::Message, hash, first_index);
            self.state.last_message = std::mem::take(&mut self.state.message.start);
        }
        self.state.message = Message::beginning_at(self.state.prose_length);
    }

    fn call(&mut self, seen: &CallSeen) {
        let message = &self.state.message;
        // What the model says in front of a call, in the same turn, is its thought about it.
        let key = match message.has_words {
            true => mixed(seen.key, message.hash),
            false => seen.key,
        };
        let is_made_before = self.of(&[Kind::Call]).any(|call| call.key == key);
        let fires_at_once = self.pairs == Some(1) || self.turns == Some(1);
        let fires_at_once = fires_at_once || matches!(self.errors, Some(1 | 2));
        let is_summarized = is_made_before || fires_at_once;
        self.state.last_call = is_summarized.then(|| CallSummary::of(seen.call));
        self.state.last_index = seen.index;
        self.state.message = Message::beginning_at(self.state.prose_length);
        self.push(Kind::Call, key, seen.index);
    }

    fn result(&mut self, seen: &ResultSeen) {
        let output = fingerprint(seen.output.0);
        let tool = seen.answered.map_or(0, |call| call.tool);
        match seen.is_error {
            true => self.push(Kind::Error, output, 0),
            false => self.push(Kind::Result, mixed(output, tool), 0),
        }
    }

    /// The events of some kinds, from the last to the first.
    fn of(&self, kinds: &'static [Kind]) -> impl Iterator<Item = Happened> + '_ {
        let events = self.state.events.iter().rev().copied();
        events.filter(|event| kinds.contains(&event.kind))
    }

    fn calls(&self) -> impl Iterator<Item = Happened> + '_ {
        self.of(&[Kind::Call])
    }

    fn results(&self) -> impl Iterator<Item = Happened> + '_ {
        self.of(&[Kind::Result, Kind::Error])
    }

    /// What is a loop now: the first stop, or a nudge.
    fn find(&self) -> Option<Found> {
        let stop = |rule, count: u64, threshold: Option<u64>| {
            let threshold = threshold.filter(|threshold| count >= *threshold)?;
            Some(Found {
                rule,
                action: Action::Stop,
                count,
                threshold,
            })
        };
        let equal = equal_in_a_row(self.calls(), 1);
        let pairs = equal.min(equal_in_a_row(self.results(), 1));
        let is_error = |event: &Happened| event.kind == Kind::Error;
        let errors = equal.min(self.results().take_while(is_error).count() as u64);
        let in_turn = equal_in_a_row(self.calls(), PERIOD as usize);
        let turns = in_turn.min(equal_in_a_row(self.results(), PERIOD as usize)) / PERIOD;
        stop(RuleName::RecentPairs, pairs, self.pairs)
            .or_else(|| stop(RuleName::RecentErrors, errors, self.errors))
            .or_else(|| stop(RuleName::RecentMessages, self.messages(), self.messages))
            .or_else(|| stop(RuleName::RecentTurns, turns, self.turns))
            .or_else(|| {
                let threshold = self.errors?;
                (errors > 0 && errors == threshold - 1).then_some(Found {
                    rule: RuleName::RecentErrors,
                    action: Action::Nudge,
                    count: errors,
                    threshold: errors,
                })
            })
    }

    /// How many messages come last, condensations left out.
    fn messages(&self) -> u64 {
        let events = self.state.events.iter().rev();
        events
            .filter(|event| event.kind != Kind::Condensation)
            .take_while(|event| event.kind == Kind::Message)
            .count() as u64
    }

    fn detection(&self, found: &Found) -> Detection {
        let (loop_type, texts, calls) = match found.rule {
            RuleName::RecentMessages => (LoopType::Monologue, MESSAGES, 0),
            RuleName::RecentErrors => {
                (LoopType::RepeatedError, repeated_errors::TEXTS, found.count)
            }
            RuleName::RecentTurns => (
                LoopType::RepeatedToolCycle,
                repeated_cycle::TEXTS,
                found.count * PERIOD,
            ),
            _ => (
                LoopType::ConsecutiveIdenticalToolCalls,
                identical_calls::TEXTS,
                found.count,
            ),
        };
        let mut report = LoopReport::new(loop_type, found.rule);
        report.count = found.count;
        report.threshold = found.threshold;
        if found.rule == RuleName::RecentTurns {
            report.period = Some(PERIOD);
        }
        if loop_type == LoopType::Monologue {
            let mut messages = self.of(&[Kind::Message]);
            let first = messages.nth(found.count.saturating_sub(1) as usize);
            report.channel = Some(Channel::Text);
            report.first_index = first.map_or(0, |message| message.index);
            report.last_index = self.state.prose_length.saturating_sub(1);
            report.evidence = excerpt_units(&self.state.last_message, EVIDENCE_UNITS);
        } else {
            let first = self.calls().nth(calls.saturating_sub(1) as usize);
            report.first_index = first.map_or(0, |call| call.index);
            report.last_index = self.state.last_index;
            if let Some(call) = &self.state.last_call {
                call.fill(&mut report);
            }
        }
        Detection {
            action: found.action,
            report,
            texts,
        }
    }
}

/// How many of the last events equal the one `period` before them, the first round included.
fn equal_in_a_row(events: impl Iterator<Item = Happened>, period: usize) -> u64 {
    let events: Vec<(Kind, u64)> = events.map(|event| (event.kind, event.key)).collect();
    let equal = events.iter().zip(events.iter().skip(period));
    let equal = equal.take_while(|(one, before)| one == before).count();
    (equal + period).min(events.len()) as u64
}

impl Rule for RecentEvents {
    fn info() -> &'static [RuleInfo] {
        &[
            RuleInfo {
                name: RuleName::RecentPairs,
                options: &["recentPairs", "recentEvents"],
                finds: "equal calls among the last events, with equal results",
            },
            RuleInfo {
                name: RuleName::RecentErrors,
                options: &["recentErrors", "recentEvents"],
                finds: "equal calls among the last events whose results are errors: a nudge at one less",
            },
            RuleInfo {
                name: RuleName::RecentMessages,
                options: &["recentMessages", "recentEvents"],
                finds: "messages of the model in a row, whatever they say",
            },
            RuleInfo {
                name: RuleName::RecentTurns,
                options: &["recentTurns", "recentEvents"],
                finds: "rounds of two calls among the last events, with equal results",
            },
        ]
    }

    fn from_options(options: &LoopDetectorOptions) -> Option<Self> {
        let pairs = count_of(options.recent_pairs);
        let errors = count_of(options.recent_errors);
        let messages = count_of(options.recent_messages);
        let turns = count_of(options.recent_turns);
        pairs.or(errors).or(messages).or(turns)?;
        Some(Self {
            pairs,
            errors,
            messages,
            turns,
            window: options.recent_events.unwrap_or(20) as usize,
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
            Event::Text {
                channel: Channel::Text,
                delta,
            } => {
                self.write(delta);
                return None;
            }
            Event::Text { .. } | Event::Other => return None,
            Event::Call(seen) => self.call(seen),
            _ => self.end_message(),
        }
        match event {
            Event::Result(seen) => self.result(seen),
            Event::Condensation => self.push(Kind::Condensation, 0, 0),
            Event::UserMessage => self.state.events.clear(),
            _ => {}
        }
        let found = self.find();
        let stop = found.as_ref().filter(|found| found.action == Action::Stop);
        let now = stop.map_or(0, |found| found.count);
        let before = std::mem::replace(&mut self.state.told, now);
        let found = found?;
        let is_new = match found.action {
            Action::Stop => now != before,
            // It is for the error that makes the number.
            Action::Nudge => matches!(event, Event::Result(_)),
        };
        is_new.then(|| self.detection(&found))
    }

    fn still_holds(&self) -> bool {
        self.state.told > 0
    }

    fn tell_again(&self, _: &Event, _: &Context) -> Option<Detection> {
        let found = self.find().filter(|found| found.action == Action::Stop)?;
        Some(self.detection(&found))
    }

    fn restart(&mut self, restart: Restart) {
        let (prose_length, last_index) = match restart {
            Restart::NewPrompt => (0, 0),
            Restart::Cleared => (self.state.prose_length, self.state.last_index),
        };
        self.state = State {
            prose_length,
            last_index,
            message: Message::beginning_at(prose_length),
            ..State::default()
        };
    }

    fn save(&self) -> Vec<u8> {
        snapshot::encode(&self.state)
    }

    fn load(&mut self, saved: &[u8]) -> Result<(), Corrupt> {
        let state: State = snapshot::decode(saved)?;
        Corrupt::unless(state.events.len() <= self.window)?;
        self.state = state;
        Ok(())
    }
}
