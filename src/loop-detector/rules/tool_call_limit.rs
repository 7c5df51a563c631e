//! **Finds** a preview model that calls one tool too often since the prompt started, whatever the
//! arguments and whatever came in between.
//! **Must not find** any other model: for most, reading five files is normal work.
//! **The numbers** are those of the agent that this library grew from: 5, and 4 for tools that cost much.

use crate::counts::{MAX_COUNT, count_of, count_or};
use serde::{Deserialize, Serialize};

use super::event_rule::EventRule;
use super::{CallSeen, Context, Detection, Event, LoopInfo, RunUnderWay, Tally};
use crate::call::tool_fingerprints;
use crate::options::LoopDetectorOptions;
use crate::profiles::INTENSIVE_TOOLS;
use crate::report::{LoopType, RuleName};
use crate::texts::Texts;
use turnkeeper_base::snapshot::{Corrupt, SavedState};
use turnkeeper_base::sorted_map::SortedMap;

const TEXTS: Texts = Texts {
    message: "the model called {tool} {count} times since your prompt, which is the limit for this \
              model.",
    feedback: "You called {tool} {count} times since the user's prompt. {held}Stop exploring with \
               {tool}. Sum up what you know so far, then act on it, or tell the user what you still \
               need and why.",
};

const PREVIEW_CALLS: LoopInfo = LoopInfo {
    name: RuleName::PreviewCalls,
    options: &["previewCalls", "previewModel"],
    loop_type: LoopType::SameToolDifferentArguments,
    texts: TEXTS,
};
const PREVIEW_INTENSIVE_CALLS: LoopInfo = LoopInfo {
    name: RuleName::PreviewIntensiveCalls,
    options: &["previewIntensiveCalls", "tools", "previewModel"],
    loop_type: LoopType::SameToolDifferentArguments,
    texts: TEXTS,
};

/// The calls of at most this many tools are counted in one prompt. A conversation with more is not one
/// that this rule was made for, and memory stays bounded.
const MAX_TOOLS: usize = 1_024;

#[derive(Debug)]
pub(crate) struct ToolCallLimit {
    /// None where these calls are not counted.
    calls: Option<u64>,
    intensive_calls: Option<u64>,
    /// By [`Call::tool_fingerprint`](crate::call::Call::tool_fingerprint).
    intensive_tools: Vec<u64>,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct State {
    /// By [`Call::tool_fingerprint`](crate::call::Call::tool_fingerprint).
    tools: SortedMap<u64, ToolCalls>,
    /// The tool of the last call.
    last_tool: u64,
}

/// The calls of one tool.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
struct ToolCalls {
    first_index: u64,
    count: u64,
}

impl SavedState for State {
    fn validate(&self) -> Result<(), Corrupt> {
        Corrupt::unless(self.tools.len() <= MAX_TOOLS)?;
        let fits = |calls: &ToolCalls| calls.first_index.max(calls.count) <= MAX_COUNT;
        Corrupt::unless(self.tools.values().all(fits))
    }
}

impl ToolCallLimit {
    /// The rule over a tool, and the number of calls that stops the model.
    fn limit_of(&self, tool: u64) -> (&'static LoopInfo, Option<u64>) {
        match self.intensive_tools.contains(&tool) {
            true => (&PREVIEW_INTENSIVE_CALLS, self.intensive_calls),
            false => (&PREVIEW_CALLS, self.calls),
        }
    }

    fn call(&self, state: &mut State, seen: &CallSeen) -> Option<Detection> {
        let tool = seen.call.tool_fingerprint();
        let (rule, threshold) = self.limit_of(tool);
        state.last_tool = tool;
        let tools = &mut state.tools;
        if tools.len() >= MAX_TOOLS && !tools.contains_key(&tool) {
            return None;
        }
        let calls = tools.get_or_insert_with(tool, || ToolCalls {
            first_index: seen.index,
            count: 0,
        });
        calls.count += 1;
        let reached = threshold.filter(|threshold| calls.count >= *threshold);
        let found = rule.stop(Tally {
            count: calls.count,
            threshold: reached?,
            first_index: calls.first_index,
            last_index: seen.index,
        });
        Some(found.at(seen.call))
    }
}

impl EventRule for ToolCallLimit {
    type State = State;
    const LOOPS: &'static [LoopInfo] = &[PREVIEW_CALLS, PREVIEW_INTENSIVE_CALLS];

    fn from_options(options: &LoopDetectorOptions) -> Option<Self> {
        count_of(options.preview_calls).or(count_of(options.preview_intensive_calls))?;
        let tools = options.tools.clone().unwrap_or_default();
        let mut intensive_tools = tool_fingerprints(&tools.intensive, &INTENSIVE_TOOLS);
        intensive_tools.extend(tool_fingerprints(&tools.monitored, &[]));
        Some(Self {
            calls: count_or(options.preview_calls, 5),
            intensive_calls: count_or(options.preview_intensive_calls, 4),
            intensive_tools,
        })
    }

    fn observe(&self, state: &mut State, event: &Event, _: &Context) -> Option<Detection> {
        match event {
            Event::Call(seen) if seen.is_preview => self.call(state, seen),
            _ => None,
        }
    }

    fn under_way(&self, state: &State) -> Option<RunUnderWay> {
        let tool = state.last_tool;
        let (_, threshold) = self.limit_of(tool);
        Some(RunUnderWay {
            count: state.tools.get(&tool)?.count,
            threshold: threshold?,
        })
    }
}
