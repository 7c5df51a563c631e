//! Sessions of crush, as its database holds them, a line a row: `{"session": …, "timestamp"}` with the columns of the
//! table `sessions` and `directory` (the project's folder, which the database's place tells), then
//! `{"message": …, "timestamp"}` with those of `messages`; `timestamp` is `created_at`.
//!
//! Read are `title`, `directory`, `cost`, `parent_session_id`, `id`, `role`, `model`, `is_summary_message`, and of `parts`
//! `type` and `data`: `text`, `reasoning` (`thinking`), `tool_call` (`id`, `name`, `input`) and `tool_result`
//! (`tool_call_id`, `content`, `is_error`).

use std::borrow::Cow;

use turnkeeper_base::json::Json;
use turnkeeper_messages::Event;

use crate::sessions::format::{Format, RecordReader};
use crate::sessions::given::{
    answered, at, called, is_true_at, known, number_at, parsed, said, text_at, thought,
};
use crate::sessions::items::{condensed, fact, host_said, item, model, plain, turn, user_said};
use crate::sessions::key::Key;
use crate::sessions::record::{Facts, Item, Record, Unreadable, Usage};
use crate::sessions::usage::{paid, whole};

/// Whether it is a row of a session of crush.
pub(crate) fn is_crush_row(value: &Json) -> bool {
    let is_session = at(value, &["session", "prompt_tokens"]).is_some()
        && text_at(value, &["session", "title"]).is_some();
    let is_message = text_at(value, &["message", "session_id"]).is_some()
        && at(value, &["message", "parts"]).is_some()
        && text_at(value, &["message", "role"]).is_some();
    is_session || is_message
}

/// Reads a session of crush.
pub(crate) struct CrushReader;

impl RecordReader for CrushReader {
    fn format(&self) -> Format {
        Format::Crush
    }

    fn read<'a>(&mut self, value: &'a Json<'a>, _place: u32) -> Result<Record<'a>, Unreadable> {
        if let Some(session) = value.get("session") {
            return Ok(Record {
                facts: Facts {
                    title: fact(session.get("title")),
                    working_directory: fact(session.get("directory")),
                    model: None,
                },
                ..Record::default()
            });
        }
        let message = value.get("message").unwrap_or(&Json::Null);
        let role = text_at(message, &["role"]);
        let role = role.ok_or_else(|| Unreadable::new("is no session or message of crush"))?;
        let parts = parsed(message.get("parts").unwrap_or(&Json::Null));
        let mut all = Vec::new();
        for part in parts.items() {
            all.extend(event_of(part)?);
        }
        // A summary goes on in the user's place.
        let is_summary = number_at(message, &["is_summary_message"]) == Some(1.0);
        let summary = is_summary.then(condensed);
        let items = summary.into_iter().chain(items_of(role, all));
        Ok(Record {
            items: items.map(Item::into_owned).collect(),
            facts: model(message.get("model")),
            key: text_at(message, &["id"]).and_then(|id| Key::of(Format::Crush).and(id).made()),
            ..Record::default()
        })
    }

    /// Its tokens are those of the last request alone, so only the money is taken; a child's is in its parent's.
    fn usage(&mut self, value: &Json) -> Vec<Usage> {
        if known(at(value, &["session", "parent_session_id"])).is_some() {
            return Vec::new();
        }
        whole(Usage {
            dollars: paid(at(value, &["session", "cost"])),
            ..Usage::default()
        })
    }
}

fn items_of<'a>(role: &str, all: Vec<Event<'a>>) -> Vec<Item<'a>> {
    match role {
        // A request that failed has no answer.
        "assistant" if all.is_empty() => return Vec::new(),
        "assistant" => return turn(all),
        "tool" => return all.into_iter().map(item).collect(),
        _ => {}
    }
    let words = all.into_iter().map(|event| match event {
        Event::Text { text } => text,
        _ => Cow::default(),
    });
    let words = words.collect::<Vec<_>>().join("\n");
    vec![match role {
        "user" => user_said(words),
        _ => host_said(words),
    }]
}

fn event_of<'a>(part: &'a Json<'a>) -> Result<Option<Event<'a>>, Unreadable> {
    let of = |key| at(part, &["data", key]);
    let words = |key| text_at(part, &["data", key]).unwrap_or_default();
    Ok(match text_at(part, &["type"]) {
        Some("text") => said(words("text")),
        Some("reasoning") => thought(words("thinking")),
        Some("tool_call") => {
            let args = of("input").map(Cow::Borrowed);
            Some(called(of("id"), text_at(part, &["data", "name"]), args)?)
        }
        Some("tool_result") => {
            let is_error = is_true_at(part, &["data", "is_error"]);
            Some(answered(of("tool_call_id"), plain(of("content")), is_error))
        }
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::formats::testing::told;

    #[test]
    fn a_childs_money_is_in_its_parents() {
        let lines = [
            r#"{"session":{"title":"t","prompt_tokens":1,"cost":0.5,"parent_session_id":null}}"#,
            r#"{"session":{"title":"t","prompt_tokens":1,"cost":0.2,"parent_session_id":"s1"}}"#,
            r#"{"session":{"title":"t","prompt_tokens":1,"cost":0}}"#,
        ];
        let told = told(&mut CrushReader, &lines);
        let dollars: Vec<_> = told.usage.iter().map(|usage| usage.dollars).collect();
        assert_eq!(dollars, [Some(0.5)]);
    }

    #[test]
    fn rows_with_their_parts_as_json_are_read() {
        let lines = [
            r#"{"message":{"id":"m1","session_id":"s","role":"assistant","model":"m","parts":"[{\"type\":\"tool_call\",\"data\":{\"id\":\"c\",\"name\":\"view\",\"input\":\"{}\"}}]"}}"#,
            r#"{"message":{"id":"m2","session_id":"s","role":"tool","parts":[{"type":"tool_result","data":{"tool_call_id":"c","content":"no","is_error":true}}]}}"#,
            r#"{"message":{"id":"m3","session_id":"s","role":"system","parts":"broken"}}"#,
            r#"{"message":{"id":"m5","session_id":"s","role":"assistant","parts":"[{\"type\":\"finish\",\"data\":{\"reason\":\"error\"}}]"}}"#,
            r#"{"message":{"id":"m4","session_id":"s","parts":"[]"}}"#,
        ];
        let told = told(&mut CrushReader, &lines);
        let events = [
            "1 turn_started",
            "1 tool_call #c view {}",
            "2 tool_result #c error no",
            "3 other",
        ];
        assert_eq!(told.events, events);
        assert_eq!(told.problems, ["5 is no session or message of crush"]);
        assert_eq!(told.different(), 3);
    }
}
