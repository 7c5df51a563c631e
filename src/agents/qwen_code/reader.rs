//! Sessions of Qwen Code (`~/.qwen/projects/<folder>/chats/*.jsonl`), a record a line. Read are `uuid`, `sessionId`, `type`,
//! `cwd`, `model`, `message` (Gemini's, with `role` and `parts`), `usageMetadata`, and of `system` records `subtype`
//! (`chat_compression`, `custom_title`) and `systemPayload.customTitle`. A branch copies records with their `uuid`;
//! `ui_telemetry` records say again what the others do. The sessions of 2025 are gemini-cli's.

use turnkeeper_base::json::Json;
use turnkeeper_messages::{Event, Part, is_blank, is_hosts_answer, parts_of, prompt_start_in};

use crate::sessions::format::{Format, RecordReader};
use crate::sessions::given::text_at;
use crate::sessions::items::{
    condensed, events, fact, host_said, item, plain, said_in_users_name, user_said,
};
use crate::sessions::key::Key;
use crate::sessions::record::{Facts, Item, Record, Unreadable, Usage};
use crate::sessions::usage::{
    NO_FIELD, amount, inclusive, named, recorded, tier_of, tokens, written_by_model,
};

/// Whether it is a record of Qwen Code. Claude Code's lines have `content` in the place of `parts`.
pub(crate) fn is_qwen_record(line: &Json) -> bool {
    let is_known = match text_at(line, &["type"]).unwrap_or_default() {
        "system" => text_at(line, &["subtype"]).is_some() && line.get("systemPayload").is_some(),
        "user" | "assistant" | "tool_result" => message_of(line).is_some(),
        _ => false,
    };
    is_known && text_at(line, &["uuid"]).is_some() && text_at(line, &["sessionId"]).is_some()
}

/// The message of a record, if it has parts.
fn message_of<'a>(line: &'a Json<'a>) -> Option<&'a Json<'a>> {
    let message = line.get("message");
    message.filter(|message| matches!(message.get("parts"), Some(Json::List(_))))
}

/// Reads a session.
pub(crate) struct QwenCodeReader;

impl RecordReader for QwenCodeReader {
    fn format(&self) -> Format {
        Format::QwenCode
    }

    fn read<'a>(&mut self, line: &'a Json<'a>, _place: u32) -> Result<Record<'a>, Unreadable> {
        let Some(kind) = text_at(line, &["type"]) else {
            return Err(Unreadable::new("is no record of a session: no type"));
        };
        let id = text_at(line, &["uuid"]);
        let mut record = Record {
            facts: Facts {
                working_directory: fact(line.get("cwd")),
                model: fact(line.get("model")),
                title: None,
            },
            key: id.and_then(|id| Key::of(Format::QwenCode).and(id).made()),
            ..Record::default()
        };
        if kind == "system" {
            match text_at(line, &["subtype"]) {
                Some("custom_title") => {
                    let payload = line.get("systemPayload");
                    record.facts.title = fact(payload.and_then(|it| it.get("customTitle")));
                }
                Some("chat_compression") => record.items.push(condensed()),
                _ => {}
            }
        } else if let Some(message) = message_of(line) {
            record.original = Some(message);
            record.holder = &["message"];
            record.path = Some(&["message", "parts"]);
            // The role is the record's: results are told in the user's name.
            record.items = match kind {
                "assistant" => answer(message)?,
                _ => told(message),
            };
        }
        Ok(record)
    }

    fn usage(&mut self, line: &Json) -> Vec<Usage> {
        let usage = line.get("usageMetadata");
        let Some(usage) = usage.filter(|_| text_at(line, &["type"]) == Some("assistant")) else {
            return Vec::new();
        };
        let of = |name| amount(usage.get(name));
        let names = [
            "promptTokenCount",
            "cachedContentTokenCount",
            NO_FIELD,
            "candidatesTokenCount",
        ];
        let parts = tokens(usage, names);
        let (written, thinking) = (parts.output, of("thoughtsTokenCount"));
        // Without a total, as Qwen's own models count: what is not more than the rest is within it.
        let by_total = match of("totalTokenCount") {
            total if total > 0.0 => total - parts.input - of("toolUsePromptTokenCount"),
            _ if thinking <= written => written,
            _ => written + thinking,
        };
        recorded(Usage {
            output: written_by_model(written, thinking, by_total),
            tier: tier_of(usage, &["serviceTier", "trafficType"]),
            id: named(line.get("uuid")),
            model: named(line.get("model")),
            ..inclusive(parts)
        })
    }
}

