//! What happened in the conversation, as sequences in which a rule looks for repeats.
//!
//! The history is shown each event once; then each rule over it asks how often something has
//! repeated. Counts are kept instead of the events themselves, so a question costs the same however
//! long the conversation is. What the model has written so far counts as its message while the message
//! goes on.

mod message;
mod sequences;
mod settings;

use serde::{Deserialize, Serialize};

use self::message::Message;
pub(crate) use self::sequences::Sequence;
use self::sequences::Sequences;
use self::settings::HistorySettings;
use super::replacing_edits::replacing_edit;
use super::syntax_errors::syntax_error;
use super::{CallSeen, CallSummary, Event, MAX_COUNT, Restart, ResultSeen};
use crate::report::{Channel, EVIDENCE_UNITS};
use crate::settings::RuleSettings;
use turnkeeper_base::snapshot::Corrupt;
use turnkeeper_base::text::excerpt_units;
use turnkeeper_base::text::hash::mixed;
use turnkeeper_loop_detector::rules::period_tracker::Item;

/// The key that condensations are compared by. No result has it but by accident.
const CONDENSATION: u64 = 0x636f_6e64_656e_7365;

/// Follows the sequences that rules ask for.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct History {
    #[serde(skip)]
    settings: HistorySettings,
    sequences: Sequences,
    message: Message,
    /// UTF-16 code units of the prompt's prose so far.
    prose_length: u64,
    last_call_index: u64,
    /// What a report says of the last call, if that may be part of a loop.
    last_call: Option<CallSummary>,
    /// The first units of the last error.
    last_error: Vec<u16>,
    /// Whether the run of calls got longer with this event.
    #[serde(skip)]
    is_call_counted: bool,
}

impl History {
    pub(crate) fn new(options: &RuleSettings) -> Self {
        Self {
            settings: HistorySettings::new(options),
            ..Self::default()
        }
    }

    /// Follows a sequence for a rule that looks for this many rounds of periods up to `longest`.
    pub(crate) fn follow(&mut self, sequence: Sequence, longest: u64, rounds: u64) {
        self.sequences.follow(sequence, longest);
        self.settings.summarizes_every_call |= rounds == 1;
    }

    /// Whether results, turns, messages of the user and condensations make a difference.
    pub(crate) fn needs_results(&self) -> bool {
        let settings = &self.settings;
        self.looks_at_results()
            || (self.sequences.follows_calls()
                && (settings.user_message_breaks_run || settings.turn_breaks_run))
    }

    /// Whether results make a difference.
    pub(crate) fn looks_at_results(&self) -> bool {
        let sequences = &self.sequences;
        (sequences.follows_calls() && self.settings.calls_with_results)
            || sequences.follows_more_than_calls()
    }

    /// Takes the next event.
    pub(crate) fn observe(&mut self, event: &Event) {
        self.is_call_counted = false;
        match event {
            Event::Text {
                channel: Channel::Text,
                delta,
                ..
            } => {
                if self.settings.text_breaks_run {
                    self.sequences.clear_calls();
                }
                if self.sequences.follows(Sequence::Actions)
                    || self.sequences.follows(Sequence::Messages)
                {
                    self.message.write(delta, self.prose_length);
                    self.prose_length += delta.len() as u64;
                }
                return;
            }
            Event::Text { .. } => {
                if self.settings.reasoning_breaks_run {
                    self.sequences.clear_calls();
                }
                return;
            }
            Event::Other => return,
            // The text before a call, in the same turn, is the model's thought about it.
            Event::Call(_) => {}
            _ => self.end_message(),
        }
        match event {
            Event::Call(seen) => self.call(seen),
            Event::Result(seen) => self.result(seen),
            Event::Condensation => self.condensation(),
            Event::UserMessage => self.user_message(),
            Event::TurnStarted | Event::Finished if self.settings.turn_breaks_run => {
                self.sequences.clear_calls();
            }
            _ => {}
        }
    }

    /// How many whole rounds of `period` items are equal at the end of a sequence.
    pub(crate) fn rounds(&self, sequence: Sequence, period: u64) -> u64 {
        self.sequences
            .tracker(sequence)
            .covered(period, self.coming(sequence))
            / period
    }

    /// The message that is being written counts as the next action and message.
    fn coming(&self, sequence: Sequence) -> Option<u64> {
        let counts = matches!(sequence, Sequence::Actions | Sequence::Messages);
        (counts && self.message.has_words).then_some(self.message.hash)
    }

    /// The index of the call with which the last rounds of a sequence began.
    pub(crate) fn first_index(&self, sequence: Sequence, period: u64) -> u64 {
        self.sequences.tracker(sequence).first_index(period)
    }

    /// The index of the last call.
    pub(crate) fn last_call_index(&self) -> u64 {
        self.last_call_index
    }

    /// What a report says of the last call, if that may be part of a loop.
    pub(crate) fn last_call(&self) -> Option<&CallSummary> {
        self.last_call.as_ref()
    }

    /// The beginning of the last error.
    pub(crate) fn last_error(&self) -> String {
        excerpt_units(&self.last_error, EVIDENCE_UNITS)
    }

    /// Whether the run of calls got longer with this event.
    pub(crate) fn is_call_counted(&self) -> bool {
        self.is_call_counted
    }

    /// Whether the last action is a message, the one that is being written included.
    pub(crate) fn is_last_action_message(&self) -> bool {
        self.message.has_words || self.sequences.actions.back(1).call == 0
    }

