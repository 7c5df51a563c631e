//! Finds: 8 requests in a row with the same words before the calls; never a stop. The model announces the same step
//! each time.
//! In Chinese: 连续 8 个请求在调用之前说同样的话；不停止。
//! Must not find: the same short words ("Next."); the same words before the calls of one request; words
//! that differ, be it in a number; the same words of one file after the other.
//! The number: 8; a healthy session of sets A and B says the same before 7 scrolls of a file. At 8 none of 1,469 is
//! hit, and 1 loop of 119 is found by it alone.

use serde::{Deserialize, Serialize};

use super::features::CallFeatures;
use super::prose::Message;
use super::run::{Limit, Run};
use super::step_rule::{Finding, StepRule, StepRuleInfo};
use crate::report::LoopType;
use turnkeeper_base::text::hash::mixed;

#[derive(Clone, Default, Serialize, Deserialize)]
pub(super) struct RepeatedIntents(Run);

pub(super) const INFO: StepRuleInfo = StepRuleInfo {
    usual: 8,
    loop_type: LoopType::SameToolDifferentArguments,
    message: "the model said the same before {count} calls in a row, the last of {tool}.",
    feedback: "You seem to be stuck: {message} You are still looking for the same thing. Search for it by name, say what you know, or ask the user.",
    // The words alone say it.
    needs_every_result: false,
    ..StepRuleInfo::USUAL
};

impl StepRule for RepeatedIntents {
    /// Judged when the call is made. A call without words of its own belongs to those before.
    fn at_announced_call(
        &mut self,
        said: &Message,
        call: &CallFeatures,
        limit: u64,
    ) -> Option<Finding> {
        // Words said of one file after the other are said of another thing each time.
        let about = |intent| mixed(intent, call.path.unwrap_or_default());
        self.0.add(said.intent().map(about), call);
        // Calls that get on may be announced in the same words, which are no reason to stop them.
        let found = self.0.judge(Limit::of_different(limit));
        found.filter(|found| !found.is_stop)
    }
}

#[cfg(test)]
mod tests {
    use super::super::example::{self, Rule};
    use super::super::prose::Prose;
    use super::*;

    const INTENT: &str = "Now I look for the key of gate 12 again.";

    fn rule() -> Rule {
        example::rule("repeated_intents", 3)
    }

    /// The verdicts on calls with these words before them, each a request of its own: a stop or a
    /// nudge.
    fn told(intents: &[&str]) -> Vec<Option<bool>> {
        let mut rule = rule();
        let say = |(at, intent): (usize, &&str)| {
            let mut prose = Prose::default();
            prose.push(&intent.encode_utf16().collect::<Vec<_>>());
            let call = CallFeatures {
                index: at as u64,
                request: at as u64 + 1,
                ..CallFeatures::default()
            };
            let said = prose.end_message()?;
            rule.at_call(&call, Some(&said))
                .map(|finding| finding.is_stop)
        };
        intents.iter().enumerate().map(say).collect()
    }

    #[test]
    fn the_same_words_are_told_of_once() {
        let told = told(&[INTENT; 9]);
        assert_eq!(told[2], Some(false));
        assert_eq!(told[3..], [None; 6]);
    }

    #[test]
    fn other_words_numbers_and_short_ones_end_the_run() {
        let other = INTENT.replace("12", "7");
        assert_eq!(told(&[INTENT, INTENT, &other, INTENT, INTENT]), [None; 5]);
        let end = [
            INTENT,
            INTENT,
            "Now I turn to the fence instead of it.",
            INTENT,
            INTENT,
        ];
        assert_eq!(told(&end), [None; 5]);
        assert_eq!(told(&["Next."; 5]), [None; 5]);
    }

    #[test]
    fn what_is_said_of_one_file_after_the_other_is_no_repeat() {
        let told_of = |paths: [Option<u64>; 3]| {
            let mut rule = rule();
            let mut last = None;
            for (at, path) in (0..).zip(paths) {
                let mut prose = Prose::default();
                prose.push(&INTENT.encode_utf16().collect::<Vec<_>>());
                let call = CallFeatures {
                    index: at,
                    request: at + 1,
                    path,
                    ..CallFeatures::default()
                };
                last = rule.at_call(&call, prose.end_message().as_ref());
            }
            last.is_some()
        };
        assert!(told_of([Some(1), Some(1), Some(1)]));
        assert!(told_of([None, None, None]));
        assert!(!told_of([Some(1), Some(2), Some(3)]));
    }

    #[test]
    fn a_call_without_words_belongs_to_those_before() {
        let expected = [None, None, None, Some(false)];
        assert_eq!(told(&[INTENT, "", INTENT, INTENT]), expected);
    }
}
