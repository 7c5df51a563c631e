//! Patterns of beginnings, written by hand: a hook runs at each step of an agent, and compiling regular expressions
//! would take most of its time.

use turnkeeper_base::text::white_space;

/// White space, as JavaScript knows it.
pub fn is_white(character: char) -> bool {
    u16::try_from(u32::from(character)).is_ok_and(white_space::is_white)
}

/// A letter of a word, a digit or `_`, in ASCII.
pub fn is_of_word(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '_'
}

/// A text without the white space at both ends, as JavaScript knows it.
pub fn trimmed(text: &str) -> &str {
    text.trim_matches(is_white)
}

/// Whether there is nothing but white space.
pub fn is_blank(text: &str) -> bool {
    text.chars().all(is_white)
}

/// A text whose beginning is read step by step; each step hands out what comes after it.
#[derive(Clone, Copy)]
pub(crate) struct Beginning<'a>(pub(crate) &'a str);

impl<'a> Beginning<'a> {
    /// These words.
    pub(crate) fn says(self, words: &str) -> Option<Self> {
        self.0.strip_prefix(words).map(Self)
    }

    /// One of these words.
    pub(crate) fn says_one_of(self, words: &[&str]) -> Option<Self> {
        words.iter().find_map(|words| self.says(words))
    }

    /// These words, or none.
    pub(crate) fn may_say(self, words: &str) -> Self {
        self.says(words).unwrap_or(self)
    }

    /// All characters of a kind; perhaps none.
    pub(crate) fn passes(self, is_of_kind: impl Fn(char) -> bool) -> Self {
        Self(self.0.trim_start_matches(is_of_kind))
    }

    /// The end of a word: after a letter no other one comes.
    pub(crate) fn ends_word(self) -> bool {
        !self.0.starts_with(is_of_word)
    }
}
