//! Sessions of gemini-cli (`~/.gemini/tmp/…/chats/session-*.json`, and of lines `session-*.jsonl`), and those of Qwen Code
//! of 2025, which are the same.
//!
//! In a file of lines a message is written again whenever it grows, perhaps after others: of each version only what is
//! new counts. So do the answers of tools that the messages of the user repeat. A history that replaces all messages
//! (`$set`) is read as long as no message stands by itself: some versions write nothing else. What was rewound stays.

use std::borrow::Cow;

use rustc_hash::{FxHashMap, FxHashSet};
use turnkeeper_base::json::{Json, written};
use turnkeeper_messages::gemini::{result_of, result_of_parts, thought_of};
use turnkeeper_messages::{Event, Part, called, is_blank, parts_of_part, prompt_start_in};

use super::stream::verdict_or_said;
use crate::sessions::format::{Format, RecordReader};
use crate::sessions::given::{list_at, text_at};
use crate::sessions::items::{
    condensed, events, host_said, item, model, plain, said_in_users_name,
};
use crate::sessions::key::Key;
use crate::sessions::record::{Item, Record, Unreadable, Usage};
use crate::sessions::usage::{
    NO_FIELD, amount, inclusive, named, recorded, tokens, written_by_model,
};

/// Whether it is a message of a session.
pub(crate) fn is_gemini_message(message: &Json) -> bool {
    let kind = text_at(message, &["type"]).unwrap_or_default();
    let is_known = matches!(kind, "user" | "info" | "error" | "warning");
    (is_known || is_models(message))
        && text_at(message, &["id"]).is_some()
        && text_at(message, &["timestamp"]).is_some()
}

/// Whether it is the first line of a session of lines.
pub(crate) fn is_gemini_line(line: &Json) -> bool {
    text_at(line, &["sessionId"]).is_some() && text_at(line, &["projectHash"]).is_some()
}

fn is_models(message: &Json) -> bool {
    matches!(text_at(message, &["type"]), Some("gemini" | "qwen"))
}

/// Reads a session.
#[derive(Default)]
pub(crate) struct GeminiSessionReader {
    is_qwens: bool,
    /// Whether a message stood by itself.
    has_messages: bool,
    /// Hashes of what has been given out: messages, their texts and calls.
    given: FxHashSet<u64>,
    /// The number of calls of an id that have no result.
    open: FxHashMap<String, usize>,
}

impl GeminiSessionReader {
    /// Whether something is given out for the first time.
    fn is_new(&mut self, kind: &str, id: &str) -> bool {
        let key = Key::of(Format::GeminiCli).and(kind).and(id);
        key.made().is_some_and(|key| self.given.insert(key))
    }

    /// Whether a result is the first that answers a call.
    fn answers(&mut self, call: &str) -> bool {
        match self.open.get_mut(call) {
            Some(open) => answer_one(open),
            // The call was in another file.
            None => true,
        }
    }

    fn message<'a>(&mut self, message: &'a Json<'a>) -> Result<Vec<Item<'a>>, Unreadable> {
        let id = text_at(message, &["id"]).unwrap_or_default();
        let is_new = self.is_new("message", id);
        if is_models(message) {
            self.is_qwens |= text_at(message, &["type"]) == Some("qwen");
            let parts = self.answer(id, message);
            let started = is_new.then_some(Part::Event(Event::TurnStarted));
            return events(started.into_iter().chain(parts));
        }
        if !is_new {
            return Ok(Vec::new());
        }
        if text_at(message, &["type"]) == Some("user") {
            return Ok(self.users(message));
        }
        let content = plain(message.get("content"));
        Ok(vec![match content {
            Cow::Borrowed(words) => verdict_or_said(words),
            words => host_said(words),
        }])
    }

