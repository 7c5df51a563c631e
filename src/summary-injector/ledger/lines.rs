//! The part of a file that was read, as far as the call and its result tell.

use serde::{Deserialize, Serialize};
use turnkeeper_messages::{LineRange, LinesAsked};

/// The lines that were read: the result says it, or else the call does. Nothing for a part that nobody knows, all for
/// the whole file.
pub(super) fn lines_read(asked: LinesAsked, output: &str) -> Option<Vec<LineRange>> {
    if let Some(range) = range_shown(output) {
        return Some(vec![range]);
    }
    let numbered = || numbered_lines(output);
    let shown = match asked {
        LinesAsked::All => numbered().filter(|(first, last)| *first == 1 && *last >= LINES_AT_MOST),
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

/// The lines that Claude Code reads unless it is told otherwise.
const LINES_AT_MOST: u64 = 2_000;
/// Lines at the ends of a result in which tools say what they show.
const EDGE: usize = 6;

/// The numbers of the first and of the last line of a text whose lines are numbered, as by `cat -n`.
fn numbered_lines(output: &str) -> Option<(u64, u64)> {
    let number = |line: &str| {
        let line = line.trim_start();
        let digits = line.find(|character: char| !character.is_ascii_digit())?;
        let (number, rest) = line.split_at(digits);
        let is_numbered = ["\u{2192}", "\t", "|", " |", ": "]
            .iter()
            .any(|mark| rest.starts_with(mark));
        number.parse().ok().filter(|_| is_numbered)
    };
    let first: u64 = output.lines().take(EDGE).find_map(number)?;
    let last = output.lines().rev().take(EDGE).find_map(number)?;
    (first <= last).then_some((first, last))
}

/// The lines that a result says it shows: `[Showing lines 11-30 of 500]`.
fn range_shown(output: &str) -> Option<LineRange> {
    let ends = output
        .lines()
        .take(EDGE)
        .chain(output.lines().rev().take(EDGE));
    ends.filter_map(|line| {
        let (_, rest) = line.split_once("howing lines ")?;
        let (first, rest) = leading_number(rest)?;
        let rest = rest.trim_start_matches([' ', '-', '\u{2013}', 't', 'o']);
        let (last, _) = leading_number(rest)?;
        LineRange::new(first, Some(last))
    })
    .next()
}

fn leading_number(text: &str) -> Option<(u64, &str)> {
    let digits = text.find(|character: char| !character.is_ascii_digit());
    let (number, rest) = text.split_at(digits.unwrap_or(text.len()));
    number.parse().ok().map(|number| (number, rest))
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
