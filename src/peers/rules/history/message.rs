//! The message that the model is writing.

use serde::{Deserialize, Serialize};

use crate::report::EVIDENCE_UNITS;
use crate::rules::MAX_COUNT;
use turnkeeper_base::snapshot::Corrupt;
use turnkeeper_base::text::hash::UnitHash;
use turnkeeper_base::text::white_space::is_white;

/// The message that the model is writing, or the last one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Message {
    /// Of the message that is being written; nothing else of it is needed to compare it.
    pub(super) hash: u64,
    /// Whether it is anything but white space, without which it is no message.
    pub(super) has_words: bool,
    /// Where it begins in the prompt's prose, in UTF-16 code units.
    pub(super) first_index: u64,
    /// Where the first of the last equal messages began.
    pub(super) first_equal_index: u64,
    /// Its first units.
    pub(super) start: Vec<u16>,
}

impl Default for Message {
    fn default() -> Self {
        Self {
            hash: UnitHash::EMPTY.0,
            has_words: false,
            first_index: 0,
            first_equal_index: 0,
            start: Vec::new(),
        }
    }
}

impl Message {
    /// The model goes on, from this place of the prompt's prose.
    pub(super) fn write(&mut self, delta: &[u16], place: u64) {
        if self.first_index == place {
            self.start.clear();
        }
        let mut hash = UnitHash(self.hash);
        for unit in delta {
            hash.push(*unit);
            self.has_words |= !is_white(*unit);
            if self.start.len() <= EVIDENCE_UNITS {
                self.start.push(*unit);
            }
        }
        self.hash = hash.0;
    }

    /// The next one begins at this place. What is shown of the last stays until then.
    pub(super) fn begin(&mut self, place: u64) {
        self.hash = UnitHash::EMPTY.0;
        self.has_words = false;
        self.first_index = place;
    }

    /// Whether a snapshot may hold it.
    pub(super) fn validate(&self) -> Result<(), Corrupt> {
        Corrupt::unless(self.first_index.max(self.first_equal_index) <= MAX_COUNT)?;
        Corrupt::unless(self.start.len() <= EVIDENCE_UNITS + 1)
    }
}
