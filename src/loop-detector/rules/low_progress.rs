//! **Finds** stretches of calls in which little is new: most of the last ten calls, or of their results, came
//! before.
//! **Must not find** anything unless the host wants it: it is off in both profiles, because a healthy session
//! may go over old ground for a while. It only tells the model, and only facts.
//! **The numbers**: those of the model check in doubt, which it stands in for where no model can be asked.

use crate::counts::MAX_COUNT;
use serde::{Deserialize, Serialize};

use super::event_rule::EventRule;
use super::{Context, Detection, Event, LoopInfo, Tally};
use crate::options::{LoopDetectorOptions, LowProgress as Setting};
use crate::report::{LoopType, RuleName};
use crate::rules::Action;
use crate::texts::Texts;
use turnkeeper_base::snapshot::{Corrupt, SavedState};

/// From this call of a prompt on.
const LEAST_CALLS: u64 = 8;
/// The model is told again after this many calls.
const PAUSE: u64 = 10;

const LOW_PROGRESS: LoopInfo = LoopInfo {
    name: RuleName::LowProgress,
    options: &["lowProgress"],
    loop_type: LoopType::RepeatedToolCycle,
    texts: Texts {
        message: "{count} of the last {period} calls had been made before or had a result that had been seen; the \
                  newest call is of {tool}.",
        feedback: "Fact: {message}",
    },
};

#[derive(Debug)]
pub(crate) struct LowProgress {
    /// This share or less was new.
    share: f64,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct State {
    /// The index of the call at which the model was told.
    told_at: Option<u64>,
}

impl SavedState for State {
    fn validate(&self) -> Result<(), Corrupt> {
        Corrupt::unless(self.told_at.unwrap_or_default() <= MAX_COUNT)
    }
}

impl EventRule for LowProgress {
    type State = State;
    const LOOPS: &'static [LoopInfo] = &[LOW_PROGRESS];

    fn from_options(options: &LoopDetectorOptions) -> Option<Self> {
        match options.low_progress? {
            Setting::Off => None,
            Setting::At(share) => Some(Self { share: share.get() }),
        }
    }

    /// The outcome of a call is known when the next one is made.
    fn observe(&self, state: &mut State, event: &Event, context: &Context) -> Option<Detection> {
        let Event::Call(seen) = event else {
            return None;
        };
        let progress = context.progress;
        let is_early = seen.index < LEAST_CALLS || !progress.knows(LEAST_CALLS);
        let is_soon = state
            .told_at
            .is_some_and(|told_at| seen.index < told_at + PAUSE);
        if is_early || is_soon || progress.value() > self.share {
            return None;
        }
        state.told_at = Some(seen.index);
        let (calls, repeats) = progress.not_wholly_new();
        let least = (calls as f64 * (1.0 - self.share)).ceil() as u64;
        let tally = Tally {
            count: repeats,
            threshold: least.max(1),
            first_index: seen.index.saturating_sub(calls),
            last_index: seen.index,
        };
        Some(
            LOW_PROGRESS
                .found(Action::Nudge, tally)
                .at(seen.call)
                .in_rounds_of(calls),
        )
    }
}
