//! The claims that the words of a result make: that something failed, that nothing was found, that
//! something was done, or nothing at all.

use super::characters::{ends_with, is_ascii};
use super::vocabulary::ResultWord;

/// The claims so far. Only the words at the beginning count as claims of errors and successes.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Claims {
    /// The number of words that speak of an error.
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
    /// Whether it says more than that something failed.
    pub(super) says_more_than_failure: bool,
    /// Whether it names the status of a request that failed.
    pub(super) status_fails: bool,
    /// Whether the exit code that it names is that of a failure; `None` if it names none.
    pub(super) exit_code_fails: Option<bool>,
    /// Whether it says what a person did to the call, or answered.
    pub(super) is_of_user: bool,
    /// Whether it says that something is still going on, ...
    pub(super) goes_on: bool,
    /// or has not come yet.
    pub(super) is_yet_to_come: bool,
    /// Whether it says that a service could not answer just now.
    pub(super) is_of_road: bool,
    /// Words that are neither numbers nor what stands beside numbers that change by themselves.
    pub(super) words: u32,
    /// Words since the last that began the name of an exit code, 0 for none.
    since_exit: u8,
    /// True within a field of an object that holds nothing, which claims no error.
    pub(super) is_void: bool,
    /// Whether anything was negated.
    negates: bool,
    /// Words since the last that named a person, 0 for none.
    since_user: u8,
    last: ResultWord,
    before_last: ResultWord,
    /// Whether the last word is counted among the errors.
    last_is_error: bool,
}

/// These words say nothing of their own, and are counted with the numbers beside them.
const BESIDE_NUMBERS: ResultWord = ResultWord::SAYS_NOTHING
    .union(ResultWord::BEFORE_CHANGING_NUMBER)
    .union(ResultWord::AFTER_CHANGING_NUMBER);
/// The meaning of the number 0: "0 errors" and "errors: 0".
const NOUGHT: ResultWord = ResultWord::NEGATES
    .union(ResultWord::NO)
    .union(ResultWord::TAKES_ERROR_BACK);
/// Words before a status code.
const BEFORE_STATUS: ResultWord = ResultWord::ERROR
    .union(ResultWord::CODE)
    .union(ResultWord::HTTP);
/// Status codes of services that cannot answer just now.
const ROAD_CODES: [&str; 5] = ["429", "502", "503", "504", "529"];
/// At most this many words are in the name of an exit code: "exited with code".
const WORDS_AFTER_EXIT: u8 = 3;
/// At most this many words after a person say what they did: "the user does not want to".
const WORDS_AFTER_USER: u8 = 4;

impl Claims {
    /// A word of letters and digits. `counts` is false when the text has become too long for
    /// errors and successes to mean anything.
    #[inline]
    pub(super) fn hear_word(&mut self, word: &[u16], meaning: ResultWord, counts: bool) {
        self.says_something |= !meaning.contains(ResultWord::SAYS_NOTHING);
        self.says_more_than_failure |=
            !meaning.intersects(ResultWord::SAYS_NOTHING | ResultWord::ERROR);
        self.words += u32::from(!meaning.intersects(BESIDE_NUMBERS));
        // "No linter errors", but not "no response: error".
        let is_denied = || ends_with(word, "s") && self.is_just_after_no();
        let is_error = meaning.contains(ResultWord::ERROR) && !is_denied()
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
        self.says_more_than_failure = true;
        self.words += 1;
    }

    /// The first part of a number.
    pub(super) fn hear_number(&mut self, digits: &[u16], counts: bool) {
        self.says_something |= !self.last.contains(ResultWord::SAYS_NOTHING);
        self.hear_part_of_number(digits, counts);
    }

