//! What does the model carry from earlier turns?
//!
//! A [`SummaryInjector`] carries what earlier turns learned into the prompts of the next, in both
//! phases of a turn, thinking and action, and keeps the user's goal in front of the model. It calls
//! no model: the host does, and tells what came of it. Its promise:
//!
//! - the texts of a prompt are the same for the same turns, to the character;
//! - a turn's summary is added behind those before it, so that a provider's prompt cache keeps
//!   working, until [a budget](SummaryInjectorOptions::max_tokens) is reached;
//! - no summary, insight, round of thinking or task can forge a section or an entry;
//! - what was said in a turn can be recalled, whatever became of its summary.
//!
//! A host calls [`start_turn`](SummaryInjector::start_turn), adds messages and rounds of thinking,
//! builds a prompt for each phase, and in the end calls
//! [`store_summary`](SummaryInjector::store_summary) and
//! [`complete_turn`](SummaryInjector::complete_turn). If it has set a budget, it asks
//! [`take_fold_request`](SummaryInjector::take_fold_request) after each summary.
//!
//! ```
//! use turnkeeper_core::summary_injector::{SummaryInjector, SummaryInjectorOptions, Turn};
//!
//! let mut injector = SummaryInjector::new(SummaryInjectorOptions::default())?;
//! injector.start_turn(Turn { task: Some("Fix the build.".to_owned()), workspace: None });
//! injector.store_summary(None, "The linker fails.", &["libfoo is missing".to_owned()])?;
//! injector.complete_turn()?;
//! assert_eq!(injector.start_turn(Turn::default()).number, 2);
//! assert_eq!(
//!     injector.action_context("src/"),
//!     "=== TASK CONTEXT ===\n\
//!      User's Goal: Fix the build.\n\n\
//!      === ACCUMULATED MEMORY SUMMARIES ===\n\
//!      [Turn 1] The linker fails.\n\
//!      Insights: libfoo is missing\n\n\
//!      === CURRENT WORKSPACE CONTEXT ===\n\
//!      src/"
//! );
//! # Ok::<(), turnkeeper_core::Error>(())
//! ```

mod content;
mod context;
mod entry;
mod fold;
mod marking;
mod message;
mod options;
mod recall;
mod snapshot;
mod tools;

#[cfg(target_family = "wasm")]
pub(crate) use self::context::Frame;
pub use self::context::{PromptParts, PromptPhase, TurnPrompt};
pub use self::fold::FoldRequest;
pub use self::message::Message;
pub use self::options::SummaryInjectorOptions;
pub use self::recall::Recall;
pub use self::tools::THINKING_TOOLS;

use self::context::push_section;
use self::entry::Entry;
use self::fold::Folding;
use self::marking::marked;

use crate::error::{Error, ErrorCode};
use crate::setting::Setting;
use crate::text::{push, push_number, trimmed};

pub(crate) const MACHINE: &str = "summary_injector";

/// What a turn begins with.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Turn {
    /// The user's goal. A turn without one has that of the turn before.
    pub task: Option<String>,
    /// Whatever the host wants to know of the turn's workspace when it asks for the
    /// [current turn](SummaryInjector::current_turn), in another process perhaps. It is in no
    /// prompt.
    pub workspace: Option<String>,
}

/// What became of the start of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StartedTurn {
    /// The turn's number, from 1.
    pub number: u64,
    /// Whether the turn before was open, and is completed by it, for a host's log.
    pub completes: bool,
}

/// The turn that is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct CurrentTurn<'a> {
    /// Its number, from 1.
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    pub number: u64,
    /// The user's goal, inherited perhaps.
    pub task: Option<&'a str>,
    /// As it was given to `startTurn`.
    pub workspace: Option<&'a str>,
}

/// Carries summaries from turn to turn. See the [module](self) for its promise.
///
/// Memory grows with the messages that are kept, of which
/// [`max_messages`](SummaryInjectorOptions::max_messages) can be the limit, and with the summaries.
#[derive(Debug, Clone, Default)]
pub struct SummaryInjector {
    options: SummaryInjectorOptions,
    /// The number of the newest turn.
    newest: u64,
    /// As it was given.
    task: String,
    open: Option<Open>,
    /// The turns that have a summary, in their order.
    entries: Vec<Entry>,
    folding: Folding,
    /// In their order.
    messages: Vec<Kept>,
}

/// A message, and what became of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Kept {
    turn: u64,
    pub(crate) message: Message,
    /// Whether it is for the next prompt of the action phase.
    is_recalled: bool,
}

/// What belongs to the open turn alone.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Open {
    workspace: Option<String>,
    /// As they stand in a prompt, and how many there are.
    rounds: String,
    count: u64,
}

