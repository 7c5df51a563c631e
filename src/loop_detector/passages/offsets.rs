//! Where in the text a compared unit stood.

use std::collections::VecDeque;

use crate::snapshot::{Corrupt, Reader, Writer};

/// Compared units and units of the text count in step, except where something was folded away.
/// Only those places are kept, and only the recent ones.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Offsets {
    /// `(compared, offset)`: from here on both count in step.
    steps: VecDeque<(u64, u64)>,
}

impl Offsets {
    pub(crate) fn clear(&mut self) {
        self.steps.clear();
    }

    /// Compared unit number `compared` stood at `offset`. Forgets all that is more than `kept`
    /// compared units back.
    #[inline]
    pub(crate) fn note(&mut self, compared: u64, offset: u64, kept: u64) {
        if let Some((from, at)) = self.steps.back()
            && at + (compared - from) == offset
        {
            return;
        }
        self.steps.push_back((compared, offset));
        while self.steps.len() > 1 && self.steps[1].0 + kept <= compared {
            self.steps.pop_front();
        }
    }

    /// The offset of a recent compared unit.
    pub(crate) fn of(&self, compared: u64) -> u64 {
        let later = self.steps.partition_point(|(from, _)| *from <= compared);
        match self.steps.get(later.saturating_sub(1)) {
            Some((from, offset)) => offset + compared.saturating_sub(*from),
            None => 0,
        }
    }

    pub(crate) fn save(&self, to: &mut Writer) {
        to.length(self.steps.len());
        for (compared, offset) in &self.steps {
            to.number(*compared);
            to.number(*offset);
        }
    }

    /// `length` units were compared so far.
    pub(crate) fn load(from: &mut Reader, length: u64) -> Result<Self, Corrupt> {
        let mut steps: VecDeque<(u64, u64)> = VecDeque::new();
        for _ in 0..from.length(usize::MAX)? {
            let step = (from.number_to(length)?, from.number_to(u64::MAX >> 8)?);
            if steps
                .back()
                .is_some_and(|last| last.0 >= step.0 || last.1 >= step.1)
            {
                return Err(Corrupt);
            }
            steps.push_back(step);
        }
        Ok(Self { steps })
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
            assert!(offsets.steps.len() <= 12);
        }
        assert_eq!(offsets.of(9_990), offset - 9);
        assert_eq!(offsets.of(9_989), offset - 14);
    }
}
