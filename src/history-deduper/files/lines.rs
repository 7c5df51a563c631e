//! The lines of a text as hashes, to compare two copies of a file without keeping either.

use rustc_hash::{FxHashMap, FxHashSet};
use turnkeeper_base::text::hash::fingerprint;
use turnkeeper_base::text::utf8::find_line_feed;
use turnkeeper_messages::is_white;

/// The hash of a blank line, which has no byte.
const BLANK: u64 = 0xef46_db37_51d8_e999;
/// Of this many lines one at most is missing in a text that is like an older one.
const LIKE: usize = 4;

/// Hashes of the lines of a text from the first to the last that are more than white space. A carriage
/// return at the end of a line does not count, and neither do the numbers of lines that run on.
#[derive(Debug, Clone, Default)]
pub(crate) struct Lines {
    hashes: Vec<u64>,
    /// The number of them that are more than white space.
    filled: usize,
    /// Whether each line has a number, each one more than the number before.
    pub(super) are_numbered: bool,
}

/// The lines that edits name.
pub(super) type Named = FxHashSet<u64>;

impl Lines {
    /// The lines of a text.
    pub(crate) fn of(text: &str) -> Self {
        // With one line alone nothing runs on.
        let has_second = || {
            lines_of(text)
                .filter(|line| !is_blank(line))
                .nth(1)
                .is_some()
        };
        let numbered = match lines_of(text).next().and_then(number_of) {
            Some(_) if has_second() => without_numbers(text),
            _ => None,
        };
        let mut own = Self {
            hashes: Vec::with_capacity(text.len() / 64),
            filled: 0,
            are_numbered: numbered.is_some(),
        };
        match numbered {
            Some(lines) => own.add(lines.into_iter()),
            None => own.add(lines_of(text)),
        }
        // They are kept as long as the history is read.
        own.hashes.shrink_to_fit();
        own
    }

    /// Adds lines, without the blank ones at both ends.
    fn add<'a>(&mut self, lines: impl Iterator<Item = &'a str>) {
        let mut end = 0;
        for line in lines.skip_while(|line| is_blank(line)) {
            self.hashes.push(hash(line));
            if !is_blank(line) {
                self.filled += 1;
                end = self.hashes.len();
            }
        }
        self.hashes.truncate(end);
    }

    /// The lines of the arguments of an edit, which may be marked as those of a diff.
    pub(crate) fn of_edit(text: &str) -> Self {
        let mut lines = Self::default();
        for line in lines_of(text) {
            lines.hashes.push(hash(line));
            if line.starts_with(['+', '-', ' ']) {
                lines.hashes.push(hash(&line[1..]));
            }
        }
        lines
    }

    /// The number of those that are more than white space.
    pub(super) fn count(&self) -> usize {
        self.filled
    }

    /// Adds them to those that edits name.
    pub(super) fn add_to(&self, named: &mut Named) {
        named.extend(&self.hashes);
    }

    /// The number of those, other than blank ones, that edits name.
    pub(super) fn count_named(&self, named: &Named) -> usize {
        if named.is_empty() {
            return 0;
        }
        let is_named = |line: &&u64| **line != BLANK && named.contains(line);
        self.hashes.iter().filter(is_named).count()
    }

    /// Whether an older text's last line is among them. What is cut at its end does not have it.
    pub(super) fn have_end_of(&self, older: &Self) -> bool {
        let is_here = |last| self.hashes.iter().rev().any(|line| line == last);
        older.hashes.last().is_none_or(is_here)
    }

    /// Whether they are an older text's lines in their order, with others between them, but for lines that
    /// edits name. If there are such, no other line may come last, for that may say that the rest is left out.
    pub(super) fn continue_from(&self, older: &Self, named: &Named) -> bool {
        let is_known = |last: &u64| older.hashes.contains(last) || named.contains(last);
        if !named.is_empty() && !self.hashes.last().is_none_or(is_known) {
            return false;
        }
        let mut rest = self.hashes.iter();
        let is_left = |line: &&u64| named.is_empty() || !named.contains(line);
        let mut left = older.hashes.iter().filter(is_left);
        left.all(|line| rest.any(|own| own == line))
    }

    /// Whether they are fewer than an older text's, without those that edits took out and with those that
    /// they put in.
    pub(super) fn are_fewer(&self, older: &Self, named: &Named) -> bool {
        let of = |lines: &Self, other: &Self| {
            if named.is_empty() {
                return 0;
            }
            let other: FxHashSet<u64> = other.hashes.iter().copied().collect();
            let lines = lines.hashes.iter().filter(|line| **line != BLANK);
            lines
                .filter(|line| named.contains(line) && !other.contains(line))
                .count()
        };
        // Edits that name blank lines may have taken out any of them.
        let length = |lines: &Self| match named.contains(&BLANK) {
            true => lines.filled,
            false => lines.hashes.len(),
        };
        length(self) + of(older, self) < length(older) + of(self, older)
    }

    /// Whether they have most of an older text's lines, mostly after each other as they were there, without
    /// those that edits name.
    pub(super) fn are_like(&self, older: &Self, named: &Named) -> bool {
        let own: Vec<u64> = self.filled_lines().collect();
        let left: Vec<u64> = older
            .filled_lines()
            .filter(|it| !named.contains(it))
            .collect();
        // Neither lacks the lines that both begin with or end with.
        let start = common(own.iter(), left.iter());
        let end = common(own[start..].iter().rev(), left[start..].iter().rev());
        let mut here: FxHashMap<u64, usize> = FxHashMap::default();
        for line in &own[start..own.len() - end] {
            *here.entry(*line).or_default() += 1;
        }
        let others = left[start..left.len() - end].iter();
        let missing = others.filter(|line| match here.get_mut(line) {
            Some(count @ 1..) => {
                *count -= 1;
                false
            }
            _ => true,
        });
        if LIKE * missing.count() > older.filled {
            return false;
        }
        // No other pair can be broken than one with such a line.
        let changed = &left[start.saturating_sub(1)..left.len().min(left.len() - end + 1)];
        if changed.len() <= left.len() / 2 {
            return true;
        }
        let pairs: FxHashSet<&[u64]> = own.windows(2).collect();
        let broken = changed.windows(2).filter(|pair| !pairs.contains(pair));
        2 * broken.count() <= left.len()
    }

    fn filled_lines(&self) -> impl Iterator<Item = u64> {
        self.hashes.iter().copied().filter(|line| *line != BLANK)
    }
}

