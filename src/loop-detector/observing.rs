//! From what happens to what the rules see: an event is counted for the prompt, decoded, and judged.

use std::borrow::Cow;

use super::call::{self, Call, Encoded, KeyOrder, encode_plain, encode_str};
use super::detecting::DetectorOptions;
use super::detector::Detector;
use super::event::AgentEvent;
use super::progress::Newest;
use super::report::{Channel, LoopVerdict};
use super::rules::{Answered, CallSeen, Event, RESULT_END_UNITS, ResultSeen};
use super::spending::Spending;
use super::{MACHINE, host_report};
use turnkeeper_base::error::{Error, ErrorCode};
use turnkeeper_base::json::Json;
use turnkeeper_base::text::{Size, push_units_of};

/// A buffer that grew beyond this for one event is given back.
const KEPT_UNITS: usize = 64 * 1024;
const KEPT_BYTES: usize = 2 * KEPT_UNITS;

/// A result as far as rules read it, and the number of units that it lacks then in its middle.
fn without_middle(output: &str) -> (Cow<'_, str>, usize) {
    // A unit takes three bytes at most.
    const END: usize = 3 * RESULT_END_UNITS;
    if output.len() <= 3 * END {
        return (output.into(), 0);
    }
    let is_boundary = |at: &usize| output.is_char_boundary(*at);
    let begin = (END..).find(is_boundary).unwrap_or_default();
    let end = (begin..=output.len() - END).rfind(is_boundary);
    let (rest, end) = output.split_at(end.unwrap_or(begin));
    let (begin, middle) = rest.split_at(begin);
    let left_out = Size::of_text(middle).units as usize;
    ([begin, end].concat().into(), left_out)
}

impl<O: DetectorOptions> Detector<O> {
    /// Takes the next event and answers with the verdict. O(1) for each UTF-16 code unit of text
    /// and each byte of arguments and results.
    ///
    /// # Errors
    /// `limit_exceeded` for a call with a text of 4 GiB or more; nothing is counted then.
    pub fn observe(
        &mut self,
        event: &AgentEvent,
    ) -> Result<&LoopVerdict<O::Rule, O::Profile>, Error> {
        match event {
            AgentEvent::Text { text } => self.observe_str(Channel::Text, text),
            AgentEvent::Reasoning { text } => self.observe_str(Channel::Reasoning, text),
            AgentEvent::ToolCall {
                id,
                name,
                args,
                key,
            } => {
                let args = args.as_ref().map(call::borrowed);
                return self.observe_call(id.as_deref(), name, args.as_ref(), key.as_deref());
            }
            AgentEvent::ToolResult {
                id,
                output,
                is_error,
                exit_code,
            } => self.observe_result(id.as_deref(), output, *is_error == Some(true), *exit_code),
            AgentEvent::TurnStarted => self.observe_turn(),
            AgentEvent::UserMessage => self.observe_other(Event::UserMessage),
            AgentEvent::Condensation => self.observe_other(Event::Condensation),
            AgentEvent::Retry => self.observe_retry(),
            AgentEvent::LoopReported { by, detail } => {
                self.observe_loop_report(by.as_deref(), detail.as_deref())
            }
            AgentEvent::Finished => self.observe_other(Event::Finished),
            AgentEvent::Other => self.observe_other(Event::Other),
        };
        Ok(&self.state.verdict)
    }

    /// A tool call whose texts belong to the caller: its id, if the format has any, the tool's name, its arguments, any
    /// value or the same as a JSON string, and what identifies it to its tool, if that is known.
    ///
    /// # Errors
    /// `limit_exceeded` for a text of 4 GiB or more; nothing is counted then.
    pub fn observe_call(
        &mut self,
        id: Option<&str>,
        name: &str,
        args: Option<&Json>,
        key: Option<&str>,
    ) -> Result<&LoopVerdict<O::Rule, O::Profile>, Error> {
        let mut encoded = std::mem::take(&mut self.encoded);
        let is_encoded = call::encode(name, key, args, &mut encoded).is_some();
        if is_encoded {
            let length = encoded.len();
            encode_str(id.unwrap_or_default(), &mut encoded);
            if let Some(Json::Text(spelling)) = args
                && self.state.rules.needs_spelling()
            {
                encode_str(spelling, &mut encoded);
            }
            let (call, rest) = encoded.split_at(length);
            self.observe_encoded_call(call, KeyOrder::AsGiven, rest);
        }
        self.encoded = encoded;
        if !is_encoded {
            let message = "holds a text of 4 GiB or more";
            return Err(Error::new(ErrorCode::LimitExceeded, MACHINE, message).at("event"));
        }
        Ok(&self.state.verdict)
    }

