//! The rules over tool calls: identical ones in a row, and one tool too often.

use super::verdict::{EVIDENCE_UNITS, Finding, LoopType};
use crate::call::Call;
use crate::snapshot::{Corrupt, Reader, Writer};

/// Identical consecutive calls: the same name and arguments, whatever their key order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct IdenticalCalls {
    run: Option<Run>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Run {
    call: u64,
    first_index: u64,
    count: u64,
}

impl IdenticalCalls {
    /// Counts the call at `index`; a finding at every call from the `threshold`th on.
    pub(crate) fn observe(&mut self, call: &Call, index: u64, threshold: u64) -> Option<Finding> {
        let fingerprint = call.fingerprint();
        let run = match &mut self.run {
            Some(run) if run.call == fingerprint => {
                run.count += 1;
                *run
            }
            other => *other.insert(Run {
                call: fingerprint,
                first_index: index,
                count: 1,
            }),
        };
        (run.count >= threshold).then(|| Finding {
            loop_type: LoopType::ConsecutiveIdenticalToolCalls,
            rule: "identical_calls",
            tool: Some(call.tool()),
            call_key: Some(call.key()),
            count: run.count,
            threshold,
            period: None,
            channel: None,
            first_index: run.first_index,
            last_index: index,
            evidence: call.excerpt(EVIDENCE_UNITS),
        })
    }

    pub(crate) fn save(&self, to: &mut Writer) {
        to.flag(self.run.is_some());
        if let Some(run) = self.run {
            to.number(run.call);
            to.number(run.first_index);
            to.number(run.count);
        }
    }

    pub(crate) fn load(from: &mut Reader) -> Result<Self, Corrupt> {
        let run = if from.flag()? {
            // A count that no conversation reaches, so that counting on cannot overflow.
            let most = u64::MAX >> 8;
            Some(Run {
                call: from.number()?,
                first_index: from.number_to(most)?,
                count: from.number_to(most)?,
            })
        } else {
            None
        };
        Ok(Self { run })
    }
}

/// How often each tool was called since the prompt started.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct CallsByTool {
    /// By [`Call::tool_fingerprint`], in ascending order.
    tools: Vec<(u64, Tally)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Tally {
    count: u64,
    first_index: u64,
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
        rule: &'static str,
        threshold: u64,
    ) -> Option<Finding> {
        let tool = call.tool_fingerprint();
        let place = match self.tools.binary_search_by_key(&tool, |(tool, _)| *tool) {
            Ok(place) => place,
            Err(_) if self.tools.len() >= MOST_TOOLS => return None,
            Err(place) => {
                self.tools.insert(
                    place,
                    (
                        tool,
                        Tally {
                            count: 0,
                            first_index: index,
                        },
                    ),
                );
                place
            }
        };
        self.tools[place].1.count += 1;
        let tally = self.tools[place].1;
        (tally.count >= threshold).then(|| Finding {
            loop_type: LoopType::SameToolDifferentArguments,
            rule,
            tool: Some(call.tool()),
            call_key: Some(call.key()),
            count: tally.count,
            threshold,
            period: None,
            channel: None,
            first_index: tally.first_index,
            last_index: index,
            evidence: call.excerpt(EVIDENCE_UNITS),
        })
    }

    pub(crate) fn save(&self, to: &mut Writer) {
        to.length(self.tools.len());
        for (tool, tally) in &self.tools {
            to.number(*tool);
            to.number(tally.count);
            to.number(tally.first_index);
        }
    }

    pub(crate) fn load(from: &mut Reader) -> Result<Self, Corrupt> {
        let mut tools: Vec<(u64, Tally)> = Vec::new();
        for _ in 0..from.length(MOST_TOOLS)? {
            let most = u64::MAX >> 8;
            let tool = from.number()?;
            let tally = Tally {
                count: from.number_to(most)?,
                first_index: from.number_to(most)?,
            };
            if tools.last().is_some_and(|(last, _)| *last >= tool) {
                return Err(Corrupt);
            }
            tools.push((tool, tally));
        }
        Ok(Self { tools })
    }
}
