//! **Finds** the same message of the model again and again, as OpenHands does.
//! **Must not find** messages with a result between them: then something was done.
//! **The number** is OpenHands': 3.

use super::history::{History, Sequence};
use super::history_rule::{HistoryRule, Repeats};
use super::{Detection, Event, LoopInfo, RuleInfo, count_of};
use crate::report::{LoopType, RuleName};
use crate::settings::RuleSettings;
use crate::texts::Texts;

const TEXTS: Texts = Texts {
    message: "the model said the same thing {count} times and did nothing in between.",
    feedback: "You said the same thing {count} times and did nothing in between. Act on it, ask the \
               user, or finish.",
};

#[derive(Debug, Clone)]
pub(crate) struct RepeatedMessages {
    threshold: u64,
}

impl HistoryRule for RepeatedMessages {
    const INFO: LoopInfo = LoopInfo {
        rule: RuleInfo {
            name: RuleName::RepeatedMessages,
            options: &["repeatedMessages", "headless"],
        },
        loop_type: LoopType::Monologue,
        texts: TEXTS,
    };

    fn from_options(options: &RuleSettings) -> Option<Self> {
        let threshold = count_of(options.repeated_messages)?;
        Some(Self { threshold })
    }

    fn follow(&self, history: &mut History) {
        history.follow(Sequence::Messages, 1, self.threshold);
    }

    fn find(&self, history: &History) -> Option<Repeats> {
        Repeats::stop_from(self.threshold, 1, history.rounds(Sequence::Messages, 1))
    }

    fn detect(&self, repeats: Repeats, history: &History, _: &Event) -> Detection {
        repeats.of_messages(&Self::INFO, history)
    }
}
