//! The turns of a conversation: how one starts, what it learned, and how it ends.

use std::collections::VecDeque;

use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

use super::entry::Entry;
use super::fold::Folding;
use super::marking::{not_blank, trimmed};
use super::message::TurnMessage;
use super::sizes::Sizes;
use super::summary_request::RequestedSummary;
use super::turn_store::KeptTurn;
use super::{MACHINE, SummaryInjectorOptions};
use turnkeeper_base::error::{Error, ErrorCode};

/// What a turn begins with.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Turn {
    /// The user's goal. A turn without one keeps the goal of the turn before; a blank one says that it is
    /// done, and that there is no other.
    pub task: Option<String>,
    /// Whatever the host wants to find again in the [current turn](SummaryInjector::current_turn),
    /// perhaps in another process. No prompt contains it.
    pub workspace: Option<String>,
}

/// The result of starting a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct StartedTurn {
    /// The turn's number, from 1.
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    pub number: u64,
    /// Whether the previous turn was still open and was completed by this one, for a host's log.
    pub completed_previous: bool,
}

/// The turn that is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct CurrentTurn<'a> {
    /// Its number, from 1.
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    pub number: u64,
    /// The user's goal, which may come from an earlier turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task: Option<&'a str>,
    /// The workspace that was given to `startTurn`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub workspace: Option<&'a str>,
}

/// What a turn learned.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct TurnSummary {
    /// The number of the turn; the open turn if it is left out.
    #[serde(default)]
    pub turn: Option<u64>,
    /// What happened.
    pub summary: String,
    /// Short facts that later turns need.
    #[serde(default)]
    pub insights: Vec<String>,
}

/// Carries summaries from turn to turn. See the [module](super) for its promise.
///
/// Memory grows with the messages that are kept, which
/// [`max_messages`](SummaryInjectorOptions::max_messages) can limit, and with the summaries.
#[derive(Debug, Clone, Default)]
pub struct SummaryInjector {
    pub(super) options: SummaryInjectorOptions,
    /// The turns, the first one first.
    pub(super) turns: Vec<KeptTurn>,
    /// Whether the newest of them goes on.
    pub(super) is_open: bool,
    /// The user's goal as it was given, never blank; none after it is done.
    pub(super) task: Option<String>,
    /// The summaries of all turns that have one, in the order of the turns.
    pub(super) entries: Vec<Entry>,
    pub(super) sizes: Sizes,
    pub(super) folding: Folding,
    /// The messages that are kept, those of the first turn first.
    pub(super) messages: VecDeque<KeptMessage>,
    /// The hashes of their ids.
    pub(super) known_ids: FxHashSet<u64>,
    /// The request for a turn's summary that is not answered yet.
    pub(super) requested_summary: Option<RequestedSummary>,
    /// The host's own notes on the turns, the first one first; empty where there are none.
    pub(super) notes: Vec<String>,
}

/// A message and what the injector knows about it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct KeptMessage {
    pub(super) turn: u64,
    pub(super) message: TurnMessage,
    /// Whether it is the thinking of its turn, as a message.
    pub(super) is_thinking: bool,
    pub(super) recall: Recalled,
}

