//! Sessions of opencode: the JSON of `opencode export`, a line a row of its database, or a line a file of the storage of
//! versions before 1.2: a session, then its messages, each with its parts after it; and what `opencode run --format json`
//! prints, an event a line, most with a `part`.
//!
//! A row of `session` becomes `{"id", "title", "directory", "version", "time": {"created"}}`, one of `message` its `data`
//! with `id` and `sessionID`, one of `part` its `data` with `id`, `messageID` and `sessionID`. Read are, as
//! `packages/opencode/src/session/message-v2.ts` has them: of the session `title` and `directory`; of a message `role`,
//! `modelID`, `path.cwd`, `time`, `tokens` and `cost`; of parts `type` and `text`, `synthetic`, `ignored`, `callID`,
//! `tool`, `tokens`, and of its `state` `status`, `input`, `output`, `error` and `metadata.exit`.

use std::borrow::Cow;

use turnkeeper_base::json::{Json, written};
use turnkeeper_messages::{Event, exit_code};

use super::usage::OpencodeUsage;
use crate::sessions::format::{Format, RecordReader};
use crate::sessions::given::{
    answered, at, called, ended, is_true_at, list_at, number_at, said, text_at, thought,
};
use crate::sessions::items::{condensed, fact, host_said, item, turn, user_said};
use crate::sessions::key::Key;
use crate::sessions::record::{Facts, Item, Record, Unreadable, Usage};

/// Whether it is a session's row of opencode.
pub(crate) fn is_opencode_session(value: &Json) -> bool {
    let has_texts = ["id", "title", "version"].map(|key| text_at(value, &[key]).is_some());
    let directory = value.get("directory");
    has_texts == [true; 3]
        && at(value, &["time", "created"]).is_some()
        && matches!(directory, None | Some(Json::Null | Json::Text(_)))
}

/// Whether it is a message of an export of opencode.
pub(crate) fn is_opencode_message(value: &Json) -> bool {
    value.get("info").is_some_and(is_info) && matches!(value.get("parts"), Some(Json::List(_)))
}

/// Whether it is a row of a message or a part, without the session's before it.
pub(crate) fn is_opencode_row(value: &Json) -> bool {
    let is_message = is_info(value) && value.get("time").is_some();
    is_message || is_part(value) || value.get("part").is_some_and(is_part)
}

fn is_part(part: &Json) -> bool {
    ["id", "sessionID", "messageID"].map(|key| text_at(part, &[key]).is_some()) == [true; 3]
}

fn is_info(info: &Json) -> bool {
    ["id", "sessionID", "role"].map(|key| text_at(info, &[key]).is_some()) == [true; 3]
}

/// Reads a session of opencode. What subagents do is in sessions of their own.
#[derive(Default)]
pub(crate) struct OpencodeReader {
    is_models: bool,
    /// It is what the program prints, and has no messages but in their parts.
    is_stream: bool,
    /// The next answer is a command that a person ran.
    is_persons: bool,
    /// The message has started its turn.
    has_turn: bool,
    /// The key that all copies of the message have.
    message: String,
    /// The number of its parts that have come.
    parts: u32,
    usage: OpencodeUsage,
}

impl RecordReader for OpencodeReader {
    fn format(&self) -> Format {
        Format::Opencode
    }

    fn read<'a>(&mut self, value: &'a Json<'a>, _place: u32) -> Result<Record<'a>, Unreadable> {
        self.usage.take();
        if is_opencode_message(value) {
            return self.whole_message(value);
        }
        if is_info(value) {
            return Ok(Record {
                facts: self.message(value)?,
                key: self.message_key().made().filter(|_| self.is_models),
                ..Record::default()
            });
        }
        if let Some(part) = value.get("part").filter(|part| is_part(part)) {
            return self.printed(part);
        }
        if text_at(value, &["messageID"]).is_some() {
            let index = self.parts.to_string();
            let text = text_at(value, &["text"]).unwrap_or_default();
            return Ok(Record {
                items: self.part(value)?,
                key: self.message_key().and(&index).and(text).made(),
                ..Record::default()
            });
        }
        if is_opencode_session(value) {
            return Ok(session_facts(value).into());
        }
        if self.is_stream && value.get("type").is_some() {
            return Ok(Record::default());
        }
        Err(Unreadable::new(
            "is no session, message or part of opencode",
        ))
    }

