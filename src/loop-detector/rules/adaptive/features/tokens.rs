//! The part of an argument or a result that is compared: all but what changes by itself, such as clocks,
//! durations, process numbers and ids.
//!
//! One pass over the text, word by word. A number waits until it is clear what follows it: numbers
//! with one of `. , : - /` between them are one, as in a date or an address, and a word after it may
//! say that it changes by itself.

use super::characters::{Class, class_of, is, is_ascii};
use super::claims::Claims;
use super::number::{Number, NumberKind, WordKind, is_joiner};
use super::vocabulary::{ResultWord, VOCABULARY};
use turnkeeper_base::text::hash::UnitHash;

/// Words further back in a result do not say what the numbers beside them are.
const UNITS_WITH_MEANING: usize = 4_096;
/// A shorter line is like many others, and at most this many lines are told apart.
const SHORTEST_LINE: usize = 8;
const MOST_LINES: usize = 256;
/// A longer number is one that changes by itself.
const LONGEST_NUMBER: usize = 40;
/// From here on, a character may be of a script that does not put spaces between words.
const FIRST_UNSPACED: u16 = 0x2e80;
/// Units that are compared in place of a number and of an id.
const ANY_NUMBER: u16 = b'0' as u16;
const ANY_ID: u16 = b'x' as u16;
const SPACE: u16 = b' ' as u16;
const ESCAPE: u8 = 0x1b;

/// The origin of a text.
#[derive(Debug, Clone, Copy)]
pub(super) enum Source {
    /// An argument: only times are not compared. An id says which thing is meant.
    Argument,
    /// A result: no number that changes by itself is compared, nor white space.
    Result {
        /// Words say whether a result failed if it has at most this many units.
        short: usize,
    },
}

/// The compared part of a text, and the claims of its words if it is a result.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tokens {
    /// The text without what changes by itself.
    pub(super) stable: UnitHash,
    /// The text without any numbers.
    pub(super) without_numbers: UnitHash,
    /// The sum of its lines without what changes by itself.
    lines: u64,
    /// The line under way, of which `lines` has nothing yet.
    line: UnitHash,
    /// The number of numbers and ids that are no times of day and that no word announces, as `took` does, and how many of them
    /// are not compared.
    pub(super) numbers: u32,
    pub(super) changing_numbers: u32,
    /// The number of units that are compared, those of numbers left out.
    pub(super) length: usize,
    pub(super) claims: Claims,
}

impl Tokens {
    /// Reads a text.
    pub(super) fn of(text: &[u16], source: Source) -> Self {
        Self::read(text, source, None)
    }

    /// Reads a result whose words say up to `short` units whether it failed. What its lines are compared by
    /// is in `lines` then, but for short ones.
    pub(super) fn of_lines(text: &[u16], short: usize, lines: &mut Vec<u32>) -> Self {
        lines.clear();
        Self::read(text, Source::Result { short }, Some(lines))
    }

    fn read(text: &[u16], source: Source, lines: Option<&mut Vec<u32>>) -> Self {
        let mut reader = Reader {
            text,
            source,
            lines,
            lines_before: [0; 2],
            line_begin: 0,
            tokens: Self {
                stable: UnitHash::EMPTY,
                without_numbers: UnitHash::EMPTY,
                lines: 0,
                line: UnitHash::EMPTY,
                numbers: 0,
                changing_numbers: 0,
                length: 0,
                claims: Claims::default(),
            },
            has_space: false,
            number: None,
        };
        reader.read();
        reader.tokens
    }

    /// A result without what changes by itself, whose lines may be in any order.
    pub(super) fn in_any_order(&self) -> u64 {
        match self.lines == spread(self.stable) {
            true => self.stable.0,
            false => self.lines,
        }
    }

    /// Ends a line, and answers with what it is compared by, 0 if nothing is on it.
    fn end_line(&mut self) -> u64 {
        let line = std::mem::replace(&mut self.line, UnitHash::EMPTY);
        let line = match line == UnitHash::EMPTY {
            true => 0,
            false => spread(line),
        };
        self.lines = self.lines.wrapping_add(line);
        line
    }
}

/// A line's hash as one that can be added to others.
fn spread(line: UnitHash) -> u64 {
    let mixed = (line.0 ^ line.0 >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ mixed >> 29
}

struct Reader<'a> {
    text: &'a [u16],
    source: Source,
    lines: Option<&'a mut Vec<u32>>,
    /// The lines before, which tell a line from an equal one elsewhere.
    lines_before: [u64; 2],
    /// The number of units that had been compared where the line began.
    line_begin: usize,
    tokens: Tokens,
    /// True if white space was read that is not yet compared.
    has_space: bool,
    /// A number of which the end is not known yet.
    number: Option<Number>,
}

