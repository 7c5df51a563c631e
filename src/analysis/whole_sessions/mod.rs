//! Whole sessions, from records to sums.

mod copies;
mod usage;

use std::borrow::Cow;

use turnkeeper_agents::sessions::{Format, Item, Record, Said, Speaker, Usage};
use turnkeeper_base::json::Json;
use turnkeeper_messages::Event;

use super::audited::AuditedSession;
use super::prices::Prices;
use super::profile::Profile;
use super::session::{Audit, AuditSettings, SessionAudit};
use super::sum::{Period, Summed, sum};

/// Noon of the first of September 2026, in milliseconds since 1970.
pub(crate) const NOON: f64 = 1_788_264_000_000.0;

/// A record with a key, a minute after another.
pub(crate) fn record(key: u64, minute: f64, items: Vec<Item<'static>>) -> Record<'static> {
    Record {
        place: 1,
        items,
        key: Some(key),
        time: Some(NOON + minute * 60_000.0),
        ..Record::default()
    }
}

pub(crate) fn item(event: Event<'static>) -> Item<'static> {
    Item { event, said: None }
}

/// Words of the user.
pub(crate) fn asks(text: &'static str) -> Item<'static> {
    let text = Cow::Borrowed(text);
    Item {
        event: Event::UserMessage {
            words: Some(text.clone()),
            is_report: false,
        },
        said: Some(Said {
            kind: Speaker::User,
            text,
        }),
    }
}

/// An answer that calls a tool.
pub(crate) fn calls(id: usize, path: &'static str) -> Vec<Item<'static>> {
    let call = Event::ToolCall {
        key: None,
        id: Some(id.to_string().into()),
        name: "read_file".into(),
        args: Some(Cow::Owned(Json::object([("path", path.into())]))),
    };
    vec![item(Event::TurnStarted), item(call)]
}

pub(crate) fn answers(id: usize, output: &'static str) -> Vec<Item<'static>> {
    vec![item(Event::ToolResult {
        id: Some(id.to_string().into()),
        output: output.into(),
        is_error: None,
        exit_code: None,
    })]
}

/// The usage of a model's answer.
pub(crate) fn used(id: &str, model: &str, input: f64, output: f64) -> Usage {
    Usage {
        id: Some(id.to_owned()),
        model: Some(model.to_owned()),
        input,
        output,
        ..Usage::default()
    }
}

pub(crate) fn with_usage(mut record: Record<'static>, usage: Usage) -> Record<'static> {
    record.usage.push(usage);
    record
}

pub(crate) fn audited(file: &str, records: &[Record]) -> AuditedSession {
    let settings = AuditSettings {
        rules: Profile::Adaptive.rules(),
        model: None,
        prices: Prices::listed(),
    };
    let mut audit = SessionAudit::new(file, &settings).expect("settings");
    for record in records {
        audit.take(record);
    }
    audit
        .end(Some(Format::ClaudeCode))
        .expect("something happened")
}

pub(crate) fn all(sessions: Vec<AuditedSession>) -> Summed {
    sum(sessions, Period::ALL)
}
