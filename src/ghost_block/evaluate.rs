//! One look at a job: what it still needs, and what it gives once it has that.
//!
//! A look is a pure function of the conversation, the job and the answers so far, and reads
//! documents in their order, whatever order the answers came in. What is missing is asked for; when
//! everything is there, the last look has the result. So the result cannot depend on who answered
//! first.

use super::Diagnostic;
use super::front_matter::{self, FrontMatter};
use super::inspect::{Reference, ReferenceKind};
use super::items::{Said, Source, SourceKind};
use super::options::Settings;
use super::syntax::preprocess::{Expanded, Scope, preprocess};
use super::syntax::references::find;
use super::syntax::{NEWLINE, part};
use super::text::{Text, concat};
use crate::table::{Table, sort_by};

/// A document within others.
pub(crate) struct Document<'a> {
    pub(crate) units: &'a [u16],
    /// What a diagnostic calls it; the prompt has no name.
    pub(crate) source: Option<&'a str>,
}

/// Why a reference stays as it was written: a diagnostic's code and message.
type Refusal = (&'static str, String);

/// One look.
pub(crate) struct Look<'a> {
    settings: &'a Settings,
    /// By identity.
    answers: &'a Table<Said>,
    /// Results of tools that ran earlier in the conversation, by identity.
    known: &'a Table<Said>,
    pub(crate) scope: Scope,
    pub(crate) missing: Vec<Source>,
    pub(crate) is_complete: bool,
    /// A document is missing that may define macros, so what follows may not be what it seems.
    is_uncertain: bool,
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// The front matter of the documents read, if it is wanted.
    pub(crate) front_matter: Option<FrontMatter>,
    /// The keys of the documents that are being read, each within the one before.
    pub(crate) chain: Vec<String>,
    inclusions: usize,
    included: u64,
}

impl<'a> Look<'a> {
    pub(crate) fn new(
        settings: &'a Settings,
        answers: &'a Table<Said>,
        known: &'a Table<Said>,
        scope: Scope,
    ) -> Self {
        Self {
            settings,
            answers,
            known,
            scope,
            missing: Vec::new(),
            is_complete: true,
            is_uncertain: false,
            diagnostics: Vec::new(),
            front_matter: None,
            chain: Vec::new(),
            inclusions: 0,
            included: 0,
        }
    }

    /// Tells about a document, remarks in order of place.
    pub(crate) fn tell(&mut self, document: &Document, remarks: Vec<Diagnostic>) {
        let (mut line, mut start, mut at) = (1, 0, 0);
        for mut remark in remarks {
            let offset = remark.column;
            while at < offset {
                at += 1;
                if document.units.get(at as usize - 1) == Some(&NEWLINE) {
                    line += 1;
                    start = at;
                }
            }
            remark.line = line;
            remark.column = offset - start + 1;
            remark.source = document.source.map(str::to_owned);
            self.diagnostics.push(remark);
        }
    }

    /// Carries out the directives and finds the references.
    pub(crate) fn parse(&mut self, document: &Document, found: &mut Vec<Reference>) -> Expanded {
        let mut remarks = Vec::new();
        let code = self.settings.code(document.units);
        code.remark(&mut remarks);
        let expanded = preprocess(
            document.units,
            code.ranges(),
            &mut self.scope,
            self.settings.macros,
            &mut remarks,
        );
        let told = remarks.len();
        self.find(&expanded, found, &mut remarks);
        for remark in &mut remarks[told..] {
            remark.column = expanded.origin(remark.column as usize) as u32;
        }
        sort_by(&mut remarks, |remark| remark.column as usize);
        self.tell(document, remarks);
        expanded
    }

