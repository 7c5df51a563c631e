//! A whole history, in which older messages can be rewritten: what was read of it, and what of that goes.

use super::compaction::{Candidate, choose};
use super::message::UserMessage;
use super::message_blocks::{MessageBlocks, Pruning};
use super::options::CacheState;
use super::report::DedupeChange;
use super::states::Told;
use super::superseded::Superseded;
use std::collections::VecDeque;
use turnkeeper_base::sorted_map::SortedMap;

/// The messages of a whole history until it is finished, and then what came of it.
#[derive(Debug, Clone, Default)]
pub(super) struct WholeHistory {
    /// The number of user messages that it has, or that have come, if it is not known before.
    pub(super) user_messages: Option<u64>,
    /// The newest user messages, of a history whose number of them is not known before.
    pub(super) newest: VecDeque<NewMessage>,
    /// Its messages, until it is finished.
    pub(super) read: Vec<ReadMessage>,
    /// The estimated tokens of each of its messages.
    pub(super) message_tokens: Vec<u32>,
    /// The changes for results whose calls have others.
    pub(super) results_again: Vec<DedupeChange>,
    /// Everything else that gives way, once it is finished.
    pub(super) superseded: Vec<Superseded>,
    /// Whether it was finished while older messages could be rewritten.
    pub(super) has_pruned: bool,
}

/// A message of a whole history.
#[derive(Debug, Clone)]
pub(super) struct ReadMessage {
    pub(super) index: u32,
    pub(super) requests_before: u32,
    pub(super) blocks: MessageBlocks,
}

/// A user's message of which it is not known yet whether it stays among the newest.
#[derive(Debug, Clone)]
pub(super) struct NewMessage {
    pub(super) message: UserMessage<'static>,
    pub(super) user_index: u32,
    pub(super) read: ReadMessage,
}

impl WholeHistory {
    /// Whether a user message is older than the newest ones in which blocks stay.
    pub(super) fn is_outdated(&self, recent: Option<u64>, user_index: u32) -> bool {
        match (recent, self.user_messages) {
            (Some(recent), Some(count)) => u64::from(user_index).saturating_add(recent) < count,
            _ => false,
        }
    }

    /// The newest block of each state, of those that stay, loses no section, and the newest note about
    /// something stays.
    pub(super) fn keep_newest_blocks(&mut self) {
        let mut seen = SortedMap::new();
        let messages = self.read.iter_mut().rev();
        for block in messages.flat_map(|message| message.blocks.iter_mut().rev()) {
            let Told { state, is_note } = block.told;
            let is_gone = block.is_duplicate || (block.pruning == Pruning::Removed && !is_note);
            if !is_gone && seen.insert(state, ()).is_none() {
                block.pruning = Pruning::Stays;
            }
        }
    }

    /// Whether all that could go saves more, in the requests that are expected, than to read the rest
    /// of the history anew costs.
    pub(super) fn pays_to_rewrite(&self, cache: CacheState, superseded: &[Superseded]) -> bool {
        let blocks = self.read.iter().filter_map(|message| {
            let tokens = message.blocks.tokens_pruned();
            (tokens > 0).then_some((message.index, tokens))
        });
        let others = superseded.iter().map(|one| (one.place.index, one.tokens));
        let going: Vec<(u32, u32)> = blocks.chain(others).collect();
        let Some(first) = going.iter().map(|(index, _)| *index).min() else {
            return false;
        };
        let saved = going.iter().map(|(_, tokens)| u64::from(*tokens)).sum();
        let rest = self.message_tokens.get(first as usize..);
        let rest = sum(rest.unwrap_or_default());
        cache.pays(saved, rest.saturating_sub(saved))
    }

    /// Lets no more go than the size to reach takes, in estimated tokens.
    pub(super) fn choose_what_goes(&mut self, target: u64, superseded: &mut Vec<Superseded>) {
        let mut total = sum(&self.message_tokens);
        let mut candidates: Vec<Candidate> = Vec::new();
        for message in &self.read {
            total = total.saturating_sub(message.blocks.edits(false).1.removed().tokens().into());
            let pruned = message.blocks.iter().filter(|block| block.is_pruned());
            candidates.extend(pruned.map(|block| Candidate {
                index: message.index,
                tokens: block.tokens_pruned(),
            }));
        }
        candidates.extend(superseded.iter().map(|one| Candidate {
            index: one.place.index,
            tokens: one.tokens,
        }));
        let mut goes = choose(&candidates, total.saturating_sub(target)).into_iter();
        let mut next = || goes.next().expect("one for each candidate");
        for message in &mut self.read {
            for block in message.blocks.iter_mut().filter(|block| block.is_pruned()) {
                if !next() {
                    block.pruning = Pruning::Stays;
                }
            }
        }
        superseded.retain(|_| next());
    }
}

fn sum(tokens: &[u32]) -> u64 {
    tokens.iter().map(|tokens| u64::from(*tokens)).sum()
}
