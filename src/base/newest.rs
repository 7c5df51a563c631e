//! Lists of the newest things, of which the oldest gives way.

use std::collections::VecDeque;

/// Adds an item to a list of at most `most`.
pub fn push<T>(items: &mut VecDeque<T>, item: T, most: usize) {
    if items.len() >= most {
        items.pop_front();
    }
    items.push_back(item);
}

/// Takes an item out of a list, so that it can be added as the newest.
pub fn take<T>(items: &mut VecDeque<T>, is_it: impl FnMut(&T) -> bool) -> Option<T> {
    let place = items.iter().position(is_it)?;
    items.remove(place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_gives_way_and_what_is_taken_makes_room() {
        let mut items = VecDeque::new();
        for item in 1..=4 {
            push(&mut items, item, 3);
        }
        assert_eq!(items, [2, 3, 4]);
        assert_eq!(take(&mut items, |item| *item == 1), None);
        assert_eq!(take(&mut items, |item| *item == 3), Some(3));
        push(&mut items, 3, 3);
        assert_eq!(items, [2, 4, 3]);
    }
}
