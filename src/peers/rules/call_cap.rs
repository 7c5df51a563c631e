//! **Finds** a prompt with too many calls, if one of them came again and again, as Qwen Code does.
//! **Must not find** a large task whose calls differ.
//! **The numbers** are Qwen Code's: more than 100 calls, one of them 6 times.

use serde::{Deserialize, Serialize};

use super::call_counts::CallCounts;
use super::stateful_reads::{StatefulReads, StatefulTools};
use super::{
    CallSeen, Context, Detection, Event, EventRule, LoopInfo, MAX_COUNT, RuleInfo, Tally, count_of,
};
use crate::report::{LoopType, RuleName};
use crate::settings::RuleSettings;
use crate::texts::Texts;
use turnkeeper_base::snapshot::{Corrupt, SavedState};

const CALL_CAP: LoopInfo = LoopInfo {
    rule: RuleInfo {
        name: RuleName::CallCap,
        options: &["callCap", "callCapRepeats", "statefulTools"],
    },
    loop_type: LoopType::RepeatedToolCycle,
    texts: Texts {
        message: "the model made {count} calls since your prompt, one of them again and again.",
        feedback: "You made {count} calls since the user's prompt, one of them again and again. {held}Sum up \
                   what you know, then act on it, or tell the user what you still need and why.",
    },
};

#[derive(Debug, Clone)]
pub(crate) struct CallCap {
    cap: u64,
    /// How often one call has to have come.
    repeats: u64,
    stateful_tools: StatefulTools,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct State {
    calls: u64,
    first_index: u64,
    counts: CallCounts,
    /// How often the call came that came most often.
    most: u64,
    reads: StatefulReads,
}

impl SavedState for State {
    fn validate(&self) -> Result<(), Corrupt> {
        let counts = [self.calls, self.first_index, self.most];
        Corrupt::unless(counts.into_iter().all(|count| count <= MAX_COUNT))?;
        self.counts.validate()?;
        self.reads.validate()
    }
}

impl CallCap {
    fn call(&self, state: &mut State, seen: &CallSeen) -> Option<Detection> {
        if state.calls == 0 {
            state.first_index = seen.index;
        }
        state.calls += 1;
        if !self.stateful_tools.include(seen.call.tool_fingerprint()) {
            let counted = state.counts.add(seen.key, seen.index);
            state.most = state.most.max(counted.count);
        }
        let is_stuck = state.most.max(state.reads.most_equal()) >= self.repeats;
        (is_stuck && state.calls > self.cap).then_some(())?;
        let found = CALL_CAP.stop(Tally {
            count: state.calls,
            threshold: self.cap.saturating_add(1),
            first_index: state.first_index,
            last_index: seen.index,
        });
        Some(found.at(seen.call))
    }
}

impl EventRule for CallCap {
    type State = State;
    const READS_RESULTS: bool = true;

    fn from_options(options: &RuleSettings) -> Option<Self> {
        Some(Self {
            cap: count_of(options.call_cap)?,
            repeats: options.call_cap_repeats.unwrap_or(6),
            stateful_tools: StatefulTools::from_options(options),
        })
    }

    fn observe(&self, state: &mut State, event: &Event, _: &Context) -> Option<Detection> {
        state.reads.observe(event, &self.stateful_tools, 1);
        match event {
            Event::Call(seen) => self.call(state, seen),
            _ => None,
        }
    }
}
