//! The texts of a message, and the place of each.

use turnkeeper_base::json::Json;
use turnkeeper_base::text::Size;

use super::pieces::units;
use super::place::{Place, PlaceKey};

/// A text that a tool or the user said, and its place.
#[derive(Clone, Copy)]
pub(super) struct Said<'a> {
    pub(super) text: &'a str,
    pub(super) at: At,
}

/// The place of a whole text.
#[derive(Clone, Copy)]
pub(super) struct At {
    pub(super) index: u32,
    pub(super) path: TextPath,
}

#[derive(Clone, Copy)]
pub(super) enum TextPath {
    /// The content, which is a string.
    Content,
    /// The text of a part.
    Text(usize),
    /// The content of a result, which is a string.
    Result(usize),
    /// The text of a part of a result.
    ResultText(usize, usize),
    /// An argument of a call.
    Argument(usize, &'static str),
}

impl At {
    /// The place of that much of a text, from `start` on, in bytes.
    pub(super) fn place(self, text: &str, start: usize, size: Size) -> Place {
        let start = units(&text[..start]) as u32;
        let end = start + size.units;
        let (part, keys) = match self.path {
            TextPath::Content => (None, vec![]),
            TextPath::Text(part) => (Some(part), vec!["text".into()]),
            TextPath::Result(part) => (Some(part), vec!["content".into()]),
            TextPath::ResultText(part, at) => (
                Some(part),
                vec!["content".into(), PlaceKey::Index(at as u32), "text".into()],
            ),
            TextPath::Argument(part, field) => (Some(part), vec!["input".into(), field.into()]),
        };
        Place {
            index: self.index,
            part: part.map_or(-1, |part| part as i32),
            keys,
            start,
            end,
        }
    }
}

/// The parts of a content; a string is one text part.
pub(super) fn parts_of<'a>(content: &'a Json<'a>) -> &'a [Json<'a>] {
    match content {
        Json::Text(_) => std::slice::from_ref(content),
        _ => content.items(),
    }
}

pub(super) fn is_of_type(part: &Json, kind: &str) -> bool {
    part.get("type").and_then(Json::as_text) == Some(kind)
}

/// The text of a part, if it is one of text, which is the content itself where that is a string.
pub(super) fn text_of<'a>(
    content: &'a Json<'a>,
    part: &'a Json<'a>,
    at: usize,
) -> Option<(&'a str, TextPath)> {
    if let Json::Text(text) = content {
        return Some((text, TextPath::Content));
    }
    let text = part.get("text")?.as_text()?;
    is_of_type(part, "text").then_some((text, TextPath::Text(at)))
}

/// The text of a tool's result that holds no other text.
pub(super) fn result_text<'a>(part: &'a Json<'a>, at: usize) -> Option<(&'a str, TextPath)> {
    let content = part.get("content")?;
    if let Json::Text(text) = content {
        return Some((text, TextPath::Result(at)));
    }
    let texts = content.items().iter().enumerate();
    let mut texts = texts.filter(|(_, inner)| is_of_type(inner, "text"));
    let mut texts = texts.by_ref().filter_map(|(inner, part)| {
        Some((
            part.get("text")?.as_text()?,
            TextPath::ResultText(at, inner),
        ))
    });
    let found = texts.next()?;
    texts.next().is_none().then_some(found)
}
