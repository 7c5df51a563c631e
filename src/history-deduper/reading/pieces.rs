//! Pieces of texts. Lengths are in UTF-16 code units, as everywhere in reports; places are in bytes.

use turnkeeper_base::text::Size;

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

/// Whether a character ends a line, as regular expressions of JavaScript know it.
pub(super) fn ends_line(it: char) -> bool {
    matches!(it, '\n' | '\r' | '\u{2028}' | '\u{2029}')
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
