//! A whole history as JSON: messages in, repaired messages and a report out.

use std::borrow::Cow;

use rustc_hash::FxHashMap;
use turnkeeper_base::error::Error;
use turnkeeper_base::json::{Json, written};
use turnkeeper_base::text::{Size, lossy};
use turnkeeper_messages::is_blank;

use super::edits::{PartChange, PartEdit, TextRanges};
use super::message::{CandidateText, MessagePosition, TextPlace, UserMessage};
use super::reading::PlaceKey;
use super::{DedupeOptions, DedupeReport, HistoryDeduper, MessageRole, Superseded};

/// A history that was repaired.
#[derive(Debug, Clone)]
pub struct DedupedHistory<'a> {
    /// Its messages. Those that need no repair are as they were given.
    pub messages: Vec<Cow<'a, Json<'a>>>,
    /// The report of what was done, and of what waits. The indexes of messages are those of the history as it was
    /// given.
    pub report: DedupeReport,
    /// The copies of files and the results that gave way to a line.
    pub superseded: Vec<Superseded>,
}

/// Repairs a history whose messages are in the shape of Anthropic's API: leaves one block in each user message, at
/// the end, and one result for each call; and lets go what the options ask for. A message that held nothing
/// but second results goes.
///
/// ```
/// use turnkeeper_history_deduper::json::{Json, parse};
/// use turnkeeper_history_deduper::{DedupeOptions, dedupe_history};
///
/// let file = "let answer = 42;\n".repeat(20);
/// let mut history = Vec::new();
/// for id in ["a", "b"] {
///     let input = r#"{"path":"src/main.rs"}"#;
///     history.push(format!(
///         r#"{{"role":"assistant","content":[{{"type":"tool_use","id":"{id}","name":"read_file","input":{input}}}]}}"#
///     ));
///     history.push(format!(
///         r#"{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"{id}","content":{file:?}}}]}}"#
///     ));
/// }
/// let text = format!("[{}]", history.join(","));
/// let mut room = Vec::new();
/// let messages = parse(text.as_bytes(), &mut room).expect("JSON");
///
/// let options = DedupeOptions::from_json(r#"{ "files": "newest" }"#)?;
/// let deduped = dedupe_history(messages.items(), options)?;
///
/// assert_eq!(deduped.superseded[0].path, "src/main.rs");
/// let result = &deduped.messages[1].get("content").expect("parts").items()[0];
/// let notice = result.get("content").and_then(Json::as_text).expect("a text");
/// assert_eq!(
///     notice,
///     "[An older copy of src/main.rs, 340 characters, stood here; the newest is in message 3.]"
/// );
/// assert_eq!(*deduped.messages[3], messages.items()[3]);
/// # Ok::<(), turnkeeper_history_deduper::Error>(())
/// ```
///
/// # Errors
/// `invalid_config`, naming the option, for options that do not fit.
pub fn dedupe_history<'a>(
    messages: &'a [Json<'a>],
    options: DedupeOptions,
) -> Result<DedupedHistory<'a>, Error> {
    let mut deduper = HistoryDeduper::new(options)?;
    let is_users = |message: &&Json| role_of(message) == MessageRole::User;
    deduper.expect_user_messages(messages.iter().filter(is_users).count() as u64);
    let is_embedded = deduper.settings().is_embedded;
    let mut changes: FxHashMap<u32, Changes> = FxHashMap::default();
    let mut user_index = 0;
    for (index, message) in (0..).zip(messages) {
        let (role, content) = (role_of(message), content_of(message));
        let gone = deduper.take_message(index, role, false, content);
        if role == MessageRole::User {
            let position = MessagePosition { index, user_index };
            deduper.read(position, &user_message(content, is_embedded));
            user_index += 1;
        }
        for part in &gone {
            let output = content.items()[*part].get("content");
            deduper.result_again(index, Size::of_text(&words_of(output)));
        }
        if !gone.is_empty() {
            changes.entry(index).or_default().gone = gone;
        }
    }
    if deduper.settings().needs_sizes {
        deduper.set_message_tokens(messages.iter().map(tokens_of).collect());
    }
    for message in deduper.finish() {
        changes.entry(message.index).or_default().edits = message.edits;
    }
    let superseded = deduper.superseded().to_vec();
    for one in &superseded {
        let changes = changes.entry(one.place.index).or_default();
        changes.superseded.push(one);
    }
    let repaired = (0..).zip(messages).filter_map(|(index, message)| {
        let Some(changes) = changes.get(&index) else {
            return Some(Cow::Borrowed(message));
        };
        let content = changes.made(content_of(message));
        let is_left = changes.gone.is_empty() || !content.items().is_empty();
        is_left.then(|| Cow::Owned(with_content(message, content)))
    });
    Ok(DedupedHistory {
        messages: repaired.collect(),
        report: deduper.report(),
        superseded,
    })
}

