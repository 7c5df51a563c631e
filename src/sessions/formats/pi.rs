//! Sessions of pi (`~/.pi/agent/sessions/--<folder>--/*.jsonl`), as `docs/session.md` of its package `coding-agent`
//! describes them, versions 1 to 3, and the output of `pi --mode json`. Read are the header (`cwd`, and in version 1
//! `modelId`), of every entry `type`, `id`, `parentId` and `timestamp`, and of entries `message` (`role`, `content` with
//! `text`, `thinking` and `toolCall`, `model`, `usage`, `toolCallId`, `isError`), `model_change` (`modelId`), `compaction`,
//! `branch_summary`, `custom_message` (`content`) and `session_info` (`name`). Of the output's events it is `message_end`,
//! which has the whole message, and `compaction_end`; the others say the same in parts, or again.
//!
//! A session is copied with the ids and times of its entries, by which its copies are known.

use turnkeeper_base::json::Json;
use turnkeeper_messages::{Event, Part, is_hosts_answer, parts_of};

use crate::format::{Format, RecordReader};
use crate::items::{condensed, events, fact, host_said, item, model, plain, text_at, user_said};
use crate::key::Key;
use crate::record::{Facts, Record, Unreadable, Usage};
use crate::usage::{Written, amount, dollars, recorded};

/// Whether it is the first line of a session of pi.
pub(crate) fn is_pi_header(line: &Json) -> bool {
    let mut fields = ["id", "timestamp", "cwd"].iter();
    text_at(line, "type") == Some("session") && fields.all(|name| text_at(line, name).is_some())
}

/// Whether it is an entry of a session, as files begin with that are parts of one, or an event of pi's output.
pub(crate) fn is_pi_entry(line: &Json) -> bool {
    let has_role = line
        .get("message")
        .is_some_and(|it| text_at(it, "role").is_some());
    let is_entry = || {
        text_at(line, "id").is_some()
            && text_at(line, "timestamp").is_some()
            && matches!(line.get("parentId"), Some(Json::Null | Json::Text(_)))
    };
    match text_at(line, "type").unwrap_or_default() {
        "message_start" | "message_end" => has_role,
        "message" => has_role && is_entry(),
        "custom" | "custom_message" => text_at(line, "customType").is_some() && is_entry(),
        "model_change" => text_at(line, "modelId").is_some() && is_entry(),
        "thinking_level_change" => text_at(line, "thinkingLevel").is_some() && is_entry(),
        "compaction" | "branch_summary" => text_at(line, "summary").is_some() && is_entry(),
        _ => false,
    }
}

/// Reads a session of pi. Its entries are a tree in the order in which they were written; when the user went back to an
/// earlier one, what came after that stays, and a condensation marks the place, since the model no longer sees it.
#[derive(Default)]
pub(crate) struct PiReader {
    last: Option<String>,
}

impl PiReader {
    /// Whether the entry does not go on from the one before it. The first versions have no tree.
    fn went_back(&mut self, entry: &Json) -> bool {
        let Some(parent) = entry.get("parentId") else {
            return false;
        };
        let is_elsewhere = |last: &str| parent.as_text() != Some(last);
        let went_back = self.last.as_deref().is_some_and(is_elsewhere);
        if let Some(id) = text_at(entry, "id") {
            self.last = Some(id.to_owned());
        }
        went_back
    }
}

impl RecordReader for PiReader {
    fn format(&self) -> Format {
        Format::Pi
    }

    fn read<'a>(&mut self, entry: &'a Json<'a>, _place: u32) -> Result<Record<'a>, Unreadable> {
        let Some(kind) = text_at(entry, "type") else {
            return Err(Unreadable::new("is no entry of a session: no type"));
        };
        let went_back = self.went_back(entry);
        let mut record = entry_record(kind, entry)?;
        let is_marked = record
            .items
            .first()
            .is_some_and(|it| it.event == Event::Condensation);
        if went_back && !is_marked {
            record.items.insert(0, condensed());
        }
        record.key = key_of(entry);
        Ok(record)
    }

    fn usage(&mut self, entry: &Json) -> Vec<Usage> {
        let is_message = matches!(text_at(entry, "type"), Some("message" | "message_end"));
        let message = entry.get("message").filter(|_| is_message);
        let message = message.filter(|it| text_at(it, "role") == Some("assistant"));
        let Some((message, usage)) = message.and_then(|it| Some((it, it.get("usage")?))) else {
            return Vec::new();
        };
        let time = text_at(entry, "timestamp").unwrap_or_default();
        recorded(Written {
            id: text_at(entry, "id").map(|id| format!("{id} {time}").into()),
            model: fact(message.get("model")),
            dollars: dollars(usage.get("cost").and_then(|cost| cost.get("total"))),
            input: amount(usage.get("input")),
            cache_read: amount(usage.get("cacheRead")),
            cache_write: amount(usage.get("cacheWrite")),
            output: amount(usage.get("output")),
            ..Written::default()
        })
    }
}

/// Ids are unique in a session alone. The first versions have none, but times.
fn key_of(entry: &Json) -> Option<u64> {
    let time = text_at(entry, "timestamp")?;
    let key = Key::of(Format::Pi).and(time);
    match text_at(entry, "id") {
        Some(id) => key.and(id).made(),
        None => key.and_value(entry).made(),
    }
}

fn entry_record<'a>(kind: &str, entry: &'a Json<'a>) -> Result<Record<'a>, Unreadable> {
    const NONE: &Json = &Json::Null;
    let mut record = Record::default();
    match kind {
        "session" => {
            record.facts = model(entry.get("modelId"));
            record.facts.working_directory = fact(entry.get("cwd"));
        }
        "message" | "message_end" => return message_record(entry.get("message").unwrap_or(NONE)),
        "model_change" => record.facts = model(entry.get("modelId")),
        "session_info" => {
            record.facts = Facts {
                title: fact(entry.get("name")),
                ..Facts::default()
            };
        }
        "compaction" | "branch_summary" => {
            let summary = text_at(entry, "summary").unwrap_or_default();
            record.items = vec![condensed(), host_said(summary)];
        }
        "compaction_end" if entry.get("result").is_some() => record.items.push(condensed()),
        "custom_message" => record.items.push(host_said(plain(entry.get("content")))),
        // Labels, levels of thinking, what extensions keep for themselves, and the rest of the output.
        _ => {}
    }
    Ok(record)
}

fn message_record<'a>(message: &'a Json<'a>) -> Result<Record<'a>, Unreadable> {
    let mut record = Record::default();
    let content = || plain(message.get("content"));
    record.items = match text_at(message, "role") {
        Some("user") => vec![user_said(content())],
        // A request that failed, and the copy of what a host has delivered.
        Some("assistant") if is_hosts_answer(message) => vec![host_said(content())],
        Some("assistant") => {
            record.facts = model(message.get("model"));
            let started = std::iter::once(Part::Event(Event::TurnStarted));
            events(started.chain(parts_of(message)))?
        }
        Some("toolResult") => events(parts_of(message))?,
        // The user ran it, not the model.
        Some("bashExecution") => {
            let (command, output) = (plain(message.get("command")), plain(message.get("output")));
            vec![host_said(format!("$ {command}\n{output}"))]
        }
        Some("custom" | "hookMessage") => vec![host_said(content())],
        Some("branchSummary" | "compactionSummary") => {
            vec![host_said(plain(message.get("summary")))]
        }
        // Extensions have roles of their own.
        Some(_) => vec![item(Event::Other)],
        None => return Err(Unreadable::new("has a message without a role")),
    };
    Ok(record)
}
