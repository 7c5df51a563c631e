//! The blocks of a message, before and after a repair.

use std::borrow::Cow;

use serde::Serialize;
use turnkeeper_base::json::{Json, written};
use turnkeeper_base::names;
use turnkeeper_base::text::Size;
use turnkeeper_messages::{Event, Part, parts_of};

use crate::words::words_of;

names! {
    /// The kind of a block.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
    #[serde(rename_all = "lowercase")]
    BlockKind {
        System,
        Environment,
        User,
        Text,
        Reasoning,
        Calls,
        Results,
        Images,
    }
}

/// The fate of a block: it is gone, it has taken the place of one that is, or neither.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Fate {
    Kept,
    Removed,
    New,
}

/// A part of a message.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Block {
    pub(super) kind: BlockKind,
    pub(super) text: String,
}

impl Block {
    fn new<'t>(kind: BlockKind, text: impl Into<Cow<'t, str>>) -> Self {
        let text = text.into().into_owned();
        Self { kind, text }
    }

    pub(super) fn size(&self) -> Size {
        Size::of_text(&self.text)
    }
}

/// The blocks of a message, whichever provider's it is, in their order.
pub(super) fn blocks_of(message: &Json) -> Vec<Block> {
    let role = message
        .get("role")
        .and_then(Json::as_text)
        .unwrap_or_default();
    let parts = parts_of(message);
    if !parts.is_empty() {
        let blocks = parts
            .into_iter()
            .flat_map(|part| blocks_of_part(role, part));
        return blocks.collect();
    }
    // Content that nobody knows is shown as it is written.
    let content = message.get("content").or_else(|| message.get("parts"));
    let said = |content: &&Json| match content {
        Json::Null => false,
        Json::Text(text) => !text.is_empty(),
        Json::List(items) => !items.is_empty(),
        _ => true,
    };
    let content = content.filter(said).into_iter();
    content
        .map(|content| Block::new(kind_of(role), written(content)))
        .collect()
}

fn blocks_of_part(role: &str, part: Part) -> Vec<Block> {
    let event = match part {
        Part::Event(event) => event,
        Part::NamelessCall => return vec![Block::new(BlockKind::Calls, "")],
        Part::Image => return vec![Block::new(BlockKind::Images, "")],
    };
    match event {
        Event::Text { text } => said(role, text),
        Event::Reasoning { text } => vec![Block::new(BlockKind::Reasoning, text)],
        Event::ToolCall { .. } => {
            let mut room = String::new();
            vec![Block::new(BlockKind::Calls, words_of(&event, &mut room))]
        }
        Event::ToolResult { output, .. } => vec![Block::new(BlockKind::Results, output)],
        _ => Vec::new(),
    }
}

const ENVIRONMENT: (&str, &str) = ("<environment_details>", "</environment_details>");

/// A text, of the user's with elements of environment as blocks of their own.
fn said(role: &str, text: Cow<str>) -> Vec<Block> {
    if role != "user" {
        return vec![Block::new(kind_of(role), text)];
    }
    let mut blocks = Vec::new();
    let mut rest = text.as_ref();
    let (open, close) = ENVIRONMENT;
    while let Some(start) = rest.find(open) {
        let Some(length) = rest[start..].find(close) else {
            break;
        };
        let end = start + length + close.len();
        blocks.push(Block::new(BlockKind::User, &rest[..start]));
        blocks.push(Block::new(BlockKind::Environment, &rest[start..end]));
        rest = &rest[end..];
    }
    blocks.push(Block::new(BlockKind::User, rest));
    blocks.retain(|block| !block.text.trim().is_empty());
    blocks
}

fn kind_of(role: &str) -> BlockKind {
    match role {
        "system" | "developer" => BlockKind::System,
        "tool" | "function" => BlockKind::Results,
        "user" => BlockKind::User,
        _ => BlockKind::Text,
    }
}

/// Tells each block before and after what happened to it, in their order. White space at the ends may go with a neighbour.
pub(super) fn compared<'b>(
    before: &'b [Block],
    after: &'b [Block],
    mut tell: impl FnMut(&'b Block, Fate),
) {
    let mut rest = after;
    for block in before {
        let words = block.text.trim();
        match rest.iter().position(|other| other.text.trim() == words) {
            None => tell(block, Fate::Removed),
            Some(at) => {
                rest[..at].iter().for_each(|new| tell(new, Fate::New));
                tell(block, Fate::Kept);
                rest = &rest[at + 1..];
            }
        }
    }
    rest.iter().for_each(|new| tell(new, Fate::New));
}

#[cfg(test)]
mod tests {
    use turnkeeper_base::json::parse;

    use super::*;

    fn blocks(message: &str) -> Vec<(BlockKind, String)> {
        let mut room = Vec::new();
        let message = parse(message.as_bytes(), &mut room).expect("JSON");
        let blocks = blocks_of(&message).into_iter();
        blocks.map(|block| (block.kind, block.text)).collect()
    }

    #[test]
    fn parts_of_a_message_are_blocks() {
        use BlockKind::*;
        let user = r#"{"role":"user","content":"Hi.\n<environment_details>a</environment_details>\nBye."}"#;
        let expected = [
            (User, "Hi.\n".to_owned()),
            (
                Environment,
                "<environment_details>a</environment_details>".to_owned(),
            ),
            (User, "\nBye.".to_owned()),
        ];
        assert_eq!(blocks(user), expected);
        let open = r#"{"role":"user","content":"<environment_details>a"}"#;
        assert_eq!(blocks(open)[0].0, User);
        let call = r#"{"role":"assistant","content":[{"type":"text","text":"a"},
            {"type":"tool_use","id":"1","name":"read","input":{"path":"b"}}]}"#;
        let expected = [
            (Text, "a".to_owned()),
            (Calls, r#"read {"path":"b"}"#.to_owned()),
        ];
        assert_eq!(blocks(call), expected);
        let result =
            r#"{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":"c"}]}"#;
        assert_eq!(blocks(result), [(Results, "c".to_owned())]);
        assert_eq!(
            blocks(r#"{"role":"system","content":"d"}"#),
            [(System, "d".to_owned())]
        );
        let unknown = r#"{"role":"assistant","content":[{"type":"of_next_year"}]}"#;
        assert_eq!(
            blocks(unknown),
            [(Text, r#"[{"type":"of_next_year"}]"#.to_owned())]
        );
        assert_eq!(blocks(r#"{"role":"user","content":""}"#), []);
    }

    #[test]
    fn blocks_before_and_after_are_told_apart() {
        let list = |texts: &[&str]| -> Vec<Block> {
            let blocks = texts.iter().map(|text| Block::new(BlockKind::User, *text));
            blocks.collect()
        };
        let (before, after) = (list(&["a", "b ", "c"]), list(&["a", "x", " c", "y"]));
        let mut told = Vec::new();
        compared(&before, &after, |block, fate| {
            told.push((block.text.trim(), fate))
        });
        let expected = [
            ("a", Fate::Kept),
            ("b", Fate::Removed),
            ("x", Fate::New),
            ("c", Fate::Kept),
            ("y", Fate::New),
        ];
        assert_eq!(told, expected);
    }
}
