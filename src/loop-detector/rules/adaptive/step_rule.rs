//! The rules of the profile `adaptive`: what each of them writes, and what is done for all.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::features::{CallFeatures, Step};
use super::finding::{Finding, Said};
use super::history::History;
use super::prose::Message;
use crate::LoopDetectorOptions;
use crate::copies::CopyFrom;
use crate::report::{LoopReport, LoopType};
use crate::rules::{Action, Detection, RuleName, RunUnderWay};
use crate::texts::Texts;
use turnkeeper_base::snapshot::{self, Corrupt, SavedState};

/// A rule over calls and their results. It is what it remembers, which is what is saved, copied and forgotten; its file
/// says what each call, each step and each message does to that. `limit` is the count at which it speaks. Wherever it
/// returns a finding, it is judged.
pub(super) trait StepRule: Kept + CopyFrom + Send + Sync {
    /// A rule with what it reads of the options beside its own.
    fn with(_: &LoopDetectorOptions) -> Self
    where
        Self: Sized + Default,
    {
        Self::default()
    }

    /// A call is made. A `stop` keeps the host from carrying it out.
    fn at_call(&mut self, _: &CallFeatures, _: u64) -> Option<Finding> {
        None
    }

    /// The result of a call came.
    fn at_result(&mut self, _: &Step, _: &mut History, _: u64) -> Option<Finding> {
        None
    }

    /// A message of the assistant is complete, and no call was made with it.
    fn at_message_end(&mut self, _: &Message, _: u64) -> Option<Finding> {
        None
    }

    /// Another thought begins at an offset in the thinking, the last of as many since a message ended.
    fn at_thought(&mut self, _: u64, _: u64, _: u64) -> Option<Finding> {
        None
    }

    /// The model's history was shortened: what it has read is forgotten, so it has reason to read it again.
    fn at_condensation(&mut self, _: u64) -> Option<Finding> {
        self.begin_anew();
        None
    }

    /// A call before the next step has no result, or one out of order, or a result answers no call, so that nobody
    /// knows whether the steps are in a row.
    fn at_missing_result(&mut self) {}

    /// The user says something, after which a call may be right again.
    fn at_user_message(&mut self) {
        self.begin_anew();
    }

    /// The same rule before the first step, and when it begins anew.
    fn fresh(&self) -> Self
    where
        Self: Sized + Default,
    {
        Self::default()
    }

    /// The same rule that goes on from what was saved; `None` if it cannot have saved that.
    fn going_on_from(&self, saved: Self) -> Option<Self>
    where
        Self: Sized,
    {
        Some(saved)
    }

    /// Whether the next result may make a loop of the steps so far, so that the report has to say
    /// what call that was.
    fn is_on_a_run(&self, limit: u64) -> bool {
        self.under_way(limit).is_some_and(|run| run.count > 1)
    }

    /// Its run of steps, if it counts steps in a row.
    fn under_way(&self, _: u64) -> Option<RunUnderWay> {
        None
    }
}

/// A rule of any type, as it is kept.
pub(super) trait Kept {
    fn begin_anew(&mut self);
    fn save(&self) -> Vec<u8>;
    fn load(&mut self, saved: &[u8]) -> Result<(), Corrupt>;
}

impl<R: StepRule + Default + Serialize + DeserializeOwned + 'static> Kept for R {
    fn begin_anew(&mut self) {
        *self = self.fresh();
    }

    fn save(&self) -> Vec<u8> {
        snapshot::encode(self)
    }

    fn load(&mut self, saved: &[u8]) -> Result<(), Corrupt> {
        let Unchecked(saved) = snapshot::decode(saved)?;
        *self = self.going_on_from(saved).ok_or(Corrupt)?;
        Ok(())
    }
}

/// A saved rule, which the rule checks when it goes on from it.
#[derive(Serialize, serde::Deserialize)]
struct Unchecked<R>(R);

impl<R: Serialize + DeserializeOwned> SavedState for Unchecked<R> {
    fn validate(&self) -> Result<(), Corrupt> {
        Ok(())
    }
}

