//! Which of the blocks that a host adds to its user messages go, stay or move?
//!
//! Hosts append the state of the editor to each user message, as a block such as
//! `<environment_details>…</environment_details>`. When a task is resumed, stale blocks stay behind.
//! A [`HistoryDeduper`] leaves one in each message, at the end. Its promise:
//!
//! - only blocks go: no other character of a message changes, and a quotation is no block;
//! - no message loses all of its content;
//! - a repaired history stays as it is when it is repaired again.
//!
//! It never sees a history. The caller picks out the [texts](Text) that may hold blocks, and applies
//! the [`Plan`], which speaks of parts and of ranges of UTF-16 code units, to messages of whatever
//! format.
//!
//! ```
//! use turnkeeper_core::history_deduper::{
//!     Action, DedupeOptions, HistoryDeduper, Message, Text, TextKind,
//! };
//!
//! let parts = [
//!     "<task>Fix the build.</task>",
//!     "<environment_details>stale</environment_details>",
//!     "<environment_details>fresh</environment_details>",
//! ];
//! let units: Vec<Vec<u16>> = parts.iter().map(|text| text.encode_utf16().collect()).collect();
//! let texts: Vec<Text> = (0..)
//!     .zip(&units)
//!     .map(|(part, units)| Text { part, kind: TextKind::Part, units })
//!     .collect();
//! let message = Message { texts: &texts, parts: 3, has_more: false };
//!
//! let mut deduper = HistoryDeduper::new(DedupeOptions::default())?;
//! let plan = deduper.push(0, 0, &message);
//! assert_eq!((plan[0].part, plan[0].action), (1, Action::Drop));
//! assert_eq!(plan.len(), 1);
//! assert_eq!(deduper.report().blocks_removed, 1);
//! # Ok::<(), turnkeeper_core::Error>(())
//! ```

mod blocks;
mod message;
mod options;
mod quoting;
mod reads;
mod report;
mod sections;
mod turn;

pub use self::message::{Action, Edit, Message, Plan, Text, TextKind};
pub use self::options::{CacheState, DEFAULT_TAG, DedupeOptions, KeepBlock, KeepSections};
pub use self::report::{DedupeChange, DedupeReason, DedupeReport, DedupeWaiting, RepeatedFileRead};
pub use self::turn::{OnExisting, StackItem, TurnPlan, TurnStack};

use std::ops::Range;

use self::blocks::{Block, Tag};
use self::message::{Layout, Older, Outcome};
use self::reads::Reads;
use crate::error::Error;
use turnkeeper_kernels::Size;

pub(crate) const MACHINE: &str = "history_deduper";

/// Repairs the user messages of one history. See the [module](self) for its promise.
///
/// There are two ways to use it. [`push`](Self::push) repairs a message by itself, in time
/// proportional to that message. For a whole history, say with
/// [`expect_user_messages`](Self::expect_user_messages) how many there are,
/// [`read`](Self::read) each of them, and take the plans from [`finish`](Self::finish): only then
/// can older messages be rewritten for `recent`, `sections` and `repeated_file_reads`.
#[derive(Debug, Clone)]
pub struct HistoryDeduper {
    options: DedupeOptions,
    tags: Vec<Tag>,
    user_messages: Option<u64>,
    read: Vec<Pending>,
    /// For each tag, the block before.
    before: Vec<Option<Before>>,
    /// What was pushed, for telling what waits.
    aged: Vec<Aged>,
    reads: Reads,
    newest_user_message: u64,
    /// Whether the plans of a whole history were made while the cache was cold.
    rewrites_older: bool,
    report: DedupeReport,
}

/// A message whose plan is not final.
#[derive(Debug, Clone)]
struct Pending {
    index: u32,
    layout: Layout,
}

#[derive(Debug, Clone)]
struct Before {
    units: Vec<u16>,
    /// The place of its message among those that are pending, and its own among the blocks there.
    place: (usize, usize),
}

/// A block that was pushed, and what sections would save of it.
#[derive(Debug, Clone, Copy)]
struct Aged {
    tag: usize,
    user_message: u64,
    whole: Size,
    saved: Size,
    may_go: bool,
}

