//! What happened in the conversation, as sequences in which a rule looks for repeats.
//!
//! The history is shown each event once; then each rule over it asks how often something has
//! repeated. Counts are kept instead of the events themselves, so a question costs the same however
//! long the conversation is. What the model has written so far counts as its message while the message
//! goes on.

use serde::{Deserialize, Serialize};

use super::call_summary::CallSummary;
use super::period_tracker::{Item, PeriodTracker};
use super::replacing_edits::replacing_edit;
use super::syntax_errors::syntax_error;
use super::{CallSeen, Event, MAX_COUNT, Restart, ResultSeen};
use crate::loop_detector::call::tool_fingerprints;
use crate::loop_detector::options::{CompareResults, LoopDetectorOptions, RunBreak};
use crate::loop_detector::profiles::MONITORED_TOOLS;
use crate::loop_detector::report::{Channel, EVIDENCE_UNITS};
use crate::snapshot::Corrupt;
use crate::text::excerpt_units;
use crate::text::hash::{UnitHash, mixed};
use crate::text::white_space::is_white;

/// The calls of at most this many tools are followed where each tool has a run of its own.
const MAX_TOOLS: usize = 256;
/// What condensations are compared by. No result has this key but by accident.
const CONDENSATION: u64 = 0x636f_6e64_656e_7365;

/// A kind of thing that happens again and again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sequence {
    /// Calls, together with their results where results are compared.
    Calls,
    /// Calls of monitored tools by a preview model, whatever the arguments.
    MonitoredCalls,
    /// Calls and messages of the model.
    Actions,
    /// Results and condensations.
    Results,
    /// Results that are errors, as long as no other comes.
    Errors,
    /// Results that end in a syntax error, as long as no other comes.
    SyntaxErrors,
    /// Messages of the model. One before a result is never equal to one after it.
    Messages,
    /// Condensations. One before anything else is never equal to one after it.
    Condensations,
}

/// What a host has set that concerns every rule over the history.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct HistorySettings {
    /// Whether a call counts when its result comes, as one with that.
    calls_with_results: bool,
    /// What breaks a run of calls. Unless another tool does, each tool has a run of its own.
    text_breaks_run: bool,
    reasoning_breaks_run: bool,
    turn_breaks_run: bool,
    user_message_breaks_run: bool,
    other_tool_breaks_run: bool,
    /// Whether a message of the user leaves actions and results as they are.
    headless: bool,
    /// By [`Call::tool_fingerprint`](crate::loop_detector::call::Call::tool_fingerprint).
    monitored_tools: Vec<u64>,
    /// Whether a rule may fire at the first call.
    summarizes_every_call: bool,
}

/// The calls of one tool.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
struct ToolCalls {
    tool: u64,
    calls: PeriodTracker,
}

/// The message that the model is writing, or the last one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Message {
    /// Of the message that is being written; nothing else of it is needed to compare it.
    hash: u64,
    /// Whether it is anything but white space, without which it is no message.
    has_words: bool,
    /// Where it begins in the prompt's prose, in UTF-16 code units.
    first_index: u64,
    /// Where the first of the last equal messages began.
    first_equal_index: u64,
    /// Its first units.
    start: Vec<u16>,
}

impl Default for Message {
    fn default() -> Self {
        Self {
            hash: UnitHash::EMPTY.0,
            has_words: false,
            first_index: 0,
            first_equal_index: 0,
            start: Vec::new(),
        }
    }
}