/// The lines without their numbers, if each has one and the numbers run on. Blank lines have numbers, too.
fn without_numbers(text: &str) -> Option<Vec<&str>> {
    let text = text.trim_end_matches(is_white);
    let mut next = None;
    let mut lines = Vec::new();
    let mut rest_of_text = lines_of(text);
    while let Some(line) = rest_of_text.next() {
        let Some((number, rest)) = number_of(line) else {
            // Some tools say in brackets at the end how many lines there are.
            let mut left = std::iter::once(line)
                .chain(rest_of_text)
                .filter(|line| !is_blank(line));
            let note = left.next()?;
            let is_note = note.starts_with('(') && left.next().is_none();
            return (is_note && lines.len() > 1).then_some(lines);
        };
        if next.is_some_and(|next| next != number) {
            return None;
        }
        next = Some(number + 1);
        lines.push(rest);
    }
    Some(lines)
}

/// A line's number, as `cat -n` and agents print it (`12→`, `12\t`, `12 | `), and the rest of the line.
fn number_of(line: &str) -> Option<(u32, &str)> {
    let line = line.trim_start_matches(' ');
    let rest = line.trim_start_matches(|it: char| it.is_ascii_digit());
    let digits = &line[..line.len() - rest.len()];
    if !(1..=9).contains(&digits.len()) {
        return None;
    }
    let number = digits.parse().ok()?;
    let mark = ["\u{2192}", "\t", " | ", "| "].iter();
    let inner = mark.into_iter().find_map(|mark| rest.strip_prefix(mark));
    let is_empty = matches!(rest, " |" | "|");
    let rest = inner.or(is_empty.then_some(""))?;
    Some((number, rest))
}

/// The number of lines from the first that are equal.
fn common<'a>(own: impl Iterator<Item = &'a u64>, other: impl Iterator<Item = &'a u64>) -> usize {
    own.zip(other)
        .take_while(|(own, other)| own == other)
        .count()
}

/// The parts of a text between line feeds.
fn lines_of(text: &str) -> impl Iterator<Item = &str> {
    let mut next = Some(0);
    std::iter::from_fn(move || {
        let start = next?;
        let end = find_line_feed(text.as_bytes(), start);
        next = (end < text.len()).then_some(end + 1);
        Some(&text[start..end])
    })
}

fn hash(line: &str) -> u64 {
    let line = match line.as_bytes() {
        [line @ .., b'\r'] => line,
        line => line,
    };
    fingerprint(line)
}

