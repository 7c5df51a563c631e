//! **Finds** identical calls in a row, with a nudge before the stop, as Cline counts them.
//! **Must not find** the nudge twice: it is for exactly the call that makes the number.
//! **The numbers** are Cline's: a nudge at exactly 3, a stop from 5 on.

use super::history::{History, Sequence};
use super::history_rule::{HistoryRule, Repeats};
use super::{Action, LoopInfo, RuleInfo, RunUnderWay, count_of, count_or, identical_calls};
use crate::report::{LoopType, RuleName};
use crate::settings::RuleSettings;

#[derive(Debug, Clone)]
pub(crate) struct IdenticalCallsThresholds {
    /// None of them without the nudge, or without the stop.
    nudge_at: Option<u64>,
    stop_from: Option<u64>,
}

impl HistoryRule for IdenticalCallsThresholds {
    const INFO: LoopInfo = LoopInfo {
        rule: RuleInfo {
            name: RuleName::IdenticalCallsThresholds,
            options: &["softThreshold", "hardThreshold"],
        },
        loop_type: LoopType::ConsecutiveIdenticalToolCalls,
        texts: identical_calls::TEXTS,
    };

    fn from_options(options: &RuleSettings) -> Option<Self> {
        count_of(options.soft_threshold).or(count_of(options.hard_threshold))?;
        Some(Self {
            nudge_at: count_or(options.soft_threshold, 3),
            stop_from: count_or(options.hard_threshold, 5),
        })
    }

    fn follow(&self, history: &mut History) {
        for rounds in [self.nudge_at, self.stop_from].into_iter().flatten() {
            history.follow(Sequence::Calls, 1, rounds);
        }
    }

    fn find(&self, history: &History) -> Option<Repeats> {
        let rounds = history.rounds(Sequence::Calls, 1);
        if let Some(stop) = self.stop_from
            && let Some(repeats) = Repeats::stop_from(stop, 1, rounds)
        {
            return Some(repeats);
        }
        (self.nudge_at == Some(rounds)).then_some(Repeats {
            action: Action::Nudge,
            period: 1,
            rounds,
            threshold: rounds,
        })
    }

    fn under_way(&self, history: &History) -> Option<RunUnderWay> {
        let count = history.rounds(Sequence::Calls, 1);
        // The nudge does not come any more once there are as many calls.
        let nudge_at = self.nudge_at.filter(|nudge_at| count < *nudge_at);
        let threshold = nudge_at.into_iter().chain(self.stop_from).min()?;
        Some(RunUnderWay { count, threshold })
    }
}
