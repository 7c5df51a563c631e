//! What a report says of a call.

use super::super::verdict::{EVIDENCE_UNITS, LoopReport};
use crate::call::Call;
use crate::snapshot::Codec;

/// Kept of a call that may turn out to be the last of a loop, for when its result comes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Quote {
    tool: String,
    call_key: String,
    evidence: String,
}

impl Quote {
    pub(super) fn of(call: &Call) -> Self {
        Self {
            tool: call.tool(),
            call_key: call.key(),
            evidence: call.excerpt(EVIDENCE_UNITS),
        }
    }

    pub(super) fn fill(&self, report: &mut LoopReport) {
        report.tool = Some(self.tool.clone());
        report.call_key = Some(self.call_key.clone());
        report.evidence = self.evidence.clone();
    }

    pub(super) fn visit(quote: &mut Option<Self>, codec: &mut Codec) {
        let mut is_some = quote.is_some();
        codec.flag(&mut is_some);
        if is_some {
            let quote = quote.get_or_insert_default();
            codec.text(&mut quote.tool);
            codec.text(&mut quote.call_key);
            codec.text(&mut quote.evidence);
        }
    }
}
