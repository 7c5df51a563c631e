//! The turns of a conversation: how each begins, what was said and done in it, and how it ends.

use serde::{Deserialize, Serialize};

use super::marking::{marked, not_blank};
use super::messages::Messages;
use super::prompt::BLANK_LINE;
use super::recall::Keywords;
use super::{MACHINE, TurnMessage};
use turnkeeper_base::error::{Error, ErrorCode};

/// The host's part of the start of a turn.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Turn {
    /// The user's goal. A turn without one keeps the goal of the turn before; a blank one says that it is
    /// done, and that there is no other.
    pub task: Option<String>,
    /// A text that the host wants to find again in the
    /// [current turn](super::SummaryInjector::current_turn), perhaps in another process. No prompt
    /// contains it.
    pub workspace: Option<String>,
}

/// The result of starting a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StartedTurn {
    /// The turn's number, from 1.
    pub number: u64,
    /// Whether the previous turn was still open and was completed by this one, for a host's log.
    pub completed_previous: bool,
}

/// The turn that is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct CurrentTurn<'a> {
    /// Its number, from 1.
    pub number: u64,
    /// The user's goal, which may come from an earlier turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task: Option<&'a str>,
    /// The workspace that was given to `startTurn`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub workspace: Option<&'a str>,
}

/// A summary of a turn, and what it learned.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct TurnSummary {
    /// The number of the turn; the open turn if it is left out.
    #[serde(default)]
    pub turn: Option<u64>,
    /// The events of the turn, in short.
    pub summary: String,
    /// Short facts that later turns need.
    #[serde(default)]
    pub insights: Vec<String>,
}

/// A call of a tool, with its result perhaps.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TurnToolCall {
    /// The tool's name, never empty.
    pub name: String,
    /// The whole call as JSON, with whatever else in it is the host's.
    pub original: String,
}

/// A turn with all that was said and done in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TurnRecord<'a> {
    /// Its number, from 1.
    pub number: u64,
    /// Whether it goes on.
    pub is_open: bool,
    /// The user's goal, which may come from an earlier turn.
    pub task: Option<&'a str>,
    /// The workspace that the turn was started with.
    pub workspace: Option<&'a str>,
    /// The messages that are kept, as they were added.
    pub messages: Vec<&'a TurnMessage>,
    /// The rounds of thinking, as they were added.
    pub rounds: &'a [String],
    /// The calls of tools, in their order.
    pub tool_calls: &'a [TurnToolCall],
    /// The summary, as it was stored.
    pub summary: Option<&'a str>,
    /// The insights, as they were stored.
    pub insights: &'a [String],
    /// The host's own notes, a JSON object.
    pub notes: Option<&'a str>,
}

/// The turns, of which the newest may be open.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Turns {
    /// The first one first.
    pub(super) kept: Vec<KeptTurn>,
    pub(super) is_open: bool,
}

/// A turn as it is kept, without its messages.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct KeptTurn {
    /// The goal, if this turn began with one; blank if it began without the one before.
    task: Option<String>,
    workspace: Option<String>,
    /// The rounds as they were added, none of them blank.
    rounds: Vec<String>,
    pub(super) tool_calls: Vec<TurnToolCall>,
    pub(super) summary: Option<String>,
    pub(super) insights: Vec<String>,
    /// The host's own, a JSON object.
    pub(super) notes: Option<String>,
}

impl Turns {
    /// The number of the newest turn; 0 before the first.
    pub(super) fn newest(&self) -> u64 {
        self.kept.len() as u64
    }

    pub(super) fn start(&mut self, turn: Turn) {
        self.kept.push(KeptTurn {
            task: turn.task,
            workspace: turn.workspace,
            ..KeptTurn::default()
        });
        self.is_open = true;
    }

    /// The open turn. An error says that none is.
    pub(super) fn open(&mut self) -> Result<&mut KeptTurn, Error> {
        let error = || Error::new(ErrorCode::WrongOrder, MACHINE, "no turn is open; start one");
        let newest = self.kept.last_mut().filter(|_| self.is_open);
        newest.ok_or_else(error)
    }

