//! Calls without the arguments that a host calls cosmetic.

use super::{Call, Encoded, tag};
use turnkeeper_base::path::fold_case;

/// Within these, as Roo Code's tools have them, arguments are left out, too.
const WITHIN: [&str; 2] = ["params", "nativeArgs"];

/// Names of arguments, whatever their case.
#[derive(Debug, Clone, Default)]
pub struct CosmeticArguments(Vec<String>);

impl CosmeticArguments {
    /// The arguments of these names.
    pub fn new(names: Option<&[String]>) -> Self {
        let names = names.unwrap_or_default();
        Self(names.iter().map(|name| fold_case(name)).collect())
    }

    /// The encoding of a call without them; none if it has none of them.
    pub fn without(&self, call: &Call) -> Option<Vec<u8>> {
        if self.0.is_empty() {
            return None;
        }
        let mut encoded = call.encoded_name().0.to_vec();
        let is_less = self.push(call.arguments_as_given(), true, &mut encoded);
        is_less.then_some(encoded)
    }

    /// Adds a value without them, and answers whether there were any.
    fn push(&self, value: Encoded, is_outermost: bool, out: &mut Vec<u8>) -> bool {
        if value.tag() != tag::OBJECT {
            out.extend_from_slice(value.0);
            return false;
        }
        let mut is_less = false;
        out.push(tag::OBJECT);
        for (key, field) in value.fields() {
            if self.has(key) {
                is_less = true;
                continue;
            }
            out.extend_from_slice(key.0);
            let is_within = is_outermost && WITHIN.iter().any(|name| key.units().is(name));
            if is_within {
                is_less |= self.push(field, false, out);
            } else {
                out.extend_from_slice(field.0);
            }
        }
        out.push(tag::OBJECT_END);
        is_less
    }

    fn has(&self, key: Encoded) -> bool {
        let units = key.units();
        let is_length = |name: &&String| name.encode_utf16().count() == units.len();
        let mut alike = self.0.iter().filter(is_length).peekable();
        alike.peek().is_some() && {
            let key = fold_case(&units.lossy());
            alike.any(|name| *name == key)
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::call::{KeyOrder, borrowed, encode};

    fn left(arguments: &Value) -> Option<String> {
        let names = ["Task_Progress".to_owned(), "é".to_owned()];
        let mut encoded = Vec::new();
        encode("t", None, Some(&borrowed(arguments)), &mut encoded).expect("short");
        let call = Call::decode(&encoded, KeyOrder::AsGiven).expect("a call");
        let without = CosmeticArguments::new(Some(&names)).without(&call)?;
        let call = Call::decode(&without, KeyOrder::AsGiven).expect("a call");
        let mut json = String::new();
        call.push_arguments(&mut json);
        Some(json)
    }

    #[test]
    fn the_named_arguments_are_left_out_and_nothing_else() {
        let without = left(&json!({"b": 1, "TASK_PROGRESS": {"a": [1]}, "É": 2, "a": 3}));
        assert_eq!(without.as_deref(), Some(r#"{"a":3,"b":1}"#));
        let within = left(&json!({"params": {"task_progress": 1, "x": {"task_progress": 2}}}));
        assert_eq!(
            within.as_deref(),
            Some(r#"{"params":{"x":{"task_progress":2}}}"#)
        );
        for whole in [
            json!({"b": {"é": 1}}),
            json!([1]),
            json!("é"),
            json!({}),
            Value::Null,
        ] {
            assert_eq!(left(&whole), None, "{whole}");
        }
    }
}
