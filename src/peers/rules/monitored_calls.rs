//! **Finds** a preview model that calls one monitored tool again and again, whatever the arguments.
//! **Must not find** a run that a call of another tool interrupts, nor any other model.
//! **The number** is DeepV Code's: 32, after 4 and 5 had stopped normal work.

use super::history::{History, Sequence};
use super::history_rule::{HistoryRule, Repeats};
use super::{Detection, Event, LoopInfo, RuleInfo, RunUnderWay, count_of};
use crate::report::{LoopType, RuleName};
use crate::settings::RuleSettings;
use crate::texts::Texts;

const TEXTS: Texts = Texts {
    message: "the model called {tool} {count} times in a row, which is the limit for this model.",
    feedback: "You called {tool} {count} times in a row. {held}Stop exploring with {tool}. Sum up \
               what you know so far, then act on it, or tell the user what you still need and why.",
};

#[derive(Debug, Clone)]
pub(crate) struct MonitoredCalls {
    threshold: u64,
}

impl HistoryRule for MonitoredCalls {
    const INFO: LoopInfo = LoopInfo {
        rule: RuleInfo {
            name: RuleName::MonitoredCalls,
            options: &["monitoredCalls", "monitoredTools", "previewModel"],
        },
        loop_type: LoopType::SameToolDifferentArguments,
        texts: TEXTS,
    };

    fn from_options(options: &RuleSettings) -> Option<Self> {
        let threshold = count_of(options.monitored_calls)?;
        Some(Self { threshold })
    }

    fn follow(&self, history: &mut History) {
        history.follow(Sequence::MonitoredCalls, 1, self.threshold);
    }

    fn find(&self, history: &History) -> Option<Repeats> {
        let rounds = history.rounds(Sequence::MonitoredCalls, 1);
        Repeats::stop_from(self.threshold, 1, rounds)
    }

    fn under_way(&self, history: &History) -> Option<RunUnderWay> {
        Some(RunUnderWay {
            count: history.rounds(Sequence::MonitoredCalls, 1),
            threshold: self.threshold,
        })
    }

    fn detect(&self, repeats: Repeats, history: &History, event: &Event) -> Detection {
        repeats.of_calls(&Self::INFO, Sequence::MonitoredCalls, history, event)
    }
}
