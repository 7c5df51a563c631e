//! The interface of every rule, whatever it judges by.

use super::Detection;
use super::run_under_way::RunUnderWay;
use super::seen::Event;
use crate::copies::CopyFrom;
use crate::progress::{Newest, Progress};
use turnkeeper_base::snapshot::Corrupt;

/// A rule, as the detector uses it. Most rules are written as an
/// [`EventRule`](super::event_rule::EventRule), which says the rest.
pub(crate) trait Rule: CopyFrom + Send + Sync {
    /// The name under which its state is saved, the first by which it reports.
    fn name(&self) -> String;

    /// Whether it has to be given results.
    fn reads_results(&self) -> bool {
        false
    }

    /// Takes the next event. The answer is a detection that is new.
    fn observe(&mut self, event: &Event, context: &Context) -> Option<Detection>;

    /// Its run of calls, if it counts calls in a row.
    fn under_way(&self) -> Option<RunUnderWay> {
        None
    }

    /// The hashes by which it compares the newest call and its answer, if it reads them.
    fn newest(&self) -> Option<Newest> {
        None
    }

    /// Starts afresh.
    fn restart(&mut self, restart: Restart);

    /// Forgets what only a report would quote of calls.
    fn forget_quotes(&mut self) {}

    /// Its state as bytes. What it is configured with comes from the options.
    fn save(&self) -> Vec<u8>;

    /// Goes on from what [`save`](Self::save) wrote. What it cannot have written changes nothing.
    fn load(&mut self, saved: &[u8]) -> Result<(), Corrupt>;
}

/// The reason for which a rule starts afresh.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Restart {
    /// A new prompt began: indexes and offsets start afresh, too.
    NewPrompt,
    /// The host lifted a stop: indexes and offsets go on.
    Cleared,
}

/// The things that a rule may look at beside the event.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// The user's words.
    pub(crate) user_prompt: &'a [u16],
    /// The number of times that they ask for the same again, 0 if they do not.
    pub(crate) asked_repeats: u64,
    /// The progress of the calls before the event.
    pub(crate) progress: &'a Progress,
}

impl Context<'_> {
    /// The least count that is more than the user asked for; 1 if they asked for nothing again.
    pub(crate) fn least_count(&self) -> u64 {
        self.asked_repeats + 1
    }
}
