//! The messages that are kept, and which of them are brought back.

use std::collections::VecDeque;

use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

use super::recall::{Reason, Wish};
use super::{Count, TurnMessage};
use turnkeeper_base::order;

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

    /// Queues the messages that are wished for, beside those that are queued already; if there is no room for all, by the
    /// reason for which each is brought back, and of one reason the newest. Returns how many of those wished for are
    /// queued.
    pub(super) fn recall(&mut self, wish: Wish, room: u64) -> u64 {
        let texts = self.kept.iter().map(|kept| &kept.message.text);
        let found: Vec<Vec<usize>> = texts.map(|text| wish.keywords.found_in(text)).collect();
        let mut counts = vec![0_u32; wish.keywords.count()];
        found.iter().flatten().for_each(|at| counts[*at] += 1);
        let mut turns = wish.turns;
        let with_word = self.kept.iter().zip(&found);
        let with_word = with_word.filter(|(_, found)| !found.is_empty());
        turns.extend(with_word.map(|(kept, _)| kept.turn));
        let mut wanted: Vec<(Reason, usize)> = Vec::new();
        for (at, (kept, found)) in self.kept.iter().zip(&found).enumerate().rev() {
            let id = &kept.message.id;
            let commonness = match !id.is_empty() && wish.ids.contains(id.as_str()) {
                true => Some(0),
                false => found.iter().map(|at| counts[*at]).min(),
            };
            let reason = match commonness {
                Some(commonness) => Reason::Itself { commonness },
                None if turns.contains(&kept.turn) => Reason::OfTurn,
                None if kept.recall != Recalled::No => Reason::Queued,
                None if wish.folded.contains(&kept.turn) => Reason::OfFold,
                None => continue,
            };
            wanted.push((reason, at));
        }
        order::sort_by_key(&mut wanted, |(reason, _)| *reason);
        let mut queued = 0;
        for (place, (reason, at)) in (0..).zip(wanted) {
            let kept = &mut self.kept[at];
            let is_wished = reason != Reason::Queued || wish.folded.contains(&kept.turn);
            if place >= room {
                kept.recall = Recalled::No;
            } else {
                if is_wished {
                    kept.recall = Recalled::Queued;
                }
                queued += u64::from(is_wished);
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
