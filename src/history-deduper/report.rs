//! The report: what was removed, and what waits to be.

use serde::Serialize;
use turnkeeper_base::text::Size;

/// The reason why a message was changed. Of several reasons the last of these counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS, documented::DocumentedFields)
)]
#[serde(rename_all = "snake_case")]
pub enum DedupeReason {
    /// Its block was not at the end.
    Moved,
    /// It held several blocks.
    Duplicates,
    /// Sections of its block are in the block before.
    Sections,
    /// It is older than `recent` allows.
    Recent,
    /// It held a result that came again, or a second one of a call.
    Results,
    /// It held a whole file as an argument, of which there is a newer copy.
    Writes,
    /// It held a copy of a file of which there is a newer one.
    Files,
}

/// The change of one message. Characters are UTF-16 code units.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct DedupeChange {
    /// The message's index in the history.
    pub index: u32,
    /// The number of blocks that went. A block that was only moved did not go.
    pub blocks: u32,
    /// The text that went.
    pub characters: u32,
    /// The same as estimated tokens: one for each Han, Kana or Hangul character, and one for every
    /// four units of the rest.
    pub tokens: u32,
    /// The reason.
    pub reason: DedupeReason,
}

/// Things of one kind that went.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct KindTotals {
    /// Their number.
    pub items: u32,
    /// The text that went, in UTF-16 code units.
    pub characters: u32,
    /// The same as estimated tokens.
    pub tokens: u32,
    /// The same characters, times the requests that carried them: those that the history's assistant
    /// messages answered.
    pub request_characters: u64,
}

/// The sums of what went, by what it was.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct DedupeKinds {
    /// Blocks of which their message has another, and results whose calls have others.
    pub duplicate: KindTotals,
    /// Blocks that a newer message replaces, and sections of them.
    pub environment: KindTotals,
    /// Copies of files of which the history shows a newer one.
    pub file: KindTotals,
    /// Results of tools that came again.
    pub result: KindTotals,
    /// Copies of files that are arguments of calls.
    pub write: KindTotals,
}

impl KindTotals {
    /// Adds things that went, which that many requests have carried so far.
    pub(super) fn add(&mut self, items: u32, characters: u32, tokens: u32, requests: u32) {
        self.items += items;
        self.characters += characters;
        self.tokens += tokens;
        self.request_characters += u64::from(characters) * u64::from(requests);
    }

    pub(super) fn add_size(&mut self, items: u32, size: Size, requests: u32) {
        self.add(items, size.units, size.tokens(), requests);
    }
}

impl DedupeKinds {
    /// Counts another request, which carried all of them.
    pub(super) fn request_made(&mut self) {
        let Self {
            duplicate,
            environment,
            file,
            result,
            write,
        } = self;
        for kind in [duplicate, environment, file, result, write] {
            kind.request_characters += u64::from(kind.characters);
        }
    }
}

/// The things that could go, but have to wait until the prompt cache is cold.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct DedupeWaiting {
    /// The number of whole blocks that would go.
    pub blocks: u32,
    /// The number of the others that would lose sections.
    pub shortened: u32,
    /// The number of copies of files that would give way, in texts and in arguments.
    pub files: u32,
    /// The number of results that would.
    pub results: u32,
    /// All text that would go, in UTF-16 code units.
    pub characters: u32,
    /// The same as estimated tokens.
    pub tokens: u32,
}

/// The report of what was done to a history.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct DedupeReport {
    /// The number of messages that were changed.
    pub messages_changed: u32,
    /// The number of blocks that went.
    pub blocks_removed: u32,
    /// The text that went, in UTF-16 code units.
    pub characters_saved: u32,
    /// The same as estimated tokens.
    pub tokens_saved: u32,
    /// The same by what went.
    pub kinds: DedupeKinds,
    /// The messages, in their order.
    pub changes: Vec<DedupeChange>,
    /// The work of the options for older messages, if they may not do it now.
    pub waiting: DedupeWaiting,
}

impl DedupeReport {
    /// Adds a change, in the order of the messages. Changes of one message are one.
    pub(super) fn add(&mut self, change: DedupeChange) {
        self.blocks_removed += change.blocks;
        self.characters_saved += change.characters;
        self.tokens_saved += change.tokens;
        let last = self.changes.last_mut();
        if let Some(last) = last.filter(|last| last.index == change.index) {
            last.blocks += change.blocks;
            last.characters += change.characters;
            last.tokens += change.tokens;
            last.reason = last.reason.max(change.reason);
            return;
        }
        self.messages_changed += 1;
        self.changes.push(change);
    }
}
