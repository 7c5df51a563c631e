//! The rules of the profile `adaptive`: what each of them writes, and what is done for all.

use super::features::{CallFeatures, Step};
use super::history::History;
use super::prose::Message;
use crate::LoopDetectorOptions;
use crate::report::LoopType;
use crate::rules::{RuleName, RunUnderWay};
use turnkeeper_base::options::Threshold;
use turnkeeper_base::snapshot::{self, Corrupt, SavedState};

/// A rule's name and option, which its line in the list of rules gives it.
pub(super) trait Listed {
    const NAME: RuleName;

    /// The option of this name.
    fn option(options: &mut LoopDetectorOptions) -> &mut Option<Threshold>;

    /// The count that the option is set to; `None` if the rule is off.
    fn limit(options: &LoopDetectorOptions) -> Option<u64>;
}

/// A rule over calls and their results. Its file says what it is made from, what it remembers, and what each call,
/// each step and each message does to that. Wherever it returns a finding, it is judged.
pub(super) trait StepRule: Listed + Clone + Send + Sync + 'static {
    /// All that it remembers, which is what is saved, copied and forgotten.
    type State: SavedState + Clone + Default + Send + Sync;

    const INFO: &'static StepRuleInfo;

    /// The options that it reads beside its own.
    #[cfg_attr(not(test), allow(dead_code))]
    const ALSO_READS: &'static [&'static str] = &[];

    /// The number of calls that a thing may take each time that the user asked for it.
    const CALLS_OF_A_REPEAT: u64 = 1;

    /// True if it begins anew where a call before the next step has no result, or one out of order, so that
    /// nobody knows whether the steps are in a row.
    const NEEDS_EVERY_RESULT: bool;

    /// The rule that speaks at this count.
    fn new(limit: u64, options: &LoopDetectorOptions) -> Self;

    /// A call is made. A `stop` keeps the host from carrying it out.
    fn at_call(&self, _: &mut Self::State, _: &CallFeatures) -> Option<Finding> {
        None
    }

    /// The same for a call before which the assistant said something; what this finds comes first.
    fn at_announced_call(
        &self,
        _: &mut Self::State,
        _: &Message,
        _: &CallFeatures,
    ) -> Option<Finding> {
        None
    }

    /// The result of a call came.
    fn at_result(&self, _: &mut Self::State, _: &Step, _: &mut History) -> Option<Finding> {
        None
    }

    /// A message of the assistant is complete, and no call was made with it.
    fn at_message_end(&self, _: &mut Self::State, _: &Message) -> Option<Finding> {
        None
    }

    /// The model's history was shortened: what it has read is forgotten, so it has reason to read it again.
    fn at_condensation(&self, state: &mut Self::State) -> Option<Finding> {
        *state = self.fresh();
        None
    }

    /// The user says something, after which a call may be right again.
    fn at_user_message(&self, state: &mut Self::State) {
        *state = self.fresh();
    }

    /// Its state before the first step, and when it begins anew.
    fn fresh(&self) -> Self::State {
        Self::State::default()
    }

    /// True if the next result may make a loop of the steps so far, so that the report has to say
    /// what call that was.
    fn is_on_a_run(&self, state: &Self::State) -> bool {
        self.under_way(state).is_some_and(|run| run.count > 1)
    }

    /// Its run of steps, if it counts steps in a row.
    fn under_way(&self, _: &Self::State) -> Option<RunUnderWay> {
        None
    }

    /// True if the rule with these settings can have such a state.
    fn allows(&self, _: &Self::State) -> bool {
        true
    }
}

/// A rule's usual count, and what is said of what it finds.
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
}

/// The feedback of rules that know nothing better.
pub(super) const ANOTHER_WAY: &str = "You seem to be stuck: {message} Doing it again will not change \
                                      that. Use what you have, say what is missing, try another way, \
                                      or ask the user.";

