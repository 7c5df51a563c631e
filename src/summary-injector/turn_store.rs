//! What was said and done in each turn, to be read, searched and carried elsewhere.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::marking::not_blank;
use super::recall::Keywords;
use super::{MACHINE, SummaryInjector, TurnMessage};
use turnkeeper_base::error::{Error, ErrorCode};
use turnkeeper_base::json;

/// A turn as it is kept, without its messages.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct KeptTurn {
    /// The goal, if this turn began with one; blank if it began without the one before.
    pub(super) task: Option<String>,
    pub(super) workspace: Option<String>,
    /// As they were added, none of them blank.
    pub(super) rounds: Vec<String>,
    pub(super) tool_calls: Vec<TurnToolCall>,
    pub(super) summary: Option<String>,
    pub(super) insights: Vec<String>,
}

/// A call of a tool, with its result perhaps.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TurnToolCall {
    /// The tool's name.
    pub name: String,
    /// The whole call as JSON.
    pub original: String,
}

impl TurnToolCall {
    /// Reads a call with a `name`; what else is in it is the host's.
    ///
    /// # Errors
    /// `invalid_argument`, naming the field, for a value that is no call.
    pub fn from_value(call: &Value) -> Result<Self, Error> {
        let name = call.get("name").and_then(Value::as_str).unwrap_or_default();
        if name.is_empty() {
            let error = Error::new(ErrorCode::InvalidArgument, MACHINE, "must be a tool's name");
            return Err(error.at("call.name"));
        }
        Ok(Self {
            name: name.to_owned(),
            original: json::written(call),
        })
    }
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

impl SummaryInjector {
    /// Adds a call of a tool to the open turn.
    ///
    /// # Errors
    /// `wrong_order` if no turn is open.
    pub fn add_tool_call(&mut self, call: TurnToolCall) -> Result<(), Error> {
        self.add_tool_call_to(None, call)
    }

    /// The same for the turn with this number, or for the open one.
    ///
    /// # Errors
    /// `wrong_order` if no turn is open and none is named, `unknown_id` for a turn that never was.
    pub fn add_tool_call_to(&mut self, turn: Option<u64>, call: TurnToolCall) -> Result<(), Error> {
        let turn = self.number_of(turn, "call.turn")? as usize;
        self.turns[turn - 1].tool_calls.push(call);
        Ok(())
    }

    /// Keeps the host's own notes with a turn, or with the open one, in place of those before: its status,
    /// its times, what it cost. They are a JSON object, and no prompt contains them.
    ///
    /// # Errors
    /// `wrong_order` if no turn is open and none is named, `unknown_id` for a turn that never was.
    pub fn set_notes(&mut self, notes: String, turn: Option<u64>) -> Result<(), Error> {
        let turn = self.number_of(turn, "turn")? as usize;
        if self.notes.len() < turn {
            self.notes.resize(turn, String::new());
        }
        self.notes[turn - 1] = notes;
        Ok(())
    }

    /// The turns from one number to another, both included; those that never were are left out.
    pub fn turns(&self, from: u64, to: u64) -> Vec<TurnRecord<'_>> {
        let mut records = Vec::new();
        let mut task = None;
        let mut messages = self.messages.iter().peekable();
        for (number, turn) in (1..).zip(&self.turns) {
            if let Some(own) = &turn.task {
                task = not_blank(own);
            }
            let mut own = Vec::new();
            while let Some(kept) = messages.next_if(|kept| kept.turn <= number) {
                if !kept.is_thinking {
                    own.push(&kept.message);
                }
            }
            let notes = self.notes.get(number as usize - 1);
            if (from..=to).contains(&number) {
                records.push(TurnRecord {
                    number,
                    is_open: self.is_open && number == self.newest_turn(),
                    task,
                    workspace: turn.workspace.as_deref(),
                    messages: own,
                    rounds: &turn.rounds,
                    tool_calls: &turn.tool_calls,
                    summary: turn.summary.as_deref(),
                    insights: &turn.insights,
                    notes: notes
                        .map(|notes| &**notes)
                        .filter(|notes| !notes.is_empty()),
                });
            }
        }
        records
    }

    /// The turns in which one of these words occurs: in the goal that they began with, their summary,
    /// insights, messages, thinking or calls of tools. Neither case nor white space at the ends of a
    /// word counts.
    pub fn search(&self, words: &[String]) -> Vec<TurnRecord<'_>> {
        let words = Keywords::new(words);
        let mut found = self.turns(1, self.newest_turn());
        found.retain(|record| {
            let turn = &self.turns[record.number as usize - 1];
            let own = [&turn.task, &turn.summary].into_iter().flatten();
            let lists = turn.insights.iter().chain(&turn.rounds);
            let messages = record.messages.iter().map(|message| &message.text);
            let calls = turn.tool_calls.iter().map(|call| &call.original);
            let mut texts = own.chain(lists).chain(messages).chain(calls);
            texts.any(|text| words.occur_in(text))
        });
        found
    }
}
