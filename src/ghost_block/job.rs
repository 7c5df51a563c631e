//! One prompt or document on its way: requests out, answers in.

use super::block;
use super::evaluate::{Document, Look};
use super::front_matter::FrontMatter;
use super::images::{Address, address};
use super::inspect::{Reference, ReferenceKind};
use super::items::{Item, Outcome, Said, Source, SourceKind, drop_parts, refer};
use super::syntax::part;
use super::syntax::preprocess::{Expanded, Scope};
use super::text::{Text, concat};
use super::write::Image;
use super::{Diagnostic, GhostBlockAssembler, Last, MACHINE};
use crate::error::{Error, ErrorCode};
use crate::table::Table;
use crate::text::decimal;

/// Something that the host is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// Names the request in its answer.
    pub id: u32,
    /// What is wanted.
    pub source: Source,
    /// The version of a file that is held already, of which [`Answer::unchanged`] may be said.
    pub known_version: Option<Text>,
}

/// What kind of answer the host gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnswerKind {
    /// What was asked for.
    Content,
    /// The file is still of the known version.
    Unchanged,
    /// There is no such file.
    Missing,
    /// The host does not allow it.
    Denied,
    /// It failed.
    Failed,
    /// An image.
    Image,
}

/// What the host answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// What it is.
    pub kind: AnswerKind,
    /// The content, the bytes of an image in base64, or why there is none.
    pub text: Text,
    /// A token that changes when the file does, or the type of an image, such as `image/png`.
    pub label: Option<Text>,
}

impl Answer {
    fn new(kind: AnswerKind, text: impl Into<Text>) -> Self {
        Self {
            kind,
            text: text.into(),
            label: None,
        }
    }

    /// What was asked for.
    pub fn content(text: impl Into<Text>) -> Self {
        Self::new(AnswerKind::Content, text)
    }

    /// A file, and a token that changes when it does.
    pub fn versioned(text: impl Into<Text>, version: impl Into<Text>) -> Self {
        Self {
            label: Some(version.into()),
            ..Self::content(text)
        }
    }

    /// The file is still of the known version.
    pub fn unchanged() -> Self {
        Self::new(AnswerKind::Unchanged, "")
    }

    /// There is no such file.
    pub fn missing() -> Self {
        Self::new(AnswerKind::Missing, "")
    }

    /// The host does not allow it, and why.
    pub fn denied(why: impl Into<Text>) -> Self {
        Self::new(AnswerKind::Denied, why)
    }

    /// It failed, and how.
    pub fn failed(how: impl Into<Text>) -> Self {
        Self::new(AnswerKind::Failed, how)
    }

    /// An image: its type, such as `image/png`, and its bytes in base64.
    pub fn image(media_type: impl Into<Text>, data: impl Into<Text>) -> Self {
        Self {
            label: Some(media_type.into()),
            ..Self::new(AnswerKind::Image, data)
        }
    }
}

/// A document with what its front matter says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skill {
    /// The body, references replaced by their content.
    pub content: Text,
    /// `Description`, empty if there is none.
    pub description: String,
    /// `Params` of all documents read, each once.
    pub params: Vec<String>,
    /// What there is to tell.
    pub diagnostics: Vec<Diagnostic>,
}

/// What a job is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Work {
    Prompt,
    Document,
    Skill,
}

/// Work that waits for answers.
#[derive(Debug, Clone)]
pub(crate) struct Job {
    work: Work,
    units: Vec<u16>,
    /// What only looks like a reference in a prompt that was assembled before, and comes back.
    known: Option<Vec<usize>>,
    /// By identity.
    pub(crate) answers: Table<Said>,
    open: Vec<Request>,
    is_new: bool,
    pub(crate) ready: Option<Box<Ready>>,
}

/// All that a job gives.
#[derive(Debug, Default, Clone)]
pub(crate) struct Ready {
    pub(crate) units: Vec<u16>,
    pub(crate) is_changed: bool,
    pub(crate) is_repeat: bool,
    pub(crate) images: Vec<Image>,
    pub(crate) rules: Vec<Item>,
    pub(crate) items: Vec<Item>,
    pub(crate) last: Last,
    pub(crate) scope: Scope,
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// That of the documents read, if it is wanted.
    pub(crate) front_matter: Option<FrontMatter>,
}

impl GhostBlockAssembler {
    /// Begins a prompt; what was begun before and not finished is dropped without a trace.
    ///
    /// # Errors
    /// None; a prompt may say what it likes.
    pub fn begin_prompt(&mut self, prompt: &str) -> Result<(), Error> {
        self.begin_prompt_units(&prompt.encode_utf16().collect::<Vec<_>>());
        Ok(())
    }