    /// The turn with this number, or else the open one, with its number. An error names the field.
    pub(super) fn find(
        &mut self,
        number: Option<u64>,
        field: &str,
    ) -> Result<(u64, &mut KeptTurn), Error> {
        let newest = self.newest();
        let Some(number) = number else {
            return self.open().map(|turn| (newest, turn));
        };
        let found = number.checked_sub(1);
        let found = found.and_then(|place| self.kept.get_mut(place as usize));
        found.map(|turn| (number, turn)).ok_or_else(|| {
            let error = Error::new(ErrorCode::UnknownId, MACHINE, "is the number of no turn");
            error.at(field)
        })
    }

    /// The user's goal, which the newest turn may have from an earlier one; none after it is done.
    pub(super) fn task(&self) -> Option<&str> {
        let given = self.kept.iter().rev().find_map(|turn| turn.task.as_deref());
        given.and_then(not_blank)
    }

    pub(super) fn current(&self) -> Option<CurrentTurn<'_>> {
        let turn = self.kept.last().filter(|_| self.is_open)?;
        Some(CurrentTurn {
            number: self.newest(),
            task: self.task(),
            workspace: turn.workspace.as_deref(),
        })
    }

    /// The rounds of thinking of the open turn, `Round 1: …` and so on; nothing if there are none.
    pub(super) fn thinking(&self) -> Option<String> {
        let rounds = &self.kept.last().filter(|_| self.is_open)?.rounds;
        let rounds = (1..).zip(rounds);
        let rounds: Vec<String> = rounds
            .map(|(number, round)| format!("Round {number}: {}", marked(round)))
            .collect();
        (!rounds.is_empty()).then(|| rounds.join(BLANK_LINE))
    }

    /// The turns from one number to another, both included, with their messages.
    pub(super) fn records<'a>(
        &'a self,
        (from, to): (u64, u64),
        messages: &'a Messages,
    ) -> Vec<TurnRecord<'a>> {
        let mut records = Vec::new();
        let mut task = None;
        let mut messages = messages.kept.iter().peekable();
        for (number, turn) in (1..).zip(&self.kept) {
            if let Some(own) = &turn.task {
                task = not_blank(own);
            }
            let mut own = Vec::new();
            while let Some(kept) = messages.next_if(|kept| kept.turn <= number) {
                if !kept.is_thinking {
                    own.push(&kept.message);
                }
            }
            if (from..=to).contains(&number) {
                records.push(TurnRecord {
                    number,
                    is_open: self.is_open && number == self.newest(),
                    task,
                    workspace: turn.workspace.as_deref(),
                    messages: own,
                    rounds: &turn.rounds,
                    tool_calls: &turn.tool_calls,
                    summary: turn.summary.as_deref(),
                    insights: &turn.insights,
                    notes: turn.notes.as_deref(),
                });
            }
        }
        records
    }

    /// Whether a turn began with one of these words in its goal, or has it in what its record says.
    pub(super) fn says(&self, record: &TurnRecord, words: &Keywords) -> bool {
        let turn = &self.kept[record.number as usize - 1];
        let own = [&turn.task, &turn.summary].into_iter().flatten();
        let lists = turn.insights.iter().chain(&turn.rounds);
        let messages = record.messages.iter().map(|message| &message.text);
        let calls = turn.tool_calls.iter().map(|call| &call.original);
        let mut texts = own.chain(lists).chain(messages).chain(calls);
        texts.any(|text| words.occur_in(text))
    }

    /// Whether turns that were saved can have been.
    pub(super) fn are_valid(&self) -> bool {
        !self.is_open || !self.kept.is_empty()
    }
}

impl KeptTurn {
    /// Adds a round of thinking, unless it is blank.
    pub(super) fn add_round(&mut self, content: &str) {
        self.rounds.extend(not_blank(content).map(str::to_owned));
    }
}
