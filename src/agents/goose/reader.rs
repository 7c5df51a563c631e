//! Sessions of goose: the `.jsonl` files of versions before 1.10 (`crates/goose/src/session/legacy.rs`), the JSON of
//! `goose session export --format json` and of the desktop's export, a line a row of its database, and what
//! `goose run --output-format stream-json` prints, an event a line, most with a `message`.
//!
//! A row of `sessions` becomes its columns, with `description` (its name, unless that is a placeholder), `working_dir`,
//! `message_count` and `model_config` (`model_config_json`, parsed). One of `messages` becomes `role`, `created`
//! (`created_timestamp`), `content` and `metadata` (parsed), and `id` (`message_id`) where the table has it. Read are of
//! the session `working_dir`, `description` or `name`, `model_config.model_name` and the `accumulated_` sums, and of every
//! message (`crates/goose/src/conversation/message.rs`) `id`, `role`, `created`, `metadata` (`userVisible`,
//! `agentVisible`) and in its `content` `text`, `thinking`, `toolRequest` and `frontendToolRequest` (`toolCall`), and
//! `toolResponse` (`toolResult`).

use std::borrow::Cow;
use std::collections::HashSet;

use turnkeeper_base::json::{Json, written};
use turnkeeper_messages::Event;

use crate::sessions::format::{Format, RecordReader};
use crate::sessions::given::{
    answered, at, called, is_false_at, is_true_at, known, list_at, number_at, said, shown, text_at,
    thought,
};
use crate::sessions::items::{condensed, fact, host_said, item, plain, turn, user_said};
use crate::sessions::key::Key;
use crate::sessions::record::{Facts, Item, Record, Unreadable, Usage};
use crate::sessions::usage::{amount, dollars, named, whole};

/// Whether it is the first line of a session of goose.
pub(crate) fn is_goose_header(value: &Json) -> bool {
    value.get("role").is_none()
        && text_at(value, &["description"]).is_some()
        && (number_at(value, &["message_count"]).is_some()
            || text_at(value, &["working_dir"]).is_some())
}

/// Whether it is a message of goose: only its messages have the second that they were made in.
pub(crate) fn is_goose_message(value: &Json) -> bool {
    matches!(text_at(value, &["role"]), Some("user" | "assistant"))
        && number_at(value, &["created"]).is_some()
        && matches!(value.get("content"), Some(Json::List(_)))
}

/// Whether it is an event that goose prints.
pub(crate) fn is_goose_event(value: &Json) -> bool {
    text_at(value, &["type"]).is_some() && value.get("message").is_some_and(is_goose_message)
}

/// Reads a session of goose.
#[derive(Default)]
pub(crate) struct GooseReader {
    /// It is what the program prints.
    is_stream: bool,
    answer: Option<String>,
    /// The number of pieces of that answer that have come.
    pieces: u32,
    /// Calls that the model got wrong, whose results say so again.
    wrong_calls: HashSet<String>,
    /// Messages have been taken out of the model's sight, and no summary has come since.
    awaits_summary: bool,
    /// The facts beside the messages of an export.
    beside: Vec<(Cow<'static, str>, Json<'static>)>,
}

impl RecordReader for GooseReader {
    fn format(&self) -> Format {
        Format::Goose
    }

    fn read<'a>(&mut self, value: &'a Json<'a>, _place: u32) -> Result<Record<'a>, Unreadable> {
        if is_goose_header(value) {
            return Ok(facts_of(value).into());
        }
        self.is_stream |= is_goose_event(value);
        let inner = value.get("message").filter(|it| is_goose_message(it));
        let value = inner.unwrap_or(value);
        if self.is_stream && value.get("type").is_some() {
            return Ok(Record::default());
        }
        if !is_goose_message(value) {
            return Err(Unreadable::new(
                "is no message: no role, created and content",
            ));
        }
        let items = self.message(value)?;
        Ok(Record {
            items,
            key: self.key(value),
            ..Record::default()
        })
    }

    /// One sum for a session.
    fn usage(&mut self, value: &Json) -> Vec<Usage> {
        whole(Usage {
            model: named(at(value, &["model_config", "model_name"])),
            input: amount(value.get("accumulated_input_tokens")),
            output: amount(value.get("accumulated_output_tokens")),
            dollars: dollars(value.get("accumulated_cost")),
            ..Usage::default()
        })
    }

    fn property<'a>(&mut self, key: &str, value: &'a Json<'a>) -> Option<Facts<'a>> {
        if key.starts_with("accumulated_") || key == "model_config" {
            let value = value.clone().into_owned();
            self.beside.push((key.to_owned().into(), value));
        }
        let beside = Json::Object(vec![(key.into(), value.clone())]);
        Some(facts_of(&beside).into_owned())
    }

