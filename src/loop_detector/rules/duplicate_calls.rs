//! **Finds** one call again and again in a prompt, with others in between or not, as Qwen Code does.
//! **Must not find** the same call of a tool that reads what others change, unless its results are equal,
//! too.
//! **The number** is Qwen Code's: 6 times.

use serde::{Deserialize, Serialize};

use super::call_counts::CallCounts;
use super::stateful_reads::{StatefulReads, StatefulTools};
use super::{
    CallSummary, Context, Detection, Event, MAX_COUNT, Needs, Restart, Rule, RuleInfo, count_of,
};
use crate::loop_detector::options::LoopDetectorOptions;
use crate::loop_detector::report::{LoopReport, LoopType, RuleName};
use crate::loop_detector::texts::Texts;
use crate::snapshot::{self, Corrupt, SavedState};

const TEXTS: Texts = Texts {
    message: "the model called {tool} {count} times with the same arguments since your prompt.",
    feedback: "You called {tool} {count} times with exactly the same arguments since the user's prompt. \
               {held}Use the result that you already have, or try something else.",
};

#[derive(Debug, Clone)]
pub(crate) struct DuplicateCalls {
    threshold: u64,
    stateful_tools: StatefulTools,
    state: State,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct State {
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

impl DuplicateCalls {
    fn detection(&self, count: u64, first_index: u64, call: Option<&CallSummary>) -> Detection {
        let mut report = LoopReport::new(LoopType::RepeatedToolCycle, RuleName::DuplicateCalls);
        report.count = count;
        report.threshold = self.threshold;
        report.first_index = first_index;
        report.last_index = self.state.last_index;
        if let Some(call) = call {
            call.fill(&mut report);
        }
        Detection::stop(report, TEXTS)
    }
}

impl Rule for DuplicateCalls {
    fn info() -> &'static [RuleInfo] {
        &[RuleInfo {
            name: RuleName::DuplicateCalls,
            options: &["duplicateCalls", "statefulTools"],
            finds: "one call again and again in a prompt, with others in between or not",
        }]
    }

    fn from_options(options: &LoopDetectorOptions) -> Option<Self> {
        Some(Self {
            threshold: count_of(options.duplicate_calls)?,
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
        let landed = self.state.reads.observe(event, &self.stateful_tools, 1);
        match event {
            Event::Call(seen) => {
                self.state.last_index = seen.index;
                if self.stateful_tools.include(seen.call.tool_fingerprint()) {
                    self.state.last_read = Some(CallSummary::of(seen.call));
                    return None;
                }
                let counted = self.state.counts.add(seen.key, seen.index);
                (counted.count >= self.threshold).then(|| {
                    let call = CallSummary::of(seen.call);
                    self.detection(counted.count, counted.first_index, Some(&call))
                })
            }
            _ => {
                let count = landed.filter(|it| it.equal >= self.threshold)?.equal;
                let last = self.state.last_index;
                let first = last.saturating_sub(count.saturating_sub(1));
                Some(self.detection(count, first, self.state.last_read.as_ref()))
            }
        }
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