    /// The same for UTF-16 code units.
    pub fn begin_prompt_units(&mut self, prompt: &[u16]) {
        // What came out without a block may end as one does, where something behind that went:
        // directives, or another block.
        let whole = Text::from_units(prompt).fingerprint();
        let last = self.state.last.as_ref();
        let (user, found) = match last.is_some_and(|last| last.user == whole) {
            true => (prompt, None),
            false => block::split(prompt),
        };
        self.begin(Work::Prompt, user);
        if let (Some(last), Some(job)) = (&self.state.last, &mut self.job)
            && last.user == Text::from_units(user).fingerprint()
            && (found.is_some() || last.was_changed)
        {
            job.known = Some(last.literals.clone());
        }
    }

    /// Begins a document that is expanded as rules are.
    pub fn begin_document(&mut self, text: &[u16]) {
        self.begin(Work::Document, text);
    }

    /// Begins a skill: a document with YAML front matter.
    pub fn begin_skill(&mut self, text: &[u16]) {
        self.begin(Work::Skill, text);
    }

    fn begin(&mut self, work: Work, units: &[u16]) {
        self.job = Some(Box::new(Job {
            work,
            units: units.to_vec(),
            known: None,
            answers: Table::default(),
            open: Vec::new(),
            is_new: true,
            ready: None,
        }));
    }

    /// Drops what was begun. The conversation is as it was before.
    pub fn cancel(&mut self) {
        self.job = None;
    }

    /// Everything that can be asked for now and was not before. Ask again after answering.
    pub fn take_requests(&mut self) -> Vec<Request> {
        let mut requests = Vec::new();
        let Some(mut job) = self.job.take() else {
            return requests;
        };
        if std::mem::take(&mut job.is_new) && job.ready.is_none() {
            for source in self.look(&mut job) {
                let is_open = |open: &Request| open.source.identity == source.identity;
                if job.open.iter().any(is_open) {
                    continue;
                }
                let known = self.state.known.get(&source.identity);
                let request = Request {
                    id: self.requests,
                    known_version: known.and_then(|said| said.label.clone()),
                    source,
                };
                self.requests = self.requests.wrapping_add(1);
                job.open.push(request.clone());
                requests.push(request);
            }
        }
        self.job = Some(job);
        requests
    }

    /// Takes the answer to a request. What does not fit the request counts as a failure.
    ///
    /// # Errors
    /// `unknown_id` for a request that was never made, is answered already, or belongs to what was
    /// dropped.
    pub fn answer(&mut self, id: u32, answer: Answer) -> Result<(), Error> {
        let asked = self.job.as_mut().and_then(|job| {
            let place = job.open.iter().position(|open| open.id == id)?;
            let asked = job.open.swap_remove(place);
            Some((job, asked.source))
        });
        let Some((job, source)) = asked else {
            let message = "is no request that waits for an answer";
            return Err(Error::new(ErrorCode::UnknownId, MACHINE, message).at("id"));
        };
        let known = self.state.known.get(&source.identity);
        let said = said(answer, source.kind, known, self.settings.max_item_bytes);
        job.answers.insert(&source.identity, said);
        // Only a document that is read as rules are can lead to further requests.
        let is_file = matches!(source.kind, SourceKind::File | SourceKind::Directory);
        job.is_new |= job.open.is_empty() || (self.settings.trust_files && is_file);
        Ok(())
    }

    /// Whether nothing is missing any more.
    pub fn is_ready(&mut self) -> bool {
        let Some(mut job) = self.job.take() else {
            return false;
        };
        if job.is_new && job.open.is_empty() && job.ready.is_none() {
            self.look(&mut job);
        }
        let is_ready = job.ready.is_some();
        self.job = Some(job);
        is_ready
    }

    /// Ends the document that is ready, and gives it with its references replaced.
    ///
    /// # Errors
    /// `wrong_order` if no document is ready.
    pub fn finish_document(&mut self) -> Result<(Text, Vec<Diagnostic>), Error> {
        let skill = self.finish_skill()?;
        Ok((skill.content, skill.diagnostics))
    }

    /// Ends the skill that is ready.
    ///
    /// # Errors
    /// `wrong_order` if no skill is ready.
    pub fn finish_skill(&mut self) -> Result<Skill, Error> {
        let (job, ready) = self.take_ready(false)?;
        self.remember(&job.answers, false);
        self.state.scope = ready.scope;
        let front_matter = ready.front_matter.unwrap_or_default();
        Ok(Skill {
            content: Text::from_units(&ready.units),
            description: front_matter.description.unwrap_or_default(),
            params: front_matter.params,
            diagnostics: ready.diagnostics,
        })
    }

