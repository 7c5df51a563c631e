//! The words that are heard, and what is heard without some of them: so that `cargo xtask judge --words` can tell which
//! of them decide.

use std::cell::RefCell;
use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

/// The tables of words, those of tools first: list, meaning, language, word, and where it was seen to decide.
pub const TABLES: [&str; 2] = [
    include_str!("../messages/words.tsv"),
    include_str!("words.tsv"),
];

/// A row of the tables: its list, and its place within it.
pub type Row = (&'static str, usize);

thread_local! {
    static HEARD: RefCell<BTreeSet<Row>> = const { RefCell::new(BTreeSet::new()) };
    static LEFT_OUT: RefCell<BTreeSet<Row>> = const { RefCell::new(BTreeSet::new()) };
}

/// The rows whose words were heard on this thread since the last time that this was asked.
pub fn take_heard() -> BTreeSet<Row> {
    HEARD.take()
}

/// Leaves out these rows on this thread from now on, and no others.
pub fn leave_out(rows: BTreeSet<Row>) {
    LEFT_OUT.set(rows);
}

/// The rows of each word of a list.
#[derive(Debug)]
pub(crate) struct Uses<M> {
    list: &'static str,
    rows: FxHashMap<Box<[u16]>, Vec<(usize, M)>>,
    count: usize,
    /// Joins the meanings of a word that has two of them.
    both: fn(M, M) -> M,
}

impl<M: Copy> Uses<M> {
    pub(crate) fn of(list: &'static str, both: fn(M, M) -> M) -> Self {
        Self {
            list,
            rows: FxHashMap::default(),
            count: 0,
            both,
        }
    }

    /// Adds the word of the next row.
    pub(crate) fn add(&mut self, word: &str, meaning: M) {
        let rows = self.rows.entry(word.encode_utf16().collect()).or_default();
        rows.push((self.count, meaning));
        self.count += 1;
    }

    /// The meaning of a word in lower case without the rows that are left out.
    pub(crate) fn hear(&self, word: &[u16]) -> Option<M> {
        let rows = self.rows.get(word)?.iter();
        HEARD.with_borrow_mut(|heard| heard.extend(rows.clone().map(|row| (self.list, row.0))));
        LEFT_OUT.with_borrow(|left_out| {
            let rows = rows.filter(|row| !left_out.contains(&(self.list, row.0)));
            rows.map(|row| row.1).reduce(self.both)
        })
    }
}
