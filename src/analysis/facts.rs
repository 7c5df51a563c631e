//! The facts of a session as a whole.

use turnkeeper_agents::sessions::{Record, Said, Speaker};

use super::prices::Prices;
use super::usage::UsageCount;
use super::words::first_words;

/// The facts of a session, of each of which a later one counts.
#[derive(Debug, Default)]
pub(crate) struct SessionFacts {
    pub(crate) working_directory: Option<String>,
    pub(crate) title: Option<String>,
    pub(crate) model: Option<String>,
    pub(crate) first_words: Option<String>,
    /// When the first of the records with a time was written, and the earliest and the latest time.
    pub(crate) began: Option<f64>,
    pub(crate) span: Option<(f64, f64)>,
}

impl SessionFacts {
    /// Takes what a record says. The model that is named first has given the answers before, too.
    pub(crate) fn take(&mut self, record: &Record, usage: &mut UsageCount, prices: &Prices) {
        let facts = &record.facts;
        let keep = |kept: &mut Option<String>, fact: &Option<std::borrow::Cow<str>>| {
            if let Some(fact) = fact
                && kept.as_deref() != Some(fact)
            {
                *kept = Some(fact.to_string());
            }
        };
        let is_named_first = self.model.is_none();
        keep(&mut self.title, &facts.title);
        keep(&mut self.model, &facts.model);
        keep(&mut self.working_directory, &facts.working_directory);
        if let Some(model) = self.model.as_deref().filter(|_| is_named_first) {
            usage.name_model(model, prices);
        }
        if let Some(time) = record.time {
            self.began.get_or_insert(time);
            let (first, last) = self.span.unwrap_or((time, time));
            self.span = Some((first.min(time), last.max(time)));
        }
    }

    /// Takes words that no event carries: the first of the user's make a title.
    pub(crate) fn hear(&mut self, said: &Said) {
        if said.kind == Speaker::User && self.first_words.is_none() {
            self.first_words = first_words(&said.text);
        }
    }
}
