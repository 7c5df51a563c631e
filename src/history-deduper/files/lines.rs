//! What a text is made of, to compare two copies of a file without keeping either.

use std::collections::{HashMap, HashSet};

use turnkeeper_base::text::hash::UnitHash;
use turnkeeper_base::text::white_space::{end_of, is_blank};

const NEW_LINE: u16 = b'\n' as u16;
const ARROW: u16 = 0x2192;
const TAB: u16 = b'\t' as u16;
const BAR: u16 = b'|' as u16;
const SPACE: u16 = b' ' as u16;

/// How many lines at the end of a text are looked for.
const END: usize = 3;

/// Hashes of the lines of a text that are more than white space, in their order. White space at the end
/// of a line does not count, and neither do the numbers of lines that run on.
#[derive(Debug, Clone, Default)]
pub struct Lines {
    hashes: Vec<u64>,
    /// Whether each line has a number, each one more than the number before.
    pub(super) are_numbered: bool,
}

/// How a text differs from an older one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Difference {
    /// How many lines of the older one are not in it.
    pub(super) missing: usize,
    /// How many of these no edit names.
    pub(super) unexplained: usize,
    /// Whether it has one of the last lines of the older one, or an edit names one.
    pub(super) has_end: bool,
}

impl Lines {
    /// The lines of a text.
    pub fn of(text: &[u16]) -> Self {
        let lines = text.split(|unit| *unit == NEW_LINE);
        let lines: Vec<&[u16]> = lines.filter(|line| !is_blank(line)).collect();
        // With one line alone nothing runs on.
        let numbered = (lines.len() > 1).then(|| without_numbers(text)).flatten();
        let are_numbered = numbered.is_some();
        let hashes = numbered.unwrap_or(lines).into_iter().map(hash).collect();
        Self {
            hashes,
            are_numbered,
        }
    }

    /// The lines of the arguments of an edit, which may be marked as those of a diff.
    pub fn of_edit(text: &[u16]) -> Self {
        let mut lines = Self::default();
        for line in text.split(|unit| *unit == NEW_LINE) {
            lines.hashes.push(hash(line));
            if let Some(b'+' | b'-' | b' ') = line.first().and_then(|unit| u8::try_from(*unit).ok())
            {
                lines.hashes.push(hash(&line[1..]));
            }
        }
        lines
    }

    pub(super) fn count(&self) -> usize {
        self.hashes.len()
    }

    /// How this differs from an older text, after edits with those lines.
    pub(super) fn compared<'a>(
        &self,
        older: &Self,
        edits: impl Iterator<Item = &'a Self>,
    ) -> Difference {
        let mut here: HashMap<u64, usize> = HashMap::new();
        for line in &self.hashes {
            *here.entry(*line).or_default() += 1;
        }
        let last = &older.hashes[older.count().saturating_sub(END)..];
        let mut has_end = last.is_empty() || last.iter().any(|line| here.contains_key(line));
        let mut missing = Vec::new();
        for line in &older.hashes {
            match here.get_mut(line) {
                Some(count @ 1..) => *count -= 1,
                _ => missing.push(*line),
            }
        }
        let mut unexplained = missing.len();
        if !missing.is_empty() {
            let named: HashSet<u64> = edits.flat_map(|lines| &lines.hashes).copied().collect();
            has_end |= last.iter().any(|line| named.contains(line));
            unexplained = missing.iter().filter(|line| !named.contains(line)).count();
        }
        Difference {
            missing: missing.len(),
            unexplained,
            has_end,
        }
    }
}

/// The lines without their numbers, if each has one and the numbers run on. Blank lines have numbers, too.
fn without_numbers(text: &[u16]) -> Option<Vec<&[u16]>> {
    let text = &text[..end_of(text)];
    let mut next = None;
    let mut lines = Vec::new();
    let mut rest_of_text = text.split(|unit| *unit == NEW_LINE);
    while let Some(line) = rest_of_text.next() {
        let Some((number, rest)) = number_of(line) else {
            // Some tools say in brackets at the end how many lines there are.
            let mut left = std::iter::once(line)
                .chain(rest_of_text)
                .filter(|line| !is_blank(line));
            let note = left.next()?;
            let is_note = note.first() == Some(&(b'(' as u16)) && left.next().is_none();
            return (is_note && lines.len() > 1).then_some(lines);
        };
        if next.is_some_and(|next| next != number) {
            return None;
        }
        next = Some(number + 1);
        if !is_blank(rest) {
            lines.push(rest);
        }
    }
    Some(lines)
}

/// A line's number, as `cat -n` and agents print it (`12→`, `12\t`, `12 | `), and the rest of the line.
fn number_of(line: &[u16]) -> Option<(u32, &[u16])> {
    let start = line.iter().position(|unit| *unit != SPACE)?;
    let digits = line[start..]
        .iter()
        .take_while(|unit| (0x30..=0x39).contains(*unit))
        .count();
    if !(1..=9).contains(&digits) {
        return None;
    }
    let (number, rest) = line[start..].split_at(digits);
    let number = number
        .iter()
        .fold(0, |sum, digit| 10 * sum + u32::from(digit - 0x30));
    let rest = match rest {
        [ARROW | TAB, rest @ ..] => rest,
        [SPACE, BAR, SPACE, rest @ ..] | [BAR, SPACE, rest @ ..] => rest,
        [SPACE, BAR] | [BAR] => &[],
        _ => return None,
    };
    Some((number, rest))
}

fn hash(line: &[u16]) -> u64 {
    let mut hash = UnitHash::EMPTY;
    for unit in &line[..end_of(line)] {
        hash.push(*unit);
    }
    hash.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Lines {
        Lines::of(&text.encode_utf16().collect::<Vec<_>>())
    }

    #[test]
    fn numbers_that_run_on_do_not_count() {
        let plain = lines("a\nb\n\nc");
        for numbered in [
            "1\ta\n2\tb\n3\t\n4\tc\n",
            " 9→a\n10→b\n11→\n12→c",
            "1 | a\n2 | b\n3 |\n4 | c",
            "00001| a\n00002| b\n00003| \n00004| c",
            "1 | a\n2 | b\n3 | \n4 | c\n\n(File has 4 lines total.)",
        ] {
            let numbered = lines(numbered);
            assert!(numbered.are_numbered);
            assert_eq!(numbered.hashes, plain.hashes);
        }
        for other in ["a\nb", "1 a\n2 b", "1\ta\n3\tb", "1\ta\nb", "1\ta"] {
            assert!(!lines(other).are_numbered, "{other}");
        }
    }

    #[test]
    fn what_an_edit_names_may_be_missing() {
        let (older, newer) = (lines("a\nb\nb\nc"), lines("a\nb\nx"));
        let edit = Lines::of_edit(&"-c\n+x".encode_utf16().collect::<Vec<_>>());
        let difference = |edits: &[Lines]| newer.compared(&older, edits.iter());
        let (missing, has_end) = (2, true);
        let unexplained = 2;
        assert_eq!(
            difference(&[]),
            Difference {
                missing,
                unexplained,
                has_end
            }
        );
        let unexplained = 1;
        assert_eq!(
            difference(&[edit]),
            Difference {
                missing,
                unexplained,
                has_end
            }
        );
    }
}
