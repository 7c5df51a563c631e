//! What a host sets, and how it is read.

use super::inspect::Reference;
use super::items::Source;
use super::paths::Roots;
use super::syntax::code::Code;
use super::syntax::preprocess::{Expanded, MacroLimits};
use super::syntax::references::find;
use super::{Diagnostic, MACHINE};
use crate::error::{Error, ErrorCode};
use crate::path::PathPlatform;
use crate::setting::{Named, OptionValue, Setting, Word, write};

/// Where the blocks of a conversation stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(rename_all = "lowercase")
)]
pub enum Placement {
    /// One block, in the newest user message; earlier ones are removed.
    Latest,
    /// Earlier blocks stay, and a new one carries what is new or changed.
    Delta,
}

/// The settings of a [`GhostBlockAssembler`](super::GhostBlockAssembler).
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(optional_fields, rename_all = "camelCase")
)]
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
    /// `latest`
    pub placement: Option<Placement>,
    /// Tokens that a block may take; no limit.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
    pub max_tokens: Option<u64>,
    /// Whether included files may act as rules do: macros, references and tool calls; false.
    pub trust_files: Option<bool>,
    /// Whether `http:` and `https:` images are asked for; false.
    pub remote_images: Option<bool>,
    /// Whether references and directives in code count; false.
    pub references_in_code: Option<bool>,
    /// Documents within documents; 20.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
    pub max_depth: Option<u64>,
    /// Items of a conversation, and documents included by one; 1,000.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
    pub max_items: Option<u64>,
    /// Bytes of UTF-8 that one item may have; 1,048,576.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
    pub max_item_bytes: Option<u64>,
    /// Bytes of UTF-8 that all items together may have; 16,777,216.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
    pub max_total_bytes: Option<u64>,
    /// Uses of macros in one document, those within values included; 1,000.
    #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
    pub max_macro_expansions: Option<u64>,
}

impl AssemblerOptions {
    /// Settings with nothing but a root.
    #[must_use]
    pub fn new(root: impl Into<String>) -> Self {
        Self {
            root: root.into(),
            allowed_roots: None,
            platform: None,
            tools: None,
            placement: None,
            max_tokens: None,
            trust_files: None,
            remote_images: None,
            references_in_code: None,
            max_depth: None,
            max_items: None,
            max_item_bytes: None,
            max_total_bytes: None,
            max_macro_expansions: None,
        }
    }

    /// Reads what a host handed over.
    pub(crate) fn read(setting: &Setting) -> Result<Self, Error> {
        let mut options = Self::new("");
        let mut root = None;
        Named::whole(MACHINE, setting).read(&mut options.values(&mut root))?;
        options.root = root.unwrap_or_default();
        Ok(options)
    }

    /// What [`AssemblerOptions::read`] reads.
    pub(crate) fn write(&mut self) -> Setting {
        let mut root = Some(self.root.clone());
        write(&self.values(&mut root))
    }

    /// One list for both, which is too long to be there twice.
    #[inline(never)]
    fn values<'a>(
        &'a mut self,
        root: &'a mut Option<String>,
    ) -> [(&'static str, &'a mut dyn OptionValue); 14] {
        [
            ("root", root),
            ("allowedRoots", &mut self.allowed_roots),
            ("platform", &mut self.platform),
            ("tools", &mut self.tools),
            ("placement", &mut self.placement),
            ("maxTokens", &mut self.max_tokens),
            ("trustFiles", &mut self.trust_files),
            ("remoteImages", &mut self.remote_images),
            ("referencesInCode", &mut self.references_in_code),
            ("maxDepth", &mut self.max_depth),
            ("maxItems", &mut self.max_items),
            ("maxItemBytes", &mut self.max_item_bytes),
            ("maxTotalBytes", &mut self.max_total_bytes),
            ("maxMacroExpansions", &mut self.max_macro_expansions),
        ]
    }
}

impl Word for Placement {
    const MEANINGS: &'static [Self] = &[Self::Latest, Self::Delta];
    const WORDS: &'static str = "latest delta";
}

/// The options with everything filled in.
#[derive(Debug, Clone)]
pub(crate) struct Settings {
    pub(crate) roots: Roots,
    pub(crate) tools: Option<Vec<String>>,
    pub(crate) is_delta: bool,
    pub(crate) max_tokens: Option<u64>,
    pub(crate) trust_files: bool,
    pub(crate) remote_images: bool,
    pub(crate) references_in_code: bool,
    pub(crate) max_depth: usize,
    pub(crate) max_items: usize,
    pub(crate) max_item_bytes: u64,
    pub(crate) max_total_bytes: u64,
    pub(crate) macros: MacroLimits,
}

impl Settings {
    pub(crate) fn new(options: &AssemblerOptions) -> Result<Self, Error> {
        let platform = match options.platform {
            Some(platform) => platform,
            None if options.root.starts_with('/') => PathPlatform::Posix,
            None => PathPlatform::Win32,
        };
        let others = options.allowed_roots.as_deref().unwrap_or_default();
        let roots = Roots::new(platform, &options.root, others)
            .map_err(|(field, why)| Error::new(ErrorCode::InvalidConfig, MACHINE, why).at(field))?;
        let count = |given: Option<u64>, usual: usize| {
            given.map_or(usual, |count| usize::try_from(count).unwrap_or(usize::MAX))
        };
        let max_total_bytes = options.max_total_bytes.unwrap_or(16 << 20);
        Ok(Self {
            roots,
            tools: options.tools.clone(),
            is_delta: options.placement == Some(Placement::Delta),
            max_tokens: options.max_tokens,
            trust_files: options.trust_files.unwrap_or(false),
            remote_images: options.remote_images.unwrap_or(false),
            references_in_code: options.references_in_code.unwrap_or(false),
            // Each document within another is a call within another, and the stack is finite.
            max_depth: count(options.max_depth, 20).min(100),
            max_items: count(options.max_items, 1_000),
            max_item_bytes: options.max_item_bytes.unwrap_or(1 << 20),
            max_total_bytes,
            macros: MacroLimits {
                expansions: options.max_macro_expansions.unwrap_or(1_000),
                units: max_total_bytes,
            },
        })
    }

    /// What of a text is code and therefore says nothing.
    pub(crate) fn code(&self, units: &[u16]) -> Code {
        if self.references_in_code {
            Code::default()
        } else {
            Code::find(units)
        }
    }

    /// Finds the references of a text whose directives were carried out.
    pub(crate) fn find(
        &self,
        expanded: &Expanded,
        found: &mut Vec<Reference>,
        remarks: &mut Vec<Diagnostic>,
    ) {
        let code = self.code(&expanded.units);
        let is_literal = |at| expanded.is_literal(at);
        find(&expanded.units, code.ranges(), &is_literal, found, remarks);
    }

    /// The file that a reference is of, or why it may not be asked for.
    pub(crate) fn resolve(&self, reference: &Reference) -> Result<Source, &'static str> {
        let path = reference.path.as_deref().unwrap_or_default();
        match self.roots.resolve(path) {
            Ok(file) => Ok(Source::file(file, reference.start_line, reference.end_line)),
            Err(denied) => Err(denied.reason()),
        }
    }
}
