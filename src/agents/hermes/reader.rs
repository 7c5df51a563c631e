//! Sessions of Hermes: lines of OpenAI's messages after one of the role `session_meta`, the `session_*.json` with the
//! messages and facts beside them, what `hermes sessions export` writes, a session a line with its `messages`, and a line
//! a row of its database (`~/.hermes/state.db`).
//!
//! A row of `sessions` becomes its columns without `system_prompt` and `model_config`, with `role` "session_meta" and
//! `timestamp` (`started_at`). One of `messages`, in the order of their ids, becomes its columns that are not null, with
//! `tool_calls` parsed, and `content` without the mark `\0json:` and parsed where it begins with it. Read are of the
//! session `model`, `title`, `cwd` and the sums of tokens and money; of every message what the provider reads, and
//! `timestamp`; and of results, which are JSON in a text, `exit_code` and `error`.

use std::borrow::Cow;

use turnkeeper_base::json::Json;
use turnkeeper_messages::{Event, exit_code};

use crate::formats::messages::MessageReader;
use crate::sessions::format::{Format, RecordReader};
use crate::sessions::given::{at, known, list_at, message_key, number_at, parsed_text, text_at};
use crate::sessions::items::{condensed, fact, host_said, of_session};
use crate::sessions::key::Key;
use crate::sessions::record::{Facts, Record, Unreadable, Usage};
use crate::sessions::time::{time, time_of};
use crate::sessions::usage::{named, paid, recorded, tokens};

/// Whether it is the first line of a session of Hermes.
pub(crate) fn is_hermes_header(value: &Json) -> bool {
    text_at(value, &["role"]) == Some("session_meta")
}

/// Whether a property beside the messages says that they are Hermes's.
pub(crate) fn is_hermes_property(key: &str, value: &Json) -> bool {
    match key {
        "session_start" => value.as_text().is_some(),
        "started_at" => matches!(value, Json::Number(_)),
        _ => false,
    }
}

/// Whether it is a whole session of an export.
pub(crate) fn is_hermes_export(value: &Json) -> bool {
    text_at(value, &["id"]).is_some()
        && text_at(value, &["source"]).is_some()
        && number_at(value, &["started_at"]).is_some()
        && matches!(value.get("messages"), Some(Json::List(_)))
}

/// The beginnings of summaries that take the place of messages.
const SUMMARIES: &[&str] = &["[CONTEXT COMPACTION", "[CONTEXT SUMMARY]"];

/// Reads a session of Hermes.
pub(crate) struct HermesReader {
    messages: MessageReader,
    /// The sums that stand beside the messages.
    beside: Vec<(Cow<'static, str>, Json<'static>)>,
    /// When the session began, until a message has that time, and when it was written last: messages beside which
    /// this stands have no times of their own.
    began: Option<f64>,
    written: Option<f64>,
}

impl HermesReader {
    /// Before the first message.
    pub(crate) fn new() -> Self {
        Self {
            messages: MessageReader::new(Some(Format::Hermes)),
            beside: Vec::new(),
            began: None,
            written: None,
        }
    }
}

impl RecordReader for HermesReader {
    fn format(&self) -> Format {
        Format::Hermes
    }

    fn read<'a>(&mut self, value: &'a Json<'a>, place: u32) -> Result<Record<'a>, Unreadable> {
        if is_hermes_header(value) {
            return Ok(facts_of(value).into());
        }
        if is_hermes_export(value) {
            return self.export(value, place);
        }
        let mut record = self.messages.read(value, place)?;
        record.key = message_key(Format::Hermes, value);
        let began = self.began.take();
        record.time = time_of(value).or(began);
        let words = text_at(value, &["content"]).unwrap_or_default();
        let is_summary = SUMMARIES
            .iter()
            .any(|beginning| words.starts_with(beginning));
        match text_at(value, &["role"]) {
            Some("user" | "assistant") if is_summary => {
                record.items = vec![condensed(), host_said(words)];
            }
            Some("tool") if words.starts_with('{') => {
                let told = parsed_text(words);
                for item in &mut record.items {
                    tell(&mut item.event, &told);
                }
            }
            _ => {}
        }
        Ok(record)
    }

    /// One sum for a session.
    fn usage(&mut self, value: &Json) -> Vec<Usage> {
        match is_hermes_header(value) || is_hermes_export(value) {
            true => sum_of(value),
            false => Vec::new(),
        }
    }