    fn usage(&mut self, _value: &Json) -> Vec<Usage> {
        self.usage.take()
    }

    fn property<'a>(&mut self, key: &str, value: &'a Json<'a>) -> Option<Facts<'a>> {
        (key == "info").then(|| session_facts(value))
    }
}

impl OpencodeReader {
    fn whole_message<'a>(&mut self, value: &'a Json<'a>) -> Result<Record<'a>, Unreadable> {
        let facts = self.message(value.get("info").unwrap_or(&Json::Null))?;
        let mut items = Vec::new();
        let parts = list_at(value, &["parts"]);
        for part in parts {
            items.extend(self.part(part)?);
        }
        let texts = parts.iter().filter_map(|part| text_at(part, &["text"]));
        Ok(Record {
            items,
            facts,
            key: texts.fold(self.message_key(), Key::and).made(),
            ..Record::default()
        })
    }

    /// A part of an answer that is printed when it is whole.
    fn printed<'a>(&mut self, part: &'a Json<'a>) -> Result<Record<'a>, Unreadable> {
        self.is_stream = true;
        let message = text_at(part, &["messageID"]).unwrap_or_default();
        if self.message != message {
            *self = Self {
                is_stream: true,
                is_models: true,
                message: message.into(),
                usage: OpencodeUsage::printed(message),
                ..Self::default()
            };
        }
        let id = text_at(part, &["id"]).unwrap_or_default();
        Ok(Record {
            items: self.part(part)?,
            key: self.message_key().and(id).made(),
            ..Record::default()
        })
    }

    fn message_key(&self) -> Key {
        Key::of(Format::Opencode).and(&self.message)
    }

    fn message<'a>(&mut self, info: &'a Json<'a>) -> Result<Facts<'a>, Unreadable> {
        let role = text_at(info, &["role"]);
        if !matches!(role, Some("user" | "assistant")) {
            let role = info.get("role").map_or("undefined".into(), written);
            return Err(Unreadable::new(format!(
                "has the role {role}, which no message has"
            )));
        }
        let is_persons = std::mem::take(&mut self.is_persons);
        self.is_models = role == Some("assistant") && !is_persons;
        self.has_turn = false;
        self.parts = 0;
        self.message = what_copies_have(info);
        self.usage = match self.is_models {
            true => OpencodeUsage::of_message(info, &self.message),
            false => OpencodeUsage::default(),
        };
        Ok(Facts {
            model: fact(info.get("modelID")),
            working_directory: fact(at(info, &["path", "cwd"])),
            title: None,
        })
    }

    fn part<'a>(&mut self, part: &'a Json<'a>) -> Result<Vec<Item<'a>>, Unreadable> {
        let kind = text_at(part, &["type"]);
        self.parts += 1;
        if kind == Some("compaction") {
            return Ok(vec![condensed()]);
        }
        if !self.is_models {
            let words = text_at(part, &["text"]).unwrap_or_default();
            self.is_persons |= is_true_at(part, &["synthetic"]) && words.starts_with(OF_A_PERSON);
            return Ok(user_items(part).into_iter().collect());
        }
        if kind == Some("step-finish") {
            self.usage.step(part);
        }
        let answer = answer_events(part)?;
        let is_start = kind == Some("step-start") || (!answer.is_empty() && !self.has_turn);
        self.has_turn |= is_start;
        Ok(match is_start {
            true => turn(answer),
            false => answer.into_iter().map(item).collect(),
        })
    }
}

/// The words that opencode writes before the answer that is a person's own command.
const OF_A_PERSON: &str = "The following tool was executed by the user";

