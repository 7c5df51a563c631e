//! **Finds** two calls that take turns, as Qwen Code does.
//! **Must not find** turns in which a tool that reads what others change has brought something new.
//! **The number** is Qwen Code's: 3 rounds of two.

use serde::{Deserialize, Serialize};

use super::stateful_reads::{StatefulReads, StatefulTools};
use super::{
    CallSeen, CallSummary, Context, Detection, Event, MAX_COUNT, Needs, Restart, Rule, RuleInfo,
    count_of, repeated_cycle,
};
use crate::loop_detector::options::LoopDetectorOptions;
use crate::loop_detector::report::{LoopReport, LoopType, RuleName};
use crate::snapshot::{self, Corrupt, SavedState};

#[derive(Debug, Clone)]
pub(crate) struct AlternatingCalls {
    rounds: u64,
    stateful_tools: StatefulTools,
    state: State,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct State {
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
    fn call(&mut self, seen: &CallSeen) -> Option<Detection> {
        let State { calls, reads } = &mut self.state;
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
        let loop_type = LoopType::RepeatedToolCycle;
        let mut report = LoopReport::new(loop_type, RuleName::AlternatingCalls);
        report.count = self.rounds;
        report.threshold = self.rounds;
        report.period = Some(2);
        report.first_index = one.index;
        report.last_index = seen.index;
        CallSummary::of(seen.call).fill(&mut report);
        Some(Detection::stop(report, repeated_cycle::TEXTS))
    }
}

impl Rule for AlternatingCalls {
    fn info() -> &'static [RuleInfo] {
        &[RuleInfo {
            name: RuleName::AlternatingCalls,
            options: &["alternatingCalls", "statefulTools"],
            finds: "rounds of two calls, whatever their results",
        }]
    }

    fn from_options(options: &LoopDetectorOptions) -> Option<Self> {
        Some(Self {
            rounds: count_of(options.alternating_calls)?,
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
        let kept = self.rounds as usize;
        self.state.reads.observe(event, &self.stateful_tools, kept);
        match event {
            Event::Call(seen) => self.call(seen),
            _ => None,
        }
    }

    fn restart(&mut self, _: Restart) {
        self.state = State::default();
    }

    fn save(&self) -> Vec<u8> {
        snapshot::encode(&self.state)
    }

    fn load(&mut self, saved: &[u8]) -> Result<(), Corrupt> {
        let state: State = snapshot::decode(saved)?;
        Corrupt::unless(state.calls.len() as u64 <= 2 * self.rounds)?;
        self.state = state;
        Ok(())
    }
}
