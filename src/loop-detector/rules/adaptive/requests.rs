//! Requests to the model, and the calls of each. Calls of one request were made at once: the model
//! knew none of their results, so they are one step and not several in a row.
//!
//! `turn_started` begins a request. Tools that run while the model still writes answer between the calls of one request,
//! which ends nothing. Where it never came, a result ends a request; and if neither has come by the sixth call, when the
//! detector knows that it is blind, each call is one of its own.
//!
//! Some hosts send it only for each message of the user, and some stop sending it, such as one that seeds a detector with
//! the events of a saved session: after a dozen calls and some that followed a result, a result ends a request again. It
//! does so at once for a call that the request has already, which no message has a reason to make twice.

use crate::counts::MAX_COUNT;
use serde::{Deserialize, Serialize};

use turnkeeper_base::snapshot::{Corrupt, SavedState};

/// Without a result or a turn by then, there will be none.
const CALLS_UNTIL_BLIND: u64 = 5;
/// Calls of one request that may follow a result.
const CALLS_AFTER_RESULTS: u64 = 16;

/// Numbers requests.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Requests {
    /// The number of the last request with a call, from 1; 0 before the first.
    number: u64,
    /// Whether the next call belongs to another request.
    is_over: bool,
    /// Whether anything came by which requests can be told apart.
    can_be_told_apart: bool,
    /// Calls before anything of that kind came.
    calls_before: u64,
    /// Whether a result was the last thing that came.
    is_after_result: bool,
    /// Whether `turn_started` begins each request, as far as is known.
    turns_are_requests: bool,
    /// Calls that followed a result since the last `turn_started`.
    calls_after_results: u64,
}

impl SavedState for Requests {
    fn validate(&self) -> Result<(), Corrupt> {
        Corrupt::unless(
            self.number <= MAX_COUNT
                && self.calls_before <= MAX_COUNT
                && self.calls_after_results <= CALLS_AFTER_RESULTS,
        )
    }
}

impl Requests {
    /// The number of the last request with a call.
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// The number of the request that a call belongs to. `is_again` says that the last request has the same.
    pub(super) fn of_call(&mut self, is_again: bool) -> u64 {
        if self.is_after_result && self.turns_are_requests {
            if self.calls_after_results == CALLS_AFTER_RESULTS || is_again {
                self.turns_are_requests = false;
                self.is_over = true;
            } else {
                self.calls_after_results += 1;
            }
        }
        let is_blind = !self.can_be_told_apart && self.calls_before >= CALLS_UNTIL_BLIND;
        if self.number == 0 || self.is_over || is_blind {
            self.number += 1;
        }
        self.calls_before += u64::from(!self.can_be_told_apart);
        self.is_over = false;
        self.is_after_result = false;
        self.number
    }

    pub(super) fn result(&mut self) {
        self.can_be_told_apart = true;
        self.is_after_result = true;
        self.is_over |= !self.turns_are_requests;
    }

    pub(super) fn turn_started(&mut self) {
        self.can_be_told_apart = true;
        self.turns_are_requests |= self.is_after_result || self.number == 0;
        self.calls_after_results = 0;
        self.is_after_result = false;
        self.is_over = true;
    }

    pub(super) fn user_message(&mut self) {
        self.is_after_result = false;
        self.is_over = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The requests of the calls among events: `t`urn started, `c`all, a call `a`gain, `r`esult, `u`ser message.
    fn requests(events: &str) -> Vec<u64> {
        let mut requests = Requests::default();
        let mut numbers = Vec::new();
        for event in events.chars() {
            match event {
                't' => requests.turn_started(),
                'c' => numbers.push(requests.of_call(false)),
                'a' => numbers.push(requests.of_call(true)),
                'r' => requests.result(),
                'u' => requests.user_message(),
                other => panic!("{other}"),
            }
        }
        numbers
    }

    #[test]
    fn calls_without_a_result_between_are_of_one_request() {
        assert_eq!(requests("ccrrccrr"), [1, 1, 2, 2]);
        assert_eq!(requests("tccrrtcr"), [1, 1, 2]);
    }

    #[test]
    fn what_one_message_brought_is_one_request_whenever_its_results_come() {
        assert_eq!(requests("tcrcrtcrcr"), [1, 1, 2, 2]);
        assert_eq!(requests("tcrcrutcrcr"), [1, 1, 2, 2]);
    }

    #[test]
    fn a_host_may_tell_of_turns_once_or_stop() {
        assert_eq!(requests("tcrarar"), [1, 2, 3]);
        assert_eq!(requests("tcrtcrartcr"), [1, 2, 3, 4]);
        let told_once = requests(&format!("t{}", "cr".repeat(20)));
        assert_eq!(told_once[16..], [1, 2, 3, 4]);
        let stopped = requests(&format!("tcrt{}tcr", "cr".repeat(20)));
        assert_eq!(stopped[16..], [2, 2, 3, 4, 5, 6]);
    }

    #[test]
    fn without_results_and_turns_each_call_is_one() {
        assert_eq!(requests("cccccccc"), [1, 1, 1, 1, 1, 2, 3, 4]);
        assert_eq!(requests("tccttcc"), [1, 1, 2, 2]);
    }
}
