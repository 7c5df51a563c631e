//! The messages that are kept, and which of them are brought back.

use std::collections::VecDeque;

use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

use super::recall::Keywords;
use super::{Count, TurnMessage};

/// The messages of all turns.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Messages {
    /// The messages, those of the first turn first.
    pub(super) kept: VecDeque<KeptMessage>,
    /// The hashes of their ids.
    #[serde(skip)]
    known_ids: FxHashSet<u64>,
}

/// A message and what the injector knows about it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct KeptMessage {
    pub(super) turn: u64,
    pub(super) message: TurnMessage,
    /// Whether it is the thinking of its turn, as a message.
    pub(super) is_thinking: bool,
    recall: Recalled,
}

/// Whether a message is brought back.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
enum Recalled {
    #[default]
    No,
    /// The next prompt of the action phase contains it.
    Queued,
    /// A prompt contained it. So does the next, until a request has succeeded.
    Sent,
}

impl Messages {
    /// Knows the ids of messages that were saved.
    pub(super) fn know_ids(&mut self) {
        let ids = self.kept.iter().filter_map(|kept| kept.message.id_hash());
        self.known_ids = ids.collect();
    }

    /// Keeps the message after the others of its turn. Of more than `limit` the oldest is forgotten.
    pub(super) fn add(
        &mut self,
        turn: u64,
        message: TurnMessage,
        is_thinking: bool,
        limit: Option<Count>,
    ) {
        self.known_ids.extend(message.id_hash());
        self.insert(KeptMessage {
            turn,
            message,
            is_thinking,
            recall: Recalled::No,
        });
        if let Some(limit) = limit
            && self.kept.len() as u64 > limit.get()
            && let Some(oldest) = self.kept.pop_front()
            && let Some(id) = oldest.message.id_hash()
        {
            self.known_ids.remove(&id);
        }
    }

    /// Puts the message in the place of the one with the same id, and both into the turn, if one is named.
    /// Gives it back if there is none.
    pub(super) fn replace(
        &mut self,
        turn: Option<u64>,
        message: TurnMessage,
    ) -> Result<(), TurnMessage> {
        let is_known = message
            .id_hash()
            .is_some_and(|id| self.known_ids.contains(&id));
        let mut kept = self.kept.iter();
        let same = |kept: &KeptMessage| kept.message.id == message.id;
        let Some(place) = is_known.then(|| kept.position(same)).flatten() else {
            return Err(message);
        };
        self.kept[place].message = message;
        if let Some(turn) = turn.filter(|turn| *turn != self.kept[place].turn)
            && let Some(mut moved) = self.kept.remove(place)
        {
            moved.turn = turn;
            self.insert(moved);
        }
        Ok(())
    }

    fn insert(&mut self, kept: KeptMessage) {
        let place = self.kept.partition_point(|other| other.turn <= kept.turn);
        self.kept.insert(place, kept);
    }

    /// The turns in whose messages one of these words occurs.
    pub(super) fn turns_with(&self, keywords: &Keywords) -> impl Iterator<Item = u64> {
        let has_keyword = |kept: &&KeptMessage| keywords.occur_in(&kept.message.text);
        self.kept.iter().filter(has_keyword).map(|kept| kept.turn)
    }

    /// Queues the messages of these turns and with these ids, beside those that are queued already; of all
    /// the newest for which there is room. Returns how many of those asked for are queued.
    pub(super) fn recall(&mut self, turns: &FxHashSet<u64>, ids: &[String], mut room: u64) -> u64 {
        let mut queued = 0;
        for kept in self.kept.iter_mut().rev() {
            let id = &kept.message.id;
            let is_wanted = turns.contains(&kept.turn) || (!id.is_empty() && ids.contains(id));
            if is_wanted {
                kept.recall = Recalled::Queued;
            }
            if room == 0 {
                kept.recall = Recalled::No;
            }
            if kept.recall != Recalled::No {
                room -= 1;
                queued += u64::from(is_wanted);
            }
        }
        queued
    }

    /// The originals of the messages that are queued, oldest first, for a prompt.
    pub(super) fn send_recalled(&mut self) -> Vec<String> {
        let mut originals = Vec::new();
        for kept in &mut self.kept {
            if kept.recall != Recalled::No {
                kept.recall = Recalled::Sent;
                originals.push(kept.message.original.clone());
            }
        }
        originals
    }

    /// Takes back what a prompt has contained.
    pub(super) fn forget_sent(&mut self) {
        for kept in &mut self.kept {
            if kept.recall == Recalled::Sent {
                kept.recall = Recalled::No;
            }
        }
    }

    /// Takes back all that was recalled.
    pub(super) fn forget_recalled(&mut self) {
        for kept in &mut self.kept {
            kept.recall = Recalled::No;
        }
    }

    /// Whether messages that were saved can have been.
    pub(super) fn are_valid(&self, newest_turn: u64) -> bool {
        let turns = self.kept.iter().map(|kept| kept.turn);
        turns.clone().is_sorted() && turns.max() <= Some(newest_turn)
    }
}
