//! Sessions of Kimi CLI (`~/.kimi/sessions/<md5 of the folder>/<session>/`). Of the two files of each, `wire.jsonl` says
//! what happened, a message of its wire protocol a line: `timestamp` and `message` with `type` and `payload`. Read are
//! `TurnBegin` and `SteerInput` (`user_input`), `StepBegin`, `ContentPart` (`type`, `text`, `think`), `ToolCall` (`id`,
//! `function`), `ToolCallPart` (`arguments_part`), `ToolResult` (`tool_call_id`, `return_value` with `is_error` and `output`),
//! `StatusUpdate` (`token_usage`, `message_id`) and `CompactionBegin`. The events of subagents (`SubagentEvent`) are left
//! out, and what they used is counted. The other, `context.jsonl`, has what is sent: messages as OpenAI's are, whose
//! thinking is a part of the content, and between them lines with a role that begins with `_`.

use std::borrow::Cow;

use turnkeeper_base::json::Json;
use turnkeeper_messages::{Event, answered};

use super::code::{self, is_kimi_code_record, part};
use crate::formats::messages::MessageReader;
use crate::sessions::format::{Format, RecordReader};
use crate::sessions::given::{is_true_at, text_at};
use crate::sessions::items::{condensed, fact, host_said, item, nameless_call, plain, user_said};
use crate::sessions::key::Key;
use crate::sessions::record::{Item, Record, Unreadable, Usage};
use crate::sessions::usage::{named, recorded, tokens};

const TYPES: &[&str] = &[
    "TurnBegin", "SteerInput", "TurnEnd", "StepBegin", "StepInterrupted", "ContentPart",
    "ToolCall", "ToolCallPart", "ToolResult", "StatusUpdate", "SubagentEvent", "CompactionBegin",
    "CompactionEnd", "ApprovalRequest", "ApprovalResponse",
];

/// True for a line of a session of Kimi CLI, in either of its files, or of Kimi Code, which came after it.
pub(crate) fn is_kimi_line(line: &Json) -> bool {
    let kind = text_at(line, &["message", "type"]);
    let is_wires = matches!(line.get("timestamp"), Some(Json::Number(_)))
        && kind.is_some_and(|kind| TYPES.contains(&kind));
    is_wires || is_mark(line) || is_kimi_code_record(line)
}

/// Whether a line of a context is none of its messages.
pub(crate) fn is_mark(line: &Json) -> bool {
    matches!(
        text_at(line, &["role"]),
        Some("_system_prompt" | "_checkpoint" | "_usage")
    )
}

/// A call whose arguments are still to come.
struct Begun {
    id: Option<Json<'static>>,
    name: Option<String>,
    args: String,
    place: u32,
}

/// Reads a session of Kimi CLI. The arguments of a call come in parts; it is given out when they are whole.
pub(crate) struct KimiReader {
    begun: Option<Begun>,
    messages: MessageReader,
}

impl KimiReader {
    /// A reader of a file.
    pub(crate) fn new() -> Self {
        Self {
            begun: None,
            messages: MessageReader::new(Some(Format::OpenAi)),
        }
    }

    fn call<'a>(&mut self) -> Result<Vec<Item<'a>>, Unreadable> {
        let Some(Begun { id, name, args, .. }) = self.begun.take() else {
            return Ok(Vec::new());
        };
        let id = match id {
            Some(Json::Text(id)) if !id.is_empty() => Some(id),
            _ => None,
        };
        let name: Cow<str> = name.ok_or_else(nameless_call)?.into();
        let args = Some(Cow::Owned(args.into()));
        Ok(vec![item(Event::ToolCall {
            key: None,
            id,
            name,
            args,
        })])
    }

    /// A line of the context.
    fn context<'a>(&mut self, line: &'a Json<'a>) -> Result<Record<'a>, Unreadable> {
        let mut record = Record::default();
        if is_mark(line) {
            if text_at(line, &["role"]) == Some("_system_prompt") {
                record.items.push(host_said(plain(line.get("content"))));
            }
            return Ok(record);
        }
        record.items = self.messages.message(line, true)?;
        if text_at(line, &["role"]) == Some("assistant") {
            let content = line.get("content").map_or(&[][..], Json::items).iter();
            let thoughts = content.filter_map(|part| fact(part.get("think")));
            let thoughts = thoughts.map(|text| item(Event::Reasoning { text }));
            let at = record.items.len().min(1);
            record.items.splice(at..at, thoughts);
        }
        record.original = Some(line);
        let content = line.get("content");
        let has_content = matches!(content, Some(Json::Text(_) | Json::List(_)));
        record.path = has_content.then_some(&["content"]);
        Ok(record)
    }
}

