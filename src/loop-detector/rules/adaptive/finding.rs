//! The finding of a rule over steps.

use crate::report::LoopType;

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
    /// The words about it, if they are not those of the rule.
    pub(super) said: Option<&'static Said>,
    /// It says too little for a stop, however often it comes.
    pub(super) is_mere_hint: bool,
}

impl Finding {
    /// A nudge at this count.
    pub(super) fn nudge(threshold: u64, count: u64, first_index: u64) -> Self {
        Self {
            is_stop: false,
            threshold,
            count,
            first_index,
            period: None,
            said: None,
            is_mere_hint: false,
        }
    }

    /// A stop at this count.
    pub(super) fn stop(threshold: u64, count: u64, first_index: u64) -> Self {
        Self {
            is_stop: true,
            ..Self::nudge(threshold, count, first_index)
        }
    }

    /// The same, told in these words.
    pub(super) fn saying(self, said: &'static Said) -> Self {
        Self {
            said: Some(said),
            ..self
        }
    }

    /// The same where it is never a stop; `None` if it would be one.
    pub(super) fn if_mere_hint(self) -> Option<Self> {
        (!self.is_stop).then_some(Self {
            is_mere_hint: true,
            ..self
        })
    }
}

/// The words about one of several things that a rule finds, as in [`StepRuleInfo`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Said {
    pub(super) loop_type: LoopType,
    pub(super) message: &'static str,
    pub(super) feedback: &'static str,
}