    /// Where in the prompt's prose the last equal messages begin and end.
    pub(crate) fn equal_messages(&self) -> (u64, u64) {
        let is_first = self.message.has_words && self.rounds(Sequence::Messages, 1) == 1;
        let first = match is_first {
            true => self.message.first_index,
            false => self.message.first_equal_index,
        };
        (first, self.prose_length.saturating_sub(1))
    }

    /// The beginning of the last message.
    pub(crate) fn last_message(&self) -> String {
        excerpt_units(&self.message.start, EVIDENCE_UNITS)
    }

    fn call(&mut self, seen: &CallSeen) {
        let CallSeen { key, index, .. } = *seen;
        let needs_tool = !self.settings.other_tool_breaks_run
            || self.sequences.follows(Sequence::MonitoredCalls);
        let tool = match needs_tool {
            true => seen.call.tool_fingerprint(),
            false => 0,
        };
        self.last_call_index = index;
        if !self.settings.calls_with_results {
            self.count_call(
                tool,
                Item {
                    key,
                    call: key,
                    index,
                },
            );
        }
        if seen.is_preview && self.settings.monitored_tools.contains(&tool) {
            self.sequences.monitored_calls.push(Item {
                key: tool,
                call: tool,
                index,
            });
        } else {
            self.sequences.monitored_calls.clear();
        }
        // When its result comes, only a call that equals one of the last can be part of a loop.
        let may_repeat = self.settings.summarizes_every_call
            || (self.settings.calls_with_results && self.sequences.has_call(key))
            || self.sequences.actions.has_call(key);
        self.last_call = may_repeat.then(|| CallSummary::of(seen.call));
        self.sequences.actions.push(Item {
            key: self.action_key(seen),
            call: key,
            index,
        });
        self.sequences.condensations.separate();
        self.message.begin(self.prose_length);
    }

    /// What a call is compared by as an action, with the thought in front of it.
    fn action_key(&self, seen: &CallSeen) -> u64 {
        if let Some(edit) = replacing_edit(seen) {
            return edit;
        }
        match self.message.has_words {
            true => mixed(seen.key, self.message.hash),
            false => seen.key,
        }
    }

    fn count_call(&mut self, tool: u64, item: Item) {
        if !self.settings.other_tool_breaks_run {
            self.sequences.switch_tool(tool);
        }
        self.sequences.push_call(item);
        self.is_call_counted = self.sequences.follows(Sequence::Calls);
    }

    fn result(&mut self, seen: &ResultSeen) {
        if let Some(call) = seen.answered
            && self.settings.calls_with_results
        {
            let item = Item {
                key: mixed(call.key, seen.key),
                call: call.key,
                index: call.index,
            };
            self.count_call(call.tool, item);
        }
        let is_error = u64::from(seen.is_error);
        self.push_result(mixed(seen.key, is_error));
        self.sequences.condensations.separate();
        if seen.is_error {
            self.sequences.errors.push(without_call(is_error));
            self.last_error = seen.output.units().first(EVIDENCE_UNITS + 1);
        } else {
            self.sequences.errors.clear();
        }
        if self.sequences.follows(Sequence::SyntaxErrors) {
            match syntax_error(seen.output) {
                Some(key) => self.sequences.syntax_errors.push(without_call(key)),
                None => self.sequences.syntax_errors.clear(),
            }
        }
    }

    fn condensation(&mut self) {
        self.push_result(CONDENSATION);
        self.sequences
            .condensations
            .push(without_call(CONDENSATION));
        self.sequences.errors.clear();
        self.sequences.syntax_errors.clear();
    }

    /// A result, or what counts as one.
    fn push_result(&mut self, key: u64) {
        self.sequences.results.push(without_call(key));
        self.sequences.messages.separate();
    }

    fn user_message(&mut self) {
        if self.settings.user_message_breaks_run {
            self.sequences.clear_calls();
        }
        if !self.settings.headless {
            self.sequences.clear_actions_and_results();
        }
    }

    /// Whatever comes after prose ends the message.
    fn end_message(&mut self) {
        if self.message.has_words {
            if self.rounds(Sequence::Messages, 1) == 1 {
                self.message.first_equal_index = self.message.first_index;
            }
            let key = self.message.hash;
            self.sequences.actions.push(Item {
                key,
                call: 0,
                index: self.last_call_index,
            });
            self.sequences.messages.push(without_call(key));
            self.sequences.condensations.separate();
        }
        self.message.begin(self.prose_length);
    }

    /// Starts every count afresh. Indexes and offsets go on, unless a new prompt begins.
    pub(crate) fn restart(&mut self, restart: Restart) {
        self.sequences.clear_calls();
        self.sequences.clear_actions_and_results();
        if restart == Restart::NewPrompt {
            self.prose_length = 0;
            self.last_call_index = 0;
        }
        self.message.begin(self.prose_length);
    }

    /// Goes on from a history out of a snapshot.
    pub(crate) fn load(&mut self, saved: Self) -> Result<(), Corrupt> {
        saved.sequences.validate(&self.sequences)?;
        saved.message.validate()?;
        Corrupt::unless(saved.prose_length.max(saved.last_call_index) <= MAX_COUNT)?;
        Corrupt::unless(saved.last_error.len() <= EVIDENCE_UNITS + 1)?;
        let settings = std::mem::take(&mut self.settings);
        *self = Self { settings, ..saved };
        Ok(())
    }
}

/// An item that stands for no call.
fn without_call(key: u64) -> Item {
    Item {
        key,
        call: 0,
        index: 0,
    }
}
