//! The assembler: its methods, which hand its state to the files that do the work.

use serde::{Deserialize, Serialize};

use super::assembled::{AssembledPrompt, CountTokens, PreparedSkill, ResolvedPrompt};
use super::context_item::{ContextItem, context_items};
use super::conversation::Conversation;
use super::diagnostic::Diagnostic;
use super::finish::Block;
use super::history::{self, ScannedHistory};
use super::inspect::{self, PreprocessedText};
use super::job::{Evaluated, Job, Work};
use super::options::{AssemblerOptions, MACHINE};
use super::request::{Answer, Request};
use super::settings::Settings;
use super::snapshot::FORMAT;
use super::syntax::reference::Reference;
use turnkeeper_base::error::{Error, ErrorCode};
use turnkeeper_base::snapshot;
use turnkeeper_base::sorted_map::SortedMap;
use turnkeeper_base::text::Text;

/// Assembles the prompts of one conversation.
///
/// There are four kinds of methods:
///
/// 1. **Setting up**: [`set_rules`](Self::set_rules) and [`set_rule_files`](Self::set_rule_files) before the first
///    prompt or between two, [`scan_history`](Self::scan_history) for a conversation that was saved without a snapshot,
///    [`forget`](Self::forget) at any time.
/// 2. **One piece of work at a time**, in this order: [`begin`](Self::begin); [`take_requests`](Self::take_requests) and an
///    [`answer`](Self::answer) to each, again and again until there are no requests and it
///    [`is_ready`](Self::is_ready); then the `finish_…` that belongs to the [`Work`]
///    ([`finish_skill`](Self::finish_skill) for a document, too). Another `begin` or [`cancel`](Self::cancel)
///    drops it. The answers may come in any order, and nothing of the conversation changes before the end.
/// 3. **Looking**, at any time and without any change: [`items`](Self::items), [`macros`](Self::macros),
///    [`inspect`](Self::inspect), [`diagnose`](Self::diagnose), [`preprocess`](Self::preprocess).
/// 4. **Saving**: [`snapshot`](Self::snapshot), which leaves out the work that is under way, and
///    [`restore`](Self::restore).
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct GhostBlockAssembler {
    settings: Settings,
    pub(crate) conversation: Conversation,
    #[serde(skip)]
    pub(crate) job: Option<Box<Job>>,
    /// The id of the next request.
    #[serde(skip)]
    next_request: u32,
}

/// Setting up.
impl GhostBlockAssembler {
    /// An assembler for a new conversation.
    ///
    /// # Errors
    /// `invalid_config` for a root that is no absolute path.
    pub fn new(options: AssemblerOptions) -> Result<Self, Error> {
        Ok(Self {
            settings: Settings::new(options)?,
            conversation: Conversation::default(),
            job: None,
            next_request: 0,
        })
    }

    /// Sets the rules, each a name and a content, in the order in which the block has them; those
    /// before are forgotten. Of several with one name, the last content stands where the first was.
    pub fn set_rules<N, C>(&mut self, rules: impl IntoIterator<Item = (N, C)>)
    where
        N: Into<String>,
        C: Into<Text>,
    {
        let rules = rules.into_iter();
        self.set_rule_files(rules.map(|(name, content)| (name, content, None)));
    }

    /// The same, each with the path of its file: its references are relative to that, and then to the
    /// root. A path that leads out of the roots is none.
    pub fn set_rule_files<N, C>(&mut self, rules: impl IntoIterator<Item = (N, C, Option<String>)>)
    where
        N: Into<String>,
        C: Into<Text>,
    {
        let rules = rules.into_iter();
        let rules = rules.map(|(name, content, path)| (name.into(), content.into(), path));
        self.conversation.set_rules(rules, &self.settings.roots);
    }

