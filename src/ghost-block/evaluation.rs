//! One evaluation of a job: what it still needs, and what it gives once it has that.
//!
//! An evaluation is a pure function of the conversation, the job and the answers so far. It reads
//! documents in their order, whatever order the answers came in. What is missing is asked for, and
//! then everything is evaluated again; when nothing is missing, that evaluation has the result. So
//! the result cannot depend on who answered first.

use super::diagnostic::{Diagnostic, DiagnosticCode, Problem};
use super::document::{Document, Parsed};
use super::front_matter::{self, FrontMatter};
use super::items::{Outcome, Outcomes};
use super::settings::Settings;
use super::source::{Identity, Source, SourceKind};
use super::syntax::macros::Scope;
use super::syntax::part;
use super::syntax::reference::{Reference, ReferenceKind};
use turnkeeper_base::sorted_map::SortedMap;
use turnkeeper_base::text::{Text, lossy};

/// The longest trusted file, in UTF-16 code units: its references can take many times its memory.
pub(crate) const LONGEST_TRUSTED: usize = 16 << 20;
/// The error of a longer one.
pub(crate) const TOO_LONG: &str = "the file is too long to look for references in it";

/// One evaluation.
pub(crate) struct Evaluation<'a> {
    pub(crate) settings: &'a Settings,
    /// The answers of the host for this job.
    answers: &'a Outcomes,
    /// Results of tools that ran earlier in the conversation, and files under their versions.
    known: &'a Outcomes,
    /// The macros, as they are after what was read.
    pub(crate) scope: Scope,
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// The front matter of the documents read, if it is wanted.
    pub(crate) front_matter: Option<FrontMatter>,
    /// The sources that have to be asked for, each once.
    pub(crate) missing: Vec<Source>,
    missing_identities: SortedMap<Identity, ()>,
    pub(crate) is_complete: bool,
    /// A document is missing that may define macros, so what follows may not be what it seems.
    is_uncertain: bool,
    /// The keys of the documents that are being read, each within the one before.
    reading: Vec<String>,
    /// References of documents that were followed, or denied.
    followed_references: usize,
    included_bytes: u64,
    /// The references of documents that are more than the limit allows.
    excess: Option<Excess>,
}

/// References over the limit, of which one diagnostic tells.
struct Excess {
    references: usize,
    /// The index of the diagnostic.
    diagnostic: usize,
}

/// A reason why a reference in a document stays as it was written.
enum Unreplaced {
    /// An answer is missing; or it is an image, which a document has as text; or one of many that are told of
    /// together.
    Silently,
    /// Something is wrong with it.
    Refused {
        code: DiagnosticCode,
        message: String,
    },
}

impl Unreplaced {
    fn refused(code: DiagnosticCode, message: impl Into<String>) -> Self {
        let message = message.into();
        Self::Refused { code, message }
    }
}

impl<'a> Evaluation<'a> {
    pub(crate) fn new(
        settings: &'a Settings,
        answers: &'a Outcomes,
        known: &'a Outcomes,
        scope: Scope,
    ) -> Self {
        Self {
            settings,
            answers,
            known,
            scope,
            diagnostics: Vec::new(),
            front_matter: None,
            missing: Vec::new(),
            missing_identities: SortedMap::new(),
            is_complete: true,
            is_uncertain: false,
            reading: Vec::new(),
            followed_references: 0,
            included_bytes: 0,
            excess: None,
        }
    }

    /// Carries out a document's directives, and finds its references.
    pub(crate) fn parse(&mut self, document: &Document) -> Parsed {
        let mut parsed = document.parse(self.settings, &mut self.scope);
        self.diagnostics.append(&mut parsed.diagnostics);
        parsed
    }

    /// The answer of the host, or nothing after asking for it.
    pub(crate) fn need(&mut self, source: &Source) -> Option<Outcome> {
        let answer = self.answers.get(&source.identity);
        if answer.is_none() {
            self.is_complete = false;
            let identity = source.identity.clone();
            if self.missing_identities.insert(identity, ()).is_none() {
                self.missing.push(source.clone());
            }
        }
        answer.cloned()
    }