    /// The new parts of a message of the model's.
    fn answer<'a>(&mut self, id: &str, message: &'a Json<'a>) -> Vec<Part<'a>> {
        let pieces = pieces(message);
        let (thoughts, texts): (Vec<&Json>, Vec<&Json>) = pieces
            .iter()
            .filter(|piece| piece.get("functionCall").is_none())
            .partition(|piece| is_thought(piece));
        let mut parts: Vec<Part> = Vec::new();
        let mut thinking: Vec<Part> = list_at(message, &["thoughts"])
            .iter()
            .flat_map(thought_of)
            .collect();
        if thinking.is_empty() {
            thinking = thoughts.into_iter().flat_map(parts_of_part).collect();
        }
        if !thinking.is_empty() && self.is_new("thinking", id) {
            parts.append(&mut thinking);
        }
        let words = match texts.len() == pieces.len() {
            true => plain(message.get("content")),
            false => joined(&texts),
        };
        if !words.is_empty() && self.is_new("text", id) {
            parts.push(Part::Event(Event::Text { text: words }));
        }
        let calls = list_at(message, &["toolCalls"]);
        for (at, call) in calls.iter().enumerate() {
            self.call(id, at, call, &mut parts);
        }
        // A history that was rewritten has calls as the model made them.
        let made = pieces.iter().filter_map(|piece| piece.get("functionCall"));
        for (at, call) in made.enumerate() {
            let own = text_at(call, &["id"]);
            let is_own = |it: &Json| own.is_none() || text_at(it, &["id"]) == own;
            if !calls.iter().any(is_own) {
                self.call(id, at, call, &mut parts);
            }
        }
        // The calls of a message are made at once, whenever each of them ends.
        for call in calls {
            let own = text_at(call, &["id"]).unwrap_or_default();
            if let Some(result) = recorded_result(call)
                && self.answers(own)
            {
                parts.push(Part::Event(result));
            }
        }
        parts
    }

    /// A call of a message, if it is new.
    fn call<'a>(&mut self, message: &str, at: usize, call: &'a Json<'a>, to: &mut Vec<Part<'a>>) {
        let own = text_at(call, &["id"]).unwrap_or_default();
        let place = match own {
            "" => format!("{message} {at}"),
            own => format!("{message} {own}"),
        };
        if self.is_new("call", &place) {
            *self.open.entry(own.to_owned()).or_default() += 1;
            let name = text_at(call, &["name"]);
            to.push(called(call.get("id"), name, call.get("args")));
        }
    }

    /// The words of a message in the user's name, and the results that stand in it and have not been given out.
    fn users<'a>(&mut self, message: &'a Json<'a>) -> Vec<Item<'a>> {
        let pieces = pieces(message);
        let (answers, words): (Vec<&Json>, Vec<&Json>) = pieces
            .iter()
            .partition(|piece| piece.get("functionResponse").is_some());
        if answers.is_empty() {
            let words = plain(message.get("content"));
            return vec![said_in_users_name(prompt_start_in(message), words)];
        }
        let mut items = Vec::new();
        for answer in answers
            .into_iter()
            .filter_map(|it| it.get("functionResponse"))
        {
            let call = text_at(answer, &["id"]);
            let is_new = match call {
                Some(call) => self.answers(call),
                None => self.open.values_mut().any(answer_one),
            };
            if is_new {
                items.push(item(result_of(answer)));
            }
        }
        let words = joined(&words);
        if !is_blank(&words) {
            items.push(host_said(words));
        }
        items
    }

    /// The messages that a value holds, as long as none stood by itself.
    fn history<'a>(&self, value: &'a Json<'a>) -> &'a [Json<'a>] {
        let messages = list_at(value.get("$set").unwrap_or(value), &["messages"]);
        // One without an answer is what the agent says before the first prompt.
        let is_read = !self.has_messages && messages.iter().any(is_models);
        if is_read { messages } else { &[] }
    }
}

/// Takes one of the calls without a result, if there are any.
fn answer_one(open: &mut usize) -> bool {
    let is_open = *open > 0;
    *open -= usize::from(is_open);
    is_open
}