    fn end(&mut self) -> Result<Option<Record<'static>>, Unreadable> {
        let beside = Json::Object(std::mem::take(&mut self.beside));
        let usage = self.usage(&beside);
        Ok(Record::of_usage(usage))
    }
}

impl GooseReader {
    fn message<'a>(&mut self, message: &'a Json<'a>) -> Result<Vec<Item<'a>>, Unreadable> {
        let is_agents = is_false_at(message, &["metadata", "userVisible"])
            && is_true_at(message, &["metadata", "agentVisible"]);
        self.awaits_summary |= is_false_at(message, &["metadata", "agentVisible"]);
        let parts = self.parts(message);
        if text_at(message, &["role"]) == Some("assistant") && !is_agents {
            let answer = parts.into_iter().map(answer_event);
            let answer: Result<Vec<Option<Event>>, Unreadable> = answer.collect();
            let answer = answer?.into_iter().flatten().collect();
            return Ok(self.answer_items(text_at(message, &["id"]), answer));
        }
        self.answer = None;
        let items = parts
            .into_iter()
            .filter_map(|part| user_item(part, is_agents));
        // The summary that takes the place of those messages.
        let is_summary = is_agents && std::mem::take(&mut self.awaits_summary);
        let summary = is_summary.then(condensed);
        Ok(summary.into_iter().chain(items).collect())
    }

    /// The parts of a message without the results of calls that the model got wrong.
    fn parts<'a>(&mut self, message: &'a Json<'a>) -> Vec<&'a Json<'a>> {
        let mut parts: Vec<&Json> = list_at(message, &["content"]).iter().collect();
        let kind = |part: &Json, kind| text_at(part, &["type"]) == Some(kind);
        let id = |part: &Json| part.get("id").map(written).unwrap_or_default();
        parts.retain(|part| !kind(part, "toolResponse") || !self.wrong_calls.remove(&id(part)));
        for part in &parts {
            if kind(part, "toolRequest") && text_at(part, &["toolCall", "status"]) == Some("error")
            {
                self.wrong_calls.insert(id(part));
            }
        }
        parts
    }

    /// A message is saved in the pieces in which it was streamed, all with its id.
    fn answer_items<'a>(&mut self, id: Option<&str>, answer: Vec<Event<'a>>) -> Vec<Item<'a>> {
        let is_models = answer.iter().any(|event| *event != Event::Other);
        let is_new = is_models && (id.is_none() || id != self.answer.as_deref());
        if is_new {
            self.pieces = 0;
            self.answer = id.map(str::to_owned);
        }
        self.pieces += 1;
        match is_new {
            true => turn(answer),
            false => answer.into_iter().map(item).collect(),
        }
    }

    /// Messages that are copied into another session keep their second and their words.
    fn key(&self, message: &Json) -> Option<u64> {
        let created = number_at(message, &["created"]).filter(|created| *created > 0.0)?;
        let pieces = self.answer.as_ref().map_or(0, |_| self.pieces);
        let key = Key::of(Format::Goose).and_value(&Json::Number(created));
        let key = key
            .and(text_at(message, &["role"])?)
            .and(&pieces.to_string());
        key.and_value(message.get("content")?).made()
    }
}

fn answer_event<'a>(part: &'a Json<'a>) -> Result<Option<Event<'a>>, Unreadable> {
    let words = |key| text_at(part, &[key]).unwrap_or_default();
    Ok(match words("type") {
        "text" => said(words("text")),
        "thinking" => thought(words("thinking")),
        // A call that the model got wrong has no name, only an error.
        "toolRequest" | "frontendToolRequest"
            if text_at(part, &["toolCall", "status"]) == Some("error") =>
        {
            Some(Event::Other)
        }
        "toolRequest" | "frontendToolRequest" => {
            let name = text_at(part, &["toolCall", "value", "name"]);
            let args = at(part, &["toolCall", "value", "arguments"]);
            Some(called(part.get("id"), name, args.map(Cow::Borrowed))?)
        }
        "toolResponse" => Some(result_of(part)),
        _ => Some(Event::Other),
    })
}

/// The host says whatever only the model sees, in whomever's name.
fn user_item<'a>(part: &'a Json<'a>, is_agents: bool) -> Option<Item<'a>> {
    let words = || text_at(part, &["text"]).unwrap_or_default();
    match text_at(part, &["type"])? {
        "toolResponse" => Some(item(result_of(part))),
        "text" if is_agents => Some(host_said(words())),
        "text" => Some(user_said(words())),
        _ => None,
    }
}

