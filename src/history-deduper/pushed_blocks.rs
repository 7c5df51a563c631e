//! The blocks of messages that were pushed one by one, and what of them could still go.
//!
//! A pushed message is never rewritten later. But once newer messages have come, `recent` and
//! `sections` would make it shorter, and the report says by how much.

use super::report::DedupeWaiting;
use super::states::Told;
use turnkeeper_base::sorted_map::SortedMap;
use turnkeeper_base::text::Size;

/// A block that stayed when its message was pushed.
#[derive(Debug, Clone, Copy)]
pub(super) struct PushedBlock {
    /// The thing that it tells of.
    pub(super) told: Told,
    /// The index of its message among the user messages.
    pub(super) user_index: u32,
    pub(super) size: Size,
    /// The size of the sections that the block before it has, too.
    pub(super) repeated_sections: Size,
    /// Whether anything is left of its message without its blocks. If not, it has to stay.
    pub(super) message_has_other_content: bool,
}

/// The blocks of all messages that were pushed, in their order.
#[derive(Debug, Clone, Default)]
pub(super) struct PushedBlocks {
    blocks: Vec<PushedBlock>,
}

impl PushedBlocks {
    pub(super) fn add(&mut self, block: PushedBlock) {
        self.blocks.push(block);
    }

    /// Adds what `recent` and `sections` would do after the user message `newest_user_index`.
    pub(super) fn add_waiting(
        &self,
        recent: Option<u64>,
        newest_user_index: u32,
        waiting: &mut DedupeWaiting,
    ) {
        let mut newest_block = SortedMap::new();
        for (at, block) in self.blocks.iter().enumerate() {
            newest_block.insert(block.told.state, at);
        }
        // The states of which a block stays; where none does before the next one, that has to be whole.
        let mut has_earlier = SortedMap::new();
        for (at, block) in self.blocks.iter().enumerate() {
            let Told { state, is_note } = block.told;
            let is_newest = newest_block.get(&state) == Some(&at);
            let age = u64::from(newest_user_index - block.user_index);
            let is_old = recent.is_some_and(|recent| age >= recent);
            let is_outdated = is_old && !(is_note && is_newest);
            let removed = if is_outdated && block.message_has_other_content {
                has_earlier.remove(&state);
                waiting.blocks += 1;
                block.size
            } else {
                let stays_whole = has_earlier.insert(state, ()).is_none() || is_newest;
                if stays_whole || block.repeated_sections == Size::default() {
                    continue;
                }
                waiting.shortened += 1;
                block.repeated_sections
            };
            waiting.characters += removed.units;
            waiting.tokens += removed.tokens();
        }
    }
}
