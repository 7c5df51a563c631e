//! Events as JSON has them: an object each, with a `type`.

use std::borrow::Cow;

use turnkeeper_base::json::{Json, written};

use crate::event::Event;
use crate::events::of;
use crate::tool_output::text_of;

/// The types of events.
pub const EVENT_TYPES: &[&str] = &[
    "text", "reasoning", "tool_call", "tool_result", "turn_started", "user_message", "finished",
    "condensation", "retry", "loop_reported", "other", "prompt_started",
];

impl<'a> Event<'a> {
    /// The event that a value is.
    ///
    /// # Errors
    /// For a value that is none, the reason in words that name the field.
    pub fn read(value: &'a Json<'a>) -> Result<Self, String> {
        let Some(kind) = value.get("type").and_then(Json::as_text) else {
            return Err("is not an event: a JSON object with a type is needed".to_owned());
        };
        let fields = Fields { value, kind };
        Ok(match kind {
            "text" => Self::Text {
                text: fields.required("text")?,
            },
            "reasoning" => Self::Reasoning {
                text: fields.required("text")?,
            },
            "tool_call" => Self::ToolCall {
                id: fields.text("id")?,
                name: fields.required("name")?,
                args: value.get("args").map(Cow::Borrowed),
                key: fields.text("key")?,
            },
            "tool_result" => fields.result()?,
            "turn_started" => Self::TurnStarted,
            "user_message" => Self::UserMessage {
                words: None,
                is_report: false,
            },
            "finished" => Self::Finished,
            "condensation" => Self::Condensation,
            "retry" => Self::Retry,
            "loop_reported" => Self::LoopReported {
                by: fields.text("by")?,
                detail: fields.text("detail")?,
            },
            "prompt_started" => Self::PromptStarted {
                prompt_id: fields.required("promptId")?,
                model: fields.text("model")?,
                user_prompt: fields.text("userPrompt")?,
            },
            "other" => Self::Other,
            _ => {
                let shown = written(kind);
                return Err(format!("is not an event: no event has the type {shown}"));
            }
        })
    }
}

/// The fields of an event of a type; `null` stands for none.
struct Fields<'a> {
    value: &'a Json<'a>,
    kind: &'a str,
}

impl<'a> Fields<'a> {
    fn text(&self, name: &str) -> Result<Option<Cow<'a, str>>, String> {
        match of(self.value, name) {
            None => Ok(None),
            Some(Json::Text(text)) => Ok(Some(Cow::Borrowed(text))),
            Some(_) => Err(self.wrong(name, "a string")),
        }
    }

    fn required(&self, name: &str) -> Result<Cow<'a, str>, String> {
        self.text(name)?.ok_or_else(|| self.wrong(name, "a string"))
    }

    fn result(&self) -> Result<Event<'a>, String> {
        let output = match of(self.value, "output") {
            Some(output @ (Json::Text(_) | Json::List(_))) => text_of(output),
            _ => return Err(self.wrong("output", "a string or an array of parts")),
        };
        let is_error = match of(self.value, "isError") {
            None => None,
            Some(Json::Bool(is_error)) => Some(*is_error),
            Some(_) => return Err(self.wrong("isError", "a boolean")),
        };
        let exit_code = match of(self.value, "exitCode") {
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

    fn wrong(&self, name: &str, needed: &str) -> String {
        format!("{}: {name} must be {needed}", self.kind)
    }
}