/// A session that is forked gets copies of the messages, with other ids, but with their times and what they used.
fn what_copies_have(info: &Json) -> String {
    let Some(created) = number_at(info, &["time", "created"]) else {
        return text_at(info, &["id"]).unwrap_or_default().into();
    };
    let completed = number_at(info, &["time", "completed"]).unwrap_or_default();
    let others = ["role", "modelID", "tokens", "error"].iter();
    let others = others.filter_map(|key| info.get(key));
    let others = others
        .fold(Key::of(Format::Opencode), Key::and_value)
        .made();
    format!("{created} {completed} {:x}", others.unwrap_or_default())
}

fn answer_events<'a>(part: &'a Json<'a>) -> Result<Vec<Event<'a>>, Unreadable> {
    let words = text_at(part, &["text"]).unwrap_or_default();
    Ok(match text_at(part, &["type"]) {
        Some("text") => said(words).into_iter().collect(),
        Some("reasoning") => thought(words).into_iter().collect(),
        Some("tool") => {
            let id = part.get("callID");
            let args = at(part, &["state", "input"]).map(Cow::Borrowed);
            let call = called(id, text_at(part, &["tool"]), args)?;
            let state = part.get("state");
            let result = state.and_then(|state| result_of(id, state));
            std::iter::once(call).chain(result).collect()
        }
        _ => Vec::new(),
    })
}

fn result_of<'a>(id: Option<&'a Json<'a>>, state: &'a Json<'a>) -> Option<Event<'a>> {
    let text = |key| text_at(state, &[key]).unwrap_or_default();
    match text("status") {
        "error" => Some(answered(id, text("error"), true)),
        "completed" => {
            let code = exit_code(at(state, &["metadata", "exit"]));
            Some(ended(answered(id, text("output"), false), code))
        }
        _ => None,
    }
}

/// Parts that opencode adds itself (`synthetic`) start no prompt.
fn user_items<'a>(part: &'a Json<'a>) -> Option<Item<'a>> {
    if text_at(part, &["type"]) != Some("text") || is_true_at(part, &["ignored"]) {
        return None;
    }
    let words = text_at(part, &["text"])?;
    Some(match is_true_at(part, &["synthetic"]) {
        true => host_said(words),
        false => user_said(words),
    })
}