    /// Takes what the job gives, a prompt or a document.
    pub(crate) fn take_ready(&mut self, is_prompt: bool) -> Result<(Box<Job>, Box<Ready>), Error> {
        self.is_ready();
        let is_asked = |job: &mut Box<Job>| (job.work == Work::Prompt) == is_prompt;
        if let Some(mut job) = self.job.take_if(is_asked) {
            if let Some(ready) = job.ready.take() {
                return Ok((job, ready));
            }
            self.job = Some(job);
        }
        let message = if is_prompt {
            "no prompt is ready; begin one, and answer every request first"
        } else {
            "no document is ready; begin one, and answer every request first"
        };
        Err(Error::new(ErrorCode::WrongOrder, MACHINE, message))
    }

    /// Keeps the results of tools, and files that have a version.
    pub(crate) fn remember(&mut self, answers: &Table<Said>, with_files: bool) {
        let mut place = 0;
        while let Some((identity, said)) = answers.at(place) {
            let is_tool = identity.starts_with('t');
            if said.is_content() && (is_tool || (with_files && said.label.is_some())) {
                self.state.known.insert(identity, said.clone());
            }
            place += 1;
        }
    }

    /// Looks at a job: fills in what it gives, or answers with what is missing.
    fn look(&self, job: &mut Job) -> Vec<Source> {
        let mut ready = Box::<Ready>::default();
        ready.scope = self.state.scope.clone();
        ready.front_matter = (job.work == Work::Skill).then(FrontMatter::default);
        let known = &self.state.known;
        let mut look = Look::new(&self.settings, &job.answers, known, &mut ready);
        if job.work == Work::Prompt {
            self.look_at_prompt(job, &mut look);
        } else {
            let document = Document::new(&job.units, None);
            let mut units = Vec::new();
            look.expand(&document, &mut units);
            look.ready.units = units;
        }
        let Look {
            missing,
            is_complete,
            ..
        } = look;
        if is_complete {
            job.ready = Some(ready);
        }
        missing
    }

    fn look_at_prompt(&self, job: &Job, look: &mut Look) {
        let state = &self.state;
        // What comes back is read under the macros that it was read under before.
        let repeated = state.last.as_ref().filter(|_| job.known.is_some());
        look.ready.is_repeat = repeated.is_some();
        if let Some(last) = repeated {
            look.ready.scope = last.before.clone();
        }
        look.ready.last.before = look.ready.scope.clone();
        for rule in &state.rules {
            let rule = expand_rule(rule, look);
            look.ready.rules.push(rule);
        }
        let document = Document::new(&job.units, None);
        let mut references = Vec::new();
        let expanded = match &job.known {
            Some(literals) => {
                let expanded = Expanded::of(&job.units, literals);
                self.settings
                    .find(&expanded, &mut references, &mut Vec::new());
                expanded
            }
            None => document.parse(
                &self.settings,
                &mut look.ready.scope,
                &mut look.ready.diagnostics,
                &mut references,
            ),
        };
        if let Some(last) = repeated {
            look.ready.scope = last.after.clone();
        }
        look.ready.last.after = look.ready.scope.clone();
        let mut items = state.items.clone();
        let turn = state.turn + u64::from(!look.ready.is_repeat);
        let called = self.refer_to(&references, turn, &mut items);
        for reference in &references {
            if reference.kind != ReferenceKind::Image {
                continue;
            }
            let alt = part(&expanded.units, reference.start + 2, reference.alt_end);
            match self.image(reference, alt, look) {
                Ok(Some(image)) => look.ready.images.push(image),
                Ok(None) => {}
                Err(why) => {
                    let at = expanded.origin(reference.start);
                    look.tell(&document, Diagnostic::warning(at, "image", &why));
                }
            }
        }
        self.fill(&called, look, &mut items);
        look.ready.items = items;
        look.ready.is_changed = expanded.units != job.units;
        look.ready.units = expanded.units;
        look.ready.last.literals = expanded.literals;
    }

    /// Takes what a prompt refers to, and answers with the identities of the tools that it calls.
    fn refer_to(&self, references: &[Reference], turn: u64, items: &mut Vec<Item>) -> Vec<String> {
        let mut called = Vec::new();
        for reference in references {
            match reference.kind {
                ReferenceKind::File => match self.settings.resolve(reference) {
                    Ok(source) => {
                        refer(items, source, turn);
                    }
                    Err(reason) => {
                        let written = reference.path.as_deref().unwrap_or_default();
                        let place = refer(items, Source::denied(written), turn);
                        items[place].said = Some(Said::error(&["denied: ", reason]));
                    }
                },
                ReferenceKind::Tool => {
                    let place = refer(items, reference.tool(), turn);
                    called.push(items[place].source.identity.clone());
                }
                _ => {}
            }
        }
        called
    }