impl<'a> Reader<'a> {
    fn read(&mut self) {
        let mut at = 0;
        // The end of the last character, if it is of a script without spaces.
        let mut unspaced_end = None;
        while let Some(&unit) = self.text.get(at) {
            let class = class_of(unit);
            let start = at;
            if class.intersects(Class::WORD) {
                at = self.read_word(start);
                continue;
            }
            at += 1;
            let is_space = class == Class::WHITE_SPACE;
            if is_ascii(unit, b'\n') && matches!(self.source, Source::Result { .. }) {
                self.end_number(None, ResultWord::empty());
                self.end_line();
                self.has_space = true;
                continue;
            }
            if self.goes_on_with(unit, is_space) {
                continue;
            }
            self.end_number(Some(unit), ResultWord::empty());
            if is_space {
                self.space(unit);
            } else if is_ascii(unit, ESCAPE) {
                at = self.end_of_escape_sequence(at);
            } else {
                if unit >= FIRST_UNSPACED {
                    if unspaced_end == Some(start) {
                        let meaning = self.meaning(&self.text[start - 1..at]);
                        let counts = self.claims_count();
                        self.tokens.claims.hear_pair(meaning, counts);
                    }
                    unspaced_end = Some(at);
                    self.tokens.claims.hear_character();
                }
                self.compare(unit);
            }
        }
        self.end_number(None, ResultWord::empty());
        if matches!(self.source, Source::Result { .. }) {
            self.end_line();
        }
    }

    fn end_line(&mut self) {
        let length = self.tokens.length - self.line_begin;
        self.line_begin = self.tokens.length;
        let line = self.tokens.end_line();
        self.tokens.claims.end_line();
        if let Some(lines) = &mut self.lines
            && length >= SHORTEST_LINE
            && lines.len() < MOST_LINES
        {
            let [first, second] = self.lines_before;
            self.lines_before = [second, line];
            let three = first.rotate_left(21) ^ second.rotate_left(42) ^ line;
            lines.push((three >> 16) as u32);
        }
    }

    /// Reads the word that begins at a place, and answers where it ends.
    fn read_word(&mut self, start: usize) -> usize {
        let mut end = start;
        let mut classes = Class::empty();
        while let Some(&unit) = self.text.get(end) {
            let class = class_of(unit);
            if !class.intersects(Class::WORD) {
                break;
            }
            classes |= class;
            end += 1;
        }
        let word = &self.text[start..end];
        let kind = WordKind::of(word, classes);
        let meaning = self.meaning(word);
        if let Some(number) = &mut self.number
            && number.join(word, kind, end)
        {
            let counts = self.claims_count();
            self.tokens.claims.hear_part_of_number(word, counts);
            return end;
        }
        self.end_number(None, meaning);
        match kind {
            WordKind::Text => self.compare_word(word),
            WordKind::Mixed => self.compare_mixed(word),
            WordKind::Number(kind) => {
                let mut number = Number::new(kind, start, end);
                number.is_announced = self.tokens.claims.announce_changing_number();
                number.is_name = self.tokens.claims.announce_name();
                number.changes_by_itself |= number.is_announced;
                number.has_space_before = std::mem::take(&mut self.has_space);
                self.number = Some(number);
                if kind != NumberKind::Id {
                    let counts = self.claims_count();
                    self.tokens.claims.hear_number(word, counts);
                    return end;
                }
            }
        }
        let counts = self.claims_count();
        self.tokens.claims.hear_word(word, meaning, counts);
        end
    }

    /// True if what follows a number may still belong to it: a mark that joins it with another one,
    /// or, in a result, white space before a word that says what it is.
    fn goes_on_with(&mut self, unit: u16, is_space: bool) -> bool {
        let Some(number) = &mut self.number else {
            return false;
        };
        if number.joiner.is_some() {
            return false;
        }
        if is_space && matches!(self.source, Source::Result { .. }) {
            number.has_space_after = true;
            return true;
        }
        if is_joiner(unit) && !number.has_space_after {
            number.joiner = Some(unit);
            return true;
        }
        false
    }

    /// White space: in results it counts only between two words, whatever it is; in arguments it
    /// may be all that an edit changes, so it is compared as it is.
    fn space(&mut self, unit: u16) {
        match self.source {
            Source::Argument => self.compare(unit),
            Source::Result { .. } => self.has_space = true,
        }
    }

