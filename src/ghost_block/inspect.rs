//! A prompt looked at while it is being typed: no I/O, nothing remembered.

use super::evaluate::{Document, Look};
use super::syntax::code::Code;
use super::syntax::directives::{Condition, Directive, Placed, Token, scan};
use super::syntax::references::{Found, Lines, Target, find, is_escaped};
use super::{Diagnostic, GhostBlockAssembler};
use crate::table::{Table, sorted_by};

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
    pub start: u32,
    /// Where it ends.
    pub end: u32,
    /// Of a file or an image, as it is written.
    pub path: Option<String>,
    /// From 1.
    pub start_line: Option<u32>,
    /// From 1, included.
    pub end_line: Option<u32>,
    /// The tool's or the macro's.
    pub name: Option<String>,
}

impl Reference {
    fn new(kind: ReferenceKind, range: &std::ops::Range<usize>) -> Self {
        let short = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        Self {
            kind,
            start: short(range.start),
            end: short(range.end),
            path: None,
            start_line: None,
            end_line: None,
            name: None,
        }
    }
}

impl GhostBlockAssembler {
    /// The references and directives of a prompt with their places, in order of start, and what is
    /// wrong with it. A directive may stand within a reference. Changes nothing. Time in proportion to the prompt's length.
    pub fn inspect(&self, prompt: &[u16]) -> (Vec<Reference>, Vec<Diagnostic>) {
        let code = if self.settings.references_in_code {
            Code::default()
        } else {
            Code::find(prompt)
        };
        let (tokens, _) = scan(prompt, code.ranges());
        let mut skipped = code.ranges().to_vec();
        let mut references = Vec::new();
        for Placed { range, token } in tokens {
            let Token::Directive(directive) = token else {
                continue;
            };
            let name = match directive {
                Directive::Define { name, .. } | Directive::Use { name } => Some(name),
                Directive::If(Condition::Defined { name, .. }) => Some(name),
                Directive::If(Condition::Compare { left, .. }) => Some(left),
                Directive::Else | Directive::Endif => None,
            };
            references.push(Reference {
                name: name.map(|name| String::from_utf16_lossy(&name)),
                ..Reference::new(ReferenceKind::Macro, &range)
            });
            skipped.push(range);
        }
        let skipped = sorted_by(skipped, |range| range.start);
        let (found, _) = find(prompt, &skipped, |at| is_escaped(prompt, at));
        references.extend(found.into_iter().map(reference));
        let references = sorted_by(references, |reference| reference.start as usize);

        let (answers, results) = (Table::default(), Table::default());
        let mut look = Look::new(&self.settings, &answers, &results, self.scope.clone());
        look.parse(&Document {
            units: prompt,
            source: None,
        });
        (references, look.diagnostics)
    }
}

fn reference(Found { range, target }: Found) -> Reference {
    match target {
        Target::File { path, lines } => Reference {
            path: Some(path),
            start_line: lines.map(|Lines { start, .. }| start),
            end_line: lines.and_then(|Lines { end, .. }| end),
            ..Reference::new(ReferenceKind::File, &range)
        },
        Target::Tool { name, .. } => Reference {
            name: Some(name),
            ..Reference::new(ReferenceKind::Tool, &range)
        },
        Target::Image { uri, .. } => Reference {
            path: Some(uri),
            ..Reference::new(ReferenceKind::Image, &range)
        },
    }
}
