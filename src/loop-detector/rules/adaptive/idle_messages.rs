//! Finds: 8 messages in a row with no call and no word of the user in between; a stop at 14. A call is announced each
//! time and never made, or an answer given again in other words.
//! In Chinese: 连续 8 条消息，中间没有调用，用户也没有说话；停止：14 条。
//! Must not find: a conversation, in which the user speaks between two messages; messages between calls.
//! The number: 8; one of 2,522 healthy recorded sessions has 5 in a row, and no other more than one.

use serde::{Deserialize, Serialize};

use super::features::CallFeatures;
use super::prose::Message;
use super::run::{Limit, Run};
use super::step_rule::{Finding, StepRule, StepRuleInfo};
use crate::report::LoopType;

/// Whatever a message says, it is one run.
const ANY: u64 = 0;

#[derive(Clone, Default, Serialize, Deserialize)]
pub(super) struct IdleMessages(Run);

pub(super) const INFO: StepRuleInfo = StepRuleInfo {
    usual: 8,
    loop_type: LoopType::Monologue,
    message: "{count} messages came one after the other and nothing was done in between.",
    feedback: "You seem to be stuck: {message} Make the call that you announce, ask the user what is unclear, or finish.",
    needs_every_result: true,
    ..StepRuleInfo::USUAL
};

impl StepRule for IdleMessages {
    /// Something is done.
    fn at_call(&mut self, _: &CallFeatures, _: u64) -> Option<Finding> {
        self.0 = Run::default();
        None
    }

    fn at_message_end(&mut self, message: &Message, limit: u64) -> Option<Finding> {
        self.0.add_at(Some(ANY), message.begin, message.begin);
        self.0.judge(Limit::of_different(limit))
    }
}

#[cfg(test)]
mod tests {
    use super::super::example::{self, Rule};
    use super::*;

    fn rule() -> Rule {
        example::rule("idle_messages", 8)
    }

    /// The verdict on the next message, another one each time: a stop or a nudge.
    fn say(rule: &mut Rule, number: u64) -> Option<bool> {
        let message = Message {
            begin: 30 * number,
            hash: number,
            units: 30,
        };
        rule.at_message_end(&message).map(|finding| finding.is_stop)
    }

    #[test]
    fn the_eighth_message_without_a_call_is_told_of_and_the_fourteenth_stops() {
        let mut rule = rule();
        let told: Vec<_> = (0..14).map(|number| say(&mut rule, number)).collect();
        assert_eq!(told[..7], [None; 7]);
        assert_eq!(told[7], Some(false));
        assert_eq!(told[8..13], [None; 5]);
        assert_eq!(told[13], Some(true));
    }

    #[test]
    fn a_call_and_the_user_end_the_run() {
        let mut rule = rule();
        for number in 0..30 {
            assert_eq!(say(&mut rule, number), None);
            match number % 14 {
                6 => rule.rule.at_user_message(),
                13 => drop(rule.at_call(&CallFeatures::default(), None)),
                _ => {}
            }
        }
    }
}
