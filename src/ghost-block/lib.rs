//! Shows the model a part of the repository: one `<content_reference>` block in the newest message.
//!
//! The user's prompt refers to files, tools and images. The assembler parses it, asks the host for
//! what it needs, remembers everything the conversation ever referred to, and writes it as one
//! block after the newest user message. It does no I/O: it hands out [`Request`]s and takes
//! [`Answer`]s, in any order.
//!
//! ```
//! use turnkeeper_ghost_block::{Answer, AssemblerOptions, GhostBlockAssembler, SourceKind, Work};
//!
//! let mut assembler = GhostBlockAssembler::new(AssemblerOptions::new("/work"))?;
//! assembler.begin(Work::Prompt, "Explain @[src/main.ts].");
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
//! | `tasks` | several pieces of work at the same time |
//! | `assembler` | the state, and the methods, each of which hands what is needed to one of the files below |
//! | `job` | the work that was begun: hands out requests, takes answers, evaluates when there are new ones |
//! | `finish` | the end of a prompt, and what the conversation remembers of it |
//! | `draft` | the entries of the block, as a whole or as a delta, and what the budget leaves out |
//! | `prompt` | evaluates a prompt: its rules, its items (`referred`) and its images (`images`) |
//! | `conversation` | the state that a snapshot holds |
//! | `evaluation` | the common part of all evaluations: documents expanded, and what is missing |
//! | `document` | a text that is read, and the lines of its problems |
//! | `block`, `saved_block` | the block's text: written, found at the end of a message, read again, also in other spellings |
//! | `items`, `source`, `origin` | the items of a conversation, their outcomes, and who mentioned them |
//! | `paths` | the files that a reference may name |
//! | `syntax` | directives, references, code |
//!
//! Beside them: `inspect` looks at a prompt that is being typed, `history` reads an old
//! conversation, `front_matter` a skill's YAML, `json` JSON as JavaScript has it, and `snapshot` saves.

mod assembled;
mod assembler;
mod block;
mod context_item;
mod conversation;
mod diagnostic;
mod document;
mod draft;
mod evaluation;
mod finish;
mod front_matter;
mod history;
mod host_request;
mod images;
mod inspect;
mod items;
mod job;
mod json;
mod options;
mod origin;
mod paths;
mod prompt;
mod referred;
mod request;
mod saved_block;
mod settings;
mod snapshot;
mod source;
mod syntax;
mod tasks;

#[cfg(test)]
mod tests;
#[cfg(feature = "typescript")]
pub mod typescript;

pub use self::assembled::{
    AssembledPrompt, CountTokens, Image, Part, PreparedSkill, ResolvedPrompt,
};
pub use self::assembler::GhostBlockAssembler;
pub use self::context_item::{ContextItem, ItemType};
pub use self::diagnostic::{Diagnostic, DiagnosticCode, Severity};
pub use self::history::ScannedHistory;
pub use self::inspect::PreprocessedText;
pub use self::job::Work;
pub use self::options::{AssemblerOptions, Placement, RememberTools};
pub use self::origin::{ItemOrigin, OriginSource};
pub use self::request::{Answer, Request};
pub use self::source::{Source, SourceKind};
pub use self::syntax::reference::{Reference, ReferenceKind};
pub use turnkeeper_base::path::PathPlatform;
pub use turnkeeper_base::text::Text;
pub use turnkeeper_base::{Count, Error, ErrorCode};

/// What `wasm/` needs besides.
#[doc(hidden)]
pub mod javascript {
    pub use crate::host_request::HostRequest;
    pub use crate::options::MACHINE;
    pub use crate::saved_block::without_saved_block;
    pub use crate::tasks::Tasks;
}