    /// Finds the references of a text whose directives were carried out.
    pub(crate) fn find(
        &self,
        expanded: &Expanded,
        found: &mut Vec<Reference>,
        remarks: &mut Vec<Diagnostic>,
    ) {
        let code = self.settings.code(&expanded.units);
        let is_literal = |at| expanded.is_literal(at);
        find(&expanded.units, code.ranges(), &is_literal, found, remarks);
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
        let document = &Document {
            units: part(document.units, body, document.units.len()),
            source: document.source,
        };
        let mut references = Vec::new();
        let expanded = self.parse(document, &mut references);
        let units = &expanded.units[..];
        let mut from = 0;
        for reference in &references {
            out.extend_from_slice(part(units, from, reference.start));
            from = reference.start;
            match self.replace(reference, out) {
                Ok(true) => from = reference.end,
                Ok(false) => {}
                Err((code, message)) => {
                    let at = expanded.origin(reference.start);
                    self.tell(document, vec![Diagnostic::error(at, code, &message)]);
                }
            }
        }
        out.extend_from_slice(part(units, from, units.len()));
    }

    /// Appends what stands in a reference's place, and says whether it is there.
    fn replace(&mut self, reference: &Reference, out: &mut Vec<u16>) -> Result<bool, Refusal> {
        match reference.kind {
            ReferenceKind::File => self.include(reference, out),
            ReferenceKind::Tool => {
                let source = reference.tool();
                match self.tool(&source) {
                    Some(said) if said.is_content() => {
                        out.extend_from_slice(&said.text.to_units());
                        Ok(true)
                    }
                    Some(said) => {
                        let message = concat(&[&source.name, ": ", &said.text.to_string()]);
                        Err(("tool_failed", message))
                    }
                    None => Ok(false),
                }
            }
            // An image in a document is text.
            _ => Ok(false),
        }
    }

    fn include(&mut self, reference: &Reference, out: &mut Vec<u16>) -> Result<bool, Refusal> {
        let source = match self.settings.resolve(reference) {
            Ok(source) => source,
            Err(reason) => return Err(("denied", reason.to_owned())),
        };
        let key = source.key.clone();
        if self.chain.contains(&key) {
            let cycle = self.chain.join(" -> ");
            let message = concat(&["the document includes itself: ", &cycle, " -> ", &key]);
            return Err(("cycle", message));
        }
        let limit = self.settings.max_depth;
        if self.chain.len() >= limit {
            let limit = limit.to_string();
            let message = "documents within documents exceed the limit of ";
            return Err(("limit", concat(&[message, &limit])));
        }
        let is_trusted = self.settings.trust_files && source.kind == SourceKind::File;
        let Some(said) = self.need(&source) else {
            self.is_uncertain |= is_trusted;
            return Ok(false);
        };
        if !said.is_content() {
            let message = concat(&[&key, ": ", &said.text.to_string()]);
            return Err(("unreadable", message));
        }
        self.inclusions += 1;
        self.included += said.text.utf8_len();
        let too_many = self.inclusions > self.settings.max_items;
        if too_many || self.included > self.settings.max_total_bytes {
            return Err(("limit", "what is included exceeds the limit".to_owned()));
        }
        if is_trusted {
            self.expand_file(&key, &said.text, out);
        } else {
            out.extend_from_slice(&said.text.to_units());
        }
        Ok(true)
    }

    /// Expands the content of a trusted file.
    pub(crate) fn expand_file(&mut self, key: &str, content: &Text, out: &mut Vec<u16>) {
        self.chain.push(key.to_owned());
        let units = content.to_units();
        let document = Document {
            units: &units,
            source: Some(key),
        };
        self.expand(&document, out);
        self.chain.pop();
    }

    /// Reads the front matter, if that is wanted, and answers with where the body begins.
    fn take_front_matter(&mut self, document: &Document) -> usize {
        let Some(all) = &mut self.front_matter else {
            return 0;
        };
        let (found, body) = front_matter::split(document.units);
        let Some(yaml) = found else {
            return 0;
        };
        match front_matter::read(&String::from_utf16_lossy(yaml)) {
            Ok(read) => all.merge(read),
            Err(message) => {
                let remark = Diagnostic::error(0, "bad_front_matter", &message);
                self.tell(document, vec![remark]);
            }
        }
        body
    }
}
