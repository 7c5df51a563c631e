//! The injector itself: each method goes to the state that it is about.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::diagnostic::Diagnostic;
use super::entry::Entry;
use super::fold::FoldRequest;
use super::log::{SummaryEvent, SummaryLog, SummaryLogEntry};
use super::message::TurnMessage;
use super::messages::Messages;
use super::prompt::{self, PromptParts, PromptPhase, TurnPrompt};
use super::recall::{Keywords, Recall, Wish};
use super::summaries::{BudgetFit, Summaries};
use super::summary_request::{RequestedSummary, SummaryRequest, TaskState};
use super::turns::{CurrentTurn, StartedTurn, Turn, TurnRecord, TurnSummary, TurnToolCall, Turns};
use super::{MACHINE, SummaryInjectorOptions};
use turnkeeper_base::error::{Error, ErrorCode};
use turnkeeper_base::options;

/// Carries summaries from turn to turn. See the [crate](crate) for its promise.
///
/// It has four kinds of methods, which stand here in this order:
///
/// - **Tellers** take what happens, as it happens: [`start_turn`](Self::start_turn);
///   [`add_message`](Self::add_message), [`add_thinking_round`](Self::add_thinking_round),
///   [`add_tool_call`](Self::add_tool_call), [`set_notes`](Self::set_notes);
///   [`store_summary`](Self::store_summary); [`complete_turn`](Self::complete_turn). All but the first are for
///   the open turn, and most can name an earlier one. One that fails changes nothing.
/// - **Prompts**: [`recall`](Self::recall) before and [`request_succeeded`](Self::request_succeeded) after
///   [`build_prompt`](Self::build_prompt), as often as a turn asks its model. Its parts by themselves change
///   nothing: [`system_prompt`](Self::system_prompt), [`context`](Self::context),
///   [`accumulated_summaries`](Self::accumulated_summaries), [`thinking_message`](Self::thinking_message).
/// - **Requests** to the host's model, for a turn's summary and for a fold of several. `take_…` hands one out,
///   and none is handed out before `answer_…` or `drop_…` has ended it, however many turns start between.
///   A host that has set a budget takes a fold request after each summary.
/// - **Questions**, which change nothing: [`current_turn`](Self::current_turn), [`turns`](Self::turns),
///   [`search`](Self::search), [`budget_fit`](Self::budget_fit).
///
/// A [`snapshot`](Self::snapshot) can be taken between any two calls. Nothing depends on time.
///
/// Memory grows with the messages that are kept, which
/// [`max_messages`](SummaryInjectorOptions::max_messages) can limit, and with the summaries.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct SummaryInjector {
    #[serde(with = "options::saved")]
    pub(super) options: SummaryInjectorOptions,
    pub(super) turns: Turns,
    pub(super) summaries: Summaries,
    pub(super) messages: Messages,
    /// The request for a turn's summary that is not answered yet.
    pub(super) requested_summary: Option<RequestedSummary>,
    #[serde(skip)]
    pub(super) log: SummaryLog,
}

impl SummaryInjector {
    /// An injector for a new conversation.
    ///
    /// # Errors
    /// `invalid_config`, naming the option that is out of range.
    pub fn new(options: SummaryInjectorOptions) -> Result<Self, Error> {
        Ok(Self {
            options,
            ..Self::default()
        })
    }

    /// Starts a turn. A turn that is open is completed. Without a task it keeps that of the turn before; a
    /// blank task ends it. What was [recalled](Self::recall) before is no longer.
    pub fn start_turn(&mut self, turn: Turn) -> StartedTurn {
        let completed_previous = self.turns.is_open;
        self.end_open_turn();
        self.messages.forget_recalled();
        if completed_previous {
            let turn = self.turns.newest();
            self.log.note(turn, SummaryEvent::TurnCompleted);
        }
        self.turns.start(turn);
        StartedTurn {
            number: self.turns.newest(),
            completed_previous,
        }
    }

