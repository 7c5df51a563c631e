//! What a rule of the profile `adaptive` is.

use std::fmt::Debug;

use serde::Serialize;

use super::features::{CallFeatures, Step};
use super::history::History;
use super::prose::Message;
use crate::LoopDetectorOptions;
use crate::report::LoopType;
use crate::rules::{RuleInfo, RunUnderWay};
use turnkeeper_base::snapshot::{self, Corrupt, SavedState};

/// A rule over calls and their results. Its file says everything about it.
///
/// A rule is shown each call when it is made, each step when the call's result comes, and the
/// assistant's messages; it is judged wherever it returns a finding. All of them do nothing unless the
/// rule says otherwise. What a missing result does to it every rule has to say.
pub(super) trait StepRule: Debug + CloneRule {
    /// The rule, as these options configure it; `None` if it is off.
    fn from_options(options: &LoopDetectorOptions) -> Option<Self>
    where
        Self: Sized;

    fn info() -> &'static StepRuleInfo
    where
        Self: Sized;

    /// A call is made. A `stop` keeps the host from carrying it out.
    fn at_call(&mut self, _call: &CallFeatures) -> Option<Finding> {
        None
    }

    /// The same for a call before which the assistant said something.
    fn at_announced_call(&mut self, _said: &Message, _call: &CallFeatures) -> Option<Finding> {
        None
    }

    /// The result of a call came.
    fn at_result(&mut self, _step: &Step, _history: &mut History) -> Option<Finding> {
        None
    }

    /// A message of the assistant is complete, and no call was made with it.
    fn at_message_end(&mut self, _message: &Message) -> Option<Finding> {
        None
    }

    /// The model's history was shortened: what it has read is forgotten, so it has reason to read it again.
    fn at_condensation(&mut self) -> Option<Finding> {
        self.forget();
        None
    }

    /// A call before the next step has no result, or it comes out of order: what a step in a row with
    /// those before needs is not known. Most rules begin anew.
    fn missing_result(&mut self);

    /// Begins anew: the host has cleared the detector.
    fn forget(&mut self);

    /// The user says something, after which a call may be right again.
    fn at_user_message(&mut self) {
        self.forget();
    }

    /// Begins anew with a new prompt.
    fn begin_prompt(&mut self) {
        self.forget();
    }

    /// Whether the next result may make a loop of the steps so far, so that the report has to say
    /// what call that was.
    fn is_on_a_run(&self) -> bool {
        self.under_way().is_some_and(|run| run.count > 1)
    }

    /// How far it has counted steps in a row, if it counts any.
    fn under_way(&self) -> Option<RunUnderWay> {
        None
    }

    /// What has to be saved so that the rule goes on where it was.
    fn save(&self) -> Vec<u8>;

    /// Goes on from what was saved.
    fn load(&mut self, saved: &[u8]) -> Result<(), Corrupt>;
}

/// What a rule is called, and what is said of what it finds.
pub(super) struct StepRuleInfo {
    /// Its name, its options and what the documents say of it. Name, file and first option are the same
    /// word.
    pub(super) rule: RuleInfo,
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

/// What a rule found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Finding {
    /// A stop, and not a nudge.
    pub(super) is_stop: bool,
    pub(super) threshold: u64,
    pub(super) count: u64,
    /// Of the first call, or of the first unit of the message.
    pub(super) first_index: u64,
    /// How many calls a round has.
    pub(super) period: Option<u64>,
}

/// Saves a part of a rule.
pub(super) fn save(state: &impl Serialize) -> Vec<u8> {
    snapshot::encode(state)
}

/// Loads what [`save`] saved.
pub(super) fn load<T: SavedState>(state: &mut T, saved: &[u8]) -> Result<(), Corrupt> {
    *state = snapshot::decode(saved)?;
    Ok(())
}

/// Copies a rule of any type; implemented for all of them.
pub(super) trait CloneRule {
    fn clone_rule(&self) -> Box<dyn StepRule>;
}

impl<R: StepRule + Clone + 'static> CloneRule for R {
    fn clone_rule(&self) -> Box<dyn StepRule> {
        Box::new(self.clone())
    }
}

impl Clone for Box<dyn StepRule> {
    fn clone(&self) -> Self {
        self.clone_rule()
    }
}
