//! What agents put around a result: the call before it, and notes of their own after it.

use super::characters::{Class, is, is_ascii, trimmed_end};

/// A repetition of the call before the result is at most this long.
pub(super) const LONGEST_PREFIX: usize = 4_096;
/// Some agents repeat the call before the result: the beginning and the end of that.
const PREFIXES: [(&str, &str); 2] = [("[", "] Result:"), ("Command: ", "\nOutput: ")];

/// The length of the repeated call at the beginning of a result.
pub(super) fn length_of_prefix(result: &[u16]) -> usize {
    let mut length = 0;
    for (begin, end) in PREFIXES {
        let first = result.iter().copied().take(begin.len());
        if first.eq(begin.encode_utf16()) {
            let end: Vec<u16> = end.encode_utf16().collect();
            let ends_at = result
                .windows(end.len())
                .take(LONGEST_PREFIX)
                .position(|part| part == end);
            length = ends_at.map_or(length, |at| at + end.len());
        }
    }
    length
}

/// The name of a note is shorter, in UTF-16 code units.
const LONGEST_NAME: usize = 64;

/// The length of the notes that an agent has put after a result, with the white space before them: elements that stand
/// by themselves after a blank line, such as `<environment_details>`. Their names have more than one word, which tells
/// them from markup.
#[inline(never)] // A large function is slow to compile at the first event.
pub(super) fn length_of_notes(result: &[u16]) -> usize {
    let mut rest = trimmed_end(result);
    while let Some(begin) = begin_of_note(rest) {
        rest = trimmed_end(&rest[..begin]);
    }
    match rest.len() == trimmed_end(result).len() {
        true => 0,
        false => result.len() - rest.len(),
    }
}

/// The place at which the note begins with which a text ends.
fn begin_of_note(text: &[u16]) -> Option<usize> {
    let (last, inner) = text
        .split_last()
        .filter(|(last, _)| is_ascii(**last, b'>'))?;
    let end = &inner[inner.len().saturating_sub(LONGEST_NAME)..];
    let length = end.iter().rev().position(|unit| is_ascii(*unit, b'/'))?;
    let name_begin = inner.len() - length;
    let name = &inner[name_begin..];
    let joins = |unit: &u16| is_ascii(*unit, b'_') || is_ascii(*unit, b'-');
    let is_name = name.iter().any(joins) && name.iter().all(|it| joins(it) || is(*it, Class::WORD));
    let is_end = inner[..name_begin - 1].ends_with(&[u16::from(b'<')]);
    if !is_name || !is_end {
        return None;
    }
    let opens = |at: &usize| {
        let after =
            text[*at..].strip_prefix(&[u16::from(b'\n'), u16::from(b'\n'), u16::from(b'<')]);
        let after = after.and_then(|after| after.strip_prefix(name));
        after.is_some_and(|after| after.first() == Some(last))
    };
    (0..name_begin).rev().find(opens)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn without_notes(text: &str) -> String {
        let units: Vec<u16> = text.encode_utf16().collect();
        String::from_utf16_lossy(&units[..units.len() - length_of_notes(&units)])
    }

    #[test]
    fn notes_of_the_agent_are_no_part_of_a_result() {
        let time = "<environment_details>\n# Time\n14:02\n</environment_details>";
        let reminder = "<system-reminder>Be careful.</system-reminder>";
        assert_eq!(without_notes(&format!("ok\n\n{time}")), "ok");
        assert_eq!(without_notes(&format!("\n\n{time}\n")), "");
        assert_eq!(
            without_notes(&format!("1\tx\n\n\n{reminder}\n\n{time}")),
            "1\tx"
        );
    }

    #[test]
    fn markup_is_part_of_it() {
        for text in [
            "<!DOCTYPE html>\n\n<html>\n</html>\n",
            "a\n<my-app></my-app>",
            "a\n\n<b></b>",
            "a\n\n<x_y></x_z>",
            "</a_b>",
            ">",
            "",
        ] {
            assert_eq!(without_notes(text), text);
        }
    }
}