    /// Adds a message to the turn with this number, or to the open one. One with an id that is known is the
    /// same message, and takes its place.
    ///
    /// # Errors
    /// `wrong_order` if no turn is open and none is named, `unknown_id` for a turn that never was,
    /// `invalid_argument` for a role that is not a name.
    pub fn add_message(&mut self, message: TurnMessage, turn: Option<u64>) -> Result<(), Error> {
        let (number, _) = self.turns.find(turn, "message.turn")?;
        if !message.has_valid_role() {
            let must = "must be a name of at most 64 bytes, without white space and brackets";
            let error = Error::new(ErrorCode::InvalidArgument, MACHINE, must);
            return Err(error.at("message.role"));
        }
        if let Err(message) = self.messages.replace(turn, message) {
            let limit = self.options.max_messages;
            self.messages.add(number, message, false, limit);
        }
        Ok(())
    }

    /// Adds a round of thinking to the open turn. A blank round is left out.
    ///
    /// # Errors
    /// `wrong_order` if no turn is open.
    pub fn add_thinking_round(&mut self, content: &str) -> Result<(), Error> {
        self.turns.open().map(|turn| turn.add_round(content))
    }

    /// Adds a call of a tool to the turn with this number, or to the open one.
    ///
    /// # Errors
    /// `invalid_argument` without a name, `wrong_order` if no turn is open and none is named, `unknown_id`
    /// for a turn that never was.
    pub fn add_tool_call(&mut self, call: TurnToolCall, turn: Option<u64>) -> Result<(), Error> {
        if call.name.is_empty() {
            let error = Error::new(ErrorCode::InvalidArgument, MACHINE, "must be a tool's name");
            return Err(error.at("call.name"));
        }
        let (_, turn) = self.turns.find(turn, "call.turn")?;
        turn.tool_calls.push(call);
        Ok(())
    }

    /// Keeps the host's own notes with a turn, or with the open one, in place of those before: its status,
    /// its times, what it cost. They are a JSON object, and no prompt contains them.
    ///
    /// # Errors
    /// `wrong_order` if no turn is open and none is named, `unknown_id` for a turn that never was.
    pub fn set_notes(&mut self, notes: String, turn: Option<u64>) -> Result<(), Error> {
        let (_, turn) = self.turns.find(turn, "turn")?;
        turn.notes = Some(notes);
        Ok(())
    }

    /// Stores the summary of a turn, replacing the one that it has. A summary without any text is
    /// not stored. The summary of a turn that is folded is kept for [`recall`](Self::recall), and
    /// the fold stays as it is.
    ///
    /// Takes time proportional to its length and to that of the summaries of later turns.
    ///
    /// # Errors
    /// `wrong_order` if no turn is open and none is named, `unknown_id` for a turn that never was.
    pub fn store_summary(&mut self, summary: &TurnSummary) -> Result<(), Error> {
        let (number, turn) = self.turns.find(summary.turn, "summary.turn")?;
        let entry = Entry::of_turns((number, number), &summary.summary, &summary.insights);
        if !entry.is_empty() {
            turn.summary = Some(summary.summary.clone());
            turn.insights.clone_from(&summary.insights);
            self.summaries.store(entry, self.options.budget());
        }
        self.log_budget();
        Ok(())
    }

    /// Notes that the budget does not leave the summaries whole.
    fn log_budget(&mut self) {
        if let Some(event) = SummaryEvent::of_budget(self.budget_fit()) {
            self.log.note(self.turns.newest(), event);
        }
    }

    /// Completes the open turn. Its rounds of thinking are kept with its messages, as a message of the
    /// system like [`thinking_message`](Self::thinking_message).
    ///
    /// # Errors
    /// `wrong_order` if no turn is open.
    pub fn complete_turn(&mut self) -> Result<(), Error> {
        self.turns.open()?;
        self.end_open_turn();
        Ok(())
    }

    fn end_open_turn(&mut self) {
        if let Some(message) = self.thinking() {
            let (turn, limit) = (self.turns.newest(), self.options.max_messages);
            self.messages.add(turn, message, true, limit);
        }
        self.turns.is_open = false;
    }

    /// The rounds of thinking of the open turn as a message.
    fn thinking(&self) -> Option<TurnMessage> {
        self.turns.thinking().map(TurnMessage::of_system)
    }

