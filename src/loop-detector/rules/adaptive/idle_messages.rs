//! Finds: message after message of the assistant, whatever they say, and nothing done in between: the call that
//! is announced each time and never made, the answer that is given again in other words.
//! Must not find: a conversation, in which the user speaks between two messages; messages between calls.
//! The number: 8; one of 2,522 healthy recorded sessions has 5 in a row, and no other more than one.

use super::features::CallFeatures;
use super::prose::Message;
use super::run::{Limit, Run};
use super::step_rule::{self, Finding, StepRule, StepRuleInfo};
use crate::LoopDetectorOptions;
use crate::report::{LoopType, RuleName};
use crate::rules::RuleInfo;
use turnkeeper_base::snapshot::Corrupt;

const INFO: StepRuleInfo = StepRuleInfo {
    rule: RuleInfo {
        name: RuleName::IdleMessages,
        options: &["idleMessages"],
    },
    loop_type: LoopType::Monologue,
    message: "{count} messages came one after the other and nothing was done in between.",
    feedback: "You seem to be stuck: {message} Make the call that you announce, ask the user what is unclear, or finish.",
};

/// Whatever a message says, it is one run.
const ANY: u64 = 0;

#[derive(Debug, Clone)]
pub(super) struct IdleMessages {
    limit: u64,
    run: Run,
}

impl StepRule for IdleMessages {
    fn from_options(options: &LoopDetectorOptions) -> Option<Self> {
        Some(Self {
            limit: options.idle_messages?.count()?,
            run: Run::default(),
        })
    }

    fn info() -> &'static StepRuleInfo {
        &INFO
    }

    /// Something is done.
    fn at_call(&mut self, _: &CallFeatures) -> Option<Finding> {
        self.forget();
        None
    }

    fn at_message_end(&mut self, message: &Message) -> Option<Finding> {
        self.run.add_at(Some(ANY), message.begin, message.begin);
        self.run.judge(Limit::of_different(self.limit))
    }

    fn missing_result(&mut self) {
        self.forget();
    }

    fn forget(&mut self) {
        self.run = Run::default();
    }

    fn save(&self) -> Vec<u8> {
        step_rule::save(&self.run)
    }

    fn load(&mut self, saved: &[u8]) -> Result<(), Corrupt> {
        step_rule::load(&mut self.run, saved)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use turnkeeper_base::options::Threshold;

    fn rule() -> IdleMessages {
        let options = LoopDetectorOptions {
            idle_messages: Some(Threshold::At(8)),
            ..LoopDetectorOptions::default()
        };
        IdleMessages::from_options(&options).expect("it is on")
    }

    /// Whether the next message, another one each time, is told of or stops the model.
    fn say(rule: &mut IdleMessages, number: u64) -> Option<bool> {
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
                6 => rule.at_user_message(),
                13 => drop(rule.at_call(&CallFeatures::default())),
                _ => {}
            }
        }
    }
}
