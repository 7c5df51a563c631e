//! One tool too often since the prompt started, whatever the arguments and whatever came in between.

use super::super::verdict::{LoopReport, LoopType};
use super::quote::Quote;
use super::{CallSeen, Event, Found, Part};
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

    /// Counts a call; whether that makes `threshold`.
    fn reaches(&mut self, threshold: u64) -> bool {
        self.count += 1;
        self.count >= threshold
    }

    fn fill(self, report: &mut LoopReport, seen: &CallSeen, threshold: u64) {
        Quote::of(seen.call).fill(report);
        report.count = self.count;
        report.threshold = threshold;
        report.first_index = self.first_index;
        report.last_index = seen.index;
    }

    fn visit(&mut self, codec: &mut Codec) {
        codec.number(&mut self.fingerprint, u64::MAX);
        codec.count(&mut self.first_index);
        codec.count(&mut self.count);
    }
}

/// Counts the calls of each tool that a preview model makes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CallsByTool {
    calls: u64,
    /// The threshold of the tools that are [watched more closely](Self::intensive_tools).
    intensive_calls: u64,
    /// By [`Call::tool_fingerprint`](crate::call::Call::tool_fingerprint).
    intensive_tools: Vec<u64>,
    /// By the same, in ascending order.
    tools: Vec<Tally>,
    stands: bool,
}

/// So many different tools are counted in one prompt. A conversation with more is not one that
/// this rule was made for, and memory stays bounded.
const MOST_TOOLS: usize = 1_024;

impl CallsByTool {
    pub(crate) fn new(calls: u64, intensive_calls: u64, intensive_tools: Vec<u64>) -> Self {
        Self {
            calls,
            intensive_calls,
            intensive_tools,
            tools: Vec::new(),
            stands: false,
        }
    }
}

impl Part for CallsByTool {
    fn observe(&mut self, event: &Event) -> Option<Found> {
        let Event::Call(seen) = event else {
            return None;
        };
        if !seen.is_preview {
            return None;
        }
        let tool = seen.call.tool_fingerprint();
        let (rule, threshold) = if self.intensive_tools.contains(&tool) {
            ("preview_intensive_calls", self.intensive_calls)
        } else {
            ("preview_calls", self.calls)
        };
        let place = self.tools.partition_point(|known| known.fingerprint < tool);
        if self.tools.get(place).map(|known| known.fingerprint) != Some(tool) {
            if self.tools.len() >= MOST_TOOLS {
                return None;
            }
            self.tools.insert(place, Tally::new(tool, seen.index));
        }
        let tally = &mut self.tools[place];
        self.stands = tally.reaches(threshold);
        if !self.stands {
            return None;
        }
        let mut report = LoopReport::new(LoopType::SameToolDifferentArguments, rule);
        tally.fill(&mut report, seen, threshold);
        Found::stop(report)
    }

    fn restart(&mut self, _: bool) {
        self.tools.clear();
        self.stands = false;
    }

    fn stands(&self) -> bool {
        self.stands
    }

    fn visit(&mut self, codec: &mut Codec) {
        codec.items(&mut self.tools, MOST_TOOLS);
        let mut last = None;
        for tally in &mut self.tools {
            tally.visit(codec);
            codec.check(last < Some(tally.fingerprint));
            last = Some(tally.fingerprint);
        }
        codec.flag(&mut self.stands);
    }
}
