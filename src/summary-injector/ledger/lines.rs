//! The part of a file that was read, as far as the call and its result tell.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use turnkeeper_messages::arguments::{
    FIRST_LINE, LAST_LINE, LINE_COUNT, LINE_RANGE, OFFSET, OTHER_PART,
};

/// Lines of a file, counted from 1; without an end, all from the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct LineRange {
    pub(super) first: u64,
    pub(super) last: Option<u64>,
}

const WHOLE: LineRange = LineRange {
    first: 1,
    last: None,
};

impl LineRange {
    fn touches(self, other: Self) -> bool {
        let reaches = |from: Self, to: Self| {
            from.last
                .is_none_or(|last| to.first <= last.saturating_add(1))
        };
        reaches(self, other) && reaches(other, self)
    }

    fn with(self, other: Self) -> Self {
        Self {
            first: self.first.min(other.first),
            last: self.last.zip(other.last).map(|(one, two)| one.max(two)),
        }
    }
}

/// The part of a file that a call asks for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum ReadPart {
    All,
    Lines(Vec<LineRange>),
    /// Lines from an offset that counts from 1, or from 0 in some tools.
    Offset {
        offset: u64,
        lines: Option<u64>,
        counts_from_0: bool,
    },
    /// Some part of it, nobody knows which.
    Unknown,
}

/// The arguments by these names; null where there is none.
pub(super) fn each<'a>(args: &'a Value, names: &'a [&str]) -> impl Iterator<Item = &'a Value> {
    names.iter().map(|name| &args[*name])
}

/// The part that a call asks for, in the words of the agents that are known.
pub(super) fn part_of(tool: &str, args: &Value) -> ReadPart {
    let given =
        |names: &'static [&str]| each(args, names).find(|value| !value.is_null() && **value != "");
    if args["should_read_entire_file"] == true {
        return ReadPart::All;
    }
    if given(&OTHER_PART).is_some() || args["mode"] == "indentation" {
        return ReadPart::Unknown;
    }
    if let Some(ranges) = given(&LINE_RANGE) {
        return ranges_of(ranges).map_or(ReadPart::Unknown, ReadPart::Lines);
    }
    // Nothing for what is no number; -1 is the end of the file.
    let number = |names: &'static [&str]| match given(names).map(number_of) {
        None | Some(Some(-1)) => Some(None),
        Some(number) => u64::try_from(number?).ok().map(Some),
    };
    let (Some(first), Some(last), Some(offset), Some(count)) = (
        number(&FIRST_LINE),
        number(&LAST_LINE),
        number(&OFFSET),
        number(&LINE_COUNT),
    ) else {
        return ReadPart::Unknown;
    };
    let count = count.filter(|count| *count > 0);
    match (first, last, offset) {
        (None, None, None) if count.is_none() => ReadPart::All,
        (_, _, Some(offset)) => ReadPart::Offset {
            offset,
            lines: count,
            counts_from_0: !args["absolute_path"].is_null()
                || (tool == "read_file" && !args["file_path"].is_null()),
        },
        _ => {
            let first = first.unwrap_or(1).max(1);
            let last = last.or(count.map(|count| first.saturating_add(count - 1)));
            lines(first, last).map_or(ReadPart::Unknown, |range| ReadPart::Lines(vec![range]))
        }
    }
}

fn lines(first: u64, last: Option<u64>) -> Option<LineRange> {
    let is_range = last.is_none_or(|last| (first..u64::MAX).contains(&last));
    is_range.then_some(LineRange { first, last })
}

/// A whole number, which some models write as a string.
fn number_of(value: &Value) -> Option<i64> {
    match value {
        Value::String(text) => text.trim().parse().ok(),
        _ => {
            let number = value.as_f64()?;
            (number.trunc() == number && number.abs() < 1e15).then_some(number as i64)
        }
    }
}

/// A range such as `[1, 50]` or `"1-50"`, or a list of them.
fn ranges_of(value: &Value) -> Option<Vec<LineRange>> {
    let pair = |first: Option<i64>, last: Option<i64>| {
        let first = u64::try_from(first?).ok()?.max(1);
        let last = match last? {
            -1 => None,
            last => Some(u64::try_from(last).ok()?),
        };
        lines(first, last)
    };
    let one = |value: &Value| match value {
        Value::String(text) => {
            let mut ends = text.split(['-', ':', ',']);
            let number = |end: Option<&str>| end?.trim().parse().ok();
            pair(number(ends.next()), number(ends.next()))
        }
        Value::Array(ends) if ends.len() == 2 => pair(number_of(&ends[0]), number_of(&ends[1])),
        Value::Object(ends) => {
            let end = |keys: [&str; 2]| keys.iter().find_map(|key| ends.get(*key));
            let (first, last) = (end(["start", "first"])?, end(["end", "last"])?);
            pair(number_of(first), number_of(last))
        }
        _ => None,
    };
    if let Some(range) = one(value) {
        return Some(vec![range]);
    }
    let ranges: Option<Vec<LineRange>> = value.as_array()?.iter().map(one).collect();
    ranges.filter(|ranges| !ranges.is_empty())
}

