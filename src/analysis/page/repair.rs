//! A history before and after a repair, and the repaired file.
//!
//! Older messages change by what newer ones say, so the page hands the file over twice: once to decide, and once to look
//! at the blocks of each message or to write the file.

use std::rc::Rc;

use serde::Serialize;
use turnkeeper_agents::sessions::{Piece, SessionReader};
use turnkeeper_base::Error;
use turnkeeper_base::json::{Json, written};
use turnkeeper_history_deduper::{DedupeKinds, DedupeOptions};

use super::blocks::{BlockKind, Fate, blocks_of, compared};
use super::kind_tokens::{KindTokens, Sizes, apportioned, before_and_after};
use super::strip::{StripPiece, strip_of};
use crate::outdated::message_of;
use crate::plain_text::one_line;
use crate::repair::{Repair, RepairPlan, RepairTotals, Rewriting};

/// The units of a block's text that are shown.
const EXCERPT: usize = 400;

/// The product of the second reading.
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
    stage: Stage,
}

#[derive(Debug)]
enum Stage {
    Reading(Box<Repair>),
    Blocks(Box<Repaired>),
    Bytes(Box<Rewriting<Rc<RepairPlan>>>, Vec<u8>),
    /// It is decided what changes, or nothing can be read.
    Over,
}

/// The blocks of a history, as far as it was read for the second time.
#[derive(Debug)]
struct Repaired {
    totals: RepairTotals,
    plan: RepairPlan,
    /// The messages so far.
    messages: u32,
    rows: Vec<BlockRow>,
    before: Sizes,
    after: Sizes,
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

/// Things of one kind that gave way.
#[derive(Debug, Serialize)]
struct Gone {
    kind: &'static str,
    items: u32,
    tokens: u64,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct JudgedHistory {
    messages: u32,
    messages_changed: u32,
    tokens_saved: u32,
    before: KindTokens,
    after: KindTokens,
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
        Ok(Self {
            name: name.to_owned(),
            wanted,
            reader: SessionReader::new(name),
            stage: Stage::Reading(Box::new(Repair::new(options)?)),
        })
    }

    /// Takes the next bytes for the first time. Returns whether more of them are wanted.
    pub fn read(&mut self, bytes: &[u8]) -> bool {
        let Stage::Reading(repair) = &mut self.stage else {
            return false;
        };
        self.reader
            .push(bytes, &mut |piece| repair.take(piece))
            .is_ok()
    }

    /// Decides what changes, once the whole file was read. The file comes again then.
    pub fn decide(&mut self) {
        let Stage::Reading(mut repair) = std::mem::replace(&mut self.stage, Stage::Over) else {
            return;
        };
        // A file of which nothing can be read has no message, and nothing changes of it.
        let _ = self.reader.end(&mut |piece| repair.take(piece));
        let is_lines = self.reader.unit() == "line";
        self.reader = SessionReader::new(&self.name);
        let (totals, plan) = repair.end();
        self.stage = match self.wanted {
            Wanted::Bytes => {
                let rewriting = Rewriting::new(Rc::new(plan), is_lines);
                Stage::Bytes(Box::new(rewriting), Vec::new())
            }
            Wanted::Blocks => Stage::Blocks(Box::new(Repaired {
                totals,
                plan,
                messages: 0,
                rows: Vec::new(),
                before: Sizes::default(),
                after: Sizes::default(),
            })),
        };
    }

    /// Takes the next bytes for the second time.
    pub fn repair(&mut self, bytes: &[u8]) {
        let stage = &mut self.stage;
        // It was read before.
        let _ = self.reader.push(bytes, &mut |piece| stage.take(piece));
    }

    /// Ends the file for the second time.
    pub fn end(&mut self) {
        let stage = &mut self.stage;
        let _ = self.reader.end(&mut |piece| stage.take(piece));
        if let Stage::Bytes(rewriting, bytes) = stage {
            rewriting.end(bytes);
        }
    }

    /// The bytes of the repaired file since this was asked last.
    pub fn bytes(&mut self) -> Vec<u8> {
        match &mut self.stage {
            Stage::Bytes(_, bytes) => std::mem::take(bytes),
            _ => Vec::new(),
        }
    }

    /// The history before and after, as JSON; none if the file has no message.
    pub fn judged(&self) -> Option<String> {
        let repaired = self.repaired().filter(|it| it.messages > 0)?;
        let totals = &repaired.totals;
        let rows = repaired.rows.iter();
        let saved = totals.tokens_removed.into();
        let (before, after) = before_and_after(&repaired.before, &repaired.after, saved);
        Some(written(&JudgedHistory {
            messages: repaired.messages,
            messages_changed: totals.messages_changed,
            tokens_saved: totals.tokens_removed,
            before,
            after,
            gone: totals
                .kinds
                .as_ref()
                .map_or_else(Vec::new, |kinds| gone(kinds, saved)),
            strip: strip_of(rows.map(|row| (row.kind, row.fate, row.tokens))),
            rows: repaired.rows.len(),
        }))
    }

    /// Some rows of the list of blocks, from `from` up to `to`, as JSON.
    pub fn rows(&self, from: usize, to: usize) -> String {
        let rows = self.repaired().map_or(&[][..], |it| &it.rows);
        let to = to.min(rows.len());
        written(rows.get(from..to).unwrap_or_default())
    }

    fn repaired(&self) -> Option<&Repaired> {
        match &self.stage {
            Stage::Blocks(repaired) => Some(repaired),
            _ => None,
        }
    }
}

impl Stage {
    fn take(&mut self, piece: &Piece) {
        match self {
            Self::Blocks(repaired) => {
                if let Some(message) = piece.record.as_ref().and_then(message_of) {
                    repaired.compare(message);
                }
            }
            Self::Bytes(rewriting, bytes) => rewriting.take(piece, bytes),
            Self::Reading(_) | Self::Over => {}
        }
    }
}

impl Repaired {
    fn compare(&mut self, message: &Json) {
        let number = self.messages;
        self.messages += 1;
        let before = blocks_of(message);
        let instead = self.plan.instead_of(number, message);
        let instead = instead.map(|messages| messages.iter().flat_map(blocks_of).collect());
        let after: &Vec<_> = instead.as_ref().unwrap_or(&before);
        compared(&before, after, |block, fate| {
            let size = block.size();
            if fate != Fate::New {
                self.before.add(block.kind, size);
            }
            if fate != Fate::Removed {
                self.after.add(block.kind, size);
            }
            self.rows.push(BlockRow {
                message: number,
                kind: block.kind,
                fate,
                tokens: size.tokens().into(),
                excerpt: one_line(&block.text, EXCERPT),
            });
        });
    }
}

/// The tokens of all kinds together are those that are saved, although each was rounded by itself.
fn gone(kinds: &DedupeKinds, saved: u64) -> Vec<Gone> {
    let all = [
        ("duplicate", kinds.duplicate),
        ("environment", kinds.environment),
        ("file", kinds.file),
        ("result", kinds.result),
        ("write", kinds.write),
    ];
    let tokens = apportioned(saved, all.map(|(_, totals)| totals.tokens.into()));
    let gone = all
        .iter()
        .zip(tokens)
        .filter(|((_, totals), _)| totals.items > 0);
    let gone = gone.map(|(&(kind, totals), tokens)| Gone {
        kind,
        items: totals.items,
        tokens,
    });
    gone.collect()
}