/// A result is MCP's, or in older files its content alone.
fn result_of<'a>(part: &'a Json<'a>) -> Event<'a> {
    let id = part.get("id");
    if text_at(part, &["toolResult", "status"]) == Some("error") {
        let error = known(at(part, &["toolResult", "error"]));
        return answered(id, error.map_or_else(Cow::default, shown), true);
    }
    let value = at(part, &["toolResult", "value"]);
    let content = match value {
        Some(Json::List(_)) => value,
        _ => at(part, &["toolResult", "value", "content"]),
    };
    let content = content.filter(|content| matches!(content, Json::List(_)));
    let is_error = is_true_at(part, &["toolResult", "value", "isError"]);
    answered(id, plain(content), is_error)
}

fn facts_of<'a>(session: &'a Json<'a>) -> Facts<'a> {
    Facts {
        title: fact(session.get("name")).or_else(|| fact(session.get("description"))),
        working_directory: fact(session.get("working_dir")),
        model: fact(at(session, &["model_config", "model_name"])),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use turnkeeper_base::json::parse;

    use crate::formats::testing::told;

    #[test]
    fn the_pieces_of_a_streamed_message_are_one_turn_and_each_counts() {
        let piece =
            r#"{"id":"a","role":"assistant","created":5,"content":[{"type":"text","text":"\n"}]}"#;
        let told = told(&mut GooseReader::default(), &[piece, piece]);
        assert_eq!(told.events, ["1 turn_started", "1 text \n", "2 text \n"]);
        assert_eq!(told.different(), 2);
    }

    #[test]
    fn what_the_program_prints_is_read() {
        let piece = r#"{"type":"message","message":{"id":"a","role":"assistant","created":5,"content":[{"type":"text","text":"So"}]}}"#;
        let lines = [
            piece,
            r#"{"type":"notification"}"#,
            r#"{"type":"complete","total_tokens":7}"#,
        ];
        let told = told(&mut GooseReader::default(), &lines);
        assert_eq!(told.events, ["1 turn_started", "1 text So"]);
        assert!(told.problems.is_empty());
    }

    #[test]
    fn a_copy_of_a_message_has_its_key() {
        let user = r#"{"role":"user","created":5,"content":[{"type":"text","text":"go"}]}"#;
        let other = r#"{"role":"user","created":6,"content":[{"type":"text","text":"go"}]}"#;
        let told = told(&mut GooseReader::default(), &[user, user, other]);
        assert_eq!(told.different(), 2);
    }

    #[test]
    fn a_wrong_call_is_told_once_and_a_summary_takes_the_place_of_messages() {
        let lines = [
            r#"{"role":"assistant","created":1,"content":[{"type":"toolRequest","id":"c","toolCall":{"status":"error","error":"no"}}]}"#,
            r#"{"role":"user","created":2,"content":[{"type":"toolResponse","id":"c","toolResult":{"status":"error","error":"no"}}]}"#,
            r#"{"role":"user","created":3,"metadata":{"agentVisible":false},"content":[{"type":"text","text":"go"}]}"#,
            r#"{"role":"assistant","created":4,"metadata":{"userVisible":false,"agentVisible":true},"content":[{"type":"text","text":"so far"}]}"#,
            r#"{"role":"user","created":5,"content":[{"type":"toolResponse","id":"d","toolResult":{"status":"success","value":[{"type":"text","text":"ok"}]}}]}"#,
        ];
        let told = told(&mut GooseReader::default(), &lines);
        let events = [
            "1 other",
            "3 user_message",
            "4 condensation",
            "4 other",
            "5 tool_result #d ok",
        ];
        assert_eq!(told.events, events);
    }

    #[test]
    fn the_sums_beside_the_messages_of_an_export_are_read() {
        let mut reader = GooseReader::default();
        for (key, value) in [
            ("accumulated_input_tokens", "120"),
            ("accumulated_output_tokens", "9"),
            ("model_config", r#"{"model_name":"m"}"#),
        ] {
            let mut room = Vec::new();
            let value = parse(value.as_bytes(), &mut room).expect("JSON");
            let facts = reader.property(key, &value);
            assert_eq!(
                facts.is_some_and(|it| it.model.is_some()),
                key == "model_config"
            );
        }
        let end = reader.end().expect("an end").expect("a record");
        let usage = &end.usage[0];
        assert_eq!(
            (usage.input, usage.output, usage.is_sum),
            (120.0, 9.0, true)
        );
        assert_eq!(usage.model.as_deref(), Some("m"));
        assert!(matches!(reader.end(), Ok(None)));
    }
}