    /// The result of a tool, perhaps one that is known. A tool may have effects, so it is not run before
    /// it is certain that it is called.
    pub(crate) fn tool_result(&mut self, source: &Source, may_be_known: bool) -> Option<Outcome> {
        if let Some(tools) = &self.settings.options.tools
            && !tools.contains(&source.name)
        {
            return Some(Outcome::denied("this tool is not allowed"));
        }
        if let Some(result) = self.known.get(&source.identity)
            && may_be_known
        {
            return Some(result.clone());
        }
        if self.is_uncertain && !self.answers.contains_key(&source.identity) {
            self.is_complete = false;
            return None;
        }
        self.need(source)
    }

    /// Appends a document with the content of its references in their places.
    pub(crate) fn expand(&mut self, document: &Document, out: &mut Vec<u16>) {
        let body = self.take_front_matter(document);
        let document = document.from(body);
        let Parsed {
            expanded,
            references,
            ..
        } = self.parse(&document);
        let units = &expanded.units[..];
        let mut from = 0;
        for reference in &references.list {
            out.extend_from_slice(part(units, from, reference.start));
            from = reference.start;
            let replaced = match reference.kind {
                ReferenceKind::Image | ReferenceKind::Macro => Err(Unreplaced::Silently),
                ReferenceKind::Tool if reference.args.is_none() => Err(Unreplaced::Silently),
                _ if !self.may_follow_another() => {
                    self.exceed(&document, expanded.origin(reference.start), 1);
                    Err(Unreplaced::Silently)
                }
                ReferenceKind::File => self.include(reference, document.folder(), out),
                ReferenceKind::Tool => self.call(reference, out),
            };
            match replaced {
                Ok(()) => from = reference.end,
                Err(Unreplaced::Refused { code, message }) => {
                    let offset = expanded.origin(reference.start);
                    let problem = Problem::new(offset, code, message);
                    self.diagnostics.push(document.diagnostic(problem));
                }
                Err(Unreplaced::Silently) => {}
            }
        }
        out.extend_from_slice(part(units, from, units.len()));
        if references.more > 0 {
            let offset = expanded.origin(references.first_of_more);
            self.exceed(&document, offset, references.more);
        }
    }

    /// Counts a reference, and says whether that many may be followed.
    fn may_follow_another(&mut self) -> bool {
        self.followed_references += 1;
        self.followed_references <= self.settings.max_items
    }

    /// Counts references over the limit, of which the first is at an offset of the document. It gets a
    /// diagnostic, which tells of all others, too.
    fn exceed(&mut self, document: &Document, offset: usize, references: usize) {
        let excess = self.excess.get_or_insert_with(|| {
            let problem = Problem::new(offset, DiagnosticCode::Limit, "");
            self.diagnostics.push(document.diagnostic(problem));
            Excess {
                references: 0,
                diagnostic: self.diagnostics.len() - 1,
            }
        });
        excess.references += references;
        let (count, limit) = (excess.references, self.settings.max_items);
        let message = format!("{count} references more than the limit of {limit} stay as they are");
        self.diagnostics[excess.diagnostic].message = message;
    }

    /// Appends the result that takes a tool call's place.
    fn call(&mut self, reference: &Reference, out: &mut Vec<u16>) -> Result<(), Unreplaced> {
        let tool = tool_of(reference).ok_or(Unreplaced::Silently)?;
        // A document speaks in every turn; its tools run in the first.
        let result = self.tool_result(&tool, true).ok_or(Unreplaced::Silently)?;
        let text = result.as_result().map_err(|error| {
            let message = format!("{}: {error}", tool.name);
            Unreplaced::refused(DiagnosticCode::ToolFailed, message)
        })?;
        out.extend_from_slice(&text.to_units());
        Ok(())
    }

