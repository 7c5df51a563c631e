//! What a rule finds, and what the detector makes a report of.

use super::{CallSummary, RuleInfo};
use crate::call::Call;
use crate::report::{Channel, LoopReport, LoopType};
use crate::texts::Texts;

/// What the host should do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Action {
    /// Tell the model, and let it go on.
    Nudge,
    /// Stop the model.
    Stop,
}

/// What a rule has found.
pub(crate) struct Detection {
    pub(crate) action: Action,
    pub(crate) report: Box<LoopReport>,
    pub(crate) texts: Texts,
}

impl Detection {
    pub(crate) fn stop(report: Box<LoopReport>, texts: Texts) -> Self {
        Self {
            action: Action::Stop,
            report,
            texts,
        }
    }

    pub(crate) fn is_stop(&self) -> bool {
        self.action == Action::Stop
    }
}

/// A loop that a rule finds under a name: what is known of it before it is found.
#[derive(Clone, Copy)]
pub(crate) struct LoopInfo {
    pub(crate) rule: RuleInfo,
    pub(crate) loop_type: LoopType,
    pub(crate) texts: Texts,
}

/// How often something came, at what number that is a loop, and from where to where it goes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tally {
    pub(crate) count: u64,
    pub(crate) threshold: u64,
    pub(crate) first_index: u64,
    pub(crate) last_index: u64,
}

impl LoopInfo {
    pub(crate) fn stop(&self, tally: Tally) -> Detection {
        self.found(Action::Stop, tally)
    }

    pub(crate) fn found(&self, action: Action, tally: Tally) -> Detection {
        let mut report = LoopReport::new(self.loop_type, self.rule.name);
        report.count = tally.count;
        report.threshold = tally.threshold;
        report.first_index = tally.first_index;
        report.last_index = tally.last_index;
        Detection {
            action,
            report,
            texts: self.texts,
        }
    }
}

impl Detection {
    /// The same, whose last call is this.
    pub(crate) fn at(self, call: &Call) -> Self {
        self.at_summarized(Some(&CallSummary::of(call)))
    }

    /// The same, whose last call is this, if that is known.
    pub(crate) fn at_summarized(mut self, call: Option<&CallSummary>) -> Self {
        if let Some(call) = call {
            call.fill(&mut self.report);
        }
        self
    }

    /// The same of rounds of as many calls.
    pub(crate) fn in_rounds_of(mut self, period: u64) -> Self {
        self.report.period = Some(period);
        self
    }

    /// The same of prose or reasoning, of which this is shown.
    pub(crate) fn in_text(mut self, channel: Channel, evidence: String) -> Self {
        self.report.channel = Some(channel);
        self.showing(evidence)
    }

    /// The same, showing this instead of the call.
    pub(crate) fn showing(mut self, evidence: String) -> Self {
        self.report.evidence = evidence;
        self
    }
}
