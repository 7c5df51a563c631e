//! The ends of a text, in UTF-16 code units and whole characters.

/// The beginning of a text, of at most this many units.
pub fn first_units(text: &str, most: usize) -> &str {
    // A byte is a unit at most.
    if text.len() <= most {
        return text;
    }
    if let Some(first) = text.get(..most).filter(|it| it.is_ascii()) {
        return first;
    }
    let mut left = most;
    let mut does_not_fit = |(_, it): &(usize, char)| takes_more(&mut left, *it);
    let end = text.char_indices().find(&mut does_not_fit);
    end.map_or(text, |(end, _)| &text[..end])
}

/// The end of a text, of at most this many units.
pub fn last_units(text: &str, most: usize) -> &str {
    let start = text.len().saturating_sub(most);
    if let Some(last) = text.get(start..).filter(|it| start == 0 || it.is_ascii()) {
        return last;
    }
    let mut left = most;
    let mut does_not_fit = |(_, it): &(usize, char)| takes_more(&mut left, *it);
    let start = text.char_indices().rev().find(&mut does_not_fit);
    start.map_or(text, |(at, it)| &text[at + it.len_utf8()..])
}

/// Whether a character takes more units than are left; otherwise it takes its own.
fn takes_more(left: &mut usize, character: char) -> bool {
    let rest = left.checked_sub(character.len_utf16());
    *left = rest.unwrap_or(0);
    rest.is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_of_a_text_are_counted_in_units() {
        for (text, most, first, last) in [
            ("a😀é", 3, "a😀", "😀é"),
            ("a😀é", 2, "a", "é"),
            ("ééé", 4, "ééé", "ééé"),
            ("ab", 9, "ab", "ab"),
            ("abc", 2, "ab", "bc"),
        ] {
            assert_eq!(first_units(text, most), first, "{text}");
            assert_eq!(last_units(text, most), last, "{text}");
        }
    }
}
