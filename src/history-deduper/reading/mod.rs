//! Reads the messages of a history: which calls have a second result, where the copies of files are, what may have
//! changed the files, and which results come again.
//!
//! Messages are those of Anthropic's API; another provider's are made into these before. Copies are found in the
//! words of the agents that there are:
//!
//! | file | |
//! |---|---|
//! | `messages.rs` | the model's calls, and what tools and the user said |
//! | `answered.rs` | calls that were answered, and the copies of files in the answers |
//! | `answers.rs` | results that answer a call again |
//! | `calls.rs` | the deed of a call to files, by its name and arguments |
//! | `shell.rs` | commands that print one file |
//! | `extents.rs` | the part of a file that a text is |
//! | `in_text.rs` | copies under headings, in answers and mentions |
//! | `listed.rs` | several files in one text, each under its name |
//! | `workspace.rs` | the folders that an environment names |
//! | `texts.rs`, `place.rs` | the texts of a message, and the place of each |
//! | `pieces.rs` | pieces of texts |

mod answered;
mod answers;
mod calls;
mod extents;
mod in_text;
mod listed;
mod messages;
mod pieces;
mod place;
mod shell;
mod texts;
mod workspace;

use std::borrow::Cow;

use rustc_hash::FxHashMap;
use turnkeeper_base::json::Json;
use turnkeeper_messages::CallsInText;

use self::answers::Answers;
use self::calls::{FileCall, ReadTools};
pub use self::place::{CopySource, Place, PlaceKey};
use super::files::{Extent, FileCopies, RepeatedResults};
use super::options::DedupeOptions;
use super::superseded::{FILE_NOTICE, RESULT_NOTICE, Superseded};

/// Whose a message is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MessageRole {
    /// The user's, or a tool's.
    User,
    /// The model's.
    Model,
    /// Anybody else's.
    Other,
}

impl MessageRole {
    /// The role with that name.
    pub fn of(name: &str) -> Self {
        match name {
            "user" => Self::User,
            "assistant" | "model" => Self::Model,
            _ => Self::Other,
        }
    }
}

/// The beginnings of the lines that stand where something gave way. A text that begins so is neither a copy of
/// a file nor a result.
const NOTICES: [&str; 2] = [FILE_NOTICE, RESULT_NOTICE];

/// The key of a call by its id, which may be a text or a number.
fn id_of<'a>(id: Option<&'a Json<'a>>) -> Cow<'a, str> {
    match id {
        Some(Json::Text(id)) => Cow::Borrowed(id),
        Some(Json::Number(id)) => Cow::Owned(format!("\0{}", id.to_bits())),
        _ => Cow::Borrowed("\0"),
    }
}

/// A call, and the place of a file among its arguments that may give way.
#[derive(Debug, Clone)]
struct Call {
    name: String,
    does: FileCall,
    written: Option<Place>,
}

/// Reads a history message by message, in their order.
#[derive(Debug, Clone)]
pub(super) struct HistoryReader {
    /// The opening and closing tags of blocks, which are no copies of files.
    tags: Vec<(String, String)>,
    read_tools: ReadTools,
    watches_files: bool,
    watches_results: bool,
    /// Whether the host says what relative paths start from.
    has_root: bool,
    answers: Answers,
    /// Whether the last message was the model's.
    is_models_turn: bool,
    /// The number of requests that the history shows so far.
    requests: u32,
    files: FileCopies,
    results: RepeatedResults,
    calls_in_text: CallsInText,
    /// The calls that wait for their result, by their ids.
    calls: FxHashMap<String, Call>,
    /// The calls in the text of the last message of the model.
    text_calls: Vec<Call>,
    has_read_user: bool,
}

impl HistoryReader {
    pub(super) fn new(options: &DedupeOptions) -> Self {
        let names = options.tag_names().into_iter();
        let tags = names.map(|name| (format!("<{name}>"), format!("</{name}>")));
        Self {
            tags: tags.collect(),
            read_tools: options.read_tools.clone(),
            watches_files: options.keeps_newest_files(),
            watches_results: options.drops_repeated_results(),
            has_root: options.root.is_some(),
            answers: Answers::default(),
            is_models_turn: false,
            requests: 0,
            files: FileCopies::new(options.root.as_deref()),
            results: RepeatedResults::default(),
            calls_in_text: CallsInText::default(),
            calls: FxHashMap::default(),
            text_calls: Vec::new(),
            has_read_user: false,
        }
    }

    /// Whether it needs the texts of messages.
    pub(super) fn needs_texts(&self) -> bool {
        self.watches_files || self.watches_results
    }

    /// Says what relative paths start from, unless it is known already.
    pub(super) fn set_root(&mut self, root: &str) {
        if !self.has_root {
            self.has_root = true;
            self.files.set_root(root);
        }
    }

    /// The number of requests that the history shows so far.
    pub(super) fn requests(&self) -> u32 {
        self.requests
    }

    /// Everything that gives way to a line, of files first.
    pub(super) fn superseded(&self, with_writes: bool) -> Vec<Superseded> {
        let mut all = match self.watches_files {
            true => self.files.superseded(with_writes),
            false => Vec::new(),
        };
        all.extend(self.results.superseded());
        all
    }

    /// Takes in the next message, and answers with the indexes of its parts that answer a call again.
    /// An item is no message of its own for its provider, so that after another of the model's it belongs to
    /// the same request.
    pub(super) fn take(
        &mut self,
        index: u32,
        role: MessageRole,
        is_item: bool,
        content: &Json,
    ) -> Vec<usize> {
        let again = self.answers.take(content.items());
        let is_models = role == MessageRole::Model;
        if is_models && !(is_item && self.is_models_turn) {
            self.requests += 1;
        }
        self.is_models_turn = is_models;
        if self.needs_texts() {
            match role {
                MessageRole::Model => self.read_models(index, content),
                MessageRole::User => self.read_users(index, content, &again),
                MessageRole::Other => {}
            }
        }
        again
    }
}
