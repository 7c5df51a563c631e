//! The keys of records, by which what was done once is recognised where it stands again.

use turnkeeper_base::json::Json;
use turnkeeper_base::text::hash::{fingerprint, mixed};

use super::format::Format;

/// The key of a record, which is put together of what its agent makes unique.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Key(u64);

impl Key {
    /// The beginning; formats do not share their ids.
    pub(crate) fn of(format: Format) -> Self {
        Self(fingerprint(format.name().as_bytes()))
    }

    /// Adds a text.
    pub(crate) fn and(self, text: &str) -> Self {
        Self(mixed(self.0, fingerprint(text.as_bytes())))
    }

    /// Adds any value.
    pub(crate) fn and_value(self, value: &Json) -> Self {
        match value {
            Json::Null => self.and("null"),
            Json::Bool(value) => self.and(if *value { "true" } else { "false" }),
            Json::Number(number) => Self(mixed(self.0, number.to_bits())),
            Json::Text(text) => self.and(text),
            Json::List(items) => {
                let sum = items.iter().fold(self, |sum, item| sum.and_value(item));
                sum.and("]")
            }
            Json::Object(fields) => {
                let fields = fields.iter();
                let sum = fields.fold(self, |sum, (name, value)| sum.and(name).and_value(value));
                sum.and("}")
            }
        }
    }

    /// The key as it stands in a record.
    pub(crate) fn made(self) -> Option<u64> {
        Some(self.0)
    }
}

#[cfg(test)]
mod tests {
    use turnkeeper_base::json::parse;

    use super::*;

    fn key(text: &str) -> Option<u64> {
        let mut room = Vec::new();
        let value = parse(text.as_bytes(), &mut room).expect("JSON");
        Key::of(Format::Pi).and_value(&value).made()
    }

    #[test]
    fn other_values_have_other_keys() {
        let values = [
            "null", "true", "0", "1", "\"a\"", "[]", "{}", "[[],1]", "[[1]]", "[\"a\",\"b\"]",
            "[\"ab\"]", r#"{"a":1}"#, r#"{"a":"1"}"#,
        ];
        for (at, value) in values.iter().enumerate() {
            for other in &values[at + 1..] {
                assert_ne!(key(value), key(other), "{value} {other}");
            }
        }
        assert_eq!(key("[1, 2]"), key("[1,2]"));
    }

    #[test]
    fn formats_share_no_keys() {
        let of = |format| Key::of(format).and("1").made();
        assert_ne!(of(Format::Pi), of(Format::Kimi));
    }
}
