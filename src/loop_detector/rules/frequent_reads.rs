//! **Finds** that most of the last calls only read, as Qwen Code does.
//! **Must not find** the reading with which a prompt begins: until a tool has been called that does not
//! read, it is how the model gets to know its task.
//! **The numbers** are Qwen Code's: 8 of 15.

use serde::{Deserialize, Serialize};

use super::{CallSummary, Context, Detection, Event, MAX_COUNT, Restart, Rule, RuleInfo, count_of};
use crate::loop_detector::call::Units;
use crate::loop_detector::options::LoopDetectorOptions;
use crate::loop_detector::report::{LoopReport, LoopType, RuleName};
use crate::loop_detector::texts::Texts;
use crate::snapshot::{self, Corrupt, SavedState};

const TEXTS: Texts = Texts {
    message: "{count} of the model's last calls only read files.",
    feedback: "{count} of your last calls only read files. {held}Sum up what you know so far, then act \
               on it, or tell the user what you still need and why.",
};

#[derive(Debug, Clone)]
pub(crate) struct FrequentReads {
    threshold: u64,
    window: u64,
    state: State,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct State {
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

impl Rule for FrequentReads {
    fn info() -> &'static [RuleInfo] {
        &[RuleInfo {
            name: RuleName::FrequentReads,
            options: &["frequentReads", "readWindow"],
            finds: "many calls that only read among the last ones",
        }]
    }

    fn from_options(options: &LoopDetectorOptions) -> Option<Self> {
        Some(Self {
            threshold: count_of(options.frequent_reads)?,
            window: options.read_window.unwrap_or(15),
            state: State::default(),
        })
    }

    fn observe(&mut self, event: &Event, _: &Context) -> Option<Detection> {
        let Event::Call(seen) = event else {
            return None;
        };
        let state = &mut self.state;
        let reads = is_read(seen.call.name());
        state.has_worked |= !reads;
        let window = (1u64 << self.window) - 1;
        state.reads = (state.reads << 1 | u64::from(reads)) & window;
        let count = u64::from(state.reads.count_ones());
        (state.has_worked && count >= self.threshold).then_some(())?;
        let loop_type = LoopType::SameToolDifferentArguments;
        let mut report = LoopReport::new(loop_type, RuleName::FrequentReads);
        report.count = count;
        report.threshold = self.threshold;
        // The oldest of those that read.
        let back = u64::from(state.reads.checked_ilog2().unwrap_or(0));
        report.first_index = seen.index.saturating_sub(back);
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
