//! Small sorted collections, of which there is one of each in the module.
//!
//! Every map and every sort of the standard library is compiled anew for each type that it is used
//! with, at several kilobytes each; what is small or seldom used shares these.

/// A map from names to values, in order of name. Looking up takes logarithmic time, inserting
/// linear time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Table<V> {
    /// Apart from the values, so that looking up is the same code for all of them.
    names: Vec<String>,
    values: Vec<V>,
}

impl<V> Default for Table<V> {
    fn default() -> Self {
        Self {
            names: Vec::new(),
            values: Vec::new(),
        }
    }
}

impl<V> Table<V> {
    pub(crate) fn get(&self, name: &str) -> Option<&V> {
        match place(&self.names, name) {
            (place, true) => self.values.get(place),
            _ => None,
        }
    }

    pub(crate) fn insert(&mut self, name: &str, value: V) {
        let (place, is_known) = place(&self.names, name);
        if is_known {
            self.values[place] = value;
        } else {
            self.names.insert(place, name.to_owned());
            self.values.insert(place, value);
        }
    }

    /// The name and the value at a place, by which a table is walked.
    pub(crate) fn at(&self, place: usize) -> Option<(&str, &V)> {
        Some((self.names.get(place)?, self.values.get(place)?))
    }

    pub(crate) fn len(&self) -> usize {
        self.names.len()
    }
}

/// The place of the first name that is not below the given one, and whether it is that one.
fn place(names: &[String], name: &str) -> (usize, bool) {
    let (mut low, mut high) = (0, names.len());
    while low < high {
        let middle = low.midpoint(high);
        match names[middle].as_str().cmp(name) {
            std::cmp::Ordering::Less => low = middle + 1,
            std::cmp::Ordering::Equal => return (middle, true),
            std::cmp::Ordering::Greater => high = middle,
        }
    }
    (low, false)
}

/// The places of `count` things in order, by a heap: `is_less` compares the things at two places.
/// Things that are equal stay in order.
pub(crate) fn order(count: usize, is_less: &dyn Fn(usize, usize) -> bool) -> Vec<usize> {
    let mut places: Vec<usize> = (0..count).collect();
    if (1..count).all(|place| !is_less(place, place - 1)) {
        return places;
    }
    let precedes = |a: usize, b: usize| is_less(a, b) || (a < b && !is_less(b, a));
    let sink = |places: &mut [usize], mut parent: usize| {
        loop {
            let mut child = 2 * parent + 1;
            if child + 1 < places.len() && precedes(places[child], places[child + 1]) {
                child += 1;
            }
            if child >= places.len() || precedes(places[child], places[parent]) {
                break;
            }
            places.swap(child, parent);
            parent = child;
        }
    };
    for parent in (0..count / 2).rev() {
        sink(&mut places, parent);
    }
    for end in (1..count).rev() {
        places.swap(0, end);
        sink(&mut places[..end], 0);
    }
    places
}

/// Puts items in order of key; items of equal keys stay in order.
pub(crate) fn sort_by<T>(items: &mut [T], key: fn(&T) -> usize) {
    let mut keys = Vec::with_capacity(items.len());
    for item in &*items {
        keys.push(key(item));
    }
    // Items are swapped to their places, each once.
    let mut places = places(&keys);
    for place in 0..items.len() {
        while places[place] != place {
            let to = places[place];
            items.swap(place, to);
            places.swap(place, to);
        }
    }
}

/// Where each of the things with these keys goes.
fn places(keys: &[usize]) -> Vec<usize> {
    let mut places = vec![0; keys.len()];
    let order = order(keys.len(), &|a, b| keys[a] < keys[b]);
    for (place, &from) in order.iter().enumerate() {
        places[from] = place;
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_table_finds_what_it_was_given() {
        let mut table = Table::default();
        for (name, value) in [("b", 1), ("a", 2), ("c", 3), ("b", 4)] {
            table.insert(name, value);
        }
        assert_eq!((table.get("a"), table.get("b")), (Some(&2), Some(&4)));
        assert_eq!((table.get(""), table.get("bb")), (None, None));
        assert_eq!((table.len(), table.at(2)), (3, Some(("c", &3))));
    }

    proptest! {
        #[test]
        fn sorted_as_the_standard_library_sorts(keys in proptest::collection::vec(0usize..9, 0..40)) {
            let mut items: Vec<(usize, usize)> = keys.into_iter().zip(0..).collect();
            let mut expected = items.clone();
            expected.sort();
            sort_by(&mut items, |item| item.0);
            prop_assert_eq!(items, expected);
        }
    }
}
