//! The options that a host sets.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use turnkeeper_base::error::Error;
use turnkeeper_base::options::{self, Count};
use turnkeeper_base::path::PathPlatform;

/// The machine's name in errors.
pub const MACHINE: &str = "ghost_block_assembler";

/// The messages of a conversation that carry a block.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS, documented::DocumentedFields)
)]
#[serde(rename_all = "lowercase")]
pub enum Placement {
    /// One block, in the newest user message; earlier ones are removed.
    #[default]
    Latest,
    /// Earlier blocks stay, so a provider's prompt cache keeps working, and a new block carries only what
    /// is new or has changed.
    Delta,
}

/// The fate of a tool's result after the prompt that calls it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS, documented::DocumentedFields)
)]
#[serde(rename_all = "lowercase")]
pub enum RememberTools {
    /// The first result stays for the conversation: the same call is not run again, unless it failed.
    Always,
    /// The last result stays: a prompt that calls the tool again runs it again.
    #[default]
    Last,
    /// Nothing stays: the block has the calls of the newest prompt alone.
    Never,
}

/// The options of a [`GhostBlockAssembler`](crate::GhostBlockAssembler).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AssemblerOptions {
    /// The folder that relative paths start from: an absolute path.
    pub root: String,
    /// Other folders that may be read: absolute paths. Default: none.
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub allowed_roots: Option<Vec<String>>,
    /// Folders of the workspace by their names: absolute paths, which may be read. `web:src/a.ts` is a file
    /// of the folder `web`. Default: none.
    #[cfg_attr(feature = "typescript", ts(optional, type = "Record<string, string>"))]
    pub workspace_folders: Option<BTreeMap<String, String>>,
    /// Whose rules paths follow. Default: those that `root` is written in.
    #[cfg_attr(
        feature = "typescript",
        ts(optional, type = "PathPlatform | PosixSystem")
    )]
    pub platform: Option<PathPlatform>,
    /// The tools that may be called. Default: all.
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub tools: Option<Vec<String>>,
    /// Macros that the host defines: their values, by name. Prompts and rules can use them, but not
    /// redefine them.
    #[cfg_attr(feature = "typescript", ts(optional, type = "Record<string, string>"))]
    pub macros: Option<BTreeMap<String, String>>,
    /// The messages that carry a block. Default: `"latest"`.
    pub placement: Option<Placement>,
    /// The fate of a tool's result after the prompt that calls it. Default: `"last"`.
    pub remember_tools: Option<RememberTools>,
    /// The most tokens that a block may take. Default: no limit.
    pub max_tokens: Option<Count>,
    /// Whether directives, references and tool calls in included files are carried out, as those in rules
    /// are. Default: `false`; an included file is plain text.
    pub trust_files: Option<bool>,
    /// Whether the host is asked for images at `http:` and `https:` addresses. Default: `false`.
    pub remote_images: Option<bool>,
    /// Whether references and directives within Markdown code are carried out. Default: `false`.
    pub references_in_code: Option<bool>,
    /// The deepest nesting of documents within documents. Default: 20.
    pub max_depth: Option<Count>,
    /// The most items of a conversation, and the most documents that one document may include. Default:
    /// 1,000.
    pub max_items: Option<Count>,
    /// The most bytes of UTF-8 in one item. Default: 1,048,576 (1 MiB).
    pub max_item_bytes: Option<Count>,
    /// The most bytes of UTF-8 in all items together. Default: 16,777,216 (16 MiB).
    pub max_total_bytes: Option<Count>,
    /// The most expansions of macros in one document, those within other macros included. Default:
    /// 1,000.
    pub max_macro_expansions: Option<Count>,
}

impl AssemblerOptions {
    /// Options with nothing but a root.
    #[must_use]
    pub fn new(root: impl Into<String>) -> Self {
        Self {
            root: root.into(),
            ..Self::default()
        }
    }

    /// Reads options out of a JSON object.
    ///
    /// # Errors
    /// `invalid_config`, naming the option, for one that is missing, unknown, of the wrong type or
    /// out of range.
    pub fn from_json(json: &str) -> Result<Self, Error> {
        options::from_json(MACHINE, json)
    }
}
