//! Results as each provider has them: one that says that none was recorded, and the words of one whose call is gone.

use std::borrow::Cow;

use turnkeeper_base::json::Json;
use turnkeeper_history_deduper::shapes::{Shape, View};
use turnkeeper_messages::tool_output;

/// The text where no result was recorded.
const MISSING: &str = "No result was recorded for this call.";

/// A call that waits for its result.
#[derive(Debug, Clone)]
pub(super) struct Call {
    pub(super) id: String,
    /// Whose result it is to have.
    pub(super) form: Form,
}

/// The form of a call's result.
#[derive(Debug, Clone)]
pub(super) enum Form {
    Anthropic,
    Chat,
    /// A function of 2023, which has no id.
    Function {
        name: String,
    },
    /// An item of the type of the result.
    Item {
        kind: &'static str,
    },
    /// A call may have its id, or none.
    Gemini {
        name: String,
        has_id: bool,
    },
    /// Versions before 5 have the arguments under another name.
    AiSdk {
        name: String,
        is_old: bool,
    },
}

impl Call {
    /// The call that a part of the message is; `None` of any other part, and of one whose result has a form of its own.
    pub(super) fn of(view: &View, part: &Json, at: usize) -> Option<Self> {
        if kind_of(part) != Some("tool_use") {
            return None;
        }
        let id = part.get("id")?.as_text()?.to_owned();
        let name = || part.get("name").and_then(Json::as_text).map(str::to_owned);
        let message = view.message();
        let given = || message.get(view.list())?.items().get(at);
        let form = match view.shape {
            Shape::Anthropic => Form::Anthropic,
            Shape::OpenAi if view.is_item => Form::Item {
                kind: match kind_of(message)? {
                    "function_call" => "function_call_output",
                    "custom_tool_call" => "custom_tool_call_output",
                    "local_shell_call" => "local_shell_call_output",
                    _ => return None,
                },
            },
            Shape::OpenAi
                if message
                    .get("function_call")
                    .is_some_and(|it| *it != Json::Null) =>
            {
                Form::Function { name: name()? }
            }
            Shape::OpenAi => Form::Chat,
            Shape::Gemini => Form::Gemini {
                name: name()?,
                has_id: given()?.get("functionCall")?.get("id").is_some(),
            },
            Shape::AiSdk => Form::AiSdk {
                name: name()?,
                is_old: given()?.get("input").is_none(),
            },
            Shape::Vscode => return None,
        };
        Some(Self { id, form })
    }

    /// A result that says that none was recorded: a part of a message, or a message of its own.
    pub(super) fn missing(&self) -> Json<'static> {
        let id = || Json::from(self.id.clone());
        match &self.form {
            Form::Anthropic => Json::object([
                ("type", "tool_result".into()),
                ("tool_use_id", id()),
                ("content", MISSING.into()),
                ("is_error", true.into()),
            ]),
            Form::Chat => Json::object([
                ("role", "tool".into()),
                ("tool_call_id", id()),
                ("content", MISSING.into()),
            ]),
            Form::Function { name } => Json::object([
                ("role", "function".into()),
                ("name", name.clone().into()),
                ("content", MISSING.into()),
            ]),
            Form::Item { kind } => Json::object([
                ("type", (*kind).into()),
                ("call_id", id()),
                ("output", MISSING.into()),
            ]),
            Form::Gemini { name, has_id } => {
                let mut fields: Vec<(Cow<str>, Json)> = Vec::new();
                if *has_id {
                    fields.push(("id".into(), id()));
                }
                fields.push(("name".into(), name.clone().into()));
                fields.push(("response".into(), Json::object([("error", MISSING.into())])));
                Json::object([("functionResponse", Json::Object(fields))])
            }
            Form::AiSdk { name, is_old } => {
                let said = match is_old {
                    true => [("result", MISSING.into()), ("isError", true.into())],
                    false => {
                        let output = [("type", "error-text".into()), ("value", MISSING.into())];
                        [("output", Json::object(output)), ("isError", Json::Null)]
                    }
                };
                let mut fields: Vec<(Cow<str>, Json)> = vec![
                    ("type".into(), "tool-result".into()),
                    ("toolCallId".into(), id()),
                    ("toolName".into(), name.clone().into()),
                ];
                let said = said.into_iter().filter(|(_, value)| *value != Json::Null);
                fields.extend(said.map(|(name, value)| (name.into(), value)));
                Json::Object(fields)
            }
        }
    }

    /// Whether its result is a message or an item of its own.
    pub(super) fn is_answered_alone(&self) -> bool {
        matches!(
            self.form,
            Form::Chat | Form::Function { .. } | Form::Item { .. }
        )
    }

    /// The message that holds these results of calls of one form.
    pub(super) fn message_of(&self, results: Vec<Json<'static>>) -> Json<'static> {
        let (role, list) = match self.form {
            Form::Gemini { .. } => ("user", "parts"),
            Form::AiSdk { .. } => ("tool", "content"),
            _ => ("user", "content"),
        };
        Json::object([("role", role.into()), (list, Json::List(results))])
    }
}

/// The words of a result whose call is gone; empty if it says nothing.
pub(super) fn words_of(part: &Json) -> String {
    let content = part.get("content");
    content.map_or_else(String::new, |it| tool_output::text_of(it).into_owned())
}

/// The user's message that says what a message of a tool, or an item, has said.
pub(super) fn users_message(view: &View, words: String) -> Json<'static> {
    let is_item = view.message().get("role").is_none();
    match (is_item, view.shape) {
        (true, _) => {
            let text = [("type", "input_text".into()), ("text", words.into())];
            Json::object([
                ("type", "message".into()),
                ("role", "user".into()),
                ("content", Json::List(vec![Json::object(text)])),
            ])
        }
        (false, Shape::AiSdk) => {
            let text = [("type", "text".into()), ("text", words.into())];
            Json::object([
                ("role", "user".into()),
                ("content", Json::List(vec![Json::object(text)])),
            ])
        }
        _ => Json::object([("role", "user".into()), ("content", words.into())]),
    }
}

pub(super) fn kind_of<'a>(part: &'a Json<'a>) -> Option<&'a str> {
    part.get("type").and_then(Json::as_text)
}
