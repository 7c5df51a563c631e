//! Small sorted collections, of which there is one of each in the module.
//!
//! Every map and every sort of the standard library is compiled anew for each type that it is used
//! with, at several kilobytes each; what is small or seldom used shares these.

/// A map from names to values, in order of name. Looking up takes logarithmic time, inserting
/// linear time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Table<V> {
    entries: Vec<(String, V)>,
}

impl<V> Default for Table<V> {
    fn default() -> Self {
        Self {
            entries: Vec::new(),
        }
    }
}

impl<V> Table<V> {
    fn place(&self, name: &str) -> Result<usize, usize> {
        self.entries
            .binary_search_by(|(known, _)| known.as_str().cmp(name))
    }

    pub(crate) fn get(&self, name: &str) -> Option<&V> {
        self.place(name).ok().map(|place| &self.entries[place].1)
    }

    pub(crate) fn insert(&mut self, name: String, value: V) {
        match self.place(&name) {
            Ok(place) => self.entries[place].1 = value,
            Err(place) => self.entries.insert(place, (name, value)),
        }
    }

    pub(crate) fn remove(&mut self, name: &str) {
        if let Ok(place) = self.place(name) {
            self.entries.remove(place);
        }
    }

    pub(crate) fn take_all(&mut self, more: Self) {
        for (name, value) in more.entries {
            self.insert(name, value);
        }
    }

    pub(crate) fn iter(&self) -> std::slice::Iter<'_, (String, V)> {
        self.entries.iter()
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }
}

/// The numbers from 0 up to the number of keys, in order of key; equal keys stay in order.
pub(crate) fn order(keys: impl Iterator<Item = u64>) -> Vec<usize> {
    let mut pairs: Vec<(u64, usize)> = keys.zip(0..).collect();
    sort(&mut pairs);
    pairs.into_iter().map(|(_, place)| place).collect()
}

#[inline(never)]
pub(crate) fn sort(pairs: &mut [(u64, usize)]) {
    pairs.sort_unstable();
}

/// The items in order of key; items of equal keys stay in order.
pub(crate) fn sorted_by<T>(items: Vec<T>, key: impl Fn(&T) -> usize) -> Vec<T> {
    let keys: Vec<u64> = items.iter().map(|item| key(item) as u64).collect();
    if keys.is_sorted() {
        return items;
    }
    let mut items: Vec<Option<T>> = items.into_iter().map(Some).collect();
    order(keys.into_iter())
        .into_iter()
        .filter_map(|place| items[place].take())
        .collect()
}
