//! The blocks of one message: which of them go, stay or move, and the edits that make it so.

use super::edits::{PartChange, PartEdit, TextRanges};
use super::elements::{Element, Tag, only_elements, trailing_elements};
use super::message::{CandidateText, TextPlace, UserMessage};
use super::options::KeepBlock;
use super::report::{DedupeChange, DedupeReason};
use super::sections::Shortened;
use super::states::{States, Told};
use turnkeeper_base::sorted_map::SortedMap;
use turnkeeper_base::text::Size;
use turnkeeper_base::text::white_space::is_blank;

/// The blocks of a message, by the texts that hold them.
#[derive(Debug, Clone)]
pub(super) struct MessageBlocks {
    texts: Vec<TextWithBlocks>,
    /// Whether anything would be left of the message without its blocks.
    pub(super) has_other_content: bool,
}

/// A text that holds at least one block.
#[derive(Debug, Clone)]
struct TextWithBlocks {
    part: u32,
    place: TextPlace,
    length: usize,
    /// Whether only white space comes before the blocks.
    begins_with_blocks: bool,
    blocks: Vec<MessageBlock>,
}

/// A block, and what is decided about it.
#[derive(Debug, Clone)]
pub(super) struct MessageBlock {
    pub(super) element: Element,
    /// The index of its text among the texts that the message was given with.
    pub(super) text_index: usize,
    /// The thing that it tells of.
    pub(super) told: Told,
    /// Its size, once it is measured.
    pub(super) size: Size,
    /// Whether another block of its state stays in the message instead.
    pub(super) is_duplicate: bool,
    /// Whether it has to move to the end of the message.
    moves_to_end: bool,
    /// Its fate when older messages are rewritten.
    pub(super) pruning: Pruning,
}

/// The fate of a block when older messages are rewritten.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Pruning {
    /// It stays whole.
    Stays,
    /// It goes.
    Removed,
    /// It loses the sections that the block before it has, too.
    Shortened(Shortened),
}

/// The sums of a message's edits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct EditTotals {
    /// Blocks that go since the message has another one of the tag.
    pub(super) duplicates: Gone,
    /// Blocks and sections that go since a newer message says it better.
    pub(super) outdated: Gone,
    /// The number of blocks that lose sections.
    pub(super) blocks_shortened: u32,
    /// The reason; `None` if there is nothing to do.
    pub(super) reason: Option<DedupeReason>,
}

/// Blocks that go, and how much text goes with them and with sections.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Gone {
    pub(super) blocks: u32,
    pub(super) size: Size,
}

impl EditTotals {
    /// The number of blocks that go.
    pub(super) fn blocks_removed(&self) -> u32 {
        self.duplicates.blocks + self.outdated.blocks
    }

    /// The size of the text that goes.
    pub(super) fn removed(&self) -> Size {
        self.duplicates.size + self.outdated.size
    }

    /// The change that the edits make of the message with this index, if any.
    pub(super) fn change(&self, index: u32) -> Option<DedupeChange> {
        let removed = self.removed();
        self.reason.map(|reason| DedupeChange {
            index,
            blocks: self.blocks_removed(),
            characters: removed.units,
            tokens: removed.tokens(),
            reason,
        })
    }

    /// Adds what becomes of a block.
    fn add(&mut self, fate: &Fate) {
        self.reason = self.reason.max(fate.reason);
        let gone = self.gone_for(fate.reason);
        gone.size += fate.removed;
        gone.blocks += u32::from(fate.left.is_none());
        self.blocks_shortened += u32::from(fate.reason == Some(DedupeReason::Sections));
    }

    /// The sum that blocks are counted in that go for a reason.
    fn gone_for(&mut self, reason: Option<DedupeReason>) -> &mut Gone {
        match reason {
            Some(DedupeReason::Recent | DedupeReason::Sections) => &mut self.outdated,
            _ => &mut self.duplicates,
        }
    }
}

