//! One look at a job: what it still needs, and what it gives once it has that.
//!
//! A look is a pure function of the conversation, the job and the answers so far, and reads
//! documents in their order, whatever order the answers came in. What is missing is asked for; when
//! everything is there, the last look has the result. So the result cannot depend on who answered
//! first.

use super::Diagnostic;
use super::block::Said;
use super::front_matter::{self, FrontMatter};
use super::items::{File, tool_key};
use super::json::Json;
use super::options::Settings;
use super::syntax::Remark;
use super::syntax::code::Code;
use super::syntax::preprocess::{Expanded, Scope, preprocess};
use super::syntax::references::{Found, Lines, Target, find};
use super::text::Text;
use crate::table::{Table, sorted_by};

/// What a job asks the host for, and what it is recognised by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NeedKind {
    File,
    Tool,
    Image,
}

/// A need by its kind and what tells it from others of that kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Need {
    pub(crate) kind: NeedKind,
    pub(crate) key: String,
}

impl Need {
    pub(crate) fn new(kind: NeedKind, key: String) -> Self {
        Self { kind, key }
    }

    /// The name under which its answer is kept.
    pub(crate) fn name(&self) -> String {
        let kind = match self.kind {
            NeedKind::File => 'f',
            NeedKind::Tool => 't',
            NeedKind::Image => 'i',
        };
        format!("{kind} {}", self.key)
    }
}

/// How it is asked for.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Wanted {
    File(File),
    Tool { name: String, args: Json },
    Image(String),
}

/// What came back.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Reply {
    Said { said: Said, is_gone: bool },
    Image { media_type: String, data: Text },
}

/// A document within others.
#[derive(Debug, Clone)]
pub(crate) struct Document<'a> {
    pub(crate) units: &'a [u16],
    /// What a diagnostic calls it; the prompt has no name.
    pub(crate) source: Option<&'a str>,
}

/// Why a reference stays as it was written: a diagnostic's code and message.
type Refusal = (&'static str, String);

/// A document read up to its references.
pub(crate) struct Parsed {
    pub(crate) expanded: Expanded,
    pub(crate) references: Vec<Found>,
}

/// One look.
pub(crate) struct Look<'a> {
    settings: &'a Settings,
    answers: &'a Table<Reply>,
    /// Results of tools that ran earlier in the conversation.
    results: &'a Table<Text>,
    pub(crate) scope: Scope,
    pub(crate) missing: Vec<(Need, Wanted)>,
    pub(crate) is_complete: bool,
    /// A document is missing that may define macros, so what follows may not be what it seems.
    is_uncertain: bool,
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// The front matter of the documents read, if it is wanted.
    pub(crate) front_matter: Option<FrontMatter>,
    inclusions: usize,
    included: u64,
}

impl<'a> Look<'a> {
    pub(crate) fn new(
        settings: &'a Settings,
        answers: &'a Table<Reply>,
        results: &'a Table<Text>,
        scope: Scope,
    ) -> Self {
        Self {
            settings,
            answers,
            results,
            scope,
            missing: Vec::new(),
            is_complete: true,
            is_uncertain: false,
            diagnostics: Vec::new(),
            front_matter: None,
            inclusions: 0,
            included: 0,
        }
    }

    fn code(&self, units: &[u16]) -> Code {
        if self.settings.references_in_code {
            Code::default()
        } else {
            Code::find(units)
        }
    }

    /// Tells about a document, remarks in order of place.
    pub(crate) fn remark(
        &mut self,
        document: &Document,
        remarks: impl IntoIterator<Item = Remark>,
    ) {
        let mut starts: Option<Vec<usize>> = None;
        for remark in remarks {
            let starts = starts.get_or_insert_with(|| {
                let newlines = document.units.iter().enumerate();
                std::iter::once(0)
                    .chain(
                        newlines
                            .filter(|(_, unit)| **unit == 0x0a)
                            .map(|(at, _)| at + 1),
                    )
                    .collect()
            });
            let line = starts.partition_point(|&start| start <= remark.at).max(1);
            let short = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
            self.diagnostics.push(Diagnostic {
                is_error: remark.is_error,
                code: remark.code,
                message: remark.message,
                line: short(line),
                column: short(remark.at - starts[line - 1] + 1),
                source: document.source.map(str::to_owned),
            });
        }
    }

    /// Carries out the directives and finds the references.
    pub(crate) fn parse(&mut self, document: &Document) -> Parsed {
        let code = self.code(document.units);
        let mut expanded = preprocess(document.units, &code, &mut self.scope, self.settings.macros);
        let mut remarks: Vec<Remark> = code.remarks().collect();
        remarks.append(&mut expanded.remarks);
        let code = self.code(&expanded.units);
        let (references, problems) =
            find(&expanded.units, code.ranges(), |at| expanded.is_literal(at));
        remarks.extend(problems.into_iter().map(|remark| Remark {
            at: expanded.origin(remark.at),
            ..remark
        }));
        let remarks = sorted_by(remarks, |remark| remark.at);
        self.remark(document, remarks);
        Parsed {
            expanded,
            references,
        }
    }

    /// A text whose directives were carried out before.
    pub(crate) fn parse_again(&self, units: &[u16], literals: &[usize]) -> Parsed {
        let expanded = Expanded::of(units, literals);
        let code = self.code(units);
        let (references, _) = find(units, code.ranges(), |at| expanded.is_literal(at));
        Parsed {
            expanded,
            references,
        }
    }

