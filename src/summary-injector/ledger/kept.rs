//! The forms in which the ledger keeps things: texts of which it shows the ends, and lists whose oldest items
//! give way.

use serde::{Deserialize, Serialize};
use turnkeeper_base::text::hash::fingerprint;

/// Somebody's text. It is compared as a whole; what is shown of a long one is its beginning and its end.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct KeptText {
    whole: u64,
    pub(super) shown: String,
}

impl KeptText {
    /// The text, of which at most this many characters are shown.
    pub(super) fn new(text: &str, most: usize) -> Self {
        Self {
            whole: fingerprint(text.as_bytes()),
            shown: shortened(text, most),
        }
    }

    /// The same text, of which less is shown.
    pub(super) fn shortened_to(self, most: usize) -> Self {
        Self {
            shown: shortened(&self.shown, most),
            ..self
        }
    }

    /// Whether no more than this many characters are shown.
    pub(super) fn is_within(&self, most: usize) -> bool {
        self.shown.len() <= 4 * (most + 1)
    }
}

/// At most `most` characters of a text, and an ellipsis in place of the middle of a longer one.
pub(super) fn shortened(text: &str, most: usize) -> String {
    let length = text.chars().count();
    if length <= most {
        return text.to_owned();
    }
    let at = |place| {
        let found = text.char_indices().nth(place);
        found.map_or(text.len(), |(at, _)| at)
    };
    let beginning = most.div_ceil(3) * 2;
    let end = length - most.saturating_sub(beginning);
    format!("{}…{}", &text[..at(beginning.min(most))], &text[at(end)..])
}

/// A list whose oldest items give way. The newest stands last.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Newest<T> {
    pub(super) items: Vec<T>,
    /// Whether some gave way.
    pub(super) has_forgotten: bool,
}

impl<T> Default for Newest<T> {
    fn default() -> Self {
        Self {
            items: Vec::new(),
            has_forgotten: false,
        }
    }
}

impl<T> Newest<T> {
    /// Adds an item as the newest, unless the list may hold none.
    pub(super) fn push(&mut self, item: T, most: usize) {
        if self.items.len() == most {
            self.items.remove(0);
            self.has_forgotten = true;
        }
        self.items.push(item);
    }

    /// Takes an item out of the list.
    pub(super) fn take(&mut self, is_it: impl Fn(&T) -> bool) -> Option<T> {
        let at = self.items.iter().position(is_it)?;
        Some(self.items.remove(at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ends_of_a_long_text_are_shown() {
        assert_eq!(shortened("abcdefghij", 10), "abcdefghij");
        assert_eq!(shortened("abcdefghijk", 6), "abcd…jk");
        assert_eq!(shortened("😀😀😀😀", 3), "😀😀…😀");
        for most in 0..12 {
            let length = shortened("abcdefghijk", most).chars().count();
            assert_eq!(length, (most + 1).min(11), "{most}");
        }
    }
}
