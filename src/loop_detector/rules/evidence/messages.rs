//! The same message again, and nothing done in between.

use super::super::super::verdict::{EVIDENCE_UNITS, LoopReport};
use crate::hash::UnitHash;
use crate::snapshot::Codec;
use crate::text::excerpt_units;

/// A shorter message says nothing.
const SHORTEST: u64 = 20;

/// What the model is saying.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Message {
    /// UTF-16 code units of the prompt's prose so far, and where in it the message begins.
    offset: u64,
    begin: u64,
    /// Of its units but white space, and how many there are.
    hash: UnitHash,
    length: u64,
    /// Its beginning.
    shown: Vec<u16>,
}

impl Default for Message {
    fn default() -> Self {
        Self {
            offset: 0,
            begin: 0,
            hash: UnitHash::EMPTY,
            length: 0,
            shown: Vec::new(),
        }
    }
}

impl Message {
    /// What was said so far does not count any more, but where in the prose it stands.
    pub(super) fn forget(&mut self) {
        *self = Self {
            offset: self.offset,
            ..Self::default()
        };
    }

    pub(super) fn say(&mut self, delta: &[u16]) {
        for &unit in delta {
            if unit > 0x20 {
                if self.length == 0 {
                    self.begin = self.offset;
                    self.shown.clear();
                }
                self.hash.push(unit);
                self.length += 1;
            }
            if self.length > 0 && self.shown.len() <= EVIDENCE_UNITS {
                self.shown.push(unit);
            }
            self.offset += 1;
        }
    }

    /// The message is complete: what it is compared by, 0 for none, and where it begins.
    pub(super) fn end(&mut self) -> (u64, u64) {
        let hash = std::mem::replace(&mut self.hash, UnitHash::EMPTY);
        match std::mem::take(&mut self.length) < SHORTEST {
            true => (0, 0),
            false => (hash.0, self.begin),
        }
    }

    pub(super) fn fill(&self, report: &mut LoopReport) {
        report.last_index = self.offset.saturating_sub(1);
        report.evidence = excerpt_units(&self.shown, EVIDENCE_UNITS);
    }

    pub(super) fn visit(&mut self, codec: &mut Codec) {
        for count in [&mut self.offset, &mut self.begin, &mut self.length] {
            codec.count(count);
        }
        codec.number(&mut self.hash.0, u64::MAX);
        codec.units(&mut self.shown, EVIDENCE_UNITS + 1);
    }
}
