//! The rules over tool calls: identical ones in a row, and one tool too often.

use super::verdict::{EVIDENCE_UNITS, LoopReport, LoopType};
use crate::call::Call;
use crate::snapshot::Codec;

/// How often something was called.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Tally {
    fingerprint: u64,
    first_index: u64,
    count: u64,
}

impl Tally {
    fn new(fingerprint: u64, first_index: u64) -> Self {
        Self {
            fingerprint,
            first_index,
            count: 0,
        }
    }

    /// Counts the call at `index`; whether that makes `threshold`.
    fn reaches(&mut self, threshold: u64) -> bool {
        self.count += 1;
        self.count >= threshold
    }

    fn fill(self, report: &mut LoopReport, call: &Call, index: u64, threshold: u64) {
        report.tool = Some(call.tool());
        report.call_key = Some(call.key());
        report.count = self.count;
        report.threshold = threshold;
        report.first_index = self.first_index;
        report.last_index = index;
        report.evidence = call.excerpt(EVIDENCE_UNITS);
    }

    fn visit(&mut self, codec: &mut Codec) {
        codec.number(&mut self.fingerprint, u64::MAX);
        codec.count(&mut self.first_index);
        codec.count(&mut self.count);
    }
}

/// Identical consecutive calls: the same name and arguments, whatever their key order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct IdenticalCalls {
    run: Tally,
}

impl IdenticalCalls {
    /// Counts the call at `index`; a finding at every call from the `threshold`th on.
    pub(crate) fn observe(
        &mut self,
        call: &Call,
        index: u64,
        threshold: u64,
    ) -> Option<Box<LoopReport>> {
        let fingerprint = call.fingerprint();
        if self.run.count == 0 || self.run.fingerprint != fingerprint {
            self.run = Tally::new(fingerprint, index);
        }
        if !self.run.reaches(threshold) {
            return None;
        }
        let loop_type = LoopType::ConsecutiveIdenticalToolCalls;
        let mut report = LoopReport::new(loop_type, "identical_calls");
        self.run.fill(&mut report, call, index, threshold);
        Some(report)
    }

    pub(crate) fn visit(&mut self, codec: &mut Codec) {
        self.run.visit(codec);
    }
}

/// How often each tool was called since the prompt started.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct CallsByTool {
    /// By [`Call::tool_fingerprint`], in ascending order.
    tools: Vec<Tally>,
}

/// So many different tools are counted in one prompt. A conversation with more is not one that
/// this rule was made for, and memory stays bounded.
const MOST_TOOLS: usize = 1_024;

impl CallsByTool {
    /// Counts the call at `index`; a finding from the `threshold`th call of its tool on.
    pub(crate) fn observe(
        &mut self,
        call: &Call,
        index: u64,
        rule: &str,
        threshold: u64,
    ) -> Option<Box<LoopReport>> {
        let tool = call.tool_fingerprint();
        let place = self.tools.partition_point(|known| known.fingerprint < tool);
        if self.tools.get(place).map(|known| known.fingerprint) != Some(tool) {
            if self.tools.len() >= MOST_TOOLS {
                return None;
            }
            self.tools.insert(place, Tally::new(tool, index));
        }
        let tally = &mut self.tools[place];
        if !tally.reaches(threshold) {
            return None;
        }
        let mut report = LoopReport::new(LoopType::SameToolDifferentArguments, rule);
        tally.fill(&mut report, call, index, threshold);
        Some(report)
    }

    pub(crate) fn visit(&mut self, codec: &mut Codec) {
        codec.items(&mut self.tools, MOST_TOOLS);
        let mut last = None;
        for tally in &mut self.tools {
            tally.visit(codec);
            codec.check(last < Some(tally.fingerprint));
            last = Some(tally.fingerprint);
        }
    }
}
