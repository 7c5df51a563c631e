//! The record that is kept of a session between two of its events.

use serde::{Deserialize, Serialize};
use turnkeeper_base::error::Error;
use turnkeeper_base::snapshot::{self, Corrupt, Format, SavedState};
use turnkeeper_summary_injector::WorkLedger;

const FORMAT: Format = Format {
    machine: "watch",
    letter: b'h',
    version: 2,
};

/// The hash of a call, equal for equal calls.
pub(crate) type CallKey = u64;

/// All that is kept of a session. Words of users, calls and results stand in the ledger alone; of all else there are
/// hashes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Record {
    /// The agent's id of the running prompt.
    pub(crate) prompt_id: Option<String>,
    /// The number of prompts so far.
    pub(crate) prompts: u64,
    /// A hash of the user's words of the running prompt; none, if only a new id told of it.
    pub(crate) words: Option<u64>,
    /// Whether the agent has told of a prompt by the user's message.
    pub(crate) tells_messages: bool,
    /// Whether nothing of the running prompt was judged yet.
    pub(crate) is_new: bool,
    /// Whether the detector has to hear of a prompt that has begun since.
    pub(crate) prompt_began: bool,
    /// The same of a compaction.
    pub(crate) compacted: bool,
    /// The same of a request.
    pub(crate) request_began: bool,
    /// The request of the last results, where the agent numbers them.
    pub(crate) last_request: Option<String>,
    /// The calls of the running request, where the agent tells of each before it runs.
    pub(crate) asked: Option<AskedCalls>,
    /// The calls of the running request, where the agent tells of the result of each by itself.
    pub(crate) request_calls: Vec<CallKey>,
    /// When the last results had been judged, in milliseconds since 1970.
    pub(crate) results_at: f64,
    /// The detector's snapshot.
    pub(crate) detector: Option<Vec<u8>>,
    /// The user's thresholds, as JSON, with which the detector was made.
    pub(crate) thresholds: String,
    /// The reason for the end of the turn, until the next prompt.
    pub(crate) ended: Option<EndOfTurn>,
    /// Whether the model was told of a loop in the running prompt.
    pub(crate) was_told: bool,
    /// Facts that the model has not been told yet.
    pub(crate) untold: Vec<String>,
    /// The call that is refused when it comes next.
    pub(crate) refuse_next: Option<RefusedCall>,
    /// Long results that the context has, the oldest first.
    pub(crate) results: Vec<LongResult>,
    /// Subagents that run now, where the agent gives them no ids.
    pub(crate) subagents: Option<RunningSubagents>,
    /// The number of times that subagents began while no other ran.
    pub(crate) subagents_begun: u64,
    /// Hashes of the last events, since two settings files may both name the hook.
    pub(crate) last_events: Vec<u64>,
    /// The work done in it, where the agent asks for that after a compaction.
    pub(crate) ledger: WorkLedger,
}

/// The calls that an agent has told of before they ran.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct AskedCalls {
    /// Each different call.
    pub(crate) calls: Vec<AskedCall>,
    /// Whether a result has come since the last of them.
    pub(crate) is_answered: bool,
    /// The number of times that one came after results while others had none yet.
    pub(crate) late: u32,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct AskedCall {
    pub(crate) key: CallKey,
    /// Whether it has no result yet.
    pub(crate) is_open: bool,
}

/// The end of a turn, and the loop that was the reason.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct EndOfTurn {
    /// The text that is said to end the turn and to refuse its calls.
    pub(crate) reason: String,
    pub(crate) rule: String,
    pub(crate) tool: Option<String>,
    pub(crate) count: u64,
    /// Whether the agent has got it in an answer that ends or refuses something.
    pub(crate) is_told: bool,
}

/// A call that is to be refused, and the fact to say then.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct RefusedCall {
    pub(crate) key: CallKey,
    pub(crate) fact: String,
}

/// A long result that the context has.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct LongResult {
    pub(crate) hash: String,
    /// The text that names its call.
    pub(crate) call: String,
}

/// Subagents of which the first began while no other ran.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct RunningSubagents {
    /// Stands for their id.
    pub(crate) id: u64,
    /// The calls that began those which still run.
    pub(crate) calls: Vec<CallKey>,
    /// The most that ran at once.
    pub(crate) most: u64,
    /// Each of their calls with the number of times that it has come, where several ran at once.
    pub(crate) seen: Vec<SeenCall>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct SeenCall {
    pub(crate) key: CallKey,
    pub(crate) times: u64,
}

impl Default for Record {
    fn default() -> Self {
        Self {
            prompt_id: None,
            prompts: 0,
            words: None,
            tells_messages: false,
            is_new: false,
            prompt_began: false,
            compacted: false,
            request_began: true,
            last_request: None,
            asked: None,
            request_calls: vec![],
            results_at: 0.0,
            detector: None,
            thresholds: "{}".to_owned(),
            ended: None,
            was_told: false,
            untold: vec![],
            refuse_next: None,
            results: vec![],
            subagents: None,
            subagents_begun: 0,
            last_events: vec![],
            ledger: WorkLedger::new(),
        }
    }
}

/// Everything else in it is compared or shown, and nothing is relied on.
impl SavedState for Record {
    fn validate(&self) -> Result<(), Corrupt> {
        self.ledger.validate()
    }
}

impl Record {
    /// The record as bytes.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        snapshot::seal(FORMAT, self)
    }

    /// Reads what [`to_bytes`](Self::to_bytes) wrote.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        snapshot::open(FORMAT, bytes)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_record_is_what_it_was_and_one_of_an_older_form_is_refused() {
        let record = Record {
            words: Some(7),
            detector: Some(vec![0, 255]),
            results_at: 1.5,
            ..Record::default()
        };
        assert_eq!(Record::from_bytes(&record.to_bytes()), Ok(record));
        assert!(Record::from_bytes(br#"{"version":1,"prompts":0}"#).is_err());
    }

    proptest! {
        #[test]
        fn no_bytes_are_too_strange(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            prop_assert!(Record::from_bytes(&bytes).is_err());
            let sealed = snapshot::seal_bytes(FORMAT, &bytes);
            let _ = Record::from_bytes(&sealed);
        }
    }
}
