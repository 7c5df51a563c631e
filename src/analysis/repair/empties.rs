//! Texts that say nothing, empty or of white space alone: providers refuse a history that has one.

use rustc_hash::FxHashMap;
use turnkeeper_base::json::{Change, Edit, Element, Json, Key};
use turnkeeper_history_deduper::MessageRole;
use turnkeeper_history_deduper::shapes::{Shape, View};
use turnkeeper_messages::is_blank;

use super::fate::{Fate, take_elements};
use super::results::kind_of;

/// The text in the place of one that has to be there.
const NOTHING: &str = "No text was recorded for this message.";

/// The messages with texts that say nothing.
#[derive(Debug, Clone, Default)]
pub(super) struct Empties {
    messages: FxHashMap<u32, Emptied>,
    /// Who spoke last, and the messages since that say nothing, with their speakers.
    before: Option<MessageRole>,
    waiting: Vec<(u32, MessageRole)>,
    /// The number of texts.
    pub(super) texts: u32,
}

/// What becomes of a message with texts that say nothing.
#[derive(Debug, Clone, PartialEq)]
enum Emptied {
    /// It says nothing at all, and goes.
    Goes,
    /// It says nothing at all, and stays with words that say so: without it one speaker would follow itself.
    Told,
    /// Some of its parts say nothing.
    Parts {
        gone: Vec<usize>,
        /// The part that stays with words, since thinking may not be the last.
        told: Option<usize>,
        /// The results of tools in which texts say nothing.
        results: Vec<usize>,
    },
}

impl Empties {
    /// Takes in the message with that index. A line of Claude Code's is a part of a message, which may go whoever speaks
    /// before and after it.
    pub(super) fn take(&mut self, index: u32, view: &View, is_line: bool) {
        let is_speaker = matches!(view.role, MessageRole::User | MessageRole::Model);
        // An item of the Responses follows its thinking; Anthropic's answers have its type, too.
        let is_open_ai = view.shape == Shape::OpenAi;
        let is_item = view.is_item || is_open_ai && kind_of(view.message()) == Some("message");
        if is_item || !is_speaker || view.shape == Shape::Vscode {
            return;
        }
        if says_nothing(view) {
            self.texts += 1;
            self.messages.insert(index, Emptied::Goes);
            if !is_line {
                self.waiting.push((index, view.role));
            }
            return;
        }
        let first_waiting = std::mem::take(&mut self.waiting).into_iter();
        let mut others = first_waiting.filter(|(_, role)| *role != view.role);
        let is_needed = self.before == Some(view.role)
            || self.before.is_none() && view.role == MessageRole::Model;
        if let Some((waiting, _)) = others.next().filter(|_| is_needed) {
            self.messages.insert(waiting, Emptied::Told);
        }
        self.before = Some(view.role);
        self.take_parts(index, view, is_line);
    }

    fn take_parts(&mut self, index: u32, view: &View, is_line: bool) {
        let parts = view.content().items();
        let given = view.message().get(view.list()).map_or(&[][..], Json::items);
        if given.is_empty() || given.len() > parts.len() {
            return;
        }
        let places = 0..given.len();
        let goes = |at: &usize| is_empty(&parts[*at]) && is_plain(&given[*at]);
        let mut gone: Vec<usize> = places.clone().filter(goes).collect();
        let is_result = |at: &usize| {
            let said = given[*at].get("content").map_or(&[][..], Json::items);
            view.shape == Shape::Anthropic
                && kind_of(&given[*at]) == Some("tool_result")
                && said.iter().any(is_empty)
        };
        let results: Vec<usize> = places.filter(is_result).collect();
        if gone.is_empty() && results.is_empty() {
            return;
        }
        let texts = results.iter().map(|at| {
            let said = given[*at].get("content").map_or(&[][..], Json::items);
            said.iter().filter(|it| is_empty(it)).count()
        });
        self.texts += (gone.len() + texts.sum::<usize>()) as u32;
        let mut rest = (0..parts.len()).filter(|at| !gone.contains(at));
        let is_thought = rest.all(|at| {
            let kind = kind_of(&parts[at]).unwrap_or_default();
            matches!(kind, "thinking" | "redacted_thinking" | "reasoning")
        });
        let told = if is_thought && !is_line {
            gone.pop()
        } else {
            None
        };
        let emptied = Emptied::Parts {
            gone,
            told,
            results,
        };
        self.messages.insert(index, emptied);
    }

