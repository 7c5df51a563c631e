//! The rules: each a small part with one idea, bounded memory and a cost for each event that does not
//! grow. A profile is a list of them, configured.

mod calls_by_tool;
mod passages;
mod quote;
mod repeated_steps;
mod runs;
mod sequences;
mod syntax_error;
mod windows;

pub(crate) use self::calls_by_tool::CallsByTool;
pub(crate) use self::passages::PassagesOfBoth;
pub(crate) use self::repeated_steps::RepeatedSteps;
pub(crate) use self::sequences::{
    ACTIONS, Breaks, CALLS, CONDENSATIONS, Conditions, ERRORS, MESSAGES, MONITORED, RESULTS,
    Repeats, SYNTAX_ERRORS, Sequences,
};
pub(crate) use self::windows::{ProseWindows, WindowLimits};

use super::verdict::{Channel, LoopReport};
use crate::call::{Call, Encoded};
use crate::snapshot::Codec;

/// What a rule gets to see.
#[derive(Clone, Copy)]
pub(crate) enum Event<'a> {
    Call(CallSeen<'a>),
    Result(ResultSeen<'a>),
    Text {
        channel: Channel,
        delta: &'a [u16],
        /// The user's words.
        user_prompt: &'a [u16],
    },
    TurnStarted,
    UserMessage,
    Condensation,
    Finished,
    Other,
}

#[derive(Clone, Copy)]
pub(crate) struct CallSeen<'a> {
    pub(crate) call: &'a Call<'a>,
    /// What it is compared by.
    pub(crate) key: u64,
    /// Of the prompt's calls, from 0.
    pub(crate) index: u64,
    /// Whether a preview model answers.
    pub(crate) is_preview: bool,
}

#[derive(Clone, Copy)]
pub(crate) struct ResultSeen<'a> {
    /// What it is compared by; 0 for an output that is empty or is not compared.
    pub(crate) key: u64,
    /// A string.
    pub(crate) output: Encoded<'a>,
    pub(crate) is_error: bool,
    /// The call that it answers, if that is known.
    pub(crate) answered: Option<Answered>,
}

/// A call that was made before.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Answered {
    pub(crate) key: u64,
    pub(crate) index: u64,
    /// What its tool is known by.
    pub(crate) tool: u64,
}

/// What a rule found.
pub(crate) struct Found {
    pub(crate) is_nudge: bool,
    pub(crate) report: Box<LoopReport>,
}

impl Found {
    pub(crate) fn stop(report: Box<LoopReport>) -> Option<Self> {
        Some(Self {
            is_nudge: false,
            report,
        })
    }
}

/// What every rule does.
trait Part {
    /// Takes the next event.
    fn observe(&mut self, event: &Event) -> Option<Found>;

    /// Starts afresh; with a new prompt, indexes and offsets do, too.
    fn restart(&mut self, is_new_prompt: bool);

    /// Whether what it found last still holds, so that a verdict which follows from the events so far
    /// stays what it was.
    fn stands(&self) -> bool {
        false
    }

    /// Its state. What it is configured with comes from the options.
    fn visit(&mut self, codec: &mut Codec);
}

/// Any of the rules.
#[derive(Debug, Clone)]
pub(crate) enum Rule {
    Sequences(Box<Sequences>),
    CallsByTool(CallsByTool),
    RepeatedSteps(RepeatedSteps),
    Passages(Box<PassagesOfBoth>),
    Windows(Box<ProseWindows>),
}

impl Rule {
    /// Whether it looks at results, and at what happens between calls.
    pub(crate) fn needs_results(&self) -> bool {
        match self {
            Self::Sequences(rule) => rule.needs_results(),
            Self::RepeatedSteps(_) => true,
            _ => false,
        }
    }

    fn part(&mut self) -> &mut dyn Part {
        match self {
            Self::Sequences(rule) => &mut **rule,
            Self::CallsByTool(rule) => rule,
            Self::RepeatedSteps(rule) => rule,
            Self::Passages(rule) => &mut **rule,
            Self::Windows(rule) => &mut **rule,
        }
    }

    pub(crate) fn observe(&mut self, event: &Event) -> Option<Found> {
        self.part().observe(event)
    }

    pub(crate) fn restart(&mut self, is_new_prompt: bool) {
        self.part().restart(is_new_prompt);
    }

    pub(crate) fn stands(&mut self) -> bool {
        self.part().stands()
    }

    pub(crate) fn visit(&mut self, codec: &mut Codec) {
        self.part().visit(codec);
    }
}