    /// The number that waits, if there is one, is complete: `next` is the unit after it and `meaning`
    /// that of the word after it, as far as they are known.
    fn end_number(&mut self, next: Option<u16>, meaning: ResultWord) {
        let Some(number) = self.number.take() else {
            return;
        };
        let digits = &self.text[number.start..number.end];
        let is_id = number.kind == NumberKind::Id;
        let any = [if is_id { ANY_ID } else { ANY_NUMBER }];
        let (stable, without_numbers, changes) = match self.source {
            Source::Argument => {
                let changes = number.is_time(digits);
                (if changes { &any } else { digits }, &any[..], changes)
            }
            Source::Result { .. } => {
                let is_long = digits.len() > LONGEST_NUMBER;
                let is_percentage =
                    number.joiner.is_none() && next.is_some_and(|next| is_ascii(next, b'%'));
                let is_progress = !is_long
                    && (number.kind == NumberKind::Size || is_percentage || number.is_fraction());
                let changes = is_id
                    || is_long
                    || number.changes_by_itself
                    || meaning.contains(ResultWord::AFTER_CHANGING_NUMBER)
                    || number.is_time(digits)
                    || number.has_many_parts();
                match (is_progress, changes) {
                    (true, _) => (digits, digits, false),
                    (false, true) => (&any[..], &any[..], true),
                    (false, false) => (digits, &any[..], false),
                }
            }
        };
        self.has_space = number.has_space_before;
        self.end_space();
        if !number.is_time(digits) && (!number.is_announced || number.is_name) {
            self.tokens.numbers += 1;
            self.tokens.changing_numbers += u32::from(changes);
        }
        self.compare_number(stable, without_numbers);
        if let Some(joiner) = number.joiner {
            self.compare(joiner);
        }
        self.has_space = number.has_space_after;
    }

    /// The meaning of a word; none in an argument or far back in a result.
    #[inline]
    fn meaning(&self, word: &[u16]) -> ResultWord {
        match self.source {
            Source::Result { .. } if self.tokens.length <= UNITS_WITH_MEANING => {
                VOCABULARY.results.meaning(word).unwrap_or_default()
            }
            _ => ResultWord::empty(),
        }
    }

    /// True if the text is still short enough for claims of errors and successes.
    #[inline]
    fn claims_count(&self) -> bool {
        matches!(self.source, Source::Result { short } if self.tokens.length <= short)
    }

    /// Compares the white space before what comes next, unless it is at the beginning.
    #[inline]
    fn end_space(&mut self) {
        if std::mem::take(&mut self.has_space) && self.tokens.length > 0 {
            self.tokens.push_space();
        }
    }

    fn compare(&mut self, unit: u16) {
        self.end_space();
        self.tokens.push(unit);
    }

    fn compare_word(&mut self, word: &[u16]) {
        self.end_space();
        self.tokens.push_word(word);
    }

    /// Compares letters and digits, the digits in a row as one number.
    fn compare_mixed(&mut self, word: &[u16]) {
        self.end_space();
        let mut was_digit = false;
        for unit in word {
            let is_digit = is(*unit, Class::DIGIT);
            match (is_digit, was_digit) {
                (true, true) => self.tokens.push_stable(*unit),
                (true, false) => self.compare_number(&[*unit], &[ANY_NUMBER]),
                (false, _) => self.tokens.push(*unit),
            }
            was_digit = is_digit;
        }
    }

    fn compare_number(&mut self, stable: &[u16], without_numbers: &[u16]) {
        for unit in stable {
            self.tokens.push_stable(*unit);
        }
        for unit in without_numbers {
            self.tokens.without_numbers.push(*unit);
        }
        self.tokens.length += without_numbers.len();
    }

    /// The end of the terminal's control sequence whose escape character is before a place: with a
    /// letter, or with one character if it is none of the long ones.
    fn end_of_escape_sequence(&self, at: usize) -> usize {
        let rest = self.text.get(at..).unwrap_or_default();
        if !rest.first().is_some_and(|unit| is_ascii(*unit, b'[')) {
            return at + 1;
        }
        let is_letter = |unit: &u16| is(*unit, Class::LETTER);
        match rest.iter().position(is_letter) {
            Some(letter) => at + letter + 1,
            None => self.text.len(),
        }
    }
}

impl Tokens {
    fn push(&mut self, unit: u16) {
        self.push_word(&[unit]);
    }

    fn push_word(&mut self, word: &[u16]) {
        let Self {
            mut stable,
            mut line,
            mut without_numbers,
            ..
        } = *self;
        for unit in word {
            stable.push(*unit);
            line.push(*unit);
            without_numbers.push(*unit);
        }
        self.stable = stable;
        self.line = line;
        self.without_numbers = without_numbers;
        self.length += word.len();
    }

