//! **Finds** the same few calls in the same order, round after round, as gemini-cli does.
//! **Must not find** a round that differs in one call, or one that is longer than `maxPeriod`.
//! **The numbers** are gemini-cli's: 5 rounds of 1 to 5 calls.

use super::history::{History, Sequence};
use super::history_rule::{HistoryRule, Repeats};
use super::{Detection, Event, LoopInfo, RuleInfo, RunUnderWay, count_or, identical_calls};
use crate::report::{LoopType, RuleName};
use crate::settings::RuleSettings;
use crate::texts::Texts;

pub(super) const TEXTS: Texts = Texts {
    message: "the model went {count} times through the same {period} tool calls.",
    feedback: "You went {count} times through the same {period} tool calls, the last of them {tool}. \
               {held}Another round will not change anything. Use what you have, or try something \
               else.",
};

#[derive(Debug, Clone)]
pub(crate) struct RepeatedCycle {
    threshold: u64,
    min_period: u64,
    max_period: u64,
}

impl HistoryRule for RepeatedCycle {
    const INFO: LoopInfo = LoopInfo {
        rule: RuleInfo {
            name: RuleName::RepeatedCycle,
            options: &["rounds", "minPeriod", "maxPeriod", "inclusive"],
        },
        loop_type: LoopType::RepeatedToolCycle,
        texts: TEXTS,
    };

    fn from_options(options: &RuleSettings) -> Option<Self> {
        let has_period = options.min_period.is_some() || options.max_period.is_some();
        if options.rounds.is_none() && !has_period {
            return None;
        }
        let rounds = count_or(options.rounds, 5)?;
        Some(Self {
            threshold: rounds,
            min_period: options.min_period.unwrap_or(1),
            max_period: options.max_period.unwrap_or(5),
        })
    }

    fn follow(&self, history: &mut History) {
        history.follow(Sequence::Calls, self.max_period, self.threshold);
    }

    /// The shortest cycle counts.
    fn find(&self, history: &History) -> Option<Repeats> {
        (self.min_period..=self.max_period).find_map(|period| {
            let rounds = history.rounds(Sequence::Calls, period);
            Repeats::stop_from(self.threshold, period, rounds)
        })
    }

    /// The rounds of the cycle that goes on for longest.
    fn under_way(&self, history: &History) -> Option<RunUnderWay> {
        let rounds = |period| history.rounds(Sequence::Calls, period);
        Some(RunUnderWay {
            count: (self.min_period..=self.max_period).map(rounds).max()?,
            threshold: self.threshold,
        })
    }

    fn detect(&self, repeats: Repeats, history: &History, event: &Event) -> Detection {
        let info = match repeats.period {
            1 => LoopInfo {
                loop_type: LoopType::ConsecutiveIdenticalToolCalls,
                texts: identical_calls::TEXTS,
                ..Self::INFO
            },
            _ => Self::INFO,
        };
        repeats.of_calls(&info, Sequence::Calls, history, event)
    }
}
