//! Messages of every provider as the deduper reads them, in the shape of Anthropic's API, and the way back: where in the
//! provider's own message a text is that gives way.
//!
//! | file | |
//! |---|---|
//! | `mod.rs` | a message as it is read, and the way back |
//! | `provider.rs` | whose shape a message has |
//! | `view.rs` | the messages of each provider in one shape |
//! | `reading.rs` | parts, and the messages of Anthropic and of VS Code |
//! | `openai.rs`, `gemini.rs`, `ai_sdk.rs` | those of the others |

mod ai_sdk;
mod gemini;
mod openai;
mod provider;
mod reading;
#[cfg(test)]
mod tests;
mod view;

use std::ops::Range;

use turnkeeper_base::json::{Change, Edit, Json, Key, Piece, text_of, value_at, within};

pub use self::provider::Shape;
use super::MessageRole;
use super::reading::PlaceKey;

/// A message as the deduper reads it.
#[derive(Debug)]
pub struct View<'a> {
    /// Whose shape it has.
    pub shape: Shape,
    /// Whose message it is: a tool's is the user's.
    pub role: MessageRole,
    /// Whether it is an item of OpenAI's Responses, which is no message of its own.
    pub is_item: bool,
    message: &'a Json<'a>,
    /// The field that holds its parts.
    list: &'static str,
    content: Content<'a>,
    /// Where its parts are in the provider's message; those beyond are in the content as they are.
    sources: Vec<Source>,
}

#[derive(Debug)]
enum Content<'a> {
    /// The message's own.
    Own(&'a Json<'a>),
    Made(Json<'a>),
}

/// Where a part is in the provider's message.
#[derive(Debug)]
enum Source {
    /// In the content as it is.
    Same,
    /// A text, to which the keys lead.
    Text(Vec<Key>),
    /// A result, of which the keys lead to what the tool said.
    Result(Vec<Key>, Said),
    /// A call, of which the keys lead to the arguments.
    Call(Vec<Key>, Arguments),
}

/// The form of what a tool said.
#[derive(Debug)]
enum Said {
    /// A string, or a list of parts whose texts have this name.
    Plain(&'static str),
    /// A string of JSON within a string: its bytes.
    Within(Range<usize>),
    /// Another value, in whose place a text comes: as it is, or in a field of an object.
    Value(Instead),
}

/// The text in the place of a value that was none.
#[derive(Debug, Clone, Copy)]
enum Instead {
    Text,
    /// Gemini's response.
    Output,
    /// An output of the AI SDK, which may tell of an error.
    TypedText {
        is_error: bool,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Arguments {
    /// An object.
    Plain,
    /// JSON in a string.
    Json,
    /// They are not written back.
    Fixed,
}

impl<'a> View<'a> {
    /// A message, or an item of OpenAI's Responses, of any provider; `None` for what is in no provider's shape. Arguments that
    /// are JSON in a string are read only if `reads_arguments`.
    pub fn of(message: &'a Json<'a>, reads_arguments: bool) -> Option<Self> {
        let shape = Shape::of(message)?;
        Some(view::view(message, shape, reads_arguments))
    }

    /// Its content in the shape of Anthropic's API: a text, or a list of parts. Parts that are none of a text, a call or a
    /// result are the provider's own.
    pub fn content(&self) -> &Json<'_> {
        match &self.content {
            Content::Own(content) => content,
            Content::Made(content) => content,
        }
    }

    /// The provider's own message.
    pub fn message(&self) -> &'a Json<'a> {
        self.message
    }

    /// The keys that lead to its parts in the provider's message.
    pub fn list(&self) -> &'static str {
        self.list
    }

    /// Whether its parts are a list in a message of the user's, to which one of text may be added.
    pub(super) fn list_is_the_users(&self) -> bool {
        let role = self.message.get("role").and_then(Json::as_text);
        let is_list = matches!(self.message.get(self.list), Some(Json::List(_)));
        is_list && !matches!(role, Some("tool" | "function"))
    }

