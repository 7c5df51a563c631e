//! Sessions of Continue (`~/.continue/sessions/*.json`): one object with `title`, `workspaceDirectory`, `history` and in
//! newer versions `usage`.
//!
//! Read are of an entry of the history (`ChatHistoryItem` of `core/index.d.ts`) `message` (`id`, `role`, `content`,
//! `toolCalls`, `toolCallId`, `usage`), `toolCallStates` (`toolCallId`, `status`, `output`), `reasoning.text`,
//! `conversationSummary`, and `modelTitle` of the last of the `promptLogs`.

use std::borrow::Cow;
use std::collections::HashSet;

use turnkeeper_base::json::Json;
use turnkeeper_messages::Event;

use crate::folders::path_of;
use crate::sessions::format::{Format, RecordReader};
use crate::sessions::given::{answered, at, called, list_at, said, text_at, thought};
use crate::sessions::items::{condensed, fact, host_said, item, model, plain, turn, user_said};
use crate::sessions::key::Key;
use crate::sessions::record::{Facts, Item, Record, Unreadable, Usage};
use crate::sessions::usage::{amount, inclusive, named, paid, recorded, whole};

/// Whether it is an entry of a history.
pub(crate) fn is_continue_item(value: &Json) -> bool {
    text_at(value, &["message", "role"]).is_some()
        && matches!(value.get("contextItems"), Some(Json::List(_)))
}

/// Reads a session of Continue.
#[derive(Default)]
pub(crate) struct ContinueReader {
    /// Calls whose results stood beside them.
    answered: HashSet<String>,
    /// The model has begun to answer with a thought of its own.
    has_thought: bool,
    /// The money of the session, if the file says it.
    dollars: Option<f64>,
}

impl RecordReader for ContinueReader {
    fn format(&self) -> Format {
        Format::Continue
    }

    fn read<'a>(&mut self, value: &'a Json<'a>, _place: u32) -> Result<Record<'a>, Unreadable> {
        let message = value.get("message").unwrap_or(&Json::Null);
        let role = text_at(message, &["role"]);
        let role = role.ok_or_else(|| Unreadable::new("is no entry: it has no message"))?;
        let has_thought = std::mem::take(&mut self.has_thought);
        let mut items = match role {
            "user" => vec![user_said(words_of(message))],
            "thinking" => {
                self.has_thought = true;
                turn(thought(words_of(message)).into_iter().collect())
            }
            "assistant" => self.answer(value, message, has_thought)?,
            "tool" => self.result(message).into_iter().collect(),
            _ => vec![host_said(words_of(message))],
        };
        let summary = text_at(value, &["conversationSummary"]);
        items.extend(summary.filter(|it| !it.is_empty()).map(|_| condensed()));
        let id = text_at(message, &["id"]).filter(|id| !id.is_empty());
        let log = list_at(value, &["promptLogs"]).last();
        Ok(Record {
            items,
            facts: model(log.and_then(|log| log.get("modelTitle"))),
            key: id.and_then(|id| Key::of(Format::Continue).and(id).made()),
            ..Record::default()
        })
    }

    fn usage(&mut self, value: &Json) -> Vec<Usage> {
        let of = |keys: &[&str]| amount(at(value, &[&["message", "usage"], keys].concat()));
        recorded(inclusive(Usage {
            id: named(at(value, &["message", "id"])),
            input: of(&["promptTokens"]),
            cache_read: of(&["promptTokensDetails", "cachedTokens"]),
            cache_write: of(&["promptTokensDetails", "cacheWriteTokens"]),
            output: of(&["completionTokens"]),
            ..Usage::default()
        }))
    }

    fn property<'a>(&mut self, key: &str, value: &'a Json<'a>) -> Option<Facts<'a>> {
        let text = || fact(Some(value));
        let mut facts = Facts::default();
        match key {
            "title" => facts.title = text(),
            "chatModelTitle" => facts.model = text(),
            "workspaceDirectory" => {
                facts.working_directory = text().map(|place| match path_of(&place) {
                    Some(path) => path.into(),
                    None => place,
                });
            }
            "usage" => self.dollars = paid(value.get("totalCost")),
            _ => return None,
        }
        Some(facts)
    }

