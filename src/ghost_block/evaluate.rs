//! One look at a job: what it still needs, and what it gives once it has that.
//!
//! A look is a pure function of the conversation, the job and the answers so far, and reads
//! documents in their order, whatever order the answers came in. What is missing is asked for; when
//! everything is there, the last look has the result. So the result cannot depend on who answered
//! first.

use std::cell::Cell;

use super::Diagnostic;
use super::front_matter;
use super::inspect::{Reference, ReferenceKind};
use super::items::{Said, Source, SourceKind};
use super::job::Ready;
use super::options::Settings;
use super::syntax::preprocess::{Expanded, Scope, preprocess};
use super::syntax::{NEWLINE, part, unit_at};
use super::text::{Text, chain, concat, lossy};
use crate::table::{Table, sort_by};
use crate::text::decimal;

/// A document within others.
pub(crate) struct Document<'a> {
    pub(crate) units: &'a [u16],
    /// What a diagnostic calls it; the prompt has no name.
    source: Option<&'a str>,
    /// The line that was told of last, where it begins, and the offset. Most of what is told comes
    /// in order, and lines need not be counted from the start then.
    told: Cell<(u32, u32, u32)>,
}

impl<'a> Document<'a> {
    pub(crate) fn new(units: &'a [u16], source: Option<&'a str>) -> Self {
        let told = Cell::new((1, 0, 0));
        Self {
            units,
            source,
            told,
        }
    }

    /// Gives diagnostics that have offsets their lines and columns.
    fn place(&self, remarks: &mut [Diagnostic]) {
        let (mut line, mut start, mut at) = self.told.get();
        for remark in remarks {
            let offset = remark.column;
            if offset < at {
                (line, start, at) = (1, 0, 0);
            }
            while at < offset {
                if unit_at(self.units, at as usize) == NEWLINE {
                    line += 1;
                    start = at + 1;
                }
                at += 1;
            }
            remark.line = line;
            remark.column = offset - start + 1;
            remark.source = self.source.map(str::to_owned);
        }
        self.told.set((line, start, at));
    }

    /// Carries out the directives and finds the references.
    pub(crate) fn parse(
        &self,
        settings: &Settings,
        scope: &mut Scope,
        remarks: &mut Vec<Diagnostic>,
        found: &mut Vec<Reference>,
    ) -> Expanded {
        let told = remarks.len();
        let code = settings.code(self.units);
        code.remark(remarks);
        let expanded = preprocess(self.units, code.ranges(), scope, settings.macros, remarks);
        let in_expanded = remarks.len();
        settings.find(&expanded, found, remarks);
        for remark in &mut remarks[in_expanded..] {
            remark.column = expanded.origin(remark.column as usize) as u32;
        }
        let remarks = &mut remarks[told..];
        sort_by(remarks, |remark| remark.column as usize);
        self.place(remarks);
        expanded
    }
}

/// The document that a reference stands in, and the offset that is told of it.
type Site<'a> = (&'a Document<'a>, usize);

/// One look.
pub(crate) struct Look<'a> {
    settings: &'a Settings,
    /// By identity.
    answers: &'a Table<Said>,
    /// Results of tools that ran earlier in the conversation, by identity.
    known: &'a Table<Said>,
    /// What comes of it.
    pub(crate) ready: &'a mut Ready,
    pub(crate) missing: Vec<Source>,
    pub(crate) is_complete: bool,
    /// A document is missing that may define macros, so what follows may not be what it seems.
    is_uncertain: bool,
    /// The keys of the documents that are being read, each within the one before.
    chain: Vec<String>,
    inclusions: usize,
    included: u64,
}

impl<'a> Look<'a> {
    pub(crate) fn new(
        settings: &'a Settings,
        answers: &'a Table<Said>,
        known: &'a Table<Said>,
        ready: &'a mut Ready,
    ) -> Self {
        Self {
            settings,
            answers,
            known,
            ready,
            missing: Vec::new(),
            is_complete: true,
            is_uncertain: false,
            chain: Vec::new(),
            inclusions: 0,
            included: 0,
        }
    }

    /// Tells something about an offset of a document.
    pub(crate) fn tell(&mut self, document: &Document, mut remark: Diagnostic) {
        document.place(std::slice::from_mut(&mut remark));
        self.ready.diagnostics.push(remark);
    }

    /// The answer, or `None` after asking for it.
    pub(crate) fn need(&mut self, source: &Source) -> Option<Said> {
        let said = self.answers.get(&source.identity);
        if said.is_none() {
            self.is_complete = false;
            let mut missing = self.missing.iter();
            if !missing.any(|known| known.identity == source.identity) {
                self.missing.push(source.clone());
            }
        }
        said.cloned()
    }

