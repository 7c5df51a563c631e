//! What of an answer or an argument is compared: not what changes by itself, such as clocks,
//! durations, process numbers and ids; and what the words of a short answer say.
//!
//! One pass that looks back at two words and at one number. Numbers that are joined by one of
//! `. , : - /` are one, as in a date or an address.

use super::words::*;
use crate::hash::UnitHash;

/// What is compared of a text, and what it says.
#[derive(Clone, Copy)]
pub(super) struct Tokens<'a> {
    text: &'a [u16],
    words: &'a Words,
    /// In an answer of so many units words count; `None` for an argument.
    short: Option<usize>,
    /// The text but for all numbers, ...
    pub(super) all: UnitHash,
    /// and but for those that change by themselves.
    pub(super) near: UnitHash,
    /// Units compared.
    pub(super) length: usize,
    /// Words of errors.
    pub(super) errors: usize,
    /// Whether it says that nothing was found, ...
    pub(super) dry: bool,
    /// that something was done, ...
    pub(super) done: bool,
    /// or anything.
    pub(super) speaks: bool,
    /// Whether it names an exit code, and one that is not 0.
    pub(super) exit_code: Option<bool>,
    is_blank: bool,
    number: Option<Number>,
    /// What the last word means, and the one before it.
    last: u16,
    older: u16,
    /// Whether the last word is among the errors.
    is_counted: bool,
}

/// Words further back do not say what the numbers beside them are.
const WORDS: usize = 4_096;
/// A longer word is an id, whatever is in it.
const LONGEST_WORD: usize = 64;
/// A longer number is compared as any.
const LONGEST_NUMBER: usize = 40;
/// In arguments, a shorter id may mean something.
const SHORTEST_ID: usize = 16;
/// So many digits are a time in seconds, or more.
const TIME_DIGITS: usize = 10;
/// What words are made of.
pub(super) const LETTERS: u8 = HEX | TIME | LETTER;
const WORD: u8 = DIGIT | LETTERS;
/// What is compared of a number and of an id.
const ANY_NUMBER: [u16; 1] = [0x30];
const ANY_ID: [u16; 1] = [0x78];

/// What a word is made of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// No digits.
    Text,
    Number,
    /// A number with units of time.
    Timed,
    /// A number with a unit of size.
    Size,
    Id,
    /// Letters and digits.
    Mixed,
}

/// A number, perhaps of several joined ones, or an id.
#[derive(Clone, Copy)]
struct Number {
    kind: Kind,
    start: usize,
    end: usize,
    colons: usize,
    slashes: usize,
    dashes: usize,
    /// What may join another one, 0 for none.
    joiner: u16,
    /// Whether it changes by itself.
    moves: bool,
    /// Whether white space stands before it, and behind it.
    blank_before: bool,
    blank_behind: bool,
}

impl<'a> Tokens<'a> {
    /// Reads a text.
    pub(super) fn of(text: &'a [u16], words: &'a Words, short: Option<usize>) -> Self {
        let mut tokens = Self {
            text,
            words,
            short,
            all: UnitHash::EMPTY,
            near: UnitHash::EMPTY,
            length: 0,
            errors: 0,
            dry: false,
            done: false,
            speaks: false,
            exit_code: None,
            is_blank: false,
            number: None,
            last: 0,
            older: 0,
            is_counted: false,
        };
        tokens.read();
        tokens
    }

    fn read(&mut self) {
        let text = self.text;
        let mut at = 0;
        // The place behind a character that is a word by itself.
        let mut unspaced = usize::MAX;
        while at < text.len() {
            let start = at;
            while class_of(unit_at(text, at)) & WORD != 0 {
                at += 1;
            }
            if at > start {
                self.word(start, at);
                continue;
            }
            let unit = unit_at(text, at);
            at += 1;
            let is_space = class_of(unit) == SPACE;
            if let Some(number) = &mut self.number
                && number.joiner == 0
            {
                if is_space {
                    number.blank_behind = true;
                    continue;
                }
                if !number.blank_behind && matches!(unit, 0x2c..=0x2f | 0x3a) {
                    number.joiner = unit;
                    continue;
                }
            }
            self.end_number(unit, 0);
            if is_space {
                self.is_blank = true;
            } else if unit == 0x1b {
                // Up to the letter that ends the sequence.
                let is_long = unit_at(text, at) == 0x5b;
                at += 1;
                while is_long && at < text.len() && class_of(unit_at(text, at - 1)) & LETTERS == 0 {
                    at += 1;
                }
            } else {
                if unit >= 0x2e80 {
                    if unspaced == start {
                        self.say(self.meaning(start - 1, at), false, &[]);
                    }
                    unspaced = at;
                    self.speaks = true;
                }
                self.emit(&[unit], &[unit]);
            }
        }
        self.end_number(0, 0);
    }

