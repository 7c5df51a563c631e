//! The last events, and the message that the model is writing.

use serde::{Deserialize, Serialize};

use crate::report::EVIDENCE_UNITS;
use crate::rules::{CallSummary, MAX_COUNT};
use turnkeeper_base::snapshot::{Corrupt, SavedState};
use turnkeeper_base::text::hash::UnitHash;
use turnkeeper_base::text::white_space::is_white;

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct State {
    /// From the oldest to the last.
    pub(super) events: Vec<Happened>,
    /// UTF-16 code units of the prompt's prose so far.
    pub(super) prose_length: u64,
    pub(super) message: Message,
    /// The first units of the last message.
    pub(super) last_message: Vec<u16>,
    pub(super) last_index: u64,
    /// What a report says of the last call, if that may be part of a loop.
    pub(super) last_call: Option<CallSummary>,
    /// The number of the stop that holds, 0 if none does.
    pub(super) told: u64,
}

/// What the model is writing.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Message {
    pub(super) hash: u64,
    /// Whether it is anything but white space, without which it is no message.
    pub(super) has_words: bool,
    pub(super) first_index: u64,
    pub(super) start: Vec<u16>,
}

/// An event that counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Happened {
    pub(super) kind: Kind,
    pub(super) key: u64,
    /// Of a call its index, of a message its place in the prompt's prose.
    pub(super) index: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Kind {
    Call,
    Result,
    Error,
    Message,
    Condensation,
}

pub(super) const CONDENSATION: Happened = Happened {
    kind: Kind::Condensation,
    key: 0,
    index: 0,
};

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
    pub(super) fn beginning_at(first_index: u64) -> Self {
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

impl State {
    pub(super) fn write(&mut self, delta: &[u16]) {
        let message = &mut self.message;
        let mut hash = UnitHash(message.hash);
        for unit in delta {
            hash.push(*unit);
            message.has_words |= !is_white(*unit);
            if message.start.len() <= EVIDENCE_UNITS {
                message.start.push(*unit);
            }
        }
        message.hash = hash.0;
        self.prose_length += delta.len() as u64;
    }

    /// The events of some kinds, from the last to the first.
    pub(super) fn of(&self, kinds: &'static [Kind]) -> impl Iterator<Item = Happened> + '_ {
        let events = self.events.iter().rev().copied();
        events.filter(|event| kinds.contains(&event.kind))
    }

    pub(super) fn calls(&self) -> impl Iterator<Item = Happened> + '_ {
        self.of(&[Kind::Call])
    }

    pub(super) fn results(&self) -> impl Iterator<Item = Happened> + '_ {
        self.of(&[Kind::Result, Kind::Error])
    }

    /// How many messages come last, condensations left out.
    pub(super) fn messages(&self) -> u64 {
        let events = self.events.iter().rev();
        events
            .filter(|event| event.kind != Kind::Condensation)
            .take_while(|event| event.kind == Kind::Message)
            .count() as u64
    }
}

/// How many of the last events equal the one `period` before them, the first round included.
pub(super) fn equal_in_a_row(events: impl Iterator<Item = Happened>, period: usize) -> u64 {
    let events: Vec<(Kind, u64)> = events.map(|event| (event.kind, event.key)).collect();
    let equal = events.iter().zip(events.iter().skip(period));
    let equal = equal.take_while(|(one, before)| one == before).count();
    (equal + period).min(events.len()) as u64
}