impl HistoryDeduper {
    /// Makes a deduper.
    ///
    /// # Errors
    /// `invalid_config`, naming the option, for tags that are no names, named twice or none.
    pub fn new(options: DedupeOptions) -> Result<Self, Error> {
        options.check_tags()?;
        let (mut tags, mut before) = (Vec::new(), Vec::new());
        for name in options.tag_names() {
            tags.push(Tag::new(name));
            before.push(None);
        }
        Ok(Self {
            tags,
            before,
            options,
            user_messages: None,
            read: Vec::new(),
            aged: Vec::new(),
            reads: Reads::default(),
            newest_user_message: 0,
            rewrites_older: false,
            report: DedupeReport::default(),
        })
    }

    /// Says how many user messages the history has that [`read`](Self::read) will be given; those
    /// that hold no block count, too.
    pub fn expect_user_messages(&mut self, count: u64) {
        self.user_messages = Some(count);
    }

    /// Whether every message with a block has to be read, even one that needs no repair by itself.
    pub fn looks_at_every_block(&self) -> bool {
        self.options.recent.is_some() || self.changes_sections()
    }

    /// Repairs a message by itself: the one at `index` in the history, the user message with the
    /// number `user_message`, both from 0.
    pub fn push(&mut self, index: u32, user_message: u64, message: &Message) -> Plan {
        let layout = self.layout(message);
        let (plan, outcome) = layout.edits(false);
        self.add(index, outcome);
        self.newest_user_message = user_message;
        if self.looks_at_every_block() {
            self.age(&layout, message, user_message);
        }
        plan
    }

    /// Takes in a message of a whole history, as [`push`](Self::push) does; messages come in their
    /// order.
    pub fn read(&mut self, index: u32, user_message: u64, message: &Message) {
        let mut layout = self.layout(message);
        if self.looks_at_every_block() {
            let is_old = self.options.recent.zip(self.user_messages);
            let is_old = is_old.is_some_and(|(recent, all)| user_message + recent < all);
            let may_go = is_old && layout.has_more;
            let pending = self.read.len();
            for (place, found) in layout.found.iter_mut().enumerate() {
                if !found.is_kept {
                    continue;
                }
                if may_go {
                    found.older = Older::Goes;
                } else if self.changes_sections() {
                    let units = message.texts[found.text].units;
                    if let Some((left, size)) = self.shrink(units, found.block, (pending, place)) {
                        found.older = Older::Shrinks(left, size);
                    }
                }
            }
        }
        self.read.push(Pending { index, layout });
    }

    /// The result of a tool that reads files, at that place of that message; `key` tells the file
    /// and what was read of it, and `path` is shown. Called in the order of the history, for the
    /// messages as they are after their repair.
    pub fn file_read(&mut self, index: u32, part: u32, key: &str, path: &str, units: &[u16]) {
        self.reads
            .add(key, path, (index, part), units, Size::of(units));
    }

    /// The plans of all messages that were [read](Self::read) and have to change, with their
    /// places, in their order. The file contents that are to give way are in the
    /// [report](Self::report).
    pub fn finish(&mut self) -> Vec<(u32, Plan)> {
        // The newest block of each tag stays whole.
        for before in self.before.iter().flatten() {
            let (pending, place) = before.place;
            if let Some(pending) = self.read.get_mut(pending)
                && let Some(found) = pending.layout.found.get_mut(place)
            {
                found.older = Older::Stays;
            }
        }
        let is_cold = self.options.is_cold();
        let mut plans = Vec::new();
        let read = std::mem::take(&mut self.read);
        for Pending { index, layout } in &read {
            let index = *index;
            let (plan, outcome) = layout.edits(is_cold);
            self.add(index, outcome);
            if !is_cold {
                let waits = layout.edits(true).1;
                let waiting = &mut self.report.waiting;
                waiting.blocks += waits.blocks - outcome.blocks;
                waiting.shortened += waits.shortened;
                let size = waits.gone - outcome.gone;
                waiting.characters += size.units;
                waiting.tokens += size.tokens();
            }
            if !plan.is_empty() {
                plans.push((index, plan));
            }
        }
        self.rewrites_older = is_cold;
        plans
    }

