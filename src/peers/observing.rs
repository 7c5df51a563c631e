//! From what happens to what the agent sees: an event is counted for the prompt, decoded, and judged. Calls and
//! prose are all that the agents look at.

use serde_json::Value;

use crate::MACHINE;
use crate::detector::PeerDetector;
use crate::report::{Detection, PeerVerdict};
use turnkeeper_base::error::{Error, ErrorCode};
use turnkeeper_loop_detector::call::{self, Call, Encoded, KeyOrder, encode_str};
use turnkeeper_loop_detector::host_report;
use turnkeeper_loop_detector::rules::CallSeen;
use turnkeeper_loop_detector::spending::Spending;
use turnkeeper_loop_detector::{AgentEvent, Channel};

/// A buffer that grew beyond this for one event is given back.
const KEPT_UNITS: usize = 64 * 1024;

impl PeerDetector {
    /// Takes the next event and answers with the verdict. O(1) for each UTF-16 code unit of text
    /// and each byte of arguments.
    ///
    /// # Errors
    /// `limit_exceeded` for a call with a text of 4 GiB or more; nothing is counted then.
    pub fn observe(&mut self, event: &AgentEvent) -> Result<&PeerVerdict, Error> {
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
                        && self.state.agent.needs_spelling()
                    {
                        encode_str(spelling, &mut encoded);
                    }
                    let (call, rest) = encoded.split_at(length);
                    self.observe_encoded_call(call, KeyOrder::AsGiven, rest);
                })
            }
            AgentEvent::ToolResult { output, .. } => {
                self.observe_result(output.encode_utf16().count());
                Some(())
            }
            AgentEvent::TurnStarted => {
                self.observe_turn();
                Some(())
            }
            AgentEvent::UserMessage => {
                self.observe_user_message();
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
            // Whatever else there may be is none of these agents' business.
            _ => {
                self.observe_other();
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
    pub fn observe_str(&mut self, channel: Channel, delta: &str) -> &PeerVerdict {
        let mut units = std::mem::take(&mut self.units);
        units.clear();
        units.extend(delta.encode_utf16());
        self.observe_text(channel, &units);
        units.shrink_to(KEPT_UNITS);
        self.units = units;
        &self.state.verdict
    }

    /// The same as UTF-16 code units, which may begin or end inside a surrogate pair.
    pub fn observe_text(&mut self, channel: Channel, delta: &[u16]) -> &PeerVerdict {
        if self.is_watching() {
            self.state.spending.add(delta.len());
            if channel == Channel::Text && !delta.is_empty() {
                self.state.prompt.model_rests();
            }
            let found = match channel {
                Channel::Text => self.state.agent.prose(delta),
                Channel::Reasoning => None,
            };
            self.judge(found, false, false);
            if self.state.verdict.is_stop() {
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
    ) -> &PeerVerdict {
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
        // The id is of no use without results.
        let (_, spelling) = rest.split();
        let Some(key) = self.state.agent.key(call, spelling) else {
            return self.judge(None, false, true);
        };
        let goes_on = self.state.agent.still_holds();
        let found = self.state.agent.call(&CallSeen {
            call,
            key,
            index,
            is_preview: self.state.prompt.is_preview,
        });
        self.judge(found, goes_on, true);
        self.state.progress.call(index, key);
    }

    /// A tool's result of `units` UTF-16 code units, whose text no agent reads.
    pub(crate) fn observe_result(&mut self, units: usize) -> &PeerVerdict {
        if !self.is_latched() {
            self.state.prompt.model_works();
            self.state.prompt.saw_results = true;
            if self.is_enabled {
                self.state.spending.add(units);
                self.state.verdict = PeerVerdict::Ok;
            }
        }
        &self.state.verdict
    }

    /// A turn began.
    pub(crate) fn observe_turn(&mut self) -> &PeerVerdict {
        if self.is_watching() {
            let limits = self.model_check;
            self.state.model_check.turn_started(limits.as_ref());
            self.state.verdict = PeerVerdict::Ok;
            self.begin_turn();
        }
        &self.state.verdict
    }

    /// The last turn is tried again. What it counted, from its `turn_started` on, is taken back; a
    /// second retry with no turn between goes back to the same place, and one before the first turn
    /// changes nothing.
    pub(crate) fn observe_retry(&mut self) -> &PeerVerdict {
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
    ) -> &PeerVerdict {
        if self.is_watching() {
            let last_call = self.state.prompt.calls.checked_sub(1);
            let detection = host_report::detection(by, detail, last_call);
            self.set_verdict(detection, false, false);
        }
        &self.state.verdict
    }

    /// The user said something.
    pub(crate) fn observe_user_message(&mut self) -> &PeerVerdict {
        if self.is_watching() {
            self.state.prompt.model_rests();
        }
        self.observe_other()
    }

    /// Takes any event that no agent looks at: a verdict that does not last ends with it.
    pub(crate) fn observe_other(&mut self) -> &PeerVerdict {
        if self.is_watching() {
            self.state.verdict = PeerVerdict::Ok;
        }
        &self.state.verdict
    }

    /// What the agent has found in an event is the verdict.
    fn judge(&mut self, found: Option<Detection>, goes_on: bool, is_call: bool) {
        match found {
            Some(detection) => self.set_verdict(detection, goes_on, is_call),
            None => self.state.verdict = PeerVerdict::Ok,
        }
    }
}
