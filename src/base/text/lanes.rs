//! Many code units at a time.

use wide::{i16x8, u8x16, u16x8};

use super::utf8;

/// UTF-16 code units looked at together.
pub(super) const LANES: usize = 8;

/// For each unit all bits, or none.
pub(super) type Mask = u16x8;

#[inline(always)]
pub(super) fn load(units: &[u16; LANES]) -> u16x8 {
    u16x8::new(*units)
}

/// The unit in every lane.
pub(super) const fn splat(unit: u16) -> u16x8 {
    u16x8::new([unit; LANES])
}

#[inline(always)]
pub(super) fn is<const UNIT: u16>(units: u16x8) -> Mask {
    units.cmp_eq(const { splat(UNIT) })
}

/// Units up to the given one.
#[inline(always)]
pub(super) fn is_up_to<const UNIT: u16>(units: u16x8) -> Mask {
    is::<0>(units.saturating_sub(const { splat(UNIT) }))
}

/// Halves of surrogate pairs.
#[inline(always)]
pub(super) fn is_half(units: u16x8) -> Mask {
    is::<0xd800>(units & const { splat(0xf800) })
}

#[inline(always)]
pub(super) fn any(mask: Mask) -> bool {
    bytemuck::cast::<_, i16x8>(mask).any()
}

/// Adds up how often each lane was set, in at most 65,535 masks.
pub(super) struct Count(u16x8);

impl Count {
    pub(super) const NONE: Self = Self(u16x8::ZERO);

    #[inline(always)]
    pub(super) fn add(&mut self, mask: Mask) {
        // All bits are minus one.
        self.0 -= mask;
    }

    pub(super) fn total(self) -> u64 {
        self.0.to_array().iter().map(|&lane| u64::from(lane)).sum()
    }
}

/// A unit of ASCII or of UTF-16.
pub(super) trait Unit: Copy + Default + From<u8> + Into<u16> {
    /// Units looked at together.
    const LANES: usize;
    /// As many units, next to each other.
    type Piece: Copy;

    /// The first of the units.
    fn piece(units: &[Self]) -> Option<&Self::Piece>;
    /// The first of the units.
    fn piece_mut(units: &mut [Self]) -> Option<&mut Self::Piece>;
    /// The number of units of the piece before the first that a JSON string may have to escape.
    fn plain(piece: &Self::Piece) -> usize;
}

impl Unit for u8 {
    const LANES: usize = 16;
    type Piece = [u8; 16];

    #[inline(always)]
    fn piece(units: &[u8]) -> Option<&[u8; 16]> {
        units.first_chunk()
    }

    #[inline(always)]
    fn piece_mut(units: &mut [u8]) -> Option<&mut [u8; 16]> {
        units.first_chunk_mut()
    }

    #[inline(always)]
    fn plain(piece: &[u8; 16]) -> usize {
        let bytes = u8x16::new(*piece);
        let special = utf8::escaped_in_json(bytes) | utf8::is::<b'<'>(bytes);
        (utf8::bits(special) | 1 << 16).trailing_zeros() as usize
    }
}

impl Unit for u16 {
    const LANES: usize = LANES;
    type Piece = [u16; LANES];

    #[inline(always)]
    fn piece(units: &[u16]) -> Option<&[u16; LANES]> {
        units.first_chunk()
    }

    #[inline(always)]
    fn piece_mut(units: &mut [u16]) -> Option<&mut [u16; LANES]> {
        units.first_chunk_mut()
    }

    #[inline(always)]
    fn plain(piece: &[u16; LANES]) -> usize {
        let units = load(piece);
        let escaped = is_up_to::<0x1f>(units) | is::<0x22>(units) | is::<0x5c>(units);
        let special = escaped | is::<0x3c>(units) | is_half(units);
        let mask = bytemuck::cast::<_, i16x8>(special).move_mask();
        (mask | 1 << LANES).trailing_zeros() as usize
    }
}
