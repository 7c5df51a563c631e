//! **Finds** calls of one tool in a row, whatever the arguments, as Qwen Code does.
//! **Must not find** calls of a tool that reads what others change, as long as it brings something new.
//! **The number** is Qwen Code's: 8.

use serde::{Deserialize, Serialize};

use super::stateful_reads::{StatefulReads, StatefulTools};
use super::{
    Context, Detection, Event, EventRule, LoopInfo, MAX_COUNT, RuleInfo, RunUnderWay, Tally,
    count_of,
};
use crate::report::{LoopType, RuleName};
use crate::settings::RuleSettings;
use crate::texts::Texts;
use turnkeeper_base::snapshot::{Corrupt, SavedState};

const SAME_TOOL_CALLS: LoopInfo = LoopInfo {
    rule: RuleInfo {
        name: RuleName::SameToolCalls,
        options: &["sameToolCalls", "statefulTools"],
    },
    loop_type: LoopType::SameToolDifferentArguments,
    texts: Texts {
        message: "the model called {tool} {count} times in a row.",
        feedback: "You called {tool} {count} times in a row. {held}Sum up what you know so far, then act on \
                   it, use another tool, or tell the user what you still need and why.",
    },
};

#[derive(Debug, Clone)]
pub(crate) struct SameToolCalls {
    threshold: u64,
    stateful_tools: StatefulTools,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct State {
    tool: u64,
    count: u64,
    first_index: u64,
    reads: StatefulReads,
}

impl SavedState for State {
    fn validate(&self) -> Result<(), Corrupt> {
        Corrupt::unless(self.count.max(self.first_index) <= MAX_COUNT)?;
        self.reads.validate()
    }
}

impl EventRule for SameToolCalls {
    type State = State;
    const READS_RESULTS: bool = true;

    fn from_options(options: &RuleSettings) -> Option<Self> {
        Some(Self {
            threshold: count_of(options.same_tool_calls)?,
            stateful_tools: StatefulTools::from_options(options),
        })
    }

    fn observe(&self, state: &mut State, event: &Event, _: &Context) -> Option<Detection> {
        let State {
            tool,
            count,
            first_index,
            reads,
        } = state;
        if let Some(landed) = reads.observe(event, &self.stateful_tools, 1)
            && landed.is_changed
            && *count > 0
            && landed.tool == *tool
        {
            *count = 1;
        }
        let Event::Call(seen) = event else {
            return None;
        };
        let called = seen.call.tool_fingerprint();
        if *count == 0 || *tool != called {
            (*tool, *count, *first_index) = (called, 0, seen.index);
        }
        *count += 1;
        (*count >= self.threshold).then_some(())?;
        let found = SAME_TOOL_CALLS.stop(Tally {
            count: *count,
            threshold: self.threshold,
            first_index: *first_index,
            last_index: seen.index,
        });
        Some(found.at(seen.call))
    }

    fn under_way(&self, state: &State) -> Option<RunUnderWay> {
        Some(RunUnderWay {
            count: state.count,
            threshold: self.threshold,
        })
    }
}