    /// Adds to what is compared, but for all numbers and but for some.
    fn emit(&mut self, all: &[u16], near: &[u16]) {
        if std::mem::take(&mut self.is_blank) && self.length > 0 {
            self.emit(&[0x20], &[0x20]);
        }
        for &unit in near {
            self.near.push(unit);
        }
        for &unit in all {
            self.all.push(unit);
            self.length += 1;
        }
    }

    fn part(&self, start: usize, end: usize) -> &'a [u16] {
        self.text.get(start..end).unwrap_or_default()
    }

    fn meaning(&self, start: usize, end: usize) -> u16 {
        if self.short.is_none() || self.length > WORDS {
            return 0;
        }
        self.words.meaning(self.part(start, end), ANSWERS)
    }

    fn word(&mut self, start: usize, end: usize) {
        let word = self.part(start, end);
        let kind = self.kind(start, end);
        let meaning = self.meaning(start, end);
        if let Some(number) = &mut self.number {
            if number.joins(word, kind) {
                number.end = end;
                number.joiner = 0;
                return self.say_number(word);
            }
            self.end_number(0, meaning);
        }
        match kind {
            Kind::Text => self.emit(word, word),
            Kind::Mixed => {
                // The digits in it are one number.
                let mut was_digit = false;
                for unit in word {
                    let digit = class_of(*unit) == DIGIT;
                    let all = match (digit, was_digit) {
                        (true, true) => &[],
                        (true, false) => &ANY_NUMBER[..],
                        _ => std::slice::from_ref(unit),
                    };
                    self.emit(all, std::slice::from_ref(unit));
                    was_digit = digit;
                }
            }
            _ => {
                self.number = Some(Number {
                    kind,
                    start,
                    end,
                    colons: 0,
                    slashes: 0,
                    dashes: 0,
                    joiner: 0,
                    moves: kind == Kind::Timed || (self.last | self.older) & BEFORE != 0,
                    blank_before: std::mem::take(&mut self.is_blank),
                    blank_behind: false,
                });
                if kind != Kind::Id {
                    self.speaks |= self.last & HOLLOW == 0;
                    return self.say_number(word);
                }
            }
        }
        self.speaks |= meaning & HOLLOW == 0;
        self.say(meaning, true, word);
    }

    /// The number is complete: what follows it at once, and what the next word means.
    fn end_number(&mut self, next: u16, behind: u16) {
        let Some(number) = self.number.take() else {
            return;
        };
        let digits = self.part(number.start, number.end);
        let is_id = number.kind == Kind::Id;
        let is_time = digits.len() >= TIME_DIGITS && is_all(digits, DIGIT)
            || number.colons > 1
            || number.colons == 1 && number.dashes > 1;
        let sign = if is_id { &ANY_ID } else { &ANY_NUMBER };
        let (mut all, mut near) = (&sign[..], digits);
        let mut moves = number.moves
            || is_id
            || is_time
            || behind & BEHIND != 0
            || number.colons + number.dashes > 1
            || number.slashes > 1
            || digits.len() > LONGEST_NUMBER;
        if self.short.is_none() {
            moves = is_time || is_id && digits.len() >= SHORTEST_ID;
        } else if digits.len() <= LONGEST_NUMBER
            && (number.kind == Kind::Size
                || next == 0x25 && number.joiner == 0
                || number.slashes == 1 && number.colons + number.dashes == 0)
        {
            // Progress.
            (all, moves) = (digits, false);
        }
        if moves {
            near = all;
        }
        self.is_blank = number.blank_before;
        self.emit(all, near);
        if number.joiner != 0 {
            self.emit(&[number.joiner], &[number.joiner]);
        }
        self.is_blank = number.blank_behind;
    }

    fn say_number(&mut self, number: &[u16]) {
        let is_zero = number.iter().all(|unit| *unit == 0x30);
        if self.last & CODE != 0 && (self.last | self.older) & EXIT != 0 {
            self.exit_code = Some(!is_zero);
        }
        let meaning = if is_zero { ZERO } else { 0 };
        self.say(meaning, false, &[]);
    }

    /// A word was read that means this.
    fn say(&mut self, meaning: u16, is_word: bool, word: &[u16]) {
        let short = self.short.unwrap_or(0);
        let length = self.length;
        let last = self.last;
        let is_plain = last & NEGATION == 0;
        if std::mem::take(&mut self.is_counted) && meaning & NOTHING != 0 {
            self.errors -= 1;
        }
        if length <= short {
            let names_error = is_word && (ends_in(word, b"error") || ends_in(word, b"exception"));
            self.is_counted = is_plain && (meaning & ERROR != 0 || names_error);
            let is_missing = last & NOT != 0 && meaning & NEGATED != 0;
            let is_none = last & NO != 0 && meaning & DRY_BEHIND_NO != 0;
            let is_error = self.is_counted || is_missing || is_none && meaning & SUCH != 0;
            self.errors += usize::from(is_error);
            self.dry |= is_missing && meaning & DRY_BEHIND_NOT != 0 || is_none;
            self.done |= is_plain && meaning & DONE != 0;
        }
        self.older = last;
        self.last = meaning;
    }

    /// What a word is, by its letters and digits.
    fn kind(&self, start: usize, end: usize) -> Kind {
        let word = self.part(start, end);
        let mut digits = 0;
        for unit in word {
            digits += usize::from(class_of(*unit) & DIGIT);
        }
        let mut lead = 0;
        while class_of(unit_at(word, lead)) == DIGIT {
            lead += 1;
        }
        let suffix = self.part(start + lead, end);
        let is_prefixed = lead == 1 && word.len() > 2 && lower(unit_at(suffix, 0)) == 0x78;
        if word.len() > LONGEST_WORD {
            Kind::Id
        } else if digits == 0 {
            Kind::Text
        } else if digits == word.len() {
            Kind::Number
        } else if lead > 0
            && (is_all(word, DIGIT | TIME) || self.words.meaning(suffix, ANSWERS) & BEHIND != 0)
        {
            Kind::Timed
        } else if lead > 0
            && suffix.len() < 4
            && matches!(unit_at(suffix, 0), 0x42 | 0x4b | 0x6b | 0x4d | 0x47 | 0x54)
            && (suffix.len() == 1 || suffix.last() == Some(&0x42))
        {
            // Such as B, k, MB or GiB
            Kind::Size
        } else if word.len() >= 6 && is_all(word, DIGIT | HEX)
            || digits > 1 && word.len() >= 16
            || is_prefixed && is_all(self.part(start + 2, end), DIGIT | HEX)
        {
            Kind::Id
        } else {
            Kind::Mixed
        }
    }
}