    /// Compares a unit where numbers count.
    #[inline(always)]
    fn push_stable(&mut self, unit: u16) {
        self.stable.push(unit);
        self.line.push(unit);
    }

    /// Compares white space, which is nothing at the beginning of a line.
    fn push_space(&mut self) {
        let line = self.line;
        self.push(SPACE);
        if line == UnitHash::EMPTY {
            self.line = line;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RESULT: Source = Source::Result { short: 400 };

    fn read(text: &str, source: Source) -> Tokens {
        let units: Vec<u16> = text.encode_utf16().collect();
        Tokens::of(&units, source)
    }

    #[test]
    fn what_two_results_have_in_common() {
        // Pairs of texts: equal but for what changes by itself, and equal but for all numbers.
        let table = [
            (
                "at 2026-01-02T10:00:00.006Z",
                "at 2027-11-30T23:59:59.912Z",
                true,
                true,
            ),
            ("took 1m 5s", "took 2m 59s", true, true),
            ("\u{1b}[31mred\u{1b}[0m  x", "red x\n", true, true),
            (
                "id 550e8400-e29b-41d4-a716-446655440000!",
                "id 12345678-e29b-41d4-a716-000000000000!",
                true,
                true,
            ),
            ("commit 9f8c2d1a", "commit 1234abcd", true, true),
            ("PID 1234, port 3000", "PID 9, port 8080", true, true),
            ("(read 5 times)", "(read 6 times)", true, true),
            ("1,234.5 ms", "7 ms", true, true),
            ("1700000000", "1800000001", true, true),
            ("5 of 9 done", "6 of 9 done", false, true),
            ("utf8 test12", "utf8 test13", false, true),
            ("45% of it", "46% of it", false, false),
            ("3/10 done", "4/10 done", false, false),
            ("45MB so far", "46MB so far", false, false),
            ("two", "Two", false, false),
            ("中文 12 个", "中文 13 个", false, true),
        ];
        for (one, other, stable, similar) in table {
            let (first, second) = (read(one, RESULT), read(other, RESULT));
            assert_eq!(first.stable == second.stable, stable, "{one:?} {other:?}");
            let without_numbers = first.without_numbers == second.without_numbers;
            assert_eq!(without_numbers, similar, "{one:?} {other:?}");
        }
    }

    #[test]
    fn what_two_arguments_have_in_common() {
        let table = [
            (
                "since 2026-01-02T10:00:00Z",
                "since 2026-01-03T11:00:00Z",
                true,
            ),
            ("since 2026-01-02", "since 2026-01-03", false),
            ("git show 9f8c2d1a", "git show 1234abcd", false),
            ("port 3000", "port 3001", false),
            ("a.ts:12:34", "a.ts:99:1", false),
            ("page 2", "page 3", false),
            ("a b 10:00", "a  b 10:00", false),
            ("10:00 a", "10:00  a", false),
            ("10:00:00", "10:00:00 ", false),
        ];
        for (one, other, same) in table {
            let stable = |text| read(text, Source::Argument).stable;
            assert_eq!(stable(one) == stable(other), same, "{one:?} {other:?}");
        }
    }

    #[test]
    fn what_a_result_says() {
        // Results: an error, nothing found, something done, anything said.
        let table = [
            ("Error: no such file", true, true, false, true),
            ("0 errors, 3 warnings", false, false, false, true),
            ("errors: none", false, false, false, true),
            ("TypeError: x is not a function", true, false, false, true),
            ("could not be found, not found", true, true, false, true),
            ("command doesn't exist", true, true, false, true),
            ("No matches", false, true, false, true),
            ("The file was saved.", false, false, true, true),
            ("文件已更新", false, false, true, true),
            ("错误", true, false, false, true),
            ("(empty)", false, false, false, false),
            (
                "{\"output\":\"\",\"metadata\":{\"exit_code\":0}}",
                false,
                false,
                false,
                false,
            ),
            ("", false, false, false, false),
        ];
        for (text, error, dry, done, speaks) in table {
            let Claims {
                errors,
                is_fruitless,
                acknowledges,
                says_something,
                ..
            } = read(text, RESULT).claims;
            let got = (errors > 0, is_fruitless, acknowledges, says_something);
            assert_eq!(got, (error, dry, done, speaks), "{text:?}");
        }
        for (text, code) in [
            ("exit code: 1", Some(true)),
            ("<returncode>0</returncode>", Some(false)),
            ("{\"exit_code\":2}", Some(true)),
            ("Command exited with code 1", Some(true)),
            ("Process exited, as it should, at status 3", None),
            ("status 3", None),
        ] {
            assert_eq!(read(text, RESULT).claims.exit_code_fails, code, "{text}");
        }
    }
}
