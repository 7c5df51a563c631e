//! How often each call of a prompt has come.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::MAX_COUNT;
use turnkeeper_base::snapshot::Corrupt;

/// At most this many different calls are counted in one prompt, so that memory stays bounded. The agent
/// whose rules these are lets no prompt have as many.
const MAX_CALLS: usize = 1_024;

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct CallCounts {
    /// By what a call is compared by.
    calls: BTreeMap<u64, Counted>,
}

#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub(super) struct Counted {
    pub(super) count: u64,
    pub(super) first_index: u64,
}

impl CallCounts {
    /// Counts a call. The answer is how often it has come; 0 where there are too many others.
    pub(super) fn add(&mut self, call: u64, index: u64) -> Counted {
        if self.calls.len() >= MAX_CALLS && !self.calls.contains_key(&call) {
            return Counted::default();
        }
        let counted = self.calls.entry(call).or_insert(Counted {
            count: 0,
            first_index: index,
        });
        counted.count += 1;
        *counted
    }

    pub(super) fn validate(&self) -> Result<(), Corrupt> {
        Corrupt::unless(self.calls.len() <= MAX_CALLS)?;
        let fits = |counted: &Counted| counted.count.max(counted.first_index) <= MAX_COUNT;
        Corrupt::unless(self.calls.values().all(fits))
    }
}
