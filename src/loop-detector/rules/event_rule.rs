//! The part that all rules over events have in common.
//!
//! Such a rule is two things: its settings, which come from the options and never change, and its state,
//! which begins empty. The state is all that it remembers, so that is what a snapshot holds, what a retry
//! takes back and what a restart forgets.

use std::any::Any;
use std::fmt::Debug;

use super::{Context, Detection, Event, LoopInfo, Restart, Rule, RunUnderWay};
use crate::copies::CopyFrom;
use crate::options::LoopDetectorOptions;
use turnkeeper_base::snapshot::{self, Corrupt, SavedState};

/// A rule that follows the events. Its file says what it finds and its numbers, what it remembers, and what
/// an event does to that.
pub(crate) trait EventRule: Sized + Debug + Send + Sync + 'static {
    /// All that it remembers. What can be said against one out of a snapshot without the options, it says
    /// itself.
    type State: SavedState + Clone + Debug + Default + Send + Sync;

    /// The loops that it finds, each under a name of its own.
    #[cfg_attr(not(test), allow(dead_code))]
    const LOOPS: &'static [LoopInfo];

    /// The rule with a host's options, unless it is off.
    fn from_options(options: &LoopDetectorOptions) -> Option<Self>;

    /// Takes the next event. The answer is a detection that is new.
    fn observe(
        &self,
        state: &mut Self::State,
        event: &Event,
        context: &Context,
    ) -> Option<Detection>;

    /// Its run of calls, if it counts calls in a row.
    fn under_way(&self, _: &Self::State) -> Option<RunUnderWay> {
        None
    }

    /// Starts afresh.
    fn restart(state: &mut Self::State, _: Restart) {
        *state = Self::State::default();
    }
}

/// An [`EventRule`] as a [`Rule`].
#[derive(Debug)]
pub(crate) struct OverEvents<R: EventRule> {
    rule: R,
    state: R::State,
}

impl<R: EventRule> OverEvents<R> {
    /// The rule with a host's options, unless it is off.
    pub(super) fn from_options(options: &LoopDetectorOptions) -> Option<Self> {
        Some(Self {
            rule: R::from_options(options)?,
            state: R::State::default(),
        })
    }
}

impl<R: EventRule> CopyFrom for OverEvents<R> {
    fn copy_from(&mut self, other: &dyn Any) {
        if let Some(other) = other.downcast_ref::<Self>() {
            self.state.clone_from(&other.state);
        }
    }
}

impl<R: EventRule> Rule for OverEvents<R> {
    fn name(&self) -> String {
        let first = R::LOOPS.first();
        first.map_or_else(String::new, |info| info.name.to_string())
    }

    fn observe(&mut self, event: &Event, context: &Context) -> Option<Detection> {
        self.rule.observe(&mut self.state, event, context)
    }

    fn under_way(&self) -> Option<RunUnderWay> {
        self.rule.under_way(&self.state)
    }

    fn restart(&mut self, restart: Restart) {
        R::restart(&mut self.state, restart);
    }

    fn save(&self) -> Vec<u8> {
        snapshot::encode(&self.state)
    }

    fn load(&mut self, saved: &[u8]) -> Result<(), Corrupt> {
        self.state = snapshot::decode(saved)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use serde::{Deserialize, Serialize};

    use super::*;
    use crate::progress::Progress;

    /// Remembers as many turns as it is told to.
    #[derive(Debug)]
    struct Turns {
        most: u64,
    }

    #[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
    struct State {
        turns: u64,
    }

    impl SavedState for State {
        fn validate(&self) -> Result<(), Corrupt> {
            Corrupt::unless(self.turns < 100)
        }
    }

    impl EventRule for Turns {
        type State = State;
        const LOOPS: &'static [LoopInfo] = &[];

        fn from_options(_: &LoopDetectorOptions) -> Option<Self> {
            Some(Self { most: 3 })
        }

        fn observe(&self, state: &mut State, _: &Event, _: &Context) -> Option<Detection> {
            state.turns = (state.turns + 1).min(self.most);
            None
        }
    }

    /// A rule that remembers up to `most` turns, after this many.
    fn after(turns: u64, most: u64) -> OverEvents<Turns> {
        let mut rule = OverEvents {
            rule: Turns { most },
            state: State::default(),
        };
        let context = Context {
            asked_repeats: 0,
            user_prompt: &[],
            progress: &Progress::default(),
        };
        for _ in 0..turns {
            rule.observe(&Event::TurnStarted, &context);
        }
        rule
    }

    #[test]
    fn what_was_saved_is_gone_on_from_and_a_restart_forgets_it() {
        let mut rule = after(0, 3);
        rule.load(&after(2, 3).save()).expect("just saved");
        assert_eq!(rule.state, State { turns: 2 });
        rule.restart(Restart::Cleared);
        assert_eq!(rule.state, State::default());
    }

    #[test]
    fn a_state_that_the_rule_cannot_have_is_refused_and_changes_nothing() {
        let mut rule = after(1, 3);
        for saved in [after(100, 100).save(), vec![], vec![1, 0]] {
            assert_eq!(rule.load(&saved), Err(Corrupt));
            assert_eq!(rule.state, State { turns: 1 });
        }
    }
}
