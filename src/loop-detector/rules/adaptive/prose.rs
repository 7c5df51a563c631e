//! What the assistant writes in a prompt, message by message.

use serde::{Deserialize, Serialize};

use super::step_rule::FoundMessage;
use crate::report::EVIDENCE_UNITS;
use turnkeeper_base::snapshot::{Corrupt, SavedState};
use turnkeeper_base::text::excerpt_units;
use turnkeeper_base::text::hash::UnitHash;

/// The assistant's text of a prompt.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Prose {
    message: Message,
    /// UTF-16 code units so far.
    units: u64,
    /// The beginning of the last message, for the report.
    excerpt: Vec<u16>,
}

/// A message of the assistant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Message {
    /// Where in the prompt's prose it begins.
    pub(super) begin: u64,
    /// What it is compared by: a hash of its units that are not white space, ...
    pub(super) hash: u64,
    /// and how many there are.
    pub(super) units: u64,
}

impl Default for Message {
    fn default() -> Self {
        Self {
            begin: 0,
            hash: UnitHash::EMPTY.0,
            units: 0,
        }
    }
}

impl SavedState for Prose {
    fn validate(&self) -> Result<(), Corrupt> {
        Corrupt::unless(self.excerpt.len() <= EVIDENCE_UNITS + 1)?;
        // Counting on must not overflow.
        Corrupt::unless(self.units <= u64::MAX >> 8 && self.message.units <= self.units)
    }
}

impl Prose {
    /// The assistant writes on.
    pub(super) fn push(&mut self, delta: &[u16]) {
        for unit in delta {
            let is_blank = *unit <= u16::from(b' ');
            if !is_blank {
                if self.message.units == 0 {
                    self.message.begin = self.units;
                    self.excerpt.clear();
                }
                let mut hash = UnitHash(self.message.hash);
                hash.push(*unit);
                self.message.hash = hash.0;
                self.message.units += 1;
            }
            // One unit more than is shown tells that the message goes on.
            if self.message.units > 0 && self.excerpt.len() <= EVIDENCE_UNITS {
                self.excerpt.push(*unit);
            }
            self.units += 1;
        }
    }

    /// The message under way is complete; `None` if nothing is in it.
    pub(super) fn end_message(&mut self) -> Option<Message> {
        let message = std::mem::take(&mut self.message);
        (message.units > 0).then_some(message)
    }

    /// The last message, as what was found.
    pub(super) fn found(&self) -> FoundMessage {
        FoundMessage {
            last_index: self.units.saturating_sub(1),
            evidence: excerpt_units(&self.excerpt, EVIDENCE_UNITS),
        }
    }

    /// What was said does not count any more, but the place in the prose does.
    pub(super) fn forget(&mut self) {
        *self = Self {
            units: self.units,
            ..Self::default()
        };
    }
}
