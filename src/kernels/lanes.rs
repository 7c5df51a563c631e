//! Eight code units at a time.

use wide::{i16x8, u16x8};

/// Code units looked at together.
pub(crate) const LANES: usize = 8;

/// For each unit all bits, or none.
pub(crate) type Mask = u16x8;

#[inline(always)]
pub(crate) fn load(units: &[u16; LANES]) -> u16x8 {
    u16x8::new(*units)
}

/// The unit in every lane.
pub(crate) const fn splat(unit: u16) -> u16x8 {
    u16x8::new([unit; LANES])
}

#[inline(always)]
pub(crate) fn is<const UNIT: u16>(units: u16x8) -> Mask {
    units.cmp_eq(const { splat(UNIT) })
}

/// Units up to the given one.
#[inline(always)]
pub(crate) fn is_up_to<const UNIT: u16>(units: u16x8) -> Mask {
    is::<0>(units.saturating_sub(const { splat(UNIT) }))
}

/// Halves of surrogate pairs.
#[inline(always)]
pub(crate) fn is_half(units: u16x8) -> Mask {
    is::<0xd800>(units & const { splat(0xf800) })
}

#[inline(always)]
pub(crate) fn any(mask: Mask) -> bool {
    bytemuck::cast::<_, i16x8>(mask).any()
}

/// Adds up how often each lane was set, in at most 65,535 masks.
pub(crate) struct Count(u16x8);

impl Count {
    pub(crate) const NONE: Self = Self(u16x8::ZERO);

    #[inline(always)]
    pub(crate) fn add(&mut self, mask: Mask) {
        // All bits are minus one.
        self.0 -= mask;
    }

    pub(crate) fn total(self) -> u64 {
        self.0.to_array().iter().map(|&lane| u64::from(lane)).sum()
    }
}
