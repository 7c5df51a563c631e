//! Calls whose results have not come, so that a result finds its call.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::rules::Answered;
use crate::call::Encoded;
use turnkeeper_base::newest;
use turnkeeper_base::snapshot::Corrupt;
use turnkeeper_base::text::hash::fingerprint;

/// At most this many calls may be under way; of more, the oldest are given up.
const MAX_CALLS: usize = 256;

/// The calls under way, from the oldest to the newest.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Unanswered {
    calls: VecDeque<UnansweredCall>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
struct UnansweredCall {
    /// 0 without one.
    id: u64,
    /// None if no rule counts it.
    call: Option<Answered>,
}

fn id_of(id: Encoded) -> u64 {
    match id.units().len() {
        0 => 0,
        _ => fingerprint(id.0),
    }
}

impl Unanswered {
    pub(crate) fn clear(&mut self) {
        self.calls.clear();
    }

    pub(crate) fn add(&mut self, id: Encoded, call: Option<Answered>) {
        let id = id_of(id);
        newest::push(&mut self.calls, UnansweredCall { id, call }, MAX_CALLS);
    }

    /// The call that a result with this id answers: the newest one with it, for some agents use an id
    /// again. Without an id it is the oldest call; with an id that no call has, the oldest without one.
    pub(crate) fn take(&mut self, id: Encoded) -> Option<Option<Answered>> {
        let id = id_of(id);
        let place = match id {
            0 => (!self.calls.is_empty()).then_some(0),
            _ => {
                let newest = self.calls.iter().rposition(|call| call.id == id);
                newest.or_else(|| self.calls.iter().position(|call| call.id == 0))
            }
        };
        self.calls.remove(place?).map(|call| call.call)
    }

    /// Whether a snapshot may hold it.
    pub(crate) fn validate(&self) -> Result<(), Corrupt> {
        Corrupt::unless(self.calls.len() <= MAX_CALLS)
    }
}
