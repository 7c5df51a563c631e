//! A history before and after a repair, and the repaired file.
//!
//! Older messages change by what newer ones say, so the page hands the file over twice: once to decide, and once to look
//! at the blocks of each message or to write the file.

use serde::Serialize;
use turnkeeper_base::Error;
use turnkeeper_base::json::{Json, applied, written};
use turnkeeper_history_deduper::{
    DedupeKinds, DedupeOptions, HistoryEdits, HistoryReading, MessageFate,
};
use turnkeeper_sessions::{Piece, Record, SessionReader};

use super::blocks::{Block, BlockKind, Fate, blocks_of, compared};
use super::strip::{StripPiece, strip_of};
use crate::outdated::{TAGS, message_of};
use crate::plain_text::one_line;

/// The units of a block's text that are shown.
const EXCERPT: usize = 400;

/// What is made of the second reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// The blocks of each message, before and after.
    Blocks,
    /// The bytes of the repaired file.
    Bytes,
}

/// The repair of a history.
#[derive(Debug)]
pub struct PageRepair {
    name: String,
    wanted: Wanted,
    reader: SessionReader,
    /// What is read for the first time.
    reading: Option<HistoryReading>,
    repaired: Option<Repaired>,
}

/// A history of which it is decided what changes.
#[derive(Debug)]
struct Repaired {
    edits: HistoryEdits,
    /// The messages so far, and those of them that change.
    messages: u32,
    changed: u32,
    rows: Vec<BlockRow>,
    before: Sizes,
    after: Sizes,
    bytes: Vec<u8>,
}

/// A row of the list of blocks.
#[derive(Debug, Clone, PartialEq, Serialize)]
struct BlockRow {
    /// The message, from 0.
    message: u32,
    kind: BlockKind,
    fate: Fate,
    tokens: u64,
    excerpt: String,
}

/// Tokens by kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
struct Sizes {
    system: u64,
    environment: u64,
    user: u64,
    text: u64,
    reasoning: u64,
    calls: u64,
    results: u64,
    images: u64,
    total: u64,
}

/// Things of one kind that gave way.
#[derive(Debug, Serialize)]
struct Gone {
    kind: &'static str,
    items: u32,
    tokens: u32,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct JudgedHistory {
    messages: u32,
    messages_changed: u32,
    tokens_saved: u32,
    before: Sizes,
    after: Sizes,
    gone: Vec<Gone>,
    strip: Vec<StripPiece>,
    rows: usize,
}

impl PageRepair {
    /// A repair of the file of this name.
    ///
    /// # Errors
    /// `invalid_config`, naming the option, for options that do not fit.
    pub fn new(name: &str, options: DedupeOptions, wanted: Wanted) -> Result<Self, Error> {
        let tags = options.tags.or_else(|| Some(TAGS.map(str::to_owned).into()));
        let reading = HistoryReading::new(DedupeOptions { tags, ..options })?;
        Ok(Self {
            name: name.to_owned(),
            wanted,
            reader: SessionReader::new(name),
            reading: Some(reading),
            repaired: None,
        })
    }

    /// Takes the next bytes for the first time. Returns whether more of them are wanted.
    pub fn read(&mut self, bytes: &[u8]) -> bool {
        let Some(reading) = &mut self.reading else {
            return false;
        };
        self.reader.push(bytes, &mut |piece| take(reading, piece)).is_ok()
    }

    /// Decides what changes, once the whole file was read. The file comes again then.
    pub fn decide(&mut self) {
        let Some(mut reading) = self.reading.take() else {
            return;
        };
        // A file that breaks off is repaired up to there.
        let _ = self.reader.end(&mut |piece| take(&mut reading, piece));
        self.reader = SessionReader::new(&self.name);
        self.repaired = Some(Repaired {
            edits: reading.finish(),
            messages: 0,
            changed: 0,
            rows: Vec::new(),
            before: Sizes::default(),
            after: Sizes::default(),
            bytes: Vec::new(),
        });
    }

    /// Takes the next bytes for the second time.
    pub fn repair(&mut self, bytes: &[u8]) {
        if let Some(repaired) = &mut self.repaired {
            let wanted = self.wanted;
            let _ = self.reader.push(bytes, &mut |piece| repaired.take(piece, wanted));
        }
    }