    /// The text to which the keys lead from a part, or from the content if it is a string (-1).
    pub(super) fn text(&self, part: i32, keys: &[PlaceKey]) -> Option<&str> {
        let mut value = match usize::try_from(part) {
            Ok(at) => self.content().items().get(at)?,
            Err(_) => self.content(),
        };
        for key in keys {
            value = match key {
                PlaceKey::Name(name) => value.get(name)?,
                PlaceKey::Index(at) => value.items().get(*at as usize)?,
            };
        }
        value.as_text()
    }

    /// The edit of the provider's message that makes those pieces of the text to which the keys lead from a part. `None` for
    /// arguments that cannot be written back.
    pub(super) fn edit(&self, part: i32, keys: &[PlaceKey], pieces: Vec<Piece>) -> Option<Edit> {
        let Ok(at) = usize::try_from(part) else {
            return Some(text_edit(vec![self.list.into()], pieces));
        };
        match self.sources.get(at) {
            None | Some(Source::Same) => {
                let mut path = vec![self.list.into(), at.into()];
                path.extend(keys.iter().map(PlaceKey::key));
                Some(text_edit(path, pieces))
            }
            Some(Source::Text(path)) => Some(text_edit(path.clone(), pieces)),
            Some(Source::Result(path, said)) => {
                let text = self.text(part, keys)?;
                let rest = keys.get(1..).unwrap_or_default();
                self.edit_of_result(path, said, rest, text, pieces)
            }
            Some(Source::Call(path, form)) => {
                let field = keys.get(1)?.key();
                match form {
                    Arguments::Plain => {
                        let path = path.iter().copied().chain([field]).collect();
                        Some(text_edit(path, pieces))
                    }
                    Arguments::Json => {
                        let json = self.message.at(path)?.as_text()?;
                        let string = value_at(json.as_bytes(), &[field])?;
                        Some(text_edit(path.clone(), within(json, string, &pieces)))
                    }
                    Arguments::Fixed => None,
                }
            }
        }
    }

    fn edit_of_result(
        &self,
        path: &[Key],
        said: &Said,
        rest: &[PlaceKey],
        text: &str,
        pieces: Vec<Piece>,
    ) -> Option<Edit> {
        let mut path = path.to_vec();
        match said {
            Said::Plain(name) => {
                path.extend(rest.iter().map(|key| match key {
                    PlaceKey::Name(_) => Key::Name(name),
                    PlaceKey::Index(_) => key.key(),
                }));
                Some(text_edit(path, pieces))
            }
            Said::Within(string) => {
                let json = self.message.at(&path)?.as_text()?;
                let pieces = within(json, string.clone(), &pieces);
                Some(text_edit(path, pieces))
            }
            Said::Value(instead) => {
                let text: Json<'static> = text_of(text, &pieces).into();
                let value = match instead {
                    Instead::Text => text,
                    Instead::Output => Json::object([("output", text)]),
                    Instead::TypedText { is_error } => {
                        let kind = if *is_error { "error-text" } else { "text" };
                        Json::object([("type", kind.into()), ("value", text)])
                    }
                };
                let change = Change::Value(value);
                Some(Edit { keys: path, change })
            }
        }
    }

    /// A new part of text, made like those that are there.
    pub fn text_part(&self, text: String) -> Json<'static> {
        let parts = self.message.get(self.list).map_or(&[][..], Json::items);
        let is_of =
            |part: &&Json, kind: &str| part.get("type").and_then(Json::as_text) == Some(kind);
        let kind = match self.shape {
            Shape::Gemini => return Json::object([("text", text.into())]),
            Shape::Vscode => return Json::object([("value", text.into())]),
            Shape::Anthropic if self.sources.iter().any(|it| matches!(it, Source::Text(_))) => {
                return Json::object([("text", text.into())]);
            }
            Shape::OpenAi if parts.iter().any(|part| is_of(&part, "input_text")) => "input_text",
            _ => "text",
        };
        Json::object([("type", kind.into()), ("text", text.into())])
    }
}

fn text_edit(keys: Vec<Key>, pieces: Vec<Piece>) -> Edit {
    let change = Change::Text(pieces);
    Edit { keys, change }
}

impl PlaceKey {
    fn key(&self) -> Key {
        match self {
            Self::Name(name) => Key::Name(name),
            Self::Index(at) => Key::Index(*at as usize),
        }
    }
}
