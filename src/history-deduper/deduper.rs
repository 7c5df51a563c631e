//! The machine itself: messages in, edits and a report out.

use serde::Serialize;

use super::edits::{MessageEdits, PartEdit};
use super::elements::Tag;
use super::message::{MessagePosition, UserMessage};
use super::message_blocks::{EditTotals, MessageBlock, MessageBlocks, Pruning};
use super::message_tokens::tokens_of;
use super::options::DedupeOptions;
use super::pushed_blocks::{PushedBlock, PushedBlocks};
use super::reading::{HistoryReader, MessageRole};
use super::report::{DedupeChange, DedupeReason, DedupeReport};
use super::sections::{LatestBlocks, Root, Shortened, root_of};
use super::states::States;
use super::superseded::{Superseded, SupersededKind};
use super::whole_history::{ReadMessage, WholeHistory};
use turnkeeper_base::error::Error;
use turnkeeper_base::json::Json;
use turnkeeper_base::order;
use turnkeeper_base::text::Size;

/// The settings of a history deduper, which say what it has to be told.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct DedupeSettings<'a> {
    /// The names of the tags, without brackets.
    pub tags: Vec<&'a str>,
    /// Whether blocks at the end of other text parts and of tool results count.
    pub is_embedded: bool,
    /// Whether every message with a block has to be given, even one that needs no repair by itself.
    pub needs_every_block: bool,
    /// Whether the texts of messages are needed: to find copies of files and results that come again, to reach a size, or
    /// to see whether rewriting pays.
    pub needs_texts: bool,
}

/// Repairs the user messages of one history. See the [module](super) for its promise.
///
/// Its methods are of four kinds:
///
/// - [`settings`](Self::settings), which say what it has to be told, and never change;
/// - messages, in one of two ways. [`push`](Self::push) repairs a message by itself, in time proportional to that
///   message. For a whole history, in which older messages can be rewritten, say with
///   [`expect_user_messages`](Self::expect_user_messages) how many there are, [`read`](Self::read) each, and take
///   the edits from [`finish`](Self::finish), and from [`superseded`](Self::superseded) what else gives way;
/// - [`take_message`](Self::take_message), each message of the history, in which results that come again and copies
///   of files are found, and then what of it [goes at once](Self::result_again);
/// - the running turn: [`fresh_block`](Self::fresh_block), [`place_block`](Self::place_block) and
///   [`strip`](Self::strip) work on one content, at any time, and change nothing of the deduper.
///
/// [`report`](Self::report) says what was done, at any time.
#[derive(Debug, Clone)]
pub struct HistoryDeduper {
    pub(super) options: DedupeOptions,
    tags: Vec<Tag>,
    states: States,
    latest_blocks: LatestBlocks,
    reader: HistoryReader,
    /// The report of what was done so far.
    report: DedupeReport,
    pushed_blocks: PushedBlocks,
    newest_user_index: u32,
    pub(super) whole: WholeHistory,
}

impl HistoryDeduper {
    /// A deduper that has seen no message.
    ///
    /// # Errors
    /// `invalid_config`, naming the option, for tags that are no names, named twice or none.
    pub fn new(options: DedupeOptions) -> Result<Self, Error> {
        options.validate()?;
        let tags: Vec<Tag> = options.tag_names().into_iter().map(Tag::new).collect();
        Ok(Self {
            latest_blocks: LatestBlocks::default(),
            states: States::default(),
            tags,
            reader: HistoryReader::new(&options),
            options,
            report: DedupeReport::default(),
            pushed_blocks: PushedBlocks::default(),
            newest_user_index: 0,
            whole: WholeHistory::default(),
        })
    }

    /// Repairs a message by itself. The edits are empty for most.
    pub fn push(&mut self, position: MessagePosition, message: &UserMessage) -> Vec<PartEdit> {
        let blocks = self.find_blocks(message);
        let (edits, totals) = blocks.edits(false);
        self.tally(totals, self.reader.requests());
        if let Some(change) = totals.change(position.index) {
            self.report.add(change);
        }
        self.newest_user_index = position.user_index;
        if self.needs_every_block() {
            self.remember_pushed(&blocks, message, position.user_index);
        }
        edits
    }

    /// Says how many user messages the history has that [`read`](Self::read) will be given, with
    /// those that hold no block.
    pub fn expect_user_messages(&mut self, count: u64) {
        self.whole.user_messages = Some(count);
    }

    /// Takes in a message of a whole history. Messages come in their order.
    pub fn read(&mut self, position: MessagePosition, message: &UserMessage) {
        let read = self.found_in(position, message);
        let recent = self.options.recent_messages();
        let is_outdated = self.whole.is_outdated(recent, position.user_index);
        self.judge(read, position.user_index, message, is_outdated);
    }

