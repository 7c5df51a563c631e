//! Texts that are looked at without a turn: no I/O, nothing remembered.

use serde::Serialize;

use super::diagnostic::{Diagnostic, Problems};
use super::document::{Document, code_of};
use super::settings::Settings;
use super::syntax::directives::{Directive, is_escaped, scan};
use super::syntax::macros::Scope;
use super::syntax::reference::{Reference, ReferenceKind};
use super::syntax::references::{MOST_REFERENCES, find};
use turnkeeper_base::order;
use turnkeeper_base::text::{Text, lossy};

/// A text with its directives carried out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct PreprocessedText {
    /// The text.
    pub text: Text,
    /// Problems, to show to whoever wrote it.
    pub diagnostics: Vec<Diagnostic>,
}

/// The references and directives of a prompt, in order of start: the first 100,000 of each.
pub(crate) fn references(prompt: &[u16], settings: &Settings) -> Vec<Reference> {
    let code = code_of(prompt, settings);
    // Problems are reported in the text whose directives are carried out.
    let mut problems = Problems::default();
    let mut tokens = scan(prompt, &code, &mut problems);
    tokens.retain(|token| token.directive != Directive::Escape);
    let is_literal = |at| {
        // Directives end in the order in which they begin.
        let next = tokens.partition_point(|directive| directive.end <= at);
        let is_within = tokens.get(next).is_some_and(|next| next.start <= at);
        is_within || is_escaped(prompt, at)
    };
    let mut found = find(prompt, &code, &is_literal, &mut problems).list;
    found.retain(|it| it.kind != ReferenceKind::Tool || it.args.is_some());
    found.extend(tokens.iter().take(MOST_REFERENCES).map(|token| Reference {
        name: token.directive.name().map(|name| lossy(name.units)),
        ..Reference::new(ReferenceKind::Macro, token.start, token.end)
    }));
    order::sort_by_key(&mut found, |reference| reference.start);
    found
}

/// The problems of a prompt under the macros that it would have.
pub(crate) fn diagnose(prompt: &[u16], mut scope: Scope, settings: &Settings) -> Vec<Diagnostic> {
    let document = Document::new(prompt, None);
    document.parse(settings, &mut scope).diagnostics
}

/// A text with its directives carried out under these macros.
pub(crate) fn preprocess(text: &[u16], mut scope: Scope, settings: &Settings) -> PreprocessedText {
    let (expanded, diagnostics) = Document::new(text, None).expand(settings, &mut scope);
    PreprocessedText {
        text: Text::from_units(&expanded.units),
        diagnostics,
    }
}
