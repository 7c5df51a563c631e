//! **Finds** condensations of the history with nothing between them, as OpenHands does.
//! **Must not find** condensations after each of which the model goes on.
//! **The number** is OpenHands': 10.

use super::history::{History, Sequence};
use super::history_rule::{HistoryRule, Repeats};
use super::{Detection, Event, LoopInfo, RuleInfo, count_of};
use crate::report::{LoopType, RuleName};
use crate::settings::RuleSettings;
use crate::texts::Texts;

const TEXTS: Texts = Texts {
    message: "the history was condensed {count} times in a row.",
    feedback: "The history was condensed {count} times in a row and still does not fit. Finish with \
               what you have, or tell the user that the task is too large.",
};

#[derive(Debug, Clone)]
pub(crate) struct RepeatedCondensations {
    threshold: u64,
}

impl HistoryRule for RepeatedCondensations {
    const INFO: LoopInfo = LoopInfo {
        rule: RuleInfo {
            name: RuleName::RepeatedCondensations,
            options: &["repeatedCondensations", "headless"],
        },
        loop_type: LoopType::RepeatedError,
        texts: TEXTS,
    };

    fn from_options(options: &RuleSettings) -> Option<Self> {
        let threshold = count_of(options.repeated_condensations)?;
        Some(Self { threshold })
    }

    fn follow(&self, history: &mut History) {
        history.follow(Sequence::Condensations, 1, self.threshold);
    }

    fn find(&self, history: &History) -> Option<Repeats> {
        let rounds = history.rounds(Sequence::Condensations, 1);
        Repeats::stop_from(self.threshold, 1, rounds)
    }

    fn detect(&self, repeats: Repeats, history: &History, event: &Event) -> Detection {
        repeats.of_calls(&Self::INFO, Sequence::Condensations, history, event)
    }
}