impl RecordReader for KimiReader {
    fn format(&self) -> Format {
        Format::Kimi
    }

    fn read<'a>(&mut self, line: &'a Json<'a>, place: u32) -> Result<Record<'a>, Unreadable> {
        const NONE: &Json = &Json::Null;
        if is_kimi_code_record(line) {
            return code::record_of(line);
        }
        let message = line.get("message").unwrap_or(NONE);
        let told = message.get("payload").unwrap_or(NONE);
        let kind = text_at(message, &["type"]);
        if kind == Some("ToolCallPart") {
            if let (Some(begun), Some(part)) = (&mut self.begun, text_at(told, &["arguments_part"]))
            {
                begun.args.push_str(part);
            }
            return Ok(Record::default());
        }
        if kind.is_none() && text_at(line, &["role"]).is_some() {
            return self.context(line);
        }
        if message.get("type").is_none() && line.get("type").is_none() {
            return Err(Unreadable::new("has no message"));
        }
        let mut items: Vec<Item> = self.call()?;
        match kind.unwrap_or_default() {
            "ToolCall" => {
                let function = told.get("function").unwrap_or(NONE);
                self.begun = Some(Begun {
                    id: told.get("id").map(|id| id.clone().into_owned()),
                    name: text_at(function, &["name"]).map(str::to_owned),
                    args: text_at(function, &["arguments"])
                        .unwrap_or_default()
                        .to_owned(),
                    place,
                });
            }
            kind => items.append(&mut told_items(kind, told)?),
        }
        let time = line.get("timestamp");
        Ok(Record {
            items,
            left_out: kind == Some("SubagentEvent"),
            key: time.and_then(|time| {
                let key = Key::of(Format::Kimi).and_value(time);
                key.and_value(message).made()
            }),
            ..Record::default()
        })
    }

    /// The tokens of a request. Those of subagents of older versions stand inside the parent's lines.
    fn usage(&mut self, line: &Json) -> Vec<Usage> {
        if text_at(line, &["type"]) == Some("usage.record") {
            return code::usage_of(line);
        }
        let mut message = line.get("message");
        while let Some(told) = message {
            let payload = told.get("payload");
            match text_at(told, &["type"]) {
                Some("SubagentEvent") => message = payload.and_then(|it| it.get("event")),
                Some("StatusUpdate") => return payload.map(usage_of).unwrap_or_default(),
                _ => break,
            }
        }
        Vec::new()
    }

    fn end(&mut self) -> Result<Option<Record<'static>>, Unreadable> {
        let place = self.begun.as_ref().map(|begun| begun.place);
        let items = self.call()?;
        Ok(place.map(|place| Record {
            place,
            items,
            ..Record::default()
        }))
    }
}

fn told_items<'a>(kind: &str, told: &'a Json<'a>) -> Result<Vec<Item<'a>>, Unreadable> {
    Ok(match kind {
        "TurnBegin" | "SteerInput" => vec![user_said(plain(told.get("user_input")))],
        "StepBegin" => vec![item(Event::TurnStarted)],
        "ContentPart" => part(told).into_iter().collect(),
        "ToolResult" => vec![item(result_of(told))],
        "CompactionBegin" => vec![condensed()],
        _ => Vec::new(),
    })
}

fn result_of<'a>(told: &'a Json<'a>) -> Event<'a> {
    const NONE: &Json = &Json::Null;
    let is_there = |it: &&Json| !matches!(it, Json::Null);
    let value = told.get("return_value").filter(is_there);
    let value = value.or_else(|| told.get("result")).unwrap_or(NONE);
    let output = value.get("output").filter(|it| !plain(Some(it)).is_empty());
    let output = output.or_else(|| value.get("message"));
    answered(
        told.get("tool_call_id"),
        output,
        is_true_at(value, &["is_error"]),
    )
}

