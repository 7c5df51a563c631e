//! What a session itself knows, and what it decides: everything but the machines, which in JavaScript may be of
//! different modules.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use turnkeeper_base::error::{Error, ErrorCode};
use turnkeeper_base::newest;
use turnkeeper_base::text::Text;
use turnkeeper_ghost_block::Placement;
use turnkeeper_history_deduper::{DEFAULT_TAG, DedupeOptions, HistoryDeduper};
use turnkeeper_summary_injector::{
    BudgetFit, PromptParts, PromptPhase, SummaryInjector, Turn, TurnPrompt, TurnSummary,
};

use super::earlier_blocks::EarlierBlocks;
use super::{MACHINE, SessionLogEntry};

use turnkeeper_ghost_block::javascript::MACHINE as ASSEMBLER;
use turnkeeper_history_deduper::javascript::MACHINE as DEDUPER;
use turnkeeper_loop_detector::MACHINE as DETECTOR;
use turnkeeper_summary_injector::javascript::MACHINE as INJECTOR;
use turnkeeper_terminal_selector::javascript::MACHINE as SELECTOR;

/// The most entries of a log that are kept.
const LOG_LENGTH: usize = 200;
/// Of a longer command the log says how long it is, in UTF-16 code units.
const LONGEST_COMMAND: usize = 10_000;
/// The codes of diagnostics that say of a prompt what an item has as its error.
const CODES_OF_ITEMS: [&str; 3] = ["denied", "unreadable", "tool_failed"];

/// The options of a session besides those of its machines.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SessionOptions {
    /// The names of the tags that mark a block of environment, without brackets. An environment that comes
    /// without tags gets the first. Default: `environment_details`.
    pub environment_tags: Option<Vec<String>>,
    /// White space between what the user said and the environment. Default: a blank line.
    pub environment_separator: Option<String>,
    /// The task of this session, for its commands in terminals that sessions share.
    pub task_id: Option<String>,
}

/// What a session knows besides its machines.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct SessionState {
    /// The names of the tags that mark a block of environment.
    pub tags: Vec<String>,
    /// White space before an environment.
    pub separator: String,
    /// Whether each ghost block builds upon those before, which therefore stay.
    pub keeps_ghost_blocks: bool,
    /// The task of its commands.
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub task_id: Option<String>,
    /// The number of the newest turn; 0 before the first.
    pub turn: u64,
    /// The user's words in the open turn.
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub prompt: Option<Text>,
}

/// The order of a turn: what a session knows besides its machines, and decides. [`AgentSession`](crate::AgentSession)
/// has one, and JavaScript's session has the same.
#[derive(Debug, Clone)]
pub struct TurnOrder {
    pub(super) state: SessionState,
    pub(super) deduper: HistoryDeduper,
    log: VecDeque<SessionLogEntry>,
}

/// The decisions of machines that the log has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// The budget left items of a prompt out: `{ keys, items }`, their keys and the number of all items.
    ItemsOmitted,
    /// An item of a prompt could not be had: `{ key, error }`.
    ItemFailed,
    /// There is something wrong with a prompt: the diagnostic. Of what an item tells as well, the log has no other entry.
    PromptDiagnosed,
    /// Blocks of environment in a prompt gave way to the newest: their number.
    EnvironmentReplaced,
    /// The model is in a loop: the verdict.
    LoopDetected,
    /// A terminal was chosen, or none: the choice. Of a long command the log has the length alone.
    TerminalChosen,
}

impl TurnOrder {
    /// The order of a new session, whose assembler has this placement.
    ///
    /// # Errors
    /// `invalid_config`, naming the option.
    pub fn new(options: SessionOptions, placement: Placement) -> Result<Self, Error> {
        let tags = options.environment_tags;
        let separator = options.environment_separator;
        let separator = separator.unwrap_or_else(|| "\n\n".to_owned());
        if !separator.trim().is_empty() {
            let error = Error::new(ErrorCode::InvalidConfig, MACHINE, "must be white space");
            return Err(error.at("environmentSeparator"));
        }
        Self::of(SessionState {
            tags: tags.unwrap_or_else(|| vec![DEFAULT_TAG.to_owned()]),
            separator,
            keeps_ghost_blocks: placement == Placement::Delta,
            task_id: options.task_id,
            turn: 0,
            prompt: None,
        })
    }

    pub(super) fn of(state: SessionState) -> Result<Self, Error> {
        let options = DedupeOptions {
            tags: Some(state.tags.clone()),
            ..DedupeOptions::default()
        };
        Ok(Self {
            deduper: HistoryDeduper::new(options)?,
            state,
            log: VecDeque::new(),
        })
    }

    /// What the session knows.
    #[must_use]
    pub fn state(&self) -> &SessionState {
        &self.state
    }

    /// The id that the prompt of the next turn has for the loop detector, if the host names none: each turn is a
    /// new prompt.
    #[must_use]
    pub fn next_prompt_id(&self) -> String {
        format!("turn {} of the session", self.state.turn + 1)
    }

    /// Starts a turn, and returns its number. A turn that is still open is completed, and the log says so. A blank task
    /// ends the one of the turn before.
    pub fn begin_turn(
        &mut self,
        summaries: &mut SummaryInjector,
        prompt: Text,
        task: Option<String>,
    ) -> u64 {
        let started = summaries.start_turn(Turn {
            task,
            workspace: None,
        });
        if started.completed_previous {
            self.note_last_of(summaries);
        }
        self.state.turn = started.number;
        self.state.prompt = Some(prompt);
        started.number
    }

