//! Brings messages of earlier turns back.

use rustc_hash::FxHashSet;

use serde::Deserialize;
use serde_json::Value;

use super::entry::Entry;
use super::marking::trimmed;
use super::turn::Recalled;
use super::{MACHINE, SummaryInjector};
use turnkeeper_base::error::{Error, ErrorCode};
use turnkeeper_base::options;

/// At most this many turns, ids and keywords may be asked for at once.
const MOST_WANTED: usize = 1_000;

/// The messages to bring back: all that fit any of these. A wish that no message fits is no error, because a
/// model chose it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Recall {
    /// The numbers of turns.
    pub turns: Vec<u64>,
    /// The same: a model may have been told of them by this name.
    #[serde(rename = "turnNumbers")]
    pub turn_numbers: Vec<u64>,
    /// The ids of messages.
    pub ids: Vec<String>,
    /// Every turn in whose summary, insights, messages or fold one of these words occurs. Neither
    /// case nor white space at the ends of a word counts.
    pub keywords: Vec<String>,
}

impl Recall {
    /// Reads the arguments of a model's `recall_context`, a JSON object.
    ///
    /// # Errors
    /// `invalid_argument`, naming the field, for an unknown field or one of the wrong type.
    pub fn from_json(json: &str) -> Result<Self, Error> {
        let value: Value = serde_json::from_str(json).map_err(|error| {
            let error_of = Error::new(ErrorCode::InvalidArgument, MACHINE, "must be JSON");
            error_of.at("what").caused_by(error)
        })?;
        options::read_as(MACHINE, ErrorCode::InvalidArgument, "what", &value)
    }
}

impl SummaryInjector {
    /// Queues messages for the prompts of the action phase, beside those that are queued already, until
    /// a [request has succeeded](Self::request_succeeded) or the next turn starts. Of more than
    /// [`max_recalled_messages`](super::SummaryInjectorOptions::max_recalled_messages) the newest
    /// stay. Returns how many of the messages that were asked for are queued afterwards.
    ///
    /// With keywords it takes time proportional to everything that was said, otherwise to the number
    /// of messages.
    ///
    /// # Errors
    /// `limit_exceeded` if more than 1,000 things are asked for.
    pub fn recall(&mut self, wanted: &Recall) -> Result<u64, Error> {
        let numbers = wanted.turns.len() + wanted.turn_numbers.len();
        if numbers + wanted.ids.len() + wanted.keywords.len() > MOST_WANTED {
            let message = "asks for more than 1,000 things";
            return Err(Error::new(ErrorCode::LimitExceeded, MACHINE, message).at("what"));
        }
        let turns = self.wanted_turns(wanted);
        let mut room = self.options.recalled_messages();
        let mut queued = 0;
        for kept in self.messages.iter_mut().rev() {
            let id = &kept.message.id;
            let is_wanted =
                turns.contains(&kept.turn) || (!id.is_empty() && wanted.ids.contains(id));
            if is_wanted {
                kept.recall = Recalled::Queued;
            }
            if room == 0 {
                kept.recall = Recalled::No;
            }
            if kept.recall != Recalled::No {
                room -= 1;
                queued += u64::from(is_wanted);
            }
        }
        Ok(queued)
    }

    /// The turns that are asked for by number or by keyword.
    fn wanted_turns(&self, wanted: &Recall) -> FxHashSet<u64> {
        let numbers = wanted.turns.iter().chain(&wanted.turn_numbers);
        let mut turns: FxHashSet<u64> = numbers.copied().collect();
        let keywords = Keywords::new(&wanted.keywords);
        if keywords.are_none() {
            return turns;
        }
        for entry in &self.entries {
            if keywords.occur_in_entry(entry) {
                turns.insert(entry.first_turn);
            }
        }
        let fold = self.folding.fold.as_ref();
        let is_in_fold = fold.is_some_and(|fold| keywords.occur_in_entry(fold));
        for kept in &self.messages {
            let is_folded = is_in_fold && self.folding.covers(kept.turn);
            if is_folded || (!turns.contains(&kept.turn) && keywords.occur_in(&kept.message.text)) {
                turns.insert(kept.turn);
            }
        }
        turns
    }

    /// Says that the request was answered for which the last prompt was built: what was recalled for it
    /// is in no prompt any more.
    pub fn request_succeeded(&mut self) {
        for kept in &mut self.messages {
            if kept.recall == Recalled::Sent {
                kept.recall = Recalled::No;
            }
        }
    }

    /// The originals of the messages that are queued, oldest first, for a prompt.
    pub(crate) fn send_recalled(&mut self) -> Vec<String> {
        let mut originals = Vec::new();
        for kept in &mut self.messages {
            if kept.recall != Recalled::No {
                kept.recall = Recalled::Sent;
                originals.push(kept.message.original.clone());
            }
        }
        originals
    }
}

/// Words to look for, in upper case, so that case does not count.
pub(super) struct Keywords {
    upper_case: Vec<String>,
}

impl Keywords {
    pub(super) fn new(keywords: &[String]) -> Self {
        let keywords = keywords.iter().map(|keyword| trimmed(keyword));
        Self {
            upper_case: keywords
                .filter(|keyword| !keyword.is_empty())
                .map(upper_case)
                .collect(),
        }
    }

    fn are_none(&self) -> bool {
        self.upper_case.is_empty()
    }

    fn occur_in_entry(&self, entry: &Entry) -> bool {
        self.occur_in(&entry.summary) || self.occur_in(&entry.insights)
    }

    pub(super) fn occur_in(&self, text: &str) -> bool {
        let text = upper_case(text);
        let mut keywords = self.upper_case.iter();
        keywords.any(|keyword| text.contains(keyword))
    }
}

/// As `str::to_uppercase` has it, which takes 1 KB of the module.
fn upper_case(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_uppercase();
    }
    text.chars().flat_map(char::to_uppercase).collect()
}
