//! **Finds** equal actions in a row (calls or messages) with as many equal results, as OpenHands does.
//! **Must not find** calls whose results differ: then something changes.
//! **The number** is OpenHands': 4.

use super::history::{History, Sequence};
use super::history_rule::{HistoryRule, Repeats};
use super::{Detection, Event, LoopInfo, RuleInfo, count_of, identical_calls};
use crate::report::{LoopType, RuleName};
use crate::settings::RuleSettings;

#[derive(Debug, Clone)]
pub(crate) struct RepeatedPairs {
    threshold: u64,
}

impl HistoryRule for RepeatedPairs {
    const INFO: LoopInfo = LoopInfo {
        rule: RuleInfo {
            name: RuleName::RepeatedPairs,
            options: &["repeatedPairs", "headless", "commandTools"],
        },
        loop_type: LoopType::ConsecutiveIdenticalToolCalls,
        texts: identical_calls::TEXTS,
    };

    fn from_options(options: &RuleSettings) -> Option<Self> {
        let threshold = count_of(options.repeated_pairs)?;
        Some(Self { threshold })
    }

    fn follow(&self, history: &mut History) {
        history.follow(Sequence::Actions, 1, self.threshold);
        history.follow(Sequence::Results, 1, self.threshold);
    }

    fn find(&self, history: &History) -> Option<Repeats> {
        let actions = history.rounds(Sequence::Actions, 1);
        let results = history.rounds(Sequence::Results, 1);
        Repeats::stop_from(self.threshold, 1, actions.min(results))
    }

    fn detect(&self, repeats: Repeats, history: &History, event: &Event) -> Detection {
        repeats.of_actions(&Self::INFO, history, event)
    }
}