    /// Ends the file for the second time.
    pub fn end(&mut self) {
        if let Some(repaired) = &mut self.repaired {
            let wanted = self.wanted;
            let _ = self.reader.end(&mut |piece| repaired.take(piece, wanted));
        }
    }

    /// The bytes of the repaired file since this was asked last.
    pub fn bytes(&mut self) -> Vec<u8> {
        let repaired = self.repaired.as_mut();
        repaired.map_or_else(Vec::new, |it| std::mem::take(&mut it.bytes))
    }

    /// The history before and after, as JSON; none if the file has no message.
    pub fn judged(&self) -> Option<String> {
        let repaired = self.repaired.as_ref().filter(|it| it.messages > 0)?;
        let report = &repaired.edits.report;
        let rows = repaired.rows.iter();
        Some(written(&JudgedHistory {
            messages: repaired.messages,
            messages_changed: repaired.changed,
            tokens_saved: report.tokens_saved,
            before: repaired.before,
            after: repaired.after,
            gone: gone(&report.kinds),
            strip: strip_of(rows.map(|row| (row.kind, row.fate, row.tokens))),
            rows: repaired.rows.len(),
        }))
    }

    /// Some rows of the list of blocks, from `from` up to `to`, as JSON.
    pub fn rows(&self, from: usize, to: usize) -> String {
        let rows = self.repaired.as_ref().map_or(&[][..], |it| &it.rows);
        let to = to.min(rows.len());
        written(rows.get(from..to).unwrap_or_default())
    }
}

fn take(reading: &mut HistoryReading, piece: &Piece) {
    let Some(record) = &piece.record else {
        return;
    };
    if let Some(root) = &record.facts.working_directory {
        reading.set_root(root);
    }
    if let Some(message) = message_of(record) {
        reading.take(message);
    }
}

impl Repaired {
    fn take(&mut self, piece: &Piece, wanted: Wanted) {
        if let Some(message) = piece.record.as_ref().and_then(message_of) {
            self.compare(message);
        }
    }

    fn compare(&mut self, message: &Json) {
        let number = self.messages;
        self.messages += 1;
        let before = blocks_of(message);
        let after = match self.edits.of(number, message) {
            MessageFate::Changes(edits) => Some(blocks_of(&applied(message, &edits))),
            // A message that holds nothing but a second result of a call stays in its file.
            MessageFate::Stays | MessageFate::Goes => None,
        };
        self.changed += u32::from(after.is_some());
        let after = after.as_ref().unwrap_or(&before);
        let Self {
            rows,
            before: sizes_before,
            after: sizes_after,
            ..
        } = self;
        compared(&before, after, |block, fate| {
            let tokens = u64::from(block.size().tokens());
            if fate != Fate::New {
                sizes_before.add(block.kind, tokens);
            }
            if fate != Fate::Removed {
                sizes_after.add(block.kind, tokens);
            }
            rows.push(BlockRow {
                message: number,
                kind: block.kind,
                fate,
                tokens,
                excerpt: one_line(&block.text, EXCERPT),
            });
        });
    }
}

impl Sizes {
    fn add(&mut self, kind: BlockKind, tokens: u64) {
        let sum = match kind {
            BlockKind::System => &mut self.system,
            BlockKind::Environment => &mut self.environment,
            BlockKind::User => &mut self.user,
            BlockKind::Text => &mut self.text,
            BlockKind::Reasoning => &mut self.reasoning,
            BlockKind::Calls => &mut self.calls,
            BlockKind::Results => &mut self.results,
            BlockKind::Images => &mut self.images,
        };
        *sum += tokens;
        self.total += tokens;
    }
}

fn gone(kinds: &DedupeKinds) -> Vec<Gone> {
    let all = [
        ("duplicate", kinds.duplicate),
        ("environment", kinds.environment),
        ("file", kinds.file),
        ("result", kinds.result),
        ("write", kinds.write),
    ];
    let gone = all.iter().filter(|(_, totals)| totals.items > 0);
    let gone = gone.map(|&(kind, totals)| Gone {
        kind,
        items: totals.items,
        tokens: totals.tokens,
    });
    gone.collect()
}
