//! Pieces of texts. Lengths are in UTF-16 code units, as everywhere in reports; places are in bytes.

use turnkeeper_base::text::Size;
use turnkeeper_messages::is_of_word;

/// The number of UTF-16 code units.
pub(super) fn units(text: &str) -> usize {
    Size::of_text(text).units as usize
}

/// The last place up to `at` where ASCII text begins.
pub(super) fn last_at(text: &str, pattern: &str, at: usize) -> Option<usize> {
    let end = text.len().min(at + pattern.len());
    let end = (end..=text.len()).find(|it| text.is_char_boundary(*it))?;
    let last = text[..end].rfind(pattern)?;
    match last <= at {
        true => Some(last),
        // Of a boundary that was moved on: it cannot hold all of the pattern.
        false => text[..last].rfind(pattern),
    }
}

/// The next place from `at` on where a text begins.
pub(super) fn next_at(text: &str, pattern: &str, at: usize) -> Option<usize> {
    text.get(at..)?.find(pattern).map(|found| at + found)
}

/// The text after words in ASCII, whatever their case.
pub(super) fn after_words<'a>(text: &'a str, words: &str) -> Option<&'a str> {
    let start = text.as_bytes().get(..words.len())?;
    start
        .eq_ignore_ascii_case(words.as_bytes())
        .then(|| &text[words.len()..])
}

/// The text after one of these words, whatever their case.
pub(super) fn after_one_of<'a>(text: &'a str, words: &[&str]) -> Option<&'a str> {
    words.iter().find_map(|words| after_words(text, words))
}

/// The text after these words, if it begins with them.
pub(super) fn perhaps_after<'a>(text: &'a str, words: &str) -> &'a str {
    after_words(text, words).unwrap_or(text)
}

/// The digits at the beginning, and what comes after them.
pub(super) fn digits(text: &str) -> Option<(&str, &str)> {
    let rest = text.trim_start_matches(|it: char| it.is_ascii_digit());
    let digits = &text[..text.len() - rest.len()];
    (!digits.is_empty()).then_some((digits, rest))
}

/// Whether a word ends where this comes after one of its letters.
pub(super) fn ends_word(rest: &str) -> bool {
    !rest.starts_with(is_of_word)
}

/// Whether a word in ASCII is anywhere in a text, in any case.
pub(super) fn says(text: &str, word: &str) -> bool {
    places(text, word).next().is_some()
}

/// The places of a word in ASCII, in any case.
pub(super) fn places<'a>(text: &'a str, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    let length = word.len();
    let windows = text.as_bytes().windows(length).enumerate();
    windows
        .filter(move |(_, window)| window.eq_ignore_ascii_case(word.as_bytes()))
        .map(|(at, _)| at)
}

/// Whether a character ends a line, as regular expressions of JavaScript know it.
pub(super) fn ends_line(it: char) -> bool {
    matches!(it, '\n' | '\r' | '\u{2028}' | '\u{2029}')
}

/// A number of lines, as a text says it in digits.
pub(super) fn number(digits: &str) -> u64 {
    digits.parse().unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_counted_in_units() {
        assert_eq!(units("a😀é"), 4);
    }

    #[test]
    fn the_last_place_begins_no_later_than_asked() {
        for (at, expected) in [(0, Some(0)), (4, Some(0)), (5, Some(5)), (9, Some(5))] {
            assert_eq!(last_at("<a>é<a>x", "<a>", at), expected, "{at}");
        }
        assert_eq!(last_at("é<", "<a", 0), None);
    }
}
