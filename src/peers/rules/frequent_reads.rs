//! **Finds** that most of the last calls only read, as Qwen Code does.
//! **Must not find** the reading with which a prompt begins: until a tool has been called that does not
//! read, it is how the model gets to know its task.
//! **The numbers** are Qwen Code's: 8 of 15.

use serde::{Deserialize, Serialize};

use super::{Context, Detection, Event, EventRule, LoopInfo, MAX_COUNT, RuleInfo, Tally, count_of};
use crate::call::Units;
use crate::report::{LoopType, RuleName};
use crate::settings::RuleSettings;
use crate::texts::Texts;
use turnkeeper_base::snapshot::{Corrupt, SavedState};

const FREQUENT_READS: LoopInfo = LoopInfo {
    rule: RuleInfo {
        name: RuleName::FrequentReads,
        options: &["frequentReads", "readWindow"],
    },
    loop_type: LoopType::SameToolDifferentArguments,
    texts: Texts {
        message: "{count} of the model's last calls only read files.",
        feedback: "{count} of your last calls only read files. {held}Sum up what you know so far, then act \
                   on it, or tell the user what you still need and why.",
    },
};

#[derive(Debug, Clone)]
pub(crate) struct FrequentReads {
    threshold: u64,
    window: u64,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct State {
    /// The last calls, a bit each, the newest lowest: 1 for one that reads.
    reads: u64,
    /// Whether another tool has been called.
    has_worked: bool,
}

impl SavedState for State {
    fn validate(&self) -> Result<(), Corrupt> {
        Corrupt::unless(self.reads <= MAX_COUNT)
    }
}

fn is_read(tool: Units) -> bool {
    tool.has("read_", 0) || tool.has("list_", 0) || tool.is("zoom_image")
}

impl EventRule for FrequentReads {
    type State = State;
    fn from_options(options: &RuleSettings) -> Option<Self> {
        Some(Self {
            threshold: count_of(options.frequent_reads)?,
            window: options.read_window.unwrap_or(15),
        })
    }

    fn observe(&self, state: &mut State, event: &Event, _: &Context) -> Option<Detection> {
        let Event::Call(seen) = event else {
            return None;
        };
        let reads = is_read(seen.call.name());
        state.has_worked |= !reads;
        let window = (1u64 << self.window) - 1;
        state.reads = (state.reads << 1 | u64::from(reads)) & window;
        let count = u64::from(state.reads.count_ones());
        (state.has_worked && count >= self.threshold).then_some(())?;
        // The oldest of those that read.
        let back = u64::from(state.reads.checked_ilog2().unwrap_or(0));
        let found = FREQUENT_READS.stop(Tally {
            count,
            threshold: self.threshold,
            first_index: seen.index.saturating_sub(back),
            last_index: seen.index,
        });
        Some(found.at(seen.call))
    }
}
