//! **Finds**, among the last events since the user's message, equal calls with equal results, equal calls
//! that fail, messages in a row, and two calls that take turns, as OpenHands' software agent SDK does.
//! **Must not find** what lies further back, nor a message in what is said in front of a call.
//! **The numbers** are the SDK's: 4, 4 after a nudge at 3, 3, and 3 rounds, among 20 events.
//!
//! An event is a call, a result, a message of the model or a condensation. The verdict is what the last of
//! them say, so everything is looked at anew with each: there are never many.

mod events;

use self::events::{CONDENSATION, Happened, Kind, Message, State, equal_in_a_row};
use super::{
    Action, CallSeen, CallSummary, Context, Detection, Event, EventRule, LoopInfo, Restart,
    ResultSeen, RuleInfo, Tally, count_of, identical_calls, repeated_cycle, repeated_errors,
};
use crate::report::{Channel, EVIDENCE_UNITS, LoopType, RuleName};
use crate::settings::RuleSettings;
use crate::texts::Texts;
use turnkeeper_base::text::excerpt_units;
use turnkeeper_base::text::hash::{fingerprint, mixed};

const RECENT_PAIRS: LoopInfo = LoopInfo {
    rule: RuleInfo {
        name: RuleName::RecentPairs,
        options: &["recentPairs", "recentEvents"],
    },
    loop_type: LoopType::ConsecutiveIdenticalToolCalls,
    texts: identical_calls::TEXTS,
};
const RECENT_ERRORS: LoopInfo = LoopInfo {
    rule: RuleInfo {
        name: RuleName::RecentErrors,
        options: &["recentErrors", "recentEvents"],
    },
    loop_type: LoopType::RepeatedError,
    texts: repeated_errors::TEXTS,
};
const RECENT_MESSAGES: LoopInfo = LoopInfo {
    rule: RuleInfo {
        name: RuleName::RecentMessages,
        options: &["recentMessages", "recentEvents"],
    },
    loop_type: LoopType::Monologue,
    texts: Texts {
        message: "the model wrote {count} messages in a row and did nothing in between.",
        feedback: "You wrote {count} messages in a row and did nothing in between. Act, ask the user, \
                   or finish.",
    },
};
const RECENT_TURNS: LoopInfo = LoopInfo {
    rule: RuleInfo {
        name: RuleName::RecentTurns,
        options: &["recentTurns", "recentEvents"],
    },
    loop_type: LoopType::RepeatedToolCycle,
    texts: repeated_cycle::TEXTS,
};

/// Calls of a round.
const PERIOD: u64 = 2;

#[derive(Debug, Clone)]
pub(crate) struct RecentEvents {
    pairs: Option<u64>,
    errors: Option<u64>,
    messages: Option<u64>,
    turns: Option<u64>,
    window: usize,
}

/// What the events say.
struct Found {
    info: &'static LoopInfo,
    action: Action,
    count: u64,
    threshold: u64,
}

impl RecentEvents {
    fn push(&self, state: &mut State, event: Happened) {
        let events = &mut state.events;
        if events.len() == self.window {
            events.remove(0);
        }
        events.push(event);
    }

    fn end_message(&self, state: &mut State) {
        let Message {
            hash: key,
            has_words,
            first_index: index,
            ..
        } = state.message;
        if has_words {
            let kind = Kind::Message;
            self.push(state, Happened { kind, key, index });
            state.last_message = std::mem::take(&mut state.message.start);
        }
        state.message = Message::beginning_at(state.prose_length);
    }

    fn call(&self, state: &mut State, seen: &CallSeen) {
        let message = &state.message;
        // The text before a call, in the same turn, is the model's thought about it.
        let key = match message.has_words {
            true => mixed(seen.key, message.hash),
            false => seen.key,
        };
        let is_made_before = state.calls().any(|call| call.key == key);
        let fires_at_once = self.pairs == Some(1) || self.turns == Some(1);
        let fires_at_once = fires_at_once || matches!(self.errors, Some(1 | 2));
        let is_summarized = is_made_before || fires_at_once;
        state.last_call = is_summarized.then(|| CallSummary::of(seen.call));
        state.last_index = seen.index;
        state.message = Message::beginning_at(state.prose_length);
        let (kind, index) = (Kind::Call, seen.index);
        self.push(state, Happened { kind, key, index });
    }

    fn result(&self, state: &mut State, seen: &ResultSeen) {
        let output = fingerprint(seen.output.0);
        let tool = seen.answered.map_or(0, |call| call.tool);
        let (kind, key) = match seen.is_error {
            true => (Kind::Error, output),
            false => (Kind::Result, mixed(output, tool)),
        };
        let index = 0;
        self.push(state, Happened { kind, key, index });
    }

