//! Results of tools that read what others change, such as a list of tasks.
//!
//! For most tools the same call gets the same result, so that a call which comes again is a repeat. For
//! these it is one only if its result came again as well, as Qwen Code has it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Event, MAX_COUNT, ResultSeen};
use crate::call::tool_fingerprints;
use crate::settings::RuleSettings;
use turnkeeper_base::snapshot::Corrupt;
use turnkeeper_base::text::hash::{fingerprint, mixed};

/// The results of at most this many different calls are followed in one prompt.
const MAX_CALLS: usize = 64;

/// The tools, by [`Call::tool_fingerprint`](crate::call::Call::tool_fingerprint).
#[derive(Debug, Clone)]
pub(super) struct StatefulTools(Vec<u64>);

impl StatefulTools {
    pub(super) fn from_options(options: &RuleSettings) -> Self {
        Self(tool_fingerprints(&options.stateful_tools, &[]))
    }

    pub(super) fn include(&self, tool: u64) -> bool {
        self.0.contains(&tool)
    }
}

/// What a result is compared by.
pub(super) fn result_key(seen: &ResultSeen) -> u64 {
    mixed(fingerprint(seen.output.0), u64::from(seen.is_error))
}

/// The results of the calls of such tools.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct StatefulReads {
    /// By what a call is compared by.
    calls: BTreeMap<u64, Reads>,
}

/// The results of one call.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Reads {
    /// The last results, the newest last.
    results: Vec<u64>,
    /// How many of them are equal in a row.
    equal: u64,
    /// Calls without a result.
    in_flight: u64,
    is_answered: bool,
}

/// A result that has come.
#[derive(Debug, Clone, Copy)]
pub(super) struct Landed {
    pub(super) tool: u64,
    /// How many results of its call are equal in a row.
    pub(super) equal: u64,
    /// Whether it differs from the one before it.
    pub(super) is_changed: bool,
}

impl StatefulReads {
    /// Takes the next event, and remembers `kept` results of each call. The answer is a result of one of
    /// the tools.
    pub(super) fn observe(
        &mut self,
        event: &Event,
        tools: &StatefulTools,
        kept: usize,
    ) -> Option<Landed> {
        match event {
            Event::Call(seen) if tools.include(seen.call.tool_fingerprint()) => {
                if let Some(reads) = self.of(seen.key) {
                    reads.in_flight += 1;
                }
                None
            }
            Event::Result(seen) => {
                let call = seen.answered.filter(|call| tools.include(call.tool))?;
                let reads = self.of(call.key)?;
                let result = result_key(seen);
                let last = reads.results.last().copied();
                let is_changed = last.is_some_and(|last| last != result);
                reads.equal = if is_changed { 1 } else { reads.equal + 1 };
                reads.in_flight = reads.in_flight.saturating_sub(1);
                reads.is_answered = true;
                if reads.results.len() >= kept.max(1) {
                    reads.results.remove(0);
                }
                reads.results.push(result);
                Some(Landed {
                    tool: call.tool,
                    equal: reads.equal,
                    is_changed,
                })
            }
            Event::Finished => {
                // A call of which no result came for a whole request has been given up.
                for reads in self.calls.values_mut() {
                    if !std::mem::take(&mut reads.is_answered) {
                        reads.equal = 0;
                    }
                }
                None
            }
            _ => None,
        }
    }

    fn of(&mut self, call: u64) -> Option<&mut Reads> {
        let has_room = self.calls.len() < MAX_CALLS || self.calls.contains_key(&call);
        has_room.then(|| self.calls.entry(call).or_default())
    }

    /// How many results of one call are equal in a row, at most.
    pub(super) fn most_equal(&self) -> u64 {
        let equal = self.calls.values().map(|reads| reads.equal);
        equal.max().unwrap_or(0)
    }

    /// Whether one of the results that the last `times` calls have got differs from the others. Nothing is
    /// known of results that are missing.
    pub(super) fn has_changed(&self, call: u64, times: u64) -> bool {
        let Some(reads) = self.calls.get(&call) else {
            return false;
        };
        let expected = times.saturating_sub(reads.in_flight) as usize;
        let Some(from) = reads.results.len().checked_sub(expected) else {
            return false;
        };
        let last = &reads.results[from..];
        last.iter().any(|result| *result != last[0])
    }

    pub(super) fn validate(&self) -> Result<(), Corrupt> {
        Corrupt::unless(self.calls.len() <= MAX_CALLS)?;
        let fits = |reads: &Reads| {
            reads.equal.max(reads.in_flight) <= MAX_COUNT && reads.results.len() <= 100
        };
        Corrupt::unless(self.calls.values().all(fits))
    }
}
