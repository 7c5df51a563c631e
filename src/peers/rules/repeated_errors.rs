//! **Finds** equal actions in a row whose results are all errors, as OpenHands does.
//! **Must not find** an error that is followed by anything but an error.
//! **The number** is OpenHands': 3. What the errors say does not matter.

use super::history::{History, Sequence};
use super::history_rule::{HistoryRule, Repeats};
use super::{Detection, Event, LoopInfo, RuleInfo, count_of};
use crate::report::{LoopType, RuleName};
use crate::settings::RuleSettings;
use crate::texts::Texts;

pub(super) const TEXTS: Texts = Texts {
    message: "{tool} failed {count} times in a row.",
    feedback: "{tool} failed {count} times in a row with the same arguments. It will fail again. \
               Read the error, change what causes it, use another tool, or ask the user.",
};

#[derive(Debug, Clone)]
pub(crate) struct RepeatedErrors {
    threshold: u64,
}

impl HistoryRule for RepeatedErrors {
    const INFO: LoopInfo = LoopInfo {
        rule: RuleInfo {
            name: RuleName::RepeatedErrors,
            options: &["repeatedErrors", "headless"],
        },
        loop_type: LoopType::RepeatedError,
        texts: TEXTS,
    };

    fn from_options(options: &RuleSettings) -> Option<Self> {
        let threshold = count_of(options.repeated_errors)?;
        Some(Self { threshold })
    }

    fn follow(&self, history: &mut History) {
        history.follow(Sequence::Actions, 1, self.threshold);
        history.follow(Sequence::Errors, 1, self.threshold);
    }

    fn find(&self, history: &History) -> Option<Repeats> {
        let actions = history.rounds(Sequence::Actions, 1);
        let errors = history.rounds(Sequence::Errors, 1);
        Repeats::stop_from(self.threshold, 1, actions.min(errors))
    }

    fn detect(&self, repeats: Repeats, history: &History, event: &Event) -> Detection {
        let mut detection = repeats.of_actions(&Self::INFO, history, event);
        let is_error_last = !matches!(event, Event::Call(_) | Event::Condensation);
        if is_error_last && detection.report.loop_type == LoopType::RepeatedError {
            detection.report.evidence = history.last_error();
        }
        detection
    }
}
