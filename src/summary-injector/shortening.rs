//! Texts in a limit of tokens: long ones lose their middle, and many lose those between the first and the newest.

use super::prompt::BLANK_LINE;
use super::sizes::tokens;
use turnkeeper_base::text::{Size, lossy};

/// The note that something is left out has at most this many tokens.
const NOTE_TOKENS: u64 = 20;
/// Messages or summaries in at most that many tokens: the first and the newest, long ones without their middle.
pub(super) fn within(messages: &[String], what: &str, limit: u64) -> String {
    let whole = messages.join(BLANK_LINE);
    if tokens(&whole) <= limit {
        return whole;
    }
    let most = (limit / 4).max(1);
    let first = cut(&messages[0], most);
    let mut left = limit.saturating_sub(tokens(&first) + NOTE_TOKENS);
    let mut newest = Vec::new();
    for message in messages[1..].iter().rev() {
        let message = cut(message, most);
        let cost = tokens(&message) + 1;
        let Some(rest) = left.checked_sub(cost) else {
            break;
        };
        left = rest;
        newest.push(message);
    }
    let left_out = messages.len() - 1 - newest.len();
    let mut kept = vec![first];
    if left_out > 0 {
        kept.push(format!("[{left_out} {what} left out]"));
    }
    kept.extend(newest.into_iter().rev());
    // A limit of a few tokens leaves no room for notes.
    let units: Vec<u16> = kept.join(BLANK_LINE).encode_utf16().collect();
    lossy(&units[..longest(units.len(), limit, |length| &units[..length])])
}

/// A text in at most that many tokens: its beginning and its end, on lines of their own.
pub(super) fn cut(text: &str, limit: u64) -> String {
    without_middle(text, limit, "\n", NOTE_TOKENS)
}

/// A text in at most that many tokens: its beginning, a note, and its end. With what is `around` it the note
/// has at most `note` tokens.
pub(super) fn without_middle(text: &str, limit: u64, around: &str, note: u64) -> String {
    if tokens(text) <= limit {
        return text.to_owned();
    }
    let units: Vec<u16> = text.encode_utf16().collect();
    let room = limit.saturating_sub(note);
    let mut start = longest(units.len(), room * 2 / 3, |length| &units[..length]);
    let mut end = units.len()
        - longest(units.len() - start, room / 3, |length| {
            &units[units.len() - length..]
        });
    // No surrogate pair is taken apart.
    start -= usize::from(start > 0 && (0xd800..0xdc00).contains(&units[start - 1]));
    end += usize::from(end < units.len() && (0xdc00..0xe000).contains(&units[end]));
    let note = format!("{around}[{} characters left out]{around}", end - start);
    lossy(&units[..start]) + &note + &lossy(&units[end..])
}

/// The largest length up to `most` whose units have at most that many tokens.
fn longest<'a>(most: usize, limit: u64, units: impl Fn(usize) -> &'a [u16]) -> usize {
    let (mut fits, mut exceeds) = (0, most + 1);
    while fits + 1 < exceeds {
        let middle = fits.midpoint(exceeds);
        if u64::from(Size::of(units(middle)).tokens()) <= limit {
            fits = middle;
        } else {
            exceeds = middle;
        }
    }
    fits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_keeps_to_its_limit_and_shows_the_first_message_and_the_newest() {
        let messages: Vec<String> = (0..50)
            .map(|number| {
                format!(
                    "<user>\n{number} {} 思考😀\n</user>",
                    "word ".repeat(number * 9)
                )
            })
            .collect();
        let whole = messages.join(BLANK_LINE);
        assert_eq!(within(&messages, "messages", tokens(&whole)), whole);
        for limit in [1, 2, 19, 20, 21, 40, 100, 399, 1_000, tokens(&whole) - 1] {
            let text = within(&messages, "messages", limit);
            assert!(tokens(&text) <= limit, "{limit}: {text}");
            if limit >= 100 {
                assert!(text.starts_with("<user>\n0 "), "{text}");
                let has_room = limit >= 399;
                assert!(!has_room || text.ends_with("思考😀\n</user>"), "{text}");
                assert!(text.contains("left out]"), "{text}");
            }
        }
    }
}