    /// The user's words in the open turn.
    ///
    /// # Errors
    /// `wrong_order` if no turn is open.
    pub fn open_prompt(&self, summaries: &SummaryInjector) -> Result<&Text, Error> {
        let open = summaries.current_turn();
        let prompt = open.and(self.state.prompt.as_ref());
        prompt.ok_or_else(|| {
            let message = "no turn is open; call beginTurn first";
            Error::new(ErrorCode::WrongOrder, MACHINE, message)
        })
    }

    /// System prompt, workspace context and history for a phase of the turn. User messages before the newest lose their
    /// environment, and, unless each ghost block builds upon those before, their ghost block.
    pub fn build_prompt(
        &mut self,
        summaries: &mut SummaryInjector,
        phase: PromptPhase,
        parts: PromptParts,
    ) -> TurnPrompt {
        let mut prompt = summaries.build_prompt(phase, parts);
        let earlier = EarlierBlocks {
            deduper: &self.deduper,
            separator: &self.state.separator,
            keeps_ghost_blocks: self.state.keeps_ghost_blocks,
        };
        let removed = earlier.remove(phase, &mut prompt.conversation_history);
        if removed > 0 {
            let why = format!("earlier messages with blocks that are out of date: {removed}");
            self.add(
                self.state.turn,
                DEDUPER,
                "removed".to_owned(),
                why,
                Some(removed.into()),
            );
        }
        prompt
    }

    /// Notes a decision in the log: of the turn with this number, or of the newest.
    pub fn note(&mut self, decision: Decision, mut detail: Value, turn: Option<u64>) {
        let turn = turn.unwrap_or(self.state.turn);
        let (machine, what, why) = match decision {
            Decision::ItemsOmitted => {
                let items = detail["items"].as_u64().unwrap_or_default();
                detail = detail["keys"].take();
                let omitted = detail.as_array().map_or(0, Vec::len);
                if omitted == 0 {
                    return;
                }
                let why = format!("{omitted} of {items} items do not fit into maxTokens");
                (ASSEMBLER, "omitted".to_owned(), why)
            }
            Decision::ItemFailed => {
                let why = format!("{}: {}", text(&detail, "key"), text(&detail, "error"));
                detail = detail["key"].take();
                (ASSEMBLER, "failed".to_owned(), why)
            }
            Decision::PromptDiagnosed => {
                // Of what the prompt names, the items tell.
                let code = text(&detail, "code");
                if text(&detail, "source").is_empty() && CODES_OF_ITEMS.contains(&&*code) {
                    return;
                }
                (ASSEMBLER, "diagnostic".to_owned(), text(&detail, "message"))
            }
            Decision::EnvironmentReplaced => {
                let blocks = detail.as_u64().unwrap_or_default();
                let why = format!(
                    "blocks of environment in the prompt that gave way to the newest: {blocks}"
                );
                (DEDUPER, "removed".to_owned(), why)
            }
            Decision::LoopDetected => {
                let action = text(&detail, "action");
                detail = detail["report"].take();
                let why = text(&detail, "message");
                (DETECTOR, action, why)
            }
            Decision::TerminalChosen => {
                let (action, why) = (text(&detail, "action"), text(&detail, "reason"));
                let length = text(&detail, "command").encode_utf16().count();
                if length > LONGEST_COMMAND {
                    detail["command"] = format!("[{length} characters]").into();
                }
                (SELECTOR, action, why)
            }
        };
        self.add(turn, machine, what, why, Some(detail));
    }

    /// Completes the open turn, and stores its summary if there is one.
    ///
    /// # Errors
    /// `wrong_order` if no turn is open, and those of the injector, after which the turn is still open.
    pub fn end_turn(
        &mut self,
        summaries: &mut SummaryInjector,
        summary: Option<&TurnSummary>,
    ) -> Result<(), Error> {
        self.open_prompt(summaries)?;
        if let Some(summary) = summary {
            summaries.store_summary(summary)?;
            if summaries.budget_fit() != BudgetFit::Whole {
                self.note_last_of(summaries);
            }
        }
        summaries.complete_turn()?;
        self.state.prompt = None;
        Ok(())
    }

    /// The newest 200 decisions, the oldest first. They are not part of a snapshot.
    pub fn log(&self) -> impl DoubleEndedIterator<Item = &SessionLogEntry> + ExactSizeIterator {
        self.log.iter()
    }

    /// Notes what the injector has logged last.
    fn note_last_of(&mut self, summaries: &SummaryInjector) {
        if let Some(entry) = summaries.log().last() {
            self.add(
                entry.turn,
                INJECTOR,
                entry.what.name().to_owned(),
                entry.why.to_owned(),
                None,
            );
        }
    }

    fn add(
        &mut self,
        turn: u64,
        machine: &'static str,
        what: String,
        why: String,
        detail: Option<Value>,
    ) {
        let entry = SessionLogEntry {
            turn,
            machine,
            what,
            why,
            detail,
        };
        newest::push(&mut self.log, entry, LOG_LENGTH);
    }
}

fn text(detail: &Value, field: &str) -> String {
    let text = detail.get(field).and_then(Value::as_str);
    text.unwrap_or_default().to_owned()
}