impl SummaryInjector {
    /// An injector for a new conversation.
    ///
    /// # Errors
    /// `invalid_config`, naming the option that is out of range.
    pub fn new(options: SummaryInjectorOptions) -> Result<Self, Error> {
        if let Some(name) = options.wrong() {
            let message = "must be an integer of at least 1";
            return Err(Error::new(ErrorCode::InvalidConfig, MACHINE, message).at(name));
        }
        let injector = Self {
            options,
            ..Self::default()
        };
        Ok(injector)
    }

    /// Sets the options of an injector that is new.
    pub(crate) fn set(&mut self, options: &Setting) -> Result<(), Error> {
        self.options.set(options)
    }

    /// Starts a turn. One that is open is completed. A task of white space is none.
    pub fn start_turn(&mut self, turn: Turn) -> StartedTurn {
        let completes = self.open.is_some();
        if let Some(task) = turn.task
            && !trimmed(&task).is_empty()
        {
            self.task = task;
        }
        self.newest += 1;
        self.open = Some(Open {
            workspace: turn.workspace,
            ..Open::default()
        });
        StartedTurn {
            number: self.newest,
            completes,
        }
    }

    /// Adds a message to the open turn.
    ///
    /// # Errors
    /// `wrong_order` if no turn is open, `invalid_argument` for a role that is no name.
    pub fn add_message(&mut self, message: Message) -> Result<(), Error> {
        self.open_turn()?;
        if !message.has_role() {
            let must = "must be a name of at most 64 bytes, without white space and brackets";
            let error = Error::new(ErrorCode::InvalidArgument, MACHINE, must);
            return Err(error.at("message.role"));
        }
        self.messages.push(Kept {
            turn: self.newest,
            message,
            is_recalled: false,
        });
        let limit = self.options.max_messages.unwrap_or(u64::MAX);
        if self.messages.len() as u64 > limit {
            self.messages.remove(0);
        }
        Ok(())
    }

    /// Adds a round of thinking to the open turn; one of white space says nothing and is left out.
    ///
    /// # Errors
    /// `wrong_order` if no turn is open.
    pub fn add_thinking_round(&mut self, content: &str) -> Result<(), Error> {
        let open = self.open_turn()?;
        let round = marked(content);
        if !round.is_empty() {
            open.count += 1;
            push_section(&mut open.rounds, "Round ");
            push_number(&mut open.rounds, open.count);
            push(&mut open.rounds, ": ");
            push(&mut open.rounds, &round);
        }
        Ok(())
    }

    /// Stores the summary of the open turn, or of the turn with that number, in the place of one
    /// that it has. What holds nothing but white space is not stored. That of a turn that is folded
    /// is kept for [`recall`](Self::recall), and the fold stands.
    ///
    /// Costs time proportional to its length and to the number of summaries.
    ///
    /// # Errors
    /// `wrong_order` if no turn is open and none is named, `unknown_id` for a turn that never was.
    pub fn store_summary(
        &mut self,
        turn: Option<u64>,
        summary: &str,
        insights: &[String],
    ) -> Result<(), Error> {
        let turn = match turn {
            Some(turn) if (1..=self.newest).contains(&turn) => turn,
            Some(_) => {
                let error = Error::new(ErrorCode::UnknownId, MACHINE, "is the number of no turn");
                return Err(error.at("summary.turn"));
            }
            None => {
                self.open_turn()?;
                self.newest
            }
        };
        let entry = Entry::new(turn, turn, summary, insights);
        if entry.is_empty() {
            return Ok(());
        }
        let place = self.place(turn);
        match self.entries.get_mut(place) {
            Some(known) if known.from == turn => *known = entry,
            _ => self.entries.insert(place, entry),
        }
        self.settle();
        Ok(())
    }

    /// Completes the open turn. Its rounds of thinking are forgotten; its messages stay.
    ///
    /// # Errors
    /// `wrong_order` if no turn is open.
    pub fn complete_turn(&mut self) -> Result<(), Error> {
        self.open_turn()?;
        self.open = None;
        Ok(())
    }

    /// The open turn.
    pub fn current_turn(&self) -> Option<CurrentTurn<'_>> {
        let open = self.open.as_ref()?;
        Some(CurrentTurn {
            number: self.newest,
            task: (!self.task.is_empty()).then_some(self.task.as_str()),
            workspace: open.workspace.as_deref(),
        })
    }

    /// The messages that are kept, oldest first.
    pub(crate) fn messages(&self) -> &[Kept] {
        &self.messages
    }

    /// Where the summary of a turn is, or would be.
    fn place(&self, turn: u64) -> usize {
        self.entries.partition_point(|entry| entry.from < turn)
    }

    fn open_turn(&mut self) -> Result<&mut Open, Error> {
        let error = || Error::new(ErrorCode::WrongOrder, MACHINE, "no turn is open");
        self.open.as_mut().ok_or_else(error)
    }
}
