//! The findings of rules, of which the detector makes reports.

use super::CallSummary;
use crate::call::Call;
use crate::options::LoopProfile;
use crate::report::{Channel, LoopReport, LoopType, RuleName};
use crate::texts::{Quoted, Texts};

/// The host's next step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Tell the model, and let it go on.
    Nudge,
    /// Stop the model.
    Stop,
}

impl Action {
    pub(crate) fn of(is_stop: bool) -> Self {
        match is_stop {
            true => Self::Stop,
            false => Self::Nudge,
        }
    }
}

/// A loop that a rule has found.
pub struct Detection<R = RuleName, P = LoopProfile> {
    /// The host is to nudge the model or to stop it.
    pub action: Action,
    /// The report, as far as a rule knows it.
    pub report: Box<LoopReport<R, P>>,
    /// The texts that the report gets.
    pub texts: Texts,
    /// What is quoted in them.
    pub quoted: Quoted,
}

impl<R, P> Detection<R, P> {
    /// A stop.
    pub fn stop(report: Box<LoopReport<R, P>>, texts: Texts) -> Self {
        Self::of(Action::Stop, report, texts)
    }

    /// What the host is to do, with nothing quoted.
    pub fn of(action: Action, report: Box<LoopReport<R, P>>, texts: Texts) -> Self {
        Self {
            action,
            report,
            texts,
            quoted: Quoted::default(),
        }
    }

    /// Whether the host is to stop the model.
    pub fn is_stop(&self) -> bool {
        self.action == Action::Stop
    }
}

/// Of two detections at one event a stop, and otherwise the first.
pub(crate) fn worse(first: Option<Detection>, second: Option<Detection>) -> Option<Detection> {
    let Some(second) = second else { return first };
    match first {
        Some(first) if first.is_stop() || !second.is_stop() => Some(first),
        _ => Some(second),
    }
}

/// A loop that a rule finds under a name: what is known of it before it is found.
#[derive(Clone, Copy)]
pub(crate) struct LoopInfo {
    pub name: RuleName,
    /// The options that it reads, those first that switch it on. A test compares the documentation with them.
    #[cfg_attr(not(test), allow(dead_code))]
    pub options: &'static [&'static str],
    pub loop_type: LoopType,
    pub texts: Texts,
}

/// A count of something that repeats, the number at which that is a loop, and the first and the last place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Tally {
    pub count: u64,
    pub threshold: u64,
    pub first_index: u64,
    pub last_index: u64,
}

impl LoopInfo {
    pub(crate) fn stop(&self, tally: Tally) -> Detection {
        self.found(Action::Stop, tally)
    }

    pub(crate) fn found(&self, action: Action, tally: Tally) -> Detection {
        let mut report = LoopReport::new(self.loop_type, self.name);
        report.count = tally.count;
        report.threshold = tally.threshold;
        report.first_index = tally.first_index;
        report.last_index = tally.last_index;
        Detection::of(action, report, self.texts)
    }
}

impl<R, P> Detection<R, P> {
    /// The same, whose last call is this.
    pub fn at(self, call: &Call) -> Self {
        self.quoting(&CallSummary::of(call))
    }

    /// The same of a call that was summed up before.
    pub(crate) fn quoting(mut self, call: &CallSummary) -> Self {
        call.fill(&mut self.report);
        self.quoted.call = call.arguments();
        self
    }

    /// The same of rounds of as many calls.
    pub fn in_rounds_of(mut self, period: u64) -> Self {
        self.report.period = Some(period);
        self
    }

    /// The same of prose or reasoning, of which this is shown.
    pub fn in_text(mut self, channel: Channel, evidence: String) -> Self {
        self.report.channel = Some(channel);
        self.quoted.answer = (!evidence.is_empty()).then(|| evidence.clone());
        self.showing(evidence)
    }

    /// The same, showing this instead of the call.
    pub fn showing(mut self, evidence: String) -> Self {
        self.report.evidence = evidence;
        self
    }
}