    pub(super) fn hear_part_of_number(&mut self, digits: &[u16], counts: bool) {
        let is_zero = digits.iter().all(|digit| is_ascii(*digit, b'0'));
        let named = self.last | self.before_last;
        let is_exit_code = self.last.contains(ResultWord::CODE)
            && (named.contains(ResultWord::EXIT) || self.since_exit > 0);
        if is_exit_code {
            self.exit_code_fails = Some(!is_zero);
        }
        let is_status = || {
            ROAD_CODES
                .iter()
                .any(|code| digits.iter().copied().eq(code.encode_utf16()))
        };
        if counts && (self.last | self.before_last).intersects(BEFORE_STATUS) && is_status() {
            self.is_of_road = true;
        }
        let is_failure = digits.len() == 3 && matches!(digits[0], 0x34 | 0x35);
        if counts && is_failure && named.contains(ResultWord::HTTP) {
            self.status_fails = true;
            self.errors += 1;
        }
        // That of an exit code counts nothing: what follows it is there.
        let meaning = match is_zero && !is_exit_code {
            true => NOUGHT,
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

    /// Whether the word just before is "session" or the like, which a handle follows.
    pub(super) fn announce_handle(&self) -> bool {
        self.last
            .contains(ResultWord::NAMED_BY_NUMBER | ResultWord::BEFORE_CHANGING_NUMBER)
    }

    /// Whether the word just before a number names a part of a page by it.
    pub(super) fn announce_reference(&self) -> bool {
        self.last.contains(ResultWord::REFERENCE)
    }

    /// Ends a line, and with it what was said of the numbers after it.
    pub(super) fn end_line(&mut self) {
        self.last.remove(ResultWord::BEFORE_CHANGING_NUMBER);
        self.before_last.remove(ResultWord::BEFORE_CHANGING_NUMBER);
    }

    /// Whether they say that it is the name of something.
    pub(super) fn announce_name(&self) -> bool {
        (self.last | self.before_last).contains(ResultWord::NAMED_BY_NUMBER)
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
            let claims_error = meaning.tells_of_error(is_error, self.last);
            self.last_is_error = is_error && !is_negated && !self.is_void;
            self.errors += usize::from(claims_error && !self.is_void);
            self.is_fruitless |= meaning.contains(ResultWord::NOTHING)
                || after_not && meaning.contains(ResultWord::FRUITLESS_AFTER_NOT)
                || self.is_just_after_no() && meaning.contains(ResultWord::FRUITLESS_AFTER_NO);
            self.changes_nothing |= after_no && meaning.contains(ResultWord::UNCHANGED_AFTER_NO);
            self.tells_places |= meaning.contains(ResultWord::TELLS_PLACES);
            self.acknowledges |= !is_negated && meaning.contains(ResultWord::ACKNOWLEDGES);
            self.hear_who_and_when(meaning);
        }
        self.since_exit = match (meaning.contains(ResultWord::EXIT), self.since_exit) {
            (true, _) => 1,
            (false, 0 | WORDS_AFTER_EXIT) => 0,
            (false, words) => words + 1,
        };
        self.before_last = self.last;
        self.last = meaning;
    }

    /// Whether "no" came last, or before one word that means nothing: "no search results".
    fn is_just_after_no(&self) -> bool {
        self.last.contains(ResultWord::NO)
            || self.last.is_empty() && self.before_last.contains(ResultWord::NO)
    }

    /// A word that may say that a person answered, that something goes on, or that a service could not
    /// answer just now.
    #[inline]
    fn hear_who_and_when(&mut self, meaning: ResultWord) {
        let last = self.last;
        if meaning.contains(ResultWord::USER) {
            self.is_of_user |= (last | self.before_last).contains(ResultWord::BY);
            self.since_user = 1;
        } else if self.since_user > 0 {
            self.is_of_user |= meaning.contains(ResultWord::OF_USER);
            self.since_user = match self.since_user {
                WORDS_AFTER_USER => 0,
                words => words + 1,
            };
        }
        self.negates |= meaning.contains(ResultWord::NEGATES);
        let before = last | self.before_last;
        self.is_yet_to_come |= meaning.contains(ResultWord::NOT_YET)
            || self.negates && meaning.contains(ResultWord::YET);
        // "läuft noch"
        let is_still = meaning.contains(ResultWord::STILL) && last.contains(ResultWord::GOES_ON);
        let is_told_to_go_on = meaning.contains(ResultWord::GOES_ON)
            && (before.contains(ResultWord::STILL)
                || before.contains(ResultWord::CODE) && !before.contains(ResultWord::EXIT)
                || last.contains(ResultWord::PROCESS)
                || last.contains(ResultWord::IN) && meaning.contains(ResultWord::PROGRESS));
        self.goes_on |= is_still || is_told_to_go_on || meaning.contains(ResultWord::GOING_ON);
        self.is_of_road |= meaning.contains(ResultWord::ROAD)
            || last.contains(ResultWord::ROAD_FIRST) && meaning.contains(ResultWord::ROAD_SECOND);
    }
}
