//! Message histories of pydantic-ai, as `ModelMessagesTypeAdapter` writes them: requests and responses, each with
//! `parts`.
//!
//! Read are `kind`, `model_name`, `timestamp`, `provider_response_id` (formerly `vendor_id`), `usage`, and of parts
//! `part_kind`, `content`, `tool_name`, `tool_call_id`, `args`, `outcome` and `timestamp`.

use std::borrow::Cow;

use turnkeeper_base::json::Json;
use turnkeeper_messages::Event;

use crate::sessions::format::{Format, RecordReader};
use crate::sessions::given::{answered, at, called, known, list_at, said, text_at, thought};
use crate::sessions::items::{host_said, item, model, plain, turn, user_said};
use crate::sessions::key::Key;
use crate::sessions::record::{Item, Record, Unreadable, Usage};
use crate::sessions::time::{time, time_of};
use crate::sessions::usage::{amount, inclusive, named, recorded, tier};

/// Whether it is a request or a response.
pub(crate) fn is_pydantic_message(value: &Json) -> bool {
    let mut parts = list_at(value, &["parts"]).iter();
    matches!(text_at(value, &["kind"]), Some("request" | "response"))
        && parts.any(|part| text_at(part, &["part_kind"]).is_some())
}

/// Reads a message history.
pub(crate) struct PydanticAiReader;

impl RecordReader for PydanticAiReader {
    fn format(&self) -> Format {
        Format::PydanticAi
    }

    fn read<'a>(&mut self, value: &'a Json<'a>, _place: u32) -> Result<Record<'a>, Unreadable> {
        let parts = list_at(value, &["parts"]);
        let items = match text_at(value, &["kind"]) {
            Some("response") => turn(answer_events(parts)?),
            Some("request") => parts.iter().filter_map(request_item).collect(),
            _ => return Err(Unreadable::new("is neither a request nor a response")),
        };
        let times = parts.iter().filter_map(|part| time(part.get("timestamp")?));
        Ok(Record {
            items,
            facts: model(value.get("model_name")),
            key: key(value),
            time: time_of(value).or_else(|| times.reduce(f64::min)),
            ..Record::default()
        })
    }

    fn usage(&mut self, value: &Json) -> Vec<Usage> {
        let usage = value.get("usage").unwrap_or(&Json::Null);
        let of = |name, formerly| known(usage.get(name)).or_else(|| usage.get(formerly));
        recorded(inclusive(Usage {
            id: named(response_id(value)),
            model: named(value.get("model_name")),
            tier: tier(at(value, &["provider_details", "service_tier"])),
            input: amount(of("input_tokens", "request_tokens")),
            cache_read: amount(usage.get("cache_read_tokens")),
            cache_write: amount(usage.get("cache_write_tokens")),
            output: amount(of("output_tokens", "response_tokens")),
            ..Usage::default()
        }))
    }
}

fn response_id<'a>(message: &'a Json<'a>) -> Option<&'a Json<'a>> {
    known(message.get("provider_response_id")).or_else(|| message.get("vendor_id"))
}

/// A history is saved whole after each run, and the next run's begins with it. Its times have microseconds.
fn key(message: &Json) -> Option<u64> {
    let parts = list_at(message, &["parts"]).iter();
    let times = parts.filter_map(|part| known(part.get("timestamp")));
    let own = [response_id(message), known(message.get("timestamp"))];
    let mut all = own.into_iter().flatten().chain(times).peekable();
    all.peek()?;
    let calls = list_at(message, &["parts"]).iter();
    let calls = calls.filter_map(|part| known(part.get("tool_call_id")));
    let key = Key::of(Format::PydanticAi).and(text_at(message, &["kind"])?);
    all.chain(calls).fold(key, Key::and_value).made()
}

fn answer_events<'a>(parts: &'a [Json<'a>]) -> Result<Vec<Event<'a>>, Unreadable> {
    let mut answer = Vec::new();
    for part in parts {
        let words = text_at(part, &["content"]).unwrap_or_default();
        match text_at(part, &["part_kind"]) {
            Some("text") => answer.extend(said(words)),
            Some("thinking") => answer.extend(thought(words)),
            Some("tool-call" | "builtin-tool-call") => {
                let args = part.get("args").map(Cow::Borrowed);
                let name = text_at(part, &["tool_name"]);
                answer.push(called(part.get("tool_call_id"), name, args)?);
            }
            Some("builtin-tool-return") => answer.push(result_of(part)),
            _ => {}
        }
    }
    Ok(answer)
}

fn request_item<'a>(part: &'a Json<'a>) -> Option<Item<'a>> {
    let words = || plain(part.get("content"));
    match text_at(part, &["part_kind"])? {
        "user-prompt" => Some(user_said(words())),
        "system-prompt" => Some(host_said(words())),
        "tool-return" | "builtin-tool-return" => Some(item(result_of(part))),
        // A call that did not keep to the tool's schema is answered with what is wrong.
        "retry-prompt" if text_at(part, &["tool_name"]).is_some() => {
            Some(item(answered(part.get("tool_call_id"), words(), true)))
        }
        "retry-prompt" => Some(host_said(words())),
        _ => None,
    }
}

fn result_of<'a>(part: &'a Json<'a>) -> Event<'a> {
    let has_failed = matches!(text_at(part, &["outcome"]), Some("failed" | "denied"));
    answered(
        part.get("tool_call_id"),
        plain(part.get("content")),
        has_failed,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::formats::testing::told;

    const ASKED: &str = r#"{"kind":"request","parts":[{"part_kind":"user-prompt","content":"go","timestamp":"2026-09-01T10:00:00.000001Z"}]}"#;

    #[test]
    fn a_history_that_is_saved_again_has_the_same_keys() {
        let answer = r#"{"kind":"response","parts":[{"part_kind":"text","content":"So."}],"provider_response_id":"r","usage":{"input_tokens":5,"output_tokens":2}}"#;
        let timeless = r#"{"kind":"request","parts":[{"part_kind":"tool-return","tool_call_id":"c","content":"x"}]}"#;
        let told = told(
            &mut PydanticAiReader,
            &[ASKED, answer, ASKED, answer, timeless],
        );
        assert_eq!(told.keys[..2], told.keys[2..4]);
        assert_eq!((told.different(), told.keys[4]), (2, None));
        assert_eq!(told.usage[0].id.as_deref(), Some("r"));
    }

    #[test]
    fn what_is_wrong_with_a_call_is_its_result_and_else_the_hosts() {
        let lines = [
            r#"{"kind":"request","parts":[{"part_kind":"retry-prompt","content":"no","tool_name":"f","tool_call_id":"c"},{"part_kind":"retry-prompt","content":"again"},{"part_kind":"tool-return","tool_call_id":"d","content":{"a":1},"outcome":"denied"}]}"#,
            r#"{"kind":"response","parts":[{"part_kind":"builtin-tool-call","tool_name":"web","args":"{}","tool_call_id":"w"},{"part_kind":"builtin-tool-return","tool_call_id":"w","content":"found"},{"part_kind":"file"}]}"#,
            r#"{"kind":"other","parts":[]}"#,
        ];
        let told = told(&mut PydanticAiReader, &lines);
        let events = [
            "1 tool_result #c error no",
            "1 other",
            r#"1 tool_result #d error {"a":1}"#,
            "2 turn_started",
            "2 tool_call #w web {}",
            "2 tool_result #w found",
        ];
        assert_eq!(told.events, events);
        assert_eq!(told.problems, ["3 is neither a request nor a response"]);
    }
}