    /// A tool's result whose texts belong to the caller: the id of the call that it answers, if there is one, the
    /// text, whether it is marked as an error, and a command's exit code.
    pub fn observe_result(
        &mut self,
        id: Option<&str>,
        output: &str,
        is_error: bool,
        exit_code: Option<i64>,
    ) -> &LoopVerdict<O::Rule, O::Profile> {
        if !self.reads_results {
            return self.observe_unread_result(Size::of_text(output).units as usize);
        }
        let mut encoded = std::mem::take(&mut self.encoded);
        encoded.clear();
        encode_str(id.unwrap_or_default(), &mut encoded);
        let (read, left_out) = without_middle(output);
        encode_str(&read, &mut encoded);
        encode_plain(&Json::Bool(is_error), &mut encoded);
        if let Some(exit_code) = exit_code {
            encode_plain(&Json::Number(exit_code as f64), &mut encoded);
        }
        self.take_result(&encoded, left_out);
        encoded.clear();
        encoded.shrink_to(KEPT_BYTES);
        self.encoded = encoded;
        &self.state.verdict
    }

    /// A delta of prose or reasoning. What follows the unit that stops the model is not looked at, nor
    /// counted.
    pub fn observe_str(
        &mut self,
        channel: Channel,
        delta: &str,
    ) -> &LoopVerdict<O::Rule, O::Profile> {
        let mut units = std::mem::take(&mut self.units);
        units.clear();
        push_units_of(delta, usize::MAX, &mut units);
        self.observe_text(channel, &units);
        units.clear();
        units.shrink_to(KEPT_UNITS);
        self.units = units;
        &self.state.verdict
    }

    /// The same as UTF-16 code units, which may begin or end inside a surrogate pair.
    pub fn observe_text(
        &mut self,
        channel: Channel,
        delta: &[u16],
    ) -> &LoopVerdict<O::Rule, O::Profile> {
        if self.is_watching() {
            self.state.spending.add(delta.len());
            if channel == Channel::Text && !delta.is_empty() {
                self.state.prompt.model_rests();
                self.state.conversation.shows_who_speaks = true;
            }
            self.judge(&Event::Text { channel, delta });
            if self.state.verdict.is_stop() {
                // The rest of the delta, after the stop, does not count, wherever the text is cut.
                self.state.spending = Spending::default();
            }
        }
        &self.state.verdict
    }

    /// A tool call as bytes ([`Call::decode`]), and after it its id, a string that may be empty, and the spelling
    /// of arguments that are a string, if that is needed. Anything else changes nothing.
    pub fn observe_encoded_call(
        &mut self,
        encoded: &[u8],
        key_order: KeyOrder,
        rest: &[u8],
    ) -> &LoopVerdict<O::Rule, O::Profile> {
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
        self.state.conversation.call();
        self.state.spending.add_call(call.encoded_length());
        if !call.name().is(&self.state.prompt.last_tool) {
            self.state.prompt.last_tool = call.tool();
        }
        if !self.is_enabled {
            return;
        }
        let (id, spelling) = rest.split();
        let key = self.state.rules.key(call, spelling);
        let key = key.map(|key| call.identity().unwrap_or(key));
        if self.reads_results {
            let tool = call.tool_fingerprint();
            let counted = key.map(|key| Answered { key, index, tool });
            self.state.unanswered.add(id, counted);
        }
        let Some(key) = key else {
            return self.judge(&Event::UncountedCall { index });
        };
        self.judge(&Event::Call(CallSeen {
            call,
            key,
            index,
            is_preview: self.state.prompt.is_preview,
        }));
        let key = self.state.rules.newest().call.unwrap_or(key);
        self.state.progress.call(index, key);
    }

    /// A tool answered: the id of the call that it answers and the output, two strings of which the
    /// first may be empty, whether it is an error, true or false, and a command's exit code, if there
    /// is one.
    pub fn observe_encoded_result(&mut self, encoded: &[u8]) -> &LoopVerdict<O::Rule, O::Profile> {
        self.take_result(encoded, 0)
    }

    /// The same for an output of whose middle `left_out` units are missing.
    fn take_result(
        &mut self,
        encoded: &[u8],
        left_out: usize,
    ) -> &LoopVerdict<O::Rule, O::Profile> {
        let (id, rest) = Encoded(encoded).split();
        let (output, rest) = rest.split();
        let (is_error, exit_code) = rest.split();
        if !self.reads_results {
            return self.observe_unread_result(output.units().len());
        }
        if !self.count_result(output.units().len() + left_out) {
            return &self.state.verdict;
        }
        let answered = self.state.unanswered.take(id);
        match answered {
            Some(_) => self.state.prompt.saw_results = true,
            None => self.state.conversation.stray_result(),
        }
        if matches!(answered, Some(None)) {
            // Nobody counts its call.
            self.state.verdict = LoopVerdict::Ok;
            return &self.state.verdict;
        }
        let answered = answered.flatten();
        self.judge(&Event::Result(ResultSeen {
            output,
            left_out,
            is_error: is_error.0 == b"t",
            exit_code,
            answered,
        }));
        if let Some(answered) = answered {
            self.count_answer(answered.index);
        }
        self.doubt();
        &self.state.verdict
    }