    /// What a tool says. It runs once in a conversation, unless it fails. A tool may have effects,
    /// so it is not run before it is certain that it is called.
    pub(crate) fn tool(&mut self, source: &Source) -> Option<Said> {
        if let Some(tools) = &self.settings.tools
            && !tools.contains(&source.name)
        {
            return Some(Said::error(&["denied: this tool is not allowed"]));
        }
        if let Some(result) = self.known.get(&source.identity) {
            return Some(result.clone());
        }
        if self.is_uncertain && self.answers.get(&source.identity).is_none() {
            self.is_complete = false;
            return None;
        }
        self.need(source)
    }

    /// Appends a document with the content of its references in their places.
    pub(crate) fn expand(&mut self, document: &Document, out: &mut Vec<u16>) {
        let body = self.take_front_matter(document);
        let document = &Document::new(
            part(document.units, body, document.units.len()),
            document.source,
        );
        let mut references = Vec::new();
        let expanded = document.parse(
            self.settings,
            &mut self.ready.scope,
            &mut self.ready.diagnostics,
            &mut references,
        );
        let units = &expanded.units[..];
        let mut from = 0;
        for reference in &references {
            out.extend_from_slice(part(units, from, reference.start));
            from = reference.start;
            let site = (document, expanded.origin(reference.start));
            let is_replaced = match reference.kind {
                ReferenceKind::File => self.include(reference, site, out),
                ReferenceKind::Tool => self.call(&reference.tool(), site, out),
                // An image in a document is text.
                _ => false,
            };
            if is_replaced {
                from = reference.end;
            }
        }
        out.extend_from_slice(part(units, from, units.len()));
    }

    /// Says why a reference stays as it was written.
    fn refuse(&mut self, site: Site, code: &'static str, message: &[&str]) -> bool {
        self.tell(site.0, Diagnostic::error(site.1, code, &concat(message)));
        false
    }

    /// Appends the result that stands in a tool call's place, and says whether it is there.
    fn call(&mut self, source: &Source, site: Site, out: &mut Vec<u16>) -> bool {
        let Some(said) = self.tool(source) else {
            return false;
        };
        if !said.is_content() {
            let error = said.text.to_lossy();
            return self.refuse(site, "tool_failed", &[&source.name, ": ", &error]);
        }
        out.extend_from_slice(&said.text.to_units());
        true
    }

    /// Appends the content that stands in a file reference's place, and says whether it is there.
    fn include(&mut self, reference: &Reference, site: Site, out: &mut Vec<u16>) -> bool {
        let source = match self.settings.resolve(reference) {
            Ok(source) => source,
            Err(reason) => return self.refuse(site, "denied", &[reason]),
        };
        let key = &source.key;
        if self.chain.contains(key) {
            let cycle = chain(&self.chain, key);
            return self.refuse(site, "cycle", &["the document includes itself: ", &cycle]);
        }
        let limit = self.settings.max_depth;
        if self.chain.len() >= limit {
            let message = "documents within documents exceed the limit of ";
            return self.refuse(site, "limit", &[message, &decimal(limit as u64)]);
        }
        let is_trusted = self.settings.trust_files && source.kind == SourceKind::File;
        let Some(said) = self.need(&source) else {
            self.is_uncertain |= is_trusted;
            return false;
        };
        if !said.is_content() {
            let error = said.text.to_lossy();
            return self.refuse(site, "unreadable", &[key, ": ", &error]);
        }
        self.inclusions += 1;
        self.included += said.text.utf8_len();
        let too_many = self.inclusions > self.settings.max_items;
        if too_many || self.included > self.settings.max_total_bytes {
            return self.refuse(site, "limit", &["what is included exceeds the limit"]);
        }
        if is_trusted {
            self.expand_file(key, &said.text, out);
        } else {
            out.extend_from_slice(&said.text.to_units());
        }
        true
    }

    /// Expands the content of a trusted file.
    pub(crate) fn expand_file(&mut self, key: &str, content: &Text, out: &mut Vec<u16>) {
        self.chain.push(key.to_owned());
        let units = content.to_units();
        let document = Document::new(&units, Some(key));
        self.expand(&document, out);
        self.chain.pop();
    }

    /// Reads the front matter, if that is wanted, and answers with where the body begins.
    fn take_front_matter(&mut self, document: &Document) -> usize {
        let Some(all) = &mut self.ready.front_matter else {
            return 0;
        };
        let (found, body) = front_matter::split(document.units);
        let Some(yaml) = found else {
            return 0;
        };
        match front_matter::read(&lossy(yaml)) {
            Ok(read) => all.merge(read),
            Err(message) => {
                let remark = Diagnostic::error(0, "bad_front_matter", &message);
                self.tell(document, remark);
            }
        }
        body
    }
}
