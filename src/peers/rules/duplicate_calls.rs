//! **Finds** one call again and again in a prompt, with others in between or not, as Qwen Code does.
//! **Must not find** the same call of a tool that reads what others change, unless its results are equal,
//! too.
//! **The number** is Qwen Code's: 6 times.

use serde::{Deserialize, Serialize};

use super::call_counts::CallCounts;
use super::stateful_reads::{StatefulReads, StatefulTools};
use super::{
    CallSummary, Context, Detection, Event, EventRule, LoopInfo, MAX_COUNT, RuleInfo, Tally,
    count_of,
};
use crate::report::{LoopType, RuleName};
use crate::settings::RuleSettings;
use crate::texts::Texts;
use turnkeeper_base::snapshot::{Corrupt, SavedState};

const DUPLICATE_CALLS: LoopInfo = LoopInfo {
    rule: RuleInfo {
        name: RuleName::DuplicateCalls,
        options: &["duplicateCalls", "statefulTools"],
    },
    loop_type: LoopType::RepeatedToolCycle,
    texts: Texts {
        message: "the model called {tool} {count} times with the same arguments since your prompt.",
        feedback: "You called {tool} {count} times with exactly the same arguments since the user's prompt. \
                   {held}Use the result that you already have, or try something else.",
    },
};

#[derive(Debug, Clone)]
pub(crate) struct DuplicateCalls {
    threshold: u64,
    stateful_tools: StatefulTools,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct State {
    counts: CallCounts,
    reads: StatefulReads,
    /// The last call of a tool that reads what others change, for when its result comes.
    last_read: Option<CallSummary>,
    last_index: u64,
}

impl SavedState for State {
    fn validate(&self) -> Result<(), Corrupt> {
        Corrupt::unless(self.last_index <= MAX_COUNT)?;
        self.counts.validate()?;
        self.reads.validate()
    }
}

impl EventRule for DuplicateCalls {
    type State = State;
    const READS_RESULTS: bool = true;

    fn from_options(options: &RuleSettings) -> Option<Self> {
        Some(Self {
            threshold: count_of(options.duplicate_calls)?,
            stateful_tools: StatefulTools::from_options(options),
        })
    }

    fn observe(&self, state: &mut State, event: &Event, _: &Context) -> Option<Detection> {
        let landed = state.reads.observe(event, &self.stateful_tools, 1);
        if let Event::Call(seen) = event {
            state.last_index = seen.index;
            if self.stateful_tools.include(seen.call.tool_fingerprint()) {
                state.last_read = Some(CallSummary::of(seen.call));
                return None;
            }
            let counted = state.counts.add(seen.key, seen.index);
            (counted.count >= self.threshold).then_some(())?;
            let found = DUPLICATE_CALLS.stop(Tally {
                count: counted.count,
                threshold: self.threshold,
                first_index: counted.first_index,
                last_index: seen.index,
            });
            return Some(found.at(seen.call));
        }
        let count = landed.filter(|it| it.equal >= self.threshold)?.equal;
        let found = DUPLICATE_CALLS.stop(Tally {
            count,
            threshold: self.threshold,
            first_index: state.last_index.saturating_sub(count.saturating_sub(1)),
            last_index: state.last_index,
        });
        Some(found.at_summarized(state.last_read.as_ref()))
    }
}