/// The pieces of a content, which may be one.
fn pieces<'a>(message: &'a Json<'a>) -> &'a [Json<'a>] {
    match message.get("content") {
        Some(Json::List(pieces)) => pieces,
        Some(Json::Null) | None => &[],
        Some(piece) => std::slice::from_ref(piece),
    }
}

/// The words of some of a content's pieces, a line each.
fn joined<'a>(pieces: &[&'a Json<'a>]) -> Cow<'a, str> {
    let words = pieces
        .iter()
        .filter_map(|it| it.as_text().or_else(|| text_at(it, &["text"])));
    words.collect::<Vec<_>>().join("\n").into()
}

fn is_thought(piece: &Json) -> bool {
    matches!(piece.get("thought"), Some(Json::Bool(true) | Json::Text(_)))
}

/// The answer of a tool; the text that is shown of one that runs is none yet.
fn recorded_result<'a>(call: &'a Json<'a>) -> Option<Event<'a>> {
    const NOTHING: &Json = &Json::Text(Cow::Borrowed(""));
    let status = text_at(call, &["status"]).unwrap_or_default();
    let is_error = status == "error";
    let is_over = !matches!(
        status,
        "validating" | "scheduled" | "executing" | "awaiting_approval"
    );
    let parts = match call.get("result") {
        Some(Json::List(parts)) => parts,
        Some(part @ (Json::Object(_) | Json::Text(_))) => std::slice::from_ref(part),
        _ => &[],
    };
    let shown = call
        .get("resultDisplay")
        .filter(|it| !matches!(it, Json::Null));
    let shown = shown.or(is_error.then_some(NOTHING)).filter(|_| is_over);
    result_of_parts(call.get("id"), parts, shown, is_error)
}

impl RecordReader for GeminiSessionReader {
    fn format(&self) -> Format {
        match self.is_qwens {
            true => Format::QwenCode,
            false => Format::GeminiCli,
        }
    }

    fn read<'a>(&mut self, value: &'a Json<'a>, _place: u32) -> Result<Record<'a>, Unreadable> {
        let mut record = Record::default();
        if text_at(value, &["$rewindTo"]).is_some() {
            record.items.push(condensed());
            return Ok(record);
        }
        if is_gemini_message(value) {
            self.has_messages = true;
            record.items = self.message(value)?;
            record.facts = model(value.get("model"));
        } else {
            let set = value.get("$set");
            let is_set = matches!(set, Some(Json::Object(_) | Json::List(_) | Json::Null));
            if !is_set && !is_gemini_line(value) {
                let why = match value.get("type") {
                    Some(Json::Text(kind)) => {
                        let kind: String = kind.chars().take(LONGEST_TYPE).collect();
                        format!("has the type {}, which no message has", written(&kind)).into()
                    }
                    _ => Cow::Borrowed("is no message: it has no id, type and timestamp"),
                };
                return Err(Unreadable::new(why));
            }
            for message in self
                .history(value)
                .iter()
                .filter(|it| is_gemini_message(it))
            {
                record.items.append(&mut self.message(message)?);
                record.facts = model(message.get("model").or(value.get("model")));
            }
        }
        record.key = key_of(value, &record.items);
        Ok(record)
    }

    /// The tokens of a message, of which the last version counts.
    fn usage(&mut self, value: &Json) -> Vec<Usage> {
        match self.history(value) {
            [] => usage_of(value),
            messages => messages.iter().flat_map(usage_of).collect(),
        }
    }
}

/// The characters of a strange type that are shown.
const LONGEST_TYPE: usize = 80;