    /// Gives the items their content: that of the tools that are called, and of every file.
    fn fill(&self, called: &[String], look: &mut Look, items: &mut Vec<Item>) {
        drop_parts(items);
        let limit = self.settings.max_items;
        for (place, item) in items.iter_mut().enumerate() {
            if place >= limit {
                let limit = decimal(limit as u64);
                item.said = Some(Said::error(&["the items exceed the limit of ", &limit]));
            } else if called.contains(&item.source.identity)
                && !item.said.as_ref().is_some_and(Said::is_content)
                && let Some(said) = look.tool(&item.source)
            {
                item.said = Some(said);
            }
        }
        for item in items.iter_mut().take(limit) {
            let source = &item.source;
            let is_file = source.kind == SourceKind::File;
            if !is_file && source.kind != SourceKind::Directory {
                continue;
            }
            let Some(mut said) = look.need(source) else {
                continue;
            };
            if self.settings.trust_files && is_file && said.is_content() {
                let mut units = Vec::new();
                look.expand_file(&source.key, &said.text, &mut units);
                said.text = Text::from_units(&units);
            }
            item.said = Some(said);
        }
    }

    /// An image, once it is there, or why it stays text.
    fn image(
        &self,
        reference: &Reference,
        alt: &[u16],
        look: &mut Look,
    ) -> Result<Option<Image>, String> {
        let uri = reference.path.as_deref().unwrap_or_default();
        let said = match address(uri) {
            Address::Data(media_type, data) => Some(Said {
                outcome: Outcome::Image,
                text: Text::from(data.as_str()),
                label: Some(Text::from(media_type.as_str())),
            }),
            Address::Remote if self.settings.remote_images => look.need(&Source::image(uri)),
            Address::Path => match self.settings.resolve(reference) {
                Ok(file) => look.need(&Source::image(&file.name)),
                Err(reason) => return Err(concat(&["denied: ", reason])),
            },
            Address::Remote => return Err("images of other hosts are not asked for".to_owned()),
            Address::Other => return Err("this is no address of an image".to_owned()),
        };
        match said {
            None => Ok(None),
            Some(said) if said.outcome == Outcome::Image => Ok(Some(Image {
                start: reference.start,
                end: reference.end,
                alt: Text::from_units(alt),
                media_type: said.label.unwrap_or_default(),
                data: said.text,
            })),
            Some(said) => Err(said.text.to_lossy()),
        }
    }
}

fn expand_rule(rule: &Item, look: &mut Look) -> Item {
    let content = rule.said.as_ref().map(|said| said.text.to_units());
    let document = Document::new(
        content.as_deref().unwrap_or_default(),
        Some(&rule.source.name),
    );
    let mut expanded = Vec::new();
    look.expand(&document, &mut expanded);
    Item::rule(&rule.source.name, Text::from_units(&expanded))
}

/// What an answer says. `known` is what is held of a file already.
fn said(answer: Answer, asked: SourceKind, known: Option<&Said>, limit: u64) -> Said {
    let is_image = asked == SourceKind::Image;
    let is_file = matches!(asked, SourceKind::File | SourceKind::Directory);
    let Answer { kind, text, label } = answer;
    match kind {
        AnswerKind::Content if !is_image => {}
        AnswerKind::Image if is_image => {}
        AnswerKind::Unchanged if is_file => {
            return match known {
                Some(held) => held.clone(),
                None => Said::error(&["the host said `unchanged` of a version that is not known"]),
            };
        }
        AnswerKind::Missing => {
            return Said {
                outcome: Outcome::Gone,
                ..Said::error(&["not found"])
            };
        }
        AnswerKind::Denied => return Said::error(&["denied: ", &text.to_lossy()]),
        AnswerKind::Failed => return Said::error(&[&text.to_lossy()]),
        _ => return Said::error(&["the host gave an answer of the wrong kind"]),
    }
    let bytes = text.utf8_len();
    let limit_text = decimal(limit);
    if is_image && bytes / 4 * 3 > limit {
        return Said::error(&["the image exceeds the limit of ", &limit_text, " bytes"]);
    }
    if !is_image && bytes > limit {
        let bytes = decimal(bytes);
        return Said::error(&[&bytes, " bytes exceed the limit of ", &limit_text, " bytes"]);
    }
    Said {
        outcome: if is_image {
            Outcome::Image
        } else {
            Outcome::Content
        },
        text,
        label: label.filter(|_| is_image || is_file),
    }
}
