//! Texts by number, and how those of them that are directories lie to each other, so that a choice
//! compares numbers alone.

use super::path::{PathRelation, PathRules, depth, is_within, key};
use crate::error::Error;

/// What there is none of.
pub(crate) const NONE: u32 = u32::MAX;

/// Texts by number, in the order in which they came.
#[derive(Debug, Clone, Default)]
struct Sorted {
    texts: Vec<String>,
    /// The numbers, in order of text.
    order: Vec<u32>,
}

impl Sorted {
    /// The number of a text, or its place in order.
    fn find(&self, text: &str) -> Result<u32, usize> {
        let (mut low, mut high) = (0, self.order.len());
        while low < high {
            let middle = low.midpoint(high);
            let number = self.order[middle];
            match self.texts[number as usize].as_str().cmp(text) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Equal => return Ok(number),
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        Err(low)
    }

    fn insert(&mut self, place: usize, text: String) -> u32 {
        let number = self.texts.len() as u32;
        self.order.insert(place, number);
        self.texts.push(text);
        number
    }
}

/// Where a directory stands among all that are known: in order, what is inside a directory follows
/// it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Span {
    place: u32,
    /// Behind the last that is inside.
    end: u32,
    depth: u32,
}

impl Span {
    /// How this directory lies to another, and how many names are between them.
    pub(super) fn relation(self, other: Self) -> (PathRelation, u32) {
        let relation = if self.place == other.place {
            PathRelation::Same
        } else if self.place < other.place && other.place < self.end {
            PathRelation::Parent
        } else if other.place < self.place && self.place < other.end {
            PathRelation::Child
        } else {
            PathRelation::Unrelated
        };
        (relation, self.depth.abs_diff(other.depth))
    }
}

/// Names and paths as they were written, each with a number.
#[derive(Debug, Clone)]
pub(super) struct Texts {
    rules: PathRules,
    written: Sorted,
    /// Of each text, which directory it is, if it was read as one.
    which: Vec<u32>,
    keys: Sorted,
    /// Of each directory.
    spans: Vec<Span>,
}

impl Texts {
    pub(super) fn new(rules: PathRules) -> Self {
        Self {
            rules,
            written: Sorted::default(),
            which: Vec::new(),
            keys: Sorted::default(),
            spans: Vec::new(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.which.len()
    }

    /// The text with a number; nothing for [`NONE`].
    pub(super) fn text(&self, number: u32) -> Option<&str> {
        self.written.texts.get(number as usize).map(String::as_str)
    }

    /// The number of a text that is known.
    pub(super) fn known(&self, text: &str) -> Option<u32> {
        self.written.find(text).ok()
    }

    /// The number of a text, new or known.
    pub(super) fn number(&mut self, text: &str) -> u32 {
        match self.written.find(text) {
            Ok(number) => number,
            Err(place) => {
                self.which.push(NONE);
                self.written.insert(place, text.to_owned())
            }
        }
    }

    /// Reads a text as a directory, unless it was before. Another one moves those behind it.
    pub(super) fn read(&mut self, number: u32, field: &str) -> Result<(), Error> {
        let at = number as usize;
        if let Some(path) = self.written.texts.get(at)
            && self.which[at] == NONE
        {
            let key = key(path, self.rules, field)?;
            self.which[at] = match self.keys.find(&key) {
                Ok(which) => which,
                Err(place) => self.add(place, key),
            };
        }
        Ok(())
    }

    /// Where a directory stands that was read; nothing for [`NONE`].
    pub(super) fn span(&self, number: u32) -> Option<Span> {
        let which = *self.which.get(number as usize)?;
        self.spans.get(which as usize).copied()
    }

    fn add(&mut self, place: usize, key: String) -> u32 {
        let keys = &self.keys;
        let mut end = place;
        while let Some(next) = keys.order.get(end)
            && is_within(&keys.texts[*next as usize], &key)
        {
            end += 1;
        }
        let at = place as u32;
        for (other, span) in self.spans.iter_mut().enumerate() {
            // What reaches up to here may have to reach around it.
            let is_around =
                span.end > at || (span.end == at && is_within(&key, &keys.texts[other]));
            if span.place >= at {
                span.place += 1;
                span.end += 1;
            } else if is_around {
                span.end += 1;
            }
        }
        self.spans.push(Span {
            place: at,
            end: end as u32 + 1,
            depth: depth(&key),
        });
        self.keys.insert(place, key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::path::PathPlatform;
    use crate::terminal_selector::path_relation;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn numbers_say_what_the_paths_say(
            paths in proptest::collection::vec("(/[a-c!.]{1,2}){0,4}/", 1..40),
        ) {
            let rules = PathRules::new(PathPlatform::Posix);
            let mut texts = Texts::new(rules);
            let mut numbers = Vec::new();
            for path in &paths {
                let number = texts.number(path);
                texts.read(number, "").expect("a path");
                numbers.push(number);
            }
            for (a, from) in paths.iter().zip(&numbers) {
                for (b, to) in paths.iter().zip(&numbers) {
                    let spans = [*from, *to].map(|it| texts.span(it).expect("known"));
                    let (relation, _) = spans[0].relation(spans[1]);
                    prop_assert_eq!(Ok(relation), path_relation(a, b, rules), "{} {}", a, b);
                }
            }
        }
    }
}
