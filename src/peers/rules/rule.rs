//! What every rule does, whatever it judges by.

use std::fmt;

use super::history::History;
use super::{Detection, Event, RunUnderWay};
use crate::settings::RuleSettings;
use turnkeeper_base::snapshot::Corrupt;

/// What the detector asks of a rule. Most rules are written as an
/// [`EventRule`](super::event_rule::EventRule) or a [`HistoryRule`](super::history_rule::HistoryRule), which
/// say the rest.
pub(crate) trait Rule: BoxedClone {
    /// The rule with these settings, unless it is off.
    fn from_options(options: &RuleSettings) -> Option<Self>
    where
        Self: Sized;

    /// Whether results, and what happens between calls, make a difference.
    fn reads_results(&self) -> bool {
        false
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
}

/// A rule's state is of no use in a log.
impl fmt::Debug for dyn Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rule").finish_non_exhaustive()
    }
}
