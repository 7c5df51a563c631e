//! The summaries of the turns, and one that replaces many when they take more room than the budget allows.
//!
//! Turn 1 and the newest three summaries always stay as they are. Of the turns between, the oldest
//! are shortened to their insights until the summaries take half of the budget, so that the beginning
//! of the prompt changes once in many turns and not in each. Then the host's model is asked for one
//! summary of the shortened turns: the fold. There is at most one fold, which takes in the one before
//! it. If what stays is still too much, the longest entries are shown without their middle.

use std::borrow::Cow;
use std::ops::{Range, RangeInclusive};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::MACHINE;
use super::diagnostic::Diagnostic;
use super::entry::Entry;
use super::fold::{FoldRequest, read_fold};
use super::prompt::BLANK_LINE;
use super::recall::Keywords;
use super::shortening::without_middle;
use super::sizes::{Sizes, level, size_of_entry, tokens};
use turnkeeper_base::error::{Error, ErrorCode};
use turnkeeper_base::text::Size;

const HEADING: &str = "=== ACCUMULATED MEMORY SUMMARIES ===\n";
/// This many of the newest summaries are never folded.
const NEVER_FOLDED: usize = 3;
/// Tokens of an entry that are shown however small the budget is.
const LEAST_SHOWN: u64 = 24;
/// The most tokens of the note that something is left out of an entry.
const CUT_NOTE: u64 = 10;

/// The room that the budget leaves for the summaries that prompts show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum BudgetFit {
    /// There is room for all.
    Whole,
    /// The longest are shown without their middle.
    Cut,
    /// There is no room even so.
    Over,
}

/// The summaries of all turns that have one, the fold, and how far older summaries are shortened.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Summaries {
    /// The summaries of single turns, in the order of the turns.
    pub(super) entries: Vec<Entry>,
    pub(super) folding: Folding,
    /// The sizes of the entries.
    #[serde(skip)]
    sizes: Sizes,
}

/// The fold, and how far older summaries are shortened.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Folding {
    pub(super) fold: Option<Entry>,
    /// The last turn that is shortened to its insights, after the start.
    pub(super) shortened_to: Option<u64>,
    /// The last turn of the request that was taken and is not answered, after the start.
    requested_to: Option<u64>,
}

impl Folding {
    /// The last turn before those that can still be shortened: the end of the fold, or turn 1, which
    /// is never shortened.
    fn start(&self) -> u64 {
        self.fold.as_ref().map_or(1, |fold| fold.last_turn)
    }
}

/// The parts of the text, in their order.
struct Shown<'a> {
    /// Turn 1 and the fold.
    first: [Option<&'a Entry>; 2],
    /// The places of the entries that are shortened to one.
    shortened: Range<usize>,
    /// The places of those after them.
    rest: Range<usize>,
}

impl Summaries {
    /// Measures summaries that were saved.
    pub(super) fn measure(&mut self) {
        self.sizes.update(&self.entries, 0);
    }

    /// Stores the entry of a turn, in the place of the one that it has, and keeps to the budget.
    pub(super) fn store(&mut self, entry: Entry, budget: Option<u64>) {
        let place = self.place_of(entry.first_turn);
        match place {
            Ok(place) => self.entries[place] = entry,
            Err(place) => self.entries.insert(place, entry),
        }
        let (Ok(place) | Err(place)) = place;
        self.sizes.update(&self.entries, place);
        self.keep_to(budget);
    }

    /// Whether a turn has a summary.
    pub(super) fn has(&self, turn: u64) -> bool {
        self.place_of(turn).is_ok()
    }

    fn place_of(&self, turn: u64) -> Result<usize, usize> {
        let turn_of = |entry: &Entry| entry.first_turn;
        self.entries.binary_search_by_key(&turn, turn_of)
    }

    /// The turns in whose summary or insights one of these words occurs.
    pub(super) fn turns_with(&self, keywords: &Keywords) -> impl Iterator<Item = u64> {
        let entries = self.entries.iter().filter(|entry| entry.says(keywords));
        entries.map(|entry| entry.first_turn)
    }