    /// Takes the texts of user messages of an old conversation, oldest first: the content that the
    /// blocks in them hold, and the files that they refer to, to be read with the next prompt. Tools
    /// are never run for them. The time is linear in the texts and the items together.
    pub fn scan_history<T: AsRef<[u16]>>(
        &mut self,
        texts: impl IntoIterator<Item = T>,
    ) -> ScannedHistory {
        history::scan(texts, &mut self.conversation, &self.settings)
    }

    /// Takes the items with this key out of the conversation, and with them their content, until they
    /// are referred to again; a rule, until the rules are set again. Answers with whether there were
    /// any. A prompt that is under way and refers to it keeps it.
    ///
    /// In delta placement, where earlier blocks stay, the next block says that it is removed.
    pub fn forget(&mut self, key: &str) -> bool {
        let is_found = self.conversation.forget(key);
        if is_found && let Some(job) = &mut self.job {
            job.evaluate_again();
        }
        is_found
    }
}

/// One piece of work at a time.
impl GhostBlockAssembler {
    /// Begins to work on a prompt, a document or a skill.
    pub fn begin(&mut self, work: Work, text: impl Into<Text>) {
        let job = Job::new(work, text.into().into_units(), &self.conversation);
        self.job = Some(Box::new(job));
    }

    /// Drops what was begun. The conversation is as it was before.
    pub fn cancel(&mut self) {
        self.job = None;
    }

    /// Everything that can be asked for now and was not before. Ask again after answering.
    #[must_use]
    pub fn take_requests(&mut self) -> Vec<Request> {
        let Some(job) = &mut self.job else {
            return Vec::new();
        };
        job.take_requests(&self.conversation, &self.settings, &mut self.next_request)
    }

    /// Takes the answer to a request. One that does not fit the request counts as a failure.
    ///
    /// # Errors
    /// `unknown_id` for a request that was never made, is answered already, or belongs to what was
    /// dropped.
    pub fn answer(&mut self, id: u32, answer: Answer) -> Result<(), Error> {
        let job = self.job.as_mut();
        let taken = job.and_then(|job| job.answer(id, answer, &self.settings));
        taken.ok_or_else(|| {
            let message = "is no request that waits for an answer";
            Error::new(ErrorCode::UnknownId, MACHINE, message).at("id")
        })
    }

    /// Whether nothing is missing any more.
    #[must_use]
    pub fn is_ready(&mut self) -> bool {
        let job = self.job.as_mut();
        job.is_some_and(|job| job.is_ready(&self.conversation, &self.settings))
    }

    /// Ends the prompt that is ready. `count` counts the tokens of a text; left out, they are
    /// estimated: one for four UTF-16 code units, one for each Han, Kana or Hangul character.
    ///
    /// # Errors
    /// `wrong_order` if no prompt is ready; `invalid_argument` if `count` gives up; `limit_exceeded` for a
    /// block of half a gigabyte. Nothing has happened then, and the prompt still is ready.
    pub fn finish_prompt(&mut self, count: Option<CountTokens>) -> Result<AssembledPrompt, Error> {
        let (job, prompt) = match self.take_result() {
            Some((job, Evaluated::Turn(prompt))) => (job, prompt),
            other => return Err(self.is_not_ready(other, "no prompt is ready")),
        };
        match Block::new(&prompt, &self.conversation, &self.settings, count) {
            Ok(block) => Ok(block.end_turn(*prompt, &job.answers, &mut self.conversation)),
            Err(error) => {
                self.put_back(job, Evaluated::Turn(prompt));
                Err(error)
            }
        }
    }

    /// Ends the prompt that is resolved. The conversation is as it was before.
    ///
    /// # Errors
    /// `wrong_order` if no prompt is resolved.
    pub fn finish_resolving(&mut self) -> Result<ResolvedPrompt, Error> {
        match self.take_result() {
            Some((_, Evaluated::Lone(prompt))) => Ok(ResolvedPrompt {
                items: context_items(prompt.all(), self.settings.max_total_bytes),
                diagnostics: prompt.diagnostics,
            }),
            other => Err(self.is_not_ready(other, "no prompt is resolved")),
        }
    }

