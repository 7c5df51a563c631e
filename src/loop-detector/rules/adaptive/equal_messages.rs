//! Finds: the same message of the assistant again and again, and nothing done in between.
//! Must not find: a short message such as "Done." a few times; a message that comes again after a call.
//! The number: 3, one more than healthy sessions have, and 10 of short messages.

use serde::{Deserialize, Serialize};

use super::features::CallFeatures;
use super::run::{Limit, Run};
use super::step_rule::{self, Finding, FoundMessage, StepRule, StepRuleInfo};
use crate::LoopDetectorOptions;
use crate::report::{EVIDENCE_UNITS, LoopType, RuleName};
use crate::rules::RuleInfo;
use turnkeeper_base::snapshot::{Corrupt, SavedState};
use turnkeeper_base::text::excerpt_units;
use turnkeeper_base::text::hash::UnitHash;

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
const SHORT_MESSAGES: u64 = 10;

#[derive(Debug, Clone)]
pub(super) struct EqualMessages {
    limit: u64,
    state: State,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
struct State {
    run: Run,
    message: Message,
    /// UTF-16 code units of the prompt's prose so far.
    prose_units: u64,
    /// The beginning of the last message, for the report.
    excerpt: Vec<u16>,
}

/// The message that the assistant is writing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Message {
    /// Where in the prompt's prose it begins.
    begin: u64,
    /// What it is compared by: a hash of its units that are not white space, ...
    hash: u64,
    /// and how many there are.
    units: u64,
}

impl Default for Message {
    fn default() -> Self {
        Self {
            begin: 0,
            hash: UnitHash::EMPTY.0,
            units: 0,
        }
    }
}

impl SavedState for State {
    fn validate(&self) -> Result<(), Corrupt> {
        self.run.validate()?;
        Corrupt::unless(self.excerpt.len() <= EVIDENCE_UNITS + 1)?;
        // Counting on must not overflow.
        Corrupt::unless(self.prose_units <= u64::MAX >> 8 && self.message.units <= self.prose_units)
    }
}

impl State {
    fn push(&mut self, unit: u16) {
        let is_blank = unit <= u16::from(b' ');
        if !is_blank {
            if self.message.units == 0 {
                self.message.begin = self.prose_units;
                self.excerpt.clear();
            }
            let mut hash = UnitHash(self.message.hash);
            hash.push(unit);
            self.message.hash = hash.0;
            self.message.units += 1;
        }
        // One unit more than is shown tells that the message goes on.
        if self.message.units > 0 && self.excerpt.len() <= EVIDENCE_UNITS {
            self.excerpt.push(unit);
        }
        self.prose_units += 1;
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
        for unit in delta {
            self.state.push(*unit);
        }
    }

    fn at_message_end(&mut self) -> Option<Finding> {
        let message = std::mem::take(&mut self.state.message);
        if message.units == 0 {
            return None;
        }
        let limit = match message.units < LONG_MESSAGE {
            true => self.limit.max(SHORT_MESSAGES),
            false => self.limit,
        };
        // Every message begins at another place, so each counts.
        self.state
            .run
            .add_at(Some(message.hash), message.begin, message.begin);
        let mut finding = self.state.run.judge(Limit::of_identical(limit))?;
        finding.message = Some(FoundMessage {
            last_index: self.state.prose_units - 1,
            evidence: excerpt_units(&self.state.excerpt, EVIDENCE_UNITS),
        });
        Some(finding)
    }

    fn missing_result(&mut self) {
        self.state.run = Run::default();
    }

    /// What was said does not count any more, but the place in the prose does.
    fn forget(&mut self) {
        self.state = State {
            prose_units: self.state.prose_units,
            ..State::default()
        };
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
        assert_eq!(say(&mut rule, &MESSAGE.replace(' ', "\n  ")), None);
        let found = say(&mut rule, MESSAGE).expect("the third");
        assert!(!found.is_stop);
        assert_eq!((found.count, found.first_index), (3, 0));
        let message = found.message.expect("it is of prose");
        assert_eq!(message.evidence, MESSAGE);
        assert_eq!(message.last_index, rule.state.prose_units - 1);
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
    fn short_messages_are_a_loop_at_the_tenth() {
        let mut rule = rule();
        for _ in 0..9 {
            assert_eq!(say(&mut rule, "Done. All is well."), None);
        }
        let found = say(&mut rule, "Done. All is well.").expect("the tenth");
        assert_eq!((found.is_stop, found.count), (false, 10));
    }
}
