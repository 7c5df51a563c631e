//! The machine itself: messages in, edits and a report out.

use super::compaction::{Candidate, choose};
use super::edits::{MessageEdits, PartEdit};
use super::elements::Tag;
use super::files::{FileCopies, FileCopy, Lines, RepeatedResults, ToolResult};
use super::message::{MessagePosition, UserMessage};
use super::message_blocks::{EditTotals, MessageBlock, MessageBlocks, Pruning};
use super::options::DedupeOptions;
use super::pushed_blocks::{PushedBlock, PushedBlocks};
use super::report::{DedupeChange, DedupeReason, DedupeReport, KindTallies};
use super::sections::{LatestBlocks, Root, root_of};
use super::states::{States, Told};
use super::superseded::{FILE_NOTICE, RESULT_NOTICE, Superseded, SupersededKind};
use turnkeeper_base::error::Error;
use turnkeeper_base::options::Count;
use turnkeeper_base::order;
use turnkeeper_base::sorted_map::SortedMap;
use turnkeeper_base::text::Size;

/// Repairs the user messages of one history. See the [module](super) for its promise.
///
/// There are two ways to use it:
///
/// - message by message: [`push`](Self::push) repairs a message by itself, in time proportional to
///   that message;
/// - a whole history: say with [`expect_user_messages`](Self::expect_user_messages) how many there
///   are, [`read`](Self::read) each of them, and take the edits from [`finish`](Self::finish), and
///   from [`superseded`](Self::superseded) what else gives way. Only then can older messages be
///   rewritten.
///
/// Both ways, tell it in the order of the history of [requests](Self::request_made), of [copies of
/// files](Self::file_copy) and what may have [changed](Self::file_edited) [them](Self::command_ran),
/// and of [results](Self::tool_result), as far as the options ask for these.
///
/// [`report`](Self::report) says what was done, at any time.
#[derive(Debug, Clone)]
pub struct HistoryDeduper {
    options: DedupeOptions,
    tags: Vec<Tag>,
    states: States,
    latest_blocks: LatestBlocks,
    /// The changes of a whole history for results whose calls have others.
    results_again: Vec<DedupeChange>,
    files: FileCopies,
    results: RepeatedResults,
    /// How many requests the history shows so far.
    requests: u32,
    /// What was done so far, without the kinds.
    report: DedupeReport,
    kinds: KindTallies,
    pushed_blocks: PushedBlocks,
    newest_user_index: u32,
    /// How many user messages a whole history has.
    user_messages: Option<u64>,
    /// The messages of a whole history, until it is finished.
    read: Vec<ReadMessage>,
    /// The estimated tokens of each message of a whole history.
    message_tokens: Vec<u32>,
    /// What else gives way in a whole history that was finished.
    superseded: Vec<Superseded>,
    /// Whether a whole history was finished while older messages could be rewritten.
    has_pruned: bool,
}

