//! Shows the model a part of the repository: one `<content_reference>` block in the newest message.
//!
//! The user's prompt refers to files, tools and images. The assembler parses it, asks the host for
//! what it needs, remembers everything the conversation ever referred to, and writes it as one
//! block after the newest user message. It does no I/O: it hands out [`Request`]s and takes
//! [`Answer`]s, in any order.
//!
//! ```
//! use turnkeeper_ghost_block::{Answer, AssemblerOptions, GhostBlockAssembler, SourceKind};
//!
//! let mut assembler = GhostBlockAssembler::new(AssemblerOptions::new("/work"))?;
//! assembler.begin_prompt("Explain @[src/main.ts].");
//! for request in assembler.take_requests() {
//!     assert_eq!(request.source.kind, SourceKind::File);
//!     assert_eq!(request.source.name, "src/main.ts");
//!     assembler.answer(request.id, Answer::content("import…"))?;
//! }
//! assert!(assembler.is_ready());
//! let prompt = assembler.finish_prompt(None)?;
//! assert!(prompt.block.to_string().contains("\"src/main.ts\": \"import…\""));
//! # Ok::<(), turnkeeper_ghost_block::Error>(())
//! ```
//!
//! A prompt's way through the files, each of which uses only those below it and `syntax`:
//!
//! | file | |
//! |---|---|
//! | `job` | what was begun: hands out requests, takes answers, evaluates when there are new ones |
//! | `tasks` | several jobs at the same time |
//! | `finish` | the end of a prompt, and what the conversation remembers of it |
//! | `draft` | what the block says, as a whole or as a delta, and what the budget leaves out |
//! | `block`, `saved_block` | the block's text: written, found at the end of a message, read again, also in other spellings |
//! | `prompt` | evaluates a prompt: its items and images |
//! | `evaluation` | what all evaluations share: documents expanded, and what is missing |
//! | `document` | a text that is read, and the lines of its problems |
//! | `items`, `source`, `origin` | what the conversation refers to, what became of it, who mentioned it |
//! | `paths` | which files a reference may name |
//! | `syntax` | directives, references, code |
//!
//! Beside them: `inspect` looks at a prompt that is being typed, `history` reads an old
//! conversation, `forget` takes an item out of this one, `front_matter` a skill's YAML, `images` the addresses of images, `json` JSON as
//! JavaScript has it, `snapshot` saves all of it, and `prefix` compares requests.

mod assembled;
mod block;
mod context_item;
mod diagnostic;
mod document;
mod draft;
mod evaluation;
mod finish;
mod forget;
mod front_matter;
mod history;
mod images;
mod inspect;
mod items;
mod job;
mod json;
mod options;
mod origin;
mod paths;
mod prefix;
mod prompt;
mod request;
mod saved_block;
mod settings;
mod snapshot;
mod source;
mod syntax;
#[cfg(any(feature = "wasm", test))]
mod tasks;

#[cfg(test)]
mod tests;
#[cfg(feature = "typescript")]
pub mod typescript;
#[cfg(feature = "wasm")]
pub mod wasm;

use turnkeeper_base::sorted_map::SortedMap;

use serde::{Deserialize, Serialize};

pub use self::assembled::{AssembledPrompt, CountTokens, Image, Part};
pub use self::context_item::{ContextItem, ItemType};
pub use self::diagnostic::{Diagnostic, DiagnosticCode, Severity};
use self::draft::Sent;
use self::evaluation::Outcomes;
pub use self::history::ScannedHistory;
pub use self::inspect::Inspection;
#[cfg(feature = "wasm")]
pub(crate) use self::inspect::Outline;
use self::items::{Item, ItemList};
use self::job::Job;
pub use self::job::{ExpandedDocument, Resolution, Skill};
pub use self::options::{AssemblerOptions, Placement, RememberTools};
pub use self::origin::{ItemOrigin, OriginSource};
pub use self::prefix::RequestPrefix;
pub use self::request::{Answer, Request};
use self::settings::Settings;
use self::source::Identity;
pub use self::source::{Source, SourceKind};
use self::syntax::macros::Scope;
pub use self::syntax::reference::{Reference, ReferenceKind};
#[cfg(feature = "wasm")]
pub(crate) use self::tasks::Tasks;
pub use turnkeeper_base::path::PathPlatform;
pub use turnkeeper_base::text::Text;
pub use turnkeeper_base::{Count, Error, ErrorCode};