/// A copy of a message in another file has its id and says the same.
fn key_of(value: &Json, items: &[Item]) -> Option<u64> {
    let id = text_at(value, &["id"])?;
    let time = text_at(value, &["timestamp"]).unwrap_or_default();
    let key =
        items.iter().fold(
            Key::of(Format::GeminiCli).and(id).and(time),
            |key, item| match &item.event {
                Event::ToolCall { id, .. } => {
                    key.and("call").and(id.as_deref().unwrap_or_default())
                }
                Event::ToolResult { id, .. } => {
                    key.and("result").and(id.as_deref().unwrap_or_default())
                }
                Event::Text { .. } => key.and("text"),
                Event::Reasoning { .. } => key.and("reasoning"),
                _ => key,
            },
        );
    key.made()
}

fn usage_of(message: &Json) -> Vec<Usage> {
    let Some(told) = message.get("tokens") else {
        return Vec::new();
    };
    let of = |name| amount(told.get(name));
    let parts = inclusive(tokens(told, ["input", "cached", NO_FIELD, "output"]));
    let by_total = of("total") - of("input") - of("tool");
    recorded(Usage {
        input: parts.input + of("tool"),
        output: written_by_model(parts.output, of("thoughts"), by_total),
        id: named(message.get("id")),
        model: named(message.get("model")),
        ..parts
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::testing::{Told, told};

    fn record(id: &str, kind: &str, fields: &str) -> String {
        format!(r#"{{"id":"{id}","timestamp":"2026-01-01T09:00:00Z","type":"{kind}",{fields}}}"#)
    }

    fn answer(call: &str) -> String {
        format!(
            r#"{{"functionResponse":{{"id":"{call}","name":"ls","response":{{"output":"x"}}}}}}"#
        )
    }

    /// An answer with one call, which has its result once it is over.
    fn asks(id: &str, call: &str, is_over: bool) -> String {
        let result = if is_over { answer(call) } else { String::new() };
        let status = if is_over { "success" } else { "executing" };
        let calls = format!(
            r#"{{"id":"{call}","name":"ls","args":{{}},"status":"{status}","resultDisplay":"so far","result":[{result}]}}"#
        );
        record(
            id,
            "gemini",
            &format!(
                r#""content":"","model":"m","tokens":{{"input":10,"output":2,"cached":4,"thoughts":1,"tool":1}},"toolCalls":[{calls}]"#
            ),
        )
    }

    fn session(lines: &[&str]) -> Told {
        told(&mut GeminiSessionReader::default(), lines)
    }

    #[test]
    fn of_each_version_of_a_message_only_what_is_new_counts() {
        let first = asks("g1", "c1", false);
        let said = first.replace(r#""content":"""#, r#""content":"Look.""#);
        let told = session(&[
            &first,
            &said,
            &record("u1", "user", r#""content":"And?""#),
            &asks("g1", "c1", true),
            &asks("g2", "c2", true),
            &asks("g1", "c1", true),
        ]);
        let expected = [
            "1 turn_started",
            "1 tool_call #c1 ls {}",
            "2 text Look.",
            "3 user_message",
            "4 tool_result #c1 x",
            "5 turn_started",
            "5 tool_call #c2 ls {}",
            "5 tool_result #c2 x",
        ];
        assert_eq!(told.events, expected);
        assert_eq!(told.different(), told.keys.len());
        assert_eq!(told.tokens()[0], [7.0, 4.0, 0.0, 3.0]);
        assert_eq!(told.usage[0].id.as_deref(), Some("g1"));
    }

    #[test]
    fn calls_of_a_message_come_before_its_results() {
        let call = |id: &str| {
            let answer = answer(id);
            format!(
                r#"{{"id":"{id}","name":"ls","args":{{}},"status":"success","result":[{answer}]}}"#
            )
        };
        let calls = format!(
            r#""content":"","toolCalls":[{},{}]"#,
            call("c1"),
            call("c2")
        );
        let told = session(&[&record("g1", "gemini", &calls)]);
        let expected = [
            "1 turn_started",
            "1 tool_call #c1 ls {}",
            "1 tool_call #c2 ls {}",
            "1 tool_result #c1 x",
            "1 tool_result #c2 x",
        ];
        assert_eq!(told.events, expected);
    }

    #[test]
    fn answers_of_tools_in_the_users_name_are_no_prompts() {
        let told = session(&[
            &asks("g1", "c1", true),
            &record("u1", "user", &format!(r#""content":[{}]"#, answer("c1"))),
            &asks("g2", "c2", false),
            &record(
                "u2",
                "user",
                &format!(r#""content":[{},{{"text":"More."}}]"#, answer("c2")),
            ),
            &asks("g2", "c2", true),
        ]);
        let expected = [
            "1 turn_started",
            "1 tool_call #c1 ls {}",
            "1 tool_result #c1 x",
            "3 turn_started",
            "3 tool_call #c2 ls {}",
            "4 tool_result #c2 x",
            "4 other",
        ];
        assert_eq!(told.events, expected);
    }

    #[test]
    fn an_id_that_comes_again_is_another_call() {
        let told = session(&[&asks("g1", "c", true), &asks("g2", "c", true)]);
        assert_eq!((told.events.len(), told.different()), (6, 2));
    }

    #[test]
    fn a_rewritten_history_has_calls_and_thoughts_as_parts() {
        let call = r#"{"functionCall":{"id":"c1","name":"ls","args":{}}}"#;
        let content = format!(r#"[{{"text":"Hm.","thought":true}},{{"text":"Look."}},{call}]"#);
        let told = session(&[
            &record("g1", "gemini", &format!(r#""content":{content}"#)),
            &record(
                "u1",
                "user",
                r#""content":[{"functionResponse":{"name":"ls","response":{"error":"no"}}}]"#,
            ),
        ]);
        let expected = [
            "1 turn_started",
            "1 reasoning Hm.",
            "1 text Look.",
            "1 tool_call #c1 ls {}",
            "2 tool_result error no",
        ];
        assert_eq!(told.events, expected);
    }

    #[test]
    fn a_history_counts_until_a_message_stands_by_itself() {
        let header = r#"{"sessionId":"s","projectHash":"h"}"#;
        let set =
            |messages: &[&str]| format!(r#"{{"$set":{{"messages":[{}]}}}}"#, messages.join(","));
        let (user, one, two) = (
            record("u", "user", r#""content":"Go.""#),
            asks("g1", "c1", true),
            asks("g2", "c2", true),
        );
        let told = session(&[
            header,
            &set(&[&user]),
            &set(&[&user, &one]),
            &set(&[&user, &one, &two]),
        ]);
        let starts = ["3 user_message", "3 turn_started", "4 turn_started"];
        assert_eq!(told.events.len(), 7);
        assert!(
            starts
                .iter()
                .all(|start| told.events.iter().any(|it| it == start))
        );
        assert_eq!(told.usage.len(), 3);
        let told = session(&[
            header,
            &user,
            &one,
            &set(&[&user, &one, &two]),
            r#"{"$rewindTo":"u"}"#,
        ]);
        assert_eq!((told.events.len(), told.usage.len()), (5, 1));
    }

    #[test]
    fn sessions_of_qwen_code_of_2025_are_the_same() {
        let mut reader = GeminiSessionReader::default();
        let told = told(
            &mut reader,
            &[asks("q1", "c1", true).replace("gemini", "qwen")],
        );
        assert_eq!((told.events.len(), told.model.as_deref()), (3, Some("m")));
        assert_eq!(reader.format(), Format::QwenCode);
    }

    #[test]
    fn words_of_the_agent_and_lines_that_are_none() {
        let told = session(&[
            &record("1", "info", r#""content":"A potential loop was detected""#),
            &record("2", "error", r#""content":[{"text":"a"},{"text":"b"}]"#),
            r#"{"$set":{"lastUpdated":"x"}}"#,
            r#"{"id":"3"}"#,
        ]);
        assert_eq!(told.events, ["1 loop_reported", "2 other"]);
        assert_eq!(told.said[1], "a\nb");
        assert_eq!(
            told.problems,
            ["4 is no message: it has no id, type and timestamp"]
        );
    }
}
