//! Lines of a rollout that need not be read for the usage: most lines, and the longest.

use turnkeeper_base::json::ends_without;

use crate::sessions::time::time_in;

/// When such a line was written; `None` for any other, and for one that is not as Codex writes it.
pub(super) fn time_without_usage(line: &[u8]) -> Option<f64> {
    let (time, rest) = line
        .strip_prefix(br#"{"timestamp":""#)?
        .split_first_chunk::<TIME>()?;
    let rest = rest.strip_prefix(br#"","type":""#)?;
    let kinds = [("response_item", ITEMS), ("event_msg", EVENTS)];
    let (rest, types) = kinds
        .into_iter()
        .find_map(|(kind, types)| Some((rest.strip_prefix(kind.as_bytes())?, types)))?;
    let rest = rest.strip_prefix(br#"","payload":{"type":""#)?;
    let rest = types
        .iter()
        .find_map(|kind| rest.strip_prefix(kind.as_bytes()))?;
    let time = time_in(str::from_utf8(time).ok()?)?;
    ends_without(rest, NAMES).then_some(time)
}

/// The length of `2026-01-01T09:00:00.000Z`.
const TIME: usize = 24;

/// The beginnings of items from their types on. A call without a name cannot be read.
const ITEMS: &[&str] = &[
    "reasoning",
    r#"function_call","name":""#,
    "function_call_output",
    "custom_tool_call_output",
];

/// Events that say an item again.
const EVENTS: &[&str] = &["agent_", "exec_command_", "user_message"];

/// A payload with one of these may be another one: of equal names the last counts, and settings name the model.
const NAMES: &[&str] = &["type", "name", "thread_settings"];

#[cfg(test)]
mod tests {
    use turnkeeper_base::json::parse;

    use super::*;
    use crate::codex::reader::CodexReader;
    use crate::sessions::format::RecordReader;

    fn line(kind: &str, payload: &str) -> String {
        format!(r#"{{"timestamp":"2026-01-01T09:00:00.000Z","type":"{kind}","payload":{payload}}}"#)
    }

    #[test]
    fn what_is_passed_over_says_nothing_of_the_usage() {
        for (kind, payload) in [
            (
                "response_item",
                r#"{"type":"reasoning","summary":[{"x":[1,-2e3,"\u00e9"]}]}"#,
            ),
            (
                "response_item",
                r#"{"type":"function_call","name":"a\"","arguments":"{\"type\":1}"}"#,
            ),
            (
                "response_item",
                r#"{"type":"function_call_output" , "output" : "\\" } "#,
            ),
            (
                "event_msg",
                r#"{"type":"agent_message","message":"\"}}","x":{"type":"y"}}"#,
            ),
        ] {
            let line = line(kind, payload);
            let time = time_without_usage(line.as_bytes());
            assert_eq!(time, Some(1_767_258_000_000.0), "{line}");
            let mut room = Vec::new();
            let value = parse(line.as_bytes(), &mut room).expect("JSON");
            let mut reader = CodexReader::new();
            let record = reader.read(&value, 1).expect("it can be read");
            assert_eq!((record.facts, record.problem), Default::default());
            assert!(reader.usage(&value).is_empty());
        }
    }

    #[test]
    fn what_may_be_something_else_is_read() {
        for (kind, payload) in [
            ("response_item", r#"{"type":"message","role":"user"}"#),
            ("response_item", r#"{"type":"function_call","call_id":"c"}"#),
            (
                "response_item",
                r#"{"type":"function_call","name":"a","name":1}"#,
            ),
            ("event_msg", r#"{"type":"token_count","info":{}}"#),
            (
                "event_msg",
                r#"{"type":"agent_message","type":"token_count"}"#,
            ),
            (
                "event_msg",
                r#"{"type":"agent_message","\u0074ype":"token_count"}"#,
            ),
            (
                "event_msg",
                r#"{"type":"agent_message","thread_settings":{"model":"m"}}"#,
            ),
            ("event_msg", r#"{"type":"agent_message"},"type":"x""#),
            ("event_msg", r#"{"type":"agent_message","a":"\x"}"#),
            ("event_msg", r#"{"type":"agent_message","a":1,}"#),
            ("event_msg", r#"{"type":"agent_message","a":1"#),
        ] {
            let line = line(kind, payload);
            assert_eq!(time_without_usage(line.as_bytes()), None, "{line}");
        }
        let whole = line("event_msg", r#"{"type":"agent_message"}"#);
        assert_eq!(time_without_usage((whole + "}").as_bytes()), None);
    }
}
