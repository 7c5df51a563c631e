//! Hints for the model that the host has not fetched yet.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::texts::FEEDBACK_UNITS;
use turnkeeper_base::newest;
use turnkeeper_base::snapshot::Corrupt;

/// The most hints that wait. A host that fetches none loses the oldest.
const HINTS_KEPT: usize = 8;

/// The hints that wait, from the oldest to the newest, no two of them equal.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Feedback {
    waiting: VecDeque<String>,
}

impl Feedback {
    /// Lets a hint wait, unless it is empty or waits already.
    pub(crate) fn add(&mut self, hint: &str) {
        if hint.is_empty() || self.waiting.iter().any(|waiting| waiting == hint) {
            return;
        }
        newest::push(&mut self.waiting, hint.to_owned(), HINTS_KEPT);
    }

    /// Hands out what waits.
    pub(crate) fn take(&mut self) -> Vec<String> {
        std::mem::take(&mut self.waiting).into()
    }

    /// Whether a snapshot may hold it.
    pub(crate) fn validate(&self) -> Result<(), Corrupt> {
        let mut hints = self.waiting.iter();
        Corrupt::unless(self.waiting.len() <= HINTS_KEPT)?;
        Corrupt::unless(hints.all(|hint| hint.encode_utf16().count() <= FEEDBACK_UNITS))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_hint_is_handed_out_once() {
        let mut feedback = Feedback::default();
        for hint in ["a", "b", "a", ""] {
            feedback.add(hint);
        }
        assert_eq!(feedback.take(), ["a", "b"]);
        assert!(feedback.take().is_empty());
    }

    #[test]
    fn the_newest_hints_are_kept() {
        let mut feedback = Feedback::default();
        for number in 0..=HINTS_KEPT {
            feedback.add(&number.to_string());
        }
        feedback.validate().expect("valid");
        let taken = feedback.take();
        assert_eq!((taken.len(), taken[0].as_str()), (HINTS_KEPT, "1"));
    }
}
