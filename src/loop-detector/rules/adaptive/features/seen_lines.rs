//! The lines of results that were seen before: a file that is read again in other windows shows nothing
//! new. What a tool says with each result, such as a banner or a list of rules, is not what a call brought.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::CallFeatures;
use turnkeeper_base::snapshot::Corrupt;

/// The lines that are remembered. Each has its place, which the next with the same one takes over.
const PLACES: usize = 1_024;
/// A result with fewer lines shows too little to be called the same.
const FEWEST_LINES: usize = 5;
/// The most tools of which it is known how the last result began and ended.
const TOOLS: usize = 4;
const ENDS: usize = 64;

/// The lines of the results before.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(in super::super) struct SeenLines {
    /// A part of the hash of each line, by another part of it, 0 for none; empty before the first.
    places: Vec<[u8; 2]>,
    /// From the one that was called the longest ago to the last.
    tools: Vec<LastResult>,
}

/// The last result of a tool.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
struct LastResult {
    tool: u64,
    call: Option<u64>,
    path: Option<u64>,
    /// A byte for each of its first lines, and of its last ones from the end on.
    begin: Vec<u8>,
    end: Vec<u8>,
}

/// The lines that two begin with alike.
fn shared<'a>(before: &[u8], lines: impl Iterator<Item = &'a u32>) -> usize {
    let equal = |(before, line): &(&u8, &u32)| **before == byte_of(**line);
    before.iter().zip(lines).take_while(equal).count()
}

fn byte_of(line: u32) -> u8 {
    (line >> 8) as u8
}

impl SeenLines {
    /// Takes the lines of a result. Whether four fifths of them were seen before, after the same
    /// lines; of what the tool says anyway there is no telling.
    pub(in super::super) fn take(&mut self, call: &CallFeatures, lines: &[u32]) -> bool {
        if lines.is_empty() {
            return false;
        }
        if self.places.is_empty() {
            self.places.resize(PLACES, [0; 2]);
        }
        let parts = |line: u32| {
            let part = (line >> 16) as u16 | 1;
            (line as usize % PLACES, part.to_le_bytes())
        };
        let own = &lines[self.said_anyway(call, lines)];
        let is_seen = |line: &&u32| {
            let (place, part) = parts(**line);
            self.places[place] == part
        };
        let seen = own.iter().filter(is_seen).count();
        let is_seen = own.len() >= FEWEST_LINES && seen * 5 >= own.len() * 4;
        for line in lines {
            let (place, part) = parts(*line);
            self.places[place] = part;
        }
        is_seen
    }

    /// The lines of a result without those that it shares, at its beginning and at its end, with the last one of its
    /// tool, which was about something else; all of them if they are all shared.
    fn said_anyway(&mut self, call: &CallFeatures, lines: &[u32]) -> Range<usize> {
        let now = LastResult {
            tool: call.tool,
            call: call.call,
            path: call.path,
            begin: lines.iter().take(ENDS).map(|line| byte_of(*line)).collect(),
            end: lines
                .iter()
                .rev()
                .take(ENDS)
                .map(|line| byte_of(*line))
                .collect(),
        };
        let place = self.tools.iter().position(|last| last.tool == call.tool);
        let before = place.map(|place| self.tools.remove(place));
        if self.tools.len() == TOOLS {
            self.tools.remove(0);
        }
        self.tools.push(now);
        let is_other = |before: &LastResult| {
            before.call != call.call && (call.path.is_none() || before.path != call.path)
        };
        let Some(before) = before.filter(is_other) else {
            return 0..lines.len();
        };
        let begin = shared(&before.begin, lines.iter());
        let end = lines.len() - shared(&before.end, lines.iter().rev());
        match begin < end {
            true => begin..end,
            false => 0..lines.len(),
        }
    }

    pub(in super::super) fn validate(&self) -> Result<(), Corrupt> {
        let has_ends = |last: &LastResult| last.begin.len() <= ENDS && last.end.len() <= ENDS;
        Corrupt::unless(self.tools.len() <= TOOLS && self.tools.iter().all(has_ends))?;
        Corrupt::unless(self.places.is_empty() || self.places.len() == PLACES)
    }
}
