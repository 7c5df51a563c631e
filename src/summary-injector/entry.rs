//! A summary and its insights, as a prompt shows them: for one turn or for several.

use serde::{Deserialize, Serialize};

use super::marking::{marked, on_one_line};
use super::recall::Keywords;

/// The text between insights.
pub(super) const INSIGHT_SEPARATOR: &str = "; ";
/// The text before the insights of an entry.
pub(super) const INSIGHTS: &str = "\nInsights: ";
/// The text in the place of the summaries of turns of which only the insights are shown.
const SHORTENED: &str = "shortened to insights for now; the messages can still be recalled";

/// A summary with its insights, ready to be written into a prompt.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Entry {
    /// The first and the last turn that it describes; they are equal for one turn.
    pub(super) first_turn: u64,
    pub(super) last_turn: u64,
    /// Marked, so that no line of it can pass for a heading.
    pub(super) summary: String,
    /// All insights, on one line.
    pub(super) insights: String,
}

impl Entry {
    /// One entry for the turns from the first to the last, which may be the same.
    pub(super) fn of_turns(
        (first_turn, last_turn): (u64, u64),
        summary: &str,
        insights: &[String],
    ) -> Self {
        let insights = insights.iter().map(|insight| on_one_line(insight));
        Self {
            first_turn,
            last_turn,
            summary: marked(summary),
            insights: joined(insights),
        }
    }

    /// One entry with the insights of several, or nothing for none.
    pub(super) fn shortened(entries: &[Self]) -> Option<Self> {
        let insights = entries.iter().map(|entry| entry.insights.clone());
        Self::shortened_of(entries, &joined(insights))
    }

    /// One entry for several that shows these insights, or nothing for none.
    pub(super) fn shortened_of(entries: &[Self], insights: &str) -> Option<Self> {
        let (first, last) = (entries.first()?, entries.last()?);
        Some(Self {
            first_turn: first.first_turn,
            last_turn: last.last_turn,
            summary: SHORTENED.to_owned(),
            insights: insights.to_owned(),
        })
    }

    /// Whether one of these words occurs in it.
    pub(super) fn says(&self, keywords: &Keywords) -> bool {
        keywords.occur_in(&self.summary) || keywords.occur_in(&self.insights)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.summary.is_empty() && self.insights.is_empty()
    }

    /// The entry's text: `[Turn 1] …` or `[Turns 2-5] …`, and a line of insights if there are any.
    pub(super) fn text(&self) -> String {
        let mut text = match self.first_turn == self.last_turn {
            true => format!("[Turn {}]", self.first_turn),
            false => format!("[Turns {}-{}]", self.first_turn, self.last_turn),
        };
        if !self.summary.is_empty() {
            text += " ";
            text += &self.summary;
        }
        if !self.insights.is_empty() {
            text += INSIGHTS;
            text += &self.insights;
        }
        text
    }
}

fn joined(insights: impl Iterator<Item = String>) -> String {
    let insights: Vec<String> = insights.filter(|insight| !insight.is_empty()).collect();
    insights.join(INSIGHT_SEPARATOR)
}
