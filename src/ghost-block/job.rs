//! One prompt or document in progress: requests out, answers in.

use super::block;
use super::conversation::Conversation;
use super::diagnostic::Diagnostic;
use super::document::Document;
use super::evaluation::Evaluation;
use super::front_matter::FrontMatter;
use super::items::{Outcome, Outcomes};
use super::prompt::{self, EvaluatedPrompt, Reading};
use super::request::{Answer, Request};
use super::settings::Settings;
use super::source::{Identity, Source};
use super::syntax::macros::Scope;
use turnkeeper_base::sorted_map::SortedMap;

/// Work that waits for answers.
#[derive(Debug, Clone)]
pub(crate) struct Job {
    work: Work,
    units: Vec<u16>,
    /// Whether the prompt is perhaps the one that was assembled last.
    is_repeat: bool,
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

/// The kinds of work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    /// A prompt, which becomes a turn.
    Prompt,
    /// A prompt that is resolved: its own items, without a turn, the rules and the items that the conversation
    /// referred to before.
    LonePrompt,
    /// A document that is expanded as rules are.
    Document,
    /// A skill: a document with YAML front matter.
    Skill,
}

/// The result of a job.
#[derive(Debug, Clone)]
pub(crate) enum Evaluated {
    Turn(Box<EvaluatedPrompt>),
    Lone(Box<EvaluatedPrompt>),
    Document(Box<EvaluatedDocument>),
}

/// The result of a document or a skill.
#[derive(Debug, Clone)]
pub(crate) struct EvaluatedDocument {
    pub(crate) content: Vec<u16>,
    pub(crate) front_matter: FrontMatter,
    pub(crate) scope: Scope,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

impl Job {
    /// The work on a text. A block at the end of a prompt is not the user's.
    pub(crate) fn new(work: Work, mut units: Vec<u16>, conversation: &Conversation) -> Self {
        let (own, is_repeat) = match work {
            Work::Prompt => own_text(&units, conversation),
            Work::LonePrompt => (block::split(&units).0, false),
            Work::Document | Work::Skill => (&units[..], false),
        };
        units.truncate(own.len());
        Self {
            work,
            units,
            is_repeat,
            answers: Outcomes::new(),
            open: SortedMap::new(),
            open_identities: SortedMap::new(),
            is_due: true,
            result: None,
        }
    }

    /// Has the job evaluated again, since the conversation has changed.
    pub(crate) fn evaluate_again(&mut self) {
        self.result = None;
        self.is_due = true;
    }

    /// Everything that can be asked for now and was not before.
    pub(crate) fn take_requests(
        &mut self,
        conversation: &Conversation,
        settings: &Settings,
        next_request: &mut u32,
    ) -> Vec<Request> {
        let mut requests = Vec::new();
        if !std::mem::take(&mut self.is_due) {
            return requests;
        }
        for source in self.evaluate(conversation, settings) {
            let identity = source.identity.clone();
            if self.open_identities.insert(identity, ()).is_some() {
                continue;
            }
            let known = conversation.known.get(&source.identity);
            let known = known.filter(|outcome| outcome.version().is_some());
            let id = *next_request;
            *next_request = id.wrapping_add(1);
            self.open.insert(id, (source.clone(), known.cloned()));
            requests.push(Request {
                id,
                source,
                known_version: known.and_then(Outcome::version).map(str::to_owned),
            });
        }
        requests
    }

    /// Takes the answer to a request, unless none of that number waits.
    pub(crate) fn answer(&mut self, id: u32, answer: Answer, settings: &Settings) -> Option<()> {
        let (source, known) = self.open.remove(&id)?;
        self.open_identities.remove(&source.identity);
        let outcome = answer.outcome(&source, known.as_ref(), settings.max_item_bytes);
        // Only a document that is read as rules are can lead to further requests.
        self.is_due |= settings.trusts_files() && source.is_file_or_directory();
        self.answers.insert(source.identity, outcome);
        self.is_due |= self.open.is_empty();
        Some(())
    }

    /// Whether nothing is missing any more.
    pub(crate) fn is_ready(&mut self, conversation: &Conversation, settings: &Settings) -> bool {
        if self.is_due && self.open.is_empty() {
            self.evaluate(conversation, settings);
        }
        self.result.is_some()
    }

    /// Keeps the result, or answers with what is missing.
    fn evaluate(&mut self, conversation: &Conversation, settings: &Settings) -> Vec<Source> {
        if self.result.is_some() {
            return Vec::new();
        }
        let scope = conversation.scope.clone();
        let mut evaluation = Evaluation::new(settings, &self.answers, &conversation.known, scope);
        let mut read = |reading| {
            let prompt = prompt::evaluate(&self.units, reading, conversation, &mut evaluation);
            Box::new(prompt)
        };
        let result = match self.work {
            Work::Prompt => {
                // Another prompt may have been assembled since it was begun.
                let last = conversation.last_prompt_of(&self.units);
                let last = last.filter(|_| self.is_repeat);
                Evaluated::Turn(read(last.map_or(Reading::New, Reading::Again)))
            }
            Work::LonePrompt => Evaluated::Lone(read(Reading::Alone)),
            Work::Document | Work::Skill => {
                let is_skill = self.work == Work::Skill;
                evaluation.front_matter = is_skill.then(FrontMatter::default);
                let mut content = Vec::new();
                evaluation.expand(&Document::new(&self.units, None), &mut content);
                Evaluated::Document(Box::new(EvaluatedDocument {
                    content,
                    front_matter: evaluation.front_matter.take().unwrap_or_default(),
                    scope: std::mem::take(&mut evaluation.scope),
                    diagnostics: std::mem::take(&mut evaluation.diagnostics),
                }))
            }
        };
        let (missing, is_complete) = (evaluation.missing, evaluation.is_complete);
        self.result = is_complete.then_some(result);
        missing
    }
}

/// The user's own text of a prompt, which it begins with, and whether it is the prompt that was assembled last.
fn own_text<'a>(prompt: &'a [u16], conversation: &Conversation) -> (&'a [u16], bool) {
    // A prompt without a block may come to end as one does, where the text after that went: directives, or
    // another block.
    if let Some(last) = conversation.last_prompt_of(prompt) {
        return (prompt, last.was_changed);
    }
    let (user, block) = block::split(prompt);
    let last = conversation.last_prompt_of(user);
    let is_repeat = last.is_some_and(|last| block.is_some() || last.was_changed);
    (user, is_repeat)
}