    /// What was done so far, and what waits. Its cost grows with the number of changes and, with
    /// `recent` or `sections`, of blocks.
    pub fn report(&self) -> DedupeReport {
        let mut report = DedupeReport {
            changes: self.report.changes.clone(),
            file_reads: Vec::new(),
            ..self.report
        };
        self.count_aged(&mut report.waiting);
        let repeated = self.reads.repeated();
        if self.rewrites_older {
            report.file_reads = repeated;
            return report;
        }
        for read in &repeated {
            report.waiting.file_reads += 1;
            report.waiting.characters += read.characters;
            report.waiting.tokens += read.tokens;
        }
        report
    }

    /// The names of the tags.
    pub fn tags(&self) -> Vec<&str> {
        self.options.tag_names()
    }

    /// Whether blocks at the end of other texts count.
    pub fn is_embedded(&self) -> bool {
        self.options.embedded.unwrap_or_default()
    }

    /// The tools whose results [`file_read`](Self::file_read) has to be told of; none unless
    /// `repeated_file_reads` is set.
    pub fn read_tools(&self) -> Vec<&str> {
        if self.options.repeated_file_reads.unwrap_or_default() {
            self.options.read_tool_names()
        } else {
            Vec::new()
        }
    }

    fn changes_sections(&self) -> bool {
        self.options.sections == Some(KeepSections::Changed)
    }

    fn layout(&self, message: &Message) -> Layout {
        let mut layout = Layout::read(message, &self.tags, self.is_embedded());
        layout.keep_one(self.options.keep.unwrap_or_default(), self.tags.len());
        layout.measure(message, self.looks_at_every_block());
        layout.place(message.parts);
        layout
    }

    fn add(&mut self, index: u32, outcome: Outcome) {
        if let Some(reason) = outcome.reason {
            self.report.add(DedupeChange {
                index,
                blocks: outcome.blocks,
                characters: outcome.gone.units,
                tokens: outcome.gone.tokens(),
                reason,
            });
        }
    }

    /// What is left of a block without the sections that stand in the block before, and how much
    /// that is. The next block's block before is this one.
    fn shrink(
        &mut self,
        units: &[u16],
        block: Block,
        place: (usize, usize),
    ) -> Option<(Vec<Range<usize>>, Size)> {
        let range = block.start..block.end;
        let before = Before {
            units: units[range.clone()].to_vec(),
            place,
        };
        let before = self.before[block.tag].replace(before)?;
        let closing = self.tags[block.tag].closing();
        let left = sections::changed(&before.units, units, range, closing)?;
        let mut size = Size::default();
        for range in &left {
            size += Size::of(&units[range.start..range.end]);
        }
        Some((left, size))
    }

    /// Remembers what could go of a message once it is an older one.
    fn age(&mut self, layout: &Layout, message: &Message, user_message: u64) {
        for found in &layout.found {
            if !found.is_kept {
                continue;
            }
            let mut saved = Size::default();
            if self.changes_sections() {
                let units = message.texts[found.text].units;
                if let Some((_, left)) = self.shrink(units, found.block, (0, 0)) {
                    saved = found.size - left;
                }
            }
            self.aged.push(Aged {
                tag: found.block.tag,
                user_message,
                whole: found.size,
                saved,
                may_go: layout.has_more,
            });
        }
    }

    fn count_aged(&self, waiting: &mut DedupeWaiting) {
        let mut first = vec![true; self.tags.len()];
        let mut newest = vec![0; self.tags.len()];
        for (at, aged) in self.aged.iter().enumerate() {
            newest[aged.tag] = at;
        }
        for (at, aged) in self.aged.iter().enumerate() {
            let recent = self.options.recent;
            let is_old =
                recent.is_some_and(|recent| aged.user_message + recent <= self.newest_user_message);
            let size = if is_old && aged.may_go {
                first[aged.tag] = true;
                waiting.blocks += 1;
                aged.whole
            } else {
                let is_first = std::mem::take(&mut first[aged.tag]);
                if is_first || newest[aged.tag] == at || aged.saved == Size::default() {
                    continue;
                }
                waiting.shortened += 1;
                aged.saved
            };
            waiting.characters += size.units;
            waiting.tokens += size.tokens();
        }
    }
}
