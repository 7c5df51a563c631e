//! A prompt looked at while it is being typed: no I/O, nothing remembered.

use super::document::{Document, code_of};
use super::syntax::directives::{Directive, Directives, Token, is_escaped, scan};
use super::syntax::reference::{Reference, ReferenceKind};
use super::syntax::references::{Found, MOST_REFERENCES, find};
use super::{Diagnostic, GhostBlockAssembler};
use turnkeeper_base::order;
use turnkeeper_base::text::{Text, lossy};

/// What there is to say of a prompt that is being typed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Inspection {
    /// The references and directives with their places, in order of start: the first 100,000 of each.
    /// A directive may stand within a reference.
    pub references: Vec<Reference>,
    /// What is wrong with it.
    pub diagnostics: Vec<Diagnostic>,
}

/// The references and the directives of a prompt, each in order.
pub(crate) struct Outline<'a> {
    pub(crate) references: Vec<Reference>,
    pub(crate) directives: Vec<Token<'a>>,
}

impl GhostBlockAssembler {
    /// The references and directives of a prompt, and what is wrong with it. Changes nothing. Time
    /// in proportion to the prompt's length.
    #[must_use]
    pub fn inspect(&self, prompt: &str) -> Inspection {
        self.inspect_units(&prompt.encode_utf16().collect::<Vec<_>>())
    }

    /// [`inspect`](Self::inspect) of UTF-16 code units.
    #[must_use]
    pub fn inspect_units(&self, prompt: &[u16]) -> Inspection {
        let Outline {
            mut references,
            directives,
        } = self.outline(prompt);
        for token in directives {
            let mut directive = Reference::new(ReferenceKind::Macro, token.start, token.end);
            directive.name = token.directive.name().map(|name| lossy(name.units));
            references.push(directive);
        }
        order::sort_by_key(&mut references, |reference| reference.start);
        Inspection {
            references,
            diagnostics: self.diagnose(prompt),
        }
    }

    /// The directives of a prompt, and its references.
    pub(crate) fn outline<'a>(&self, prompt: &'a [u16]) -> Outline<'a> {
        let code = code_of(prompt, &self.settings);
        // Problems are reported in the text whose directives are carried out.
        let Directives { mut tokens, .. } = scan(prompt, code.ranges());
        tokens.retain(|token| token.directive != Directive::Escape);
        let is_literal = |at| {
            // Directives end in the order in which they begin.
            let next = tokens.partition_point(|directive| directive.end <= at);
            let is_within = tokens.get(next).is_some_and(|next| next.start <= at);
            is_within || is_escaped(prompt, at)
        };
        let Found { mut references, .. } = find(prompt, code.ranges(), &is_literal);
        let is_call = |it: &Reference| it.kind != ReferenceKind::Tool || it.args.is_some();
        references.list.retain(is_call);
        tokens.truncate(MOST_REFERENCES);
        Outline {
            references: references.list,
            directives: tokens,
        }
    }

    /// A text with its directives carried out, under the macros of the conversation and these. Nothing is
    /// read, and the conversation is as it was before.
    #[must_use]
    pub fn preprocess_units(
        &self,
        units: &[u16],
        macros: impl IntoIterator<Item = (String, Text)>,
    ) -> (Text, Vec<Diagnostic>) {
        let mut scope = self.conversation.scope.clone();
        scope.extend(macros);
        let (expanded, diagnostics) = Document::new(units, None).expand(&self.settings, &mut scope);
        (Text::from_units(&expanded.units), diagnostics)
    }

    /// What is wrong with a prompt.
    pub(crate) fn diagnose(&self, prompt: &[u16]) -> Vec<Diagnostic> {
        let mut scope = self.conversation.scope.clone();
        Document::new(prompt, None)
            .parse(&self.settings, &mut scope)
            .diagnostics
    }
}
