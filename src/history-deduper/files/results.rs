//! Results of tools that come again exactly.

use rustc_hash::FxHashMap;

use super::super::reading::Place;
use super::super::superseded::{RESULT_NOTICE, Superseded, SupersededKind};
use turnkeeper_base::text::Size;

/// Shorter results, in UTF-16 code units, stay.
const SHORTEST: u32 = 500;

/// The results in a history, in their order.
#[derive(Debug, Clone, Default)]
pub(in super::super) struct RepeatedResults {
    results: Vec<KnownResult>,
    /// The numbers of the texts that they have.
    contents: FxHashMap<String, usize>,
    /// By these numbers, the newest result that says so.
    newest: Vec<usize>,
}

/// A tool's result that is no copy of a file.
#[derive(Debug, Clone)]
struct KnownResult {
    place: Place,
    size: Size,
    /// The number of its text.
    content: usize,
    /// The number of requests that had been made before it came.
    requests_before: u32,
}

impl RepeatedResults {
    /// Takes in a result, unless it is too short.
    pub(in super::super) fn add(
        &mut self,
        text: &str,
        place: impl FnOnce(Size) -> Place,
        requests_before: u32,
    ) {
        let size = Size::of_text(text);
        if size.units < SHORTEST {
            return;
        }
        let number = self.results.len();
        let content = match self.contents.get(text) {
            Some(content) => *content,
            None => {
                self.contents.insert(text.to_owned(), self.newest.len());
                self.newest.push(number);
                self.newest.len() - 1
            }
        };
        self.newest[content] = number;
        self.results.push(KnownResult {
            place: place(size),
            size,
            content,
            requests_before,
        });
    }

    /// The results of which the same text comes again, in their order, but for those that are no longer than
    /// the line in their place.
    pub(in super::super) fn superseded(&self) -> Vec<Superseded> {
        let numbered = self.results.iter().enumerate();
        let superseded = numbered.filter_map(|(number, known)| {
            let newest = self.newest[known.content];
            if newest == number {
                return None;
            }
            let (units, newest) = (known.size.units, self.results[newest].place.index);
            let notice = format!("{RESULT_NOTICE}{units} characters, is in message {newest}.]");
            Some(Superseded {
                newest,
                requests_before: known.requests_before,
                ..Superseded::new(SupersededKind::Result, &known.place, known.size, notice)?
            })
        });
        superseded.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_equal_results_the_last_stays_if_they_are_large() {
        let mut results = RepeatedResults::default();
        let texts = ["x", "y", "x", "x"].map(|text| text.repeat(500));
        let short = "z".repeat(499);
        for (index, text) in (0..).zip(texts.iter().chain([&short, &short])) {
            results.add(text, |_| Place::of(index), 0);
        }
        let found = results.superseded();
        let places: Vec<_> = found
            .iter()
            .map(|one| (one.place.index, one.newest))
            .collect();
        assert_eq!(places, [(0, 3), (2, 3)]);
    }
}
