//! The rule over prose of gemini-cli and its descendants: windows of the text that come again.
//!
//! It is the one rule whose verdicts depend on how the text was cut, for what a delta looks like
//! decides whether the text starts afresh. Reasoning is not looked at.

mod markdown;
mod recent_text;

pub(crate) use self::recent_text::WindowLimits;

use self::markdown::Markdown;
use self::recent_text::RecentText;
use super::super::verdict::{Channel, EVIDENCE_UNITS, LoopReport, LoopType};
use super::{Event, Found, Part};
use crate::snapshot::Codec;
use crate::text::excerpt_units;

/// Stops when enough equal windows of the prose stand near enough to each other.
#[derive(Debug, Clone)]
pub(crate) struct ProseWindows {
    markdown_resets: bool,
    text: RecentText,
    /// Behind which unit of the prompt's prose the windows' places begin, if there were as many.
    before: u64,
    /// Within a fenced block, of which neither a tool call nor a new prompt is the end.
    in_code: bool,
}

impl ProseWindows {
    pub(crate) fn new(limits: WindowLimits, markdown_resets: bool) -> Self {
        Self {
            markdown_resets,
            text: RecentText::new(limits),
            before: 0,
            in_code: false,
        }
    }

    /// Whether the delta is compared.
    fn admits(&mut self, delta: &[u16]) -> bool {
        if !self.markdown_resets {
            return true;
        }
        let markdown = Markdown::of(delta);
        if markdown.fences > 0 || markdown.has_element || markdown.is_divider {
            self.text.clear(0);
        }
        let was_in_code = self.in_code;
        self.in_code ^= markdown.fences % 2 == 1;
        !(was_in_code || self.in_code || markdown.is_divider)
    }
}

impl Part for ProseWindows {
    fn observe(&mut self, event: &Event) -> Option<Found> {
        let delta = match event {
            Event::Call(_) => {
                self.text.clear(0);
                return None;
            }
            Event::Text {
                channel: Channel::Text,
                delta,
                ..
            } => delta,
            _ => return None,
        };
        if !self.admits(delta) {
            self.text.clear(delta.len());
            return None;
        }
        let (begin, end) = self.text.push(delta)?;
        let mut report = LoopReport::new(LoopType::ChantingIdenticalSentences, "repeated_windows");
        report.count = self.text.limits.copies as u64;
        report.threshold = report.count;
        report.channel = Some(Channel::Text);
        report.first_index = begin.wrapping_add(self.before);
        report.last_index = (end - 1).wrapping_add(self.before);
        let window = self.text.slice(end - self.text.limits.unit as u64, end);
        report.evidence = excerpt_units(window, EVIDENCE_UNITS);
        Found::stop(report)
    }

    fn restart(&mut self, is_new_prompt: bool) {
        self.text.clear(0);
        if is_new_prompt {
            self.before = self.text.end().wrapping_neg();
        }
    }

    fn visit(&mut self, codec: &mut Codec) {
        codec.flag(&mut self.in_code);
        self.text.visit(&mut self.before, codec);
    }
}
