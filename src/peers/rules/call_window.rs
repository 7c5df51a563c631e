//! **Finds**, among the last calls, the same call again and again, polls that bring nothing new, two calls
//! that take turns, and calls of a tool that does not exist, as OpenClaw does.
//! **Must not find** a stop where results change: then there is no more than a nudge.
//! **The numbers** are OpenClaw's: 10 for a nudge and 20 for a stop, among 30 calls.
//!
//! A call is judged by the calls before it and their results; it counts as one of them. The first finding is the
//! verdict, in OpenClaw's order, even where a stop would come after a nudge.

use serde::{Deserialize, Serialize};

use super::unknown_tool::unknown_tool;
use super::{
    Action, CallSeen, Context, Detection, Event, EventRule, LoopInfo, MAX_COUNT, ResultSeen,
    RuleInfo, Tally, count_of, identical_calls, repeated_cycle,
};
use crate::call::Call;
use crate::report::{LoopType, RuleName};
use crate::settings::RuleSettings;
use crate::texts::Texts;
use turnkeeper_base::snapshot::{Corrupt, SavedState};
use turnkeeper_base::text::hash::{fingerprint, mixed};

const UNKNOWN_TOOL_CALLS: LoopInfo = LoopInfo {
    rule: RuleInfo {
        name: RuleName::UnknownToolCalls,
        options: &["unknownToolCalls", "callWindow"],
    },
    loop_type: LoopType::RepeatedError,
    texts: Texts {
        message: "the model called {tool} {count} times, which does not exist.",
        feedback: "You called {tool} {count} times, which does not exist. {held}Go on without it.",
    },
};
const UNCHANGED_POLLS: LoopInfo = LoopInfo {
    rule: RuleInfo {
        name: RuleName::UnchangedPolls,
        options: &["unchangedPolls", "callWindow"],
    },
    loop_type: LoopType::ConsecutiveIdenticalToolCalls,
    texts: Texts {
        message: "the model asked {count} times with {tool} and learned nothing new.",
        feedback: "You asked {count} times with {tool} and learned nothing new. {held}Wait longer between \
                   two such calls, or report that the process hangs.",
    },
};
const CALLS_IN_TURN: LoopInfo = LoopInfo {
    rule: RuleInfo {
        name: RuleName::CallsInTurn,
        options: &["callsInTurn", "callWindow"],
    },
    loop_type: LoopType::RepeatedToolCycle,
    texts: repeated_cycle::TEXTS,
};
const SAME_CALLS: LoopInfo = LoopInfo {
    rule: RuleInfo {
        name: RuleName::SameCalls,
        options: &["sameCalls", "callWindow"],
    },
    loop_type: LoopType::ConsecutiveIdenticalToolCalls,
    texts: Texts {
        message: "the model called {tool} {count} times with the same arguments.",
        feedback: identical_calls::TEXTS.feedback,
    },
};

/// Calls of a round, where two take turns.
const PERIOD: u64 = 2;

