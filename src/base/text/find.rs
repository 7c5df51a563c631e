//! A search for the next of a few characters. Each search is for fixed characters and has a
//! function of its own, so that nothing has to be prepared for one that ends soon.

use super::lanes::{LANES, any, is, load};

/// The place of the first unit at or after `from` that is one of three; the text's length if there
/// is none.
#[inline(always)]
fn find<const A: u16, const B: u16, const C: u16>(units: &[u16], from: usize) -> usize {
    let mut at = from;
    while let Some(chunk) = units.get(at..).and_then(<[u16]>::first_chunk::<LANES>) {
        let chunk = load(chunk);
        if any(is::<A>(chunk) | is::<B>(chunk) | is::<C>(chunk)) {
            break;
        }
        at += LANES;
    }
    while at < units.len() && units[at] != A && units[at] != B && units[at] != C {
        at += 1;
    }
    at.min(units.len())
}

/// The next `@` at or after `from`, or the end.
pub fn find_at_sign(units: &[u16], from: usize) -> usize {
    find::<0x40, 0x40, 0x40>(units, from)
}

/// The next `@` or `!` at or after `from`, or the end.
pub fn find_mark(units: &[u16], from: usize) -> usize {
    find::<0x40, 0x21, 0x21>(units, from)
}

/// The next `` ` `` or `~` at or after `from`, or the end.
pub fn find_code_mark(units: &[u16], from: usize) -> usize {
    find::<0x60, 0x7e, 0x7e>(units, from)
}

/// The next line feed at or after `from`, or the end.
pub fn find_newline(units: &[u16], from: usize) -> usize {
    find::<0x0a, 0x0a, 0x0a>(units, from)
}

/// The last `<`.
pub fn find_last_less(units: &[u16]) -> Option<usize> {
    const LESS: u16 = b'<' as u16;
    let mut end = units.len();
    while let Some((rest, chunk)) = units[..end].split_last_chunk::<LANES>()
        && !any(is::<LESS>(load(chunk)))
    {
        end = rest.len();
    }
    units[..end].iter().rposition(|unit| *unit == LESS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_is_found_at_every_place() {
        for length in 0..40 {
            for place in 0..length {
                let mut units = vec![u16::from(b'<'); place + 1];
                units.resize(length, 0);
                assert_eq!(find_last_less(&units), Some(place));
                assert_eq!(find_last_less(&units[place + 1..]), None);
            }
        }
    }

    #[test]
    fn each_is_found_at_every_place() {
        for length in 0..40 {
            for place in 0..length {
                for wanted in 1..4 {
                    let mut units = vec![0; length];
                    units[place] = wanted;
                    for from in 0..length + 2 {
                        let expected = if from <= place { place } else { length };
                        assert_eq!(find::<1, 2, 3>(&units, from), expected);
                    }
                }
            }
        }
    }
}
