//! A map in the order of its keys, most of which is compiled once for all types of keys and values. The standard
//! library's is compiled whole for each, which made a twentieth of the module.

use std::borrow::Borrow;
use std::cmp::Ordering;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde::ser::{Serialize, Serializer};

use crate::order::arrange;

/// A map in the order of its keys. Finding, inserting and removing take about log n comparisons each.
#[derive(Clone)]
pub struct SortedMap<K, V> {
    order: Order,
    /// The entries as they were put, but that the last one fills the gap of one that was taken out.
    entries: Vec<(K, V)>,
}

impl<K, V> Default for SortedMap<K, V> {
    fn default() -> Self {
        Self {
            order: Order::default(),
            entries: Vec::new(),
        }
    }
}

impl<K: Ord, V> SortedMap<K, V> {
    /// An empty map.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The number of its entries.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether it has no entry.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    fn find<Q: Ord + ?Sized>(&self, key: &Q) -> Result<Position, Position>
    where
        K: Borrow<Q>,
    {
        let entries = &self.entries;
        self.order
            .find(&mut |place| entries[place as usize].0.borrow().cmp(key))
    }

    fn place_of<Q: Ord + ?Sized>(&self, key: &Q) -> Option<usize>
    where
        K: Borrow<Q>,
    {
        self.find(key).ok().map(|at| self.order.place(at) as usize)
    }

    /// The value of a key.
    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.place_of(key).map(|place| &self.entries[place].1)
    }

    /// The value of a key, to be changed.
    pub fn get_mut<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        self.place_of(key).map(|place| &mut self.entries[place].1)
    }

    /// Whether it has a key.
    pub fn contains_key<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.find(key).is_ok()
    }

    /// Gives a key a value, and returns the one before.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        match self.find(&key) {
            Ok(at) => {
                let place = self.order.place(at) as usize;
                Some(std::mem::replace(&mut self.entries[place].1, value))
            }
            Err(at) => {
                self.insert_new(at, key, value);
                None
            }
        }
    }

    /// The value of a key, to be changed; one that is made if there is none.
    pub fn get_or_insert_with(&mut self, key: K, make: impl FnOnce() -> V) -> &mut V {
        let place = match self.find(&key) {
            Ok(at) => self.order.place(at),
            Err(at) => self.insert_new(at, key, make()),
        };
        &mut self.entries[place as usize].1
    }

    fn insert_new(&mut self, at: Position, key: K, value: V) -> u32 {
        let place = self.entries.len() as u32;
        self.entries.push((key, value));
        self.order.insert(at, place);
        place
    }

    /// Takes a key out.
    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        let place = self.order.remove(self.find(key).ok()?);
        let (last, _) = self.entries.last()?;
        if let Ok(at) = self.find::<K>(last) {
            self.order.chunks[at.chunk][at.at] = place;
        }
        Some(self.entries.swap_remove(place as usize).1)
    }

    /// Keeps the entries for which this is true.
    pub fn retain(&mut self, mut is_kept: impl FnMut(&K, &mut V) -> bool) {
        for (key, mut value) in std::mem::take(self) {
            if is_kept(&key, &mut value) {
                self.insert(key, value);
            }
        }
    }

    /// The entries in the order of their keys.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&K, &V)> + Clone {
        let places = self.order.chunks.iter().flatten();
        places.map(|place| {
            let (key, value) = &self.entries[*place as usize];
            (key, value)
        })
    }

    /// The keys in their order.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &K> + Clone {
        self.iter().map(|(key, _)| key)
    }

    /// The values in the order of their keys.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &V> + Clone {
        self.iter().map(|(_, value)| value)
    }

    /// The entries in any order, to be changed.
    pub fn entries_mut(&mut self) -> impl Iterator<Item = (&K, &mut V)> {
        self.entries.iter_mut().map(|(key, value)| (&*key, value))
    }
}

impl<K, V> IntoIterator for SortedMap<K, V> {
    type Item = (K, V);
    type IntoIter = std::vec::IntoIter<(K, V)>;

    /// The entries in the order of their keys.
    fn into_iter(mut self) -> Self::IntoIter {
        let places = self.order.chunks.into_iter().flatten();
        arrange(&mut self.entries, places.map(|at| at as usize).collect());
        self.entries.into_iter()
    }
}

impl<K: Ord, V> Extend<(K, V)> for SortedMap<K, V> {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, entries: I) {
        for (key, value) in entries {
            self.insert(key, value);
        }
    }
}

impl<K: Ord, V> FromIterator<(K, V)> for SortedMap<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        let mut map = Self::default();
        map.extend(entries);
        map
    }
}

impl<K: Ord, V: PartialEq> PartialEq for SortedMap<K, V> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl<K: Ord, V: Eq> Eq for SortedMap<K, V> {}

impl<K: Ord + fmt::Debug, V: fmt::Debug> fmt::Debug for SortedMap<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

impl<K: Ord + Serialize, V: Serialize> Serialize for SortedMap<K, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // A snapshot begins with their number, which a list knows.
        serializer.collect_map(self.iter().collect::<Vec<_>>())
    }
}

impl<'de, K: Ord + Deserialize<'de>, V: Deserialize<'de>> Deserialize<'de> for SortedMap<K, V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entries<K, V>(PhantomData<(K, V)>);

        impl<'de, K: Ord + Deserialize<'de>, V: Deserialize<'de>> Visitor<'de> for Entries<K, V> {
            type Value = SortedMap<K, V>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a map")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut read = SortedMap::default();
                while let Some((key, value)) = map.next_entry()? {
                    read.insert(key, value);
                }
                Ok(read)
            }
        }
        deserializer.deserialize_map(Entries(PhantomData))
    }
}