impl MessageBlocks {
    /// Finds the blocks. All of them stay where they are until something else is decided.
    pub(super) fn find(
        message: &UserMessage,
        tags: &[Tag],
        embedded: bool,
        states: &mut States,
    ) -> Self {
        let mut texts = Vec::new();
        let mut has_other_content = message.has_other_content;
        for (text_index, text) in message.texts.iter().enumerate() {
            match TextWithBlocks::find(text_index, text, tags, embedded, states) {
                Some(found) => {
                    has_other_content |= !found.begins_with_blocks;
                    texts.push(found);
                }
                None => has_other_content |= !is_blank(&text.units),
            }
        }
        Self {
            texts,
            has_other_content,
        }
    }

    /// The blocks in their order.
    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = &MessageBlock> {
        self.texts.iter().flat_map(|text| &text.blocks)
    }

    /// The blocks in their order, to decide about them.
    pub(super) fn iter_mut(&mut self) -> impl DoubleEndedIterator<Item = &mut MessageBlock> {
        self.texts.iter_mut().flat_map(|text| &mut text.blocks)
    }

    /// Decides for each state which block stays. The others that tell of it are its duplicates.
    pub(super) fn mark_duplicates(&mut self, keep: KeepBlock) {
        let mut kept = SortedMap::new();
        let mut mark = |block: &mut MessageBlock| {
            block.is_duplicate = kept.insert(block.told.state, ()).is_some();
        };
        match keep {
            KeepBlock::First => self.iter_mut().for_each(&mut mark),
            KeepBlock::Last => self.iter_mut().rev().for_each(&mut mark),
        }
    }

    /// Measures the duplicates, and the other blocks as well if `all`.
    pub(super) fn measure(&mut self, message: &UserMessage, all: bool) {
        for block in self.iter_mut() {
            if all || block.is_duplicate {
                let units = &message.texts[block.text_index].units;
                block.size = Size::of(&units[block.element.range()]);
            }
        }
    }

    /// Decides which blocks have to move to the end: those with anything but blocks after them.
    pub(super) fn mark_moves(&mut self, part_count: u32) {
        let mut next_part = part_count;
        let mut only_blocks_follow = true;
        for text in self.texts.iter_mut().rev() {
            if text.place != TextPlace::WholeContent {
                // A part in between holds no block.
                only_blocks_follow &= text.part + 1 == next_part;
                next_part = text.part;
            }
            for block in &mut text.blocks {
                block.moves_to_end = !only_blocks_follow;
            }
            // The text before these blocks follows the blocks of earlier texts.
            only_blocks_follow &= text.goes_without_blocks();
        }
        if self
            .iter()
            .any(|block| block.moves_to_end && !block.is_duplicate)
        {
            // The parts at the end that are blocks move, too, so that all keep their order.
            let all_blocks = self
                .texts
                .iter_mut()
                .filter(|text| text.goes_without_blocks());
            for block in all_blocks.flat_map(|text| &mut text.blocks) {
                block.moves_to_end = true;
            }
        }
    }

    /// The tokens that go once older messages are rewritten, beyond those that go anyway.
    pub(super) fn tokens_pruned(&self) -> u32 {
        self.iter().map(MessageBlock::tokens_pruned).sum()
    }

    /// The edits, and what they amount to. `prunes` says whether older messages are rewritten.
    pub(super) fn edits(&self, prunes: bool) -> (Vec<PartEdit>, EditTotals) {
        let mut edits = Vec::new();
        let mut totals = EditTotals::default();
        for text in &self.texts {
            text.add_edits(prunes, &mut edits, &mut totals);
        }
        (edits, totals)
    }
}

impl TextWithBlocks {
    fn find(
        text_index: usize,
        text: &CandidateText,
        tags: &[Tag],
        embedded: bool,
        states: &mut States,
    ) -> Option<Self> {
        let mut elements = Vec::new();
        if text.place == TextPlace::TextPart {
            elements = only_elements(&text.units, tags);
        }
        if elements.is_empty() && (embedded || text.place == TextPlace::WholeContent) {
            elements = trailing_elements(&text.units, tags);
        }
        let begins_with_blocks = is_blank(&text.units[..elements.first()?.start]);
        if begins_with_blocks && text.place == TextPlace::ToolResult {
            // No host appended these: they are what the tool said.
            return None;
        }
        let undecided = |element| MessageBlock {
            told: states.told_by(&text.units, &element, tags),
            element,
            text_index,
            size: Size::default(),
            is_duplicate: false,
            moves_to_end: false,
            pruning: Pruning::Stays,
        };
        Some(Self {
            part: text.part,
            place: text.place,
            length: text.units.len(),
            begins_with_blocks,
            blocks: elements.into_iter().map(undecided).collect(),
        })
    }