/// Whether a message is brought back.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Recalled {
    #[default]
    No,
    /// The next prompt of the action phase contains it.
    Queued,
    /// A prompt contained it. So does the next, until a request has succeeded.
    Sent,
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
        let completed_previous = self.is_open;
        self.end_open_turn();
        for kept in &mut self.messages {
            kept.recall = Recalled::No;
        }
        if let Some(task) = &turn.task {
            self.task = not_blank(task).map(str::to_owned);
        }
        self.turns.push(KeptTurn {
            task: turn.task,
            workspace: turn.workspace,
            ..KeptTurn::default()
        });
        self.is_open = true;
        StartedTurn {
            number: self.newest_turn(),
            completed_previous,
        }
    }

    /// The number of a turn that was named, or of the open one. An error names the field.
    pub(super) fn number_of(&mut self, turn: Option<u64>, field: &str) -> Result<u64, Error> {
        match turn {
            Some(turn) if (1..=self.newest_turn()).contains(&turn) => Ok(turn),
            Some(_) => {
                let error = Error::new(ErrorCode::UnknownId, MACHINE, "is the number of no turn");
                Err(error.at(field))
            }
            None => {
                self.open_turn()?;
                Ok(self.newest_turn())
            }
        }
    }

    /// The number of the newest turn; 0 before the first.
    pub(crate) fn newest_turn(&self) -> u64 {
        self.turns.len() as u64
    }

    /// Adds a message to the open turn. One with an id that is known is the same message, and takes its
    /// place.
    ///
    /// # Errors
    /// `wrong_order` if no turn is open, `invalid_argument` for a role that is not a name.
    pub fn add_message(&mut self, message: TurnMessage) -> Result<(), Error> {
        self.add_message_to(None, message)
    }

    /// The same for the turn with this number, or for the open one.
    ///
    /// # Errors
    /// Those of [`add_message`](Self::add_message), and `unknown_id` for a turn that never was.
    pub fn add_message_to(&mut self, turn: Option<u64>, message: TurnMessage) -> Result<(), Error> {
        let number = self.number_of(turn, "message.turn")?;
        if !message.has_valid_role() {
            let must = "must be a name of at most 64 bytes, without white space and brackets";
            let error = Error::new(ErrorCode::InvalidArgument, MACHINE, must);
            return Err(error.at("message.role"));
        }
        let Some(place) = self.place_of(&message) else {
            self.keep_message(number, message, false);
            return Ok(());
        };
        self.messages[place].message = message;
        if turn.is_some_and(|turn| turn != self.messages[place].turn)
            && let Some(mut moved) = self.messages.remove(place)
        {
            moved.turn = number;
            self.insert_message(moved);
        }
        Ok(())
    }

    /// Where the message with the same id is.
    fn place_of(&self, message: &TurnMessage) -> Option<usize> {
        let is_known = self.known_ids.contains(&message.id_hash()?);
        let mut messages = self.messages.iter();
        is_known.then(|| messages.position(|kept| kept.message.id == message.id))?
    }

    fn keep_message(&mut self, turn: u64, message: TurnMessage, is_thinking: bool) {
        self.known_ids.extend(message.id_hash());
        self.insert_message(KeptMessage {
            turn,
            message,
            is_thinking,
            recall: Recalled::No,
        });
        if let Some(limit) = self.options.max_messages
            && self.messages.len() as u64 > limit.get()
            && let Some(oldest) = self.messages.pop_front()
            && let Some(id) = oldest.message.id_hash()
        {
            self.known_ids.remove(&id);
        }
    }

    /// Puts a message after the others of its turn.
    fn insert_message(&mut self, kept: KeptMessage) {
        let place = self
            .messages
            .partition_point(|other| other.turn <= kept.turn);
        self.messages.insert(place, kept);
    }

    /// Ends the open turn, if there is one. Its rounds of thinking become a message of it.
    fn end_open_turn(&mut self) {
        if let Some(message) = self.thinking_as_message() {
            self.keep_message(self.newest_turn(), message, true);
        }
        self.is_open = false;
    }

    /// Adds a round of thinking to the open turn. A blank round is left out.
    ///
    /// # Errors
    /// `wrong_order` if no turn is open.
    pub fn add_thinking_round(&mut self, content: &str) -> Result<(), Error> {
        let open_turn = self.open_turn()?;
        if !trimmed(content).is_empty() {
            open_turn.rounds.push(content.to_owned());
        }
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
        let turn = self.number_of(summary.turn, "summary.turn")?;
        let entry = Entry::of_turn(turn, &summary.summary, &summary.insights);
        if entry.is_empty() {
            return Ok(());
        }
        let kept = &mut self.turns[turn as usize - 1];
        kept.summary = Some(summary.summary.clone());
        kept.insights.clone_from(&summary.insights);
        let found = self
            .entries
            .binary_search_by_key(&turn, |known| known.first_turn);
        let place = match found {
            Ok(place) => {
                self.entries[place] = entry;
                place
            }
            Err(place) => {
                self.entries.insert(place, entry);
                place
            }
        };
        self.sizes.update(&self.entries, place);
        self.keep_to_budget();
        Ok(())
    }

    /// Completes the open turn. Its rounds of thinking are kept with its messages, as a message of the
    /// system like [`thinking_message`](Self::thinking_message).
    ///
    /// # Errors
    /// `wrong_order` if no turn is open.
    pub fn complete_turn(&mut self) -> Result<(), Error> {
        self.open_turn()?;
        self.end_open_turn();
        Ok(())
    }

    /// The open turn.
    pub fn current_turn(&self) -> Option<CurrentTurn<'_>> {
        let turn = self.turns.last().filter(|_| self.is_open)?;
        Some(CurrentTurn {
            number: self.newest_turn(),
            task: self.task.as_deref(),
            workspace: turn.workspace.as_deref(),
        })
    }

    /// The turn that is open. An error says that none is.
    pub(super) fn open_turn(&mut self) -> Result<&mut KeptTurn, Error> {
        let error = || Error::new(ErrorCode::WrongOrder, MACHINE, "no turn is open; start one");
        let newest = self.turns.last_mut().filter(|_| self.is_open);
        newest.ok_or_else(error)
    }
}
