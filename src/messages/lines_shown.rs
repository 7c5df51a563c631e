//! The lines of a file that the result of a call says it shows: in words at its ends, or by their numbers.

use turnkeeper_base::text::{Size, first_units, last_units};

use crate::lines::LineRange;
use crate::pattern::is_white;
use crate::pieces::{
    after_one_of, after_words, digits, ends_word, number, perhaps_after, places, says,
};

/// What a result says in words of its lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinesShown {
    /// These are there.
    Lines(LineRange),
    /// Some are left out, and nobody knows which.
    InPart,
}

/// Within this many units of the beginning and of the end of a text, tools say what they left out.
const EDGE: usize = 400;

/// What a result says of its lines: `[Showing lines 11-30 of 500]`.
pub fn lines_shown(text: &str) -> Option<LinesShown> {
    let units = || Size::of_text(text).units as usize;
    if text.len() <= 2 * EDGE || text.len() <= 6 * EDGE && units() <= 2 * EDGE {
        return said_in(text);
    }
    let (first, last) = (first_units(text, EDGE), last_units(text, EDGE));
    let may_say = has_hint(first) || has_hint(last);
    let edges = || said_in(&format!("{first}\n{last}"));
    may_say.then(edges).flatten()
}

/// Whether a text has a word without which it says nothing of its lines. Most texts are done after this.
fn has_hint(text: &str) -> bool {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at + 1 < bytes.len() {
        let word = match [bytes[at] | 0x20, bytes[at + 1] | 0x20] {
            [b's', b'h'] => "showing ",
            [b't', b'r'] => "truncated",
            [b'o', b'm'] => "omitted",
            [b'm', b'o'] => "more lines",
            _ => "",
        };
        if !word.is_empty() && after_words(&text[at..], word).is_some() {
            return true;
        }
        at += 1;
    }
    text.contains('\u{2026}')
}

/// What the edges of a text say.
fn said_in(edges: &str) -> Option<LinesShown> {
    let showing = || {
        places(edges, "showing ").map(|at| perhaps_after(&edges[at + "showing ".len()..], "only "))
    };
    let lines = |first, last| {
        let range = LineRange::new(first, Some(last));
        Some(range.map_or(LinesShown::InPart, LinesShown::Lines))
    };
    if let Some((first, last)) = showing().find_map(after_showing) {
        return lines(number(first), number(last));
    }
    if let Some(count) = showing().find_map(first_after_showing) {
        return lines(1, number(count));
    }
    let is_cut = says(edges, "tokens truncated")
        || edges.contains("[\u{2026}")
        || edges.match_indices("\u{2026} ").any(|(at, sign)| {
            digits(&edges[at + sign.len()..]).is_some_and(|(_, rest)| rest.starts_with(' '))
        })
        || edges.split('\n').any(says_in_brackets);
    is_cut.then_some(LinesShown::InPart)
}

/// `lines 1-50` after "showing".
fn after_showing(text: &str) -> Option<(&str, &str)> {
    let text = after_one_of(text, &["lines ", "line "]).unwrap_or(text);
    let (first, rest) = digits(text)?;
    let rest = rest.trim_start_matches(is_white);
    let rest = after_one_of(rest, &["-", "to"]).or_else(|| rest.strip_prefix('\u{2013}'))?;
    let (last, rest) = digits(rest.trim_start_matches(is_white))?;
    ends_word(rest).then_some((first, last))
}

/// `the first 50 of 100` after "showing".
fn first_after_showing(text: &str) -> Option<&str> {
    let (count, rest) = digits(perhaps_after(text, "the first "))?;
    let rest = after_one_of(rest, &[" of ", " out of "])?;
    digits(rest).map(|_| count)
}

/// A note in brackets has no more units than this on either side of the word.
const LONGEST_IN_BRACKETS: usize = 200;

fn says_in_brackets(line: &str) -> bool {
    ["truncated", "omitted", "more lines"].iter().any(|word| {
        places(line, word).any(|at| {
            let before = last_units(&line[..at], LONGEST_IN_BRACKETS + 1);
            let after = first_units(&line[at + word.len()..], LONGEST_IN_BRACKETS + 1);
            before.contains(['[', '(', '<']) && after.contains([']', ')', '>'])
        })
    })
}

/// Lines at the ends of a result of which one may have the number.
const NUMBERED_WITHIN: usize = 6;

/// The numbers of the first and of the last line of a text whose lines are numbered, as `cat -n`, editors and agents do.
pub fn numbered_lines(text: &str) -> Option<(u64, u64)> {
    let number = |line: &str| {
        let (line, rest) = digits(line.trim_start_matches(is_white))?;
        let is_number = ["\u{2192}", "\t", "|", " |", ": "]
            .iter()
            .any(|mark| rest.starts_with(mark));
        is_number.then(|| number(line))
    };
    let first = text.lines().take(NUMBERED_WITHIN).find_map(number)?;
    let last = text.lines().rev().take(NUMBERED_WITHIN).find_map(number)?;
    (first <= last).then_some((first, last))
}

/// The lines that Claude Code reads unless it is told otherwise.
const LINES_AT_MOST: u64 = 2_000;

/// Whether lines with these numbers are not all that a call which asked for a whole file gets of it.
pub fn are_part((first, last): &(u64, u64)) -> bool {
    *first > 1 || *last >= LINES_AT_MOST
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_says_which_lines_it_shows() {
        let lines = |first, last| LineRange::new(first, Some(last)).map(LinesShown::Lines);
        for (text, expected) in [
            ("[Showing lines 11-30 of 500]\nx", lines(11, 30)),
            ("x\nshowing only line 3 to 7.", lines(3, 7)),
            ("Showing the first 50 of 100 lines", lines(1, 50)),
            ("Showing 9-2", Some(LinesShown::InPart)),
            ("x\n[50 more lines in file]", Some(LinesShown::InPart)),
            ("x\n812 tokens truncated", Some(LinesShown::InPart)),
            ("showing lines off", None),
            ("nothing was truncated", None),
        ] {
            assert_eq!(lines_shown(text), expected, "{text}");
            let long = format!("{text}\n{}\n{text}", "word ".repeat(400));
            assert_eq!(lines_shown(&long), expected, "{text}");
        }
    }

    #[test]
    fn numbered_lines_are_those_of_editors_and_agents() {
        for (text, expected) in [
            ("     1\u{2192}x\n\n    20\u{2192}y\n", Some((1, 20))),
            ("<file>\n00011| x\n00012| y\n</file>", Some((11, 12))),
            ("7 | x", Some((7, 7))),
            ("9: x\n3: y", None),
            ("7 x", None),
        ] {
            assert_eq!(numbered_lines(text), expected, "{text}");
        }
    }
}