    fn property<'a>(&mut self, key: &str, value: &'a Json<'a>) -> Option<Facts<'a>> {
        if SUMS.contains(&key) {
            let value = value.clone().into_owned();
            self.beside.push((key.to_owned().into(), value));
        }
        match key {
            "session_start" | "started_at" => self.began = time(value),
            "last_updated" | "ended_at" => self.written = time(value),
            _ => {}
        }
        let beside = Json::Object(vec![(key.into(), value.clone())]);
        matches!(key, "model" | "title" | "cwd").then(|| facts_of(&beside).into_owned())
    }

    fn end(&mut self) -> Result<Option<Record<'static>>, Unreadable> {
        let usage = sum_of(&Json::Object(std::mem::take(&mut self.beside)));
        let time = self.written.or(self.began);
        Ok((!usage.is_empty() || time.is_some()).then(|| Record {
            usage,
            time,
            ..Record::default()
        }))
    }
}

impl HermesReader {
    /// A session among others is a prompt, named after its id.
    fn export<'a>(&mut self, session: &'a Json<'a>, place: u32) -> Result<Record<'a>, Unreadable> {
        self.messages = MessageReader::new(Some(Format::Hermes));
        let id = text_at(session, &["id"]).unwrap_or_default();
        let facts = facts_of(session);
        let messages = list_at(session, &["messages"]).iter();
        let messages = messages.map(|message| Ok(self.read(message, place)?.items));
        let model = facts.model.as_ref();
        let (items, problem) = of_session(id.into(), model, "", "message", messages)?;
        Ok(Record {
            items,
            facts,
            problem,
            key: Key::of(Format::Hermes).and(id).made(),
            time: at(session, &["started_at"]).and_then(time),
            ..Record::default()
        })
    }
}

/// The columns with what a session used.
const SUMS: &[&str] = &[
    "input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens",
    "estimated_cost_usd", "actual_cost_usd",
];

fn sum_of(session: &Json) -> Vec<Usage> {
    let of = |name| session.get(name);
    let actual = paid(of("actual_cost_usd"));
    let estimated = || paid(of("estimated_cost_usd"));
    let id = of("id").and_then(Json::as_text).unwrap_or_default();
    let names = [
        "input_tokens", "cache_read_tokens", "cache_write_tokens", "output_tokens",
    ];
    recorded(Usage {
        id: Some(format!("sum {id}").trim_end().to_owned()),
        is_sum: true,
        model: named(of("model")),
        dollars: actual.or_else(estimated),
        ..tokens(session, names)
    })
}

fn facts_of<'a>(session: &'a Json<'a>) -> Facts<'a> {
    Facts {
        model: fact(session.get("model")),
        title: fact(session.get("title")),
        working_directory: fact(session.get("cwd")),
    }
}