    /// Appends the content that takes a file reference's place.
    fn include(
        &mut self,
        reference: &Reference,
        folder: &str,
        out: &mut Vec<u16>,
    ) -> Result<(), Unreplaced> {
        let source = self.find_for(reference, folder)?;
        let key = &source.key;
        if self.reading.contains(key) {
            let chain = self.reading.join(" -> ");
            let message = format!("the document includes itself: {chain} -> {key}");
            return Err(Unreplaced::refused(DiagnosticCode::Cycle, message));
        }
        let max_depth = self.settings.max_depth;
        if self.reading.len() >= max_depth {
            let message = format!("documents within documents exceed the limit of {max_depth}");
            return Err(Unreplaced::refused(DiagnosticCode::Limit, message));
        }
        let is_trusted = self.settings.trusts_files() && source.kind == SourceKind::File;
        let Some(outcome) = self.need(&source) else {
            self.is_uncertain |= is_trusted;
            return Err(Unreplaced::Silently);
        };
        let content = outcome.as_result().map_err(|error| {
            Unreplaced::refused(DiagnosticCode::Unreadable, format!("{key}: {error}"))
        })?;
        self.included_bytes += content.utf8_len();
        if self.included_bytes > self.settings.max_total_bytes {
            let message = "what is included exceeds the limit";
            return Err(Unreplaced::refused(DiagnosticCode::Limit, message));
        }
        if is_trusted {
            if content.len() > LONGEST_TRUSTED {
                return Err(Unreplaced::refused(DiagnosticCode::Limit, TOO_LONG));
            }
            self.expand_file(&source, content, out);
        } else {
            out.extend_from_slice(&content.to_units());
        }
        Ok(())
    }

    /// The file that a reference of a document is of: relative to the document's folder, or to the root if
    /// there is none.
    fn find_for(&mut self, reference: &Reference, folder: &str) -> Result<Source, Unreplaced> {
        let refused = |reason| Unreplaced::refused(DiagnosticCode::Denied, reason);
        let path = reference.path.as_deref().unwrap_or_default();
        let below_root = file_of(reference, self.settings);
        let is_relative = !path.starts_with(['/', '\\', '~']) && !path.contains(':');
        if !is_relative || folder.is_empty() {
            return below_root.map_err(refused);
        }
        let near = format!("{folder}/{path}");
        let Ok(near) = file_at(&near, reference, self.settings) else {
            return below_root.map_err(refused);
        };
        let Ok(below_root) = below_root else {
            return Ok(near);
        };
        match self.need(&near) {
            None => Err(Unreplaced::Silently),
            Some(Outcome::Missing) => Ok(below_root),
            Some(_) => Ok(near),
        }
    }

    /// Appends the content of a trusted file, expanded.
    pub(crate) fn expand_file(&mut self, source: &Source, content: &Text, out: &mut Vec<u16>) {
        self.reading.push(source.key.clone());
        let units = content.to_units();
        let document = Document::at(&units, Some(&source.key), &source.name);
        self.expand(&document, out);
        self.reading.pop();
    }

    /// Reads the front matter, if that is wanted, and answers with where the body begins.
    fn take_front_matter(&mut self, document: &Document) -> usize {
        let Some(all) = &mut self.front_matter else {
            return 0;
        };
        let (yaml, body) = front_matter::split(document.units);
        let Some(yaml) = yaml else {
            return 0;
        };
        match front_matter::read(&lossy(yaml)) {
            Ok(front_matter) => all.merge(front_matter),
            Err(message) => {
                let problem = Problem::new(0, DiagnosticCode::BadFrontMatter, message);
                self.diagnostics.push(document.diagnostic(problem));
            }
        }
        body
    }
}

/// The file that a reference is of, or why it may not be asked for.
pub(crate) fn file_of(reference: &Reference, settings: &Settings) -> Result<Source, &'static str> {
    let path = reference.path.as_deref().unwrap_or_default();
    file_at(path, reference, settings)
}

/// The same of another path.
fn file_at(path: &str, reference: &Reference, settings: &Settings) -> Result<Source, &'static str> {
    let file = settings.roots.resolve(path).map_err(|denied| denied.0)?;
    Ok(Source::file(file, reference.start_line, reference.end_line))
}

/// The call that a reference to a tool is, if its arguments can be read.
pub(crate) fn tool_of(reference: &Reference) -> Option<Source> {
    let name = reference.name.as_deref().unwrap_or_default();
    let args = reference.args.as_ref()?;
    Some(Source::tool(name, args))
}