fn role_of(message: &Json) -> MessageRole {
    let role = message.get("role").and_then(Json::as_text);
    role.map_or(MessageRole::Other, MessageRole::of)
}

fn content_of<'a>(message: &'a Json<'a>) -> &'a Json<'a> {
    message.get("content").unwrap_or(&Json::Null)
}

/// A message with another content.
fn with_content<'a>(message: &Json<'a>, content: Json<'static>) -> Json<'a> {
    let mut message = message.clone();
    if let Json::Object(fields) = &mut message
        && let Some((_, field)) = fields.iter_mut().rfind(|(field, _)| field == "content")
    {
        *field = content;
    }
    message
}

/// The texts of a content that may hold blocks.
fn user_message<'a>(content: &'a Json<'a>, is_embedded: bool) -> UserMessage<'a> {
    if let Json::Text(text) = content {
        return UserMessage::from_text(text);
    }
    let parts = content.items();
    let mut texts = Vec::new();
    let mut has_other_content = false;
    for (at, part) in (0..).zip(parts) {
        let place = match part.get("type").and_then(Json::as_text) {
            Some("text") => Some(TextPlace::TextPart),
            Some("tool_result") if is_embedded => Some(TextPlace::ToolResult),
            _ => None,
        };
        let text = text_at(part, &keys_of_text(part));
        match (place, text) {
            (Some(TextPlace::TextPart), Some(text)) => {
                texts.push(CandidateText::new(at, TextPlace::TextPart, text));
            }
            (Some(place), Some(text)) if !is_blank(text) => {
                texts.push(CandidateText::new(at, place, text));
            }
            _ => has_other_content = true,
        }
    }
    UserMessage {
        texts,
        part_count: parts.len() as u32,
        has_other_content,
    }
}

/// The keys that lead from a part to the text of which edits speak: of a tool's result the last.
fn keys_of_text(part: &Json) -> Vec<PlaceKey> {
    if part.get("type").and_then(Json::as_text) == Some("text") {
        return vec!["text".into()];
    }
    let inner = part.get("content").map_or(&[][..], Json::items);
    let is_text = |part: &Json| part.get("type").and_then(Json::as_text) == Some("text");
    match inner.iter().rposition(is_text) {
        Some(at) => vec!["content".into(), PlaceKey::Index(at as u32), "text".into()],
        None => vec!["content".into()],
    }
}

fn text_at<'a>(mut value: &'a Json<'a>, keys: &[PlaceKey]) -> Option<&'a str> {
    for key in keys {
        value = match key {
            PlaceKey::Name(name) => value.get(name)?,
            PlaceKey::Index(at) => value.items().get(*at as usize)?,
        };
    }
    value.as_text()
}

fn set_text(mut value: &mut Json, keys: &[PlaceKey], text: String) {
    for key in keys {
        let inner = match (value, key) {
            (Json::Object(fields), PlaceKey::Name(name)) => {
                let field = fields.iter_mut().rfind(|(field, _)| field == name);
                field.map(|(_, value)| value)
            }
            (Json::List(items), PlaceKey::Index(at)) => items.get_mut(*at as usize),
            _ => None,
        };
        let Some(inner) = inner else { return };
        value = inner;
    }
    *value = text.into();
}

/// Everything that changes of a content.
#[derive(Default)]
struct Changes<'a> {
    edits: Vec<PartEdit>,
    /// The texts that give way, in their order.
    superseded: Vec<&'a Superseded>,
    /// The indexes of the parts that go.
    gone: Vec<usize>,
}