    fn end(&mut self) -> Result<Option<Record<'static>>, Unreadable> {
        let usage = whole(Usage {
            dollars: self.dollars.take(),
            ..Usage::default()
        });
        Ok(Record::of_usage(usage))
    }
}

impl ContinueReader {
    fn answer<'a>(
        &mut self,
        entry: &'a Json<'a>,
        message: &'a Json<'a>,
        has_thought: bool,
    ) -> Result<Vec<Item<'a>>, Unreadable> {
        let reasoning = text_at(entry, &["reasoning", "text"]).filter(|_| !has_thought);
        let reasoning = reasoning.and_then(thought);
        let mut answer: Vec<Event> = reasoning
            .into_iter()
            .chain(said(words_of(message)))
            .collect();
        for call in list_at(message, &["toolCalls"]) {
            let args = at(call, &["function", "arguments"]).map(Cow::Borrowed);
            let name = text_at(call, &["function", "name"]);
            answer.push(called(call.get("id"), name, args)?);
        }
        let mut items = match has_thought {
            true => answer.into_iter().map(item).collect(),
            false => turn(answer),
        };
        for state in list_at(entry, &["toolCallStates"]) {
            let output = list_at(state, &["output"]).iter();
            let output: Vec<Cow<str>> = output.map(|part| plain(part.get("content"))).collect();
            let has_failed = text_at(state, &["status"]) == Some("errored");
            if output.is_empty() && !has_failed {
                continue;
            }
            let id = state.get("toolCallId");
            self.answered
                .extend(id.and_then(Json::as_text).map(str::to_owned));
            items.push(item(answered(id, output.join("\n"), has_failed)));
        }
        Ok(items)
    }

    fn result<'a>(&self, message: &'a Json<'a>) -> Option<Item<'a>> {
        let id = message.get("toolCallId");
        let is_known = id
            .and_then(Json::as_text)
            .is_some_and(|id| self.answered.contains(id));
        (!is_known).then(|| item(answered(id, words_of(message), false)))
    }
}

/// The texts of a content without its pictures.
fn words_of<'a>(message: &'a Json<'a>) -> Cow<'a, str> {
    match message.get("content") {
        Some(Json::List(parts)) => {
            let texts = parts.iter().filter_map(|part| text_at(part, &["text"]));
            texts.collect::<Vec<_>>().join("\n").into()
        }
        content => plain(content),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use turnkeeper_base::json::parse;

    use crate::formats::testing::told;

    #[test]
    fn a_result_stands_beside_its_call_or_in_a_message() {
        let call = r#"{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}"#;
        let asked = |states: &str| {
            format!(
                r#"{{"message":{{"role":"assistant","content":"","toolCalls":[{call}]}},"contextItems":[],"toolCallStates":[{states}]}}"#
            )
        };
        let answer =
            r#"{"message":{"role":"tool","content":"x","toolCallId":"c"},"contextItems":[]}"#;
        let done =
            r#"{"toolCallId":"c","status":"done","output":[{"content":"x"},{"content":"y"}]}"#;
        let failed = r#"{"toolCallId":"c","status":"errored"}"#;
        for (states, results) in [
            ("", &["2 tool_result #c x"][..]),
            (done, &["1 tool_result #c x\ny"]),
            (failed, &["1 tool_result #c error "]),
        ] {
            let lines = [asked(states), answer.to_owned()];
            let told = told(&mut ContinueReader::default(), &lines);
            assert_eq!(told.events[..2], ["1 turn_started", "1 tool_call #c f {}"]);
            assert_eq!(told.events[2..], *results);
        }
    }

    #[test]
    fn the_money_of_the_session_stands_beside_the_history() {
        let mut room = Vec::new();
        let usage = parse(br#"{"totalCost":0.5}"#, &mut room).expect("JSON");
        let mut reader = ContinueReader::default();
        reader.property("usage", &usage);
        let end = reader.end().expect("an end").expect("a record");
        assert_eq!(
            (end.usage[0].dollars, end.usage[0].is_sum),
            (Some(0.5), true)
        );
    }
}