impl Number {
    /// Whether the word behind it belongs to it.
    fn joins(&mut self, word: &[u16], kind: Kind) -> bool {
        if self.joiner == 0 {
            return false;
        }
        let is_number = matches!(kind, Kind::Number | Kind::Timed | Kind::Size);
        if self.kind != Kind::Id && is_number {
            match self.joiner {
                0x3a => self.colons += 1,
                0x2f => self.slashes += 1,
                0x2d => self.dashes += 1,
                _ => {}
            }
            self.moves |= kind == Kind::Timed;
            if kind == Kind::Size {
                self.kind = kind;
            }
            return true;
        }
        // An id that is written in groups, the first of which may be digits alone.
        let is_long = self.end - self.start >= 8 && self.colons + self.slashes == 0;
        let joins = self.joiner == 0x2d && word.len() > 3 && is_all(word, DIGIT | HEX);
        if joins && (is_long || self.kind == Kind::Id) {
            self.kind = Kind::Id;
            return true;
        }
        false
    }
}

/// The unit at a place, 0 behind the end.
#[inline(never)]
pub(super) fn unit_at(text: &[u16], at: usize) -> u16 {
    text.get(at).copied().unwrap_or(0)
}

/// Whether it is longer and ends so.
fn ends_in(word: &[u16], end: &[u8]) -> bool {
    let begin = word.len().saturating_sub(end.len());
    begin > 0 && begins(word.get(begin..).unwrap_or_default(), end)
}

/// Whether a text begins with these words, ASCII case ignored.
#[inline(never)]
pub(super) fn begins(text: &[u16], words: &[u8]) -> bool {
    for (at, byte) in words.iter().enumerate() {
        if lower(unit_at(text, at)) != u16::from(*byte) {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read<T>(text: &str, take: impl Fn(Tokens) -> T, short: Option<usize>) -> T {
        let units: Vec<u16> = text.encode_utf16().collect();
        take(Tokens::of(&units, &Words::known(), short))
    }

    #[test]
    fn what_two_answers_have_in_common() {
        // Whether they are the same but for what changes by itself, and but for all numbers.
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
        for (one, other, near, all) in table {
            let get = |text| read(text, |tokens| (tokens.near, tokens.all), Some(400));
            let ((near_one, all_one), (near_other, all_other)) = (get(one), get(other));
            assert_eq!(near_one == near_other, near, "{one:?} {other:?}");
            assert_eq!(all_one == all_other, all, "{one:?} {other:?}");
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
        ];
        for (one, other, same) in table {
            let get = |text| read(text, |tokens| tokens.near, None);
            assert_eq!(get(one) == get(other), same, "{one:?} {other:?}");
        }
    }

    #[test]
    fn what_an_answer_says() {
        // Whether it is an error, found nothing, was done, and says anything.
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
            let got = read(
                text,
                |tokens| (tokens.errors > 0, tokens.dry, tokens.done, tokens.speaks),
                Some(400),
            );
            assert_eq!(got, (error, dry, done, speaks), "{text:?}");
        }
        for (text, code) in [
            ("exit code: 1", Some(true)),
            ("<returncode>0</returncode>", Some(false)),
            ("{\"exit_code\":2}", Some(true)),
            ("status 3", None),
        ] {
            assert_eq!(
                read(text, |tokens| tokens.exit_code, Some(400)),
                code,
                "{text}"
            );
        }
    }
}
