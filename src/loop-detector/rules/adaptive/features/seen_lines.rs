//! The lines of results that were seen before: a file that is read again in other windows shows nothing
//! new. What a tool says with each result, such as a banner or a list of rules, is not what a call brought.

use std::collections::VecDeque;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::characters::is_ascii;
use super::step::CallFeatures;
use super::tokens::{Source, Tokens};
use crate::copies::clone_by_fields;
use turnkeeper_base::newest;
use turnkeeper_base::snapshot::Corrupt;
use turnkeeper_base::text::hash::mixed;

/// The lines that are remembered. Each has its place, which the next with the same one takes over.
const PLACES: usize = 1_024;
/// A result with fewer lines shows too little to be called the same.
const FEWEST_LINES: usize = 5;
/// The most tools of which it is known how the last result began and ended, and the last that claimed an error.
const TOOLS: usize = 8;
const ENDS: usize = 64;

/// The lines of the results before.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(in super::super) struct SeenLines {
    /// Two bytes of the hash of each line, by another part of it, 0 for none; empty before the first. Written one by
    /// one, a thousand of them are a loop that an engine compiles once more for its speed, at the start of every program.
    #[serde(with = "serde_bytes")]
    places: Vec<u8>,
    /// From the one that was called the longest ago to the last.
    tools: VecDeque<LastResult>,
}

clone_by_fields! { SeenLines: places, tools }

/// The last result of a tool.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct LastResult {
    tool: u64,
    call: Option<u64>,
    path: Option<u64>,
    /// A byte for each of its first lines, and of its last ones from the end on.
    begin: Vec<u8>,
    end: Vec<u8>,
}

clone_by_fields! { LastResult: tool, call, path, begin, end }

/// The lines that two begin with alike.
fn shared<'a>(before: &[u8], lines: impl Iterator<Item = &'a u32>) -> usize {
    let equal = |(before, line): &(&u8, &u32)| **before == byte_of(**line);
    before.iter().zip(lines).take_while(equal).count()
}

fn claim_of(call: &CallFeatures) -> CallFeatures {
    CallFeatures {
        tool: mixed(call.tool, CLAIM),
        ..*call
    }
}

fn byte_of(line: u32) -> u8 {
    (line >> 8) as u8
}

/// Tells the last result of a tool that claimed an error from its last result.
const CLAIM: u64 = 0x636c_6169_6d65_6421;

impl SeenLines {
    /// A short result that claims an error, without the lines at its beginning and at its end that it shares with the
    /// last one of its tool, numbers left out; all of it if nothing else is on it.
    pub(super) fn beside_what_is_shared<'a>(
        &mut self,
        call: &CallFeatures,
        result: &'a [u16],
        source: Source,
    ) -> &'a [u16] {
        let lines = result.split_inclusive(|unit| is_ascii(*unit, b'\n'));
        let hash = |line| Tokens::of(line, source).without_numbers.0 as u32;
        let hashes: Vec<u32> = lines.clone().map(hash).collect();
        let own = self.said_anyway(&claim_of(call), &hashes);
        let length = |count| lines.clone().take(count).map(<[u16]>::len).sum::<usize>();
        &result[length(own.start)..length(own.end)]
    }

    /// The result of a call claims no error, so that what those before it claimed is not said each time.
    pub(super) fn claims_no_error(&mut self, call: &CallFeatures) {
        let CallFeatures { tool, .. } = claim_of(call);
        self.tools.retain(|last| last.tool != tool);
    }

    /// Takes the lines of a result. Whether four fifths of them were seen before, after the same
    /// lines; of what the tool says anyway there is no telling.
    pub(in super::super) fn take(&mut self, call: &CallFeatures, lines: &[u32]) -> bool {
        if lines.is_empty() {
            return false;
        }
        if self.places.is_empty() {
            self.places.resize(2 * PLACES, 0);
        }
        let parts = |line: u32| {
            let part = (line >> 16) as u16 | 1;
            let place = 2 * (line as usize % PLACES);
            (place..place + 2, part.to_le_bytes())
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
            self.places[place].copy_from_slice(&part);
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
        let before = newest::take(&mut self.tools, |last| last.tool == call.tool);
        newest::push(&mut self.tools, now, TOOLS);
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
        Corrupt::unless(self.places.is_empty() || self.places.len() == 2 * PLACES)
    }
}
