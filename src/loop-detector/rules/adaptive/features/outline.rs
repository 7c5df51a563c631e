//! The outline of a result is its beginning, apart from the names in it: "No matches found for … in
//! …", whatever was looked for and wherever.
//!
//! Tools fill the call's own words into their refusals, so that two of them differ although they say the
//! same. Such words are quoted, or are paths, identifiers and numbers; what is left are the words of the
//! tool.

use super::characters::{Class, is, is_ascii, lower_case};
use super::vocabulary::{ResultWord, VOCABULARY};
use turnkeeper_base::text::hash::UnitHash;

/// The beginning of a result says what it is. In UTF-16 code units.
const HEAD_UNITS: usize = 400;
/// Words after these are details.
const MOST_WORDS: usize = 24;
/// Fewer words than these say nothing.
const FEWEST_WORDS: usize = 2;
/// A longer word is a name.
const LONGEST_WORD: usize = 24;
/// From here on, a character may be of a script that does not put spaces between words.
const FIRST_UNSPACED: u16 = 0x2e80;
/// The plural that may end a word: `error(s)`.
const PLURAL: [u16; 3] = [b'(' as u16, b's' as u16, b')' as u16];
const SPACE: u16 = b' ' as u16;

/// Equal for results that say the same at their beginning; `None` if there are no words.
pub(super) fn outline(result: &[u16]) -> Option<u64> {
    let head = &result[..result.len().min(HEAD_UNITS)];
    let is_json = head
        .iter()
        .find(|unit| !is(**unit, Class::WHITE_SPACE))
        .is_some_and(|unit| is_ascii(*unit, b'{') || is_ascii(*unit, b'['));
    let mut hash = UnitHash::EMPTY;
    let mut count = 0;
    let mut at = 0;
    while at < head.len() && count < MOST_WORDS {
        let start = at;
        if !is_json && let Some(end) = end_of_quotation(head, start) {
            at = end;
            continue;
        }
        while at < head.len() && !is(head[at], Class::WHITE_SPACE) {
            at += 1;
        }
        if let Some(word) = plain_word(&head[start..at], is_json) {
            for unit in word {
                hash.push(lower_case(*unit));
            }
            hash.push(SPACE);
            count += 1;
        }
        at += 1;
    }
    (count >= FEWEST_WORDS).then_some(hash.0)
}

/// Whether a line speaks of an error, be it in the middle of names, and does not say that there is none.
pub(super) fn speaks_of_error(line: &[u16]) -> bool {
    let (mut before_last, mut before) = (ResultWord::empty(), ResultWord::empty());
    for token in line.split(|unit| is(*unit, Class::WHITE_SPACE)) {
        let is_digit = |unit: &u16| is(*unit, Class::DIGIT);
        let meaning = match plain_word(token, true) {
            Some(word) => VOCABULARY.results.meaning(word).unwrap_or_default(),
            None if !token.is_empty() && token.iter().all(is_digit) => ResultWord::NEGATES,
            None => ResultWord::empty(),
        };
        // "no linter errors", but not "no response: error".
        let is_denied = || {
            let end = token.iter().rposition(|unit| is(*unit, Class::LETTER));
            let is_many = end.is_some_and(|end| is_ascii(token[end], b's'));
            is_many && before.is_empty() && before_last.contains(ResultWord::NO)
        };
        let is_error = meaning.contains(ResultWord::ERROR) && !is_denied();
        if meaning.tells_of_error(is_error, before) {
            return true;
        }
        (before_last, before) = (before, meaning);
    }
    false
}

/// The end of the quotation that begins at a place.
fn end_of_quotation(text: &[u16], start: usize) -> Option<usize> {
    let closing = match u8::try_from(text[start]) {
        Ok(mark @ (b'"' | b'\'' | b'`')) => u16::from(mark),
        _ if text[start] == 0x201c => 0x201d,
        _ if text[start] == 0x2018 => 0x2019,
        _ => return None,
    };
    let length = text[start + 1..].iter().position(|unit| *unit == closing);
    Some(length.map_or(text.len(), |length| start + length + 2))
}

