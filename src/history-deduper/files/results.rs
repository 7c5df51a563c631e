//! Results of tools that come again exactly.

use rustc_hash::FxHashMap;

use super::super::superseded::{RESULT_NOTICE, Superseded, SupersededKind};
use turnkeeper_base::text::Size;

/// Shorter results, in UTF-16 code units, stay.
const SHORTEST: u32 = 500;

/// A tool's result that is no copy of a file.
#[derive(Debug, Clone, Copy)]
pub struct ToolResult {
    /// Equal for equal texts, and for no others.
    pub content: u32,
    /// The index of its message in the history.
    pub index: u32,
    /// The size of its text.
    pub(crate) size: Size,
}

impl ToolResult {
    /// A result with that text.
    pub fn new(content: u32, index: u32, text: &str) -> Self {
        let units: Vec<u16> = text.encode_utf16().collect();
        let size = Size::of(&units);
        Self {
            content,
            index,
            size,
        }
    }
}

/// The results in a history, in their order.
#[derive(Debug, Clone, Default)]
pub(in super::super) struct RepeatedResults {
    results: Vec<KnownResult>,
    /// By what they say, the newest.
    newest: FxHashMap<u32, usize>,
}

#[derive(Debug, Clone, Copy)]
struct KnownResult {
    result: ToolResult,
    /// The number of requests that had been made before it came.
    requests_before: u32,
}

impl RepeatedResults {
    /// Takes in a result: its number, unless it is too short.
    pub(in super::super) fn add(
        &mut self,
        result: ToolResult,
        requests_before: u32,
    ) -> Option<u32> {
        if result.size.units < SHORTEST {
            return None;
        }
        let number = self.results.len();
        self.newest.insert(result.content, number);
        self.results.push(KnownResult {
            result,
            requests_before,
        });
        Some(number as u32)
    }

    /// The results of which the same text comes again, in their order, but for those that are no longer than
    /// the line in their place.
    pub(in super::super) fn superseded(&self) -> Vec<Superseded> {
        let numbered = (0..).zip(&self.results);
        let superseded = numbered.filter_map(|(number, known)| {
            let KnownResult { result, .. } = known;
            let newest = self.newest[&result.content];
            if newest == number as usize {
                return None;
            }
            let (size, newest) = (result.size, self.results[newest].result.index);
            let units = size.units;
            let notice = format!("{RESULT_NOTICE}{units} characters, is in message {newest}.]");
            Some(Superseded {
                number,
                index: result.index,
                newest,
                requests_before: known.requests_before,
                ..Superseded::new(SupersededKind::Result, size, notice)?
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
        let large = "x".repeat(500);
        for (index, content) in (0..).zip([7, 8, 7, 7]) {
            results.add(ToolResult::new(content, index, &large), 0);
        }
        for index in 4..6 {
            results.add(ToolResult::new(9, index, &large[1..]), 0);
        }
        let found = results.superseded();
        let places: Vec<_> = found.iter().map(|one| (one.index, one.newest)).collect();
        assert_eq!(places, [(0, 3), (2, 3)]);
    }
}