    /// Ends the document or the skill that is ready.
    ///
    /// # Errors
    /// `wrong_order` if there is none.
    pub fn finish_skill(&mut self) -> Result<PreparedSkill, Error> {
        match self.take_result() {
            Some((job, Evaluated::Document(document))) => {
                self.conversation.remember_tools(&job.answers);
                self.conversation.scope = document.scope;
                Ok(PreparedSkill {
                    content: Text::from_units(&document.content),
                    description: document.front_matter.description.unwrap_or_default(),
                    params: document.front_matter.params,
                    diagnostics: document.diagnostics,
                })
            }
            other => Err(self.is_not_ready(other, "no document is ready")),
        }
    }

    /// Takes the job that is ready, and its result.
    fn take_result(&mut self) -> Option<(Box<Job>, Evaluated)> {
        if !self.is_ready() {
            return None;
        }
        let mut job = self.job.take()?;
        let result = job.result.take()?;
        Some((job, result))
    }

    /// Undoes [`take_result`](Self::take_result).
    fn put_back(&mut self, mut job: Box<Job>, result: Evaluated) {
        job.result = Some(result);
        self.job = Some(job);
    }

    /// The error of ending something else than what was begun, which goes on.
    fn is_not_ready(&mut self, taken: Option<(Box<Job>, Evaluated)>, what: &str) -> Error {
        if let Some((job, result)) = taken {
            self.put_back(job, result);
        }
        let message = format!("{what}; begin one, and answer every request first");
        Error::new(ErrorCode::WrongOrder, MACHINE, message)
    }
}

/// Looking.
impl GhostBlockAssembler {
    /// Everything the conversation referred to, rules first, in order of first appearance.
    #[must_use]
    pub fn items(&self) -> Vec<ContextItem> {
        context_items(self.conversation.all(), self.settings.max_total_bytes)
    }

    /// The macros that a prompt can use now, by name: the host's, and those that prompts and rules
    /// have defined.
    #[must_use]
    pub fn macros(&self) -> SortedMap<&str, &Text> {
        let own = self.conversation.scope.iter();
        let all = own.chain(self.settings.host_macros.iter());
        all.map(|(name, value)| (name.as_str(), value)).collect()
    }

    /// The references and directives of a prompt with their places, in order of start: the first 100,000 of
    /// each. A directive may stand within a reference. Time in proportion to the prompt's length.
    #[must_use]
    pub fn inspect(&self, prompt: impl Into<Text>) -> Vec<Reference> {
        inspect::references(&prompt.into().into_units(), &self.settings)
    }

    /// The problems of a prompt, as far as they can be told before anything is read.
    #[must_use]
    pub fn diagnose(&self, prompt: impl Into<Text>) -> Vec<Diagnostic> {
        let scope = self.conversation.scope.clone();
        inspect::diagnose(&prompt.into().into_units(), scope, &self.settings)
    }

    /// A text with its directives carried out, under the macros of the conversation and these.
    #[must_use]
    pub fn preprocess(
        &self,
        text: impl Into<Text>,
        macros: impl IntoIterator<Item = (String, Text)>,
    ) -> PreprocessedText {
        let mut scope = self.conversation.scope.clone();
        scope.extend(macros);
        inspect::preprocess(&text.into().into_units(), scope, &self.settings)
    }
}

/// Saving.
impl GhostBlockAssembler {
    /// The assembler as bytes, the same on every platform: the options, rules, macros and items
    /// with their content.
    #[must_use]
    pub fn snapshot(&self) -> Vec<u8> {
        snapshot::seal(FORMAT, self)
    }

    /// An assembler that goes on as if it had never stopped.
    ///
    /// # Errors
    /// `snapshot_corrupt` for bytes that are cut, altered or no snapshot, `wrong_machine` for
    /// another machine's, `snapshot_version` for those of a newer version.
    pub fn restore(snapshot: &[u8]) -> Result<Self, Error> {
        snapshot::open(FORMAT, snapshot)
    }
}
