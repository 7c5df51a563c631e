//! Finds: the same message of the assistant again and again, and nothing done in between.
//! Must not find: a short message such as "Done." a few times; a message that comes again after a call.
//! The number: 3, one more than healthy sessions have, and 8 of short messages.

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
        name: RuleName::EqualMessages,
        options: &["equalMessages"],
    },
    loop_type: LoopType::Monologue,
    message: "the same message came {count} times and nothing was done in between.",
    feedback: "You seem to be stuck: {message} Saying it does not do it. Make the call that you announce, ask the user what is unclear, or finish.",
};

/// A shorter message says little. In UTF-16 code units without white space.
const LONG_MESSAGE: u64 = 30;
/// Short messages have to come this often.
const SHORT_MESSAGES: u64 = 8;

#[derive(Debug, Clone)]
pub(super) struct EqualMessages {
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

impl StepRule for EqualMessages {
    fn from_options(options: &LoopDetectorOptions) -> Option<Self> {
        Some(Self {
            limit: options.equal_messages?.count()?,
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
        let limit = match message.units < LONG_MESSAGE {
            true => self.limit.max(SHORT_MESSAGES),
            false => self.limit,
        };
        // Every message begins at another place, so each counts.
        let run = &mut self.state.run;
        run.add_at(Some(message.hash), message.begin, message.begin);
        let mut finding = run.judge(Limit::of_identical(limit))?;
        finding.message = Some(self.state.prose.found());
        Some(finding)
    }

    fn missing_result(&mut self) {
        self.state.run = Run::default();
    }

    /// What was said does not count any more, but the place in the prose does.
    fn forget(&mut self) {
        self.state.run = Run::default();
        self.state.prose.forget();
    }

    /// A host may tell the model to go on after each message.
    fn at_user_message(&mut self) {}

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

    fn rule() -> EqualMessages {
        let options = LoopDetectorOptions {
            equal_messages: Some(Threshold::At(3)),
            ..LoopDetectorOptions::default()
        };
        EqualMessages::from_options(&options).expect("it is on")
    }

    fn say(rule: &mut EqualMessages, message: &str) -> Option<Finding> {
        let units: Vec<u16> = message.encode_utf16().collect();
        rule.at_text(&units);
        rule.at_message_end()
    }

    const MESSAGE: &str = "I shall look at the garden gate in a moment.";

    #[test]
    fn the_same_message_is_told_of_whatever_its_white_space() {
        let mut rule = rule();
        assert_eq!(say(&mut rule, MESSAGE), None);
        let spaced = MESSAGE.replace(' ', "\n  ");
        assert_eq!(say(&mut rule, &spaced), None);
        let found = say(&mut rule, MESSAGE).expect("the third");
        assert!(!found.is_stop);
        assert_eq!((found.count, found.first_index), (3, 0));
        let message = found.message.expect("it is of prose");
        assert_eq!(message.evidence, MESSAGE);
        let written = 2 * MESSAGE.len() + spaced.len();
        assert_eq!(message.last_index, written as u64 - 1);
    }

    #[test]
    fn a_call_ends_the_run() {
        let mut rule = rule();
        say(&mut rule, MESSAGE);
        say(&mut rule, MESSAGE);
        rule.at_call(&CallFeatures::default());
        assert_eq!(say(&mut rule, MESSAGE), None);
    }

    #[test]
    fn short_messages_are_a_loop_at_the_eighth() {
        let mut rule = rule();
        for _ in 0..7 {
            assert_eq!(say(&mut rule, "Done. All is well."), None);
        }
        let found = say(&mut rule, "Done. All is well.").expect("the eighth");
        assert_eq!((found.is_stop, found.count), (false, 8));
    }
}
