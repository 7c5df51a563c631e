//! The reason why something is no JSON.

use std::fmt;

use serde::de::Error as _;

/// The reason why a text is no JSON, or bytes are no flat value.
#[derive(Debug)]
pub struct JsonError(pub(super) serde_json::Error);

impl JsonError {
    /// One of the library's own.
    pub(super) fn because(why: &str) -> Self {
        Self(serde_json::Error::custom(why))
    }

    /// Whether it is nested deeper than [`MAX_DEPTH`](super::MAX_DEPTH).
    pub fn is_too_deep(&self) -> bool {
        self.0.is_data() && self.0.to_string().starts_with(TOO_DEEP)
    }

    /// The reason, without the place.
    pub fn reason(&self) -> String {
        let why = self.to_string();
        match why.rsplit_once(" at line ") {
            Some((why, _)) => why.to_owned(),
            None => why,
        }
    }

    /// The byte of the text that is in the wrong place; none if the text ends too soon.
    pub fn place_in(&self, text: &[u8]) -> Option<usize> {
        let why = &self.0;
        let before = why.line().checked_sub(1)?;
        let lines = text.split_inclusive(|byte| *byte == b'\n');
        let start: usize = lines.take(before).map(<[u8]>::len).sum();
        // Columns count from 1; one of 0 is the line break before.
        let place = (start + why.column()).saturating_sub(1);
        (!why.is_eof() && place < text.len()).then_some(place)
    }
}

/// The reason for a value that is nested deeper than [`MAX_DEPTH`](super::MAX_DEPTH).
pub(super) const TOO_DEEP: &str = "nested too deep";

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for JsonError {}

#[cfg(test)]
mod tests {
    use crate::json::parse;

    #[test]
    fn an_error_says_what_is_wrong_and_where() {
        for (text, reason, rest) in [
            ("{\"a\":user}", "expected value", Some("user}")),
            ("[1,\n 2 3]", "expected `,` or `]`", Some("3]")),
            ("[\"\\x\"]", "invalid escape", Some("x\"]")),
            (
                "[\"a\nb\"]",
                "control character (\\u0000-\\u001F) found while parsing a string",
                Some("\nb\"]"),
            ),
            ("{\"a\":\"\\ud800\",x}", "key must be a string", Some("x}")),
            ("[1", "EOF while parsing a list", None),
        ] {
            let mut room = Vec::new();
            let error = parse(text.as_bytes(), &mut room).expect_err("no JSON");
            let place = error.place_in(text.as_bytes());
            let found = (error.reason(), place.map(|place| &text[place..]));
            assert_eq!(found, (reason.to_owned(), rest), "{text}");
            assert!(!error.is_too_deep());
        }
    }
}
