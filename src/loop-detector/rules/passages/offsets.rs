//! The offsets in the text of the units that are compared.

use crate::counts::MAX_COUNT;
use serde::{Deserialize, Serialize, Serializer};

use crate::copies::clone_by_fields;
use turnkeeper_base::snapshot::Corrupt;

/// Compared units and units of the text count in step, except where something was folded away.
/// Only those places are kept, and only the recent ones.
#[derive(Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(from = "Vec<Step>")]
pub(crate) struct Offsets {
    /// From each on both count in step. The first `outdated` of them are too old to matter.
    steps: Vec<Step>,
    outdated: usize,
}

clone_by_fields! { Offsets: steps, outdated }

/// Compared unit number `compared` was at `offset`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Step {
    compared: u64,
    offset: u64,
}

impl Offsets {
    pub(crate) fn clear(&mut self) {
        self.steps.clear();
        self.outdated = 0;
    }

    /// Compared unit number `compared` was at `offset`. Forgets all that is more than `kept`
    /// compared units back.
    #[inline(always)]
    pub(crate) fn note(&mut self, compared: u64, offset: u64, kept: u64) {
        if let Some(last) = self.steps.last()
            && last.offset + (compared - last.compared) == offset
        {
            return;
        }
        self.add(Step { compared, offset }, kept);
    }

    // Seldom: only where something was folded away.
    #[cold]
    fn add(&mut self, step: Step, kept: u64) {
        self.steps.push(step);
        while let Some(next) = self.steps.get(self.outdated + 1)
            && next.compared + kept <= step.compared
        {
            self.outdated += 1;
        }
        // Each step is moved once at most, on average.
        if self.outdated * 2 > self.steps.len() {
            self.forget();
        }
    }

    fn forget(&mut self) {
        self.steps.drain(..self.outdated);
        self.outdated = 0;
    }

    /// The offset of a recent compared unit.
    pub(crate) fn of(&self, compared: u64) -> u64 {
        let later = self.steps.partition_point(|step| step.compared <= compared);
        match self.steps.get(later.saturating_sub(1)) {
            Some(step) => step.offset + compared.saturating_sub(step.compared),
            None => 0,
        }
    }

    /// Checks that a text can go on from it, of which `length` units were compared so far.
    pub(crate) fn validate(&self, length: u64) -> Result<(), Corrupt> {
        let fits = |step: &Step| step.compared <= length && step.offset <= MAX_COUNT;
        Corrupt::unless(self.steps.iter().all(fits))?;
        let ascends =
            |pair: &[Step]| pair[0].compared < pair[1].compared && pair[0].offset < pair[1].offset;
        Corrupt::unless(self.steps.windows(2).all(ascends))
    }
}

/// Outdated steps are not saved.
impl Serialize for Offsets {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.steps[self.outdated..].serialize(serializer)
    }
}

impl From<Vec<Step>> for Offsets {
    fn from(steps: Vec<Step>) -> Self {
        Self { steps, outdated: 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_found_again_and_old_ones_forgotten() {
        let mut offsets = Offsets::default();
        let mut offset = 0;
        for compared in 0..10_000u64 {
            offset += if compared % 10 == 0 { 5 } else { 1 };
            offsets.note(compared, offset, 100);
            assert_eq!(offsets.of(compared), offset);
            assert!(offsets.steps.len() - offsets.outdated <= 12);
            assert!(offsets.steps.len() <= 24);
        }
        assert_eq!(offsets.of(9_990), offset - 9);
        assert_eq!(offsets.of(9_989), offset - 14);
    }
}
