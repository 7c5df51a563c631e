//! Pieces of texts, by words and digits.

use crate::pattern::is_of_word;

/// The text after words in ASCII, whatever their case.
pub fn after_words<'a>(text: &'a str, words: &str) -> Option<&'a str> {
    let start = text.as_bytes().get(..words.len())?;
    start
        .eq_ignore_ascii_case(words.as_bytes())
        .then(|| &text[words.len()..])
}

/// The text after one of these words, whatever their case.
pub fn after_one_of<'a>(text: &'a str, words: &[&str]) -> Option<&'a str> {
    words.iter().find_map(|words| after_words(text, words))
}

/// The text after these words, if it begins with them.
pub fn perhaps_after<'a>(text: &'a str, words: &str) -> &'a str {
    after_words(text, words).unwrap_or(text)
}

/// The digits at the beginning, and the rest.
pub fn digits(text: &str) -> Option<(&str, &str)> {
    let rest = text.trim_start_matches(|it: char| it.is_ascii_digit());
    let digits = &text[..text.len() - rest.len()];
    (!digits.is_empty()).then_some((digits, rest))
}

/// Whether a word ends where this comes after one of its letters.
pub fn ends_word(rest: &str) -> bool {
    !rest.starts_with(is_of_word)
}

/// Whether a word in ASCII is anywhere in a text, in any case.
pub fn says(text: &str, word: &str) -> bool {
    places(text, word).next().is_some()
}

/// The places of a word in ASCII, in any case.
pub fn places<'a>(text: &'a str, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    let length = word.len();
    let windows = text.as_bytes().windows(length).enumerate();
    windows
        .filter(move |(_, window)| window.eq_ignore_ascii_case(word.as_bytes()))
        .map(|(at, _)| at)
}

/// A number of lines, as a text says it in digits.
pub fn number(digits: &str) -> u64 {
    digits.parse().unwrap_or(u64::MAX)
}
