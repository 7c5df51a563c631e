//! The lines of results that were seen before: a file that is read again in other windows shows nothing
//! new.

use serde::{Deserialize, Serialize};

use turnkeeper_base::snapshot::Corrupt;

/// The lines that are remembered. Each has its place, which the next with the same one takes over.
const PLACES: usize = 1_024;
/// A result with fewer lines shows too little to be called the same.
const FEWEST_LINES: usize = 5;

/// The lines of the results before.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(in super::super) struct SeenLines {
    /// A part of the hash of each line, by another part of it, 0 for none; empty before the first.
    places: Vec<u16>,
}

impl SeenLines {
    /// Takes the lines of a result. Whether four fifths of them were seen before, after the same
    /// lines.
    pub(in super::super) fn take(&mut self, lines: &[u32]) -> bool {
        if lines.is_empty() {
            return false;
        }
        if self.places.is_empty() {
            self.places.resize(PLACES, 0);
        }
        let parts = |line: u32| (line as usize % PLACES, (line >> 16) as u16 | 1);
        let is_seen = |line: &&u32| {
            let (place, part) = parts(**line);
            self.places[place] == part
        };
        let seen = lines.iter().filter(is_seen).count();
        for line in lines {
            let (place, part) = parts(*line);
            self.places[place] = part;
        }
        lines.len() >= FEWEST_LINES && seen * 5 >= lines.len() * 4
    }

    pub(in super::super) fn validate(&self) -> Result<(), Corrupt> {
        Corrupt::unless(self.places.is_empty() || self.places.len() == PLACES)
    }
}
