//! Looking for a text in another one, in time linear in both, whatever they hold.
//!
//! This is the Z algorithm. It goes through the places of a text and says of each how many of the first
//! units of the wanted text are there. The match that reaches farthest so far is kept: within it, the
//! text repeats the beginning of the wanted text, about which the same was found out before the search.
//! So no unit of the text is compared again once it has matched.

use std::ops::Range;

/// Whether `text` contains `wanted`.
pub fn contains<T: Copy + PartialEq>(text: &[T], wanted: &[T]) -> bool {
    prefix_lengths(wanted, text).any(|length| length == wanted.len())
}

/// Whether `text` contains `wanted`, wherever `wanted` is thought to begin: "xbcax" holds "abc" as
/// "bca".
///
/// Rotated at some place, `wanted` is its own end and then its own beginning. So it is enough to find a
/// place with an end of it before and a beginning of it after, together as long as it is; where they are
/// longer, the parts that are needed are there, too.
pub fn contains_rotation<T: Copy + PartialEq>(text: &[T], wanted: &[T]) -> bool {
    // Read from its end, a text begins with its end.
    let (reversed_text, reversed_wanted) = (reversed(text), reversed(wanted));
    let ends: Vec<usize> = prefix_lengths(&reversed_wanted, &reversed_text).collect();
    let beginnings = prefix_lengths(wanted, text);
    let mut both = beginnings.zip(ends.iter().rev());
    both.any(|(beginning, end)| beginning + end >= wanted.len())
}

fn reversed<T: Copy>(text: &[T]) -> Vec<T> {
    text.iter().rev().copied().collect()
}

/// For each place of `text`, its end included, how many of the first units of `wanted` are there.
fn prefix_lengths<T: PartialEq>(wanted: &[T], text: &[T]) -> impl Iterator<Item = usize> {
    let within_itself = prefix_lengths_within_itself(wanted);
    let mut farthest = 0..0;
    (0..=text.len()).map(move |place| {
        let least = known_length(&within_itself, &farthest, place);
        extend_match(wanted, text, place, least, &mut farthest)
    })
}

/// For each place of `wanted`, how many of its own first units are there.
fn prefix_lengths_within_itself<T: PartialEq>(wanted: &[T]) -> Vec<usize> {
    let mut lengths = vec![wanted.len()];
    let mut farthest = 0..0;
    for place in 1..wanted.len() {
        let least = known_length(&lengths, &farthest, place);
        lengths.push(extend_match(wanted, wanted, place, least, &mut farthest));
    }
    lengths
}

/// The number of units that are known to match at `place` without looking at them, since `farthest`
/// matched.
fn known_length(within_itself: &[usize], farthest: &Range<usize>, place: usize) -> usize {
    if place < farthest.end {
        within_itself[place - farthest.start].min(farthest.end - place)
    } else {
        0
    }
}

/// Compares on from `least` units that are known to match at `place`.
fn extend_match<T: PartialEq>(
    wanted: &[T],
    text: &[T],
    place: usize,
    least: usize,
    farthest: &mut Range<usize>,
) -> usize {
    // A known match that ends before the farthest one does ends for good.
    if place + least < farthest.end {
        return least;
    }
    let mut more = text[place + least..].iter().zip(&wanted[least..]);
    let length = least
        + more
            .position(|(unit, own)| unit != own)
            .unwrap_or_else(|| (text.len() - place).min(wanted.len()) - least);
    if place + length > farthest.end {
        *farthest = place..place + length;
    }
    length
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::cell::Cell;

    fn units(text: &str) -> Vec<u16> {
        text.encode_utf16().collect()
    }

    thread_local! {
        static COMPARISONS: Cell<usize> = const { Cell::new(0) };
    }

    /// A unit that counts how often units are compared.
    #[derive(Clone, Copy)]
    struct Counted(char);

    impl PartialEq for Counted {
        fn eq(&self, other: &Self) -> bool {
            COMPARISONS.set(COMPARISONS.get() + 1);
            self.0 == other.0
        }
    }

    /// The number of comparisons that a search makes.
    fn comparisons(search: fn(&[Counted], &[Counted]) -> bool, text: &str, wanted: &str) -> usize {
        let counted = |text: &str| -> Vec<Counted> { text.chars().map(Counted).collect() };
        COMPARISONS.set(0);
        search(&counted(text), &counted(wanted));
        COMPARISONS.get()
    }

    /// A text of two letters that differs from itself at every distance, but not at once: rolling hashes
    /// modulo a power of two take its parts for equal.
    fn thue_morse(length: u32) -> String {
        let letter = |at: u32| ['a', 'b'][at.count_ones() as usize % 2];
        (0..length).map(letter).collect()
    }

    #[test]
    fn a_hostile_text_costs_time_in_proportion_to_its_length() {
        let (many, fewer) = (100_000, 50_000);
        let cases = [
            ("a".repeat(many), "a".repeat(fewer) + "b"),
            ("a".repeat(many), "b".to_owned() + &"a".repeat(fewer)),
            ("ab".repeat(fewer), "ab".repeat(fewer / 2) + "b"),
            (("a".repeat(999) + "b").repeat(100), "a".repeat(1_000)),
            (thue_morse(100_000), thue_morse(50_000) + "a"),
        ];
        for (text, wanted) in &cases {
            let length = text.len() + wanted.len();
            let start = &wanted[..8];
            assert!(comparisons(contains, text, wanted) <= 2 * length, "{start}");
            assert!(
                comparisons(contains_rotation, text, wanted) <= 4 * length,
                "{start}"
            );
        }
    }

    #[test]
    fn parts_are_found_wherever_they_stand() {
        let text = units("abcab\u{e9}😀");
        for from in 0..=text.len() {
            for to in from..=text.len() {
                assert!(contains(&text, &text[from..to]), "{from}..{to}");
            }
        }
        for other in ["ac", "abcabc", "cabé\u{1f601}", "b c", "abcab\u{e9}😀a"] {
            assert!(!contains(&text, &units(other)), "{other}");
        }
        assert!(contains::<u16>(&[], &[]));
    }

    #[test]
    fn rotations_are_found_wherever_they_stand() {
        for text in ["xabcdx", "xbcdax", "cdab", "dabc  "] {
            assert!(contains_rotation(&units(text), &units("abcd")), "{text}");
        }
        for text in ["abc", "abdc", "abxcd", "dcba", ""] {
            assert!(!contains_rotation(&units(text), &units("abcd")), "{text}");
        }
        assert!(contains_rotation::<u16>(&[], &[]));
    }

    proptest! {
        #[test]
        fn as_a_look_at_every_place_finds_it(
            text in proptest::collection::vec(0u16..3, 0..60),
            wanted in proptest::collection::vec(0u16..3, 1..8),
        ) {
            let stands = |wanted: &[u16]| text.windows(wanted.len()).any(|part| part == wanted);
            prop_assert_eq!(contains(&text, &wanted), stands(&wanted));
            let mut turned = wanted.clone();
            let is_rotation = |_| {
                turned.rotate_left(1);
                stands(&turned)
            };
            prop_assert_eq!(contains_rotation(&text, &wanted), (0..wanted.len()).any(is_rotation));
        }
    }
}