    /// The turns of the fold, if one of these words occurs in it. It takes in turns without a summary, too.
    pub(super) fn folded_with(&self, keywords: &Keywords) -> RangeInclusive<u64> {
        let fold = self.folding.fold.as_ref();
        let fold = fold.filter(|fold| fold.says(keywords));
        2..=fold.map_or(0, |fold| fold.last_turn)
    }

    /// The summaries under their heading, in at most the budget if there is room; empty without any.
    pub(super) fn text(&self, budget: Option<u64>) -> String {
        let mut texts = self.texts_if_shortened(self.folding.shortened_to);
        if let Some(budget) = budget.filter(|budget| self.tokens() > *budget) {
            let sizes: Vec<u64> = texts.iter().map(|text| tokens(text)).collect();
            // A blank line takes at most one token.
            let between = tokens(HEADING) + texts.len().saturating_sub(1) as u64;
            let most = level(&sizes, budget.saturating_sub(between)).max(LEAST_SHOWN);
            for text in &mut texts {
                // On one line, so that nothing that was within a line begins one.
                *text = without_middle(text, most, " ", CUT_NOTE);
            }
        }
        under_heading(&texts)
    }

    /// Whether the text has room in the budget.
    pub(super) fn fit(&self, budget: Option<u64>) -> BudgetFit {
        match budget {
            Some(most) if self.tokens() > most => {
                let has_room = self.has_room_if_cut(most) || tokens(&self.text(budget)) <= most;
                match has_room {
                    true => BudgetFit::Cut,
                    false => BudgetFit::Over,
                }
            }
            _ => BudgetFit::Whole,
        }
    }

    /// Whether entries that are cut have room for certain, as their sizes tell: each turn asks, so no text is written
    /// for it.
    fn has_room_if_cut(&self, budget: u64) -> bool {
        let shown = self.shown(self.folding.shortened_to);
        let first = shown.first.into_iter().flatten().map(size_of_entry);
        let shortened = self.sizes.shortened(&self.entries, shown.shortened);
        let rest = self.entries[shown.rest].iter().map(size_of_entry);
        let sizes = first.chain(shortened).chain(rest);
        // A blank line takes at most one token.
        let least = sizes.map(|size| u64::from(size.tokens()).min(LEAST_SHOWN) + 1);
        tokens(HEADING) + least.sum::<u64>() <= budget
    }

    /// The request to sum up the turns that are shortened, if there are any, handed out once.
    pub(super) fn take_request(&mut self, limit: u64) -> Option<FoldRequest> {
        if self.folding.requested_to.is_some() {
            return None;
        }
        let to_turn = self.folding.shortened_to?;
        self.folding.requested_to = Some(to_turn);
        Some(FoldRequest::new(&self.folded(to_turn), to_turn, limit))
    }

    /// Makes the answer to the request the fold.
    pub(super) fn answer_request(
        &mut self,
        answer: &Value,
        budget: Option<u64>,
    ) -> Result<Vec<Diagnostic>, Error> {
        let Some(to_turn) = self.folding.requested_to else {
            let message = "no fold request was taken";
            return Err(Error::new(ErrorCode::WrongOrder, MACHINE, message));
        };
        let first = self.folded(to_turn).first().map(|entry| entry.first_turn);
        let (fold, diagnostics) = read_fold(answer, (first.unwrap_or(to_turn), to_turn))?;
        self.folding = Folding {
            fold: Some(fold),
            ..Folding::default()
        };
        self.keep_to(budget);
        Ok(diagnostics)
    }

    pub(super) fn drop_request(&mut self) {
        self.folding.requested_to = None;
    }

    /// The fold, and the summaries after it up to a turn.
    fn folded(&self, to_turn: u64) -> Vec<&Entry> {
        let summaries = &self.entries[self.places(self.folding.start(), to_turn)];
        self.folding.fold.iter().chain(summaries).collect()
    }

    /// The places of the summaries of the turns after one turn and up to another.
    fn places(&self, after_turn: u64, to_turn: u64) -> Range<usize> {
        let place_after = |turn| {
            self.entries
                .partition_point(|entry| entry.first_turn <= turn)
        };
        place_after(after_turn)..place_after(to_turn)
    }

