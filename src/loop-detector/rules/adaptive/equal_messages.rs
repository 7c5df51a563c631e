//! Finds: 3 equal messages with no call in between, 8 of under 30 units; a stop at 5, of short ones 10.
//! In Chinese: 3 条相同的消息，中间没有调用，不到 30 个字符的 8 条；停止：5 条，短的 10 条。
//! Must not find: a short message such as "Done." a few times; a message that comes again after a call.
//! The number: 3, one more than healthy sessions have, and 8 of short messages.

use serde::{Deserialize, Serialize};

use super::features::CallFeatures;
use super::prose::Message;
use super::run::{Limit, Run};
use super::step_rule::{Finding, StepRule, StepRuleInfo};
use crate::report::LoopType;

/// A shorter message says little. In UTF-16 code units without white space.
const LONG_MESSAGE: u64 = 30;
/// Short messages have to come this often.
const SHORT_MESSAGES: u64 = 8;

#[derive(Clone, Default, Serialize, Deserialize)]
pub(super) struct EqualMessages(Run);

pub(super) const INFO: StepRuleInfo = StepRuleInfo {
    usual: 3,
    loop_type: LoopType::Monologue,
    message: "the same message came {count} times and nothing was done in between.",
    feedback: "You seem to be stuck: {message} Saying it does not do it. Make the call that you announce, ask the user what is unclear, or finish.",
    needs_every_result: true,
    ..StepRuleInfo::USUAL
};

impl StepRule for EqualMessages {
    /// Something is done.
    fn at_call(&mut self, _: &CallFeatures, _: u64) -> Option<Finding> {
        self.0 = Run::default();
        None
    }

    fn at_message_end(&mut self, message: &Message, limit: u64) -> Option<Finding> {
        let limit = match message.units < LONG_MESSAGE {
            true => limit.max(SHORT_MESSAGES),
            false => limit,
        };
        // Every message begins at another place, so each counts.
        self.0
            .add_at(Some(message.hash), message.begin, message.begin);
        self.0.judge(Limit::of_identical(limit))
    }

    /// A host may tell the model to go on after each message.
    fn at_user_message(&mut self) {}
}

#[cfg(test)]
mod tests {
    use super::super::example::{self, Rule};
    use super::*;

    fn rule() -> Rule {
        example::rule("equal_messages", 3)
    }

    /// A message that is compared by this number.
    fn message(hash: u64, begin: u64, units: u64) -> Message {
        Message { begin, hash, units }
    }

    #[test]
    fn the_same_message_is_told_of_at_the_third_and_stopped_at_the_fifth() {
        let mut rule = rule();
        let mut told = (0..5).map(|n| rule.at_message_end(&message(1, 40 * n, 40)));
        assert_eq!(told.by_ref().take(2).collect::<Vec<_>>(), [None, None]);
        let third = told.next().flatten().expect("a nudge");
        assert_eq!(
            (third.is_stop, third.count, third.first_index),
            (false, 3, 0)
        );
        assert_eq!(told.next(), Some(None));
        assert!(told.next().flatten().expect("a stop").is_stop);
    }

    #[test]
    fn a_call_ends_the_run() {
        let mut rule = rule();
        rule.at_message_end(&message(1, 0, 40));
        rule.at_message_end(&message(1, 40, 40));
        rule.at_call(&CallFeatures::default(), None);
        assert_eq!(rule.at_message_end(&message(1, 80, 40)), None);
    }

    #[test]
    fn short_messages_are_a_loop_at_the_eighth() {
        let mut rule = rule();
        for n in 0..7 {
            assert_eq!(rule.at_message_end(&message(1, 20 * n, 20)), None);
        }
        let found = rule.at_message_end(&message(1, 140, 20));
        let found = found.expect("the eighth");
        assert_eq!((found.is_stop, found.count), (false, 8));
    }
}
