//! A whole history: messages in, of each what changes of it, and a report.

use std::borrow::Cow;

use rustc_hash::FxHashMap;
use turnkeeper_base::error::Error;
use turnkeeper_base::json::{Json, applied};
use turnkeeper_base::text::Size;
use turnkeeper_messages::tool_output::text_of;
use turnkeeper_messages::{is_blank, trimmed};

use super::history_edits::{Changes, HistoryEdits, MessageFate, keys_of_text, text_at};
use super::message::{CandidateText, MessagePosition, TextPlace, UserMessage};
use super::shapes::View;
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

/// Repairs a history: leaves one block in each user message, at the end, and one result for each call; and lets go what
/// the options ask for. A message that held nothing but second results goes. Messages may be those of Anthropic, OpenAI
/// (chat, and the items of its Responses), Gemini, the AI SDK and VS Code, and keep the shape that they have; one in no
/// provider's shape stays as it is.
///
/// For a history that is not held, [`HistoryReading`] takes one message after the other.
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
    let mut reading = HistoryReading::new(options)?;
    messages.iter().for_each(|message| reading.take(message));
    let edits = reading.finish();
    let repaired = (0..).zip(messages).filter_map(|(index, message)| {
        Some(match edits.of(index, message) {
            MessageFate::Stays => Cow::Borrowed(message),
            MessageFate::Goes => return None,
            MessageFate::Changes(edits) => Cow::Owned(applied(message, &edits)),
        })
    });
    let messages = repaired.collect();
    let HistoryEdits {
        report, superseded, ..
    } = edits;
    Ok(DedupedHistory {
        messages,
        report,
        superseded,
    })
}

/// Reads a history message by message, of which it keeps sizes, hashes, paths and places alone, until
/// [`finish`](Self::finish) says what changes of it. Messages may be of any provider.
#[derive(Debug, Clone)]
pub struct HistoryReading {
    deduper: HistoryDeduper,
    index: u32,
    user_index: u32,
    is_embedded: bool,
    needs_texts: bool,
    /// The opening and closing tags of blocks.
    tags: Vec<(String, String)>,
    /// The parts that go at once, by messages.
    gone: FxHashMap<u32, Vec<usize>>,
}

impl HistoryReading {
    /// A reading that has seen no message.
    ///
    /// # Errors
    /// `invalid_config`, naming the option, for options that do not fit.
    pub fn new(options: DedupeOptions) -> Result<Self, Error> {
        let deduper = HistoryDeduper::new(options)?;
        let settings = deduper.settings();
        let tags = settings.tags.iter();
        let tags = tags.map(|tag| (format!("<{tag}>"), format!("</{tag}>")));
        Ok(Self {
            index: 0,
            user_index: 0,
            is_embedded: settings.is_embedded,
            needs_texts: settings.needs_texts,
            tags: tags.collect(),
            gone: FxHashMap::default(),
            deduper,
        })
    }

    /// Says what relative paths start from, unless the options or an environment have said it already.
    pub fn set_root(&mut self, root: &str) {
        self.deduper.set_root(root);
    }

    /// Takes in the next message, or item of OpenAI's Responses.
    pub fn take(&mut self, message: &Json) {
        match View::of(message, self.needs_texts) {
            Some(view) => self.take_view(&view),
            None => self.index += 1,
        }
    }

    /// Takes in a message that is read already; arguments that are JSON in a string too, unless nobody needs the
    /// [texts](super::DedupeSettings::needs_texts).
    pub fn take_view(&mut self, view: &View) {
        let (index, content) = (self.index, view.content());
        let gone = self
            .deduper
            .take_message(index, view.role, view.is_item, content);
        if view.role == MessageRole::User {
            let user_index = self.user_index;
            let position = MessagePosition { index, user_index };
            let message = self.user_message(view);
            self.deduper.read_next(position, message);
            self.user_index += 1;
        }
        for part in &gone {
            let output = content.items()[*part].get("content");
            let text = output.map_or_else(Cow::default, text_of);
            self.deduper.result_again(index, Size::of_text(&text));
        }
        if !gone.is_empty() {
            self.gone.insert(index, gone);
        }
        self.index += 1;
    }

    /// The changes of the history, once all of it was taken.
    pub fn finish(mut self) -> HistoryEdits {
        let mut changes: FxHashMap<u32, Changes> = FxHashMap::default();
        for (index, gone) in self.gone {
            changes.entry(index).or_default().gone = gone;
        }
        for message in self.deduper.finish() {
            changes.entry(message.index).or_default().edits = message.edits;
        }
        let superseded = self.deduper.superseded().to_vec();
        for one in &superseded {
            let changes = changes.entry(one.place.index).or_default();
            changes.superseded.push(one.clone());
        }
        HistoryEdits {
            report: self.deduper.report(),
            superseded,
            changes,
        }
    }

    /// The texts of a message that may hold blocks; `None` of one that holds none for certain.
    fn user_message<'a>(&self, view: &'a View) -> Option<UserMessage<'a>> {
        let content = view.content();
        if let Json::Text(text) = content {
            return self.ends(text).then(|| UserMessage::from_text(text));
        }
        // A tool's message has no place for a text of its own.
        let is_embedded =
            self.is_embedded && (view.list_is_the_users() || content.items().len() == 1);
        let parts = content.items();
        let mut texts = Vec::new();
        let mut has_other_content = false;
        for (at, part) in (0..).zip(parts) {
            let place = match part.get("type").and_then(Json::as_text) {
                Some("text") => Some(TextPlace::TextPart),
                Some("tool_result") if is_embedded => Some(TextPlace::ToolResult),
                _ => None,
            };
            let text = place.and_then(|place| Some((place, text_at(part, &keys_of_text(part))?)));
            match text {
                Some((place, text))
                    if self.ends(text) && (self.is_embedded || self.begins(text)) =>
                {
                    texts.push(CandidateText::new(at, place, text));
                }
                Some((TextPlace::TextPart, text)) => has_other_content |= !is_blank(text),
                _ => has_other_content = true,
            }
        }
        (!texts.is_empty()).then_some(UserMessage {
            texts,
            part_count: parts.len() as u32,
            has_other_content,
        })
    }

    /// Whether a closing tag ends the text.
    fn ends(&self, text: &str) -> bool {
        let text = trimmed(text);
        self.tags.iter().any(|(_, close)| text.ends_with(&**close))
    }

    /// Whether an opening tag begins it.
    fn begins(&self, text: &str) -> bool {
        let text = trimmed(text);
        self.tags.iter().any(|(open, _)| text.starts_with(&**open))
    }
}

#[cfg(test)]
mod tests {
    use turnkeeper_base::json::{parse, written};

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