fn answer<'a>(message: &'a Json<'a>) -> Result<Vec<Item<'a>>, Unreadable> {
    if is_hosts_answer(message) {
        return Ok(vec![host_said(plain(message.get("parts")))]);
    }
    let started = std::iter::once(Part::Event(Event::TurnStarted));
    events(started.chain(parts_of(message)))
}

/// The results and the words of a message in the user's name.
fn told<'a>(message: &'a Json<'a>) -> Vec<Item<'a>> {
    let mut items = Vec::new();
    let mut words = Vec::new();
    for part in parts_of(message) {
        match part {
            Part::Event(Event::Text { text }) if !is_blank(&text) => words.push(text),
            Part::Event(event @ Event::ToolResult { .. }) => items.push(item(event)),
            _ => {}
        }
    }
    if !words.is_empty() {
        let said = words.join("\n");
        let is_users = |role: &Json| role.as_text() == Some("user");
        items.push(match message.get("role").is_none_or(is_users) {
            true => said_in_users_name(prompt_start_in(message), said),
            false if items.is_empty() => user_said(said),
            false => host_said(said),
        });
    }
    items
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::testing::told;

    #[test]
    fn thinking_is_within_the_rest_unless_the_total_says_otherwise() {
        for (written, thinking, total, expected) in [
            (120, 100, Some(1_120), 120.0),
            (120, 100, Some(1_220), 220.0),
            (20, 100, Some(1_120), 120.0),
            (120, 0, Some(1_120), 120.0),
            (120, 100, None, 120.0),
            (20, 100, None, 120.0),
        ] {
            let total = total
                .map(|it| format!(r#","totalTokenCount":{it}"#))
                .unwrap_or_default();
            let line = format!(
                r#"{{"uuid":"u","sessionId":"s","type":"assistant","message":{{"parts":[]}},"usageMetadata":{{"promptTokenCount":1000,
                "candidatesTokenCount":{written},"thoughtsTokenCount":{thinking}{total},"trafficType":"ON_DEMAND_PRIORITY"}}}}"#
            );
            let told = told(&mut QwenCodeReader, &[line]);
            assert_eq!(told.tokens(), [[1_000.0, 0.0, 0.0, expected]]);
            assert_eq!(told.usage[0].tier.as_deref(), Some("priority"));
        }
    }

    #[test]
    fn a_record_has_the_role_of_its_type() {
        let line = |uuid: &str, fields: &str| {
            format!(r#"{{"uuid":"{uuid}","sessionId":"s","cwd":"/w",{fields}}}"#)
        };
        let lines = [
            line(
                "1",
                r#""type":"user","message":{"role":"user","parts":[{"text":"Go."}]}"#,
            ),
            line(
                "2",
                r#""type":"assistant","model":"m","message":{"parts":[{"text":"Hm.","thought":true},{"functionCall":{"id":"c","name":"ls","args":{}}}]},
                "usageMetadata":{"promptTokenCount":10,"cachedContentTokenCount":4,"candidatesTokenCount":2,"thoughtsTokenCount":1,"totalTokenCount":13}"#,
            ),
            line(
                "3",
                r#""type":"tool_result","message":{"role":"user","parts":[{"functionResponse":{"id":"c","response":{"output":"x"}}},{"text":"And so on."}]}"#,
            ),
            line(
                "4",
                r#""type":"system","subtype":"custom_title","systemPayload":{"customTitle":"T"}"#,
            ),
            line(
                "5",
                r#""type":"system","subtype":"chat_compression","systemPayload":{}"#,
            ),
            line(
                "6",
                r#""type":"user","message":{"role":"user","parts":[{"text":"<system-reminder>x</system-reminder>"}]}"#,
            ),
            line("7", r#""type":"assistant","message":{}"#),
            line(
                "8",
                r#""type":"assistant","message":{"parts":[{"functionCall":{}}]}"#,
            ),
            "{}".to_owned(),
        ];
        let told = told(&mut QwenCodeReader, &lines);
        let expected = [
            "1 user_message",
            "2 turn_started",
            "2 reasoning Hm.",
            "2 tool_call #c ls {}",
            "3 tool_result #c x",
            "3 other",
            "5 condensation",
            "6 other",
        ];
        assert_eq!(told.events, expected);
        assert_eq!(
            told.problems,
            [
                "8 has a tool call without a name",
                "9 is no record of a session: no type"
            ]
        );
        assert_eq!(told.tokens(), [[6.0, 4.0, 0.0, 3.0]]);
        assert_eq!(
            (told.title.as_deref(), told.model.as_deref()),
            (Some("T"), Some("m"))
        );
        assert_eq!(told.different(), told.keys.len());
    }
}
