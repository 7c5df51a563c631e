//! What all rules over the [`History`] have in common.
//!
//! Such a rule has no state of its own but what it found last: it asks the history how often
//! something has repeated, and says when that is too much.

use std::fmt::Debug;

use serde::{Deserialize, Serialize};

use super::history::{History, Sequence};
use super::repeated_messages::RepeatedMessages;
use super::{
    Action, Context, Detection, Event, LoopInfo, MAX_COUNT, Restart, Rule, RunUnderWay, Tally,
};
use crate::report::Channel;
use crate::settings::RuleSettings;
use turnkeeper_base::snapshot::{self, Corrupt, SavedState};

/// A rule that asks the history.
pub(crate) trait HistoryRule: Clone + Debug + 'static {
    /// The loop that it finds.
    const INFO: LoopInfo;

    /// The rule with these settings, unless it is off.
    fn from_options(options: &RuleSettings) -> Option<Self>;

    /// Tells the history what to follow.
    fn follow(&self, history: &mut History);

    /// What repeats too often now.
    fn find(&self, history: &History) -> Option<Repeats>;

    /// How far it has counted calls in a row, if it counts any.
    fn under_way(&self, _: &History) -> Option<RunUnderWay> {
        None
    }

    /// What to say of it: of calls, unless the rule is about something else.
    fn detect(&self, repeats: Repeats, history: &History, event: &Event) -> Detection {
        repeats.of_calls(&Self::INFO, Sequence::Calls, history, event)
    }
}

/// A repeat that is too much.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Repeats {
    pub(crate) action: Action,
    /// Items of a round.
    pub(crate) period: u64,
    pub(crate) rounds: u64,
    pub(crate) threshold: u64,
}

impl Repeats {
    /// A stop from `threshold` rounds on.
    pub(crate) fn stop_from(threshold: u64, period: u64, rounds: u64) -> Option<Self> {
        (rounds >= threshold).then_some(Self {
            action: Action::Stop,
            period,
            rounds,
            threshold,
        })
    }

    fn found(self, info: &LoopInfo, first_index: u64, last_index: u64) -> Detection {
        let found = info.found(
            self.action,
            Tally {
                count: self.rounds,
                threshold: self.threshold,
                first_index,
                last_index,
            },
        );
        match self.period {
            1 => found,
            period => found.in_rounds_of(period),
        }
    }

    /// A detection of calls that repeat at the end of a sequence.
    pub(crate) fn of_calls(
        self,
        info: &LoopInfo,
        sequence: Sequence,
        history: &History,
        event: &Event,
    ) -> Detection {
        let last = history.last_call_index();
        let first = history.first_index(sequence, self.period);
        match event {
            Event::Condensation => self.found(info, last, last),
            Event::Call(seen) => self.found(info, first, last).at(seen.call),
            _ => {
                let found = self.found(info, first, last);
                found.at_summarized(history.last_call())
            }
        }
    }

    /// A detection of actions that repeat, which is a monologue if the last of them is a message.
    pub(crate) fn of_actions(self, info: &LoopInfo, history: &History, event: &Event) -> Detection {
        if !history.is_last_action_message() {
            return self.of_calls(info, Sequence::Actions, history, event);
        }
        let monologue = LoopInfo {
            rule: info.rule,
            ..RepeatedMessages::INFO
        };
        self.of_messages(&monologue, history)
    }

    /// A detection of messages that repeat.
    pub(crate) fn of_messages(self, info: &LoopInfo, history: &History) -> Detection {
        let (first, last) = history.equal_messages();
        let found = self.found(info, first, last);
        found.in_text(Channel::Text, history.last_message())
    }
}

/// A [`HistoryRule`] as a [`Rule`].
#[derive(Debug, Clone)]
pub(crate) struct OverHistory<R> {
    rule: R,
    told: Told,
}

/// What the rule found with the last event.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Told {
    /// 0 if nothing was too much.
    rounds: u64,
    is_stop: bool,
}

impl SavedState for Told {
    fn validate(&self) -> Result<(), Corrupt> {
        Corrupt::unless(self.rounds <= MAX_COUNT)
    }
}

impl<R: HistoryRule> Rule for OverHistory<R> {
    fn from_options(options: &RuleSettings) -> Option<Self> {
        let rule = R::from_options(options)?;
        let told = Told::default();
        Some(Self { rule, told })
    }

    fn follow(&self, history: &mut History) {
        self.rule.follow(history);
    }

    fn is_over_history(&self) -> bool {
        true
    }

    /// A detection goes on, unless a call makes it one more. A nudge is for that call alone.
    fn observe(&mut self, event: &Event, context: &Context) -> Option<Detection> {
        let before = std::mem::take(&mut self.told);
        let repeats = self.rule.find(context.history)?;
        let is_stop = repeats.action == Action::Stop;
        self.told = Told {
            rounds: repeats.rounds,
            is_stop,
        };
        let is_new = context.history.is_call_counted() || (is_stop && self.told != before);
        is_new.then(|| self.rule.detect(repeats, context.history, event))
    }

    fn under_way(&self, history: &History) -> Option<RunUnderWay> {
        self.rule.under_way(history)
    }

    fn still_holds(&self) -> bool {
        self.told.is_stop
    }

    fn tell_again(&self, event: &Event, context: &Context) -> Option<Detection> {
        let repeats = self.rule.find(context.history)?;
        Some(self.rule.detect(repeats, context.history, event))
    }

    fn restart(&mut self, _: Restart) {
        self.told = Told::default();
    }

    fn save(&self) -> Vec<u8> {
        snapshot::encode(&self.told)
    }

    fn load(&mut self, saved: &[u8]) -> Result<(), Corrupt> {
        self.told = snapshot::decode(saved)?;
        Ok(())
    }
}