/// A finding of a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Finding {
    /// A stop, and not a nudge.
    pub(super) is_stop: bool,
    pub(super) threshold: u64,
    pub(super) count: u64,
    /// Of the first call, or of the first unit of the message.
    pub(super) first_index: u64,
    /// The number of calls in a round.
    pub(super) period: Option<u64>,
}

/// A rule that is on, with what it remembers: a [`StepRule`] of any type.
pub(super) trait ActiveRule: BoxedClone + Send + Sync {
    fn name(&self) -> RuleName;
    fn info(&self) -> &'static StepRuleInfo;
    fn at_call(&mut self, call: &CallFeatures, said: Option<&Message>) -> Option<Finding>;
    fn at_result(&mut self, step: &Step, history: &mut History) -> Option<Finding>;
    fn at_message_end(&mut self, message: &Message) -> Option<Finding>;
    fn at_condensation(&mut self) -> Option<Finding>;
    fn at_user_message(&mut self);
    fn at_missing_result(&mut self);
    fn is_on_a_run(&self) -> bool;
    fn under_way(&self) -> Option<RunUnderWay>;

    /// Begins anew: the host has cleared the detector, or a new prompt begins.
    fn forget(&mut self);

    /// The state, saved so that the rule goes on where it was.
    fn save(&self) -> Vec<u8>;

    /// Goes on from what was saved. What it cannot have saved changes nothing.
    fn load(&mut self, saved: &[u8]) -> Result<(), Corrupt>;
}

/// A [`StepRule`] as an [`ActiveRule`].
#[derive(Clone)]
pub(super) struct OverSteps<R: StepRule> {
    rule: R,
    state: R::State,
}

impl<R: StepRule> OverSteps<R> {
    pub(super) fn from_options(options: &LoopDetectorOptions) -> Option<Self> {
        let rule = R::new(R::limit(options)?, options);
        let state = rule.fresh();
        Some(Self { rule, state })
    }
}

impl<R: StepRule> ActiveRule for OverSteps<R> {
    fn name(&self) -> RuleName {
        R::NAME
    }

    fn info(&self) -> &'static StepRuleInfo {
        R::INFO
    }

    fn at_call(&mut self, call: &CallFeatures, said: Option<&Message>) -> Option<Finding> {
        let Self { rule, state } = self;
        said.and_then(|said| rule.at_announced_call(state, said, call))
            .or_else(|| rule.at_call(state, call))
    }

    fn at_result(&mut self, step: &Step, history: &mut History) -> Option<Finding> {
        self.rule.at_result(&mut self.state, step, history)
    }

    fn at_message_end(&mut self, message: &Message) -> Option<Finding> {
        self.rule.at_message_end(&mut self.state, message)
    }

    fn at_condensation(&mut self) -> Option<Finding> {
        self.rule.at_condensation(&mut self.state)
    }

    fn at_user_message(&mut self) {
        self.rule.at_user_message(&mut self.state);
    }

    fn at_missing_result(&mut self) {
        if R::NEEDS_EVERY_RESULT {
            self.forget();
        }
    }

    fn is_on_a_run(&self) -> bool {
        self.rule.is_on_a_run(&self.state)
    }

    fn under_way(&self) -> Option<RunUnderWay> {
        self.rule.under_way(&self.state)
    }

    fn forget(&mut self) {
        self.state = self.rule.fresh();
    }

    fn save(&self) -> Vec<u8> {
        snapshot::encode(&self.state)
    }

    fn load(&mut self, saved: &[u8]) -> Result<(), Corrupt> {
        let state = snapshot::decode(saved)?;
        Corrupt::unless(self.rule.allows(&state))?;
        self.state = state;
        Ok(())
    }
}

/// Copies a rule of any type.
pub(super) trait BoxedClone {
    fn boxed_clone(&self) -> Box<dyn ActiveRule>;
}

impl<R: ActiveRule + Clone + 'static> BoxedClone for R {
    fn boxed_clone(&self) -> Box<dyn ActiveRule> {
        Box::new(self.clone())
    }
}

impl Clone for Box<dyn ActiveRule> {
    fn clone(&self) -> Self {
        (**self).boxed_clone()
    }
}
