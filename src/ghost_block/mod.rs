//! What of the repository the model sees: one `<content_reference>` block in the newest message.
//!
//! The user's prompt refers to files, tools and images. The assembler parses it, asks the host for
//! what it needs, remembers everything the conversation ever referred to, and writes it as one
//! block behind the newest user message. It does no I/O: it hands out [`Request`]s and takes
//! [`Answer`]s, in any order.
//!
//! ```
//! use turnkeeper_core::ghost_block::{Answer, AssemblerOptions, GhostBlockAssembler, RequestKind};
//!
//! let mut assembler = GhostBlockAssembler::new(AssemblerOptions::new("/work"))?;
//! assembler.begin_prompt("Explain @[src/main.ts].")?;
//! for request in assembler.take_requests() {
//!     match request.kind {
//!         RequestKind::ReadFile { path, .. } => {
//!             assert_eq!(path, "src/main.ts");
//!             assembler.answer(request.id, Answer::content("import…"))?;
//!         }
//!         other => unreachable!("{other:?}"),
//!     }
//! }
//! assert!(assembler.is_ready());
//! let prompt = assembler.finish_prompt(None)?;
//! assert!(prompt.block.to_string().contains("\"src/main.ts\": \"import…\""));
//! # Ok::<(), turnkeeper_core::Error>(())
//! ```

mod block;
mod evaluate;
mod front_matter;
mod history;
mod images;
mod inspect;
mod items;
mod job;
mod json;
mod options;
mod paths;
mod prefix;
mod snapshot;
mod syntax;
mod text;
mod write;

#[cfg(test)]
mod tests;

use serde::Serialize;

use self::evaluate::Reply;
pub use self::inspect::{Reference, ReferenceKind};
use self::items::Items;
use self::job::Job;
pub use self::job::{Answer, Request, RequestKind, Skill};
pub use self::json::Json;
use self::options::Settings;
pub use self::options::{AssemblerOptions, PathPlatform, Placement};
pub use self::prefix::RequestPrefix;
use self::syntax::preprocess::Scope;
pub use self::write::{AssembledPrompt, ContextItem, CountTokens, ItemType, Part};
use crate::error::Error;
use crate::table::Table;
pub use turnkeeper_kernels::Text;

pub(crate) const MACHINE: &str = "ghost_block_assembler";

/// Something to tell whoever wrote a prompt or a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(optional_fields, rename_all = "camelCase")
)]
pub struct Diagnostic {
    /// `error` if something was not done, else `warning`.
    #[cfg_attr(
        feature = "typescript",
        ts(rename = "severity", type = "\"error\" | \"warning\"")
    )]
    #[serde(rename = "severity", serialize_with = "severity")]
    pub is_error: bool,
    /// A stable name of what is wrong.
    #[cfg_attr(feature = "typescript", ts(type = "string"))]
    pub code: &'static str,
    /// For people.
    pub message: String,
    /// From 1.
    pub line: u32,
    /// From 1, in UTF-16 code units.
    pub column: u32,
    /// The rule or the file that it is about; the prompt, if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
}

fn severity<S: serde::Serializer>(is_error: &bool, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(if *is_error { "error" } else { "warning" })
}

/// A document of the host's that speaks in every turn.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Rule {
    name: String,
    content: Vec<u16>,
}

/// A file's content under the host's version token.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Held {
    version: String,
    content: Text,
}

/// What the assembler gave last, so that it recognises it when it comes back.
#[derive(Debug, Clone, PartialEq)]
struct Last {
    /// The user's text as it came out, and how it had come in.
    user: u64,
    was_changed: bool,
    /// Where `@` stands in it because it was written `\@`.
    literals: Vec<usize>,
    /// The macros before its rules were read, and behind its own directives.
    scopes: (Scope, Scope),
    /// What earlier blocks had said before it.
    sent: Table<u64>,
}

/// Assembles the prompts of one conversation.
#[derive(Debug, Clone)]
pub struct GhostBlockAssembler {
    options: AssemblerOptions,
    settings: Settings,
    rules: Vec<Rule>,
    scope: Scope,
    items: Items,
    /// The rules as they were expanded last.
    expanded: Vec<(Text, Text)>,
    results: Table<Text>,
    held: Table<Held>,
    turn: u64,
    last: Option<Last>,
    sent: Table<u64>,
    job: Option<Job>,
    requests: u32,
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
            rules: Vec::new(),
            scope: Scope::default(),
            items: Items::default(),
            expanded: Vec::new(),
            results: Table::default(),
            held: Table::default(),
            turn: 0,
            last: None,
            sent: Table::default(),
            job: None,
            requests: 0,
        })
    }

    /// Sets the rules, in the order in which the block has them; those before are forgotten.
    pub fn set_rules<'a>(&mut self, rules: impl IntoIterator<Item = (&'a str, &'a [u16])>) {
        let rule = |(name, content): (&str, &[u16])| Rule {
            name: name.to_owned(),
            content: content.to_vec(),
        };
        self.rules = rules.into_iter().map(rule).collect();
    }

    /// Everything the conversation referred to, rules first, in order of first appearance.
    pub fn items(&self) -> Vec<ContextItem> {
        self.context_items()
    }

    fn reply(said: block::Said, is_gone: bool) -> Reply {
        Reply::Said { said, is_gone }
    }
}
