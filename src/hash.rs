//! Hashes: a fast one to compare by, SHA-256 for the keys that leave the library.

use sha2::{Digest, Sha256};

use crate::text::push_hex;

pub(crate) use turnkeeper_kernels::fingerprint;

/// One hash of two, in this order.
pub(crate) fn mixed(first: u64, second: u64) -> u64 {
    let mut bytes = [0; 16];
    let (front, back) = bytes.split_at_mut(8);
    front.copy_from_slice(&first.to_le_bytes());
    back.copy_from_slice(&second.to_le_bytes());
    fingerprint(&bytes)
}

/// SHA-256 of `bytes` as 64 lower-case hexadecimal characters.
pub(crate) fn sha256_hex(bytes: &[u8]) -> String {
    let mut hex = String::with_capacity(64);
    for byte in Sha256::digest(bytes) {
        push_hex(&mut hex, byte);
    }
    hex
}

/// A running 64-bit hash of UTF-16 code units (FNV-1a), for text that is never held whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct UnitHash(pub(crate) u64);

impl UnitHash {
    pub(crate) const EMPTY: Self = Self(0xcbf2_9ce4_8422_2325);

    pub(crate) fn push(&mut self, unit: u16) {
        self.0 = (self.0 ^ u64::from(unit)).wrapping_mul(0x0000_0100_0000_01b3);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sha256_of_the_standard_vector() {
        assert_eq!(
            sha256_hex(b"abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }
}