    pub(super) fn found_in(
        &mut self,
        position: MessagePosition,
        message: &UserMessage,
    ) -> ReadMessage {
        ReadMessage {
            index: position.index,
            requests_before: self.reader.requests(),
            blocks: self.find_blocks(message),
        }
    }

    /// Says of the blocks of a message whether they go when older messages are rewritten.
    pub(super) fn judge(
        &mut self,
        mut read: ReadMessage,
        user_index: u32,
        message: &UserMessage,
        is_outdated: bool,
    ) {
        if self.needs_every_block() {
            let is_removed = is_outdated && read.blocks.has_other_content;
            let names_root = user_index == 0 && self.watches_files();
            for block in read.blocks.iter_mut().filter(|block| !block.is_duplicate) {
                // Whether a newer note tells of the same is known at the end.
                block.pruning = match is_removed {
                    true => pruned(message, block, names_root, &self.tags),
                    false => self
                        .shorten(message, block)
                        .map_or(Pruning::Stays, Pruning::Shortened),
                };
            }
        }
        self.whole.read.push(read);
    }

    /// Says what relative paths start from, unless the options or an environment say it already.
    pub fn set_root(&mut self, root: &str) {
        self.reader.set_root(root);
    }

    /// Takes in the next message of the history, in the shape of Anthropic's API, and answers with the indexes of its
    /// parts that answer a call again. Of its content the types and ids of the parts are enough, unless the
    /// [texts](DedupeSettings::needs_texts) are needed.
    ///
    /// An item is no message of its own for its provider, so that after another of the model's it belongs to
    /// the same request.
    pub fn take_message(
        &mut self,
        index: u32,
        role: MessageRole,
        is_item: bool,
        content: &Json,
    ) -> Vec<usize> {
        let requests = self.reader.requests();
        let again = self.reader.take(index, role, is_item, content);
        if self.reader.requests() > requests {
            self.report.kinds.request_made();
        }
        if self.needs_sizes() {
            // A message that is in no provider's shape is not given.
            self.whole.message_tokens.resize(index as usize, 0);
            self.whole.message_tokens.push(tokens_of(content));
        }
        again
    }

    /// Takes in that a result of that size goes, since its call has another: a provider refuses the second.
    pub fn result_again(&mut self, index: u32, size: Size) {
        let (characters, tokens) = (size.units, size.tokens());
        self.report.kinds.duplicate.add_size(1, size, 0);
        let change = DedupeChange {
            index,
            blocks: 0,
            characters,
            tokens,
            reason: DedupeReason::Results,
        };
        match self.whole.user_messages {
            Some(_) => self.whole.results_again.push(change),
            None => self.report.add(change),
        }
    }

    /// The edits of all messages that were [read](Self::read) and have to change, in the order of
    /// the history. What else gives way is in [`superseded`](Self::superseded) then.
    pub fn finish(&mut self) -> Vec<MessageEdits> {
        while !self.whole.newest.is_empty() {
            self.judge_first(false);
        }
        let mut whole = std::mem::take(&mut self.whole);
        whole.keep_newest_blocks();
        let mut superseded = self.all_superseded();
        let may_rewrite = self.options.may_rewrite_older_messages();
        let pays = |cache| whole.pays_to_rewrite(cache, &superseded);
        let prunes = may_rewrite || self.options.cache.is_some_and(pays);
        if prunes && let Some(target) = self.options.target_tokens {
            whole.choose_what_goes(target.get(), &mut superseded);
        }
        let mut edited = Vec::new();
        let mut changes = whole.results_again;
        for message in whole.read {
            let index = message.index;
            let (edits, totals) = message.blocks.edits(prunes);
            self.tally(totals, message.requests_before);
            changes.extend(totals.change(index));
            if !prunes {
                let (_, totals_later) = message.blocks.edits(true);
                self.add_to_waiting(totals, totals_later);
            }
            if !edits.is_empty() {
                edited.push(MessageEdits { index, edits });
            }
        }
        if prunes {
            for one in &superseded {
                one.tally(&mut self.report.kinds, self.reader.requests());
                changes.push(DedupeChange::from(one));
            }
            self.whole.superseded = superseded;
        }
        self.whole.has_pruned = prunes;
        // One for each message.
        order::sort_by_key(&mut changes, |change| change.index);
        let report = &mut self.report;
        changes.into_iter().for_each(|change| report.add(change));
        edited
    }

    /// Everything besides blocks that gives way to a line in a whole history that was finished.
    pub fn superseded(&self) -> &[Superseded] {
        &self.whole.superseded
    }

