//! Repairs of saved histories: blocks that a message has twice, with an economy what newer messages say better, and what
//! providers refuse: calls and results that do not fit, and texts that say nothing.
//!
//! A file is read twice: [`Repair`] looks at it and says what is to be done, and [`Rewriting`] writes it so. What does not
//! change stays as it is, byte for byte.
//!
//! | file | |
//! |---|---|
//! | `pairs.rs` | which calls and results do not fit |
//! | `results.rs` | results as each provider has them |
//! | `chain.rs` | the lines of Claude Code's sessions |
//! | `empties.rs` | texts that say nothing |
//! | `fate.rs` | what becomes of a message |
//! | `writing.rs` | the repaired file |

mod chain;
mod empties;
mod fate;
mod pairs;
mod results;
#[cfg(test)]
mod tests;
mod writing;

use rustc_hash::FxHashSet;
use serde::Serialize;
use turnkeeper_agents::sessions::{Piece, Record};
use turnkeeper_base::Error;
use turnkeeper_base::json::{Json, applied};
use turnkeeper_history_deduper::shapes::View;
use turnkeeper_history_deduper::{
    DedupeKinds, DedupeOptions, HistoryEdits, HistoryReading, MessageRole,
};

use self::chain::{Chain, Line, LineRepairs};
use self::empties::Empties;
use self::fate::Fate;
use self::pairs::{FreePairs, PairRepairs, Pairs};
pub use self::writing::Rewriting;
use super::outdated::{TAGS, message_of};

/// Everything that a repair does. Characters are UTF-16 units, and tokens are estimated.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RepairTotals {
    /// The messages of the history.
    pub messages: u32,
    /// Those that change, go or come.
    pub messages_changed: u32,
    /// Blocks of environment that go.
    pub blocks_removed: u32,
    /// The text that gives way.
    pub characters_removed: u32,
    /// The same in tokens.
    pub tokens_removed: u32,
    /// Results and calls that do not fit.
    pub results: ResultTotals,
    /// Texts that say nothing, which go; words that say so take the place of one that has to be there.
    pub empty_texts: u32,
    /// The text by what gives way, if older messages are shortened as well.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kinds: Option<DedupeKinds>,
}

/// Results and calls that do not fit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct ResultTotals {
    /// Second results of a call, which go.
    pub doubled: u32,
    /// Results without a call. They go, or become words of the user where nothing else would be left of a message.
    pub orphaned: u32,
    /// Calls without a result, which get one that says so.
    pub missing: u32,
    /// Results that come too late, which are put after their calls.
    pub moved: u32,
    /// Calls at the end of the history that have no result yet. They are left: an agent may be at work, or answers them
    /// when it goes on.
    pub waiting: u32,
}

impl ResultTotals {
    /// Those for which something is done.
    pub fn mended(&self) -> u32 {
        self.doubled + self.orphaned + self.missing + self.moved
    }
}

/// Looks at a history piece by piece. Of its messages sizes, hashes, paths and places alone are kept, and the texts of the
/// newest.
#[derive(Debug, Clone)]
pub struct Repair {
    reading: HistoryReading,
    shortens: bool,
    messages: u32,
    pairs: Pairs,
    empties: Empties,
    /// Of items of OpenAI's Responses, or of Claude Code's lines.
    free: FreePairs,
    chain: Option<Chain>,
}

impl Repair {
    /// A repair that has seen nothing. Without an economy or the like, older messages stay as they are but for calls and
    /// results that do not fit.
    ///
    /// # Errors
    /// `invalid_config`, naming the option, for options that do not fit.
    pub fn new(mut options: DedupeOptions) -> Result<Self, Error> {
        let shortens = options.economy.is_some();
        if shortens && options.tags.is_none() {
            options.tags = Some(TAGS.map(str::to_owned).into());
        }
        Ok(Self {
            reading: HistoryReading::new(options)?,
            shortens,
            messages: 0,
            pairs: Pairs::default(),
            empties: Empties::default(),
            free: FreePairs::default(),
            chain: None,
        })
    }

