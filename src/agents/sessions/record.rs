//! The meaning of the values of a saved session.

use std::borrow::Cow;

use serde::Serialize;
use turnkeeper_base::json::Json;
use turnkeeper_messages::Event;

/// A part of a file; all parts, one after the other, are the file, byte for byte.
#[derive(Debug)]
pub struct Piece<'a> {
    /// Its bytes; none for what a reader held back until the end.
    pub bytes: &'a [u8],
    /// The record of the bytes, if they are a value.
    pub record: Option<Record<'a>>,
    /// Why the bytes, which should be a value, could not be read; they are left out.
    pub problem: Option<Unreadable>,
}

/// The meaning of one line, or of one element of an array.
#[derive(Debug, Default)]
pub struct Record<'a> {
    /// The line or the element, from 1; 0 for what is said beside the elements.
    pub place: u32,
    /// Its events, in their order.
    pub items: Vec<Item<'a>>,
    /// The provider's own message or item, with all its fields, where the file holds it.
    pub original: Option<&'a Json<'a>>,
    /// The keys that lead from the value to that message; none if the value is the message.
    pub holder: &'static [&'static str],
    /// The keys that lead from the value to the content of that message, if the deduper is to look at it.
    pub path: Option<&'static [&'static str]>,
    /// Its facts of the session as a whole.
    pub facts: Facts<'a>,
    /// Its record of tokens and money.
    pub usage: Vec<Usage>,
    /// When it was written, in milliseconds since 1970.
    pub time: Option<f64>,
    /// The same in every copy of the record, in this file and in others: a hash of what its agent makes unique. A
    /// record that comes again was done once. Without it each stands for itself.
    pub key: Option<u64>,
    /// Whether a record before it in the same file has the same key: what it says was done and said once, by that one.
    /// Its usage may be a later count of the same answer.
    pub is_again: bool,
    /// The first part of a value of many, such as a run of a benchmark, that could not be read and is left out.
    pub problem: Option<Unreadable>,
    /// Whether it belongs to another conversation (a subagent's) that is left out.
    pub left_out: bool,
}

impl Record<'static> {
    /// The record of what was used, which is said at the end of a file; none if nothing was.
    pub(crate) fn of_usage(usage: Vec<Usage>) -> Option<Self> {
        (!usage.is_empty()).then(|| Self {
            usage,
            ..Self::default()
        })
    }
}

/// A record that tells facts of its session alone.
impl<'a> From<Facts<'a>> for Record<'a> {
    fn from(facts: Facts<'a>) -> Self {
        Self {
            facts,
            ..Self::default()
        }
    }
}

/// An event, and what the detector does not look at.
#[derive(Debug, Clone, PartialEq)]
pub struct Item<'a> {
    /// The event.
    pub event: Event<'a>,
    /// The words of the user or the host, for events that carry no text; a block of environment.
    pub said: Option<Said<'a>>,
}

impl Item<'_> {
    /// The same, which borrows nothing.
    pub fn into_owned<'b>(self) -> Item<'b> {
        Item {
            event: self.event.into_owned(),
            said: self.said.map(|Said { kind, text }| Said {
                kind,
                text: text.into_owned().into(),
            }),
        }
    }
}

/// Words that no event carries.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Said<'a> {
    /// Whose they are.
    pub kind: Speaker,
    /// The words.
    pub text: Cow<'a, str>,
}

/// Who says what no event carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Speaker {
    /// A person.
    User,
    /// The agent or its host.
    System,
    /// A block of environment.
    Environment,
}

/// The facts of a session as a whole. Of each a later one counts. None is empty.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Facts<'a> {
    /// The directory that commands run in from here on.
    pub working_directory: Option<Cow<'a, str>>,
    /// The session's name.
    pub title: Option<Cow<'a, str>>,
    /// The model that answers from here on.
    pub model: Option<Cow<'a, str>>,
}

impl Facts<'_> {
    /// The same, which borrows nothing.
    pub fn into_owned(self) -> Facts<'static> {
        let text = |text: Cow<str>| Cow::Owned(text.into_owned());
        Facts {
            working_directory: self.working_directory.map(text),
            title: self.title.map(text),
            model: self.model.map(text),
        }
    }
}

/// An agent's record of the usage of a model's answer. Nothing is estimated, and no gap is filled.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Usage {
    /// The same in every copy of the answer, in this file and in others. Without it each stands for itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Whether the id means something in this file alone.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_local: bool,
    /// Whether it is the session's sum so far instead of an answer: the last one counts, and its dollars are those of all.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_sum: bool,
    /// Whether the agent records what the model wrote and nothing of what was sent.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_output_alone: bool,
    /// Whether it is of several requests together, so that the length of each is not known.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_of_several: bool,
    /// Whether it is told of another conversation, whose own file may have the answer, too: then that counts.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_retold: bool,
    /// The model that answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Who ran the model, by the agent's name for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub provider: Option<String>,
    /// The way in which the answer was served, where that is not the usual one: "fast", "priority", "flex", "batch" …
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tier: Option<String>,
    /// The part of the world to which the request was kept, if it was, such as "us".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub region: Option<String>,
    /// When, in milliseconds since 1970; the record's own time if it says nothing else.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<f64>,
    /// Tokens that were sent and neither read from a cache nor kept in one.
    pub input: f64,
    /// Tokens that were read from the prompt cache.
    pub cache_read: f64,
    /// Tokens that were sent and kept in the prompt cache.
    pub cache_write: f64,
    /// Of these, those that are kept for an hour.
    #[serde(skip_serializing_if = "is_zero")]
    pub cache_write_long: f64,
    /// Tokens that the model wrote, thinking included.
    pub output: f64,
    /// The cost by the agent's own account, in US dollars.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dollars: Option<f64>,
}

#[allow(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde calls it; in Wasm it is larger than a reference"
)]
fn is_zero(value: &f64) -> bool {
    *value == 0.0
}

/// A value is not what its format says, or bytes are no value.
#[derive(Debug, Clone, PartialEq)]
pub struct Unreadable {
    /// The line or the element, from 1; 0 where the reader does not know it, or if the file is meant.
    pub place: u32,
    /// It completes "line 3 …".
    pub reason: Cow<'static, str>,
}

impl Unreadable {
    /// Of a value; whoever reads the file adds the place.
    pub fn new(reason: impl Into<Cow<'static, str>>) -> Self {
        Self {
            place: 0,
            reason: reason.into(),
        }
    }

    /// The same at a place.
    pub(crate) fn at(self, place: u32) -> Self {
        Self { place, ..self }
    }
}
