//! What every rule does, whatever it judges by.

use std::fmt;

use super::history::History;
use super::run_under_way::RunUnderWay;
use super::seen::Event;
use super::{Detection, RuleInfo};
use crate::options::LoopDetectorOptions;
use crate::progress::Newest;
use turnkeeper_base::snapshot::Corrupt;

/// What the detector asks of a rule. Most rules are written as an
/// [`EventRule`](super::event_rule::EventRule) or a [`HistoryRule`](super::history_rule::HistoryRule), which
/// say the rest.
pub(crate) trait Rule: BoxedClone {
    /// What the documentation says of it, for each name under which it reports.
    #[cfg_attr(not(test), allow(dead_code))]
    fn info() -> Vec<RuleInfo>
    where
        Self: Sized;

    /// The rule with a host's options, unless it is off.
    fn from_options(options: &LoopDetectorOptions) -> Option<Self>
    where
        Self: Sized;

    /// What it has to be given beside calls and text.
    fn needs(&self) -> Needs {
        Needs::default()
    }

    /// Tells the history what to follow.
    fn follow(&self, _: &mut History) {}

    /// Whether it judges by the history alone, and so starts afresh together with that.
    fn is_over_history(&self) -> bool {
        false
    }

    /// Takes the next event. The answer is a detection that is new.
    fn observe(&mut self, event: &Event, context: &Context) -> Option<Detection>;

    /// Whether the stop that it found last still holds, so that a verdict which follows from the events
    /// so far stays what it was.
    fn still_holds(&self) -> bool {
        false
    }

    /// The stop that still holds, where another rule's was the verdict until now.
    fn tell_again(&self, _event: &Event, _context: &Context) -> Option<Detection> {
        None
    }

    /// How far it has counted calls in a row, if it counts any.
    fn under_way(&self, _: &History) -> Option<RunUnderWay> {
        None
    }

    /// What it compares the newest call and its answer by, if it reads them.
    fn newest(&self) -> Option<Newest> {
        None
    }

    /// Starts afresh.
    fn restart(&mut self, restart: Restart);

    /// Its state as bytes. What it is configured with comes from the options.
    fn save(&self) -> Vec<u8>;

    /// Goes on from what [`save`](Self::save) wrote.
    fn load(&mut self, saved: &[u8]) -> Result<(), Corrupt>;
}

/// Clones a rule in its box.
pub(crate) trait BoxedClone {
    fn boxed_clone(&self) -> Box<dyn Rule>;
}

impl<R: Rule + Clone + 'static> BoxedClone for R {
    fn boxed_clone(&self) -> Box<dyn Rule> {
        Box::new(self.clone())
    }
}

impl Clone for Box<dyn Rule> {
    fn clone(&self) -> Self {
        (**self).boxed_clone()
    }
}

/// What a rule has to be given beside calls and text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Needs {
    /// Results, and what happens between calls.
    pub(crate) results: bool,
    /// A call without a result never gets one after the user's next message.
    pub(crate) user_message_ends_calls: bool,
}

/// Why a rule starts afresh.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Restart {
    /// A new prompt began: indexes and offsets start afresh, too.
    NewPrompt,
    /// The host lifted a stop, or the rule itself fired: indexes and offsets go on.
    Cleared,
}

/// What a rule may look at beside the event.
#[derive(Clone, Copy)]
pub(crate) struct Context<'a> {
    /// What happened so far, this event included.
    pub(crate) history: &'a History,
    /// The user's words.
    pub(crate) user_prompt: &'a [u16],
    /// Whether prose that follows a stop still counts, as it does where a stop may end by itself.
    pub(crate) reads_on: bool,
}

/// A rule's state is of no use in a log.
impl fmt::Debug for dyn Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rule").finish_non_exhaustive()
    }
}
