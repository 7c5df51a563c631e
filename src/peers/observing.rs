//! From what happens to what the rules see: an event is counted for the prompt, decoded, and judged.

use serde_json::Value;

use crate::MACHINE;
use crate::compare;
use crate::detector::PeerDetector;
use crate::rules::{Answered, CallSeen, Event, ResultSeen};
use crate::settings::{AfterFiring, CompareResults};
use turnkeeper_base::error::{Error, ErrorCode};
use turnkeeper_loop_detector::call::{self, Call, Encoded, KeyOrder, encode_plain, encode_str};
use turnkeeper_loop_detector::host_report;
use turnkeeper_loop_detector::spending::Spending;
use turnkeeper_loop_detector::{AgentEvent, Channel, LoopVerdict};

/// A buffer that grew beyond this for one event is given back.
const KEPT_UNITS: usize = 64 * 1024;

impl PeerDetector {
    /// Takes the next event and answers with the verdict. O(1) for each UTF-16 code unit of text
    /// and each byte of arguments and results.
    ///
    /// # Errors
    /// `limit_exceeded` for a call with a text of 4 GiB or more; nothing is counted then.
    pub fn observe(&mut self, event: &AgentEvent) -> Result<&LoopVerdict, Error> {
        let mut encoded = std::mem::take(&mut self.encoded);
        let seen = match event {
            AgentEvent::Text { text } => {
                self.observe_str(Channel::Text, text);
                Some(())
            }
            AgentEvent::Reasoning { text } => {
                self.observe_str(Channel::Reasoning, text);
                Some(())
            }
            AgentEvent::ToolCall { id, name, args } => {
                call::encode(name, args.as_ref(), &mut encoded).map(|()| {
                    let length = encoded.len();
                    encode_str(id.as_deref().unwrap_or_default(), &mut encoded);
                    if let Some(Value::String(spelling)) = args
                        && compare::needs_spelling(self.settings.compare_arguments)
                    {
                        encode_str(spelling, &mut encoded);
                    }
                    let (call, rest) = encoded.split_at(length);
                    self.observe_encoded_call(call, KeyOrder::AsGiven, rest);
                })
            }
            AgentEvent::ToolResult {
                id,
                output,
                is_error,
                exit_code,
            } if self.needs_results => {
                encoded.clear();
                encode_str(id.as_deref().unwrap_or_default(), &mut encoded);
                encode_str(output, &mut encoded);
                encode_plain(&(*is_error == Some(true)).into(), &mut encoded);
                if let Some(exit_code) = exit_code {
                    encode_plain(&(*exit_code).into(), &mut encoded);
                }
                self.observe_encoded_result(&encoded);
                Some(())
            }
            AgentEvent::ToolResult { output, .. } => {
                self.observe_unread_result(output.encode_utf16().count());
                Some(())
            }
            AgentEvent::TurnStarted => {
                self.observe_turn();
                Some(())
            }
            AgentEvent::UserMessage => {
                self.observe_other(Event::UserMessage);
                Some(())
            }
            AgentEvent::Condensation => {
                self.observe_other(Event::Condensation);
                Some(())
            }
            AgentEvent::Retry => {
                self.observe_retry();
                Some(())
            }
            AgentEvent::LoopReported { by, detail } => {
                self.observe_loop_report(by.as_deref(), detail.as_deref());
                Some(())
            }
            AgentEvent::Finished => {
                self.observe_other(Event::Finished);
                Some(())
            }
            // Whatever else there may be is none of these agents' business.
            _ => {
                self.observe_other(Event::Other);
                Some(())
            }
        };
        self.encoded = encoded;
        match seen {
            Some(()) => Ok(&self.state.verdict),
            None => Err(Error::new(
                ErrorCode::LimitExceeded,
                MACHINE,
                "holds a text of 4 GiB or more",
            )
            .at("event")),
        }
    }

    /// A delta of prose or reasoning. What follows the unit that stops the model is not looked at, nor
    /// counted, unless the stop may end by itself.
    pub fn observe_str(&mut self, channel: Channel, delta: &str) -> &LoopVerdict {
        let mut units = std::mem::take(&mut self.units);
        units.clear();
        units.extend(delta.encode_utf16());
        self.observe_text(channel, &units);
        units.shrink_to(KEPT_UNITS);
        self.units = units;
        &self.state.verdict
    }

    /// The same as UTF-16 code units, which may begin or end inside a surrogate pair.
    pub fn observe_text(&mut self, channel: Channel, delta: &[u16]) -> &LoopVerdict {
        if self.is_watching() {
            self.state.spending.add(delta.len());
            if channel == Channel::Text && !delta.is_empty() {
                self.state.prompt.model_rests();
            }
            let told = self.told;
            self.judge(&Event::Text { channel, delta });
            if self.told != told && self.state.verdict.is_stop() {
                // The rest of the delta, after the stop, does not count, wherever the text is cut.
                self.state.spending = Spending::default();
            }
        }
        &self.state.verdict
    }

    /// A tool call in the encoding of [`call`], and after it its id, a string that may be empty, and
    /// the spelling of arguments that are a string, if that is needed. Anything else changes nothing.
    pub(crate) fn observe_encoded_call(
        &mut self,
        encoded: &[u8],
        key_order: KeyOrder,
        rest: &[u8],
    ) -> &LoopVerdict {
        if let Some(call) = Call::decode(encoded, key_order)
            && !self.is_latched()
        {
            self.take_call(&call, Encoded(rest));
        }
        &self.state.verdict
    }

