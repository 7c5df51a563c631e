//! **Finds** more identical calls in a row than a limit, as Roo Code and goose count them.
//! **Must not find** anything with a limit of 0 or less, which is off.
//! **The number** is Roo Code's: more than 3. goose has none until its user sets one.

use super::history::{History, Sequence};
use super::history_rule::{HistoryRule, Repeats};
use super::{LoopInfo, RuleInfo, RunUnderWay, identical_calls};
use crate::report::{LoopType, RuleName};
use crate::settings::RuleSettings;

#[derive(Debug, Clone)]
pub(crate) struct IdenticalCallsLimit {
    threshold: u64,
}

impl HistoryRule for IdenticalCallsLimit {
    const INFO: LoopInfo = LoopInfo {
        rule: RuleInfo {
            name: RuleName::IdenticalCallsLimit,
            options: &["limit", "maxRepetitions", "inclusive"],
        },
        loop_type: LoopType::ConsecutiveIdenticalToolCalls,
        texts: identical_calls::TEXTS,
    };

    fn from_options(options: &RuleSettings) -> Option<Self> {
        let limit = match options.max_repetitions {
            Some(repetitions) => repetitions.count()?,
            None => u64::try_from(options.limit?)
                .ok()
                .filter(|limit| *limit > 0)?,
        };
        let threshold = limit + 1;
        Some(Self { threshold })
    }

    fn follow(&self, history: &mut History) {
        history.follow(Sequence::Calls, 1, self.threshold);
    }

    fn find(&self, history: &History) -> Option<Repeats> {
        Repeats::stop_from(self.threshold, 1, history.rounds(Sequence::Calls, 1))
    }

    fn under_way(&self, history: &History) -> Option<RunUnderWay> {
        Some(RunUnderWay {
            count: history.rounds(Sequence::Calls, 1),
            threshold: self.threshold,
        })
    }
}