    /// The report of what was done so far, and of what waits. Its cost grows with the number of changes and, with
    /// `recent`, `sections` and `files`, of blocks and copies.
    pub fn report(&self) -> DedupeReport {
        let mut report = self.report.clone();
        let waiting = &mut report.waiting;
        self.pushed_blocks.add_waiting(
            self.options.recent_messages(),
            self.newest_user_index,
            waiting,
        );
        if !self.whole.has_pruned {
            for one in self.all_superseded() {
                match one.kind {
                    SupersededKind::Result => waiting.results += 1,
                    SupersededKind::File | SupersededKind::Write => waiting.files += 1,
                }
                waiting.characters += one.characters;
                waiting.tokens += one.tokens;
            }
        }
        report
    }

    /// The settings, which say what it has to be told.
    pub fn settings(&self) -> DedupeSettings<'_> {
        DedupeSettings {
            tags: self.options.tag_names(),
            is_embedded: self.is_embedded(),
            needs_every_block: self.needs_every_block(),
            needs_texts: self.reader.needs_texts() || self.needs_sizes(),
        }
    }

    /// Whether the sizes of messages are needed.
    fn needs_sizes(&self) -> bool {
        let cache = self.options.cache.as_ref();
        self.options.target_tokens.is_some() || cache.is_some_and(|it| it.requests.is_some())
    }

    pub(super) fn is_embedded(&self) -> bool {
        self.options.embedded.unwrap_or_default()
    }

    fn needs_every_block(&self) -> bool {
        self.options.recent_messages().is_some() || self.options.compares_sections()
    }

    fn watches_files(&self) -> bool {
        self.options.keeps_newest_files()
    }

    pub(super) fn tags(&self) -> &[Tag] {
        &self.tags
    }

    /// The blocks of a message, with what its own repair makes of them.
    fn find_blocks(&mut self, message: &UserMessage) -> MessageBlocks {
        let (is_embedded, states) = (self.is_embedded(), &mut self.states);
        let mut blocks = MessageBlocks::find(message, &self.tags, is_embedded, states);
        blocks.mark_duplicates(self.options.keep.unwrap_or_default());
        blocks.measure(message, self.needs_every_block());
        blocks.mark_moves(message.part_count);
        blocks
    }

    /// Everything besides blocks that gives way, in the order of the history.
    fn all_superseded(&self) -> Vec<Superseded> {
        let mut all = self.reader.superseded(self.options.shortens_writes());
        order::sort_by_key(&mut all, |one| one.place.index);
        all
    }

    fn tally(&mut self, totals: EditTotals, requests_before: u32) {
        let (duplicates, outdated) = (totals.duplicates, totals.outdated);
        let requests = self.reader.requests() - requests_before;
        let kinds = &mut self.report.kinds;
        let duplicate = &mut kinds.duplicate;
        duplicate.add_size(duplicates.blocks, duplicates.size, requests);
        let shortened = outdated.blocks + totals.blocks_shortened;
        let environment = &mut kinds.environment;
        environment.add_size(shortened, outdated.size, requests);
    }

    /// Adds what a message loses once older messages may be rewritten, beyond what it loses now.
    fn add_to_waiting(&mut self, now: EditTotals, later: EditTotals) {
        let waiting = &mut self.report.waiting;
        let removed = later.removed() - now.removed();
        waiting.blocks += later.blocks_removed() - now.blocks_removed();
        waiting.shortened += later.blocks_shortened;
        waiting.characters += removed.units;
        waiting.tokens += removed.tokens();
    }

    /// The block without the sections that the block before it has, too, if the options ask for that.
    fn shorten(&mut self, message: &UserMessage, block: &MessageBlock) -> Option<Shortened> {
        if !self.options.compares_sections() {
            return None;
        }
        let text = &message.texts[block.text_index].units;
        let (state, tags) = (block.told.state, &self.tags);
        self.latest_blocks
            .shorten(text, &block.element, state, tags)
    }

    /// Remembers what could go of a pushed message once newer ones have come.
    fn remember_pushed(&mut self, blocks: &MessageBlocks, message: &UserMessage, user_index: u32) {
        for block in blocks.iter().filter(|block| !block.is_duplicate) {
            let shortened = self.shorten(message, block);
            let size_left = shortened.map_or(block.size, |shortened| shortened.size);
            self.pushed_blocks.add(PushedBlock {
                told: block.told,
                user_index,
                size: block.size,
                repeated_sections: block.size - size_left,
                message_has_other_content: blocks.has_other_content,
            });
        }
    }
}

/// The fate of a block that is older than the newest ones. The first one names the folders that paths
/// start from, without which a second repair would take one file for another: that stays.
fn pruned(message: &UserMessage, block: &MessageBlock, names_root: bool, tags: &[Tag]) -> Pruning {
    let text = &message.texts[block.text_index].units;
    match names_root.then(|| root_of(text, &block.element, tags)) {
        Some(Root::Among(shortened)) => Pruning::Shortened(shortened),
        Some(Root::Alone) => Pruning::Stays,
        Some(Root::Unnamed) | None => Pruning::Removed,
    }
}
