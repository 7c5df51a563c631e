//! The log of an injector, for the host.

use std::collections::VecDeque;

use serde::Serialize;

use super::summaries::BudgetFit;
use turnkeeper_base::newest;

/// The most entries of a log that are kept.
const LOG_LENGTH: usize = 100;

/// Something that the injector did without being asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct SummaryLogEntry {
    /// The number of the turn.
    pub turn: u64,
    /// The event.
    pub what: SummaryEvent,
    /// The reason, for people.
    pub why: &'static str,
}

/// The events that an injector logs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS, documented::DocumentedFields)
)]
#[serde(rename_all = "snake_case")]
pub enum SummaryEvent {
    /// The turn was completed by the start of the next.
    TurnCompleted,
    /// With the turn's summary the summaries take more than `maxTokens`, so that the longest are shown without
    /// their middle.
    SummariesCut,
    /// The summaries are too many even so.
    OverBudget,
}

impl SummaryEvent {
    /// Its name in JavaScript.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::TurnCompleted => "turn_completed",
            Self::SummariesCut => "summaries_cut",
            Self::OverBudget => "over_budget",
        }
    }

    /// The event of summaries that do not have all their room.
    pub(super) fn of_budget(fit: BudgetFit) -> Option<Self> {
        match fit {
            BudgetFit::Whole => None,
            BudgetFit::Cut => Some(Self::SummariesCut),
            BudgetFit::Over => Some(Self::OverBudget),
        }
    }
}

/// The newest entries, the oldest first.
#[derive(Debug, Clone, Default)]
pub(super) struct SummaryLog(pub(super) VecDeque<SummaryLogEntry>);

impl SummaryLog {
    pub(super) fn note(&mut self, turn: u64, what: SummaryEvent) {
        let why = match what {
            SummaryEvent::TurnCompleted => "the next turn was started",
            SummaryEvent::SummariesCut => {
                "the summaries take more than maxTokens; the longest are shown without their middle"
            }
            SummaryEvent::OverBudget => {
                "maxTokens has no room for the summaries, even without their middle"
            }
        };
        newest::push(&mut self.0, SummaryLogEntry { turn, what, why }, LOG_LENGTH);
    }
}