pub(crate) const MACHINE: &str = "ghost_block_assembler";

/// A saved text without the block that ends it, in whichever spelling.
#[cfg(feature = "wasm")]
pub(crate) fn without_saved_block(units: &[u16]) -> &[u16] {
    match saved_block::split_saved(units) {
        saved_block::Saved::Block { user, .. } => user,
        _ => units,
    }
}

/// Assembles the prompts of one conversation.
///
/// For each prompt, document or skill: `begin_…`, then [`take_requests`](Self::take_requests) and
/// [`answer`](Self::answer) until it [`is_ready`](Self::is_ready), then `finish_…`. Nothing of the
/// conversation changes before it is finished.
#[derive(Debug, Clone)]
pub struct GhostBlockAssembler {
    options: AssemblerOptions,
    settings: Settings,
    conversation: Conversation,
    job: Option<Box<Job>>,
    /// The id of the next request.
    next_request: u32,
}

/// What the assembler knows of its conversation.
#[derive(Debug, Default, Clone, Serialize, Deserialize)]
struct Conversation {
    /// The host's documents that speak in every turn, as they were written.
    rules: Vec<Item>,
    /// The rules as they were expanded last.
    expanded_rules: Vec<Item>,
    scope: Scope,
    items: Vec<Item>,
    /// Files under the host's version tokens, and results of tools.
    known: Outcomes,
    /// How many prompts were assembled.
    turn: u64,
    /// How many texts were read, prompts and old messages alike.
    texts: u64,
    last_prompt: Option<LastPrompt>,
    /// What blocks have said, in delta placement.
    sent: Sent,
    /// The keys of items that were forgotten and that blocks have told of, in delta placement.
    forgotten: SortedMap<Identity, String>,
    /// The item that says how many references of the last prompt were over the limit.
    excess: Option<Item>,
}

/// The prompt that was assembled last, so that it is recognised when it comes back.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct LastPrompt {
    /// A hash of the user's text as it came out.
    user_fingerprint: u64,
    /// Whether it had come in otherwise.
    was_changed: bool,
    /// Where `@` is in it because it was written `\@`.
    literals: Vec<usize>,
    /// The macros before its rules were read, and after its own directives, where its files are read.
    scope_before: Scope,
    scope_of_files: Scope,
    /// The outcomes in the blocks before it.
    sent_before: Sent,
}

impl GhostBlockAssembler {
    /// An assembler for a new conversation.
    ///
    /// # Errors
    /// `invalid_config` for a root that is no absolute path.
    pub fn new(options: AssemblerOptions) -> Result<Self, Error> {
        Ok(Self {
            settings: Settings::new(&options)?,
            options,
            conversation: Conversation::default(),
            job: None,
            next_request: 0,
        })
    }

    /// Sets the rules, each a name and a content, in the order in which the block has them; those
    /// before are forgotten. Of several with one name, the last content stands where the first was.
    pub fn set_rules<N, C>(&mut self, rules: impl IntoIterator<Item = (N, C)>)
    where
        N: AsRef<str>,
        C: Into<Text>,
    {
        let rules = rules.into_iter();
        self.set_rule_files(rules.map(|(name, content)| (name, content, None)));
    }

    /// The same, each with the path of its file: its references are relative to that, and then to the
    /// root. A path that leads out of the roots is none.
    pub fn set_rule_files<N, C>(&mut self, rules: impl IntoIterator<Item = (N, C, Option<String>)>)
    where
        N: AsRef<str>,
        C: Into<Text>,
    {
        let mut list = ItemList::default();
        for (name, content, path) in rules {
            let path = path.and_then(|path| self.settings.roots.resolve(&path).ok());
            let path = path.map(|path| path.request);
            list.set(Item::rule(name.as_ref(), content.into(), path, 0, 0));
        }
        self.conversation.rules = list.into_items();
    }

    /// The macros that a prompt can use now, by name: the host's, and those that prompts and rules
    /// have defined.
    #[must_use]
    pub fn macros(&self) -> SortedMap<&str, &Text> {
        let own = self.conversation.scope.iter();
        let all = own.chain(self.settings.host_macros.iter());
        all.map(|(name, value)| (name.as_str(), value)).collect()
    }
}
