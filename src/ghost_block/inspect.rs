//! A prompt looked at while it is being typed: no I/O, nothing remembered.

use super::evaluate::Document;
use super::items::Source;
use super::json::Json;
use super::syntax::directives::{Kind, Token, is_escaped, scan};
use super::syntax::references::find;
use super::text::lossy;
use super::{Diagnostic, GhostBlockAssembler};
use crate::table::sort_by;

/// What a reference refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(rename_all = "lowercase")
)]
pub enum ReferenceKind {
    /// A file, lines of one, or a folder.
    File,
    /// A tool call.
    Tool,
    /// An image.
    Image,
    /// A directive.
    Macro,
}

/// A reference or a directive of a prompt, as it stands there.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(optional_fields, rename_all = "camelCase")
)]
pub struct Reference {
    /// What it refers to.
    pub kind: ReferenceKind,
    /// Where it begins, in UTF-16 code units.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
    /// Of a file or an image, as it is written.
    pub path: Option<String>,
    /// From 1.
    pub start_line: Option<u32>,
    /// From 1, included.
    pub end_line: Option<u32>,
    /// The tool's or the macro's.
    pub name: Option<String>,
    /// A tool's arguments.
    #[cfg_attr(feature = "typescript", ts(skip))]
    pub(crate) args: Option<Json>,
    /// Where the text in an image's brackets ends.
    #[cfg_attr(feature = "typescript", ts(skip))]
    pub(crate) alt_end: usize,
}

impl Reference {
    pub(crate) fn new(kind: ReferenceKind, start: usize, end: usize) -> Self {
        Self {
            kind,
            start,
            end,
            path: None,
            start_line: None,
            end_line: None,
            name: None,
            args: None,
            alt_end: end,
        }
    }

    /// The call that a reference to a tool is.
    pub(crate) fn tool(&self) -> Source {
        let name = self.name.as_deref().unwrap_or_default();
        match &self.args {
            Some(args) => Source::tool(name, args),
            None => Source::denied(name),
        }
    }
}

impl GhostBlockAssembler {
    /// The references and directives of a prompt with their places, in order of start, and what is
    /// wrong with it. A directive may stand within a reference. Changes nothing. Time in proportion
    /// to the prompt's length.
    pub fn inspect(&self, prompt: &[u16]) -> (Vec<Reference>, Vec<Diagnostic>) {
        let mut references = Vec::new();
        for token in self.outline(prompt, &mut references) {
            let mut directive = Reference::new(ReferenceKind::Macro, token.start, token.end);
            if !token.name.is_empty() {
                directive.name = Some(lossy(token.name));
            }
            references.push(directive);
        }
        sort_by(&mut references, |reference| reference.start);
        (references, self.diagnose(prompt))
    }

    /// The directives of a prompt, and its references, each in order.
    pub(crate) fn outline<'a>(
        &self,
        prompt: &'a [u16],
        references: &mut Vec<Reference>,
    ) -> Vec<Token<'a>> {
        let code = self.settings.code(prompt);
        // What is wrong is told of the text whose directives are carried out.
        let mut remarks = Vec::new();
        let mut directives = scan(prompt, code.ranges(), &mut remarks);
        directives.retain(|token| token.kind != Kind::Escape);
        let is_literal = |at| {
            // Directives end in the order in which they begin.
            let next = directives.partition_point(|directive| directive.end <= at);
            let is_within = directives.get(next).is_some_and(|next| next.start <= at);
            is_within || is_escaped(prompt, at)
        };
        find(prompt, code.ranges(), &is_literal, references, &mut remarks);
        directives
    }

    /// What is wrong with a prompt.
    pub(crate) fn diagnose(&self, prompt: &[u16]) -> Vec<Diagnostic> {
        let mut diagnostics = Vec::new();
        let document = Document::new(prompt, None);
        let mut scope = self.state.scope.clone();
        document.parse(
            &self.settings,
            &mut scope,
            &mut diagnostics,
            &mut Vec::new(),
        );
        diagnostics
    }
}