impl ReadPart {
    /// The lines that were read: the result says it, or else the call does. Nothing for a part that nobody
    /// knows, all for the whole file.
    pub(super) fn read(self, output: &str) -> Option<Vec<LineRange>> {
        if let Some(range) = range_shown(output) {
            return Some(vec![range]);
        }
        match self {
            Self::All => {
                let numbered = numbered_lines(output).filter(|lines| lines.0 == 1);
                let is_cut = numbered.is_some_and(|(_, last)| last >= LINES_AT_MOST);
                let last = numbered.filter(|_| is_cut).map(|(_, last)| last);
                Some(vec![LineRange { first: 1, last }])
            }
            Self::Lines(ranges) => Some(ranges),
            Self::Offset {
                offset,
                lines: count,
                counts_from_0,
            } => {
                let numbered = numbered_lines(output);
                let numbered = numbered.filter(|(first, _)| [offset, offset + 1].contains(first));
                if let Some((first, last)) = numbered {
                    return lines(first, Some(last)).map(|range| vec![range]);
                }
                let first = offset.max(1) + u64::from(counts_from_0 && offset > 0);
                let last = count.map(|count| first.saturating_add(count - 1));
                lines(first, last).map(|range| vec![range])
            }
            Self::Unknown => None,
        }
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
        lines(first, Some(last))
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

impl ReadLines {
    /// Takes what was read, with which it becomes one where it touches.
    pub(super) fn add(&mut self, ranges: &[LineRange]) {
        for range in ranges {
            let mut whole = *range;
            while let Some(at) = self.ranges.iter().position(|known| known.touches(whole)) {
                whole = whole.with(self.ranges.remove(at));
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
            [one] if one == WHOLE => None,
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
    use serde_json::json;

    fn told(tool: &str, args: &Value, output: &str) -> Option<String> {
        let mut lines = ReadLines::default();
        lines.add(&part_of(tool, args).read(output).unwrap_or_default());
        lines.told()
    }

    #[test]
    fn the_part_is_the_one_that_the_tool_means() {
        for (tool, args, output, expected) in [
            ("Read", json!({"file_path": "a"}), "x", None),
            (
                "Read",
                json!({"file_path": "a", "offset": 10, "limit": 20}),
                "x",
                Some("lines 10 to 29"),
            ),
            (
                "Read",
                json!({"file_path": "a", "offset": 0, "limit": 20}),
                "x",
                Some("lines 1 to 20"),
            ),
            (
                "read_file",
                json!({"absolute_path": "/a", "offset": 10, "limit": 20}),
                "x",
                Some("lines 11 to 30"),
            ),
            (
                "read_file",
                json!({"absolute_path": "/a", "offset": 0, "limit": 20}),
                "x",
                Some("lines 1 to 20"),
            ),
            (
                "read_file",
                json!({"file_path": "/a", "offset": 10, "limit": 20}),
                "x",
                Some("lines 11 to 30"),
            ),
            (
                "read_file",
                json!({"path": "a", "offset": "10", "limit": "20"}),
                "x",
                Some("lines 10 to 29"),
            ),
            // The result knows better than the call.
            (
                "read",
                json!({"filePath": "a", "offset": 10, "limit": 20}),
                "<file>\n00011| x\n00012| y\n</file>",
                Some("lines 11 to 12"),
            ),
            (
                "Read",
                json!({"file_path": "a", "offset": 10}),
                "    10\u{2192}x\n    11\u{2192}y",
                Some("lines 10 to 11"),
            ),
            (
                "Read",
                json!({"file_path": "a"}),
                "     1\u{2192}x\n\n  2000\u{2192}y",
                Some("lines 1 to 2000"),
            ),
            (
                "read_file",
                json!({"absolute_path": "/a"}),
                "[Showing lines 1-2000 of 9000]\nx",
                Some("lines 1 to 2000"),
            ),
            (
                "view",
                json!({"path": "a", "view_range": [5, -1]}),
                "x",
                Some("lines 5 to the end"),
            ),
            (
                "read_file",
                json!({"path": "a", "line_ranges": [[1, 5], "9-12"]}),
                "x",
                Some("lines 1 to 5, 9 to 12"),
            ),
            (
                "read_file",
                json!({"path": "a", "start_line": 7, "end_line": 7}),
                "x",
                Some("line 7"),
            ),
            (
                "fs_read",
                json!({"path": "a", "start_line": -10}),
                "x",
                Some("in part"),
            ),
            (
                "Read",
                json!({"file_path": "a.pdf", "pages": "1-3"}),
                "x",
                Some("in part"),
            ),
            (
                "read_file",
                json!({"path": "a", "start_line": 9, "end_line": 3}),
                "x",
                Some("in part"),
            ),
            (
                "read_file",
                json!({"target_file": "a", "should_read_entire_file": true, "offset": 4}),
                "x",
                None,
            ),
        ] {
            assert_eq!(told(tool, &args, output).as_deref(), expected, "{args}");
        }
    }

    #[test]
    fn ranges_that_touch_are_one_and_the_oldest_give_way() {
        let mut lines = ReadLines::default();
        let range = |first, last| LineRange { first, last };
        for tens in 0..4 {
            lines.add(&[range(tens * 10 + 1, Some(tens * 10 + 10))]);
        }
        assert_eq!(lines.told().as_deref(), Some("lines 1 to 40"));
        for hundreds in 1..5 {
            lines.add(&[range(hundreds * 100, Some(hundreds * 100 + 9))]);
        }
        let told = "lines 100 to 109, 200 to 209, 300 to 309, 400 to 409";
        assert_eq!(lines.told().as_deref(), Some(told));
        lines.add(&[range(150, None), range(1, Some(120))]);
        assert_eq!(
            lines.told().as_deref(),
            Some("lines 150 to the end, 1 to 120")
        );
        lines.add(&[range(1, None), range(3, Some(5))]);
        assert_eq!(lines.told(), None);
    }
}
