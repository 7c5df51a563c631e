//! **Finds** shell calls in a row that only look around in a Git repository, as Qwen Code does.
//! **Must not find** a command that does anything else as well, or looks at one file.
//! **The number** is Qwen Code's: 8 in a row.

use serde::{Deserialize, Serialize};

use super::git_overview::is_overview;
use super::{
    CallSeen, Context, Detection, Event, EventRule, LoopInfo, MAX_COUNT, RuleInfo, Tally, count_of,
};
use crate::report::{LoopType, RuleName};
use crate::settings::RuleSettings;
use crate::texts::Texts;
use turnkeeper_base::snapshot::{Corrupt, SavedState};

const REPEATED_OVERVIEWS: LoopInfo = LoopInfo {
    rule: RuleInfo {
        name: RuleName::RepeatedOverviews,
        options: &["repeatedOverviews"],
    },
    loop_type: LoopType::SameToolDifferentArguments,
    texts: Texts {
        message: "the model looked at the state of the Git repository {count} times in a row.",
        feedback: "You looked at the state of the Git repository {count} times in a row with {tool}. \
                   {held}It has not changed. Act on what you have seen, or tell the user what you still \
                   need.",
    },
};

/// Qwen Code's tool that runs a command.
const TOOL: &str = "run_shell_command";

#[derive(Debug, Clone)]
pub(crate) struct RepeatedOverviews {
    threshold: u64,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct State {
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

impl EventRule for RepeatedOverviews {
    type State = State;
    fn from_options(options: &RuleSettings) -> Option<Self> {
        Some(Self {
            threshold: count_of(options.repeated_overviews)?,
        })
    }

    fn observe(&self, state: &mut State, event: &Event, _: &Context) -> Option<Detection> {
        let Event::Call(seen) = event else {
            return None;
        };
        if !looks_around(seen) {
            state.count = 0;
            return None;
        }
        if state.count == 0 {
            state.first_index = seen.index;
        }
        state.count += 1;
        (state.count >= self.threshold).then_some(())?;
        let found = REPEATED_OVERVIEWS.stop(Tally {
            count: state.count,
            threshold: self.threshold,
            first_index: state.first_index,
            last_index: seen.index,
        });
        Some(found.at(seen.call))
    }
}