    /// What is a loop now: the first stop, or a nudge.
    fn find(&self, state: &State) -> Option<Found> {
        let stop = |info, count: u64, threshold: Option<u64>| {
            let threshold = threshold.filter(|threshold| count >= *threshold)?;
            Some(Found {
                info,
                action: Action::Stop,
                count,
                threshold,
            })
        };
        let equal = equal_in_a_row(state.calls(), 1);
        let pairs = equal.min(equal_in_a_row(state.results(), 1));
        let is_error = |event: &Happened| event.kind == Kind::Error;
        let errors = equal.min(state.results().take_while(is_error).count() as u64);
        let in_turn = equal_in_a_row(state.calls(), PERIOD as usize);
        let turns = in_turn.min(equal_in_a_row(state.results(), PERIOD as usize)) / PERIOD;
        stop(&RECENT_PAIRS, pairs, self.pairs)
            .or_else(|| stop(&RECENT_ERRORS, errors, self.errors))
            .or_else(|| stop(&RECENT_MESSAGES, state.messages(), self.messages))
            .or_else(|| stop(&RECENT_TURNS, turns, self.turns))
            .or_else(|| {
                let threshold = self.errors?;
                (errors > 0 && errors == threshold - 1).then_some(Found {
                    info: &RECENT_ERRORS,
                    action: Action::Nudge,
                    count: errors,
                    threshold: errors,
                })
            })
    }
}

impl State {
    fn detection(&self, found: &Found) -> Detection {
        let &Found {
            info,
            action,
            count,
            threshold,
        } = found;
        let places = |first: Option<Happened>, last_index| Tally {
            count,
            threshold,
            first_index: first.map_or(0, |event| event.index),
            last_index,
        };
        let before_last = |count: u64| count.saturating_sub(1) as usize;
        match info.rule.name {
            RuleName::RecentMessages => {
                let first = self.of(&[Kind::Message]).nth(before_last(count));
                let tally = places(first, self.prose_length.saturating_sub(1));
                let evidence = excerpt_units(&self.last_message, EVIDENCE_UNITS);
                let detection = info.found(action, tally);
                detection.in_text(Channel::Text, evidence)
            }
            RuleName::RecentTurns => {
                let first = self.calls().nth(before_last(count * PERIOD));
                let detection = info.found(action, places(first, self.last_index));
                let detection = detection.in_rounds_of(PERIOD);
                detection.at_summarized(self.last_call.as_ref())
            }
            _ => {
                let first = self.calls().nth(before_last(count));
                let detection = info.found(action, places(first, self.last_index));
                detection.at_summarized(self.last_call.as_ref())
            }
        }
    }
}

impl EventRule for RecentEvents {
    type State = State;
    const READS_RESULTS: bool = true;

    fn from_options(options: &RuleSettings) -> Option<Self> {
        let pairs = count_of(options.recent_pairs);
        let errors = count_of(options.recent_errors);
        let messages = count_of(options.recent_messages);
        let turns = count_of(options.recent_turns);
        pairs.or(errors).or(messages).or(turns)?;
        Some(Self {
            pairs,
            errors,
            messages,
            turns,
            window: options.recent_events.unwrap_or(20) as usize,
        })
    }

    fn observe(&self, state: &mut State, event: &Event, _: &Context) -> Option<Detection> {
        match event {
            Event::Text {
                channel: Channel::Text,
                delta,
            } => {
                state.write(delta);
                return None;
            }
            Event::Text { .. } | Event::Other => return None,
            Event::Call(seen) => self.call(state, seen),
            _ => self.end_message(state),
        }
        match event {
            Event::Result(seen) => self.result(state, seen),
            Event::Condensation => self.push(state, CONDENSATION),
            Event::UserMessage => state.events.clear(),
            _ => {}
        }
        let found = self.find(state);
        let stop = found.as_ref().filter(|found| found.action == Action::Stop);
        let now = stop.map_or(0, |found| found.count);
        let before = std::mem::replace(&mut state.told, now);
        let found = found?;
        let is_new = match found.action {
            Action::Stop => now != before,
            // It is for the error that makes the number.
            Action::Nudge => matches!(event, Event::Result(_)),
        };
        is_new.then(|| state.detection(&found))
    }

    fn still_holds(state: &State) -> bool {
        state.told > 0
    }

    fn tell_again(&self, state: &State) -> Option<Detection> {
        let found = self
            .find(state)
            .filter(|found| found.action == Action::Stop)?;
        Some(state.detection(&found))
    }

    fn restart(state: &mut State, restart: Restart) {
        let (prose_length, last_index) = match restart {
            Restart::NewPrompt => (0, 0),
            Restart::Cleared => (state.prose_length, state.last_index),
        };
        *state = State {
            prose_length,
            last_index,
            message: Message::beginning_at(prose_length),
            ..State::default()
        };
    }

    fn allows(&self, state: &State) -> bool {
        state.events.len() <= self.window
    }
}
