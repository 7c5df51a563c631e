//! The machines in the order of a turn.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::json;
use turnkeeper_base::error::Error;
use turnkeeper_base::text::Text;
use turnkeeper_ghost_block::{AssemblerOptions, CountTokens, GhostBlockAssembler, Part, Work};
use turnkeeper_loop_detector::{
    AgentEvent, LoopDetector, LoopDetectorOptions, LoopVerdict, Prompt,
};
use turnkeeper_summary_injector::{
    PromptParts, PromptPhase, SummaryInjector, SummaryInjectorOptions, TurnPrompt, TurnSummary,
};
use turnkeeper_terminal_selector::{TerminalChoice, TerminalRequest, TerminalSelector};

use super::{Decision, SessionLogEntry, SessionOptions, TurnOrder};

/// A selector, which sessions share because they run their commands in the terminals of one window.
pub type SharedTerminals = Arc<Mutex<TerminalSelector>>;

/// The options of an [`AgentSession`].
#[derive(Debug, Clone, Default)]
pub struct AgentSessionOptions {
    /// Those of the ghost-block assembler.
    pub assembler: AssemblerOptions,
    /// Those of the loop detector.
    pub loop_detector: LoopDetectorOptions,
    /// Those of the summary injector.
    pub summaries: SummaryInjectorOptions,
    /// The session's own.
    pub session: SessionOptions,
}

impl AgentSessionOptions {
    /// The options of an assembler, and no others.
    #[must_use]
    pub fn new(assembler: AssemblerOptions) -> Self {
        Self {
            assembler,
            ..Self::default()
        }
    }
}

/// The start of a turn.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct NewTurn<'a> {
    prompt: &'a str,
    prompt_id: Option<&'a str>,
    task: Option<&'a str>,
    model: Option<&'a str>,
}

impl<'a> NewTurn<'a> {
    /// A turn that begins with these words of the user.
    #[must_use]
    pub fn new(prompt: &'a str) -> Self {
        Self {
            prompt,
            ..Self::default()
        }
    }

    /// The name of the prompt for the loop detector: with the one of the running prompt, that keeps its counts.
    /// Without one each turn is a new prompt.
    #[must_use]
    pub fn prompt_id(mut self, id: &'a str) -> Self {
        self.prompt_id = Some(id);
        self
    }

    /// The user's goal. Without one the task of the turn before stays; a blank one says that it is done.
    #[must_use]
    pub fn task(mut self, task: &'a str) -> Self {
        self.task = Some(task);
        self
    }

    /// The name of the model that answers. Without one the loop detector does not watch it as a preview model.
    #[must_use]
    pub fn model(mut self, model: &'a str) -> Self {
        self.model = Some(model);
        self
    }
}

/// The five machines in the order of a turn. See the [crate](crate) for the calls of a turn.
///
/// The machines are there for everything else: `loop_detector.take_feedback()` has what to tell the model with the next
/// request; messages that a later turn may recall go to `summaries.add_message`, and what happens to terminals to
/// [`terminals`](Self::terminals).
#[derive(Debug)]
pub struct AgentSession {
    /// The loop detector.
    pub loop_detector: LoopDetector,
    /// The ghost-block assembler.
    pub assembler: GhostBlockAssembler,
    /// The summary injector.
    pub summaries: SummaryInjector,
    terminals: SharedTerminals,
    order: TurnOrder,
    /// The turn of the message that was begun; the next may begin while the host answers.
    message_turn: u64,
}

impl AgentSession {
    /// A session of a new conversation. A host with one session makes the selector for it.
    ///
    /// # Errors
    /// `invalid_config`, naming the machine and the option.
    pub fn new(options: AgentSessionOptions, terminals: SharedTerminals) -> Result<Self, Error> {
        let placement = options.assembler.placement.unwrap_or_default();
        Ok(Self {
            order: TurnOrder::new(options.session, placement)?,
            loop_detector: LoopDetector::new(options.loop_detector)?,
            assembler: GhostBlockAssembler::new(options.assembler)?,
            summaries: SummaryInjector::new(options.summaries)?,
            terminals,
            message_turn: 0,
        })
    }

    /// The terminals, which no other session can use as long as they are borrowed.
    pub fn terminals(&self) -> MutexGuard<'_, TerminalSelector> {
        // A selector takes in all of a call or nothing.
        self.terminals
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts a turn, and with it a prompt of the loop detector. Returns the turn's number, from 1. A turn that is still
    /// open is completed, and the [log](Self::log) says so.
    pub fn begin_turn(&mut self, turn: NewTurn) -> u64 {
        let next = self.order.next_prompt_id();
        let id = turn.prompt_id.unwrap_or(&next);
        let mut prompt = Prompt::new(id).user_prompt(turn.prompt);
        if let Some(model) = turn.model {
            prompt = prompt.model(model);
        }
        self.loop_detector.start_prompt(prompt);
        let task = turn.task.map(str::to_owned);
        let prompt = Text::from(turn.prompt);
        self.order.begin_turn(&mut self.summaries, prompt, task)
    }

    /// Begins to assemble the user message of the open turn. The assembler then asks for what it needs
    /// ([`take_requests`](GhostBlockAssembler::take_requests)).
    ///
    /// # Errors
    /// `wrong_order` if no turn is open.
    pub fn begin_message(&mut self) -> Result<(), Error> {
        let prompt = self.order.open_prompt(&self.summaries)?.clone();
        self.message_turn = self.order.state().turn;
        self.assembler.begin(Work::Prompt, prompt);
        Ok(())
    }

