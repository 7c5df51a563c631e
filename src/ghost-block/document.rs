//! A text that is read: its directives are carried out, its references found, and its problems get
//! a line and a column.

use std::cell::Cell;

use super::diagnostic::{Diagnostic, DiagnosticCode, Problem, Problems};
use super::settings::Settings;
use super::syntax::macros::{Macros, Scope};
use super::syntax::preprocess::{Expanded, preprocess};
use super::syntax::references::{References, find};
use super::syntax::{NEWLINE, unit_at};
use turnkeeper_base::text::markdown_code::MarkdownCode;

/// A prompt, a rule, or a file that is read as rules are.
pub(crate) struct Document<'a> {
    pub(crate) units: &'a [u16],
    /// Its name in diagnostics; the prompt has none.
    pub(crate) source: Option<&'a str>,
    /// Its path, relative to the root; empty if that is not known.
    path: &'a str,
    /// The place of the problem before. Most problems come in order, so lines need not be counted
    /// from the start each time.
    counted: Cell<TextPosition>,
}

/// A place in a text.
#[derive(Clone, Copy)]
struct TextPosition {
    offset: usize,
    /// From 1.
    line: u32,
    line_start: usize,
}

impl TextPosition {
    const START: Self = Self {
        offset: 0,
        line: 1,
        line_start: 0,
    };
}

/// A document that was read.
pub(crate) struct Parsed {
    pub(crate) expanded: Expanded,
    /// Their offsets are those of the expanded text.
    pub(crate) references: References,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

impl<'a> Document<'a> {
    pub(crate) fn new(units: &'a [u16], source: Option<&'a str>) -> Self {
        Self::at(units, source, "")
    }

    /// A document of which the path is known.
    pub(crate) fn at(units: &'a [u16], source: Option<&'a str>, path: &'a str) -> Self {
        Self {
            units,
            source,
            path,
            counted: Cell::new(TextPosition::START),
        }
    }

    /// The same document without its beginning.
    pub(crate) fn from(&self, start: usize) -> Self {
        Self::at(&self.units[start..], self.source, self.path)
    }

    /// The folder that it is in; empty for the root, and if that is not known.
    pub(crate) fn folder(&self) -> &'a str {
        self.path.rsplit_once('/').map_or("", |(folder, _)| folder)
    }

    /// Gives a problem of this document its line and its column.
    pub(crate) fn diagnostic(&self, problem: Problem) -> Diagnostic {
        let mut place = self.counted.get();
        if problem.offset < place.offset {
            place = TextPosition::START;
        }
        while place.offset < problem.offset {
            let is_newline = unit_at(self.units, place.offset) == NEWLINE;
            place.offset += 1;
            if is_newline {
                place.line += 1;
                place.line_start = place.offset;
            }
        }
        self.counted.set(place);
        let column = (place.offset - place.line_start + 1) as u32;
        problem.at(place.line, column, self.source.map(str::to_owned))
    }

    /// The diagnostics of problems of this document, in its order.
    fn diagnostics(&self, problems: Problems) -> Vec<Diagnostic> {
        let problems = problems.in_order().into_iter();
        problems.map(|it| self.diagnostic(it)).collect()
    }

    /// Carries out the directives.
    pub(crate) fn expand(
        &self,
        settings: &Settings,
        scope: &mut Scope,
    ) -> (Expanded, Vec<Diagnostic>) {
        let mut problems = Problems::default();
        let expanded = self.carry_out(settings, scope, &mut problems);
        (expanded, self.diagnostics(problems))
    }

    /// Carries out the directives and finds the references.
    pub(crate) fn parse(&self, settings: &Settings, scope: &mut Scope) -> Parsed {
        let mut problems = Problems::default();
        let expanded = self.carry_out(settings, scope, &mut problems);
        let mut of_references = Problems::default();
        let references = references_of(&expanded, settings, &mut of_references);
        problems.append(of_references, |offset| expanded.origin(offset));
        Parsed {
            diagnostics: self.diagnostics(problems),
            references,
            expanded,
        }
    }

    fn carry_out(&self, settings: &Settings, own: &mut Scope, problems: &mut Problems) -> Expanded {
        let code = code_of(self.units, settings);
        if let Some(offset) = code.unclosed_fence() {
            let message = "nothing closes this block of code";
            problems.push(Problem::new(offset, DiagnosticCode::UnclosedFence, message));
        }
        let host = &settings.host_macros;
        let (mut macros, limits) = (Macros { host, own }, settings.macro_limits);
        preprocess(self.units, &code, &mut macros, limits, problems)
    }
}

/// The parts of a text that are code, where references and directives are text.
pub(crate) fn code_of(units: &[u16], settings: &Settings) -> MarkdownCode {
    if settings.options.references_in_code == Some(true) {
        MarkdownCode::default()
    } else {
        MarkdownCode::of(units)
    }
}

/// The references of a text whose directives were carried out.
pub(crate) fn references_of(
    expanded: &Expanded,
    settings: &Settings,
    problems: &mut Problems,
) -> References {
    let code = code_of(&expanded.units, settings);
    let is_literal = |at| expanded.is_literal(at);
    find(&expanded.units, &code, &is_literal, problems)
}
