//! The verdict on an event, whichever detector gives it.

use std::fmt;

use serde::{Deserialize, Serialize};
use turnkeeper_base::Error;
use turnkeeper_loop_detector::detecting::{DetectorOptions, Event as Between};
use turnkeeper_loop_detector::{
    Blind, Counts, Detector, LoopDetector, LoopReport, LoopVerdict, Prompt, RuleName, RuleNames,
};
use turnkeeper_messages::Event;
use turnkeeper_peers::{PeerDetector, PeerRule};

use super::profile::{Profile, Rules};

/// The rule that fired: the package's own, or another agent's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Rule {
    /// The package's own.
    Own(RuleName),
    /// Another agent's.
    Peer(PeerRule),
}

/// As it is in JSON, such as `identical_calls`.
impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Own(rule) => rule.fmt(f),
            Self::Peer(rule) => rule.fmt(f),
        }
    }
}

/// The reason for which an agent was found stuck, by any detector.
pub type Report = LoopReport<Rule, Profile>;
/// The verdict of any detector.
pub type Verdict = LoopVerdict<Rule, Profile>;

/// A detector with the package's own rules, or with another agent's.
#[derive(Debug)]
pub(crate) enum AnyDetector {
    Own(Box<LoopDetector>),
    Peer(Box<PeerDetector>),
}

/// Calls a detector, of whichever kind it is.
macro_rules! each {
    ($any:expr, $detector:ident => $call:expr) => {
        match $any {
            AnyDetector::Own($detector) => $call,
            AnyDetector::Peer($detector) => $call,
        }
    };
}

impl AnyDetector {
    /// A detector with these rules.
    ///
    /// # Errors
    /// `invalid_config`, naming the threshold that is out of range.
    pub(crate) fn new(rules: Rules) -> Result<Self, Error> {
        Ok(match rules {
            Rules::Own(options) => Self::Own(Box::new(LoopDetector::new(*options)?)),
            Rules::Peer(options) => Self::Peer(Box::new(PeerDetector::new(*options)?)),
        })
    }

    pub(crate) fn start_prompt(&mut self, prompt: Prompt) {
        each!(self, detector => {
            detector.start_prompt(prompt);
        });
    }

    /// The verdict on the next event. A call that no detector takes, with a text of 4 GiB, has none.
    pub(crate) fn observe(&mut self, event: &Event) -> Verdict {
        match self {
            Self::Own(detector) => verdict_of(observed(detector, event), Rule::Own),
            Self::Peer(detector) => verdict_of(observed(detector, event), Rule::Peer),
        }
    }

    pub(crate) fn clear(&mut self) {
        each!(self, detector => detector.clear());
    }

    pub(crate) fn blind(&self) -> Blind {
        each!(self, detector => detector.blind())
    }

    pub(crate) fn counts(&self) -> Counts<'_> {
        each!(self, detector => detector.counts())
    }
}

fn observed<'d, O: DetectorOptions>(
    detector: &'d mut Detector<O>,
    event: &Event,
) -> &'d LoopVerdict<O::Rule, O::Profile> {
    use turnkeeper_loop_detector::Channel;
    match event {
        Event::Text { text } => detector.observe_str(Channel::Text, text),
        Event::Reasoning { text } => detector.observe_str(Channel::Reasoning, text),
        Event::ToolCall {
            id,
            name,
            args,
            key,
        } => {
            let is_taken = detector
                .observe_call(id.as_deref(), name, args.as_deref(), key.as_deref())
                .is_ok();
            match is_taken {
                true => detector.verdict(),
                false => &LoopVerdict::Ok,
            }
        }
        Event::ToolResult {
            id,
            output,
            is_error,
            exit_code,
        } => detector.observe_result(id.as_deref(), output, *is_error == Some(true), *exit_code),
        Event::TurnStarted => detector.observe_turn(),
        Event::UserMessage { .. } => detector.observe_other(Between::UserMessage),
        Event::Condensation => detector.observe_other(Between::Condensation),
        Event::Retry => detector.observe_retry(),
        Event::LoopReported { by, detail } => {
            detector.observe_loop_report(by.as_deref(), detail.as_deref())
        }
        Event::Finished => detector.observe_other(Between::Finished),
        // The line that starts a prompt is no event.
        Event::Other | Event::PromptStarted { .. } => detector.observe_other(Between::Other),
    }
}

fn verdict_of<R: RuleNames, P: Copy + Into<Profile>>(
    verdict: &LoopVerdict<R, P>,
    rule: impl Fn(R) -> Rule,
) -> Verdict {
    match verdict {
        LoopVerdict::Ok => LoopVerdict::Ok,
        LoopVerdict::Nudge { report } => LoopVerdict::Nudge {
            report: report_of(report, rule),
        },
        LoopVerdict::Stop { report } => LoopVerdict::Stop {
            report: report_of(report, rule),
        },
    }
}

fn report_of<R: RuleNames, P: Copy + Into<Profile>>(
    report: &LoopReport<R, P>,
    rule: impl Fn(R) -> Rule,
) -> Box<Report> {
    let LoopReport {
        loop_type,
        rule: fired,
        profile,
        tool,
        call_key,
        count,
        threshold,
        period,
        strike,
        channel,
        first_index,
        last_index,
        wasted,
        evidence,
        fact,
        message,
        feedback,
    } = report.clone();
    Box::new(Report {
        loop_type,
        rule: rule(fired),
        profile: profile.into(),
        tool,
        call_key,
        count,
        threshold,
        period,
        strike,
        channel,
        first_index,
        last_index,
        wasted,
        evidence,
        fact,
        message,
        feedback,
    })
}
