//! Knowledge of the conversation whatever the prompt: whether the end of an answer would be seen, whether its
//! calls are shown, and whether it is one conversation at all.

use crate::counts::MAX_COUNT;
use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use crate::copies::clone_by_fields;
use turnkeeper_base::newest;
use turnkeeper_base::snapshot::Corrupt;
use turnkeeper_base::text::hash::fingerprint;

/// At most this many ids under which prompts began are kept, the newest.
const IDS_KEPT: usize = 32;
/// From the second time on that an id comes back after another one, it is clear that two conversations take turns.
const RETURNS_BEFORE_BLIND: u64 = 2;
/// From this result on, and without a call, it is clear that nobody shows the calls.
const RESULTS_BEFORE_BLIND: u64 = 6;

/// Everything that holds for all prompts.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Conversation {
    /// Whether the user's words were shown, or a text of the model. Then the end of an answer is seen: a text with
    /// no call after it, or the next words of the user.
    pub shows_who_speaks: bool,
    /// Whether a new id came while the model seemed to be at work, and nothing tells whose it is.
    pub has_unknown_ids: bool,
    /// The ids under which prompts began, as fingerprints, the newest last.
    begun: VecDeque<u64>,
    /// The number of times that one of them came back after another one.
    returns: u64,
    /// Results since the last call of the conversation.
    results_without_call: u64,
}

clone_by_fields! {
    Conversation:
    shows_who_speaks, has_unknown_ids, begun, returns, results_without_call
}

impl Conversation {
    /// A prompt begins under an id.
    pub(crate) fn begin(&mut self, id: &str) {
        let id = fingerprint(id.as_bytes());
        self.begun.retain(|begun| *begun != id);
        newest::push(&mut self.begun, id, IDS_KEPT);
    }

    /// An id comes that is not the running one. That under which a prompt began before is another conversation's: each
    /// prompt has an id of its own.
    pub(crate) fn takes_turns(&mut self, id: &str) {
        let comes_back = self.begun.contains(&fingerprint(id.as_bytes()));
        self.returns = self.returns.saturating_add(u64::from(comes_back));
    }

    pub(crate) fn call(&mut self) {
        self.results_without_call = 0;
    }

    /// A result that answers no call.
    pub(crate) fn stray_result(&mut self) {
        self.results_without_call = self.results_without_call.saturating_add(1);
    }

    /// Whether its prompts cannot be told apart.
    pub(crate) fn lacks_prompts(&self) -> bool {
        self.returns >= RETURNS_BEFORE_BLIND || self.has_unknown_ids && !self.shows_who_speaks
    }

    /// Whether results come whose calls nobody shows, if the prompt has no call.
    pub(crate) fn lacks_calls(&self) -> bool {
        self.results_without_call >= RESULTS_BEFORE_BLIND
    }

    /// Whether a snapshot may hold it.
    pub(crate) fn validate(&self) -> Result<(), Corrupt> {
        Corrupt::unless(self.begun.len() <= IDS_KEPT)?;
        Corrupt::unless(self.returns <= MAX_COUNT && self.results_without_call <= MAX_COUNT)
    }
}
