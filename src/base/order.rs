//! Sorting, written once: the standard library's is as fast as can be and compiled anew for each type, which made
//! a tenth of the module. What is sorted here is short, or sorted once.

use std::cmp::Ordering;

/// Sorts by `compare`; equal items keep their order. It takes at most n log n comparisons.
pub fn sort_by<T>(items: &mut [T], mut compare: impl FnMut(&T, &T) -> Ordering) {
    let order = sorted_places(items.len(), &mut |a, b| {
        compare(&items[a], &items[b]) == Ordering::Greater
    });
    arrange(items, order);
}

/// Sorts by a key that is made anew for each comparison; equal items keep their order.
pub fn sort_by_key<T, K: Ord>(items: &mut [T], mut key: impl FnMut(&T) -> K) {
    sort_by(items, |a, b| key(a).cmp(&key(b)));
}

/// Sorts items by their own order.
pub fn sort<T: Ord>(items: &mut [T]) {
    sort_by(items, T::cmp);
}

/// The places of items in their order: a merge sort from the bottom up.
fn sorted_places(length: usize, is_after: &mut dyn FnMut(usize, usize) -> bool) -> Vec<usize> {
    let mut places: Vec<usize> = (0..length).collect();
    let mut merged = Vec::with_capacity(length);
    let mut width = 1;
    while width < length {
        for start in (0..length).step_by(2 * width) {
            let middle = length.min(start + width);
            let end = length.min(start + 2 * width);
            let (mut left, mut right) = (start, middle);
            while left < middle && right < end {
                let takes_right = is_after(places[left], places[right]);
                let from = if takes_right { &mut right } else { &mut left };
                merged.push(places[*from]);
                *from += 1;
            }
            merged.extend_from_slice(&places[left..middle]);
            merged.extend_from_slice(&places[right..end]);
        }
        std::mem::swap(&mut places, &mut merged);
        merged.clear();
        width *= 2;
    }
    places
}

/// Puts the item that is at `order[n]` in the place `n`.
pub(crate) fn arrange<T>(items: &mut [T], mut order: Vec<usize>) {
    for start in 0..order.len() {
        let mut place = start;
        while order[place] != start {
            let from = std::mem::replace(&mut order[place], place);
            items.swap(place, from);
            place = from;
        }
        order[place] = place;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn sorts_as_the_standard_library_does(items in prop::collection::vec((0..9_u8, 0..99_u8), 0..200)) {
            let mut ours = items.clone();
            sort_by_key(&mut ours, |&(key, _)| key);
            let mut expected = items;
            expected.sort_by_key(|&(key, _)| key);
            prop_assert_eq!(ours, expected);
        }
    }

    #[test]
    fn it_takes_no_more_than_n_log_n_comparisons() {
        for length in [1_usize, 2, 3, 1_000, 1_024] {
            let mut comparisons = 0;
            let mut items: Vec<usize> = (0..length).rev().collect();
            sort_by(&mut items, |a, b| {
                comparisons += 1;
                a.cmp(b)
            });
            assert!(items.is_sorted());
            let most = length * length.next_power_of_two().ilog2() as usize;
            assert!(comparisons <= most, "{comparisons} of {most} for {length}");
        }
    }
}
