//! **Finds** two actions that take turns, whose results take turns, too, as OpenHands does.
//! **Must not find** rounds in which a result changes.
//! **The number** is OpenHands': 3 rounds of two.

use super::history::{History, Sequence};
use super::history_rule::{HistoryRule, Repeats};
use super::{Detection, Event, LoopInfo, RuleInfo, count_of, repeated_cycle};
use crate::report::{LoopType, RuleName};
use crate::settings::RuleSettings;

/// Actions of a round.
const PERIOD: u64 = 2;

#[derive(Debug, Clone)]
pub(crate) struct AlternatingPairs {
    threshold: u64,
}

impl HistoryRule for AlternatingPairs {
    const INFO: LoopInfo = LoopInfo {
        rule: RuleInfo {
            name: RuleName::AlternatingPairs,
            options: &["alternatingPairs", "headless", "commandTools"],
        },
        loop_type: LoopType::RepeatedToolCycle,
        texts: repeated_cycle::TEXTS,
    };

    fn from_options(options: &RuleSettings) -> Option<Self> {
        let threshold = count_of(options.alternating_pairs)?;
        Some(Self { threshold })
    }

    fn follow(&self, history: &mut History) {
        history.follow(Sequence::Actions, PERIOD, self.threshold);
        history.follow(Sequence::Results, PERIOD, self.threshold);
    }

    fn find(&self, history: &History) -> Option<Repeats> {
        let actions = history.rounds(Sequence::Actions, PERIOD);
        let results = history.rounds(Sequence::Results, PERIOD);
        Repeats::stop_from(self.threshold, PERIOD, actions.min(results))
    }

    fn detect(&self, repeats: Repeats, history: &History, event: &Event) -> Detection {
        repeats.of_actions(&Self::INFO, history, event)
    }
}
