//! **Finds** two calls that take turns, as Qwen Code does.
//! **Must not find** turns in which a tool that reads what others change has brought something new.
//! **The number** is Qwen Code's: 3 rounds of two.

use serde::{Deserialize, Serialize};

use super::stateful_reads::{StatefulReads, StatefulTools};
use super::{
    CallSeen, Context, Detection, Event, EventRule, LoopInfo, MAX_COUNT, RuleInfo, Tally, count_of,
    repeated_cycle,
};
use crate::report::{LoopType, RuleName};
use crate::settings::RuleSettings;
use turnkeeper_base::snapshot::{Corrupt, SavedState};

const ALTERNATING_CALLS: LoopInfo = LoopInfo {
    rule: RuleInfo {
        name: RuleName::AlternatingCalls,
        options: &["alternatingCalls", "statefulTools"],
    },
    loop_type: LoopType::RepeatedToolCycle,
    texts: repeated_cycle::TEXTS,
};

#[derive(Debug, Clone)]
pub(crate) struct AlternatingCalls {
    rounds: u64,
    stateful_tools: StatefulTools,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct State {
    /// The last calls, as many as the rounds have.
    calls: Vec<Made>,
    reads: StatefulReads,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
struct Made {
    key: u64,
    index: u64,
}

impl SavedState for State {
    fn validate(&self) -> Result<(), Corrupt> {
        Corrupt::unless(self.calls.iter().all(|call| call.index <= MAX_COUNT))?;
        self.reads.validate()
    }
}

impl AlternatingCalls {
    fn call(&self, state: &mut State, seen: &CallSeen) -> Option<Detection> {
        let State { calls, reads } = state;
        let length = 2 * self.rounds as usize;
        if calls.len() == length {
            calls.remove(0);
        }
        calls.push(Made {
            key: seen.key,
            index: seen.index,
        });
        let [one, other, ..] = calls[..] else {
            return None;
        };
        let in_turn = |(place, call): (usize, &Made)| {
            call.key == if place % 2 == 0 { one.key } else { other.key }
        };
        let alternate = one.key != other.key && calls.iter().enumerate().all(in_turn);
        (alternate && calls.len() == length).then_some(())?;
        if [one, other]
            .iter()
            .any(|call| reads.has_changed(call.key, self.rounds))
        {
            calls.clear();
            return None;
        }
        let found = ALTERNATING_CALLS.stop(Tally {
            count: self.rounds,
            threshold: self.rounds,
            first_index: one.index,
            last_index: seen.index,
        });
        Some(found.in_rounds_of(2).at(seen.call))
    }
}

impl EventRule for AlternatingCalls {
    type State = State;
    const READS_RESULTS: bool = true;

    fn from_options(options: &RuleSettings) -> Option<Self> {
        Some(Self {
            rounds: count_of(options.alternating_calls)?,
            stateful_tools: StatefulTools::from_options(options),
        })
    }

    fn observe(&self, state: &mut State, event: &Event, _: &Context) -> Option<Detection> {
        let kept = self.rounds as usize;
        state.reads.observe(event, &self.stateful_tools, kept);
        match event {
            Event::Call(seen) => self.call(state, seen),
            _ => None,
        }
    }

    fn allows(&self, state: &State) -> bool {
        state.calls.len() as u64 <= 2 * self.rounds
    }
}
