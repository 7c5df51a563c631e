//! **Finds** calls of one tool in a row, whatever the arguments, as Qwen Code does.
//! **Must not find** calls of a tool that reads what others change, as long as it brings something new.
//! **The number** is Qwen Code's: 8.

use serde::{Deserialize, Serialize};

use super::stateful_reads::{StatefulReads, StatefulTools};
use super::{
    CallSummary, Context, Detection, Event, History, MAX_COUNT, Needs, Restart, Rule, RuleInfo,
    RunUnderWay, count_of,
};
use crate::loop_detector::options::LoopDetectorOptions;
use crate::loop_detector::report::{LoopReport, LoopType, RuleName};
use crate::loop_detector::texts::Texts;
use crate::snapshot::{self, Corrupt, SavedState};

const TEXTS: Texts = Texts {
    message: "the model called {tool} {count} times in a row.",
    feedback: "You called {tool} {count} times in a row. {held}Sum up what you know so far, then act on \
               it, use another tool, or tell the user what you still need and why.",
};

#[derive(Debug, Clone)]
pub(crate) struct SameToolCalls {
    threshold: u64,
    stateful_tools: StatefulTools,
    state: State,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct State {
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

impl Rule for SameToolCalls {
    fn info() -> &'static [RuleInfo] {
        &[RuleInfo {
            name: RuleName::SameToolCalls,
            options: &["sameToolCalls", "statefulTools"],
            finds: "calls in a row of one tool, whatever the arguments",
        }]
    }

    fn from_options(options: &LoopDetectorOptions) -> Option<Self> {
        Some(Self {
            threshold: count_of(options.same_tool_calls)?,
            stateful_tools: StatefulTools::from_options(options),
            state: State::default(),
        })
    }

    fn needs(&self) -> Needs {
        Needs {
            results: true,
            ..Needs::default()
        }
    }

    fn observe(&mut self, event: &Event, _: &Context) -> Option<Detection> {
        let State {
            tool,
            count,
            first_index,
            reads,
        } = &mut self.state;
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
        let loop_type = LoopType::SameToolDifferentArguments;
        let mut report = LoopReport::new(loop_type, RuleName::SameToolCalls);
        report.count = *count;
        report.threshold = self.threshold;
        report.first_index = *first_index;
        report.last_index = seen.index;
        CallSummary::of(seen.call).fill(&mut report);
        Some(Detection::stop(report, TEXTS))
    }

    fn under_way(&self, _: &History) -> Option<RunUnderWay> {
        Some(RunUnderWay {
            count: self.state.count,
            threshold: self.threshold,
        })
    }

    fn restart(&mut self, _: Restart) {
        self.state = State::default();
    }

    fn save(&self) -> Vec<u8> {
        snapshot::encode(&self.state)
    }

    fn load(&mut self, saved: &[u8]) -> Result<(), Corrupt> {
        self.state = snapshot::decode(saved)?;
        Ok(())
    }
}
