//! The part of a report that quotes a call.

use serde::{Deserialize, Serialize};

use super::super::report::{EVIDENCE_UNITS, LoopReport};
use crate::call::Call;

/// Kept of a call that may turn out to be the last of a loop, for when its result comes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct CallSummary {
    tool: String,
    call_key: String,
    excerpt: String,
}

impl CallSummary {
    pub(crate) fn of(call: &Call) -> Self {
        Self {
            tool: call.tool(),
            call_key: call.key(),
            excerpt: call.excerpt(EVIDENCE_UNITS),
        }
    }

    /// Forgets the words of the call.
    pub(crate) fn forget_words(&mut self) {
        self.excerpt.clear();
    }

    /// The arguments as far as they are known; none if they are empty.
    pub(crate) fn arguments(&self) -> Option<String> {
        let arguments = self.excerpt.strip_prefix(&self.tool)?.trim_start();
        (!matches!(arguments, "" | "{}")).then(|| arguments.to_owned())
    }

    /// Puts the call into a report.
    pub(crate) fn fill<R, P>(&self, report: &mut LoopReport<R, P>) {
        report.tool = Some(self.tool.clone());
        report.call_key = Some(self.call_key.clone());
        report.evidence = self.excerpt.clone();
    }
}
