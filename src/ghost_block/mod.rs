//! What of the repository the model sees: one `<content_reference>` block in the newest message.
//!
//! The user's prompt refers to files, tools and images. The assembler parses it, asks the host for
//! what it needs, remembers everything the conversation ever referred to, and writes it as one
//! block behind the newest user message. It does no I/O: it hands out [`Request`]s and takes
//! [`Answer`]s, in any order.
//!
//! ```
//! use turnkeeper_core::ghost_block::{Answer, AssemblerOptions, GhostBlockAssembler, SourceKind};
//!
//! let mut assembler = GhostBlockAssembler::new(AssemblerOptions::new("/work"))?;
//! assembler.begin_prompt("Explain @[src/main.ts].")?;
//! for request in assembler.take_requests() {
//!     assert_eq!(request.source.kind, SourceKind::File);
//!     assert_eq!(request.source.name, "src/main.ts");
//!     assembler.answer(request.id, Answer::content("import…"))?;
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

pub use self::inspect::{Reference, ReferenceKind};
use self::items::{Item, Said};
pub use self::items::{Source, SourceKind};
use self::job::Job;
pub use self::job::{Answer, AnswerKind, Request, Skill};
use self::options::Settings;
pub use self::options::{AssemblerOptions, Placement};
pub use self::prefix::RequestPrefix;
use self::syntax::preprocess::Scope;
pub use self::write::{AssembledPrompt, ContextItem, CountTokens, Image, ItemType, Part};
#[cfg(target_family = "wasm")]
pub(crate) use self::{syntax::directives::Token, text::Builder};
use crate::error::Error;
pub use crate::path::PathPlatform;
use crate::table::Table;
pub use turnkeeper_kernels::Text;

pub(crate) const MACHINE: &str = "ghost_block_assembler";

/// Something to tell whoever wrote a prompt or a document.
#[derive(Debug, Clone, PartialEq, Eq)]
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
    pub source: Option<String>,
}

impl Diagnostic {
    /// About an offset of a text, which is kept as the column until the line is known.
    fn error(at: usize, code: &'static str, message: &str) -> Self {
        Self {
            is_error: true,
            code,
            message: message.to_owned(),
            line: 0,
            column: u32::try_from(at).unwrap_or(u32::MAX),
            source: None,
        }
    }

    fn warning(at: usize, code: &'static str, message: &str) -> Self {
        Self {
            is_error: false,
            ..Self::error(at, code, message)
        }
    }
}

/// What the assembler gave last, so that it recognises it when it comes back.
#[derive(Debug, Default, Clone, PartialEq)]
pub(crate) struct Last {
    /// The user's text as it came out, and whether it had come in otherwise.
    user: u64,
    was_changed: bool,
    /// Where `@` stands in it because it was written `\@`.
    literals: Vec<usize>,
    /// The macros before its rules were read, and behind its own directives.
    before: Scope,
    after: Scope,
    /// What earlier blocks had said before it.
    sent: Table<u64>,
}

/// What the assembler knows of its conversation.
#[derive(Debug, Default, Clone)]
struct State {
    /// The host's documents that speak in every turn, as they were written, and as they were
    /// expanded last.
    rules: Vec<Item>,
    expanded: Vec<Item>,
    scope: Scope,
    items: Vec<Item>,
    /// By identity: files under the host's version tokens, and results of tools.
    known: Table<Said>,
    turn: u64,
    last: Option<Last>,
    /// By identity: what blocks have said, in delta placement.
    sent: Table<u64>,
}

/// Assembles the prompts of one conversation.
#[derive(Debug, Clone)]
pub struct GhostBlockAssembler {
    options: AssemblerOptions,
    settings: Settings,
    state: State,
    job: Option<Box<Job>>,
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
            state: State::default(),
            job: None,
            requests: 0,
        })
    }

    /// Sets the rules, in the order in which the block has them; those before are forgotten.
    pub fn set_rules<'a>(&mut self, rules: impl IntoIterator<Item = (&'a str, &'a [u16])>) {
        self.state.rules.clear();
        for (name, content) in rules {
            self.add_rule(name, Text::from_units(content));
        }
    }

    pub(crate) fn add_rule(&mut self, name: &str, content: Text) {
        let rule = Item::rule(name, content);
        self.state.rules.push(rule);
    }
}
