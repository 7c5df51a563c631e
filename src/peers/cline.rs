//! **Finds** identical calls in a row, with a nudge before the stop, as the Cline SDK counts them.
//! **Must not find** the nudge twice: it is for exactly the call that makes the number.
//! **The numbers** are Cline's: a nudge at exactly 3, a stop from 5 on.

use serde::{Deserialize, Serialize};

use crate::calls::{CallLoop, Calls};
use crate::options::{AgentOptions, PeerProfile};
use crate::report::{Detection, PeerRule, PeerRules};
use turnkeeper_base::options::Threshold;
use turnkeeper_base::snapshot::Corrupt;
use turnkeeper_base::text::hash::{fingerprint, mixed};
use turnkeeper_loop_detector::LoopMessages;
use turnkeeper_loop_detector::detecting::{
    Action, Call, Context, CosmeticArguments, Encoded, Event, Restart, Rules, RunUnderWay,
    SavedRule, encode_str,
};

/// The options of Cline's detection. What is left out has the value that the agent has.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(optional_fields, rename_all = "camelCase")
)]
pub struct ClineOptions {
    /// Exactly this number of identical calls in a row is a nudge. Default: 3.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
    pub soft_threshold: Option<Threshold>,
    /// This number of identical calls in a row, or more, stops the model. Default: 5.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number | false"))]
    pub hard_threshold: Option<Threshold>,
    /// Arguments that are not compared, case ignored: names of keys, at the top of the arguments or within
    /// `params` and `nativeArgs`. Default: none.
    pub cosmetic_arguments: Option<Vec<String>>,
    /// The host's own texts. `{tool}`, `{count}`, `{threshold}` and `{period}` are filled in.
    #[cfg_attr(
        feature = "typescript",
        ts(optional, type = "Partial<Record<LoopType, MessageTexts>>")
    )]
    pub messages: Option<LoopMessages>,
}

impl AgentOptions for ClineOptions {
    fn rules(&self) -> Box<PeerRules> {
        Box::new(Cline {
            nudge_at: self.soft_threshold.map_or(Some(3), Threshold::count),
            stop_from: self.hard_threshold.map_or(Some(5), Threshold::count),
            cosmetic_arguments: CosmeticArguments::new(self.cosmetic_arguments.as_deref()),
            calls: Calls::in_a_row(),
        })
    }
}

const LOOP: CallLoop = CallLoop::identical(PeerRule::IdenticalCallsThresholds);

#[derive(Debug, Clone)]
struct Cline {
    nudge_at: Option<u64>,
    stop_from: Option<u64>,
    cosmetic_arguments: CosmeticArguments,
    calls: Calls,
}

impl Rules<PeerRule, PeerProfile> for Cline {
    /// A string is compared as it is, and is the same as a value only if it is what `JSON.stringify` prints of
    /// it with sorted keys. No arguments are the same as `null`.
    fn key(&self, call: &Call, spelling: Encoded) -> Option<u64> {
        let without = self.cosmetic_arguments.without(call);
        let less = without.as_deref();
        Some(
            match less.and_then(|bytes| Call::decode(bytes, call.key_order())) {
                Some(less) => less.fingerprint_with_null(),
                None if spelling.0.is_empty() || is_json_of(spelling, call) => {
                    call.fingerprint_with_null()
                }
                None => mixed(call.tool_fingerprint(), fingerprint(spelling.0)),
            },
        )
    }

    fn observe(&mut self, event: &Event, _: &Context) -> Option<Detection> {
        let Event::Call(seen) = event else {
            return None;
        };
        self.calls.add(seen.key, seen.index);
        let stop = LOOP.stop_from(self.stop_from, 1, &self.calls, seen);
        stop.or_else(|| {
            let nudge_at = self.nudge_at.filter(|at| *at == self.calls.rounds(1))?;
            Some(LOOP.found(Action::Nudge, nudge_at, 1, &self.calls, seen))
        })
    }

    fn still_holds(&self) -> bool {
        self.stop_from
            .is_some_and(|from| self.calls.rounds(1) >= from)
    }

    fn under_way(&self) -> Option<RunUnderWay> {
        let count = self.calls.rounds(1);
        // The nudge does not come any more once there are as many calls.
        let nudge_at = self.nudge_at.filter(|nudge_at| count < *nudge_at);
        self.calls
            .run(nudge_at.into_iter().chain(self.stop_from).min())
    }

    fn restart(&mut self, _: Restart) {
        self.calls.clear();
    }

    fn save(&self) -> Vec<SavedRule> {
        SavedRule::only(&self.calls)
    }

    fn load(&mut self, saved: &[SavedRule]) -> Result<(), Corrupt> {
        self.calls.load(SavedRule::read_only(saved)?)
    }

    fn stop_lasts(&self) -> bool {
        false
    }

    fn needs_spelling(&self) -> bool {
        true
    }
}

/// Whether a string is what `JSON.stringify` prints of the arguments with sorted keys.
fn is_json_of(spelling: Encoded, call: &Call) -> bool {
    let mut json = String::new();
    call.push_arguments(&mut json);
    let mut encoded = Vec::new();
    encode_str(&json, &mut encoded);
    encoded == spelling.0
}
