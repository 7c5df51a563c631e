//! Finds: message after message of the assistant, whatever they say, and nothing done in between: the call that
//! is announced each time and never made, the answer that is given again in other words.
//! Must not find: a conversation, in which the user speaks between two messages; messages between calls.
//! The number: 8; one of 2,522 healthy recorded sessions has 5 in a row, and no other more than one.

use serde::{Deserialize, Serialize};

use super::features::CallFeatures;
use super::prose::Prose;
use super::run::{Limit, Run};
use super::step_rule::{self, Finding, StepRule, StepRuleInfo};
use crate::LoopDetectorOptions;
use crate::report::{LoopType, RuleName};
use crate::rules::RuleInfo;
use turnkeeper_base::snapshot::{Corrupt, SavedState};

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
    state: State,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
struct State {
    run: Run,
    prose: Prose,
}

impl SavedState for State {
    fn validate(&self) -> Result<(), Corrupt> {
        self.run.validate()?;
        self.prose.validate()
    }
}

impl StepRule for IdleMessages {
    fn from_options(options: &LoopDetectorOptions) -> Option<Self> {
        Some(Self {
            limit: options.idle_messages?.count()?,
            state: State::default(),
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

    fn at_text(&mut self, delta: &[u16]) {
        self.state.prose.push(delta);
    }

    fn at_message_end(&mut self) -> Option<Finding> {
        let message = self.state.prose.end_message()?;
        let run = &mut self.state.run;
        run.add_at(Some(ANY), message.begin, message.begin);
        let mut finding = run.judge(Limit::of_different(self.limit))?;
        finding.message = Some(self.state.prose.found());
        Some(finding)
    }

    fn missing_result(&mut self) {
        self.state.run = Run::default();
    }

    fn forget(&mut self) {
        self.state.run = Run::default();
        self.state.prose.forget();
    }

    fn begin_prompt(&mut self) {
        self.state = State::default();
    }

    fn save(&self) -> Vec<u8> {
        step_rule::save(&self.state)
    }

    fn load(&mut self, saved: &[u8]) -> Result<(), Corrupt> {
        step_rule::load(&mut self.state, saved)
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

    /// What is said of the next message, another one each time; whether a stop.
    fn say(rule: &mut IdleMessages, number: usize) -> Option<bool> {
        let message = format!("Now I really close gate {number}.");
        rule.at_text(&message.encode_utf16().collect::<Vec<_>>());
        rule.at_message_end().map(|finding| finding.is_stop)
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

    #[test]
    fn nothing_is_no_message() {
        let mut rule = rule();
        for _ in 0..30 {
            rule.at_text(&[u16::from(b'\n')]);
            assert_eq!(rule.at_message_end(), None);
        }
    }
}