impl Changes<'_> {
    fn made(&self, content: &Json) -> Json<'static> {
        if let Json::Text(text) = content {
            let ranges = self.edits.iter().find_map(|edit| match &edit.change {
                PartChange::Rewrite { text } => Some(text),
                _ => None,
            });
            return self.text(-1, &[], text, ranges).into();
        }
        let Json::List(given) = content else {
            return content.clone().into_owned();
        };
        let mut parts: Vec<Option<Json<'static>>> = (0..)
            .zip(given)
            .map(|(at, part)| Some(self.part(at, part, None)))
            .collect();
        let mut at_the_end = Vec::new();
        for PartEdit { part: at, change } in &self.edits {
            let (at, part) = (*at as usize, &given[*at as usize]);
            match change {
                PartChange::Rewrite { text } => parts[at] = Some(self.part(at, part, Some(text))),
                PartChange::Remove => parts[at] = None,
                PartChange::MoveToEnd { text } => {
                    parts[at] = None;
                    at_the_end.push(self.part(at, part, text.as_ref()));
                }
                PartChange::AppendText { text } => {
                    let keys = keys_of_text(part);
                    let whole = text_at(part, &keys).unwrap_or_default();
                    let text = self.text(at as i32, &keys, whole, Some(text));
                    at_the_end.push(Json::object([
                        ("type", "text".into()),
                        ("text", text.into()),
                    ]));
                }
            }
        }
        for at in &self.gone {
            parts[*at] = None;
        }
        Json::List(parts.into_iter().flatten().chain(at_the_end).collect())
    }

    /// A part with the ranges that stay of the text that may hold blocks.
    fn part(&self, at: usize, part: &Json, ranges: Option<&TextRanges>) -> Json<'static> {
        let mut made = part.clone().into_owned();
        let given_way = self.superseded.iter().map(|one| &one.place);
        let given_way = given_way.filter(|place| place.part == at as i32);
        let mut paths: Vec<(Vec<PlaceKey>, Option<&TextRanges>)> = Vec::new();
        if ranges.is_some() {
            paths.push((keys_of_text(part), ranges));
        }
        for place in given_way {
            if paths.iter().all(|(keys, _)| *keys != place.keys) {
                paths.push((place.keys.clone(), None));
            }
        }
        for (keys, ranges) in paths {
            if let Some(text) = text_at(part, &keys) {
                set_text(&mut made, &keys, self.text(at as i32, &keys, text, ranges));
            }
        }
        made
    }

    /// A text with the lines in place of what gave way, and of it the ranges that stay.
    fn text(
        &self,
        part: i32,
        keys: &[PlaceKey],
        text: &str,
        ranges: Option<&TextRanges>,
    ) -> String {
        let units: Vec<u16> = text.encode_utf16().collect();
        let whole = 0..units.len();
        let ranges = ranges.map_or(std::slice::from_ref(&whole), |ranges| &ranges.0);
        let mut made = Vec::new();
        for range in ranges {
            let mut at = range.start;
            let here = self.superseded.iter().filter(|one| {
                let place = &one.place;
                let is_within =
                    place.start as usize >= range.start && place.end as usize <= range.end;
                place.part == part && place.keys == keys && is_within
            });
            let mut here: Vec<&&Superseded> = here.collect();
            here.sort_by_key(|one| one.place.start);
            for one in here {
                made.extend_from_slice(&units[at..one.place.start as usize]);
                made.extend(one.notice.encode_utf16());
                at = one.place.end as usize;
            }
            made.extend_from_slice(&units[at..range.end]);
        }
        lossy(&made)
    }
}

/// The estimated tokens of what a message says, calls and answers.
fn tokens_of(message: &Json) -> u32 {
    let content = content_of(message);
    if let Json::Text(text) = content {
        return Size::of_text(text).tokens();
    }
    let of = |value: Option<&Json>| Size::of_text(&words_of(value)).tokens();
    let of_part = |part: &Json| match part.get("type").and_then(Json::as_text) {
        Some("text") => of(part.get("text")),
        Some("thinking") => of(part.get("thinking")),
        Some("tool_use") => of(part.get("name")) + of(part.get("input")),
        Some("tool_result") => of(part.get("content")),
        _ => 0,
    };
    content.items().iter().map(of_part).sum()
}

