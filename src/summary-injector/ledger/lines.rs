//! The part of a file that was read, as far as the call and its result tell.

use serde::{Deserialize, Serialize};
use turnkeeper_messages::{
    LineRange, LinesAsked, LinesShown, are_part, lines_shown, numbered_lines,
};

/// The lines that were read: the result says it, or else the call does. Nothing for a part that nobody knows, all for
/// the whole file.
pub(super) fn lines_read(asked: LinesAsked, output: &str) -> Option<Vec<LineRange>> {
    match (lines_shown(output), &asked) {
        (Some(LinesShown::Lines(range)), _) => return Some(vec![range]),
        (Some(LinesShown::InPart), LinesAsked::All) => return None,
        _ => {}
    }
    let numbered = || numbered_lines(output);
    let shown = match asked {
        LinesAsked::All => numbered().filter(are_part),
        LinesAsked::Offset { offset, .. } => {
            numbered().filter(|(first, _)| [offset, offset + 1].contains(first))
        }
        _ => None,
    };
    match shown {
        Some((first, last)) => LineRange::new(first, Some(last)).map(|range| vec![range]),
        None => asked.ranges(),
    }
}

/// The lines of a file that were read, in ranges that do not touch; the newest stands last.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ReadLines {
    ranges: Vec<LineRange>,
}

/// Ranges that are kept for each file; the oldest give way.
const MOST_RANGES: usize = 4;

fn touch(one: LineRange, two: LineRange) -> bool {
    let reaches = |from: LineRange, to: LineRange| {
        let last = from.last.map(|last| last.saturating_add(1));
        last.is_none_or(|last| to.first <= last)
    };
    reaches(one, two) && reaches(two, one)
}

fn both(one: LineRange, two: LineRange) -> LineRange {
    let last = one.last.zip(two.last);
    LineRange {
        first: one.first.min(two.first),
        last: last.map(|(one, two)| one.max(two)),
    }
}

impl ReadLines {
    /// Takes what was read, with which it becomes one where it touches.
    pub(super) fn add(&mut self, ranges: &[LineRange]) {
        for range in ranges {
            let mut whole = *range;
            while let Some(at) = self.ranges.iter().position(|known| touch(*known, whole)) {
                whole = both(whole, self.ranges.remove(at));
            }
            if self.ranges.len() == MOST_RANGES {
                self.ranges.remove(0);
            }
            self.ranges.push(whole);
        }
    }

    /// The lines in words; nothing if it is the whole file.
    pub(super) fn told(&self) -> Option<String> {
        let told = |range: &LineRange| match range.last {
            Some(last) if last == range.first => format!("{last}"),
            Some(last) => format!("{} to {last}", range.first),
            None => format!("{} to the end", range.first),
        };
        match *self.ranges {
            [] => Some("in part".to_owned()),
            [
                LineRange {
                    first: 1,
                    last: None,
                },
            ] => None,
            [one] if one.last == Some(one.first) => Some(format!("line {}", one.first)),
            ref ranges => {
                let ranges: Vec<String> = ranges.iter().map(told).collect();
                Some(format!("lines {}", ranges.join(", ")))
            }
        }
    }

    pub(super) fn is_within_limits(&self) -> bool {
        self.ranges.len() <= MOST_RANGES
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(asked: LinesAsked, output: &str) -> Option<String> {
        let mut lines = ReadLines::default();
        lines.add(&lines_read(asked, output).unwrap_or_default());
        lines.told()
    }

    fn range(first: u64, last: impl Into<Option<u64>>) -> LineRange {
        LineRange::new(first, last.into()).expect("a range")
    }

    #[test]
    fn the_result_knows_better_than_the_call() {
        let offset = || LinesAsked::Offset {
            offset: 10,
            count: None,
            counts_from_0: true,
        };
        for (asked, output, expected) in [
            (LinesAsked::All, "x", None),
            (
                LinesAsked::All,
                "     1\u{2192}x\n\n  2000\u{2192}y",
                Some("lines 1 to 2000"),
            ),
            (
                LinesAsked::All,
                "[Showing lines 1-2000 of 9000]\nx",
                Some("lines 1 to 2000"),
            ),
            (offset(), "x", Some("lines 11 to the end")),
            (
                offset(),
                "<file>\n00011| x\n00012| y\n</file>",
                Some("lines 11 to 12"),
            ),
            (
                offset(),
                "    10\u{2192}x\n    11\u{2192}y",
                Some("lines 10 to 11"),
            ),
            (
                LinesAsked::Ranges(vec![range(1, 5), range(9, 12)]),
                "x",
                Some("lines 1 to 5, 9 to 12"),
            ),
            (LinesAsked::Unknown, "x", Some("in part")),
        ] {
            assert_eq!(told(asked, output).as_deref(), expected, "{output}");
        }
    }

    #[test]
    fn ranges_that_touch_are_one_and_the_oldest_give_way() {
        let mut lines = ReadLines::default();
        for tens in 0..4 {
            lines.add(&[range(tens * 10 + 1, tens * 10 + 10)]);
        }
        assert_eq!(lines.told().as_deref(), Some("lines 1 to 40"));
        for hundreds in 1..5 {
            lines.add(&[range(hundreds * 100, hundreds * 100 + 9)]);
        }
        let told = "lines 100 to 109, 200 to 209, 300 to 309, 400 to 409";
        assert_eq!(lines.told().as_deref(), Some(told));
        lines.add(&[range(150, None), range(1, 120)]);
        assert_eq!(
            lines.told().as_deref(),
            Some("lines 150 to the end, 1 to 120")
        );
        lines.add(&[range(1, None), range(3, 5)]);
        assert_eq!(lines.told(), None);
    }
}