    /// The user message that was begun, once every request is answered: the prompt with one ghost block after the text, and
    /// the environment, with its tags or without, as the last part. Items that the budget leaves out, items that fail and
    /// problems of the prompt are in the [log](Self::log). `count` is that of
    /// [`finish_prompt`](GhostBlockAssembler::finish_prompt).
    ///
    /// # Errors
    /// Those of [`finish_prompt`](GhostBlockAssembler::finish_prompt).
    pub fn finish_message(
        &mut self,
        environment: Option<&str>,
        count: Option<CountTokens>,
    ) -> Result<Vec<Part>, Error> {
        let prompt = self.assembler.finish_prompt(count)?;
        let (turn, parts) = (self.message_turn, prompt.parts());
        let items = self.assembler.items();
        let mut note = |decision, detail| self.order.note(decision, detail, Some(turn));
        let omitted = json!({ "keys": prompt.omitted, "items": items.len() });
        note(Decision::ItemsOmitted, omitted);
        for item in items {
            if let Some(error) = item.error {
                let failed = json!({ "key": item.key, "error": error.to_lossy() });
                note(Decision::ItemFailed, failed);
            }
        }
        for diagnostic in &prompt.diagnostics {
            note(Decision::PromptDiagnosed, json!(diagnostic));
        }
        Ok(match environment {
            Some(environment) => self.order.with_environment(turn, parts, environment),
            None => parts,
        })
    }

    /// System prompt, workspace context and history for a phase of the turn; see
    /// [`SummaryInjector::build_prompt`]. User messages before the newest lose their environment, and, unless
    /// the placement is [`Delta`](turnkeeper_ghost_block::Placement::Delta), their ghost block, if the
    /// [originals](turnkeeper_summary_injector::TurnMessage::original) are JSON.
    pub fn build_prompt(&mut self, phase: PromptPhase, parts: PromptParts) -> TurnPrompt {
        self.order.build_prompt(&mut self.summaries, phase, parts)
    }

    /// Shows an event of the model's stream, or a result, to the loop detector. The [log](Self::log) has each nudge and stop.
    ///
    /// # Errors
    /// Those of the detector's `observe`.
    pub fn observe(&mut self, event: &AgentEvent) -> Result<&LoopVerdict, Error> {
        let before = self.loop_detector.told();
        self.loop_detector.observe(event)?;
        let verdict = self.loop_detector.verdict();
        if self.loop_detector.told() != before && *verdict != LoopVerdict::Ok {
            let decision = json!(verdict);
            self.order.note(Decision::LoopDetected, decision, None);
        }
        Ok(verdict)
    }

    /// Says that the request was answered for which the last prompt was built: what was recalled for it is in no prompt
    /// any more.
    pub fn request_succeeded(&mut self) {
        self.summaries.request_succeeded();
    }

    /// Chooses the terminal for a command, of the session's task unless the request names one; see
    /// [`TerminalSelector::select`].
    ///
    /// # Errors
    /// Those of the selector.
    pub fn select_terminal(
        &mut self,
        mut request: TerminalRequest,
    ) -> Result<TerminalChoice, Error> {
        let task_id = || self.order.state().task_id.clone();
        request.task_id = request.task_id.or_else(task_id);
        let choice = self.terminals().select(&request)?;
        self.order
            .note(Decision::TerminalChosen, json!(choice), None);
        Ok(choice)
    }

    /// Completes the open turn, and stores its summary if there is one. If there is none yet, ask the model for it:
    /// [`take_summary_request`](SummaryInjector::take_summary_request) has the request, before this call or after it.
    ///
    /// # Errors
    /// `wrong_order` if no turn is open; those of [`store_summary`](SummaryInjector::store_summary), after which the
    /// turn is still open.
    pub fn end_turn(&mut self, summary: Option<&TurnSummary>) -> Result<(), Error> {
        self.order.end_turn(&mut self.summaries, summary)
    }

    /// The newest 200 decisions, the oldest first. They are not part of a [`snapshot`](Self::snapshot).
    pub fn log(&self) -> impl DoubleEndedIterator<Item = &SessionLogEntry> + ExactSizeIterator {
        self.order.log()
    }

    /// The session as bytes, the same on every platform: its machines, and what the user said in the open turn. A message
    /// that was begun and the log are not part of it.
    #[must_use]
    pub fn snapshot(&self) -> Vec<u8> {
        let machines = [
            self.loop_detector.snapshot(),
            self.assembler.snapshot(),
            self.terminals().snapshot(),
            self.summaries.snapshot(),
        ];
        self.order.save(machines.map(Into::into))
    }

    /// A session that goes on as if it had never stopped: in the terminals that sessions share, or in those that it
    /// had.
    ///
    /// # Errors
    /// `snapshot_corrupt` for bytes that are cut, altered or no snapshot, `wrong_machine` for
    /// another machine's, `snapshot_version` for those of a newer version.
    pub fn restore(snapshot: &[u8], terminals: Option<SharedTerminals>) -> Result<Self, Error> {
        let (order, machines) = TurnOrder::restore(snapshot)?;
        let [loop_detector, assembler, saved_terminals, summaries] = machines;
        let terminals = match terminals {
            Some(shared) => shared,
            None => Arc::new(Mutex::new(TerminalSelector::restore(&saved_terminals)?)),
        };
        Ok(Self {
            loop_detector: LoopDetector::restore(&loop_detector)?,
            assembler: GhostBlockAssembler::restore(&assembler)?,
            summaries: SummaryInjector::restore(&summaries)?,
            terminals,
            order,
            message_turn: 0,
        })
    }
}