/// The words of a value: a text, the texts of parts, a line each, or else JSON.
fn words_of(value: Option<&Json>) -> String {
    match value {
        None | Some(Json::Null) => String::new(),
        Some(Json::Text(text)) => text.to_string(),
        Some(Json::List(parts)) if parts.iter().any(|part| part.get("text").is_some()) => {
            let texts = parts.iter().map(|part| words_of(part.get("text")));
            texts.collect::<Vec<_>>().join("\n")
        }
        Some(other) => written(other),
    }
}

#[cfg(test)]
mod tests {
    use turnkeeper_base::json::parse;

    use super::*;

    const BLOCK: &str = "<environment_details>\\n# Time\\nnow\\n</environment_details>";

    /// The history as JSON, and of what gave way the indexes of the messages.
    fn deduped(history: &str, options: &str) -> (String, Vec<u32>) {
        let mut room = Vec::new();
        let history = parse(history.as_bytes(), &mut room).expect("JSON");
        let options = DedupeOptions::from_json(options).expect("options");
        let deduped = dedupe_history(history.items(), options).expect("options that fit");
        let messages: Vec<&Json> = deduped.messages.iter().map(|message| &**message).collect();
        let given_way = deduped.superseded.iter().map(|one| one.place.index);
        (written(&messages), given_way.collect())
    }

    fn call(id: &str, name: &str, input: &str) -> String {
        format!(
            r#"{{"role":"assistant","content":[{{"type":"tool_use","id":"{id}","name":"{name}","input":{input}}}]}}"#
        )
    }

    fn result(id: &str, content: &str) -> String {
        format!(
            r#"{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"{id}","content":{content:?}}}]}}"#
        )
    }

    #[test]
    fn a_message_that_holds_only_a_second_result_goes() {
        let history = [
            call("a", "ls", "{}"),
            result("a", "one"),
            result("a", "again"),
            r#"{"role":"user","content":"Go on."}"#.to_owned(),
        ];
        let left = [&history[0], &history[1], &history[3]].map(String::as_str);
        let (messages, _) = deduped(&format!("[{}]", history.join(",")), "{}");
        assert_eq!(messages, format!("[{}]", left.join(",")));
    }

    #[test]
    fn a_text_loses_a_copy_and_a_block_at_once() {
        let file = "let a = 1;\\n".repeat(30);
        let mention = |after: &str| {
            format!(
                r#"{{"role":"user","content":"See a.\n\n<file_content path=\"a.rs\">\n{file}</file_content>{after}"}}"#
            )
        };
        let history = [
            mention(&format!(r"\n\n{BLOCK}\n{BLOCK}")),
            r#"{"role":"assistant","content":"Yes."}"#.to_owned(),
            mention(""),
        ];
        let text = format!("[{}]", history.join(","));
        let (messages, given_way) = deduped(&text, r#"{"files":"newest"}"#);
        assert_eq!(given_way, [0]);
        let notice =
            "[An older copy of a.rs, 329 characters, stood here; the newest is in message 2.]";
        let expected = format!(
            r#"{{"role":"user","content":"See a.\n\n<file_content path=\"a.rs\">\n{notice}\n</file_content>\n\n{BLOCK}"}}"#
        );
        let expected = [&expected, &history[1], &history[2]].map(String::as_str);
        assert_eq!(messages, format!("[{}]", expected.join(",")));
    }

    #[test]
    fn a_nearly_full_context_loses_writes_and_repeated_results() {
        let file = "let a = 1;\n".repeat(30);
        let output = "ok\n".repeat(200);
        let write = format!(r#"{{"path":"a.rs","content":{file:?}}}"#);
        let history = [
            call("a", "write_to_file", &write),
            result("a", "The file was saved."),
            call("b", "read_file", r#"{"path":"a.rs"}"#),
            result("b", &file),
            call("c", "bash", r#"{"command":"npm test"}"#),
            result("c", &output),
            call("d", "bash", r#"{"command":"npm test"}"#),
            result("d", &output),
        ];
        let text = format!("[{}]", history.join(","));
        let (_, given_way) = deduped(&text, r#"{"economy":"compact"}"#);
        assert_eq!(given_way, [0, 5]);
        let enough = r#"{"economy":"compact","targetTokens":100000}"#;
        assert_eq!(deduped(&text, enough), (text, vec![]));
    }
}