/// A word of letters without the marks around it, unless it is a name: in upper and lower case, before a
/// colon without being an error, or beside digits and marks.
fn plain_word(token: &[u16], is_json: bool) -> Option<&[u16]> {
    let is_letter = |unit: &u16| *unit >= FIRST_UNSPACED || is(*unit, Class::LETTER);
    let token = without_plural(token);
    let begin = token.iter().position(is_letter)?;
    let end = token.iter().rposition(is_letter)? + 1;
    let word = &token[begin..end];
    let is_apostrophe = |unit: &u16| is_ascii(*unit, b'\'') || *unit == 0x2019;
    let is_upper = |unit: &u16| is(*unit, Class::CAPITAL);
    let is_plain = word.len() <= LONGEST_WORD
        && word
            .iter()
            .all(|unit| is_letter(unit) || is_apostrophe(unit))
        && (word.iter().all(is_upper) || !word[1..].iter().any(is_upper));
    let is_mark = |unit: &u16| {
        b"\"'`()[]{}<>.,;:!?*"
            .iter()
            .any(|mark| is_ascii(*unit, *mark))
    };
    let has_only_marks_around =
        token[..begin].iter().all(is_mark) && token[end..].iter().all(is_mark);
    if !is_plain || !has_only_marks_around {
        return None;
    }
    let is_label = !is_json && token.get(end).is_some_and(|unit| is_ascii(*unit, b':'));
    let meaning = VOCABULARY.results.meaning(word).unwrap_or_default();
    (!is_label || meaning.contains(ResultWord::ERROR)).then_some(word)
}

/// A token without the end of `error(s)`.
fn without_plural(token: &[u16]) -> &[u16] {
    let plural = token.windows(PLURAL.len()).position(|part| part == PLURAL);
    plural.map_or(token, |at| &token[..at])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Option<u64> {
        outline(&text.encode_utf16().collect::<Vec<_>>())
    }

    #[test]
    fn an_error_that_is_denied_is_none() {
        for (line, expected) in [
            ("Edited the file. There are no linter errors.", false),
            ("No errors", false),
            ("There are two linter errors.", true),
            ("No response: error", true),
        ] {
            let units: Vec<u16> = line.encode_utf16().collect();
            assert_eq!(speaks_of_error(&units), expected, "{line}");
        }
    }

    #[test]
    fn names_do_not_matter() {
        for (one, other) in [
            (
                "No matches found for \"rose\" in /garden",
                "No matches found for \"tall tree\" in /garden/beds",
            ),
            (
                "/bin/bash: line 36191: plough: command not found",
                "/bin/bash: line 12: rake: command not found",
            ),
            (
                "File src/Rose.java not found. Please provide a valid file name.",
                "File src/old/Tulip.java not found. Please provide a valid file name.",
            ),
            (
                "Usage: search_file <search_term> [<file>]\nError: File name a.txt not found",
                "Usage: search_file <search_term> [<file>]\nError: File name b_c.txt not found",
            ),
        ] {
            assert!(of(one).is_some(), "{one}");
            assert_eq!(of(one), of(other), "{one}");
        }
    }

    #[test]
    fn words_do() {
        assert_ne!(of("the gate is shut"), of("the gate is open"));
        assert_ne!(of("No matches found"), of("Permission denied by user"));
        let json = "{\"error\": \"no such bed\"}";
        assert_ne!(of(json), of("{\"error\": \"the gate is shut\"}"));
        assert_ne!(of("没有 找到"), of("已经 找到"));
    }

    #[test]
    fn what_has_no_words_has_no_outline() {
        for text in [
            "",
            "   ",
            "12 34",
            "\"all of it is quoted",
            "src/a.rs src/b.rs",
            "ok",
        ] {
            assert_eq!(of(text), None, "{text:?}");
        }
    }
}
