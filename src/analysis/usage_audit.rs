//! Looks at a session for its usage alone, and finds what the whole audit does.

use turnkeeper_agents::sessions::{Format, Record};
use turnkeeper_messages::Event;

use super::audited::AuditedSession;
use super::facts::SessionFacts;
use super::requests::Estimate;
use super::session::{Audit, AuditSettings};
use super::usage::{Given, UsageCount};

/// Looks at a session for its usage, record by record. It judges nothing, and needs no texts: they may be
/// [passed over](turnkeeper_agents::sessions::SessionReader::for_usage).
#[derive(Debug)]
pub struct UsageAudit<'s> {
    settings: &'s AuditSettings,
    file: String,
    facts: SessionFacts,
    usage: UsageCount,
    has_events: bool,
    /// Whether an answer is known by the record that it stands in, and not by an id of its own.
    is_known_by_record: bool,
}

impl<'s> UsageAudit<'s> {
    /// Begins with the session in `file`.
    pub fn new(file: &str, settings: &'s AuditSettings) -> Self {
        Self {
            settings,
            file: file.to_owned(),
            facts: SessionFacts::default(),
            usage: UsageCount::default(),
            has_events: false,
            is_known_by_record: false,
        }
    }
}

impl Audit for UsageAudit<'_> {
    fn take(&mut self, record: &Record) {
        let prices = &self.settings.prices;
        self.facts.take(record, &mut self.usage, prices);
        if !record.is_again {
            for item in &record.items {
                self.has_events |= !matches!(item.event, Event::PromptStarted { .. });
                item.said.iter().for_each(|said| self.facts.hear(said));
            }
        }
        for usage in &record.usage {
            self.is_known_by_record |= usage.id.is_none() && record.key.is_some();
            let given = Given {
                usage,
                model: self.facts.model.as_deref(),
                assumed_model: self.settings.model.as_deref(),
                mark: None,
                time: record.time,
                since: Estimate::default(),
            };
            self.usage.take(given, prices);
        }
    }

    /// Only the whole audit can tell where there are no events, nothing is recorded or a part of it, or a sum of which
    /// the texts tell how many requests it is of.
    fn end(self, format: Option<Format>) -> Option<AuditedSession> {
        let answers = &self.usage.answers;
        let needs_texts = answers.iter().any(|it| it.needs_texts()) || answers.is_empty();
        if !self.has_events || self.is_known_by_record || needs_texts {
            return None;
        }
        let Self {
            settings,
            file,
            facts,
            usage,
            ..
        } = self;
        let mut session = AuditedSession::of_usage(file, facts, usage, settings, format?);
        session.count(&|_| true, &|_| true);
        Some(session)
    }
}