fn session_facts<'a>(session: &'a Json<'a>) -> Facts<'a> {
    Facts {
        title: fact(session.get("title")),
        working_directory: fact(session.get("directory")),
        model: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::formats::testing::told;

    fn lines(session: &str) -> Vec<String> {
        [
            r#"{"id":"SES","title":"t","directory":"/w","version":"1","time":{"created":1}}"#,
            r#"{"id":"SES_m1","sessionID":"SES","role":"user","time":{"created":10}}"#,
            r#"{"id":"SES_p1","messageID":"SES_m1","sessionID":"SES","type":"text","text":"go"}"#,
            r#"{"id":"SES_m2","sessionID":"SES","role":"assistant","modelID":"m","time":{"created":11,"completed":15},"cost":0.3,"tokens":{"input":7,"output":20,"reasoning":2,"cache":{"read":30,"write":0}}}"#,
            r#"{"id":"SES_p2","messageID":"SES_m2","sessionID":"SES","type":"step-start"}"#,
            r#"{"id":"SES_p3","messageID":"SES_m2","sessionID":"SES","type":"tool","callID":"c","tool":"bash","state":{"status":"completed","input":{},"output":"no","metadata":{"exit":1}}}"#,
            r#"{"id":"SES_p4","messageID":"SES_m2","sessionID":"SES","type":"step-finish","cost":0.1,"tokens":{"input":5,"output":1}}"#,
            r#"{"id":"SES_p5","messageID":"SES_m2","sessionID":"SES","type":"step-start"}"#,
            r#"{"id":"SES_p6","messageID":"SES_m2","sessionID":"SES","type":"step-finish","cost":0.2,"tokens":{"input":7,"output":20}}"#,
        ]
        .map(|line| line.replace("SES", session))
        .into()
    }

    #[test]
    fn each_step_of_an_answer_is_a_request_and_the_message_has_the_money_of_all() {
        let told = told(&mut OpencodeReader::default(), &lines("ses_1"));
        let events = [
            "3 user_message",
            "5 turn_started",
            "6 tool_call #c bash {}",
            "6 tool_result #c exit 1 no",
            "8 turn_started",
        ];
        assert_eq!(told.events, events);
        assert_eq!(
            told.tokens(),
            [
                [7.0, 30.0, 0.0, 22.0],
                [5.0, 0.0, 0.0, 1.0],
                [7.0, 30.0, 0.0, 22.0]
            ]
        );
        let cents = |usage: &Usage| usage.dollars.map(|it| (it * 100.0).round());
        let cents: Vec<_> = told.usage.iter().map(cents).collect();
        assert_eq!(cents, [Some(30.0), Some(10.0), Some(20.0)]);
        assert_eq!(told.usage[0].id, told.usage[2].id);
        assert_eq!(told.working_directory.as_deref(), Some("/w"));
    }

    #[test]
    fn a_fork_has_copies_with_other_ids() {
        let own = told(&mut OpencodeReader::default(), &lines("ses_1"));
        let fork = told(&mut OpencodeReader::default(), &lines("ses_2"));
        assert_eq!(own.keys, fork.keys);
        assert_eq!(own.usage, fork.usage);
        assert_eq!(own.different(), own.keys.len());
    }

    #[test]
    fn what_the_program_prints_is_read_part_by_part() {
        let part = |id: u32, message: &str, more: &str| {
            format!(
                r#"{{"type":"text","timestamp":5,"sessionID":"s","part":{{"id":"p{id}","sessionID":"s","messageID":"{message}",{more}}}}}"#
            )
        };
        let finish = r#""type":"step-finish","cost":0.5,"tokens":{"input":7,"output":2}"#;
        let lines = [
            part(1, "m1", r#""type":"step-start""#),
            part(2, "m1", r#""type":"text","text":"So.""#),
            part(3, "m1", finish),
            part(4, "m2", r#""type":"text","text":"And.""#),
            part(5, "m2", finish),
            r#"{"type":"error","timestamp":6,"sessionID":"s","error":{}}"#.into(),
        ];
        let told = told(&mut OpencodeReader::default(), &lines);
        let events = [
            "1 turn_started", "2 text So.", "4 turn_started", "4 text And.",
        ];
        assert_eq!(told.events, events);
        assert_eq!(told.tokens(), [[7.0, 0.0, 0.0, 2.0]; 2]);
        assert_eq!((told.usage[0].dollars, told.different()), (Some(0.5), 3));
        assert!(told.problems.is_empty());
    }

    #[test]
    fn a_command_that_a_person_ran_is_no_call_of_the_models() {
        let lines = [
            r#"{"id":"m1","sessionID":"s","role":"user","time":{"created":10}}"#,
            r#"{"id":"p1","messageID":"m1","sessionID":"s","type":"text","synthetic":true,"text":"The following tool was executed by the user"}"#,
            r#"{"id":"m2","sessionID":"s","role":"assistant","time":{"created":11}}"#,
            r#"{"id":"p2","messageID":"m2","sessionID":"s","type":"tool","callID":"c","tool":"bash","state":{"status":"completed","input":{},"output":"x"}}"#,
            r#"{"id":"m3","sessionID":"s","role":"assistant","time":{"created":12}}"#,
            r#"{"id":"p3","messageID":"m3","sessionID":"s","type":"text","text":"So."}"#,
        ];
        let told = told(&mut OpencodeReader::default(), &lines);
        assert_eq!(told.events, ["2 other", "6 turn_started", "6 text So."]);
    }

    #[test]
    fn what_is_none_of_opencodes_is_said() {
        let lines = [
            r#"{"id":"m","sessionID":"s","role":"tool"}"#,
            r#"{"id":"m","messageID":"m","type":"tool"}"#,
            "{}",
        ];
        let told = told(&mut OpencodeReader::default(), &lines);
        let problems = [
            r#"1 has the role "tool", which no message has"#,
            "3 is no session, message or part of opencode",
        ];
        assert_eq!(told.problems, problems);
    }
}