    fn take_call(&mut self, call: &Call, rest: Encoded) {
        let index = self.state.prompt.calls;
        self.state.prompt.calls += 1;
        self.state.prompt.saw_arguments |= call.has_arguments();
        self.state.prompt.model_works();
        self.state.spending.add_call(call.encoded_length());
        if !call.name().is(&self.state.prompt.last_tool) {
            self.state.prompt.last_tool = call.tool();
        }
        if !self.is_enabled {
            return;
        }
        if self.settings.skip_scrolling && compare::scrolls(call) {
            return self.judge(&Event::Other);
        }
        let (id, spelling) = rest.split();
        let key = self.key_of(call, spelling);
        if self.needs_results {
            let tool = call.tool_fingerprint();
            self.state.unanswered.add(id, Answered { key, index, tool });
        }
        self.judge(&Event::Call(CallSeen {
            call,
            key,
            index,
            is_preview: self.state.prompt.is_preview,
        }));
        self.state.progress.call(index, key);
    }

    /// The key that a call is compared by, without the arguments that the host calls cosmetic.
    fn key_of(&self, call: &Call, spelling: Encoded) -> u64 {
        let compare = self.settings.compare_arguments;
        let without = self.cosmetic_arguments.without(call);
        let less = without.as_deref();
        match less.and_then(|bytes| Call::decode(bytes, call.key_order())) {
            Some(less) => compare::of_call(&less, compare, Encoded(&[])),
            None => compare::of_call(call, compare, spelling),
        }
    }

    /// A tool answered: the id of the call that it answers and the output, two strings of which the
    /// first may be empty, whether it is an error, true or false, and a command's exit code, if there
    /// is one.
    pub(crate) fn observe_encoded_result(&mut self, encoded: &[u8]) -> &LoopVerdict {
        let (id, rest) = Encoded(encoded).split();
        let (output, rest) = rest.split();
        let (is_error, exit_code) = rest.split();
        if !self.needs_results {
            return self.observe_unread_result(output.units().len());
        }
        if !self.count_result(output.units().len()) {
            return &self.state.verdict;
        }
        let answered = self.state.unanswered.take(id);
        self.state.prompt.saw_results |= answered.is_some();
        let call = answered.unwrap_or_default();
        let mut compared = exit_code;
        if !self.command_tools.contains(&call.tool) {
            compared = Encoded(&[]);
        }
        let key = compare::of_result(output, call, compared, self.settings.compare_results);
        self.judge(&Event::Result(ResultSeen {
            key,
            output,
            is_error: is_error.0 == b"t",
            exit_code,
            answered,
        }));
        if let Some(answered) = answered
            && self.settings.compare_results != CompareResults::None
        {
            self.state.progress.answer(answered.index, key, false);
        }
        &self.state.verdict
    }

    /// A tool's result of `units` UTF-16 code units, whose text no rule reads.
    pub(crate) fn observe_unread_result(&mut self, units: usize) -> &LoopVerdict {
        if self.count_result(units) {
            self.state.prompt.saw_results = true;
            self.judge(&Event::Result(ResultSeen::unread()));
        }
        &self.state.verdict
    }

    /// Counts a result of `units` UTF-16 code units; true if the rules are to judge it.
    fn count_result(&mut self, units: usize) -> bool {
        if self.is_latched() {
            return false;
        }
        self.state.prompt.model_works();
        if self.is_enabled {
            self.state.spending.add(units);
        } else {
            self.state.prompt.saw_results = true;
        }
        self.is_enabled
    }

    /// A turn began.
    pub(crate) fn observe_turn(&mut self) -> &LoopVerdict {
        if self.is_watching() {
            let limits = self.model_check;
            self.state.model_check.turn_started(limits.as_ref());
            self.judge(&Event::TurnStarted);
            self.begin_turn();
        }
        &self.state.verdict
    }

    /// The last turn is tried again. What it counted, from its `turn_started` on, is taken back; a
    /// second retry with no turn between goes back to the same place, and one before the first turn
    /// changes nothing.
    pub(crate) fn observe_retry(&mut self) -> &LoopVerdict {
        if self.is_watching() {
            self.take_turn_back();
        }
        &self.state.verdict
    }

    /// The host's own detector has found a loop: a stop.
    pub(crate) fn observe_loop_report(
        &mut self,
        by: Option<&str>,
        detail: Option<&str>,
    ) -> &LoopVerdict {
        if self.is_watching() {
            let last_call = self.state.prompt.calls.checked_sub(1);
            let detection = host_report::detection(by, detail, last_call);
            self.set_verdict(detection, None, false);
        }
        &self.state.verdict
    }

    /// Takes any event but text, a call, a result and the beginning of a turn.
    pub(crate) fn observe_other(&mut self, event: Event) -> &LoopVerdict {
        if self.is_watching() && !self.is_unheard(&event) {
            if matches!(event, Event::UserMessage) {
                self.state.prompt.model_rests();
            }
            self.judge(&event);
        }
        &self.state.verdict
    }

    /// Whether no rule looks at what happens between calls, and there is no verdict that this could end.
    fn is_unheard(&self, event: &Event) -> bool {
        let is_between = !matches!(event, Event::UserMessage);
        let is_deaf = !self.needs_results && !self.stop_may_end();
        is_between && is_deaf && self.state.verdict == LoopVerdict::Ok
    }

    /// Whether a `stop` may end with any event.
    pub(crate) fn stop_may_end(&self) -> bool {
        self.settings.after_firing != AfterFiring::Latched
    }
}
