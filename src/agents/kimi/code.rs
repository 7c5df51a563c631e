//! Sessions of Kimi Code (`~/.kimi-code/sessions/<folder>/<session>/agents/<agent>/wire.jsonl`), a record a line, as
//! `AgentRecordEvents` in `packages/agent-core/src/agent/records/types.ts` declares them. Read are
//! `context.append_message` (`message` with `role`, `content`, `origin`), `context.append_loop_event` (`event`: `step.begin`,
//! `content.part`, `tool.call` and `tool.result`), `context.apply_compaction`, `context.clear` and `context.undo`, after which
//! it is gone on with from less, `usage.record` (`model`, `usage`), `config.update` (`cwd`, `modelAlias`) and `time`. A
//! `turn.prompt` is said again as a message. Each subagent has a file of its own.

use std::borrow::Cow;

use turnkeeper_base::json::Json;
use turnkeeper_messages::{Event, answered};

use crate::sessions::format::Format;
use crate::sessions::given::{called, is_true_at, text_at};
use crate::sessions::items::{condensed, fact, host_said, item, plain, user_said};
use crate::sessions::key::Key;
use crate::sessions::record::{Facts, Item, Record, Unreadable, Usage};
use crate::sessions::time::time;
use crate::sessions::usage::{named, recorded, tokens};

/// True for a record of Kimi Code.
pub(super) fn is_kimi_code_record(line: &Json) -> bool {
    match text_at(line, &["type"]).unwrap_or_default() {
        "context.append_message" => line.get("message").is_some(),
        "context.append_loop_event" => line.get("event").is_some(),
        "turn.prompt" => line.get("input").is_some(),
        "usage.record" => line.get("usage").is_some(),
        "context.apply_compaction" | "context.clear" | "context.undo" | "config.update" => true,
        _ => false,
    }
}

/// The contents of a record. A fork begins with the records of the other.
pub(super) fn record_of<'a>(line: &'a Json<'a>) -> Result<Record<'a>, Unreadable> {
    const NONE: &Json = &Json::Null;
    let field = |name| line.get(name).unwrap_or(NONE);
    let mut facts = Facts::default();
    let items = match text_at(line, &["type"]).unwrap_or_default() {
        "context.append_message" => message(field("message"))?,
        "context.append_loop_event" => event(field("event"))?,
        "context.apply_compaction" | "context.clear" | "context.undo" => vec![condensed()],
        "config.update" => {
            facts.model = fact(line.get("modelAlias"));
            facts.working_directory = fact(line.get("cwd"));
            Vec::new()
        }
        _ => Vec::new(),
    };
    let written = line.get("time");
    Ok(Record {
        items,
        facts,
        time: written.and_then(time),
        key: written.and_then(|_| Key::of(Format::Kimi).and_value(line).made()),
        ..Record::default()
    })
}

/// The tokens of a request, which stand in a record of their own.
pub(super) fn usage_of(line: &Json) -> Vec<Usage> {
    let Some(told) = line.get("usage") else {
        return Vec::new();
    };
    let names = [
        "inputOther", "inputCacheRead", "inputCacheCreation", "output",
    ];
    recorded(Usage {
        model: named(line.get("model")),
        ..tokens(told, names)
    })
}

/// A message that came at once: a person's, or one that the agent has put in.
fn message<'a>(message: &'a Json<'a>) -> Result<Vec<Item<'a>>, Unreadable> {
    let words = plain(message.get("content"));
    let origin = text_at(message, &["origin", "kind"]);
    Ok(match (text_at(message, &["role"]), origin) {
        (Some("user"), None | Some("user" | "skill_activation" | "plugin_command")) => {
            vec![user_said(words)]
        }
        (Some("assistant"), _) => {
            let mut items = vec![item(Event::TurnStarted)];
            let parts = message.get("content").map_or(&[][..], Json::items);
            items.extend(parts.iter().filter_map(part));
            for call in message.get("toolCalls").map_or(&[][..], Json::items) {
                let function = call.get("function").unwrap_or(call);
                let args = function.get("arguments").map(Cow::Borrowed);
                items.push(item(called(
                    call.get("id"),
                    text_at(function, &["name"]),
                    args,
                )?));
            }
            items
        }
        (Some("tool"), _) => {
            let is_error = is_true_at(message, &["isError"]);
            let content = message.get("content");
            vec![item(answered(message.get("toolCallId"), content, is_error))]
        }
        (Some(_), _) => vec![host_said(words)],
        (None, _) => return Err(Unreadable::new("has a message without a role")),
    })
}

fn event<'a>(event: &'a Json<'a>) -> Result<Vec<Item<'a>>, Unreadable> {
    Ok(match text_at(event, &["type"]).unwrap_or_default() {
        "step.begin" => vec![item(Event::TurnStarted)],
        "content.part" => event.get("part").and_then(part).into_iter().collect(),
        "tool.call" => {
            let args = event.get("args").map(Cow::Borrowed);
            vec![item(called(
                event.get("toolCallId"),
                text_at(event, &["name"]),
                args,
            )?)]
        }
        "tool.result" => {
            let result = event.get("result");
            let is_error = result.is_some_and(|it| is_true_at(it, &["isError"]));
            let output = result.and_then(|it| it.get("output"));
            vec![item(answered(event.get("toolCallId"), output, is_error))]
        }
        _ => Vec::new(),
    })
}

/// A part of an answer: a text, or a thought.
pub(super) fn part<'a>(part: &'a Json<'a>) -> Option<Item<'a>> {
    let is_thought = text_at(part, &["type"]) == Some("think");
    let text = fact(part.get(if is_thought { "think" } else { "text" }))?;
    Some(item(match is_thought {
        true => Event::Reasoning { text },
        false => Event::Text { text },
    }))
}

#[cfg(test)]
mod tests {
    use super::super::reader::KimiReader;
    use crate::formats::testing::{Told, told};

    const CALL: &str = r#"{"type":"context.append_loop_event","event":{"type":"tool.call","toolCallId":"c","name":"Bash","args":{"command":"ls"}},"time":1782968169003}"#;

    fn read(lines: &[&str]) -> Told {
        told(&mut KimiReader::new(), lines)
    }

    #[test]
    fn words_of_a_person_and_of_the_agent_are_told_apart_by_their_origin() {
        let told = read(&[
            r#"{"type":"turn.prompt","input":[{"type":"text","text":"Go."}],"origin":{"kind":"user"},"time":1}"#,
            r#"{"type":"context.append_message","message":{"role":"user","content":[{"type":"text","text":"Go."}],"origin":{"kind":"user"}},"time":1782968169000}"#,
            r#"{"type":"context.append_message","message":{"role":"user","content":[{"type":"text","text":"Plan."}],"origin":{"kind":"injection","variant":"plan"}}}"#,
            r#"{"type":"context.append_message","message":{"content":"x"}}"#,
        ]);
        assert_eq!(told.events, ["2 user_message", "3 other"]);
        assert_eq!(told.said, ["Go.", "Plan."]);
        assert_eq!(told.problems, ["4 has a message without a role"]);
    }

    #[test]
    fn what_is_copied_into_a_fork_was_done_once() {
        let told = read(&[CALL, CALL, &CALL.replace("9003", "9004")]);
        assert_eq!(told.keys[0], told.keys[1]);
        assert_eq!(told.different(), 2);
    }
}