/// A message of a whole history.
#[derive(Debug, Clone)]
struct ReadMessage {
    index: u32,
    requests_before: u32,
    blocks: MessageBlocks,
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
            results_again: Vec::new(),
            tags,
            files: FileCopies::new(options.root.as_deref()),
            options,
            results: RepeatedResults::default(),
            requests: 0,
            kinds: KindTallies::default(),
            message_tokens: Vec::new(),
            superseded: Vec::new(),
            report: DedupeReport::default(),
            pushed_blocks: PushedBlocks::default(),
            newest_user_index: 0,
            user_messages: None,
            read: Vec::new(),
            has_pruned: false,
        })
    }

    /// Repairs a message by itself. The edits are empty for most.
    pub fn push(&mut self, position: MessagePosition, message: &UserMessage) -> Vec<PartEdit> {
        let blocks = self.find_blocks(message);
        let (edits, totals) = blocks.edits(false);
        self.tally(totals, self.requests);
        let change = change_of(position.index, totals);
        if let Some(change) = change {
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
        self.user_messages = Some(count);
    }

    /// Takes in a message of a whole history. Messages come in their order.
    pub fn read(&mut self, position: MessagePosition, message: &UserMessage) {
        let mut blocks = self.find_blocks(message);
        if self.needs_every_block() {
            let is_removed = self.is_outdated(position.user_index) && blocks.has_other_content;
            let names_root = position.user_index == 0 && self.watches_files();
            for block in blocks.iter_mut().filter(|block| !block.is_duplicate) {
                // Whether a newer note tells of the same is known at the end.
                if is_removed {
                    block.pruning = pruned(message, block, names_root, &self.tags);
                } else if self.options.compares_sections() {
                    let text = &message.texts[block.text_index].units;
                    let shortened = self
                        .latest_blocks
                        .shorten(text, &block.element, block.told.state, &self.tags);
                    block.pruning = shortened.map_or(Pruning::Stays, Pruning::Shortened);
                }
            }
        }
        self.read.push(ReadMessage {
            index: position.index,
            requests_before: self.requests,
            blocks,
        });
    }

    /// Takes in that the history shows the answer to another request: an assistant message.
    pub fn request_made(&mut self) {
        self.requests += 1;
    }

    /// Says what relative paths start from, unless the options do or a path was numbered before.
    pub fn set_root(&mut self, root: &str) {
        if self.options.root.is_none() {
            self.files.set_root(root);
        }
    }

    /// Says where a folder is of a workspace that has several, in which paths may be spelled
    /// `@name:src/a.ts`, unless a path was numbered before. Two folders of one name are not told apart.
    pub fn add_workspace_folder(&mut self, name: &str, path: &str) {
        self.files.add_folder(name, path);
    }

    /// The number of a path, for what is said of its file. A path may have several numbers.
    pub fn path_number(&mut self, path: &str) -> u32 {
        self.files.path_number(path)
    }

    /// Takes in a copy of a file that the history holds: its number, unless its path is none.
    /// Its own call comes before it, if that was an edit.
    pub fn file_copy(&mut self, copy: FileCopy) -> Option<u32> {
        self.files.add(copy, self.requests)
    }

    /// Takes in that a call has edited a file, or may have, with the [lines](Lines::of_edit) of its
    /// arguments.
    pub fn file_edited(&mut self, path: u32, lines: &Lines) {
        self.files.edited(path, lines);
    }

    /// Takes in a command that was run, or another text that names the files that a call may have
    /// changed, moved or copied.
    pub fn command_ran(&mut self, command: &str) {
        self.files.ran(command);
    }

    /// Takes in a tool's result that is no copy of a file: its number, unless it is too short to give
    /// way.
    pub fn tool_result(&mut self, result: ToolResult) -> Option<u32> {
        self.results.add(result, self.requests)
    }

    /// Takes in that a result of that size goes, since its call has another: a provider refuses the second.
    pub fn result_again(&mut self, index: u32, size: Size) {
        let (characters, tokens) = (size.units, size.tokens());
        let requests = self.requests;
        self.kinds.duplicate.add(1, characters, tokens, requests);
        let change = DedupeChange {
            index,
            blocks: 0,
            characters,
            tokens,
            reason: DedupeReason::Results,
        };
        match self.user_messages {
            Some(_) => self.results_again.push(change),
            None => self.report.add(change),
        }
    }

    /// Says how many tokens each message of a whole history is, estimated; see
    /// [`needs_sizes`](Self::needs_sizes).
    pub fn set_message_tokens(&mut self, tokens: Vec<u32>) {
        self.message_tokens = tokens;
    }

    /// The edits of all messages that were [read](Self::read) and have to change, in the order of
    /// the history. What else gives way is in [`superseded`](Self::superseded) then.
    pub fn finish(&mut self) -> Vec<MessageEdits> {
        self.keep_newest_blocks();
        let mut superseded = self.all_superseded();
        let prunes = self.options.may_rewrite_older_messages() || self.pays_to_rewrite(&superseded);
        if prunes {
            self.choose_what_goes(&mut superseded);
        }
        let mut edited = Vec::new();
        let mut changes = std::mem::take(&mut self.results_again);
        for message in std::mem::take(&mut self.read) {
            let ReadMessage {
                index,
                requests_before,
                blocks,
            } = message;
            let (edits, totals) = blocks.edits(prunes);
            self.tally(totals, requests_before);
            changes.extend(change_of(index, totals));
            if !prunes {
                let (_, totals_later) = blocks.edits(true);
                self.add_to_waiting(totals, totals_later);
            }
            if !edits.is_empty() {
                edited.push(MessageEdits { index, edits });
            }
        }
        if prunes {
            for one in &superseded {
                one.tally(match one.kind {
                    SupersededKind::File => &mut self.kinds.file,
                    SupersededKind::Write => &mut self.kinds.write,
                    SupersededKind::Result => &mut self.kinds.result,
                });
                changes.push(change_for(one));
            }
            self.superseded = superseded;
        }
        self.has_pruned = prunes;
        self.report_changes(changes);
        edited
    }

    /// What gives way to a line, besides blocks, in a whole history that was finished.
    pub fn superseded(&self) -> &[Superseded] {
        &self.superseded
    }

    /// What was done so far, and what waits. Its cost grows with the number of changes and, with
    /// `recent`, `sections` and `files`, of blocks and copies.
    pub fn report(&self) -> DedupeReport {
        let mut report = self.report.clone();
        report.kinds = self.kinds.totals(self.requests);
        let waiting = &mut report.waiting;
        self.pushed_blocks.add_waiting(
            self.options.recent_messages(),
            self.newest_user_index,
            waiting,
        );
        if !self.has_pruned {
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

    /// The names of the tags, without brackets.
    pub fn tag_names(&self) -> Vec<&str> {
        self.options.tag_names()
    }

    /// Whether blocks at the end of other text parts and of tool results count.
    pub fn is_embedded(&self) -> bool {
        self.options.embedded.unwrap_or_default()
    }

    /// Whether every message with a block has to be given, even one that needs no repair by itself.
    pub fn needs_every_block(&self) -> bool {
        self.options.recent_messages().is_some() || self.options.compares_sections()
    }

    /// Whether to tell of copies of files, and of what may change them.
    pub fn watches_files(&self) -> bool {
        self.options.keeps_newest_files()
    }

    /// Whether to tell of results that are no copies of files.
    pub fn watches_results(&self) -> bool {
        self.options.drops_repeated_results()
    }

    /// The host's own tools that read files, and where a path stands among the arguments of each.
    pub fn read_tools(&self) -> &SortedMap<String, String> {
        &self.options.read_tools
    }

    /// Whether [`finish`](Self::finish) needs the [sizes of messages](Self::set_message_tokens), to
    /// reach a size or to see whether rewriting pays.
    pub fn needs_sizes(&self) -> bool {
        self.options.target_tokens.is_some()
            || self
                .options
                .cache
                .is_some_and(|cache| cache.requests.is_some())
    }

    /// How the lines begin that stand where something gave way. A text that begins so is neither a copy
    /// of a file nor a result.
    pub fn notice_starts() -> [&'static str; 2] {
        [FILE_NOTICE, RESULT_NOTICE]
    }

    pub(super) fn tags(&self) -> &[Tag] {
        &self.tags
    }

    /// Whether a user message of a whole history is older than `recent` allows.
    fn is_outdated(&self, user_index: u32) -> bool {
        match (self.options.recent_messages(), self.user_messages) {
            (Some(recent), Some(count)) => u64::from(user_index).saturating_add(recent) < count,
            _ => false,
        }
    }

    /// The blocks of a message, with what its own repair makes of them.
    fn find_blocks(&mut self, message: &UserMessage) -> MessageBlocks {
        let is_embedded = self.is_embedded();
        let mut blocks = MessageBlocks::find(message, &self.tags, is_embedded, &mut self.states);
        blocks.mark_duplicates(self.options.keep.unwrap_or_default());
        blocks.measure(message, self.needs_every_block());
        blocks.mark_moves(message.part_count);
        blocks
    }

    /// The newest block of each state, of those that stay, loses no section, and the newest note about
    /// something stays.
    fn keep_newest_blocks(&mut self) {
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

    fn all_superseded(&self) -> Vec<Superseded> {
        let files = self.watches_files().then_some(&self.files);
        Superseded::all(files, &self.results, self.options.shortens_writes())
    }

    /// Whether all that could go saves more, in the requests that are expected, than to read the rest
    /// of the history anew costs.
    fn pays_to_rewrite(&self, superseded: &[Superseded]) -> bool {
        let Some(cache) = self.options.cache else {
            return false;
        };
        let blocks = self.read.iter().filter_map(|message| {
            let tokens = message.blocks.tokens_pruned();
            (tokens > 0).then_some((message.index, tokens))
        });
        let others = superseded.iter().map(|one| (one.index, one.tokens));
        let going: Vec<(u32, u32)> = blocks.chain(others).collect();
        let Some(first) = going.iter().map(|(index, _)| *index).min() else {
            return false;
        };
        let saved = going.iter().map(|(_, tokens)| u64::from(*tokens)).sum();
        let rest = self
            .message_tokens
            .get(first as usize..)
            .unwrap_or_default();
        let rest: u64 = rest.iter().map(|tokens| u64::from(*tokens)).sum();
        cache.pays(saved, rest.saturating_sub(saved))
    }

    /// With a size to reach, only as much goes as that takes.
    fn choose_what_goes(&mut self, superseded: &mut Vec<Superseded>) {
        let Some(target) = self.options.target_tokens.map(Count::get) else {
            return;
        };
        let mut total: u64 = self
            .message_tokens
            .iter()
            .map(|tokens| u64::from(*tokens))
            .sum();
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
            index: one.index,
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

    fn tally(&mut self, totals: EditTotals, requests_before: u32) {
        let EditTotals {
            duplicates,
            outdated,
            blocks_shortened,
            ..
        } = totals;
        self.kinds.duplicate.add(
            duplicates.blocks,
            duplicates.size.units,
            duplicates.size.tokens(),
            requests_before,
        );
        self.kinds.environment.add(
            outdated.blocks + blocks_shortened,
            outdated.size.units,
            outdated.size.tokens(),
            requests_before,
        );
    }

    /// Adds changes to the report, one for each message.
    fn report_changes(&mut self, mut changes: Vec<DedupeChange>) {
        order::sort_by_key(&mut changes, |change| change.index);
        changes
            .into_iter()
            .for_each(|change| self.report.add(change));
    }

    /// What a message loses once older messages may be rewritten, beyond what it loses now.
    fn add_to_waiting(&mut self, now: EditTotals, later: EditTotals) {
        let waiting = &mut self.report.waiting;
        let removed = later.removed() - now.removed();
        waiting.blocks += later.blocks_removed() - now.blocks_removed();
        waiting.shortened += later.blocks_shortened;
        waiting.characters += removed.units;
        waiting.tokens += removed.tokens();
    }

    /// Remembers what could go of a pushed message once newer ones have come.
    fn remember_pushed(&mut self, blocks: &MessageBlocks, message: &UserMessage, user_index: u32) {
        let compares_sections = self.options.compares_sections();
        for block in blocks.iter().filter(|block| !block.is_duplicate) {
            let text = &message.texts[block.text_index].units;
            let shortened = compares_sections
                .then(|| {
                    self.latest_blocks
                        .shorten(text, &block.element, block.told.state, &self.tags)
                })
                .flatten();
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

/// What becomes of a block that is older than the newest ones. The first one names the folders that paths
/// start from, without which a second repair would take one file for another: that stays.
fn pruned(message: &UserMessage, block: &MessageBlock, names_root: bool, tags: &[Tag]) -> Pruning {
    let text = &message.texts[block.text_index].units;
    match names_root.then(|| root_of(text, &block.element, tags)) {
        Some(Root::Among(shortened)) => Pruning::Shortened(shortened),
        Some(Root::Alone) => Pruning::Stays,
        Some(Root::Unnamed) | None => Pruning::Removed,
    }
}

/// What the edits of a message did, if anything.
fn change_of(index: u32, totals: EditTotals) -> Option<DedupeChange> {
    let removed = totals.removed();
    totals.reason.map(|reason| DedupeChange {
        index,
        blocks: totals.blocks_removed(),
        characters: removed.units,
        tokens: removed.tokens(),
        reason,
    })
}

fn change_for(one: &Superseded) -> DedupeChange {
    DedupeChange {
        index: one.index,
        blocks: 0,
        characters: one.characters,
        tokens: one.tokens,
        reason: match one.kind {
            SupersededKind::File => DedupeReason::Files,
            SupersededKind::Write => DedupeReason::Writes,
            SupersededKind::Result => DedupeReason::Results,
        },
    }
}