/// More places than this are two chunks.
const CHUNK: usize = 512;

/// An entry's position in the order: its chunk, and its place in that.
#[derive(Debug, Clone, Copy)]
struct Position {
    chunk: usize,
    at: usize,
}

/// Places in the order of their keys, which only the caller knows: chunks that are never empty.
#[derive(Debug, Clone, Default)]
struct Order {
    chunks: Vec<Vec<u32>>,
}

impl Order {
    fn place(&self, position: Position) -> u32 {
        self.chunks[position.chunk][position.at]
    }

    /// The place that compares as equal, or the one at which such an entry would be inserted.
    #[inline(never)]
    fn find(&self, compare: &mut dyn FnMut(u32) -> Ordering) -> Result<Position, Position> {
        let mut begins_before = |chunk: &Vec<u32>| compare(chunk[0]) != Ordering::Greater;
        let after = self.chunks.partition_point(&mut begins_before);
        let chunk = after.saturating_sub(1);
        let places = self.chunks.get(chunk).map_or(&[][..], Vec::as_slice);
        match places.binary_search_by(|place| compare(*place)) {
            Ok(at) => Ok(Position { chunk, at }),
            Err(at) => Err(Position { chunk, at }),
        }
    }

    #[inline(never)]
    fn insert(&mut self, Position { chunk, at }: Position, place: u32) {
        let Some(places) = self.chunks.get_mut(chunk) else {
            self.chunks.push(vec![place]);
            return;
        };
        places.insert(at, place);
        if places.len() > CHUNK {
            // Keys that come in their order fill the chunks.
            let split = if at == CHUNK { CHUNK } else { CHUNK / 2 };
            let rest = places.split_off(split);
            self.chunks.insert(chunk + 1, rest);
        }
    }

    #[inline(never)]
    fn remove(&mut self, Position { chunk, at }: Position) -> u32 {
        let places = &mut self.chunks[chunk];
        let place = places.remove(at);
        if places.is_empty() {
            self.chunks.remove(chunk);
        }
        place
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    #[derive(Debug, Clone)]
    enum Change {
        Insert(u16, u8),
        Remove(u16),
        Keep(u8),
    }

    fn change() -> impl Strategy<Value = Change> {
        prop_oneof![
            20 => (0..2_000_u16, any::<u8>()).prop_map(|(key, value)| Change::Insert(key, value)),
            9 => (0..2_000_u16).prop_map(Change::Remove),
            1 => any::<u8>().prop_map(Change::Keep),
        ]
    }

    fn is_like(map: &SortedMap<u16, u8>, naive: &BTreeMap<u16, u8>) {
        assert!(map.iter().eq(naive.iter()));
        assert!(map.iter().rev().eq(naive.iter().rev()));
        assert_eq!((map.len(), map.is_empty()), (naive.len(), naive.is_empty()));
        for key in [0, 7, 1_999] {
            assert_eq!(map.get(&key), naive.get(&key));
        }
    }

    proptest! {
        // Each case is thousands of changes.
        #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases / 8))]

        #[test]
        fn it_is_like_the_standard_librarys(changes in prop::collection::vec(change(), 0..4_000)) {
            let (mut map, mut naive) = (SortedMap::new(), BTreeMap::new());
            for change in changes {
                match change {
                    Change::Insert(key, value) if value % 3 == 0 => {
                        let ours = *map.get_or_insert_with(key, || value);
                        assert_eq!(ours, *naive.entry(key).or_insert(value));
                    }
                    Change::Insert(key, value) => assert_eq!(map.insert(key, value), naive.insert(key, value)),
                    Change::Remove(key) => assert_eq!(map.remove(&key), naive.remove(&key)),
                    Change::Keep(part) if part < 250 => {}
                    Change::Keep(part) => {
                        map.retain(|_, value| *value < part - 100);
                        naive.retain(|_, value| *value < part - 100);
                    }
                }
            }
            is_like(&map, &naive);
            assert!(map.clone().into_iter().eq(naive.clone()));
            let saved = crate::snapshot::encode(&map);
            assert_eq!(saved, crate::snapshot::encode(&naive));
            let (read, rest) = postcard::take_from_bytes::<SortedMap<u16, u8>>(&saved).expect("saved");
            assert!(rest.is_empty() && read == map);
        }
    }

    #[test]
    fn a_hundred_thousand_keys_take_twenty_comparisons_each() {
        thread_local!(static COMPARISONS: std::cell::Cell<u32> = const { std::cell::Cell::new(0) });
        #[derive(Debug, PartialEq, Eq)]
        struct Key(u32);
        impl Ord for Key {
            fn cmp(&self, other: &Self) -> Ordering {
                COMPARISONS.set(COMPARISONS.get() + 1);
                self.0.cmp(&other.0)
            }
        }
        impl PartialOrd for Key {
            fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
                Some(self.cmp(other))
            }
        }
        let mut map = SortedMap::new();
        for number in 0..100_000_u32 {
            map.insert(Key(number.wrapping_mul(2_654_435_761)), ());
        }
        assert_eq!(map.len(), 100_000);
        assert!(COMPARISONS.get() <= 20 * 100_000, "{}", COMPARISONS.get());
    }
}
