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

use crate::sessions::format::{Format, RecordReader};
use crate::sessions::given::text_at;
use crate::sessions::items::{condensed, events, fact, host_said, item, model, plain, user_said};
use crate::sessions::key::Key;
use crate::sessions::record::{Facts, Record, Unreadable, Usage};
use crate::sessions::usage::{dollars, named, recorded, tokens};

/// Whether it is the first line of a session of pi.
pub(crate) fn is_pi_header(line: &Json) -> bool {
    let mut fields = ["id", "timestamp", "cwd"].iter();
    text_at(line, &["type"]) == Some("session")
        && fields.all(|name| text_at(line, &[name]).is_some())
}

/// Whether it is an entry of a session, as files begin with that are parts of one, or an event of pi's output.
pub(crate) fn is_pi_entry(line: &Json) -> bool {
    let has_role = line
        .get("message")
        .is_some_and(|it| text_at(it, &["role"]).is_some());
    // The first versions have neither ids nor a tree.
    let is_entry = || {
        let is_placed = matches!(
            (line.get("id"), line.get("parentId")),
            (Some(Json::Text(_)), Some(Json::Null | Json::Text(_))) | (None, None)
        );
        is_placed && text_at(line, &["timestamp"]).is_some()
    };
    match text_at(line, &["type"]).unwrap_or_default() {
        "message_start" | "message_end" => has_role,
        "message" => has_role && is_entry(),
        "custom" | "custom_message" => text_at(line, &["customType"]).is_some() && is_entry(),
        "model_change" => text_at(line, &["modelId"]).is_some() && is_entry(),
        "thinking_level_change" => text_at(line, &["thinkingLevel"]).is_some() && is_entry(),
        "compaction" | "branch_summary" => text_at(line, &["summary"]).is_some() && is_entry(),
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
        if let Some(id) = text_at(entry, &["id"]) {
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
        let Some(kind) = text_at(entry, &["type"]) else {
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
        let is_message = matches!(text_at(entry, &["type"]), Some("message" | "message_end"));
        let message = entry.get("message").filter(|_| is_message);
        let message = message.filter(|it| text_at(it, &["role"]) == Some("assistant"));
        let Some((message, usage)) = message.and_then(|it| Some((it, it.get("usage")?))) else {
            return Vec::new();
        };
        let time = text_at(entry, &["timestamp"]).unwrap_or_default();
        let cost = dollars(usage.get("cost").and_then(|cost| cost.get("total")));
        // A host writes 0 beside its own words: nothing was asked.
        let is_free = cost == Some(0.0) && is_hosts_answer(message);
        recorded(Usage {
            id: text_at(entry, &["id"]).map(|id| format!("{id} {time}")),
            model: named(message.get("model")),
            provider: named(message.get("provider")),
            dollars: cost.filter(|_| !is_free),
            ..tokens(usage, ["input", "cacheRead", "cacheWrite", "output"])
        })
    }
}

/// Ids are unique in a session alone. The first versions have none, but times.
fn key_of(entry: &Json) -> Option<u64> {
    let time = text_at(entry, &["timestamp"])?;
    let key = Key::of(Format::Pi).and(time);
    match text_at(entry, &["id"]) {
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
            let summary = text_at(entry, &["summary"]).unwrap_or_default();
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
    record.items = match text_at(message, &["role"]) {
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

#[cfg(test)]
mod tests {
    use turnkeeper_base::json::parse;

    use super::*;
    use crate::formats::testing::{Told, told};

    const USER: &str = r#"{"role":"user","content":"Go."}"#;
    const RESULT: &str = r#"{"role":"toolResult","toolCallId":"k1","content":[{"type":"text","text":"x"}],"isError":false}"#;

    fn says(content: &str, more: &str) -> String {
        format!(
            r#"{{"role":"assistant","content":[{content}],"model":"m"{more},"usage":{{"input":10,"output":2,"cacheRead":3,"cost":{{"total":0.5}}}}}}"#
        )
    }

    fn calls() -> String {
        says(
            r#"{"type":"toolCall","id":"k1","name":"read","arguments":{}}"#,
            "",
        )
    }

    /// Entries, each going on from the one before it.
    fn entries(messages: &[&str]) -> Vec<String> {
        let entry = |(at, message): (usize, &&str)| {
            let parent = at
                .checked_sub(1)
                .map_or("null".to_owned(), |at| format!(r#""e{at}""#));
            format!(
                r#"{{"type":"message","id":"e{at}","parentId":{parent},"timestamp":"2026-01-01T09:00:0{at}Z","message":{message}}}"#
            )
        };
        messages.iter().enumerate().map(entry).collect()
    }

    fn session(lines: &[String]) -> Told {
        told(&mut PiReader::default(), lines)
    }

    #[test]
    fn an_output_says_the_same_as_a_session() {
        let messages = [USER, &calls(), RESULT];
        let saved = session(&entries(&messages));
        assert_eq!(
            saved.events,
            [
                "1 user_message",
                "2 turn_started",
                "2 tool_call #k1 read {}",
                "3 tool_result #k1 x"
            ]
        );
        assert_eq!(
            saved.usage[0].id.as_deref(),
            Some("e1 2026-01-01T09:00:01Z")
        );
        let mut lines = vec![r#"{"type":"agent_start"}"#.to_owned()];
        for message in messages {
            lines.push(format!(r#"{{"type":"message_start","message":{message}}}"#));
            lines.push(format!(
                r#"{{"type":"message_update","message":{message}}}"#
            ));
            lines.push(format!(r#"{{"type":"message_end","message":{message}}}"#));
        }
        lines.push(
            r#"{"type":"tool_execution_end","toolCallId":"k1","result":{"content":[]}}"#.to_owned(),
        );
        lines.push(format!(
            r#"{{"type":"turn_end","message":{},"toolResults":[{RESULT}]}}"#,
            calls()
        ));
        lines.push(format!(
            r#"{{"type":"agent_end","messages":[{}]}}"#,
            messages.join(",")
        ));
        let output = session(&lines);
        let events = |told: &Told| -> Vec<String> {
            let words = told
                .events
                .iter()
                .map(|it| it.split_once(' ').expect("a line").1.to_owned());
            words.collect()
        };
        assert_eq!(events(&output), events(&saved));
        assert_eq!(
            (output.tokens(), output.tokens()),
            (saved.tokens(), vec![[10.0, 3.0, 0.0, 2.0]])
        );
    }

    #[test]
    fn what_a_host_wrote_is_no_request() {
        let failed = r#"{"role":"assistant","content":[{"type":"text","text":"[assistant turn failed before producing content]"}],"model":"m","stopReason":"error","usage":{"input":0,"output":0}}"#;
        let mirror = r#"{"role":"assistant","content":[{"type":"text","text":"Report."}],"model":"delivery-mirror","usage":{"input":0,"output":0,"cost":{"total":0}}}"#;
        let told = session(&entries(&[
            USER,
            failed,
            mirror,
            &says(r#"{"type":"text","text":"Well."}"#, ""),
        ]));
        assert_eq!(
            told.events,
            [
                "1 user_message", "2 other", "3 other", "4 turn_started", "4 text Well."
            ]
        );
        assert_eq!((told.usage.len(), told.model.as_deref()), (1, Some("m")));
    }

    #[test]
    fn going_back_is_a_condensation() {
        let mut lines = entries(&[USER, USER, USER]);
        lines[2] = lines[2].replace(r#""e1""#, r#""e0""#);
        lines.push(
            r#"{"type":"branch_summary","id":"e9","parentId":"e0","summary":"So far."}"#.to_owned(),
        );
        let told = session(&lines);
        assert_eq!(
            told.events,
            [
                "1 user_message", "2 user_message", "3 condensation", "3 user_message",
                "4 condensation", "4 other"
            ]
        );
    }

    #[test]
    fn copies_have_the_same_keys() {
        let lines = entries(&[USER, RESULT]);
        let first = lines[0].replace(r#""id":"e0","parentId":null,"#, "");
        assert_eq!(session(&lines).keys, session(&lines).keys);
        assert_eq!(
            session(&[lines[0].clone(), lines[1].clone(), first]).different(),
            3
        );
    }

    #[test]
    fn the_other_roles_are_read_and_none_is_told_of() {
        let told = session(&entries(&[
            r#"{"role":"bashExecution","command":"ls","output":"x"}"#,
            r#"{"role":"custom","content":"a"}"#,
            r#"{"role":"compactionSummary","summary":"b"}"#,
            r#"{"role":"mine"}"#,
            "{}",
        ]));
        assert_eq!(told.events, ["1 other", "2 other", "3 other", "4 other"]);
        assert_eq!(told.said, ["$ ls\nx", "a", "b"]);
        assert_eq!(told.problems, ["5 has a message without a role"]);
    }

    #[test]
    fn entries_are_known_without_the_header() {
        let entry = entries(&[USER]).remove(0);
        for (line, is_entry) in [
            (entry.as_str(), true),
            (
                r#"{"type":"custom","customType":"x","id":"a","parentId":null,"timestamp":"t"}"#,
                true,
            ),
            (
                r#"{"type":"message_end","message":{"role":"user","content":"Go."}}"#,
                true,
            ),
            (r#"{"type":"message","n":1}"#, false),
            (
                r#"{"type":"message","message":{"role":"user"},"timestamp":"t"}"#,
                true,
            ),
            (
                r#"{"type":"message","message":{"role":"user"},"id":"a","timestamp":"t"}"#,
                false,
            ),
            (
                r#"{"type":"user.message","id":"a","parentId":null,"timestamp":"t","data":{}}"#,
                false,
            ),
        ] {
            let mut room = Vec::new();
            let value = parse(line.as_bytes(), &mut room).expect("JSON");
            assert_eq!(is_pi_entry(&value), is_entry, "{line}");
        }
    }
}
