//! The values on a line that is no JSON: after a crash or a race of two writers a line holds two records, the beginning
//! of one and the whole of the next, or a run of NULs and a record.

use std::ops::Range;

use serde::de::IgnoredAny;
use serde_json::{Deserializer, Error};

/// A part of a line.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Salvaged {
    /// A record.
    Whole(Range<usize>),
    /// Bytes that are none.
    Lost(Range<usize>),
}

/// Cuts a line that is no JSON into the records that it holds and what is between them; the parts, one after the other,
/// are the line. A record begins with `{"`, and goes on to the end of the line, or to the next record.
///
/// Linear in the line.
pub(crate) fn salvage(line: &[u8]) -> Vec<Salvaged> {
    let mut parts = Vec::new();
    // The beginning of what has not been given out, and of what has not been looked at.
    let (mut from, mut at) = (0, 0);
    while let Some(start) = next_record(line, at) {
        let mut values = Deserializer::from_slice(&line[start..]).into_iter::<IgnoredAny>();
        match values.next() {
            Some(Ok(_)) => {
                let end = start + values.byte_offset();
                let rest = line[end..].trim_ascii_start();
                at = end;
                if !(rest.is_empty() || rest.starts_with(b"{\"") || is_nul(rest)) {
                    // It is a part of a record that is broken elsewhere.
                    continue;
                }
                let end = if rest.is_empty() { line.len() } else { end };
                if start > from {
                    parts.push(Salvaged::Lost(from..start));
                }
                parts.push(Salvaged::Whole(start..end));
                (from, at) = (end, end);
            }
            Some(Err(error)) if !error.is_eof() => at = restart(line, start, &error),
            _ => break,
        }
    }
    if from < line.len() {
        parts.push(Salvaged::Lost(from..line.len()));
    }
    parts
}

fn is_nul(rest: &[u8]) -> bool {
    rest.starts_with(b"\0")
}

fn next_record(line: &[u8], at: usize) -> Option<usize> {
    memchr::memmem::find(&line[at..], b"{\"").map(|found| at + found)
}

/// The bytes before an error in which its cause is looked for: a record that begins in a string of another ends that string.
const BEFORE: usize = 8;

/// The place from which to look on, after a record that began at `start` was found broken.
fn restart(line: &[u8], start: usize, error: &Error) -> usize {
    // A line has no line break but at its end, so the column counts its bytes.
    let place = (start + error.column()).min(line.len());
    place.saturating_sub(BEFORE).max(start + 1)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The records that a line holds, and in brackets what is lost.
    fn found(line: &str) -> Vec<String> {
        let parts = salvage(line.as_bytes()).into_iter();
        let parts = parts.map(|part| match part {
            Salvaged::Whole(range) => line[range].to_owned(),
            Salvaged::Lost(range) => format!("[{}]", &line[range]),
        });
        parts.collect()
    }

    #[test]
    fn records_that_are_glued_are_told_apart() {
        let one = r#"{"a":{"b":"{\"x\":1}"}}"#;
        let two = r#"{"type":"b","c":[1]}"#;
        assert_eq!(found(&format!("{one}{two}\n")), [one, &format!("{two}\n")]);
        for cut in [
            r#"{"type":"#, r#"{"type"#, r#"{"type":"x\"#, r#"{"type":"x\u00"#,
            r#"{"type":"x", "y"#, r#"{"type":12"#, "\0\0\0\0", "\0", "x",
        ] {
            if cut.ends_with(':') {
                // The next record is the value that was to come.
                continue;
            }
            let line = format!("{cut}{two}\n");
            assert_eq!(
                found(&line),
                [format!("[{cut}]"), format!("{two}\n")],
                "{cut}"
            );
        }
        assert_eq!(found(&format!("{one}\0\0{two}")), [one, "[\0\0]", two]);
        assert_eq!(found(&format!("{one}\0\0")), [one, "[\0\0]"]);
    }

    #[test]
    fn a_part_of_a_broken_record_is_none() {
        for line in [
            r#"{"a":{"b":1},"c":"#,
            r#"{"a":{"b":1}"#,
            r#"{"a":"\q","u":{"b":1},"v":{"c":2}}"#,
            "\0\0\0",
            "",
            "no JSON",
        ] {
            let expected: Vec<String> = [format!("[{line}]")].into();
            let expected = if line.is_empty() {
                Vec::new()
            } else {
                expected
            };
            assert_eq!(found(line), expected);
        }
    }

    proptest! {
        #[test]
        fn the_parts_are_the_line(line in r#"([{}"a:,\\1\[\]]|\{"a":1\}){0,40}"#) {
            let mut at = 0;
            for part in salvage(line.as_bytes()) {
                let (Salvaged::Whole(range) | Salvaged::Lost(range)) = part;
                prop_assert_eq!(range.start, at);
                prop_assert!(range.end > at);
                at = range.end;
            }
            prop_assert_eq!(at, line.len());
        }
    }
}