    /// The messages that change or go.
    pub(super) fn messages(&self) -> impl Iterator<Item = u32> {
        self.messages.keys().copied()
    }

    /// The fate of a message to which this happens otherwise.
    pub(super) fn and(&self, fate: Fate, index: u32, message: &Json) -> Fate {
        let Some(emptied) = self.messages.get(&index) else {
            return fate;
        };
        let (Some(view), false) = (View::of(message, false), fate == Fate::Goes) else {
            return fate;
        };
        let mut edits = match fate {
            Fate::Changes(edits) => edits,
            _ => Vec::new(),
        };
        // Something else stands in its place.
        if edits.iter().any(|edit| edit.keys.is_empty()) {
            return Fate::Changes(edits);
        }
        let list = Key::Name(view.list());
        match emptied {
            Emptied::Goes => return Fate::Goes,
            Emptied::Told => {
                let is_text = message
                    .get(view.list())
                    .is_some_and(|it| it.as_text().is_some());
                let change = match is_text {
                    true => Change::Value(NOTHING.into()),
                    false => {
                        let part = view.text_part(NOTHING.to_owned());
                        Change::Value(Json::List(vec![part]))
                    }
                };
                let keys = vec![list];
                return Fate::Changes(vec![Edit { keys, change }]);
            }
            Emptied::Parts {
                gone,
                told,
                results,
            } => {
                edits.extend(results.iter().filter_map(|at| mended_result(&view, *at)));
                edits.extend(told.map(|at| Edit {
                    keys: vec![list, Key::Index(at)],
                    change: Change::Value(view.text_part(NOTHING.to_owned())),
                }));
                let count = message.get(view.list()).map_or(0, |it| it.items().len());
                let mut elements = take_elements(&mut edits, list, count);
                elements.retain(|it| !matches!(it, Element::Was(at) if gone.contains(at)));
                if elements.is_empty() {
                    return Fate::Goes;
                }
                let change = Change::List(elements);
                edits.push(Edit {
                    keys: vec![list],
                    change,
                });
            }
        }
        Fate::Changes(edits)
    }
}

/// What a tool said, without the texts that say nothing.
fn mended_result(view: &View, at: usize) -> Option<Edit> {
    let said = view
        .message()
        .get(view.list())?
        .items()
        .get(at)?
        .get("content")?;
    let rest: Vec<usize> = (0..said.items().len())
        .filter(|at| !is_empty(&said.items()[*at]))
        .collect();
    let change = match rest.is_empty() {
        true => Change::Value("".into()),
        false => Change::List(rest.into_iter().map(Element::Was).collect()),
    };
    let keys = vec![Key::Name(view.list()), Key::Index(at), Key::Name("content")];
    Some(Edit { keys, change })
}

/// Whether a part is a text that says nothing.
fn is_empty(part: &Json) -> bool {
    let text = part.get("text").and_then(Json::as_text);
    kind_of(part) == Some("text") && text.is_some_and(is_blank)
}

/// Whether a provider's part holds nothing but its text: Gemini's may have the signature of a thought.
fn is_plain(given: &Json) -> bool {
    const KNOWN: [&str; 6] = [
        "type", "text", "cache_control", "annotations", "citations", "providerOptions",
    ];
    match given {
        Json::Object(fields) => fields.iter().all(|(name, _)| KNOWN.contains(&&**name)),
        _ => true,
    }
}

/// Whether a whole message says nothing, neither in its content nor beside it.
fn says_nothing(view: &View) -> bool {
    const BESIDE: [&str; 6] = [
        "tool_calls", "function_call", "refusal", "reasoning_content", "reasoning", "audio",
    ];
    let message = view.message();
    let is_there = |name: &&str| !matches!(message.get(name), None | Some(Json::Null));
    if BESIDE.iter().any(is_there) {
        return false;
    }
    match view.content() {
        Json::Text(text) => is_blank(text),
        Json::List(parts) => {
            let given = message.get(view.list()).map_or(&[][..], Json::items);
            parts.iter().all(is_empty) && given.iter().all(is_plain)
        }
        _ => false,
    }
}
