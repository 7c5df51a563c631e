//! Places in a text where its last units were before.

/// The units that are looked for: this many, the last of a text, are its seed.
const SEED: usize = 16;
/// A search looks at one of this many places. Half a seed, so that wherever a copy of the seed is,
/// one of the places lies in its first half.
const STRIDE: usize = 8;
/// The number of units that are looked at there, as one number.
const PART: usize = 4;

/// Adds how many units before its end the text's seed was, up to `farthest`, from the farthest to
/// the nearest; nothing if the text is shorter than a seed.
///
/// At each place that is looked at, the [`PART`] units are compared with those at the beginning of the
/// seed, first by one bit of a small hash, which most text does not have.
pub fn find_seed(units: &[u16], farthest: usize, lags: &mut Vec<usize>) {
    let Some((before, seed)) = units.split_last_chunk::<SEED>() else {
        return;
    };
    let begin = before.len().saturating_sub(farthest);
    let mut parts = [0; STRIDE];
    let mut marks = 0;
    for (part, units) in parts.iter_mut().zip(seed.windows(PART)) {
        *part = joined(units[0], units[1], units[2], units[3]);
        marks |= mark(*part);
    }
    let mut place = begin;
    for [a, b, c, d, ..] in units[begin..].as_chunks::<STRIDE>().0 {
        let part = joined(*a, *b, *c, *d);
        if marks & mark(part) != 0 {
            add_lags(units, place, part, &parts, farthest, lags);
        }
        place += STRIDE;
    }
}

/// Adds how far back the seed was if the part at `place` is one of its own.
fn add_lags(
    units: &[u16],
    place: usize,
    part: u64,
    parts: &[u64; STRIDE],
    farthest: usize,
    lags: &mut Vec<usize>,
) {
    let end = units.len() - SEED;
    for (inside, own) in parts.iter().enumerate().rev() {
        if *own != part || place < inside {
            continue;
        }
        let start = place - inside;
        let is_near = start < end && end - start <= farthest;
        if is_near && units[start..start + SEED] == units[end..] {
            lags.push(end - start);
        }
    }
}

/// Four units as one number, which is one load.
#[inline(always)]
fn joined(a: u16, b: u16, c: u16, d: u16) -> u64 {
    u64::from(a) | u64::from(b) << 16 | u64::from(c) << 32 | u64::from(d) << 48
}

/// One bit of 64. Equal parts have the same one, different parts seldom.
#[inline(always)]
fn mark(part: u64) -> u64 {
    1 << (part.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 58)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn as_a_look_at_every_place_finds_it(
            text in proptest::collection::vec(0u16..2, 0..300),
            copies in 1usize..3,
            farthest in 1usize..200,
        ) {
            let text = text.repeat(copies);
            let mut lags = Vec::new();
            find_seed(&text, farthest, &mut lags);
            let mut expected = Vec::new();
            if let Some(end) = text.len().checked_sub(SEED) {
                for start in end.saturating_sub(farthest)..end {
                    if text[start..start + SEED] == text[end..] {
                        expected.push(end - start);
                    }
                }
            }
            prop_assert_eq!(lags, expected);
        }
    }
}
