//! Wishes for messages of earlier turns.

use std::ops::RangeInclusive;

use rustc_hash::FxHashSet;
use serde::Deserialize;
use serde_json::Value;

use super::MACHINE;
use super::marking::trimmed;
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
    /// Numbers of turns, too: a model may have been told of them by this name.
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

    pub(super) fn check(&self) -> Result<(), Error> {
        let numbers = self.turns.len() + self.turn_numbers.len();
        if numbers + self.ids.len() + self.keywords.len() <= MOST_WANTED {
            return Ok(());
        }
        let message = "asks for more than 1,000 things";
        Err(Error::new(ErrorCode::LimitExceeded, MACHINE, message).at("what"))
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

    pub(super) fn occur_in(&self, text: &str) -> bool {
        !self.found_in(text).is_empty()
    }

    /// The places of those that occur in a text, among all of them.
    pub(super) fn found_in(&self, text: &str) -> Vec<usize> {
        let text = upper_case(text);
        let keywords = self.upper_case.iter().enumerate();
        let found = keywords.filter(|(_, keyword)| text.contains(&**keyword));
        found.map(|(at, _)| at).collect()
    }

    /// The number of keywords.
    pub(super) fn count(&self) -> usize {
        self.upper_case.len()
    }
}

/// The messages that are wished for, by the turns and words that were found.
pub(super) struct Wish<'w> {
    pub(super) ids: FxHashSet<&'w str>,
    pub(super) keywords: &'w Keywords,
    /// The turns that were asked for, and those in whose summary or insights a word occurs.
    pub(super) turns: FxHashSet<u64>,
    /// The turns in whose common fold a word occurs, which tells little of each of them.
    pub(super) folded: RangeInclusive<u64>,
}

/// The reason why a message is brought back. Where there is no room for all, the first reasons come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Reason {
    /// It was asked for by its id, or has a word that was; the fewer have it, the less it is.
    Itself { commonness: u32 },
    /// Its turn was asked for, or is about such a word.
    OfTurn,
    /// It was wished for before.
    Queued,
    /// Its turn is among those of a fold that has such a word.
    OfFold,
}

/// As `str::to_uppercase` has it, which takes 1 KB of the module.
fn upper_case(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_uppercase();
    }
    text.chars().flat_map(char::to_uppercase).collect()
}
