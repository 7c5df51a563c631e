//! The assistant's prose in a prompt, message by message.

use serde::{Deserialize, Serialize};

use crate::copies::clone_by_fields;
use crate::report::EVIDENCE_UNITS;
use turnkeeper_base::snapshot::{Corrupt, SavedState};
use turnkeeper_base::text::excerpt_units;
use turnkeeper_base::text::hash::UnitHash;

/// The assistant's text of a prompt. A message ends with a turn, a word of the user or a call.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Prose {
    message: Message,
    /// UTF-16 code units so far.
    units: u64,
    /// The beginning of the last message, for the report.
    excerpt: Vec<u16>,
    /// UTF-16 code units of thinking so far, and the last of them.
    thought_units: u64,
    last_thought: u16,
    /// Thoughts since a message ended or a call was made.
    thoughts: u64,
}

clone_by_fields! { Prose: message, units, excerpt, thought_units, last_thought, thoughts }

/// A thought that comes whole has this many units, or more: what streams bring at once is shorter.
const SHORTEST_THOUGHT: usize = 100;
/// Units with which a thought may end.
const ENDS: &str = "\n.!?:;)*…。！？：";

/// A message of the assistant.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Message {
    /// The offset in the prompt's prose at which it begins.
    pub(super) begin: u64,
    /// The value by which it is compared: a hash of its units that are not white space, ...
    pub(super) hash: UnitHash,
    /// and how many there are.
    pub(super) units: u64,
}

/// Shorter words announce nothing. In UTF-16 code units without white space.
const SHORTEST_INTENT: u64 = 24;

impl Message {
    /// The value by which it is compared if it is long enough to announce a call.
    pub(super) fn intent(&self) -> Option<u64> {
        (self.units >= SHORTEST_INTENT).then_some(self.hash.0)
    }
}

impl SavedState for Prose {
    fn validate(&self) -> Result<(), Corrupt> {
        Corrupt::unless(self.excerpt.len() <= EVIDENCE_UNITS + 1)?;
        // Counting on must not overflow.
        Corrupt::unless(self.units <= u64::MAX >> 8 && self.message.units <= self.units)?;
        Corrupt::unless(self.thought_units <= u64::MAX >> 8 && self.thoughts <= self.thought_units)
    }
}

impl Prose {
    /// The assistant writes on.
    pub(super) fn push(&mut self, delta: &[u16]) {
        let is_blank = |unit: &u16| *unit <= u16::from(b' ');
        let mut text = delta;
        if self.message.units == 0 {
            let start = delta.iter().position(|unit| !is_blank(unit));
            text = &delta[start.unwrap_or(delta.len())..];
            if let Some(start) = start {
                self.message.begin = self.units + start as u64;
                self.excerpt.clear();
            }
        }
        let mut hash = self.message.hash;
        let mut units = 0;
        for unit in text {
            if !is_blank(unit) {
                hash.push(*unit);
                units += 1;
            }
        }
        self.message.hash = hash;
        self.message.units += units;
        self.units += delta.len() as u64;
        // One unit more than is shown tells that the message goes on.
        let room = (EVIDENCE_UNITS + 1).saturating_sub(self.excerpt.len());
        self.excerpt
            .extend_from_slice(text.get(..room).unwrap_or(text));
    }

    /// The model thinks on. Where another thought begins, and how many there were by then, if one does.
    pub(super) fn think(&mut self, delta: &[u16]) -> Option<(u64, u64)> {
        let is_blank = |unit: &u16| *unit <= u16::from(b' ');
        let begin = self.thought_units;
        self.thought_units += delta.len() as u64;
        let first = delta.iter().find(|unit| !is_blank(unit)).copied();
        let may_begin = first.is_some_and(|first| !(0x61..=0x7a).contains(&first))
            && (self.thoughts == 0 || ENDS.encode_utf16().any(|end| end == self.last_thought));
        if let Some(last) = delta.iter().rfind(|unit| **unit != u16::from(b' ')) {
            self.last_thought = *last;
        }
        if delta.len() < SHORTEST_THOUGHT || !may_begin {
            return None;
        }
        self.thoughts += 1;
        Some((begin, self.thoughts))
    }

    /// The index of the last unit of thinking.
    pub(super) fn last_thought_index(&self) -> u64 {
        self.thought_units.saturating_sub(1)
    }

    /// The message under way is complete; `None` if nothing is in it.
    pub(super) fn end_message(&mut self) -> Option<Message> {
        let message = std::mem::take(&mut self.message);
        self.thoughts = 0;
        (message.units > 0).then_some(message)
    }

    /// The index of its last unit.
    pub(super) fn last_index(&self) -> u64 {
        self.units.saturating_sub(1)
    }

    /// The beginning of the last message.
    pub(super) fn evidence(&self) -> String {
        excerpt_units(&self.excerpt, EVIDENCE_UNITS)
    }

    /// The message under way does not count any more, but the place in the prose does.
    pub(super) fn forget(&mut self) {
        *self = Self {
            units: self.units,
            thought_units: self.thought_units,
            ..Self::default()
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(prose: &mut Prose, text: &str) {
        prose.push(&text.encode_utf16().collect::<Vec<_>>());
    }

    #[test]
    fn a_message_is_compared_without_white_space_however_it_was_cut() {
        let mut prose = Prose::default();
        write(&mut prose, "Now I close ");
        write(&mut prose, "the gate.");
        let first = prose.end_message().expect("a message");
        write(&mut prose, " Now  I\nclose the gate.");
        let second = prose.end_message().expect("a message");
        assert_eq!((first.hash, first.units), (second.hash, second.units));
        assert_eq!((first.begin, second.begin), (0, 22));
        assert_eq!(
            (prose.last_index(), &*prose.evidence()),
            (43, "Now  I\nclose the gate.")
        );
    }

    #[test]
    fn thoughts_are_counted_that_come_whole_until_a_message_ends() {
        let mut prose = Prose::default();
        let think =
            |prose: &mut Prose, text: &str| prose.think(&text.encode_utf16().collect::<Vec<_>>());
        let whole = format!(
            "**Looking at the gate**\n\nIt {} shut.",
            "may be ".repeat(12)
        );
        assert_eq!(think(&mut prose, &whole), Some((0, 1)));
        let length = whole.len() as u64;
        assert_eq!(think(&mut prose, &whole), Some((length, 2)));
        assert_eq!(think(&mut prose, "It is short."), None);
        assert_eq!(think(&mut prose, "It goes on and"), None);
        assert_eq!(think(&mut prose, &whole), None);
        assert_eq!(think(&mut prose, &whole).map(|(_, count)| count), Some(3));
        prose.end_message();
        assert_eq!(think(&mut prose, &whole).map(|(_, count)| count), Some(1));
    }

    #[test]
    fn blanks_are_no_message_and_what_is_forgotten_none_either() {
        let mut prose = Prose::default();
        write(&mut prose, " \n");
        assert_eq!(prose.end_message(), None);
        write(&mut prose, "Now");
        prose.forget();
        assert_eq!(prose.end_message(), None);
        assert_eq!(prose.last_index(), 4);
    }
}
