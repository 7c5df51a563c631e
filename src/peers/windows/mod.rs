//! Windows of the prose that repeat near each other, as gemini-cli and its descendants look for them.

mod recent_text;

use serde::{Deserialize, Serialize};

use self::recent_text::{RecentText, SavedText, WindowLimits};
use crate::report::{Detection, PeerReport, PeerRule};
use turnkeeper_base::error::Error;
use turnkeeper_base::snapshot::{Corrupt, SavedState};
use turnkeeper_base::text::excerpt_units;
use turnkeeper_loop_detector::detecting::{
    EVIDENCE_UNITS, Number, PASSAGES_TEXTS, Restart, refused,
};
use turnkeeper_loop_detector::{Channel, LoopType};

/// An agent's numbers, or the host's.
pub(crate) struct WindowNumbers {
    /// Units of a window.
    pub(crate) unit: Number,
    /// The number of equal windows that are a loop; none if nothing is.
    pub(crate) copies: Option<u64>,
    pub(crate) mean_distance: u64,
    /// The number of different texts that there may be from each window to the next.
    pub(crate) distinct_gaps: u64,
    /// Units of prose that are looked back on.
    pub(crate) history: Number,
    /// Whether windows of white space and symbols, or of few other units, do not count.
    pub(crate) skips_symbols: bool,
}

impl WindowNumbers {
    /// Whether they are in bounds, and in order.
    pub(crate) fn check(&self) -> Result<(), Error> {
        self.unit.at_most(5_000)?;
        if let Some(copies) = self.copies.filter(|copies| *copies > 100) {
            return Err(refused(
                "copies",
                format!("must be at most 100, not {copies}"),
            ));
        }
        self.history.at_most(100_000)?;
        self.unit.no_more_than(self.history)
    }

    /// The windows that are looked for with them.
    pub(crate) fn windows(&self) -> RepeatedWindows {
        let limits = self.copies.map(|copies| {
            let copies = copies.max(2);
            WindowLimits {
                unit: self.unit.value() as usize,
                copies: copies as usize,
                reach: self.mean_distance.saturating_mul(copies - 1),
                gaps: self.distinct_gaps,
                history: self.history.value() as usize,
                skip_symbols: self.skips_symbols,
            }
        });
        RepeatedWindows {
            text: limits.map(RecentText::new),
            first_index: 0,
        }
    }
}

/// Stops when enough equal windows of the prose are near enough to each other.
#[derive(Debug, Clone)]
pub(crate) struct RepeatedWindows {
    /// None if no window is looked for.
    text: Option<RecentText>,
    /// The number that is added to the text's places to get those in the prompt's prose, in wrapping arithmetic:
    /// the text's places go on with a new prompt.
    first_index: u64,
}

/// The part that a snapshot holds: the windows are made again from the text.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct SavedWindows {
    text: Option<SavedText>,
    first_index: u64,
}

impl SavedState for SavedWindows {
    fn validate(&self) -> Result<(), Corrupt> {
        let text = self.text.as_ref();
        text.map_or(Ok(()), SavedText::validate)
    }
}

impl RepeatedWindows {
    /// Takes a delta of prose.
    pub(crate) fn prose(&mut self, delta: &[u16]) -> Option<Detection> {
        let text = self.text.as_mut()?;
        let (begin, end) = text.push(delta)?;
        let loop_type = LoopType::ChantingIdenticalSentences;
        let mut report = PeerReport::new(loop_type, PeerRule::RepeatedWindows);
        report.count = text.limits.copies as u64;
        report.threshold = report.count;
        report.channel = Some(Channel::Text);
        report.first_index = begin.wrapping_add(self.first_index);
        report.last_index = (end - 1).wrapping_add(self.first_index);
        let window = text.slice(end - text.limits.unit as u64, end);
        report.evidence = excerpt_units(window, EVIDENCE_UNITS);
        Some(Detection::stop(report, PASSAGES_TEXTS))
    }

    /// Forgets the prose so far, and `skipped` units after it.
    pub(crate) fn clear(&mut self, skipped: usize) {
        if let Some(text) = &mut self.text {
            text.clear(skipped);
        }
    }

    /// Starts afresh.
    pub(crate) fn restart(&mut self, restart: Restart) {
        self.clear(0);
        if let Some(text) = &self.text
            && restart == Restart::NewPrompt
        {
            self.first_index = text.end().wrapping_neg();
        }
    }

    pub(crate) fn save(&self) -> SavedWindows {
        let (text, skipped) = self.text.as_ref().map(RecentText::save).unzip();
        SavedWindows {
            text,
            first_index: self.first_index.wrapping_add(skipped.unwrap_or_default()),
        }
    }

    pub(crate) fn load(&mut self, saved: SavedWindows) -> Result<(), Corrupt> {
        match (&mut self.text, saved.text) {
            (Some(text), Some(saved)) => text.load(saved)?,
            (None, None) => {}
            _ => return Err(Corrupt),
        }
        self.first_index = saved.first_index;
        Ok(())
    }
}
