//! Text without control characters, measured and cut in columns of a terminal.

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// The end of a text that is cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    /// Of a path the end says more.
    Start,
    End,
}

/// The width of a terminal; none of what is none.
#[cfg(unix)]
pub(crate) fn width_of(terminal: impl std::os::fd::AsFd) -> Option<usize> {
    Some(rustix::termios::tcgetwinsize(terminal).ok()?.ws_col.into())
}

#[cfg(not(unix))]
pub(crate) fn width_of<T>(_terminal: T) -> Option<usize> {
    None
}

/// The columns that a terminal needs for a text: East Asian wide characters and emoji take two.
pub(crate) fn text_width(text: &str) -> usize {
    text.width()
}

/// The columns that the widest of these texts needs.
pub(crate) fn widest_of<'a>(texts: impl IntoIterator<Item = &'a str>) -> usize {
    texts.into_iter().map(text_width).max().unwrap_or(0)
}

/// The text, cut with `…` if it needs more than `columns` columns. No character of a reader's is divided.
pub(crate) fn clip(text: &str, columns: usize, side: Side) -> String {
    if text_width(text) <= columns {
        return text.to_owned();
    }
    if columns == 0 {
        return String::new();
    }
    let mut room = columns - 1;
    let mut fits = |character: &&str| {
        let width = text_width(character);
        let fits = width <= room;
        room = room.saturating_sub(width);
        fits
    };
    match side {
        Side::End => {
            let kept = text.graphemes(true).take_while(&mut fits);
            kept.chain(["…"]).collect()
        }
        Side::Start => {
            let kept = text.graphemes(true).rev().take_while(&mut fits);
            let length: usize = kept.map(str::len).sum();
            format!("…{}", &text[text.len() - length..])
        }
    }
}

/// The text with spaces after it, up to `columns` columns.
pub(crate) fn pad_end(text: &str, columns: usize) -> String {
    let missing = columns.saturating_sub(text_width(text));
    format!("{text}{}", " ".repeat(missing))
}

/// The text with spaces before it, up to `columns` columns.
pub(crate) fn pad_start(text: &str, columns: usize) -> String {
    let missing = columns.saturating_sub(text_width(text));
    format!("{}{text}", " ".repeat(missing))
}

/// The text in lines of at most `columns` columns, broken at spaces, and inside a longer word.
pub(crate) fn wrap(text: &str, columns: usize) -> Vec<String> {
    let columns = columns.max(1);
    let mut lines = vec![String::new()];
    let mut used = 0;
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        let width = text_width(word);
        let gap = usize::from(used > 0);
        if used + gap + width <= columns {
            append(&mut lines, gap, word);
            used += gap + width;
        } else if width <= columns {
            lines.push(word.to_owned());
            used = width;
        } else {
            used = break_word(word, width, columns, used, &mut lines);
        }
    }
    lines
}

/// Breaks a word that is longer than a line: from the next line on, if it then is broken less often. Returns the
/// columns of the last line.
fn break_word(
    word: &str,
    width: usize,
    columns: usize,
    used: usize,
    lines: &mut Vec<String>,
) -> usize {
    let gap = usize::from(used > 0);
    let room = columns.saturating_sub(used + gap);
    let breaks_here = 1 + (width - room - 1) / columns;
    let breaks_next = (width - 1) / columns;
    let mut used = used;
    if used > 0 && (breaks_next < breaks_here || room == 0) {
        lines.push(String::new());
        used = 0;
    } else if used > 0 {
        append(lines, 1, "");
        used += 1;
    }
    for character in word.graphemes(true) {
        let width = text_width(character);
        if used > 0 && used + width > columns {
            lines.push(String::new());
            used = 0;
        }
        append(lines, 0, character);
        used += width;
    }
    used
}

fn append(lines: &mut [String], spaces: usize, text: &str) {
    if let Some(line) = lines.last_mut() {
        line.extend(std::iter::repeat_n(' ', spaces));
        line.push_str(text);
    }
}

/// A list with commas in lines of at most `columns` columns; an item is broken only if it is longer.
pub(crate) fn wrap_list(items: &[String], columns: usize) -> Vec<String> {
    let whole: Vec<String> = items.iter().map(|it| it.replace(' ', NO_BREAK)).collect();
    let lines = wrap(&whole.join(", "), columns);
    lines.iter().map(|it| it.replace(NO_BREAK, " ")).collect()
}

const NO_BREAK: &str = "\u{a0}";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_as_wide_as_a_terminal_shows_it() {
        assert_eq!(text_width("abc"), 3);
        assert_eq!(text_width("会话"), 4);
        assert_eq!(text_width("🙂"), 2);
    }

    #[test]
    fn a_text_is_cut_at_either_end_and_never_inside_a_character() {
        assert_eq!(clip("abcdef", 6, Side::End), "abcdef");
        assert_eq!(clip("abcdef", 4, Side::End), "abc…");
        assert_eq!(clip("abcdef", 4, Side::Start), "…def");
        assert_eq!(clip("会话记录", 4, Side::End), "会…");
        assert_eq!(clip("会话记录", 4, Side::Start), "…录");
        assert_eq!(clip("e\u{301}ee", 2, Side::End), "e\u{301}…");
        assert_eq!(clip("abc", 0, Side::End), "");
    }

    #[test]
    fn lines_break_at_spaces() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("", 7), [""]);
        assert_eq!(wrap("  one  two ", 20), ["one two"]);
    }

    #[test]
    fn a_longer_word_is_broken_where_that_takes_fewest_lines() {
        assert_eq!(wrap("ab cdefghij", 4), ["ab", "cdef", "ghij"]);
        assert_eq!(wrap("a bcdefghij", 4), ["a bc", "defg", "hij"]);
        assert_eq!(wrap("会话记录", 3), ["会", "话", "记", "录"]);
        assert_eq!(wrap("会", 1), ["会"]);
    }

    #[test]
    fn items_of_a_list_stay_whole() {
        let items = ["calls 10,020".to_owned(), "deepv ~3 12".to_owned()];
        assert_eq!(wrap_list(&items, 14), ["calls 10,020,", "deepv ~3 12"]);
    }
}
