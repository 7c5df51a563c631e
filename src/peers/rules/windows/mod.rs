//! **Finds** windows of the prose that repeat near each other, as gemini-cli and its descendants do.
//! **Must not find** windows in code, nor, for DeepV Code, windows of symbols.
//! **The numbers** are theirs: 10 windows of 50 units, or 20 of 500.
//!
//! It is the one rule whose verdicts depend on how the text was cut, for what a delta looks like
//! decides whether the text starts afresh. Reasoning is not looked at.

mod markdown;
mod recent_text;

use serde::{Deserialize, Serialize};

use self::markdown::Markdown;
use self::recent_text::{RecentText, SavedText, WindowLimits};
use super::{Context, Detection, Event, Restart, Rule, count_or};
use crate::report::{Channel, EVIDENCE_UNITS, LoopReport, LoopType, RuleName};
use crate::settings::RuleSettings;
use crate::texts::Texts;
use turnkeeper_base::snapshot::{self, Corrupt, SavedState};
use turnkeeper_base::text::excerpt_units;

const TEXTS: Texts = Texts {
    message: "the model wrote the same passage {count} times.",
    feedback: "You wrote the same passage {count} times without a break. Do not write it again. \
               Go on with the next point in new words, call the tool that you announced, or \
               finish your answer.",
};

/// Stops when enough equal windows of the prose are near enough to each other. It is a [`Rule`] by itself, for
/// what a snapshot holds is not what it keeps: the windows are made again from the text.
#[derive(Debug, Clone)]
pub(crate) struct RepeatedWindows {
    markdown_resets: bool,
    strict_markdown: bool,
    text: RecentText,
    /// What is added to the text's places to get those in the prompt's prose, in wrapping arithmetic:
    /// the text's places go on with a new prompt.
    first_index: u64,
    /// Within a fenced block, of which neither a tool call nor a new prompt is the end.
    in_code: bool,
}

/// What a snapshot holds.
#[derive(Debug, Serialize, Deserialize)]
struct State {
    first_index: u64,
    in_code: bool,
    text: SavedText,
}

impl SavedState for State {
    fn validate(&self) -> Result<(), Corrupt> {
        self.text.validate()
    }
}

impl RepeatedWindows {
    /// Whether the delta is compared.
    fn admits(&mut self, delta: &[u16]) -> bool {
        if !self.markdown_resets {
            return true;
        }
        let markdown = Markdown::of(delta, self.strict_markdown);
        if markdown.fences > 0 || markdown.has_element || markdown.is_divider {
            self.text.clear(0);
        }
        let was_in_code = self.in_code;
        self.in_code ^= markdown.fences % 2 == 1;
        !(was_in_code || self.in_code || markdown.is_divider)
    }
}

impl Rule for RepeatedWindows {
    fn from_options(options: &RuleSettings) -> Option<Self> {
        if options.unit.is_none() && options.copies.is_none() {
            return None;
        }
        let copies = count_or(options.copies, 10)?.max(2);
        let mean_distance = options.mean_distance.unwrap_or(250);
        let limits = WindowLimits {
            unit: options.unit.unwrap_or(50) as usize,
            copies: copies as usize,
            reach: mean_distance.saturating_mul(copies - 1),
            gaps: options.distinct_gaps.unwrap_or(5),
            history: options.history.unwrap_or(5_000) as usize,
            skip_symbols: options.skip_symbols,
        };
        Some(Self {
            markdown_resets: options.markdown_resets,
            strict_markdown: options.strict_markdown,
            text: RecentText::new(limits),
            first_index: 0,
            in_code: false,
        })
    }

    fn observe(&mut self, event: &Event, _: &Context) -> Option<Detection> {
        let delta = match event {
            Event::Call(_) => {
                self.text.clear(0);
                return None;
            }
            Event::Text {
                channel: Channel::Text,
                delta,
            } => delta,
            _ => return None,
        };
        if !self.admits(delta) {
            self.text.clear(delta.len());
            return None;
        }
        let (begin, end) = self.text.push(delta)?;
        let loop_type = LoopType::ChantingIdenticalSentences;
        let mut report = LoopReport::new(loop_type, RuleName::RepeatedWindows);
        report.count = self.text.limits.copies as u64;
        report.threshold = report.count;
        report.channel = Some(Channel::Text);
        report.first_index = begin.wrapping_add(self.first_index);
        report.last_index = (end - 1).wrapping_add(self.first_index);
        let window = self.text.slice(end - self.text.limits.unit as u64, end);
        report.evidence = excerpt_units(window, EVIDENCE_UNITS);
        Some(Detection::stop(report, TEXTS))
    }

    fn restart(&mut self, restart: Restart) {
        self.text.clear(0);
        if restart == Restart::NewPrompt {
            self.first_index = self.text.end().wrapping_neg();
        }
    }

    fn save(&self) -> Vec<u8> {
        let (text, skipped) = self.text.save();
        snapshot::encode(&State {
            first_index: self.first_index.wrapping_add(skipped),
            in_code: self.in_code,
            text,
        })
    }

    fn load(&mut self, saved: &[u8]) -> Result<(), Corrupt> {
        let State {
            first_index,
            in_code,
            text,
        } = snapshot::decode(saved)?;
        self.text.load(text)?;
        self.first_index = first_index;
        self.in_code = in_code;
        Ok(())
    }
}
