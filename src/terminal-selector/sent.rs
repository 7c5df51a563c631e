//! The last commands that were sent: which terminals they led elsewhere, and which have stood since.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::terminal::COMMANDS_TO_SETTLE;
use turnkeeper_base::newest;

const LENGTH: usize = COMMANDS_TO_SETTLE as usize;

/// The last ten commands, the oldest first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Sent(VecDeque<SentTo>);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct SentTo {
    terminal_id: u64,
    /// Whether the terminal was led elsewhere for it.
    is_led: bool,
}

impl Sent {
    pub(super) fn add(&mut self, terminal_id: u64, is_led: bool) {
        let sent = SentTo {
            terminal_id,
            is_led,
        };
        newest::push(&mut self.0, sent, LENGTH);
    }

    /// The last command of a terminal was not sent after all.
    pub(super) fn take_back(&mut self, terminal_id: u64) {
        let last = self.0.iter().rposition(|it| it.terminal_id == terminal_id);
        last.map(|at| self.0.remove(at));
    }

    /// Whether none of the last ten commands led this terminal elsewhere.
    pub(super) fn has_stood(&self, terminal_id: u64) -> bool {
        let is_led = |it: &SentTo| it.is_led && it.terminal_id == terminal_id;
        self.0.len() == LENGTH && !self.0.iter().any(is_led)
    }

    /// Whether it has no more commands than it keeps.
    pub(super) fn is_short(&self) -> bool {
        self.0.len() <= LENGTH
    }
}