    /// Queues messages for the prompts of the action phase, beside those that are queued already, until
    /// a [request has succeeded](Self::request_succeeded) or the next turn starts. Of more than
    /// [`max_recalled_messages`](SummaryInjectorOptions::max_recalled_messages) those stay that were
    /// asked for by their id, or have a keyword, one that few have first; then those of their turns, and of turns that
    /// were asked for; then those that were queued already; then those of a fold with a keyword; of each the newest.
    /// Returns how many of the messages that were asked for are queued afterwards.
    ///
    /// With keywords it takes time proportional to everything that was said, otherwise to the number
    /// of messages.
    ///
    /// # Errors
    /// `limit_exceeded` if more than 1,000 things are asked for.
    pub fn recall(&mut self, wanted: &Recall) -> Result<u64, Error> {
        wanted.check()?;
        let numbers = wanted.turns.iter().chain(&wanted.turn_numbers);
        let numbers = numbers.copied();
        let keywords = Keywords::new(&wanted.keywords);
        let wish = Wish {
            ids: wanted.ids.iter().map(String::as_str).collect(),
            turns: numbers
                .chain(self.summaries.turns_with(&keywords))
                .collect(),
            folded: self.summaries.folded_with(&keywords),
            keywords: &keywords,
        };
        let room = self.options.recalled_messages();
        Ok(self.messages.recall(wish, room))
    }

    /// All parts of a prompt. A prompt for the action phase contains the messages that were
    /// [recalled](Self::recall).
    pub fn build_prompt(&mut self, phase: PromptPhase, parts: PromptParts) -> TurnPrompt {
        let (conversation_history, thinking_message) = match phase {
            PromptPhase::Thinking => {
                let messages = self.messages.kept.iter();
                (messages.map(|kept| kept.message.tagged()).collect(), None)
            }
            PromptPhase::Action => (self.messages.send_recalled(), self.thinking_message()),
        };
        TurnPrompt {
            system_prompt: self.system_prompt(phase, parts.capability, parts.direction),
            workspace_context: self.context(phase, parts.workspace),
            conversation_history,
            thinking_message,
        }
    }

    /// Says that the request was answered for which the last prompt was built: what was recalled for it
    /// is in no prompt any more.
    pub fn request_succeeded(&mut self) {
        self.messages.forget_sent();
    }

    /// `capability` and `direction`, in the thinking phase its rule, and with a task a reminder of it,
    /// with a blank line between.
    #[must_use]
    pub fn system_prompt(&self, phase: PromptPhase, capability: &str, direction: &str) -> String {
        let texts = self.options.texts.as_ref();
        prompt::system_prompt(phase, (capability, direction), texts, self.turns.task())
    }

    /// The task, the summaries, the workspace and in the thinking phase the rounds of thinking of the open
    /// turn, each under its heading if there is anything in it. In the action phase with neither a task nor
    /// summaries it is the workspace as it was given; otherwise lines of the workspace that look like
    /// headings are marked.
    #[must_use]
    pub fn context(&self, phase: PromptPhase, workspace: &str) -> String {
        let (task, summaries) = (self.turns.task(), self.accumulated_summaries());
        prompt::context(phase, task, summaries, workspace, self.thinking_message())
    }

    /// Earlier turns' summaries and insights, under their heading; empty without summaries. Takes time
    /// proportional to its length.
    #[must_use]
    pub fn accumulated_summaries(&self) -> String {
        self.summaries.text(self.options.budget())
    }

    /// The rounds of thinking of the open turn, `Round 1: …` and so on; nothing if there are none. As
    /// a message of the system it brings what thinking found into the action phase.
    #[must_use]
    pub fn thinking_message(&self) -> Option<String> {
        self.turns.thinking()
    }

    /// A request for the summary of the open turn, or, if none is open, of the newest. There is none
    /// if nothing was said or thought in the turn, if it has a summary, and while a request is
    /// unanswered.
    #[must_use]
    pub fn take_summary_request(&mut self) -> Option<SummaryRequest> {
        let turn = self.turns.newest();
        if self.requested_summary.is_some() || self.summaries.has(turn) {
            return None;
        }
        let messages = self.messages.kept.iter().filter(|kept| kept.turn == turn);
        let messages = messages.map(|kept| kept.message.tagged());
        let thinking = self.thinking();
        let said: Vec<String> = messages
            .chain(thinking.as_ref().map(TurnMessage::tagged))
            .collect();
        if said.is_empty() {
            return None;
        }
        let requested = RequestedSummary::new(turn, self.turns.task(), &said);
        let request = requested.request(&said, self.options.request_tokens());
        self.requested_summary = Some(requested);
        Some(request)
    }

