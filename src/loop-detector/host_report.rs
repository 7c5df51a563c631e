//! The word of the host's own detector: a stop, whatever the rules find.

use super::report::{EVIDENCE_UNITS, LoopReport, LoopType, RuleNames};
use super::rules::Detection;
use super::texts::Texts;
use turnkeeper_base::text::excerpt;

const TEXTS: Texts = Texts {
    message: "the agent's own loop detection found that the model is going in circles.",
    feedback: "The agent's own loop detection found that you are going in circles. Do not continue \
               the same way. State what you tried, why it did not work, and take a different \
               approach, or ask the user.",
};

/// `by` says which detector spoke, and `detail` what it said; `last_call` is the index of the prompt's
/// last call.
pub(crate) fn detection<R: RuleNames, P: Default>(
    by: Option<&str>,
    detail: Option<&str>,
    last_call: Option<u64>,
) -> Detection<R, P> {
    let mut report = LoopReport::new(LoopType::HostDetectedLoop, R::HOST_REPORT);
    report.count = 1;
    report.threshold = 1;
    report.last_index = last_call.unwrap_or(0);
    let said: Vec<&str> = [by, detail].into_iter().flatten().collect();
    report.evidence = excerpt(&said.join(": "), EVIDENCE_UNITS);
    Detection::stop(report, TEXTS)
}