    /// The answer, or `None` after asking for it.
    pub(crate) fn need(
        &mut self,
        need: Need,
        wanted: impl FnOnce() -> Wanted,
    ) -> Option<&'a Reply> {
        let reply = self.answers.get(&need.name());
        if reply.is_none() {
            self.is_complete = false;
            if !self.missing.iter().any(|(known, _)| *known == need) {
                self.missing.push((need, wanted()));
            }
        }
        reply
    }

    /// What a file says.
    pub(crate) fn file(&mut self, file: &File) -> Option<(Said, bool)> {
        match self.need(Need::new(NeedKind::File, file.identity()), || {
            Wanted::File(file.clone())
        })? {
            Reply::Said { said, is_gone } => Some((said.clone(), *is_gone)),
            Reply::Image { .. } => None,
        }
    }

    /// What a tool says. It runs once in a conversation, unless it fails. A tool may have effects,
    /// so it is not run before it is certain that it is called.
    pub(crate) fn tool(&mut self, name: &str, args: &Json) -> Option<Said> {
        let is_allowed = |tools: &Vec<String>| tools.iter().any(|tool| tool == name);
        if !self.settings.tools.as_ref().is_none_or(is_allowed) {
            return Some(Said::Error(Text::from("denied: this tool is not allowed")));
        }
        let key = tool_key(name, args);
        if let Some(result) = self.results.get(&key) {
            return Some(Said::Content(result.clone()));
        }
        let need = Need::new(NeedKind::Tool, key);
        if self.is_uncertain && self.answers.get(&need.name()).is_none() {
            self.is_complete = false;
            return None;
        }
        let wanted = || Wanted::Tool {
            name: name.to_owned(),
            args: args.clone(),
        };
        match self.need(need, wanted)? {
            Reply::Said { said, .. } => Some(said.clone()),
            Reply::Image { .. } => None,
        }
    }

    /// A document with the content of its references in their places.
    pub(crate) fn expand(&mut self, document: &Document, chain: &mut Vec<String>) -> Vec<u16> {
        let body;
        let mut document = document.clone();
        if self.front_matter.is_some() {
            body = self.take_front_matter(&document);
            document.units = &document.units[body..];
        }
        let Parsed {
            expanded,
            references,
        } = self.parse(&document);
        let mut out = Vec::new();
        let mut from = 0;
        for Found { range, target } in references {
            out.extend_from_slice(&expanded.units[from..range.start]);
            from = range.end;
            let content = match target {
                Target::File { path, lines } => self.include(&path, lines, chain),
                Target::Tool { name, args } => self.call(&name, &args),
                // An image in a document is text.
                Target::Image { .. } => Ok(None),
            };
            match content {
                Ok(Some(content)) => out.extend(content),
                Ok(None) => out.extend_from_slice(&expanded.units[range]),
                Err((code, message)) => {
                    let at = expanded.origin(range.start);
                    self.remark(&document, [Remark::error(at, code, message)]);
                    out.extend_from_slice(&expanded.units[range]);
                }
            }
        }
        out.extend_from_slice(&expanded.units[from..]);
        out
    }

    /// The content that stands in a file reference's place, once it is there.
    fn include(
        &mut self,
        path: &str,
        lines: Option<Lines>,
        chain: &mut Vec<String>,
    ) -> Result<Option<Vec<u16>>, Refusal> {
        let resolved = self.settings.roots.resolve(path);
        let resolved = resolved.map_err(|denied| ("denied", denied.reason().to_owned()))?;
        let file = File::new(resolved, lines);
        let key = file.key();
        if chain.contains(&key) {
            let cycle = format!("{} -> {key}", chain.join(" -> "));
            return Err(("cycle", format!("the document includes itself: {cycle}")));
        }
        let limit = self.settings.max_depth;
        if chain.len() >= limit {
            let message = format!("documents within documents exceed the limit of {limit}");
            return Err(("limit", message));
        }
        let is_trusted = self.settings.trust_files && !file.is_directory;
        let content = match self.file(&file) {
            Some((Said::Content(content), _)) => content,
            Some((Said::Error(error), _)) => return Err(("unreadable", format!("{key}: {error}"))),
            None => {
                self.is_uncertain |= is_trusted;
                return Ok(None);
            }
        };
        self.inclusions += 1;
        self.included += content.utf8_len();
        let too_many = self.inclusions > self.settings.max_items;
        if too_many || self.included > self.settings.max_total_bytes {
            return Err(("limit", "what is included exceeds the limit".to_owned()));
        }
        let units = content.to_units();
        if !is_trusted {
            return Ok(Some(units));
        }
        chain.push(key.clone());
        let inner = Document {
            units: &units,
            source: Some(&key),
        };
        let out = self.expand(&inner, chain);
        chain.pop();
        Ok(Some(out))
    }

    /// The result that stands in a tool call's place, once it is there.
    fn call(&mut self, name: &str, args: &Json) -> Result<Option<Vec<u16>>, Refusal> {
        match self.tool(name, args) {
            Some(Said::Content(result)) => Ok(Some(result.to_units())),
            Some(Said::Error(error)) => Err(("tool_failed", format!("{name}: {error}"))),
            None => Ok(None),
        }
    }

    /// Reads the front matter and answers with where the body begins.
    fn take_front_matter(&mut self, document: &Document) -> usize {
        let (found, body) = front_matter::split(document.units);
        let Some(yaml) = found else {
            return 0;
        };
        match front_matter::read(&String::from_utf16_lossy(yaml)) {
            Ok(read) => {
                if let Some(all) = &mut self.front_matter {
                    all.merge(read);
                }
            }
            Err(message) => {
                self.remark(document, [Remark::error(0, "bad_front_matter", message)]);
            }
        }
        body
    }
}