    /// Takes the model's answer to the request that was taken, even if turns came since, and stores it
    /// as the summary of its turn. Its faults are told and are no error, since a model wrote
    /// it: it is too long, it drops the goal, it names no open point. One that cannot be read is told,
    /// too; then nothing is stored, and the request still waits for its answer.
    ///
    /// The answer is an object as the schema says, or its JSON as a text.
    ///
    /// # Errors
    /// `wrong_order` if no request is unanswered.
    pub fn answer_summary_request(
        &mut self,
        answer: &Value,
        task_state: TaskState,
    ) -> Result<Vec<Diagnostic>, Error> {
        let Some(requested) = &self.requested_summary else {
            let message = "no summary request was taken";
            return Err(Error::new(ErrorCode::WrongOrder, MACHINE, message));
        };
        let (summary, diagnostics) = requested.read(answer, task_state);
        if let Some(summary) = summary {
            self.store_summary(&summary)?;
            self.requested_summary = None;
        }
        Ok(diagnostics)
    }

    /// Gives up the request that was taken, because its model failed, say. It can be taken again.
    /// Without a request nothing happens.
    pub fn drop_summary_request(&mut self) {
        self.requested_summary = None;
    }

    /// A request to sum turns up, if the summaries take more than
    /// [`max_tokens`](SummaryInjectorOptions::max_tokens). It is handed out once. A new one
    /// can arise with each summary that is stored and with each answer; at most one is unanswered at
    /// a time.
    #[must_use]
    pub fn take_fold_request(&mut self) -> Option<FoldRequest> {
        self.summaries.take_request(self.options.request_tokens())
    }

    /// Takes the answer to the request that was taken, even if turns came since. It replaces the
    /// summaries of the turns of the request; their messages can still be
    /// [recalled](Self::recall).
    ///
    /// The answer is an object with a `summary` and perhaps `insights`, its JSON as a text, or prose. A field
    /// that cannot be read is left out and told.
    ///
    /// # Errors
    /// `wrong_order` if no request is unanswered, `invalid_argument` for an answer without a summary, after
    /// which the request still waits for its answer.
    pub fn answer_fold_request(&mut self, answer: &Value) -> Result<Vec<Diagnostic>, Error> {
        let told = self
            .summaries
            .answer_request(answer, self.options.budget())?;
        self.log_budget();
        Ok(told)
    }

    /// Gives up the request that was taken, because its model failed, say. It can be taken again.
    /// Without a request nothing happens.
    pub fn drop_fold_request(&mut self) {
        self.summaries.drop_request();
    }

    /// The open turn.
    #[must_use]
    pub fn current_turn(&self) -> Option<CurrentTurn<'_>> {
        self.turns.current()
    }

    /// The number of the newest turn; 0 before the first.
    #[must_use]
    pub fn newest_turn(&self) -> u64 {
        self.turns.newest()
    }

    /// The turns from one number to another, both included; those that never were are left out.
    #[must_use]
    pub fn turns(&self, from: u64, to: u64) -> Vec<TurnRecord<'_>> {
        self.turns.records((from, to), &self.messages)
    }

    /// The turns in which one of these words occurs: in the goal that they began with, their summary,
    /// insights, messages, thinking or calls of tools. Neither case nor white space at the ends of a
    /// word counts.
    #[must_use]
    pub fn search(&self, words: &[String]) -> Vec<TurnRecord<'_>> {
        let words = Keywords::new(words);
        let mut found = self.turns(1, self.turns.newest());
        found.retain(|record| self.turns.says(record, &words));
        found
    }

    /// Whether the summaries that prompts show have room in
    /// [`max_tokens`](SummaryInjectorOptions::max_tokens). Whatever is not shown is in
    /// [`turns`](Self::turns).
    #[must_use]
    pub fn budget_fit(&self) -> BudgetFit {
        self.summaries.fit(self.options.budget())
    }

    /// The newest 100 things that the injector did without being asked, the oldest first. They are not part of a
    /// [`snapshot`](Self::snapshot).
    pub fn log(&self) -> impl DoubleEndedIterator<Item = &SummaryLogEntry> + ExactSizeIterator {
        self.log.0.iter()
    }
}
