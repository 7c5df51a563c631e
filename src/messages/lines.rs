//! The lines of a file that the arguments of a call ask for.

use serde::{Deserialize, Serialize};
use turnkeeper_base::json::Json;

use crate::arguments::{FIRST_LINE, LAST_LINE, LINE_COUNT, LINE_RANGE, OFFSET, OTHER_PART};
use crate::pattern::trimmed;

/// Lines of a file, counted from 1; without an end, all from the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineRange {
    /// The first line.
    pub first: u64,
    /// The last line, which is not before the first.
    pub last: Option<u64>,
}

impl LineRange {
    /// Lines from one to another; `None` if the last is before the first.
    pub fn new(first: u64, last: Option<u64>) -> Option<Self> {
        let first = first.max(1);
        let is_range = last.is_none_or(|last| (first..u64::MAX).contains(&last));
        is_range.then_some(Self { first, last })
    }

    /// A range as `1-50`, in which -1 is the end of the file.
    pub fn in_text(text: &str) -> Option<Self> {
        let mut ends = text.split(['-', ':', ',']);
        let mut end = || number_in(ends.next()?);
        let range = Self::of_ends(end()?, end()?);
        range.filter(|_| ends.next().is_none())
    }

    fn of_ends(first: i64, last: i64) -> Option<Self> {
        let last = (last != -1).then(|| u64::try_from(last));
        Self::new(u64::try_from(first).ok()?, last.transpose().ok()?)
    }

    /// A range as `[1, 50]`, `"1-50"` or `{ "start": 1, "end": 50 }`.
    fn of(value: &Json) -> Option<Self> {
        let end = |keys: [&str; 2]| keys.iter().find_map(|key| value.get(key));
        let (first, last) = match value {
            Json::Text(text) => return Self::in_text(text),
            Json::List(ends) => match &ends[..] {
                [first, last] => (first, last),
                _ => return None,
            },
            _ => (end(["start", "first"])?, end(["end", "last"])?),
        };
        Self::of_ends(number_of(first)?, number_of(last)?)
    }
}

/// The part of a file that a call asks for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum LinesAsked {
    /// The whole file.
    All,
    /// These lines.
    Ranges(Vec<LineRange>),
    /// Lines from an offset.
    Offset {
        /// It counts from 1, or from 0 in some tools.
        offset: u64,
        /// The number of lines; without it, all to the end.
        count: Option<u64>,
        /// Whether the tool counts from 0.
        counts_from_0: bool,
    },
    /// Some part of it, nobody knows which.
    Unknown,
}

impl LinesAsked {
    /// The part that a call of this tool asks for, in the words of the agents that are known.
    pub fn of(tool: &str, args: &Json) -> Self {
        if args.get("should_read_entire_file") == Some(&Json::Bool(true)) {
            return Self::All;
        }
        asked(tool, args).unwrap_or(Self::Unknown)
    }

    /// The lines, as far as the call tells; `None` for a part that nobody knows.
    pub fn ranges(self) -> Option<Vec<LineRange>> {
        match self {
            Self::All => LineRange::new(1, None).map(|all| vec![all]),
            Self::Ranges(ranges) => Some(ranges),
            Self::Offset {
                offset,
                count,
                counts_from_0,
            } => {
                let shift = u64::from(counts_from_0 && offset > 0);
                let first = offset.max(1).saturating_add(shift);
                LineRange::new(first, count.map(|count| last_of(first, count)))
                    .map(|range| vec![range])
            }
            Self::Unknown => None,
        }
    }
}

/// Whether an argument of this name chooses lines.
pub fn chooses_lines(name: &str) -> bool {
    let groups: [&[&str]; 5] = [&FIRST_LINE, &LAST_LINE, &OFFSET, &LINE_COUNT, &LINE_RANGE];
    groups.iter().any(|names| names.contains(&name))
}

/// Whether an argument says anything; models write `null` and `""` for what they leave out.
pub fn is_said(value: &Json) -> bool {
    !matches!(value, Json::Null) && value.as_text() != Some("")
}

fn asked(tool: &str, args: &Json) -> Option<LinesAsked> {
    let is_there = |name: &str| args.get(name).is_some_and(is_said);
    let given = |names: &[&str]| {
        let mut values = names.iter().filter_map(|name| args.get(name));
        values.find(|value| is_said(value))
    };
    // Roo Code picks blocks of code by their indentation.
    let is_by_indentation = args.get("mode").and_then(Json::as_text) == Some("indentation");
    if given(&OTHER_PART).is_some() || is_by_indentation {
        return None;
    }
    if let Some(ranges) = given(&LINE_RANGE) {
        return ranges_of(ranges).map(LinesAsked::Ranges);
    }
    let number = |names: &[&str]| match given(names) {
        Some(value) => number_of(value).map(Some),
        None => Some(None),
    };
    let (first, last) = (number(&FIRST_LINE)?, number(&LAST_LINE)?);
    let (offset, count) = (number(&OFFSET)?, number(&LINE_COUNT)?);
    if [first, last, offset, count] == [None; 4] {
        return Some(LinesAsked::All);
    }
    // -1 is the beginning or the end of the file, and no number of lines.
    let line = |number: Option<i64>| number.and_then(|number| u64::try_from(number).ok());
    let (first, last, offset) = (line(first), line(last), line(offset));
    let count = match count {
        Some(count) => Some(u64::try_from(count).ok().filter(|count| *count > 0)?),
        None => None,
    };
    if let (None, Some(offset)) = (last, offset) {
        return Some(LinesAsked::Offset {
            offset,
            count,
            counts_from_0: is_there("absolute_path")
                || (tool == "read_file" && is_there("file_path")),
        });
    }
    let first = first.or(offset).unwrap_or(1).max(1);
    let last = last.or(count.map(|count| last_of(first, count)));
    LineRange::new(first, last).map(|range| LinesAsked::Ranges(vec![range]))
}

