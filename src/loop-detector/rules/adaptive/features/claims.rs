//! What the words of a result say: that something failed, that nothing was found, that something was
//! done, or nothing at all.

use super::characters::{ends_with, is_ascii};
use super::vocabulary::ResultWord;

/// What was said so far. Only the words at the beginning count as claims of errors and successes.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Claims {
    /// How many words speak of an error.
    pub(super) errors: usize,
    /// Whether it says that nothing was found.
    pub(super) is_fruitless: bool,
    /// Whether it says that nothing was changed.
    pub(super) changes_nothing: bool,
    /// Whether it tells of places where something could be done.
    pub(super) tells_places: bool,
    /// Whether it says that something was done.
    pub(super) acknowledges: bool,
    /// Whether it says anything at all.
    pub(super) says_something: bool,
    /// Whether the exit code that it names, if it does, is that of a failure.
    pub(super) exit_code_fails: Option<bool>,
    last: ResultWord,
    before_last: ResultWord,
    /// Whether the last word is counted among the errors.
    last_is_error: bool,
}

impl Claims {
    /// A word of ASCII letters and digits. `counts` is false when the text has become too long for
    /// errors and successes to mean anything.
    #[inline]
    pub(super) fn hear_word(&mut self, word: &[u16], meaning: ResultWord, counts: bool) {
        self.says_something |= !meaning.contains(ResultWord::SAYS_NOTHING);
        let is_error = meaning.contains(ResultWord::ERROR)
            || counts && (ends_with(word, "error") || ends_with(word, "exception"));
        self.hear(meaning, is_error, counts);
    }

    /// Two characters of a language without spaces.
    pub(super) fn hear_pair(&mut self, meaning: ResultWord, counts: bool) {
        self.hear(meaning, meaning.contains(ResultWord::ERROR), counts);
    }

    /// A character of a language without spaces.
    pub(super) fn hear_character(&mut self) {
        self.says_something = true;
    }

    /// The first part of a number.
    pub(super) fn hear_number(&mut self, digits: &[u16], counts: bool) {
        self.says_something |= !self.last.contains(ResultWord::SAYS_NOTHING);
        self.hear_part_of_number(digits, counts);
    }

    pub(super) fn hear_part_of_number(&mut self, digits: &[u16], counts: bool) {
        let is_zero = digits.iter().all(|digit| is_ascii(*digit, b'0'));
        let named = self.last | self.before_last;
        if self.last.contains(ResultWord::CODE) && named.contains(ResultWord::EXIT) {
            self.exit_code_fails = Some(!is_zero);
        }
        let meaning = match is_zero {
            true => ResultWord::ZERO,
            false => ResultWord::empty(),
        };
        self.hear(meaning, false, counts);
    }

    /// Whether the words just before a number say that it changes by itself: `PID 12`, or a shell's count
    /// of its own lines, as in `bash: line 12:`.
    pub(super) fn announce_changing_number(&self) -> bool {
        (self.last | self.before_last).contains(ResultWord::BEFORE_CHANGING_NUMBER)
            || self.last.contains(ResultWord::LINE) && self.before_last.contains(ResultWord::SHELL)
    }

    #[inline]
    fn hear(&mut self, meaning: ResultWord, is_error: bool, counts: bool) {
        if std::mem::take(&mut self.last_is_error) && meaning.contains(ResultWord::TAKES_ERROR_BACK)
        {
            self.errors -= 1;
        }
        if counts {
            let is_negated = self.last.contains(ResultWord::NEGATES);
            let after_not = self.last.contains(ResultWord::NOT);
            let after_no = self.last.contains(ResultWord::NO);
            self.last_is_error = is_error && !is_negated;
            if self.last_is_error
                || after_not && meaning.contains(ResultWord::ERROR_AFTER_NOT)
                || after_no && meaning.contains(ResultWord::ERROR_AFTER_NO)
                || meaning.is_of_another(self.last)
            {
                self.errors += 1;
            }
            self.is_fruitless |= after_not && meaning.contains(ResultWord::FRUITLESS_AFTER_NOT)
                || after_no && meaning.contains(ResultWord::FRUITLESS_AFTER_NO);
            self.changes_nothing |= after_no && meaning.contains(ResultWord::UNCHANGED_AFTER_NO);
            self.tells_places |= meaning.contains(ResultWord::TELLS_PLACES);
            self.acknowledges |= !is_negated && meaning.contains(ResultWord::ACKNOWLEDGES);
        }
        self.before_last = self.last;
        self.last = meaning;
    }
}
