//! The sequences that rules look at, each followed as far as a rule asks for it.

use serde::{Deserialize, Serialize};

use turnkeeper_base::snapshot::Corrupt;
use turnkeeper_loop_detector::rules::period_tracker::{Item, PeriodTracker};

/// The calls of at most this many tools are followed where each tool has a run of its own.
const MAX_TOOLS: usize = 256;

/// A kind of thing that happens again and again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sequence {
    /// Calls, together with their results where results are compared.
    Calls,
    /// Calls of monitored tools by a preview model, whatever the arguments.
    MonitoredCalls,
    /// Calls and messages of the model.
    Actions,
    /// Results and condensations.
    Results,
    /// Results that are errors, as long as no other comes.
    Errors,
    /// Results that end in a syntax error, as long as no other comes.
    SyntaxErrors,
    /// Messages of the model. One before a result is never equal to one after it.
    Messages,
    /// Condensations. One before anything else is never equal to one after it.
    Condensations,
}

impl Sequence {
    const ALL: [Self; 8] = [
        Self::Calls,
        Self::MonitoredCalls,
        Self::Actions,
        Self::Results,
        Self::Errors,
        Self::SyntaxErrors,
        Self::Messages,
        Self::Condensations,
    ];

    /// Whether results and what happens between calls make it, and not calls alone.
    fn is_beyond_calls(self) -> bool {
        !matches!(self, Self::Calls | Self::MonitoredCalls)
    }
}

/// All of them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Sequences {
    calls: ToolCalls,
    /// Where each tool has a run of its own.
    calls_of_other_tools: Vec<ToolCalls>,
    pub(super) monitored_calls: PeriodTracker,
    pub(super) actions: PeriodTracker,
    pub(super) results: PeriodTracker,
    pub(super) errors: PeriodTracker,
    pub(super) syntax_errors: PeriodTracker,
    pub(super) messages: PeriodTracker,
    pub(super) condensations: PeriodTracker,
}

/// The calls of one tool.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
struct ToolCalls {
    tool: u64,
    calls: PeriodTracker,
}

impl Sequences {
    /// Follows periods up to `longest` of a sequence, too.
    pub(super) fn follow(&mut self, sequence: Sequence, longest: u64) {
        self.tracker_mut(sequence).follow(longest);
    }

    pub(super) fn follows(&self, sequence: Sequence) -> bool {
        self.tracker(sequence).longest() > 0
    }

    pub(super) fn follows_calls(&self) -> bool {
        self.follows(Sequence::Calls) || self.follows(Sequence::MonitoredCalls)
    }

    pub(super) fn follows_more_than_calls(&self) -> bool {
        let mut followed = Sequence::ALL.into_iter().filter(|it| self.follows(*it));
        followed.any(Sequence::is_beyond_calls)
    }

    /// The next call of a tool.
    pub(super) fn push_call(&mut self, item: Item) {
        self.calls.calls.push(item);
    }

    /// Whether one of the last calls is this.
    pub(super) fn has_call(&self, call: u64) -> bool {
        self.calls.calls.has_call(call)
    }

    /// Goes on with the calls of another tool, where each tool has a run of its own.
    pub(super) fn switch_tool(&mut self, tool: u64) {
        if self.calls.tool == tool {
            return;
        }
        let others = &mut self.calls_of_other_tools;
        let place = match others.iter().position(|other| other.tool == tool) {
            Some(place) => place,
            None => {
                if others.len() == MAX_TOOLS {
                    others.clear();
                }
                others.push(ToolCalls {
                    tool,
                    calls: PeriodTracker::new(self.calls.calls.longest()),
                });
                others.len() - 1
            }
        };
        std::mem::swap(&mut self.calls, &mut others[place]);
    }

    pub(super) fn clear_calls(&mut self) {
        self.calls.calls.clear();
        self.calls_of_other_tools.clear();
        self.monitored_calls.clear();
    }

    pub(super) fn clear_actions_and_results(&mut self) {
        self.actions.clear();
        self.results.clear();
        self.errors.clear();
        self.syntax_errors.clear();
        self.messages.clear();
        self.condensations.clear();
    }

    pub(super) fn tracker(&self, sequence: Sequence) -> &PeriodTracker {
        match sequence {
            Sequence::Calls => &self.calls.calls,
            Sequence::MonitoredCalls => &self.monitored_calls,
            Sequence::Actions => &self.actions,
            Sequence::Results => &self.results,
            Sequence::Errors => &self.errors,
            Sequence::SyntaxErrors => &self.syntax_errors,
            Sequence::Messages => &self.messages,
            Sequence::Condensations => &self.condensations,
        }
    }

    fn tracker_mut(&mut self, sequence: Sequence) -> &mut PeriodTracker {
        match sequence {
            Sequence::Calls => &mut self.calls.calls,
            Sequence::MonitoredCalls => &mut self.monitored_calls,
            Sequence::Actions => &mut self.actions,
            Sequence::Results => &mut self.results,
            Sequence::Errors => &mut self.errors,
            Sequence::SyntaxErrors => &mut self.syntax_errors,
            Sequence::Messages => &mut self.messages,
            Sequence::Condensations => &mut self.condensations,
        }
    }

    /// Whether a snapshot may hold them, where these are followed.
    pub(super) fn validate(&self, followed: &Self) -> Result<(), Corrupt> {
        for sequence in Sequence::ALL {
            let longest = followed.tracker(sequence).longest();
            self.tracker(sequence).validate(longest)?;
        }
        Corrupt::unless(self.calls_of_other_tools.len() <= MAX_TOOLS)?;
        let longest = followed.calls.calls.longest();
        let mut others = self.calls_of_other_tools.iter();
        others.try_for_each(|other| other.calls.validate(longest))
    }
}