fn usage_of(payload: &Json) -> Vec<Usage> {
    let Some(told) = payload.get("token_usage") else {
        return Vec::new();
    };
    let names = [
        "input_other",
        "input_cache_read",
        "input_cache_creation",
        "output",
    ];
    recorded(Usage {
        id: named(payload.get("message_id")),
        ..tokens(told, names)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::testing::{Told, told};

    fn wire(messages: &[(&str, &str)]) -> Told {
        let line = |(at, (kind, payload)): (usize, &(&str, &str))| {
            format!(r#"{{"timestamp":{at}.5,"message":{{"type":"{kind}","payload":{payload}}}}}"#)
        };
        let lines: Vec<String> = messages.iter().enumerate().map(line).collect();
        told(&mut KimiReader::new(), &lines)
    }

    const CALL: (&str, &str) = (
        "ToolCall",
        r#"{"id":"k","function":{"name":"Shell","arguments":"{\"command\":"}}"#,
    );

    #[test]
    fn a_call_is_given_out_when_it_is_whole() {
        let told = wire(&[
            (
                "TurnBegin",
                r#"{"user_input":[{"type":"text","text":"Go."}]}"#,
            ),
            ("StepBegin", r#"{"n":1}"#),
            ("ContentPart", r#"{"type":"think","think":"Hm."}"#),
            ("ContentPart", r#"{"type":"text","text":""}"#),
            CALL,
            ("ToolCallPart", r#"{"arguments_part":"\"ls\"}"}"#),
            (
                "ToolResult",
                r#"{"tool_call_id":"k","return_value":{"is_error":true,"output":"","message":"none"}}"#,
            ),
            ("SteerInput", r#"{"user_input":"Wait."}"#),
            ("CompactionBegin", "{}"),
            CALL,
        ]);
        let expected = [
            "1 user_message",
            "2 turn_started",
            "3 reasoning Hm.",
            r#"7 tool_call #k Shell {"command":"ls"}"#,
            "7 tool_result #k error none",
            "8 user_message",
            "9 condensation",
            r#"10 tool_call #k Shell {"command":"#,
        ];
        assert_eq!(told.events, expected);
        assert_eq!(told.said, ["Go.", "Wait."]);
    }

    #[test]
    fn subagents_are_left_out_and_counted() {
        let status = |id: &str| {
            let tokens =
                r#"{"input_other":1,"input_cache_read":2,"input_cache_creation":3,"output":4}"#;
            format!(r#"{{"token_usage":{tokens},"message_id":"{id}"}}"#)
        };
        let inner = format!(
            r#"{{"event":{{"type":"StatusUpdate","payload":{}}}}}"#,
            status("s1")
        );
        let told = wire(&[
            ("StatusUpdate", &status("m1")),
            ("SubagentEvent", &inner),
            ("SubagentEvent", r#"{"event":{"type":"StepBegin"}}"#),
            ("StatusUpdate", r#"{"token_usage":null}"#),
        ]);
        assert_eq!(told.left_out, [2, 3]);
        assert_eq!(told.tokens(), [[1.0, 2.0, 3.0, 4.0]; 2]);
        assert_eq!(told.usage[1].id.as_deref(), Some("s1"));
    }

    #[test]
    fn what_was_copied_has_the_same_key() {
        let begin = ("TurnBegin", r#"{"user_input":"Go."}"#);
        let (one, two) = (wire(&[begin, begin]), wire(&[begin]));
        assert_eq!(one.keys[0], two.keys[0]);
        assert_eq!(one.different(), 2);
    }

    #[test]
    fn a_context_is_read_as_messages() {
        let told = told(
            &mut KimiReader::new(),
            &[
                r#"{"role":"_system_prompt","content":"You are an agent."}"#,
                r#"{"role":"_checkpoint","id":0}"#,
                r#"{"role":"user","content":"Go."}"#,
                r#"{"role":"assistant","content":[{"type":"think","think":"Hm."},{"type":"text","text":"I look."}],
                    "tool_calls":[{"id":"k1","type":"function","function":{"name":"Shell","arguments":"{}"}}]}"#,
                r#"{"role":"_usage","token_count":120}"#,
                r#"{"role":"tool","tool_call_id":"k1","content":"a"}"#,
                r#"{"timestamp":1}"#,
            ],
        );
        let expected = [
            "1 other",
            "3 user_message",
            "4 turn_started",
            "4 reasoning Hm.",
            "4 text I look.",
            "4 tool_call #k1 Shell {}",
            "6 tool_result #k1 a",
        ];
        assert_eq!(told.events, expected);
        assert_eq!(told.problems, ["7 has no message"]);
        assert!(told.usage.is_empty());
    }
}
