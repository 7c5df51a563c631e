//! One prompt or document in progress: requests out, answers in.

use super::document::Document;
use super::evaluation::{Evaluation, Outcomes};
use super::front_matter::FrontMatter;
use super::items::Outcome;
use super::prompt::EvaluatedPrompt;
use super::request::{Answer, Request};
use super::source::{Identity, Source};
use super::syntax::macros::Scope;
use super::{ContextItem, Diagnostic, GhostBlockAssembler, MACHINE, block};
use turnkeeper_base::error::{Error, ErrorCode};
use turnkeeper_base::sorted_map::SortedMap;
use turnkeeper_base::text::Text;

/// A document with the content of its references in their places.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExpandedDocument {
    /// The document.
    pub content: Text,
    /// What there is to tell.
    pub diagnostics: Vec<Diagnostic>,
}

/// A document with what its front matter says.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
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

/// What a prompt refers to, without a turn.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Resolution {
    /// In order of first appearance.
    pub items: Vec<ContextItem>,
    /// What there is to tell.
    pub diagnostics: Vec<Diagnostic>,
}

/// Work that waits for answers.
#[derive(Debug, Clone)]
pub(crate) struct Job {
    task: Task,
    pub(crate) units: Vec<u16>,
    pub(crate) answers: Outcomes,
    /// The sources that are asked for and not answered yet, by the ids of the requests, with the outcomes that the
    /// host was told are known.
    open: SortedMap<u32, (Source, Option<Outcome>)>,
    /// The identities of all that.
    open_identities: SortedMap<Identity, ()>,
    /// Whether there are answers that no evaluation has seen.
    is_due: bool,
    pub(crate) result: Option<Evaluated>,
}

/// What a job is about.
#[derive(Debug, Clone)]
enum Task {
    /// The offsets are where `@` is in a prompt that was assembled before because it was
    /// written `\@`; nothing for a new prompt.
    Prompt {
        literals_of_repeat: Option<Vec<usize>>,
    },
    /// A prompt that is read by itself and is no turn.
    Lone,
    Document,
    Skill,
}

/// What a job gives.
#[derive(Debug, Clone)]
pub(crate) enum Evaluated {
    Prompt(Box<EvaluatedPrompt>),
    Document(Box<EvaluatedDocument>),
}

/// What a document or a skill gives.
#[derive(Debug, Clone)]
pub(crate) struct EvaluatedDocument {
    content: Vec<u16>,
    front_matter: FrontMatter,
    scope: Scope,
    diagnostics: Vec<Diagnostic>,
}

impl Job {
    /// Whether it is a prompt that becomes a turn.
    pub(super) fn is_turn(&self) -> bool {
        matches!(self.task, Task::Prompt { .. })
    }

    /// Has it evaluated again, since the conversation has changed.
    pub(super) fn evaluate_again(&mut self) {
        self.result = None;
        self.is_due = true;
    }
}

impl GhostBlockAssembler {
    /// Begins a prompt; what was begun before and not finished is dropped without a trace.
    pub fn begin_prompt(&mut self, prompt: &str) {
        self.begin_prompt_units(&prompt.encode_utf16().collect::<Vec<_>>());
    }

    /// [`begin_prompt`](Self::begin_prompt) of UTF-16 code units.
    pub fn begin_prompt_units(&mut self, prompt: &[u16]) {
        let last = self.conversation.last_prompt.as_ref();
        let is_last = |text: &[u16]| {
            let fingerprint = Text::from_units(text).fingerprint();
            last.is_some_and(|last| last.user_fingerprint == fingerprint)
        };
        // A prompt without a block may come to end as one does, where the text after that went: directives, or
        // another block.
        let (user, block) = match is_last(prompt) {
            true => (prompt, None),
            false => block::split(prompt),
        };
        let literals_of_repeat = last
            .filter(|last| is_last(user) && (block.is_some() || last.was_changed))
            .map(|last| last.literals.clone());
        let user = user.to_vec();
        self.begin(Task::Prompt { literals_of_repeat }, user);
    }

    /// Begins to resolve a prompt: what it refers to, without a turn, the rules and what the conversation
    /// referred to before.
    pub fn begin_resolving_units(&mut self, prompt: &[u16]) {
        let (user, _) = block::split(prompt);
        let user = user.to_vec();
        self.begin(Task::Lone, user);
    }

