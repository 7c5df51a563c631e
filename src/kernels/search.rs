//! Looking for a few characters in a long text.

use crate::lanes::{LANES, any, load, splat};

/// Where the first unit at or behind `from` stands that is one of four; the text's length if there
/// is none.
pub fn find_any(units: &[u16], from: usize, wanted: [u16; 4]) -> usize {
    let [a, b, c, d] = wanted.map(splat);
    let mut at = from;
    while let Some(chunk) = units.get(at..).and_then(<[u16]>::first_chunk::<LANES>) {
        let chunk = load(chunk);
        if any(chunk.cmp_eq(a) | chunk.cmp_eq(b) | chunk.cmp_eq(c) | chunk.cmp_eq(d)) {
            break;
        }
        at += LANES;
    }
    while at < units.len() && !wanted.contains(&units[at]) {
        at += 1;
    }
    at.min(units.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_of_the_four_is_found_at_every_place() {
        for length in 0..40 {
            for place in 0..length {
                for wanted in 1..5 {
                    let mut units = vec![0; length];
                    units[place] = wanted;
                    for from in 0..length + 2 {
                        let expected = if from <= place { place } else { length };
                        assert_eq!(find_any(&units, from, [1, 2, 3, 4]), expected);
                    }
                }
            }
        }
    }
}