/// Tells a result how it ended.
fn tell(event: &mut Event, told: &Json) {
    if let Event::ToolResult {
        exit_code: code,
        is_error,
        ..
    } = event
    {
        *code = code.or(exit_code(told.get("exit_code")));
        let error = known(told.get("error")).filter(|error| error.as_text() != Some(""));
        let has_failed = error.is_some() || told.get("success") == Some(&Json::Bool(false));
        *is_error = is_error.or(has_failed.then_some(true));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use turnkeeper_base::json::parse;

    use crate::formats::testing::told;

    #[test]
    fn a_result_says_how_it_ended_in_its_json() {
        let result = |content: &str| {
            let content = content.replace('"', "\\\"");
            format!(r#"{{"role":"tool","tool_call_id":"c","content":"{content}"}}"#)
        };
        let lines = [
            result(r#"{"exit_code":0,"error":null}"#),
            result(r#"{"exit_code":2,"error":"no"}"#),
            result(r#"{"success":false}"#),
            result("{broken"),
        ];
        let told = told(&mut HermesReader::new(), &lines);
        let events = [
            r#"1 tool_result #c exit 0 {"exit_code":0,"error":null}"#,
            r#"2 tool_result #c error exit 2 {"exit_code":2,"error":"no"}"#,
            r#"3 tool_result #c error {"success":false}"#,
            "4 tool_result #c {broken",
        ];
        assert_eq!(told.events, events);
    }

    #[test]
    fn a_row_that_is_copied_keeps_its_time() {
        let row = r#"{"id":1,"role":"user","content":"go","timestamp":1.5}"#;
        let copy = r#"{"id":7,"role":"user","content":"go","timestamp":1.5}"#;
        let later = r#"{"id":8,"role":"user","content":"go","timestamp":2.5}"#;
        let timeless = r#"{"role":"user","content":"go"}"#;
        let told = told(&mut HermesReader::new(), &[row, copy, later, timeless]);
        assert_eq!(told.keys[0], told.keys[1]);
        assert_eq!((told.different(), told.keys[3]), (2, None));
    }

    #[test]
    fn the_session_has_the_sums_and_the_actual_cost_counts() {
        let line = r#"{"role":"session_meta","model":"m","input_tokens":5,"cache_read_tokens":3,"output_tokens":2,"estimated_cost_usd":0.5,"actual_cost_usd":0.2}"#;
        let told = told(&mut HermesReader::new(), &[line]);
        assert_eq!(told.tokens(), [[5.0, 3.0, 0.0, 2.0]]);
        assert_eq!(
            (told.usage[0].dollars, told.usage[0].is_sum),
            (Some(0.2), true)
        );
        assert_eq!(told.model.as_deref(), Some("m"));
    }

    #[test]
    fn an_export_has_a_session_a_line() {
        let session = |id: &str, messages: &str| {
            format!(
                r#"{{"id":"{id}","source":"cli","model":"m","started_at":1.5,"input_tokens":7,"messages":[{messages}]}}"#
            )
        };
        let call = r#"{"role":"assistant","content":"","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]}"#;
        let lines = [
            session("a", r#"{"role":"user","content":"go"}"#),
            session("b", call),
            session(
                "c",
                &format!("{},{call}", call.replace(r#""name":"f","#, "")),
            ),
        ];
        let told = told(&mut HermesReader::new(), &lines);
        let events = [
            "1 prompt_started",
            "1 user_message",
            "2 prompt_started",
            "2 turn_started",
            "2 tool_call #c f {}",
            "3 prompt_started",
            "3 turn_started",
            "3 tool_call #c f {}",
        ];
        assert_eq!(told.events, events);
        assert!(told.problems[0].starts_with("3 is read without message 1, which "));
        let ids: Vec<_> = told.usage.iter().map(|usage| usage.id.as_deref()).collect();
        assert_eq!(
            (ids, told.different()),
            (vec![Some("sum a"), Some("sum b"), Some("sum c")], 3)
        );
    }

    #[test]
    fn the_sums_of_an_export_of_one_session_stand_beside_its_messages() {
        let mut room = Vec::new();
        let number = parse(b"7", &mut room).expect("JSON");
        let mut reader = HermesReader::new();
        assert!(is_hermes_property("started_at", &number));
        assert_eq!(reader.property("output_tokens", &number), None);
        let end = reader.end().expect("an end").expect("a record");
        assert_eq!((end.usage[0].output, end.usage[0].is_sum), (7.0, true));
    }

    #[test]
    fn messages_without_times_are_of_the_time_of_their_session() {
        let mut reader = HermesReader::new();
        let (mut room, mut told) = (Vec::new(), Vec::new());
        let start = parse(br#""2026-09-01T10:00:00""#, &mut room).expect("JSON");
        reader.property("session_start", &start);
        let mut room = Vec::new();
        let last = parse(br#""2026-09-01T11:00:00""#, &mut room).expect("JSON");
        reader.property("last_updated", &last);
        for _ in 0..2 {
            let mut room = Vec::new();
            let message = parse(br#"{"role":"user","content":"go"}"#, &mut room).expect("JSON");
            told.push(reader.read(&message, 1).expect("a message").time);
        }
        told.push(reader.end().expect("an end").expect("a record").time);
        let began = 1_788_256_800_000.0;
        assert_eq!(told, [Some(began), None, Some(began + 3_600_000.0)]);
    }

    #[test]
    fn the_model_stands_beside_the_messages() {
        let mut room = Vec::new();
        let model = parse(br#""m""#, &mut room).expect("JSON");
        let mut reader = HermesReader::new();
        let facts = reader.property("model", &model).expect("facts");
        assert_eq!(facts.model.as_deref(), Some("m"));
        assert_eq!(reader.property("base_url", &model), None);
        assert!(is_hermes_property("session_start", &model));
    }
}
