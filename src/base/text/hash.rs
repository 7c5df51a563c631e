//! Hashes: a fast one to compare by, SHA-256 for the keys that leave the library.

use std::fmt::Write;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use xxhash_rust::xxh64::xxh64;

/// A 64-bit XXH64 of `bytes`, the same on every platform. For comparing, never for security.
pub fn fingerprint(bytes: &[u8]) -> u64 {
    xxh64(bytes, 0)
}

/// The [`fingerprint`] of UTF-16 code units; it depends on the order of their bytes on the platform.
pub fn unit_fingerprint(units: &[u16]) -> u64 {
    fingerprint(bytemuck::cast_slice(units))
}

/// One hash of two, in this order: the [`fingerprint`] of their bytes, of which there are always as many.
pub fn mixed(first: u64, second: u64) -> u64 {
    const PRIMES: [u64; 5] = [
        0x9e37_79b1_85eb_ca87,
        0xc2b2_ae3d_27d4_eb4f,
        0x1656_67b1_9e37_79f9,
        0x85eb_ca77_c2b2_ae63,
        0x27d4_eb2f_1656_67c5,
    ];
    let mut hash = PRIMES[4] + 16;
    for half in [first, second] {
        let round = half.wrapping_mul(PRIMES[1]).rotate_left(31);
        hash ^= round.wrapping_mul(PRIMES[0]);
        hash = hash.rotate_left(27).wrapping_mul(PRIMES[0]);
        hash = hash.wrapping_add(PRIMES[3]);
    }
    hash = (hash ^ hash >> 33).wrapping_mul(PRIMES[1]);
    hash = (hash ^ hash >> 29).wrapping_mul(PRIMES[2]);
    hash ^ hash >> 32
}

/// SHA-256 of `bytes` as 64 lower-case hexadecimal characters.
pub fn sha256_hex(bytes: &[u8]) -> String {
    let mut hex = String::with_capacity(64);
    for byte in Sha256::digest(bytes) {
        write!(hex, "{byte:02x}").expect("a string takes whatever is written");
    }
    hex
}

/// A running 64-bit hash of UTF-16 code units (FNV-1a), for text that is never held whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnitHash(pub u64);

/// That of no unit.
impl Default for UnitHash {
    fn default() -> Self {
        Self::EMPTY
    }
}

/// That of FNV.
const PRIME: u64 = 0x0000_0100_0000_01b3;

impl UnitHash {
    /// The hash of no unit.
    pub const EMPTY: Self = Self(0xcbf2_9ce4_8422_2325);

    /// The hash of units.
    #[inline]
    pub fn of(units: impl IntoIterator<Item = u16>) -> Self {
        let mut hash = Self::EMPTY;
        units.into_iter().for_each(|unit| hash.push(unit));
        hash
    }

    /// Adds a unit at the end. Two instructions, which a call would cost several times over.
    #[inline(always)]
    pub fn push(&mut self, unit: u16) {
        self.0 = (self.0 ^ u64::from(unit)).wrapping_mul(PRIME);
    }

    /// Adds the hash of units, which is quicker than the units where several hashes take them; it is not the same.
    #[inline(always)]
    pub fn push_hash(&mut self, units: Self) {
        // Otherwise the highest bit would never reach another one.
        self.0 = (self.0.rotate_left(23) ^ units.0).wrapping_mul(PRIME);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fingerprints_are_pinned_because_snapshots_carry_them() {
        assert_eq!(fingerprint(b""), 0xef46_db37_51d8_e999);
        assert_eq!(fingerprint(b"a"), 0xd24e_c4f1_a98c_6e5b);
    }

    #[test]
    fn two_mixed_are_the_fingerprint_of_their_bytes() {
        for (first, second) in [(0, 0), (1, u64::MAX), (0x0123_4567_89ab_cdef, 1 << 63)] {
            let bytes = [u64::to_le_bytes(first), u64::to_le_bytes(second)].concat();
            assert_eq!(mixed(first, second), fingerprint(&bytes));
        }
    }

    #[test]
    fn a_hash_of_hashes_depends_on_each_bit_and_on_their_order() {
        let of = |hashes: [u64; 3]| {
            let mut all = UnitHash::EMPTY;
            hashes
                .map(UnitHash)
                .into_iter()
                .for_each(|it| all.push_hash(it));
            all
        };
        for bit in (0..64).map(|bit| 1 << bit) {
            assert_ne!(of([7, 8, 9]), of([7 ^ bit, 8, 9]));
            // What is beyond the highest bit is lost, and must not make two equal.
            assert_ne!(of([7, 8, 9]), of([7 ^ bit, 8 ^ bit, 9]));
        }
        assert_ne!(of([7, 8, 9]), of([8, 7, 9]));
    }

    #[test]
    fn sha256_of_the_standard_vector() {
        assert_eq!(
            sha256_hex(b"abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }
}