#[derive(Debug, Clone)]
pub(crate) struct CallWindow {
    same: Option<u64>,
    polls: Option<u64>,
    in_turn: Option<u64>,
    unknown: Option<u64>,
    window: usize,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct State {
    /// From the oldest to the last.
    calls: Vec<Made>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Made {
    key: u64,
    tool: u64,
    index: u64,
    result: Option<u64>,
    /// The tool that does not exist, as the error calls it.
    unknown: Option<u64>,
}

impl SavedState for State {
    fn validate(&self) -> Result<(), Corrupt> {
        Corrupt::unless(self.calls.iter().all(|call| call.index <= MAX_COUNT))
    }
}

/// A finding of the rule.
struct Found {
    info: &'static LoopInfo,
    action: Action,
    count: u64,
    threshold: u64,
    first_index: u64,
}

/// Calls that are counted, the one at hand included.
#[derive(Clone, Copy)]
struct Counted {
    count: u64,
    first_index: u64,
}

/// Whether a call asks a running process how it is.
fn is_poll(call: &Call) -> bool {
    if call.is_of("command_status") {
        return true;
    }
    let action = call.arguments().field("action").units();
    call.is_of("process") && (action.is("poll") || action.is("log"))
}

impl CallWindow {
    fn call(&self, state: &mut State, seen: &CallSeen) -> Option<Detection> {
        let calls = &mut state.calls;
        if calls.len() == self.window {
            calls.remove(0);
        }
        calls.push(Made {
            key: seen.key,
            tool: seen.call.tool_fingerprint(),
            index: seen.index,
            result: None,
            unknown: None,
        });
        let found = self.find(state, is_poll(seen.call))?;
        let tally = Tally {
            count: found.count,
            threshold: found.threshold,
            first_index: found.first_index,
            last_index: seen.index,
        };
        let detection = match found.info.rule.name {
            // Calls are counted here; a report counts rounds.
            RuleName::CallsInTurn => {
                let rounds = Tally {
                    count: tally.count / PERIOD,
                    threshold: tally.threshold / PERIOD,
                    ..tally
                };
                let detection = found.info.found(found.action, rounds);
                detection.in_rounds_of(PERIOD)
            }
            _ => found.info.found(found.action, tally),
        };
        Some(detection.at(seen.call))
    }

    fn find(&self, state: &State, is_poll: bool) -> Option<Found> {
        let found = |info, action, counted: Counted, threshold: Option<u64>| {
            let threshold = threshold.filter(|threshold| counted.count >= *threshold)?;
            Some(Found {
                info,
                action,
                count: counted.count,
                threshold,
                first_index: counted.first_index,
            })
        };
        let twice = |threshold: Option<u64>| threshold.map(|count| count.saturating_mul(2));
        let (stop, nudge) = (Action::Stop, Action::Nudge);
        let unknown = state.unknown_in_a_row();
        let unchanged = state.unchanged();
        let (in_turn, is_unchanged) = state.in_turn();
        let (polls, same) = match is_poll {
            true => (self.polls, None),
            false => (None, self.same),
        };
        let turns = &CALLS_IN_TURN;
        found(&UNKNOWN_TOOL_CALLS, stop, unknown, self.unknown)
            .or_else(|| found(&UNCHANGED_POLLS, stop, unchanged, twice(polls)))
            .or_else(|| found(&UNCHANGED_POLLS, nudge, unchanged, polls))
            .or_else(|| found(turns, stop, in_turn, twice(self.in_turn)).filter(|_| is_unchanged))
            .or_else(|| found(turns, nudge, in_turn, self.in_turn))
            .or_else(|| found(&SAME_CALLS, stop, unchanged, twice(same)))
            .or_else(|| found(&SAME_CALLS, nudge, state.same_calls(), same))
    }
}

impl State {
    fn result(&mut self, seen: &ResultSeen) {
        let Some(answered) = seen.answered else {
            return;
        };
        let mut calls = self.calls.iter_mut().rev();
        if let Some(call) = calls.find(|call| call.index == answered.index) {
            let output = fingerprint(seen.output.0);
            call.result = Some(mixed(output, u64::from(seen.is_error)));
            if seen.is_error {
                call.unknown = unknown_tool(seen.output.units());
            }
        }
    }

    /// The call at hand and those before it, from the last to the first.
    fn split(&self) -> Option<(&Made, impl DoubleEndedIterator<Item = &Made> + Clone)> {
        let (now, before) = self.calls.split_last()?;
        Some((now, before.iter().rev()))
    }

    /// Calls of this tool right before this one that failed because there is none of that name.
    fn unknown_in_a_row(&self) -> Counted {
        let Some((now, mut before)) = self.split() else {
            return Counted::NONE;
        };
        let name = before.clone().next().and_then(|call| call.unknown);
        if name.is_none() {
            return Counted::NONE;
        }
        let is_one = |call: &&Made| call.tool == now.tool && call.unknown == name;
        Counted::of(now, before.by_ref().take_while(is_one))
    }

    /// The same calls before this one, with others in between or not, whose results are equal; those
    /// without a result are left out.
    fn unchanged(&self) -> Counted {
        let Some((now, before)) = self.split() else {
            return Counted::NONE;
        };
        let equal = before.filter(|call| call.key == now.key && call.result.is_some());
        let last = equal.clone().next().and_then(|call| call.result);
        Counted::of(now, equal.take_while(|call| call.result == last))
    }

    fn same_calls(&self) -> Counted {
        let Some((now, before)) = self.split() else {
            return Counted::NONE;
        };
        Counted::of(now, before.filter(|call| call.key == now.key))
    }

    /// The calls at the end by which two calls take turns, and whether each of the two has always got the
    /// same result.
    fn in_turn(&self) -> (Counted, bool) {
        let nothing = (Counted::NONE, false);
        let Some((now, before)) = self.split() else {
            return nothing;
        };
        let Some(other) = before.clone().next().filter(|call| call.key != now.key) else {
            return nothing;
        };
        let expected = [other.key, now.key].into_iter().cycle();
        let tail = before
            .zip(expected)
            .take_while(|(call, key)| call.key == *key);
        let tail: Vec<&Made> = tail.map(|(call, _)| call).collect();
        if tail.len() < 2 {
            return nothing;
        }
        let equals_before = |pair: (&&Made, &&Made)| pair.0.result == pair.1.result;
        let is_unchanged = tail.iter().all(|call| call.result.is_some())
            && tail.iter().zip(tail.iter().skip(2)).all(equals_before);
        (Counted::of(now, tail.into_iter()), is_unchanged)
    }
}

impl Counted {
    const NONE: Self = Self {
        count: 0,
        first_index: 0,
    };

    /// A call and those before it, from the last to the first; none without those.
    fn of<'a>(now: &Made, before: impl Iterator<Item = &'a Made>) -> Self {
        let none = Self {
            count: 1,
            first_index: now.index,
        };
        before.fold(none, |counted, call| Self {
            count: counted.count + 1,
            first_index: call.index,
        })
    }
}

impl EventRule for CallWindow {
    type State = State;
    const READS_RESULTS: bool = true;

    fn from_options(options: &RuleSettings) -> Option<Self> {
        let same = count_of(options.same_calls);
        let polls = count_of(options.unchanged_polls);
        let in_turn = count_of(options.calls_in_turn);
        let unknown = count_of(options.unknown_tool_calls);
        same.or(polls).or(in_turn).or(unknown)?;
        Some(Self {
            same,
            polls,
            in_turn,
            unknown,
            window: options.call_window.unwrap_or(30) as usize,
        })
    }

    fn observe(&self, state: &mut State, event: &Event, _: &Context) -> Option<Detection> {
        match event {
            Event::Call(seen) => return self.call(state, seen),
            Event::Result(seen) => state.result(seen),
            _ => {}
        }
        None
    }

    fn allows(&self, state: &State) -> bool {
        state.calls.len() <= self.window
    }
}