/// Whether there is nothing but white space; of most lines the first bytes say it.
fn is_blank(line: &str) -> bool {
    let mut bytes = line.bytes();
    match bytes.find(|it| *it != b' ' && *it != b'\t') {
        Some(byte) if byte.is_ascii_graphic() => false,
        Some(_) => turnkeeper_messages::is_blank(line),
        None => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_blank_line_is_what_it_is_said_to_be() {
        assert_eq!(hash(""), BLANK);
    }

    fn lines(text: &str) -> Lines {
        Lines::of(text)
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

    fn named(edit: &str) -> Named {
        let mut named = Named::default();
        let edit = Lines::of_edit(edit);
        edit.add_to(&mut named);
        named
    }

    #[test]
    fn a_text_that_goes_on_from_another_has_its_lines_in_order() {
        let older = lines("a\n\nb\nc");
        for newer in [
            "a\n\nb\nc\n",
            "\na\r\n\r\nb\r\nc",
            "x\na\n\nx\nb\nc\nx",
            "1\ta\n2\t\n3\tb\n4\tc",
        ] {
            assert!(
                lines(newer).continue_from(&older, &Named::default()),
                "{newer}"
            );
        }
        for newer in ["a\nb\nc", "a\n\nb", "c\nb\n\na", "a\n\nb \nc", "a\n\nx\nc"] {
            assert!(
                !lines(newer).continue_from(&older, &Named::default()),
                "{newer}"
            );
        }
    }

    #[test]
    fn what_edits_name_may_be_missing_and_come_last() {
        let older = lines("a\nb\nb\nc");
        for (newer, edit) in [("a\nx", "-b\n-c\n+x"), ("a\nb\nb", "c"), ("c\na", "a\nb")] {
            assert!(lines(newer).continue_from(&older, &named(edit)), "{newer}");
        }
        for (newer, edit) in [("a\nx", "b\nc"), ("a\nb\nb", "x"), ("b\nb\nc", "b")] {
            assert!(!lines(newer).continue_from(&older, &named(edit)), "{newer}");
        }
    }

    #[test]
    fn what_an_edit_put_in_is_no_reason_for_a_text_to_be_shorter() {
        let older = lines("a\nb\nc\nd");
        let edit = named("b\nx\ny");
        for (newer, is_fewer) in [
            ("a\nx\ny\nc\nd", false),
            ("a\nx\ny\nc", true),
            ("a\nc\nd", false),
        ] {
            assert_eq!(lines(newer).are_fewer(&older, &edit), is_fewer, "{newer}");
        }
    }

    #[test]
    fn a_text_without_the_blank_lines_of_another_is_shorter_unless_an_edit_names_some() {
        let (older, newer) = (lines("a\n\nb\n\nc"), lines("a\nb\nc"));
        assert!(newer.are_fewer(&older, &named("q")));
        assert!(!newer.are_fewer(&older, &named("q\n\nr")));
    }

    #[test]
    fn a_text_that_is_like_another_has_most_of_its_lines_in_order() {
        let none = Named::default();
        let older = lines("a\nb\nc\n\nd\ne\nf\ng\nh");
        for newer in ["a\nb\n3\nd\n5\nf\ng\nh", "1\nb\nc\nd\ne\nf\ng\nh\n9"] {
            assert!(lines(newer).are_like(&older, &none), "{newer}");
        }
        for newer in ["a\n2\n3\nd\n5\nf\ng\nh", "h\ng\nf\ne\nd\nc\nb\na"] {
            assert!(!lines(newer).are_like(&older, &none), "{newer}");
        }
        let end = lines("g\nf");
        assert!(!end.have_end_of(&older) && lines("h\ng").have_end_of(&older));
    }

    /// As it is told, one line after the other.
    fn naively_like(own: &Lines, older: &Lines, named: &Named) -> bool {
        let mut here: Vec<u64> = own.filled_lines().collect();
        let own = here.clone();
        let left = older.filled_lines().filter(|it| !named.contains(it));
        let left: Vec<u64> = left.collect();
        let mut missing = 0;
        for line in &left {
            match here.iter().position(|other| other == line) {
                Some(place) => drop(here.remove(place)),
                None => missing += 1,
            }
        }
        let is_broken = |pair: &&[u64]| own.windows(2).all(|other| other != *pair);
        let broken = left.windows(2).filter(is_broken).count();
        LIKE * missing <= older.filled && 2 * broken <= left.len()
    }

    proptest! {
        #[test]
        fn what_both_begin_and_end_with_is_not_looked_at_and_changes_nothing(
            start in "([a-c]\n){0,4}",
            own in "([a-e]\n){0,5}",
            older in "([a-e]\n){0,5}",
            end in "([a-c]\n){0,4}",
            named in "[a-e]?",
        ) {
            let text = |middle: &str| lines(&format!("{start}{middle}{end}"));
            let (own, older) = (text(&own), text(&older));
            let mut edited = Named::default();
            if !named.is_empty() {
                lines(&named).add_to(&mut edited);
            }
            prop_assert_eq!(own.are_like(&older, &edited), naively_like(&own, &older, &edited));
        }
    }
}
