//! Event lines: the detector's own events, an object a line, and lines that start a prompt
//! (`{"type":"prompt_started","promptId":"p1","model":"…","userPrompt":"…"}`).

use std::borrow::Cow;

use turnkeeper_base::json::Json;
use turnkeeper_messages::Event;
use turnkeeper_messages::tool_output::text_of;

use crate::sessions::format::{Format, RecordReader};
use crate::sessions::items::item;
use crate::sessions::record::{Record, Unreadable};

const TYPES: &[&str] = &[
    "text", "reasoning", "tool_call", "tool_result", "turn_started", "user_message", "finished",
    "condensation", "retry", "loop_reported", "other", "prompt_started",
];

/// Whether it is an event as the detector takes it, or the line that starts a prompt.
pub(super) fn is_event_line(value: &Json) -> bool {
    let kind = value.get("type").and_then(Json::as_text);
    kind.is_some_and(|kind| TYPES.contains(&kind))
}

/// Reads event lines.
#[derive(Debug)]
pub(super) struct EventReader;

impl RecordReader for EventReader {
    fn format(&self) -> Format {
        Format::Events
    }

    fn read<'a>(&mut self, value: &'a Json<'a>, _place: u32) -> Result<Record<'a>, Unreadable> {
        let items = vec![item(event_of(value)?)];
        Ok(Record {
            items,
            ..Record::default()
        })
    }
}

fn event_of<'a>(value: &'a Json<'a>) -> Result<Event<'a>, Unreadable> {
    let Some(kind) = value.get("type").and_then(Json::as_text) else {
        let reason = "is not an event: a JSON object with a type is needed";
        return Err(Unreadable::new(reason));
    };
    let fields = Fields { value, kind };
    Ok(match kind {
        "text" => Event::Text {
            text: fields.required("text")?,
        },
        "reasoning" => Event::Reasoning {
            text: fields.required("text")?,
        },
        "tool_call" => Event::ToolCall {
            id: fields.text("id")?,
            name: fields.required("name")?,
            args: value.get("args").map(Cow::Borrowed),
            key: fields.text("key")?,
        },
        "tool_result" => fields.result()?,
        "turn_started" => Event::TurnStarted,
        "user_message" => Event::UserMessage {
            words: None,
            is_report: false,
        },
        "finished" => Event::Finished,
        "condensation" => Event::Condensation,
        "retry" => Event::Retry,
        "loop_reported" => Event::LoopReported {
            by: fields.text("by")?,
            detail: fields.text("detail")?,
        },
        "prompt_started" => Event::PromptStarted {
            prompt_id: fields.required("promptId")?,
            model: fields.text("model")?,
            user_prompt: fields.text("userPrompt")?,
        },
        "other" => Event::Other,
        _ => {
            let shown = turnkeeper_base::json::written(&value.get("type"));
            let reason = format!("is not an event: no event has the type {shown}");
            return Err(Unreadable::new(reason));
        }
    })
}

/// The fields of an event of a type.
struct Fields<'a> {
    value: &'a Json<'a>,
    kind: &'a str,
}

impl<'a> Fields<'a> {
    /// A field that is there; `null` stands for none.
    fn given(&self, name: &str) -> Option<&'a Json<'a>> {
        self.value.get(name).filter(|it| !matches!(it, Json::Null))
    }

    fn text(&self, name: &str) -> Result<Option<Cow<'a, str>>, Unreadable> {
        match self.given(name) {
            None => Ok(None),
            Some(Json::Text(text)) => Ok(Some(Cow::Borrowed(text))),
            Some(_) => Err(self.wrong(name, "a string")),
        }
    }

    fn required(&self, name: &str) -> Result<Cow<'a, str>, Unreadable> {
        self.text(name)?.ok_or_else(|| self.wrong(name, "a string"))
    }

    fn result(&self) -> Result<Event<'a>, Unreadable> {
        let output = match self.given("output") {
            Some(output @ (Json::Text(_) | Json::List(_))) => text_of(output),
            _ => return Err(self.wrong("output", "a string or an array of parts")),
        };
        let is_error = match self.given("isError") {
            None => None,
            Some(Json::Bool(is_error)) => Some(*is_error),
            Some(_) => return Err(self.wrong("isError", "a boolean")),
        };
        let exit_code = match self.given("exitCode") {
            None => None,
            Some(Json::Number(code)) if code.fract() == 0.0 => Some(*code as i64),
            Some(_) => return Err(self.wrong("exitCode", "a whole number")),
        };
        let id = self.text("id")?;
        Ok(Event::ToolResult {
            id,
            output,
            is_error,
            exit_code,
        })
    }

    fn wrong(&self, name: &str, needed: &str) -> Unreadable {
        Unreadable::new(format!("{}: {name} must be {needed}", self.kind))
    }
}
