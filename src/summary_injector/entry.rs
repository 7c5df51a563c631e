//! What is carried of a turn, or of several: a summary and insights, as they stand in a prompt.

use super::marking::{marked, on_one_line};
use crate::snapshot::Codec;
use crate::text::{push, push_number};

/// What separates entries, and sections.
pub(crate) const BLANK_LINE: &str = "\n\n";
/// Says that something is left out, whatever else there is.
const SHORTENED: &str = "shortened to insights for now; the messages can still be recalled";

/// A summary with its insights, ready to be written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The turns that it speaks of, both included.
    pub(crate) from: u64,
    pub(crate) to: u64,
    pub(crate) summary: String,
    /// All of them, on one line.
    pub(crate) insights: String,
}

impl Entry {
    pub(crate) fn new(from: u64, to: u64, summary: &str, insights: &[String]) -> Self {
        let mut entry = Self {
            from,
            to,
            summary: marked(summary),
            insights: String::new(),
        };
        for insight in insights {
            entry.add_insights(&on_one_line(insight));
        }
        entry
    }

    /// So many turns, at least one, of which there is room for the insights alone.
    pub(crate) fn shortened(entries: &[Entry]) -> Self {
        let mut all = Self {
            summary: SHORTENED.to_owned(),
            ..Self::default()
        };
        for entry in entries {
            if all.from == 0 {
                all.from = entry.from;
            }
            all.to = entry.to;
            all.add_insights(&entry.insights);
        }
        all
    }

    fn add_insights(&mut self, more: &str) {
        if !self.insights.is_empty() && !more.is_empty() {
            push(&mut self.insights, "; ");
        }
        push(&mut self.insights, more);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.summary.is_empty() && self.insights.is_empty()
    }

    /// `[Turn 1] …`, and a line of insights if there are any; behind `head`, or behind what separates
    /// it from what is there.
    pub(crate) fn push(&self, text: &mut String, head: &str) {
        push(text, if text.is_empty() { head } else { BLANK_LINE });
        push(
            text,
            if self.from == self.to {
                "[Turn "
            } else {
                "[Turns "
            },
        );
        push_number(text, self.from);
        if self.from != self.to {
            push(text, "-");
            push_number(text, self.to);
        }
        push(text, "]");
        for (label, content) in [(" ", &self.summary), ("\nInsights: ", &self.insights)] {
            if !content.is_empty() {
                push(text, label);
                push(text, content);
            }
        }
    }

    pub(crate) fn visit(&mut self, codec: &mut Codec) {
        codec.count(&mut self.from);
        codec.count(&mut self.to);
        codec.text(&mut self.summary);
        codec.text(&mut self.insights);
    }
}