    /// Whether the text is a part that holds nothing but blocks, which goes with them.
    fn goes_without_blocks(&self) -> bool {
        self.begins_with_blocks && self.place == TextPlace::TextPart
    }

    fn add_edits(&self, prunes: bool, edits: &mut Vec<PartEdit>, totals: &mut EditTotals) {
        let before_blocks = 0..self.blocks[0].element.start;
        // The ranges that stay in this text, and those that become text parts of their own.
        let mut kept = TextRanges(vec![before_blocks.clone()]);
        let mut appended = Vec::new();
        let mut is_changed = false;
        let mut keeps_block = false;
        let mut previous_end = before_blocks.end;
        for block in &self.blocks {
            let white_space = previous_end..block.element.start;
            previous_end = block.element.end;
            let fate = block.fate(prunes);
            is_changed |= fate.reason.is_some();
            totals.add(&fate);
            let mut keeps_white_space = false;
            match fate.left {
                None => {}
                Some(text) if block.moves_to_end && !self.goes_without_blocks() => {
                    appended.push(PartEdit {
                        part: self.part,
                        change: PartChange::AppendText { text },
                    });
                }
                Some(text) => {
                    // The first block that stays follows the text before the blocks.
                    if keeps_block {
                        keeps_white_space = true;
                        kept.0.push(white_space.clone());
                    }
                    keeps_block = true;
                    kept.0.extend(text.0);
                }
            }
            if !keeps_white_space {
                totals.gone_for(fate.reason).size += Size::white(white_space.len());
            }
        }
        if !is_changed {
            return;
        }
        kept.0.push(previous_end..self.length);
        let change = if !keeps_block && self.goes_without_blocks() {
            totals.gone_for(totals.reason).size += Size::white(kept.length());
            PartChange::Remove
        } else if self.goes_without_blocks() && self.blocks[0].moves_to_end {
            let is_whole = kept.length() == self.length;
            PartChange::MoveToEnd {
                text: (!is_whole).then_some(kept),
            }
        } else {
            PartChange::Rewrite { text: kept }
        };
        edits.push(PartEdit {
            part: self.part,
            change,
        });
        edits.append(&mut appended);
    }
}

/// The fate of a block after all is decided.
struct Fate {
    /// The rest of it, as ranges of its text; `None` if it goes.
    left: Option<TextRanges>,
    /// The size of what goes of it.
    removed: Size,
    /// The reason why anything happens to it, if only that it moves.
    reason: Option<DedupeReason>,
}

impl MessageBlock {
    /// Whether anything happens to it once older messages are rewritten.
    pub(super) fn is_pruned(&self) -> bool {
        !self.is_duplicate && self.pruning != Pruning::Stays
    }

    /// The number of its tokens that go then.
    pub(super) fn tokens_pruned(&self) -> u32 {
        match &self.pruning {
            _ if self.is_duplicate => 0,
            Pruning::Stays => 0,
            Pruning::Removed => self.size.tokens(),
            Pruning::Shortened(shortened) => (self.size - shortened.size).tokens(),
        }
    }

    fn fate(&self, prunes: bool) -> Fate {
        let removed_for = |reason| Fate {
            left: None,
            removed: self.size,
            reason: Some(reason),
        };
        if self.is_duplicate {
            return removed_for(DedupeReason::Duplicates);
        }
        match &self.pruning {
            Pruning::Removed if prunes => removed_for(DedupeReason::Recent),
            Pruning::Shortened(shortened) if prunes => Fate {
                left: Some(shortened.left.clone()),
                removed: self.size - shortened.size,
                reason: Some(DedupeReason::Sections),
            },
            _ => Fate {
                left: Some(TextRanges(vec![self.element.range()])),
                removed: Size::default(),
                reason: self.moves_to_end.then_some(DedupeReason::Moved),
            },
        }
    }
}