/// Follows the sequences that rules ask for.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct History {
    #[serde(skip)]
    settings: HistorySettings,
    calls: ToolCalls,
    /// Where each tool has a run of its own.
    calls_of_other_tools: Vec<ToolCalls>,
    monitored_calls: PeriodTracker,
    actions: PeriodTracker,
    results: PeriodTracker,
    errors: PeriodTracker,
    syntax_errors: PeriodTracker,
    messages: PeriodTracker,
    condensations: PeriodTracker,
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
    pub(crate) fn new(options: &LoopDetectorOptions) -> Self {
        let breaks_run = |by| match &options.breaks_run {
            Some(breaks) => breaks.contains(&by),
            None => by == RunBreak::OtherTool,
        };
        let settings = HistorySettings {
            calls_with_results: options.compare_results.unwrap_or_default() != CompareResults::None,
            text_breaks_run: breaks_run(RunBreak::Text),
            reasoning_breaks_run: breaks_run(RunBreak::Reasoning),
            turn_breaks_run: breaks_run(RunBreak::Turn),
            user_message_breaks_run: breaks_run(RunBreak::UserMessage),
            other_tool_breaks_run: breaks_run(RunBreak::OtherTool),
            headless: options.headless.unwrap_or(false),
            monitored_tools: tool_fingerprints(&options.monitored_tools, &MONITORED_TOOLS),
            summarizes_every_call: false,
        };
        Self {
            settings,
            ..Self::default()
        }
    }

    /// Follows a sequence for a rule that looks for this many rounds of periods up to `longest`.
    pub(crate) fn follow(&mut self, sequence: Sequence, longest: u64, rounds: u64) {
        self.tracker_mut(sequence).follow(longest);
        self.settings.summarizes_every_call |= rounds == 1;
    }

    fn follows(&self, sequence: Sequence) -> bool {
        self.tracker(sequence).longest() > 0
    }

    /// Whether results, turns, messages of the user and condensations make a difference.
    pub(crate) fn needs_results(&self) -> bool {
        let settings = &self.settings;
        self.looks_at_results()
            || (self.follows_calls()
                && (settings.user_message_breaks_run || settings.turn_breaks_run))
    }

    fn follows_calls(&self) -> bool {
        self.follows(Sequence::Calls) || self.follows(Sequence::MonitoredCalls)
    }

    /// Whether results make a difference.
    pub(crate) fn looks_at_results(&self) -> bool {
        use Sequence::{Actions, Condensations, Errors, Messages, Results, SyntaxErrors};
        let beyond_calls = [
            Actions,
            Results,
            Errors,
            SyntaxErrors,
            Messages,
            Condensations,
        ];
        (self.follows_calls() && self.settings.calls_with_results)
            || beyond_calls
                .into_iter()
                .any(|sequence| self.follows(sequence))
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
                    self.clear_calls();
                }
                if self.follows(Sequence::Actions) || self.follows(Sequence::Messages) {
                    self.write(delta);
                }
                return;
            }
            Event::Text { .. } => {
                if self.settings.reasoning_breaks_run {
                    self.clear_calls();
                }
                return;
            }
            Event::Other => return,
            // What the model says in front of a call, in the same turn, is its thought about it.
            Event::Call(_) => {}
            _ => self.end_message(),
        }
        match event {
            Event::Call(seen) => self.call(seen),
            Event::Result(seen) => self.result(seen),
            Event::Condensation => self.condensation(),
            Event::UserMessage => self.user_message(),
            Event::TurnStarted | Event::Finished if self.settings.turn_breaks_run => {
                self.clear_calls();
            }
            _ => {}
        }
    }

    /// How many whole rounds of `period` items are equal at the end of a sequence.
    pub(crate) fn rounds(&self, sequence: Sequence, period: u64) -> u64 {
        self.tracker(sequence)
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
        self.tracker(sequence).first_index(period)
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
        self.message.has_words || self.actions.back(1).call == 0
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
        let needs_tool =
            !self.settings.other_tool_breaks_run || self.follows(Sequence::MonitoredCalls);
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
            self.monitored_calls.push(Item {
                key: tool,
                call: tool,
                index,
            });
        } else {
            self.monitored_calls.clear();
        }
        // When its result comes, only a call that equals one of the last can be part of a loop.
        let may_repeat = self.settings.summarizes_every_call
            || (self.settings.calls_with_results && self.calls.calls.has_call(key))
            || self.actions.has_call(key);
        self.last_call = may_repeat.then(|| CallSummary::of(seen.call));
        self.actions.push(Item {
            key: self.action_key(seen),
            call: key,
            index,
        });
        self.condensations.separate();
        self.begin_message();
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
        if self.calls.tool != tool && !self.settings.other_tool_breaks_run {
            self.switch_tool(tool);
        }
        self.calls.calls.push(item);
        self.is_call_counted = self.follows(Sequence::Calls);
    }

    /// Goes on with the calls of another tool, where each tool has a run of its own.
    fn switch_tool(&mut self, tool: u64) {
        let others = &mut self.calls_of_other_tools;
        let place = match others.iter().position(|other| other.tool == tool) {
            Some(place) => place,
            None => {
                if others.len() == MAX_TOOLS {
                    others.clear();
                }
                others.push(ToolCalls {
                    tool,
                    calls: PeriodTracker::new(self.calls.calls.longest()),
                });
                others.len() - 1
            }
        };
        std::mem::swap(&mut self.calls, &mut others[place]);
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
        self.condensations.separate();
        if seen.is_error {
            self.errors.push(without_call(is_error));
            self.last_error = seen.output.units().first(EVIDENCE_UNITS + 1);
        } else {
            self.errors.clear();
        }
        if self.follows(Sequence::SyntaxErrors) {
            match syntax_error(seen.output) {
                Some(key) => self.syntax_errors.push(without_call(key)),
                None => self.syntax_errors.clear(),
            }
        }
    }

    fn condensation(&mut self) {
        self.push_result(CONDENSATION);
        self.condensations.push(without_call(CONDENSATION));
        self.errors.clear();
        self.syntax_errors.clear();
    }

    /// A result, or what counts as one.
    fn push_result(&mut self, key: u64) {
        self.results.push(without_call(key));
        self.messages.separate();
    }

    fn user_message(&mut self) {
        if self.settings.user_message_breaks_run {
            self.clear_calls();
        }
        if !self.settings.headless {
            self.clear_actions_and_results();
        }
    }

    /// The model writes.
    fn write(&mut self, delta: &[u16]) {
        let message = &mut self.message;
        if message.first_index == self.prose_length {
            message.start.clear();
        }
        let mut hash = UnitHash(message.hash);
        for unit in delta {
            hash.push(*unit);
            message.has_words |= !is_white(*unit);
            if message.start.len() <= EVIDENCE_UNITS {
                message.start.push(*unit);
            }
        }
        message.hash = hash.0;
        self.prose_length += delta.len() as u64;
    }

    /// Whatever comes after prose ends the message.
    fn end_message(&mut self) {
        if self.message.has_words {
            if self.rounds(Sequence::Messages, 1) == 1 {
                self.message.first_equal_index = self.message.first_index;
            }
            let key = self.message.hash;
            self.actions.push(Item {
                key,
                call: 0,
                index: self.last_call_index,
            });
            self.messages.push(without_call(key));
            self.condensations.separate();
        }
        self.begin_message();
    }

    fn begin_message(&mut self) {
        self.message.hash = UnitHash::EMPTY.0;
        self.message.has_words = false;
        self.message.first_index = self.prose_length;
    }

    /// Starts every count afresh. Indexes and offsets go on, unless a new prompt begins.
    pub(crate) fn restart(&mut self, restart: Restart) {
        self.clear_calls();
        self.clear_actions_and_results();
        if restart == Restart::NewPrompt {
            self.prose_length = 0;
            self.last_call_index = 0;
        }
        self.begin_message();
    }

    fn clear_calls(&mut self) {
        self.calls.calls.clear();
        self.calls_of_other_tools.clear();
        self.monitored_calls.clear();
    }

    fn clear_actions_and_results(&mut self) {
        self.actions.clear();
        self.results.clear();
        self.errors.clear();
        self.syntax_errors.clear();
        self.messages.clear();
        self.condensations.clear();
    }

    fn tracker(&self, sequence: Sequence) -> &PeriodTracker {
        match sequence {
            Sequence::Calls => &self.calls.calls,
            Sequence::MonitoredCalls => &self.monitored_calls,
            Sequence::Actions => &self.actions,
            Sequence::Results => &self.results,
            Sequence::Errors => &self.errors,
            Sequence::SyntaxErrors => &self.syntax_errors,
            Sequence::Messages => &self.messages,
            Sequence::Condensations => &self.condensations,
        }
    }

    fn tracker_mut(&mut self, sequence: Sequence) -> &mut PeriodTracker {
        match sequence {
            Sequence::Calls => &mut self.calls.calls,
            Sequence::MonitoredCalls => &mut self.monitored_calls,
            Sequence::Actions => &mut self.actions,
            Sequence::Results => &mut self.results,
            Sequence::Errors => &mut self.errors,
            Sequence::SyntaxErrors => &mut self.syntax_errors,
            Sequence::Messages => &mut self.messages,
            Sequence::Condensations => &mut self.condensations,
        }
    }

    /// Goes on from a history out of a snapshot.
    pub(crate) fn load(&mut self, saved: Self) -> Result<(), Corrupt> {
        use Sequence::{
            Actions, Calls, Condensations, Errors, Messages, MonitoredCalls, Results, SyntaxErrors,
        };
        for sequence in [
            Calls,
            MonitoredCalls,
            Actions,
            Results,
            Errors,
            SyntaxErrors,
            Messages,
            Condensations,
        ] {
            let longest = self.tracker(sequence).longest();
            saved.tracker(sequence).validate(longest)?;
        }
        Corrupt::unless(saved.calls_of_other_tools.len() <= MAX_TOOLS)?;
        for other in &saved.calls_of_other_tools {
            other.calls.validate(self.calls.calls.longest())?;
        }
        let message = &saved.message;
        for count in [
            saved.prose_length,
            saved.last_call_index,
            message.first_index,
            message.first_equal_index,
        ] {
            Corrupt::unless(count <= MAX_COUNT)?;
        }
        Corrupt::unless(message.start.len() <= EVIDENCE_UNITS + 1)?;
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