/// A rule's usual count, and what is said of what it finds.
#[derive(Clone, Copy)]
pub(super) struct StepRuleInfo {
    /// The count that `adaptive` sets it to.
    pub(super) usual: u64,
    pub(super) loop_type: LoopType,
    /// For the user, with `{count}` and other places, which `texts.rs` tells of and fills in; that also
    /// puts a first word such as `Warning:` before it.
    pub(super) message: &'static str,
    /// For the model's history; `{message}` stands for the message. `{held}` says that a call was not
    /// carried out, where a rule judges calls when they are made.
    pub(super) feedback: &'static str,
    /// Whether it begins anew where a result is missing.
    pub(super) needs_every_result: bool,
    /// The options that it reads beside its own.
    #[cfg_attr(not(test), allow(dead_code))]
    pub(super) also_reads: &'static [&'static str],
    /// The number of calls that a thing may take each time that the user asked for it.
    pub(super) calls_of_a_repeat: u64,
}

impl StepRuleInfo {
    /// A rule that says nothing of its own yet.
    pub(super) const USUAL: Self = Self {
        usual: 0,
        loop_type: LoopType::ConsecutiveIdenticalToolCalls,
        message: "",
        feedback: ANOTHER_WAY,
        needs_every_result: true,
        also_reads: &[],
        calls_of_a_repeat: 1,
    };
}

impl StepRuleInfo {
    /// What is said where the rule has found what it is named after.
    pub(super) const fn said(&self) -> Said {
        Said {
            loop_type: self.loop_type,
            message: self.message,
            feedback: self.feedback,
        }
    }
}

/// The feedback of rules that know nothing better.
const ANOTHER_WAY: &str = "You seem to be stuck: {message} Doing it again will not change that. Use what you have, \
                           say what is missing, try another way, or ask the user.";

/// A rule that is on, and the count at which it speaks.
pub(super) struct ActiveRule {
    pub(super) name: RuleName,
    pub(super) info: &'static StepRuleInfo,
    pub(super) limit: u64,
    pub(super) rule: Box<dyn StepRule>,
}

impl ActiveRule {
    pub(super) fn at_missing_result(&mut self) {
        match self.info.needs_every_result {
            true => self.rule.begin_anew(),
            false => self.rule.at_missing_result(),
        }
    }
}

/// A finding, and the rule and the words that it has.
#[derive(Debug, Clone)]
pub(super) struct StepFinding {
    pub(super) rule: RuleName,
    pub(super) finding: Finding,
    pub(super) said: Said,
}

impl StepFinding {
    /// The detection of what was found.
    pub(super) fn detection(&self) -> Detection {
        let Self {
            rule,
            finding,
            said,
        } = self;
        let mut report = LoopReport::new(said.loop_type, *rule);
        report.count = finding.count;
        report.threshold = finding.threshold;
        report.first_index = finding.first_index;
        report.period = finding.period;
        let texts = Texts {
            message: said.message,
            feedback: said.feedback,
        };
        Detection::of(Action::of(finding.is_stop), report, texts)
    }
}

/// Asks every rule, each with its limit. Of what they find, a stop comes first, and otherwise what the first rule found.
pub(super) fn first_of(
    rules: &mut [ActiveRule],
    mut ask: impl FnMut(&mut dyn StepRule, u64) -> Option<Finding>,
) -> Option<StepFinding> {
    let mut first: Option<StepFinding> = None;
    for rule in rules {
        let Some(finding) = ask(&mut *rule.rule, rule.limit) else {
            continue;
        };
        if first
            .as_ref()
            .is_none_or(|first| finding.is_stop && !first.finding.is_stop)
        {
            first = Some(StepFinding {
                rule: rule.name,
                said: finding.said.copied().unwrap_or(rule.info.said()),
                finding,
            });
        }
    }
    first
}

#[cfg(test)]
mod tests {
    use super::super::list::STEP_RULES;
    use super::*;
    use crate::LoopProfile;

    #[test]
    fn of_two_findings_a_stop_comes_first_and_then_the_first_rule() {
        let mut options = LoopProfile::Adaptive.defaults();
        let rules = STEP_RULES
            .iter()
            .filter_map(|entry| entry.active(&mut options));
        let mut rules: Vec<_> = rules.collect();
        let mut ask = |stops: &[usize], nudges: &[usize]| {
            let mut place = 0;
            let found = first_of(&mut rules, |_, _| {
                place += 1;
                let is_stop = stops.contains(&(place - 1));
                let finding = Finding {
                    is_stop,
                    ..Finding::nudge(1, 1, 0)
                };
                (is_stop || nudges.contains(&(place - 1))).then_some(finding)
            });
            found.map(|found| found.rule)
        };
        assert_eq!(ask(&[], &[]), None);
        let name = |place: usize| Some(STEP_RULES[place].name);
        assert_eq!(ask(&[], &[2, 5]), name(2));
        assert_eq!(ask(&[5, 6], &[2]), name(5));
    }
}
