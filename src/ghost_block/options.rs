//! What a host sets.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::MACHINE;
use crate::error::Error;
use crate::options::{self, count};
use crate::path::PathPlatform;

/// Where the blocks of a conversation are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS, documented::DocumentedFields)
)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Placement {
    /// One block, in the newest user message; earlier ones are removed.
    #[default]
    Latest,
    /// Earlier blocks stay, and a new one carries what is new or changed.
    Delta,
}

/// The options of a [`GhostBlockAssembler`](super::GhostBlockAssembler).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AssemblerOptions {
    /// The absolute path that requests are relative to.
    pub root: String,
    /// Absolute paths of other folders that may be read.
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub allowed_roots: Option<Vec<String>>,
    /// Whose rules paths follow; read off `root` if left out.
    pub platform: Option<PathPlatform>,
    /// The tools that may be called; any, if left out.
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub tools: Option<Vec<String>>,
    /// Macros that are there before any is defined: their values, by name. Prompts and rules can use
    /// them and not change them.
    #[cfg_attr(feature = "typescript", ts(optional, type = "Record<string, string>"))]
    pub macros: Option<BTreeMap<String, String>>,
    /// `latest`
    pub placement: Option<Placement>,
    /// Tokens that a block may take; no limit.
    #[serde(default, deserialize_with = "count")]
    #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
    pub max_tokens: Option<u64>,
    /// Whether included files may act as rules do: macros, references and tool calls; false.
    pub trust_files: Option<bool>,
    /// Whether `http:` and `https:` images are asked for; false.
    pub remote_images: Option<bool>,
    /// Whether references and directives in code count; false.
    pub references_in_code: Option<bool>,
    /// Documents within documents; 20.
    #[serde(default, deserialize_with = "count")]
    #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
    pub max_depth: Option<u64>,
    /// Items of a conversation, and documents included by one; 1,000.
    #[serde(default, deserialize_with = "count")]
    #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
    pub max_items: Option<u64>,
    /// Bytes of UTF-8 that one item may have; 1,048,576.
    #[serde(default, deserialize_with = "count")]
    #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
    pub max_item_bytes: Option<u64>,
    /// Bytes of UTF-8 that all items together may have; 16,777,216.
    #[serde(default, deserialize_with = "count")]
    #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
    pub max_total_bytes: Option<u64>,
    /// Uses of macros in one document, those within values included; 1,000.
    #[serde(default, deserialize_with = "count")]
    #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
    pub max_macro_expansions: Option<u64>,
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

    /// Reads options out of a JSON value.
    #[cfg_attr(not(target_family = "wasm"), allow(dead_code))]
    pub(crate) fn from_value(value: &Value) -> Result<Self, Error> {
        options::read(MACHINE, value)
    }
}