    /// Takes in the next piece of the file.
    pub fn take(&mut self, piece: &Piece) {
        let Some(record) = &piece.record else { return };
        if let Some(root) = &record.facts.working_directory {
            self.reading.set_root(root);
        }
        let message = message_of(record);
        if is_enveloped(record) {
            self.chain.get_or_insert_default();
        }
        let view = message.and_then(|message| View::of(message, true));
        let index = self.messages;
        match &view {
            Some(view) => self.take_message(index, view),
            None => {
                if let Some(message) = message {
                    self.reading.take(message);
                }
            }
        }
        self.messages += u32::from(message.is_some());
        if let Some(chain) = &mut self.chain
            && let Some(line) = Line::of(piece.bytes)
        {
            let message = message.map(|message| {
                let is_result = view.as_ref().is_some_and(holds_results_alone);
                (index, message, is_result)
            });
            chain.take(line, message, &mut self.free);
        }
    }

    fn take_message(&mut self, index: u32, view: &View) {
        self.reading.take_view(view);
        self.empties.take(index, view, self.chain.is_some());
        let is_item = view.message().get("role").is_none() && view.list() == "content";
        if self.chain.is_some() || is_item {
            self.free.take(index, view);
        } else {
            self.pairs.take(index, view);
            self.free.said(index);
        }
    }

    /// The plan, and its totals.
    pub fn end(self) -> (RepairTotals, RepairPlan) {
        let edits = self.reading.finish();
        let (mut pairs, lines) = match &self.chain {
            Some(chain) => chain.repairs(self.free),
            None => (pairs::of_items(self.free), LineRepairs::default()),
        };
        pairs.add(self.pairs.end());
        let report = &edits.report;
        let changed = report.changes.iter().map(|change| change.index);
        let mended = pairs.messages().chain(self.empties.messages());
        let changed: FxHashSet<u32> = changed.chain(mended).collect();
        let added = pairs.after.values().map(Vec::len).sum::<usize>() as u32;
        let sum = |parts: &rustc_hash::FxHashMap<u32, Vec<usize>>| {
            parts.values().map(Vec::len).sum::<usize>() as u32
        };
        let totals = RepairTotals {
            messages: self.messages,
            messages_changed: changed.len() as u32 + added,
            blocks_removed: report.blocks_removed,
            characters_removed: report.characters_saved,
            tokens_removed: report.tokens_saved,
            results: ResultTotals {
                doubled: edits.second_results(),
                orphaned: sum(&pairs.orphans),
                missing: pairs.missing,
                moved: sum(&pairs.moved),
                waiting: pairs.waiting,
            },
            empty_texts: self.empties.texts,
            kinds: self.shortens.then_some(report.kinds),
        };
        let plan = RepairPlan {
            edits,
            pairs,
            empties: self.empties,
            chain: self.chain,
            lines,
        };
        (totals, plan)
    }
}

/// The plan of a repair.
#[derive(Debug, Clone)]
pub struct RepairPlan {
    edits: HistoryEdits,
    pairs: PairRepairs,
    empties: Empties,
    chain: Option<Chain>,
    lines: LineRepairs,
}

impl RepairPlan {
    fn fate(&self, index: u32, message: &Json) -> Fate {
        let fate = fate::of(&self.edits, &self.pairs, index, message);
        self.empties.and(fate, index, message)
    }

    /// The messages in the place of the one with this index, one after the other; `None` if it stays as it is.
    pub(crate) fn instead_of(&self, index: u32, message: &Json) -> Option<Vec<Json<'static>>> {
        let added = self.pairs.after.get(&index).map_or(&[][..], Vec::as_slice);
        let kept = match self.fate(index, message) {
            Fate::Stays if added.is_empty() => return None,
            Fate::Stays => Some(message.clone()),
            Fate::Changes(edits) => Some(applied(message, &edits)),
            Fate::Goes => None,
        };
        let kept = kept.map(Json::into_owned).into_iter();
        Some(kept.chain(added.iter().cloned()).collect())
    }
}

/// Whether the message is a field of its line, as Claude Code has it.
fn is_enveloped(record: &Record) -> bool {
    record.path.is_some_and(|path| path.len() > 1)
}

fn holds_results_alone(view: &View) -> bool {
    let parts = view.content().items();
    let is_result = |part: &Json| pairs::id_of_result(part).is_some();
    view.role == MessageRole::User && !parts.is_empty() && parts.iter().all(is_result)
}
