//! One pass over an argument or a result, word by word. A number waits until it is clear what follows it: numbers
//! with one of `. , : - /` between them are one, as in a date or an address, and a word after it may say that it
//! changes by itself.

use super::characters::{Class, class_of, is, is_ascii, lower_case};
use super::number::{Number, NumberKind, WordKind, is_joiner};
use super::tokens::{Source, Tokens};
use super::vocabulary::{ResultWord, VOCABULARY};
use turnkeeper_base::text::hash::UnitHash;

/// Words further back in a result do not say what the numbers beside them are.
const UNITS_WITH_MEANING: usize = 4_096;
/// A shorter line is like many others, and at most this many lines are told apart.
const SHORTEST_LINE: usize = 8;
const MOST_LINES: usize = 256;
/// A longer number is one that changes by itself.
const LONGEST_NUMBER: usize = 40;
/// As many digits in a row count nothing: they are an id, such as that of the next page.
const SHORTEST_TOKEN: usize = 16;
/// From here on, a character may be of a script that does not put spaces between words.
const FIRST_UNSPACED: u16 = 0x2e80;
/// The halves of pictures, and the marks that say how they are drawn. No word is known of letters that take two units.
const PICTURES: [std::ops::Range<u16>; 2] = [0xd800..0xe000, 0xfe00..0xfe10];
/// The other letters of which no words are known: from Armenian on, up to the marks.
const OTHER_SCRIPTS: std::ops::Range<u16> = 0x530..0x2000;
/// The beginnings of the counts of a notebook's cells: `In[3]`, `Out [3]`.
const CELLS: [&str; 4] = ["In[", "In [", "Out[", "Out ["];
/// The unit that is compared in place of a number or an id: what is an id once may be digits alone the next time.
const ANY_NUMBER: u16 = b'0' as u16;
const ESCAPE: u8 = 0x1b;

/// The values of a field that holds nothing, in JSON and as Python prints it.
const EMPTY_VALUES: [&str; 9] = [
    "[]", "{}", "\"\"", "''", "null", "None", "false", "False", "0",
];
/// A field that holds nothing has at most this many units, white space and all.
const LONGEST_EMPTY_FIELD: usize = 128;

/// Reads a text word by word.
pub(super) struct TokenReader<'a> {
    text: &'a [u16],
    source: Source,
    lines: Option<&'a mut Vec<u32>>,
    /// The lines before, which tell a line from an equal one elsewhere.
    lines_before: [u64; 2],
    /// The number of units that had been compared where the line began.
    line_begin: usize,
    tokens: Tokens,
    /// Whether white space was read that is not yet compared.
    has_space: bool,
    /// A number of which the end is not known yet.
    number: Option<Number>,
    /// The end of the last field of an object that holds nothing.
    void_end: usize,
}

impl<'a> TokenReader<'a> {
    pub(super) fn new(text: &'a [u16], source: Source, lines: Option<&'a mut Vec<u32>>) -> Self {
        Self {
            text,
            source,
            lines,
            lines_before: [0; 2],
            line_begin: 0,
            tokens: Tokens::default(),
            has_space: false,
            number: None,
            void_end: 0,
        }
    }

