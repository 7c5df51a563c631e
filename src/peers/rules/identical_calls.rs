//! **Finds** calls of one tool with the same arguments, one right after the other.
//! **Must not find** a run that another call interrupts; what is said in between does not matter.
//! **The number** is that of the agents whose profiles have the rule: 10 in a row.

use super::history::{History, Sequence};
use super::history_rule::{HistoryRule, Repeats};
use super::{LoopInfo, RuleInfo, RunUnderWay, count_of};
use crate::report::{LoopType, RuleName};
use crate::settings::RuleSettings;
use crate::texts::Texts;

pub(super) const TEXTS: Texts = Texts {
    message: "the model called {tool} {count} times in a row with the same arguments.",
    feedback: "You called {tool} {count} times in a row with exactly the same arguments, so the \
               answer will not change. {held}Do not repeat it. Use the result that you already have; \
               if it did not help, say what is missing and try another tool or other arguments, or \
               ask the user.",
};

#[derive(Debug, Clone)]
pub(crate) struct IdenticalCalls {
    threshold: u64,
}

impl HistoryRule for IdenticalCalls {
    const INFO: LoopInfo = LoopInfo {
        rule: RuleInfo {
            name: RuleName::IdenticalCalls,
            options: &["identicalCalls"],
        },
        loop_type: LoopType::ConsecutiveIdenticalToolCalls,
        texts: TEXTS,
    };

    fn from_options(options: &RuleSettings) -> Option<Self> {
        let threshold = count_of(options.identical_calls)?;
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
