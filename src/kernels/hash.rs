//! A fast hash, for comparing.

use xxhash_rust::xxh3::xxh3_64;

/// A 64-bit XXH3 of `bytes`, the same on every platform. For comparing, never for security.
pub fn fingerprint(bytes: &[u8]) -> u64 {
    xxh3_64(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fingerprints_are_pinned_because_snapshots_carry_them() {
        assert_eq!(fingerprint(b""), 0x2d06_8005_38d3_94c2);
        assert_eq!(fingerprint(b"a"), 0xe6c6_32b6_1e96_4e1f);
    }
}
