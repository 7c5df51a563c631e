//! **Finds** shell calls in a row that only look around in a Git repository, as Qwen Code does.
//! **Must not find** a command that does anything else as well, or looks at one file.
//! **The number** is Qwen Code's: 8 in a row.

use serde::{Deserialize, Serialize};

use super::git_overview::is_overview;
use super::{
    CallSeen, CallSummary, Context, Detection, Event, MAX_COUNT, Restart, Rule, RuleInfo, count_of,
};
use crate::loop_detector::options::LoopDetectorOptions;
use crate::loop_detector::report::{LoopReport, LoopType, RuleName};
use crate::loop_detector::texts::Texts;
use crate::snapshot::{self, Corrupt, SavedState};

const TEXTS: Texts = Texts {
    message: "the model looked at the state of the Git repository {count} times in a row.",
    feedback: "You looked at the state of the Git repository {count} times in a row with {tool}. \
               {held}It has not changed. Act on what you have seen, or tell the user what you still \
               need.",
};

/// Qwen Code's tool that runs a command.
const TOOL: &str = "run_shell_command";

#[derive(Debug, Clone)]
pub(crate) struct RepeatedOverviews {
    threshold: u64,
    state: State,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct State {
    count: u64,
    first_index: u64,
}

impl SavedState for State {
    fn validate(&self) -> Result<(), Corrupt> {
        Corrupt::unless(self.count.max(self.first_index) <= MAX_COUNT)
    }
}

fn looks_around(seen: &CallSeen) -> bool {
    seen.call.is_of(TOOL) && {
        let command = seen.call.arguments().field("command").units();
        is_overview(&command.first(command.len()))
    }
}

impl Rule for RepeatedOverviews {
    fn info() -> &'static [RuleInfo] {
        &[RuleInfo {
            name: RuleName::RepeatedOverviews,
            options: &["repeatedOverviews"],
            finds: "shell calls in a row that only look around with Git",
        }]
    }

    fn from_options(options: &LoopDetectorOptions) -> Option<Self> {
        Some(Self {
            threshold: count_of(options.repeated_overviews)?,
            state: State::default(),
        })
    }

    fn observe(&mut self, event: &Event, _: &Context) -> Option<Detection> {
        let Event::Call(seen) = event else {
            return None;
        };
        let state = &mut self.state;
        if !looks_around(seen) {
            state.count = 0;
            return None;
        }
        if state.count == 0 {
            state.first_index = seen.index;
        }
        state.count += 1;
        (state.count >= self.threshold).then_some(())?;
        let loop_type = LoopType::SameToolDifferentArguments;
        let mut report = LoopReport::new(loop_type, RuleName::RepeatedOverviews);
        report.count = state.count;
        report.threshold = self.threshold;
        report.first_index = state.first_index;
        report.last_index = seen.index;
        CallSummary::of(seen.call).fill(&mut report);
        Some(Detection::stop(report, TEXTS))
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