    /// The parts of the text if turns up to `shortened_to` were shortened.
    fn shown(&self, shortened_to: Option<u64>) -> Shown<'_> {
        let start = self.folding.start();
        let shortened_to = shortened_to.unwrap_or(start);
        let first_turn = self.entries.first().filter(|entry| entry.first_turn == 1);
        Shown {
            first: [first_turn, self.folding.fold.as_ref()],
            shortened: self.places(start, shortened_to),
            rest: self.places(shortened_to, u64::MAX),
        }
    }

    /// The texts of the entries if turns up to `shortened_to` were shortened.
    fn texts_if_shortened(&self, shortened_to: Option<u64>) -> Vec<String> {
        let shown = self.shown(shortened_to);
        let first = shown.first.into_iter().flatten().map(Cow::Borrowed);
        let shortened = Entry::shortened(&self.entries[shown.shortened]).map(Cow::Owned);
        let rest = self.entries[shown.rest].iter().map(Cow::Borrowed);
        let entries = first.chain(shortened).chain(rest);
        entries.map(|entry| entry.text()).collect()
    }

    /// The tokens of the whole text.
    fn tokens(&self) -> u64 {
        self.tokens_if_shortened(self.folding.shortened_to)
    }

    /// The tokens of the text of [`texts_if_shortened`](Self::texts_if_shortened), which is not written.
    fn tokens_if_shortened(&self, shortened_to: Option<u64>) -> u64 {
        let shown = self.shown(shortened_to);
        let first = shown.first.into_iter().flatten().map(size_of_entry);
        let shortened = self.sizes.shortened(&self.entries, shown.shortened);
        let mut count = shown.rest.len();
        let mut size = self.sizes.whole(shown.rest);
        for other in first.chain(shortened) {
            count += 1;
            size += other;
        }
        if count > 0 {
            let between = (count - 1) * BLANK_LINE.len();
            size += Size::plain((HEADING.len() + between) as u32);
        }
        size.tokens().into()
    }

    /// Shortens turns if the summaries exceed the budget.
    fn keep_to(&mut self, budget: Option<u64>) {
        let Some(budget) = budget.filter(|budget| self.tokens() > *budget) else {
            return;
        };
        let rest = &self.entries[self.shown(self.folding.shortened_to).rest];
        let foldable = &rest[..rest.len().saturating_sub(NEVER_FOLDED)];
        // Each turn that is shortened makes the text shorter, so a binary search finds the first
        // that is enough.
        let is_not_enough =
            |entry: &Entry| self.tokens_if_shortened(Some(entry.last_turn)) > budget / 2;
        let enough = foldable.partition_point(is_not_enough);
        if let Some(last) = foldable.get(enough).or(foldable.last()) {
            self.folding.shortened_to = Some(last.last_turn);
        }
    }

    /// Whether summaries that were saved can have been.
    pub(super) fn are_valid(&self, newest_turn: u64) -> bool {
        let turns = self.entries.iter().map(|entry| entry.first_turn);
        let are_single = |entry: &Entry| {
            (1..=newest_turn).contains(&entry.first_turn) && entry.first_turn == entry.last_turn
        };
        let folding = &self.folding;
        let is_after_turn_1 = |fold: &Entry| {
            1 < fold.first_turn
                && fold.first_turn <= fold.last_turn
                && fold.last_turn <= newest_turn
        };
        let ends = [folding.shortened_to, folding.requested_to];
        let is_after_start = |turn| folding.start() < turn && turn <= newest_turn;
        turns.is_sorted_by(|before, turn| before < turn)
            && self.entries.iter().all(are_single)
            && folding.fold.iter().all(is_after_turn_1)
            && ends.into_iter().flatten().all(is_after_start)
    }
}

/// The texts of entries as a section; empty without any.
fn under_heading(entries: &[String]) -> String {
    match entries.is_empty() {
        true => String::new(),
        false => HEADING.to_owned() + &entries.join(BLANK_LINE),
    }
}

#[cfg(test)]
mod tests;
