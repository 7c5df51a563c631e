//! Finds: 8 messages in a row with no call and no word of the user in between, or 3 equal ones with no call in between,
//! 8 of under 30 units; 24 thoughts in one message; a stop at 14, or 5, of short ones 10; never. A call is announced each time and never made, or an answer
//! given again, in other words or the same.
//! In Chinese: 连续 8 条消息，中间没有调用，用户也没有说话；或 3 条相同的消息，中间没有调用，不到 30 个字符的 8 条；一条消息里有 24 段思考；停止：14 条，或 5 条，短的 10 条；从不。
//! Must not find: a conversation, in which the user speaks between two messages that differ; messages between calls; a
//! short message such as "Done." a few times.
//! The number: 8; one of 2,522 healthy recorded sessions has 5 in a row, and no other more than one. Of equal ones 3, one
//! more than healthy sessions have. Healthy messages of 2,000 sessions have up to 16 thoughts, and those of loops 33 to 93.

use serde::{Deserialize, Serialize};

use super::features::CallFeatures;
use super::finding::{Finding, Said};
use super::prose::Message;
use super::run::{Limit, Run};
use super::step_rule::{StepRule, StepRuleInfo};
use crate::report::LoopType;

/// Whatever a message says, it is one run.
const ANY: u64 = 0;
/// A shorter message says little. In UTF-16 code units without white space.
const LONG_MESSAGE: u64 = 30;

#[derive(Clone, Default, Serialize, Deserialize)]
pub(super) struct IdleMessages {
    any: Run,
    equal: Run,
}

pub(super) const INFO: StepRuleInfo = StepRuleInfo {
    usual: 8,
    loop_type: LoopType::Monologue,
    message: "{count} messages came and nothing was done in between{answer}.",
    feedback: "You seem to be stuck: {message} Saying it does not do it. Make the call that you announce, ask the user what is unclear, or finish.",
    ..StepRuleInfo::USUAL
};

const THOUGHTS: Said = Said {
    loop_type: LoopType::Monologue,
    message: "the model thought {count} times in one message and did nothing{answer}.",
    feedback: "You seem to be stuck: {message} Decide with what you know, and take the next concrete step, or tell the user what keeps you from it.",
};
/// A message may have this many times more thoughts than there may be messages.
const TIMES_OF_THOUGHTS: u64 = 3;

impl StepRule for IdleMessages {
    /// Something is done.
    fn at_call(&mut self, _: &CallFeatures, _: u64) -> Option<Finding> {
        *self = Self::default();
        None
    }

    fn at_message_end(&mut self, message: &Message, limit: u64) -> Option<Finding> {
        let begin = message.begin;
        // Every message begins at another place, so each counts.
        self.any.add_at(Some(ANY), begin, begin);
        self.equal.add_at(Some(message.hash.0), begin, begin);
        let of_equal = match message.units < LONG_MESSAGE {
            true => limit,
            false => limit.div_ceil(3),
        };
        let of_any = self.any.judge(Limit::of_different(limit));
        self.equal.judge(Limit::of_identical(of_equal)).or(of_any)
    }

    fn at_thought(&mut self, begin: u64, count: u64, limit: u64) -> Option<Finding> {
        let most = limit.saturating_mul(TIMES_OF_THOUGHTS);
        let found = (count == most).then(|| Finding::nudge(most, count, begin).saying(&THOUGHTS));
        found.and_then(Finding::if_mere_hint)
    }

    /// A host may tell the model to go on after each message, so the same one still says nothing new.
    fn at_user_message(&mut self) {
        self.any = Run::default();
    }
}

#[cfg(test)]
mod tests {
    use super::super::example::{self, Rule};
    use super::*;
    use turnkeeper_base::text::hash::UnitHash;

    fn rule() -> Rule {
        example::rule("idle_messages", 8)
    }

    /// The verdict on the next message, another one each time: a stop or a nudge.
    fn say(rule: &mut Rule, number: u64) -> Option<bool> {
        let message = Message {
            begin: 30 * number,
            hash: UnitHash(number),
            units: 30,
        };
        rule.rule
            .at_message_end(&message, rule.limit)
            .map(|finding| finding.is_stop)
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
                13 => drop(rule.at_call(&CallFeatures::default())),
                _ => {}
            }
        }
    }

    /// The verdicts on this many messages of one wording and this many units, the user speaking in between.
    fn say_again(units: u64, count: u64) -> Vec<Option<bool>> {
        let mut rule = rule();
        let messages = (0..count).map(|number| {
            let message = Message {
                begin: units * number,
                hash: UnitHash(1),
                units,
            };
            rule.rule.at_user_message();
            rule.rule
                .at_message_end(&message, rule.limit)
                .map(|finding| finding.is_stop)
        });
        messages.collect()
    }

    #[test]
    fn the_same_message_is_told_of_at_the_third_and_stopped_at_the_fifth() {
        let expected = [None, None, Some(false), None, Some(true)];
        assert_eq!(say_again(40, 5), expected);
    }

    #[test]
    fn short_messages_are_a_loop_at_the_eighth() {
        let told = say_again(20, 10);
        assert_eq!(told[..7], [None; 7]);
        assert_eq!(told[7..], [Some(false), None, Some(true)]);
    }
}
