//! The parts of a call that later ones are compared with: where it pointed, and what it wrote.

use serde::{Deserialize, Serialize};

use super::alike::{PLACES, Words, are_alike};
use super::characters::{Class, is, lower_case};
use crate::call::Encoded;
use turnkeeper_base::snapshot::Corrupt;
use turnkeeper_base::text::hash::{UnitHash, fingerprint};

/// A place has this many coordinates at most: where a drag begins and where it ends.
pub(super) const MOST_COORDINATES: usize = 4;
/// A click that is this near to the one before hits the same: in pixels, and never more than this part of
/// the distance from the edge, since a small number may be a cell of a board.
const NEAR: i32 = 8;
const PART_OF_DISTANCE: i32 = 32;
const SPACE: u16 = b' ' as u16;
/// A shorter text is a draft, which may be written anew.
const SHORTEST_TEXT: usize = 100;

/// A file that is written anew has this many tenths of its words in common with what it was.
const OF_ONE_FILE: u32 = 3;
const FEWEST_WORDS: usize = 2;
/// This many units of a text are read for its words.
const READ_UNITS: usize = 2_048;

/// The words of a text, as [`Words::places`].
fn words_of(content: Encoded) -> [u8; PLACES] {
    let mut words = Words::default();
    let mut word = UnitHash::EMPTY;
    // Whatever their width, one loop reads them, which calls nothing for one of thousands.
    for unit in content.units().up_to(READ_UNITS).to_vec() {
        if unit >= 0x80 || is(unit, Class::LETTER) {
            word.push(lower_case(unit));
        } else if word != UnitHash::EMPTY {
            words.add(std::mem::take(&mut word));
        }
    }
    if word != UnitHash::EMPTY {
        words.add(word);
    }
    words.places()
}

/// Of the last call that pointed somewhere, and of the last that wrote a file whole.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(in super::super) struct Remembered {
    /// The point of the first of the calls that are near to each other.
    point: Vec<i32>,
    /// Whether a process was started in the background.
    pub(super) has_started_process: bool,
    written: Option<Written>,
}

/// A text that was written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Written {
    path: u64,
    units: usize,
    /// Whether it is not cut off in the middle of a word or of a line.
    is_whole: bool,
    /// Of its first half.
    begin: u64,
    /// The arguments beside it, such as the sheet or the cell that it goes to.
    place: u64,
    words: [u8; PLACES],
}

/// Whether a text may end with a unit: at the end of a line, a sentence or a block.
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

    /// Whether what is written to a file comes beside what was written to it last: to another place of it, in other
    /// words, or as more of the same, beginning with the first half of it.
    pub(super) fn adds(&mut self, path: u64, place: u64, content: Option<Encoded>) -> bool {
        let now = content.map_or_else(Written::default, |content| {
            let text = content.units();
            let units = text.len();
            let mut from_end = (0..units).rev().map(|at| text.at(at));
            let last = from_end.find(|unit| *unit != SPACE);
            Written {
                units,
                is_whole: last.is_some_and(ends_whole),
                begin: fingerprint(text.up_to(units / 2).bytes()),
                words: words_of(content),
                ..Written::default()
            }
        });
        let now = Written { path, place, ..now };
        let Some(before) = self
            .written
            .replace(now)
            .filter(|before| before.path == path)
        else {
            return false;
        };
        let grows = content.is_some_and(|content| {
            let begin = fingerprint(content.units().up_to(before.units / 2).bytes());
            before.is_whole
                && before.units >= SHORTEST_TEXT
                && now.units > before.units
                && begin == before.begin
        });
        // A word or two say little.
        let say_much = [&before.words, &now.words]
            .iter()
            .all(|words| words.iter().filter(|word| **word != 0).count() >= FEWEST_WORDS);
        let differs = say_much && !are_alike(&before.words, &now.words, OF_ONE_FILE);
        grows || before.place != place || differs
    }

    pub(in super::super) fn validate(&self) -> Result<(), Corrupt> {
        let has_counted = |written: Written| written.units <= usize::MAX / 2;
        Corrupt::unless(self.point.len() <= MOST_COORDINATES)?;
        Corrupt::unless(self.written.is_none_or(has_counted))
    }
}
