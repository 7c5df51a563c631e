//! The parts of a call that later ones are compared with: where it pointed, and what it wrote.

use serde::{Deserialize, Serialize};

use crate::call::Encoded;
use turnkeeper_base::snapshot::Corrupt;
use turnkeeper_base::text::hash::fingerprint;

/// A place has this many coordinates at most: where a drag begins and where it ends.
pub(super) const MOST_COORDINATES: usize = 4;
/// A click that is this near to the one before hits the same: in pixels, and never more than this part of
/// the distance from the edge, since a small number may be a cell of a board.
const NEAR: i32 = 8;
const PART_OF_DISTANCE: i32 = 32;
const SPACE: u16 = b' ' as u16;
/// A shorter text is a draft, which may be written anew.
const SHORTEST_TEXT: usize = 100;

/// Of the last call that pointed somewhere, and of the last that wrote a file whole.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(in super::super) struct Remembered {
    /// The point of the first of the calls that are near to each other.
    point: Vec<i32>,
    /// True if a process was started in the background.
    pub(super) has_started_process: bool,
    written: Option<Written>,
}

/// A text that was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Written {
    path: u64,
    units: usize,
    /// True if it is not cut off in the middle of a word or of a line.
    is_whole: bool,
    /// Of its first half.
    begin: u64,
}

/// True if a text may end with a unit: at the end of a line, a sentence or a block.
fn ends_whole(unit: u16) -> bool {
    let marks = "\n.!?;)}]>`。！？";
    marks.encode_utf16().any(|mark| mark == unit)
}

impl Remembered {
    /// The key that a place is compared by: equal for places that are near to the same one.
    pub(super) fn place(&mut self, point: &[i32]) -> u64 {
        let is_near = |(one, other): (&i32, &i32)| {
            let least = (*one).min(*other);
            one.abs_diff(*other) <= NEAR.min(least / PART_OF_DISTANCE).max(0) as u32
        };
        let is_same = self.point.len() == point.len() && self.point.iter().zip(point).all(is_near);
        if !is_same {
            self.point = point.to_vec();
        }
        let bytes: Vec<u8> = self
            .point
            .iter()
            .flat_map(|one| one.to_le_bytes())
            .collect();
        fingerprint(&bytes)
    }

    /// True if a file that is written whole has more than what was written to it last, and begins with the first half
    /// of that: more may have come into the middle.
    pub(super) fn grows(&mut self, path: u64, content: Encoded) -> bool {
        let text = content.units();
        let units = text.len();
        let mut from_end = (0..units).rev().map(|at| text.at(at));
        let last = from_end.find(|unit| *unit != SPACE);
        let begin_of = |units: usize| fingerprint(text.bytes_of_first(units / 2));
        let grows = self.written.is_some_and(|before| {
            before.path == path
                && before.is_whole
                && before.units >= SHORTEST_TEXT
                && units > before.units
                && begin_of(before.units) == before.begin
        });
        self.written = Some(Written {
            path,
            units,
            is_whole: last.is_some_and(ends_whole),
            begin: begin_of(units),
        });
        grows
    }

    pub(in super::super) fn validate(&self) -> Result<(), Corrupt> {
        let has_counted = |written: Written| written.units <= usize::MAX / 2;
        Corrupt::unless(self.point.len() <= MOST_COORDINATES)?;
        Corrupt::unless(self.written.is_none_or(has_counted))
    }
}