    pub(super) fn read(mut self) -> Tokens {
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
            if start >= self.void_end && is_quote(unit) && self.claims_count() {
                let length = empty_field(&self.text[start..]);
                self.void_end = length.map_or(self.void_end, |length| start + length);
            }
            self.tokens.claims.is_void = start < self.void_end;
            if is_space {
                self.space(unit);
            } else if is_ascii(unit, ESCAPE) {
                at = self.end_of_escape_sequence(at);
            } else {
                if unit >= OTHER_SCRIPTS.start {
                    if PICTURES.iter().any(|pictures| pictures.contains(&unit)) {
                        unspaced_end = None;
                    } else if unit >= FIRST_UNSPACED {
                        if unspaced_end == Some(start) {
                            let meaning = self.meaning(&self.text[start - 1..at]);
                            let counts = self.claims_count();
                            self.tokens.claims.hear_pair(meaning, counts);
                        }
                        unspaced_end = Some(at);
                        self.tokens.claims.hear_character();
                        self.add_word(|| UnitHash::of([unit]));
                    } else if OTHER_SCRIPTS.contains(&unit) {
                        self.tokens.claims.hear_character();
                    }
                }
                self.compare(unit);
            }
        }
        self.end_number(None, ResultWord::empty());
        if matches!(self.source, Source::Result { .. }) {
            self.end_line();
        }
        self.tokens
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
        let mut hash = UnitHash::EMPTY;
        while let Some(&unit) = self.text.get(end) {
            let class = class_of(unit);
            if !class.intersects(Class::WORD) {
                break;
            }
            classes |= class;
            hash.push(unit);
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
        if kind == WordKind::Text && meaning.is_empty() && self.tokens.claims.announce_handle() {
            // Some hosts name a process by two words that mean nothing else: "session quick-otter".
            if let Some(end) = self.end_of_two_words(end) {
                self.end_space();
                self.compare_number(&[ANY_NUMBER], &[ANY_NUMBER]);
                return end;
            }
        }
        match kind {
            WordKind::Text => self.compare_word(word, hash, classes),
            WordKind::Mixed => self.compare_mixed(word),
            WordKind::Number(kind) => {
                let mut number = Number::new(kind, start, end);
                number.is_announced =
                    self.tokens.claims.announce_changing_number() || self.counts_cells(start);
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

    /// The end of two words with a dash between them, of which the first ends at a place.
    fn end_of_two_words(&self, first: usize) -> Option<usize> {
        let rest = &self.text[first..];
        let (dash, rest) = rest.split_first()?;
        let second = rest.iter().take_while(|unit| is(**unit, Class::LETTER));
        let length = second.count();
        let goes_on = rest.get(length).is_some_and(|unit| is_ascii(*unit, b'-'));
        let is_named = is_ascii(*dash, b'-')
            && length > 0
            && !goes_on
            && self.meaning(&rest[..length]).is_empty();
        is_named.then_some(first + 1 + length)
    }

    /// Whether the number that begins at a place counts the cells of a notebook, which it does by itself.
    fn counts_cells(&self, start: usize) -> bool {
        let before = &self.text[..start];
        let ends_in = |cell: &&str| {
            let begin = before.len().checked_sub(cell.len());
            begin.is_some_and(|begin| before[begin..].iter().copied().eq(cell.encode_utf16()))
        };
        before.last().is_some_and(|unit| is_ascii(*unit, b'[')) && CELLS.iter().any(ends_in)
    }

    /// Whether what follows a number may still belong to it: a mark that joins it with another one,
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
        // Most words follow none, and it is large.
        if self.number.is_some() {
            self.end_waiting(next, meaning);
        }
    }

    fn end_waiting(&mut self, next: Option<u16>, meaning: ResultWord) {
        let number = self.number.take().unwrap_or_default();
        let digits = &self.text[number.start..number.end];
        let is_id = number.kind == NumberKind::Id;
        let any = [ANY_NUMBER];
        let (stable, without_numbers, changes) = match self.source {
            Source::Argument => {
                let changes = number.is_time(digits);
                (if changes { &any } else { digits }, &any[..], changes)
            }
            Source::Result { .. } => {
                let is_digit = |unit: &u16| is(*unit, Class::DIGIT);
                let is_long = digits.len() > LONGEST_NUMBER
                    || digits.len() >= SHORTEST_TOKEN && digits.iter().all(is_digit);
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
                let before = self.text[..number.start].last_chunk();
                let is_part_of_name = before.is_some_and(|[letter, mark]| {
                    is(*letter, Class::WORD) && (is_ascii(*mark, b'-') || is_ascii(*mark, b'_'))
                });
                if let Some(seconds) = number.seconds(digits) {
                    self.tokens.words.add_duration(seconds);
                } else if is_progress || !changes && !is_part_of_name {
                    self.tokens.words.add_number(digits);
                }
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

    /// Whether the text is still short enough for claims of errors and successes.
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

    /// Compares a word of these classes by its hash.
    fn compare_word(&mut self, word: &[u16], hash: UnitHash, classes: Class) {
        self.end_space();
        self.tokens.push_word(hash, word.len());
        self.add_word(|| match classes.intersects(Class::CAPITAL) {
            true => UnitHash::of(word.iter().map(|unit| lower_case(*unit))),
            false => hash,
        });
    }

    /// Counts a word by which a result may be like another, by its hash in lower case.
    #[inline]
    fn add_word(&mut self, hash: impl FnOnce() -> UnitHash) {
        if matches!(self.source, Source::Result { .. }) && self.tokens.length <= UNITS_WITH_MEANING
        {
            self.tokens.words.add(hash());
        }
    }

    /// Compares letters and digits, the digits in a row as one number.
    fn compare_mixed(&mut self, word: &[u16]) {
        self.end_space();
        if self.tokens.claims.announce_reference() {
            self.compare_number(&[ANY_NUMBER], &[ANY_NUMBER]);
            return;
        }
        let letters = word.iter().filter(|unit| !is(**unit, Class::DIGIT));
        self.add_word(|| UnitHash::of(letters.copied()));
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

fn is_quote(unit: u16) -> bool {
    is_ascii(unit, b'"') || is_ascii(unit, b'\'')
}

/// The length of the field at the beginning of a text if it holds nothing: `"failed": []`. In an object that is
/// itself a string, its quotes have a stroke before them.
fn empty_field(text: &[u16]) -> Option<usize> {
    let text = &text[..text.len().min(LONGEST_EMPTY_FIELD)];
    let is_beside = |unit: &u16| is(*unit, Class::WHITE_SPACE) || is_ascii(*unit, b'\\');
    let end_of_name = 1 + text.iter().skip(1).position(|unit| *unit == text[0])?;
    let mut marks = text
        .iter()
        .enumerate()
        .skip(end_of_name + 1)
        .filter(|(_, unit)| !is_beside(unit));
    marks.next().filter(|(_, unit)| is_ascii(**unit, b':'))?;
    let holds = |value: &&str| {
        let mut rest = marks.clone();
        let is_begun = value
            .bytes()
            .all(|byte| rest.next().is_some_and(|(_, unit)| is_ascii(*unit, byte)));
        let (end, unit) = rest.next()?;
        let ends = [b',', b'}', b']'].iter().any(|end| is_ascii(*unit, *end));
        (is_begun && ends).then_some(end)
    };
    EMPTY_VALUES.iter().find_map(holds)
}