    /// Ends the prompt that is resolved: what it refers to, and what there is to tell. The conversation is
    /// as it was before.
    ///
    /// # Errors
    /// `wrong_order` if no prompt is resolved.
    pub fn finish_resolving(&mut self) -> Result<Resolution, Error> {
        match self.take_result() {
            Some((job, Evaluated::Prompt(prompt))) if matches!(job.task, Task::Lone) => {
                let items: Vec<_> = prompt.items.iter().chain(&prompt.excess).collect();
                Ok(Resolution {
                    items: self.context_items(&items),
                    diagnostics: prompt.diagnostics,
                })
            }
            other => {
                self.put_back(other);
                let message = "no prompt is resolved; begin one, and answer every request first";
                Err(Error::new(ErrorCode::WrongOrder, MACHINE, message))
            }
        }
    }

    /// Begins a document that is expanded as rules are.
    pub fn begin_document(&mut self, text: &str) {
        self.begin(Task::Document, text.encode_utf16().collect());
    }

    /// [`begin_document`](Self::begin_document) of UTF-16 code units.
    pub fn begin_document_units(&mut self, text: &[u16]) {
        self.begin(Task::Document, text.to_vec());
    }

    /// Begins a skill: a document with YAML front matter.
    pub fn begin_skill(&mut self, text: &str) {
        self.begin(Task::Skill, text.encode_utf16().collect());
    }

    /// [`begin_skill`](Self::begin_skill) of UTF-16 code units.
    pub fn begin_skill_units(&mut self, text: &[u16]) {
        self.begin(Task::Skill, text.to_vec());
    }

    fn begin(&mut self, task: Task, units: Vec<u16>) {
        self.job = Some(Box::new(Job {
            task,
            units,
            answers: Outcomes::new(),
            open: SortedMap::new(),
            open_identities: SortedMap::new(),
            is_due: true,
            result: None,
        }));
    }

    /// Has the job evaluated again, since the conversation has changed.
    pub(super) fn evaluate_again(&mut self) {
        if let Some(job) = &mut self.job {
            job.evaluate_again();
        }
    }

    /// Drops what was begun. The conversation is as it was before.
    pub fn cancel(&mut self) {
        self.job = None;
    }

    /// Everything that can be asked for now and was not before. Ask again after answering.
    #[must_use]
    pub fn take_requests(&mut self) -> Vec<Request> {
        let mut requests = Vec::new();
        match &mut self.job {
            Some(job) if job.is_due => job.is_due = false,
            _ => return requests,
        }
        for source in self.evaluate() {
            let Some(job) = &mut self.job else {
                break;
            };
            let identity = source.identity.clone();
            if job.open_identities.insert(identity, ()).is_some() {
                continue;
            }
            let known = self.conversation.known.get(&source.identity);
            let known_version = match known {
                Some(Outcome::Content { version, .. }) => version.clone(),
                _ => None,
            };
            let told = known_version.as_ref().and(known).cloned();
            job.open.insert(self.next_request, (source.clone(), told));
            requests.push(Request {
                id: self.next_request,
                source,
                known_version,
            });
            self.next_request = self.next_request.wrapping_add(1);
        }
        requests
    }

    /// Takes the answer to a request. What does not fit the request counts as a failure.
    ///
    /// # Errors
    /// `unknown_id` for a request that was never made, is answered already, or belongs to what was
    /// dropped.
    pub fn answer(&mut self, id: u32, answer: Answer) -> Result<(), Error> {
        let asked = self.job.as_mut().and_then(|job| {
            let (source, known) = job.open.remove(&id)?;
            job.open_identities.remove(&source.identity);
            Some((job, source, known))
        });
        let Some((job, source, known)) = asked else {
            let message = "is no request that waits for an answer";
            return Err(Error::new(ErrorCode::UnknownId, MACHINE, message).at("id"));
        };
        let outcome = answer.outcome(&source, known.as_ref(), self.settings.max_item_bytes);
        // Only a document that is read as rules are can lead to further requests.
        job.is_due |= self.settings.trust_files && source.is_file_or_directory();
        job.answers.insert(source.identity, outcome);
        job.is_due |= job.open.is_empty();
        Ok(())
    }

    /// Whether nothing is missing any more.
    #[must_use]
    pub fn is_ready(&mut self) -> bool {
        let Some(job) = &self.job else {
            return false;
        };
        if job.is_due && job.open.is_empty() {
            self.evaluate();
        }
        self.job.as_ref().is_some_and(|job| job.result.is_some())
    }