    /// A tool's result of `units` UTF-16 code units, whose text no rule reads.
    pub fn observe_unread_result(&mut self, units: usize) -> &LoopVerdict<O::Rule, O::Profile> {
        if self.count_result(units) {
            self.state.prompt.saw_results = true;
            if self.state.prompt.calls == 0 {
                self.state.conversation.stray_result();
            }
            self.judge(&Event::Result(ResultSeen::unread()));
            self.doubt();
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
            // Nobody looks for their calls.
            self.state.prompt.saw_results = true;
        }
        self.is_enabled
    }

    /// Counts an answer as progress or not, as far as anything compares answers.
    fn count_answer(&mut self, index: u64) {
        let Newest {
            answer,
            changed_file,
            ..
        } = self.state.rules.newest();
        if let Some(key) = answer {
            self.state.progress.answer(index, key, changed_file);
        }
    }

    /// A model may have to be asked whether this gets on.
    fn doubt(&mut self) {
        let limits = self.model_check.as_ref();
        let (calls, progress) = (self.state.prompt.calls, &self.state.progress);
        self.state.model_check.calls_came(calls, progress, limits);
    }

    /// A turn began.
    pub fn observe_turn(&mut self) -> &LoopVerdict<O::Rule, O::Profile> {
        if self.is_watching() {
            self.state
                .model_check
                .turn_started(self.model_check.as_ref());
            self.doubt();
            self.judge(&Event::TurnStarted);
            self.start_turn();
        }
        &self.state.verdict
    }

    /// The last turn is tried again. What it counted, from its `turn_started` on, is taken back; a
    /// second retry with no turn between goes back to the same place, and one before the first turn
    /// changes nothing.
    pub fn observe_retry(&mut self) -> &LoopVerdict<O::Rule, O::Profile> {
        if self.is_watching() {
            self.take_turn_back();
        }
        &self.state.verdict
    }

    /// The host's own detector has found a loop: a stop.
    pub fn observe_loop_report(
        &mut self,
        by: Option<&str>,
        detail: Option<&str>,
    ) -> &LoopVerdict<O::Rule, O::Profile> {
        if self.is_watching() {
            let last_call = self.state.prompt.calls.checked_sub(1);
            let detection = host_report::detection(by, detail, last_call);
            self.set_verdict(detection, false, false);
        }
        &self.state.verdict
    }

    /// Takes any event but text, a call, a result and the beginning of a turn.
    pub fn observe_other(&mut self, event: Event) -> &LoopVerdict<O::Rule, O::Profile> {
        if self.is_watching() && !self.is_unheard(&event) {
            if matches!(event, Event::UserMessage) {
                self.user_speaks();
                // A call without a result never gets one now.
                self.state.unanswered.clear();
            }
            self.judge(&event);
        }
        &self.state.verdict
    }

    /// Whether no rule looks at what happens between calls, and there is no verdict that this could end.
    fn is_unheard(&self, event: &Event) -> bool {
        let is_between = !matches!(event, Event::UserMessage);
        is_between && !self.reads_results && matches!(self.state.verdict, LoopVerdict::Ok)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{LoopDetector, LoopDetectorOptions};

    /// The snapshot of a detector that was told of a call and its result.
    fn told(output: &str, is_whole: bool) -> Vec<u8> {
        let options = LoopDetectorOptions::from_json("{}").expect("the usual options");
        let mut detector = LoopDetector::new(options).expect("the usual options");
        detector.observe_call(None, "t", None, None).expect("short");
        match is_whole {
            true => {
                let mut encoded = Vec::new();
                encode_str("", &mut encoded);
                encode_str(output, &mut encoded);
                encode_plain(&Json::Bool(false), &mut encoded);
                detector.observe_encoded_result(&encoded);
            }
            false => {
                detector.observe_result(None, output, false, None);
            }
        }
        detector.snapshot()
    }

    #[test]
    fn a_result_without_its_middle_is_the_whole_one_to_the_rules() {
        for part in ["a bed of roses 12\n", "é ", "花壇 ", "😀a", "😀"] {
            for shift in ["", "x", "xé"] {
                for count in [10, RESULT_END_UNITS, 5 * RESULT_END_UNITS] {
                    let output = format!("{shift}{}", part.repeat(count));
                    assert_eq!(told(&output, false), told(&output, true), "{part} {count}");
                }
            }
        }
    }
}
