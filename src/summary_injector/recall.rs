//! Messages of earlier turns, brought back for one prompt.

use turnkeeper_kernels::Text;

use super::entry::Entry;
use super::{MACHINE, SummaryInjector};
use crate::error::{Error, ErrorCode};
use crate::text::{contains, trimmed, upper_case};

/// So many things may be asked for at once.
const MOST: usize = 1_000;

/// What to bring back. Each that fits anything is; what fits nothing is no error, since a model
/// chose it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Recall<'a> {
    /// The numbers of turns.
    pub turns: &'a [u64],
    /// The ids of messages.
    pub ids: &'a [String],
    /// Every turn in whose summary, insights or messages one of these stands, case ignored, or in
    /// whose fold. White space at their ends does not count.
    pub keywords: &'a [String],
}

impl SummaryInjector {
    /// Queues messages for the next prompt of the action phase, beside those that are queued. If
    /// there are more than
    /// [`max_recalled_messages`](super::SummaryInjectorOptions::max_recalled_messages), the newest
    /// stay. Answers with how many of those that were asked for are queued then.
    ///
    /// With keywords it takes time proportional to everything that was said, otherwise to the number
    /// of messages.
    ///
    /// # Errors
    /// `limit_exceeded` if more than 1,000 things are asked for.
    pub fn recall(&mut self, what: &Recall) -> Result<u64, Error> {
        if what.turns.len() + what.ids.len() + what.keywords.len() > MOST {
            let message = "asks for more than 1,000 things";
            return Err(Error::new(ErrorCode::LimitExceeded, MACHINE, message).at("what"));
        }
        let turns = self.turns_with(what);
        let mut left = self.options.recalled_messages();
        let mut count = 0;
        // The newest first, and the messages of a turn together.
        let mut asked = (0, false);
        for kept in self.messages.iter_mut().rev() {
            if kept.turn != asked.0 {
                asked = (kept.turn, turns.contains(&kept.turn));
            }
            let id = &kept.message.id;
            let is_asked = asked.1 || (!id.is_empty() && what.ids.contains(id));
            kept.is_recalled = left > 0 && (kept.is_recalled || is_asked);
            left -= u64::from(kept.is_recalled);
            count += u64::from(kept.is_recalled && is_asked);
        }
        Ok(count)
    }

    /// The turns that are asked for, and those in which a keyword stands.
    fn turns_with(&self, what: &Recall) -> Vec<u64> {
        let mut turns = what.turns.to_vec();
        for keyword in what.keywords {
            let keyword = upper_units(trimmed(keyword));
            if keyword.is_empty() {
                continue;
            }
            let is_in_fold = match self.folding.fold() {
                Some(fold) => is_of(&keyword, fold),
                None => false,
            };
            for entry in &self.entries {
                if is_of(&keyword, entry) {
                    turns.push(entry.from);
                }
            }
            for kept in &self.messages {
                let is_folded = is_in_fold && self.folding.covers(kept.turn);
                if turns.last() != Some(&kept.turn)
                    && (is_folded || has(&keyword, &kept.message.text))
                {
                    turns.push(kept.turn);
                }
            }
        }
        turns
    }

    /// The originals of the messages that are queued, oldest first, which no longer are then.
    pub(crate) fn take_recalled(&mut self) -> Vec<String> {
        let mut originals = Vec::new();
        for kept in &mut self.messages {
            if std::mem::take(&mut kept.is_recalled) {
                originals.push(kept.message.original.clone());
            }
        }
        originals
    }
}

/// Whether the word stands in a summary or an insight.
#[inline(never)]
fn is_of(keyword: &[u16], entry: &Entry) -> bool {
    has(keyword, &entry.summary) || has(keyword, &entry.insights)
}

/// Whether the word stands in a text.
fn has(keyword: &[u16], text: &str) -> bool {
    contains(&upper_units(text), keyword)
}

/// In upper case, so that case does not count.
fn upper_units(text: &str) -> Vec<u16> {
    Text::from(upper_case(text).as_str()).to_units()
}