    /// Ends the document that is ready, and gives it with its references replaced.
    ///
    /// # Errors
    /// `wrong_order` if no document is ready.
    pub fn finish_document(&mut self) -> Result<ExpandedDocument, Error> {
        let skill = self.finish_skill()?;
        Ok(ExpandedDocument {
            content: skill.content,
            diagnostics: skill.diagnostics,
        })
    }

    /// Ends the skill that is ready.
    ///
    /// # Errors
    /// `wrong_order` if no skill is ready.
    pub fn finish_skill(&mut self) -> Result<Skill, Error> {
        match self.take_result() {
            Some((job, Evaluated::Document(document))) => {
                self.remember_tools(&job.answers);
                self.conversation.scope = document.scope;
                Ok(Skill {
                    content: Text::from_units(&document.content),
                    description: document.front_matter.description.unwrap_or_default(),
                    params: document.front_matter.params,
                    diagnostics: document.diagnostics,
                })
            }
            other => {
                self.put_back(other);
                let message = "no document is ready; begin one, and answer every request first";
                Err(Error::new(ErrorCode::WrongOrder, MACHINE, message))
            }
        }
    }

    /// Takes the job that is ready, and what it gives.
    pub(crate) fn take_result(&mut self) -> Option<(Box<Job>, Evaluated)> {
        if !self.is_ready() {
            return None;
        }
        let mut job = self.job.take()?;
        let result = job.result.take()?;
        Some((job, result))
    }

    /// Undoes [`take_result`](Self::take_result).
    pub(crate) fn put_back(&mut self, taken: Option<(Box<Job>, Evaluated)>) {
        if let Some((mut job, result)) = taken {
            job.result = Some(result);
            self.job = Some(job);
        }
    }

    /// Keeps the results of tools; a failure takes an earlier one away.
    fn remember_tools(&mut self, answers: &Outcomes) {
        let known = &mut self.conversation.known;
        for (identity, outcome) in answers.iter() {
            if !matches!(identity, Identity::Tool(_)) {
                continue;
            }
            if outcome.is_content() {
                known.insert(identity.clone(), outcome.clone());
            } else {
                known.remove(identity);
            }
        }
    }

    /// Keeps the results of tools, and files that have a version.
    pub(crate) fn remember(&mut self, answers: &Outcomes) {
        self.remember_tools(answers);
        for (identity, outcome) in answers.iter() {
            if let Outcome::Content {
                version: Some(_), ..
            } = outcome
            {
                let known = &mut self.conversation.known;
                known.insert(identity.clone(), outcome.clone());
            }
        }
    }

    /// Evaluates the job. Keeps its result, or answers with what is missing.
    fn evaluate(&mut self) -> Vec<Source> {
        let Some(mut job) = self.job.take_if(|job| job.result.is_none()) else {
            return Vec::new();
        };
        let conversation = &self.conversation;
        let scope = conversation.scope.clone();
        let mut evaluation =
            Evaluation::new(&self.settings, &job.answers, &conversation.known, scope);
        let result = match &job.task {
            Task::Prompt { literals_of_repeat } => {
                // Another prompt may have been assembled since it was begun.
                let last = conversation.last_prompt.as_ref();
                let literals = literals_of_repeat.as_deref().filter(|_| {
                    let fingerprint = Text::from_units(&job.units).fingerprint();
                    last.is_some_and(|last| last.user_fingerprint == fingerprint)
                });
                let prompt = self.evaluate_prompt(&job.units, literals, false, &mut evaluation);
                Evaluated::Prompt(Box::new(prompt))
            }
            Task::Lone => {
                let prompt = self.evaluate_prompt(&job.units, None, true, &mut evaluation);
                Evaluated::Prompt(Box::new(prompt))
            }
            Task::Document | Task::Skill => {
                let is_skill = matches!(job.task, Task::Skill);
                evaluation.front_matter = is_skill.then(FrontMatter::default);
                let mut content = Vec::new();
                evaluation.expand(&Document::new(&job.units, None), &mut content);
                Evaluated::Document(Box::new(EvaluatedDocument {
                    content,
                    front_matter: evaluation.front_matter.take().unwrap_or_default(),
                    scope: std::mem::take(&mut evaluation.scope),
                    diagnostics: std::mem::take(&mut evaluation.diagnostics),
                }))
            }
        };
        let (missing, is_complete) = (evaluation.missing, evaluation.is_complete);
        job.result = is_complete.then_some(result);
        self.job = Some(job);
        missing
    }
}