fn last_of(first: u64, count: u64) -> u64 {
    first.saturating_add(count.saturating_sub(1))
}

/// One range, or a list of them.
fn ranges_of(value: &Json) -> Option<Vec<LineRange>> {
    if let Some(range) = LineRange::of(value) {
        return Some(vec![range]);
    }
    let ranges: Option<Vec<_>> = value.items().iter().map(LineRange::of).collect();
    ranges.filter(|ranges| !ranges.is_empty())
}

/// A line or a number of lines, which some models write as a string. Nobody knows what less than -1 is.
fn number_of(value: &Json) -> Option<i64> {
    const LARGEST: f64 = 1e15;
    match value {
        Json::Text(text) => number_in(text),
        Json::Number(number) if number.fract() == 0.0 && (-1.0..LARGEST).contains(number) => {
            Some(*number as i64)
        }
        _ => None,
    }
}

fn number_in(text: &str) -> Option<i64> {
    trimmed(text).parse().ok().filter(|number| *number >= -1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The ranges of a call's arguments, told as `1-50 60-`.
    fn told(tool: &str, args: &str) -> Option<String> {
        let mut room = Vec::new();
        let args = turnkeeper_base::json::parse(args.as_bytes(), &mut room).expect("JSON");
        let ranges = LinesAsked::of(tool, &args).ranges()?;
        let told = ranges.iter().map(|LineRange { first, last }| {
            format!(
                "{first}-{}",
                last.map_or(String::new(), |it| it.to_string())
            )
        });
        Some(told.collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn the_part_is_the_one_that_the_tool_means() {
        for (tool, args, expected) in [
            ("Read", r#"{"file_path":"a"}"#, Some("1-")),
            (
                "Read",
                r#"{"file_path":"a","offset":null,"limit":""}"#,
                Some("1-"),
            ),
            (
                "Read",
                r#"{"file_path":"a","offset":10,"limit":20}"#,
                Some("10-29"),
            ),
            (
                "Read",
                r#"{"file_path":"a","offset":0,"limit":20}"#,
                Some("1-20"),
            ),
            (
                "Read",
                r#"{"file_path":"a","offset":0,"limit":1}"#,
                Some("1-1"),
            ),
            (
                "read_file",
                r#"{"absolute_path":"/a","offset":10,"limit":20}"#,
                Some("11-30"),
            ),
            (
                "read_file",
                r#"{"absolute_path":"/a","offset":0,"limit":20}"#,
                Some("1-20"),
            ),
            (
                "read_file",
                r#"{"file_path":"/a","offset":10,"limit":20}"#,
                Some("11-30"),
            ),
            (
                "read_file",
                r#"{"path":"a","offset":"10","limit":" 20 "}"#,
                Some("10-29"),
            ),
            (
                "read_file",
                r#"{"path":"a","offset":10,"end_line":20}"#,
                Some("10-20"),
            ),
            (
                "read_file",
                r#"{"path":"a","start_line":7,"end_line":7}"#,
                Some("7-7"),
            ),
            (
                "read_file",
                r#"{"path":"a","start_line":7,"end_line":-1}"#,
                Some("7-"),
            ),
            ("read_file", r#"{"path":"a","end_line":-1}"#, Some("1-")),
            (
                "read_file",
                r#"{"path":"a","start_line":9,"end_line":3}"#,
                None,
            ),
            ("read_file", r#"{"path":"a","start_line":1.5}"#, None),
            ("read_file", r#"{"path":"a","start_line":"one"}"#, None),
            ("fs_read", r#"{"path":"a","start_line":-10}"#, None),
            ("Read", r#"{"path":"a","limit":0}"#, None),
            ("Read", r#"{"path":"a","limit":-1}"#, None),
            ("Read", r#"{"file_path":"a.pdf","pages":"1-3"}"#, None),
            (
                "read_file",
                r#"{"path":"a","mode":"indentation","offset":3}"#,
                None,
            ),
            ("view", r#"{"path":"a","view_range":[5,-1]}"#, Some("5-")),
            ("view", r#"{"path":"a","view_range":"5-9"}"#, Some("5-9")),
            ("view", r#"{"path":"a","view_range":"5-9-12"}"#, None),
            ("view", r#"{"path":"a","view_range":[9,5]}"#, None),
            (
                "view",
                r#"{"path":"a","lines":{"start":3,"end":4}}"#,
                Some("3-4"),
            ),
            (
                "view",
                r#"{"path":"a","line_ranges":[[1,5],"9-12"]}"#,
                Some("1-5 9-12"),
            ),
            ("view", r#"{"path":"a","line_ranges":[]}"#, None),
            (
                "view",
                r#"{"path":"a","should_read_entire_file":true,"offset":4}"#,
                Some("1-"),
            ),
        ] {
            assert_eq!(told(tool, args).as_deref(), expected, "{args}");
        }
    }

    #[test]
    fn a_saved_part_may_be_out_of_all_bounds() {
        let saved = LinesAsked::Offset {
            offset: u64::MAX,
            count: Some(0),
            counts_from_0: true,
        };
        assert_eq!(saved.ranges(), None);
    }
}
