//! Lines of a rollout of which no values are made: counts of tokens and events that say an item again, and, for the usage
//! alone, most items, which are the longest.

use turnkeeper_base::json::{Json, Place, ends_without, numbers_in};

use crate::sessions::time::time_in;

/// A line that is as Codex writes it, and says nothing of the usage but for a count.
#[derive(Debug, PartialEq)]
pub(super) struct PlainLine<'a> {
    /// When it was written.
    pub(super) time: f64,
    pub(super) count: Option<TokenCount<'a>>,
}

/// A count of tokens.
#[derive(Debug, PartialEq)]
pub(super) struct TokenCount<'a> {
    /// Those of all requests so far, as JSON without spaces.
    pub(super) sum: &'a str,
    /// Those of the last request.
    pub(super) last: Json<'a>,
}

/// Such a line, which may be an item if the usage alone is asked for; `None` for any other, and for one that is not as
/// Codex writes it.
pub(super) fn plain_line(line: &[u8], is_usage_alone: bool) -> Option<PlainLine<'_>> {
    let (time, rest) = line
        .strip_prefix(br#"{"timestamp":""#)?
        .split_first_chunk::<TIME>()?;
    let rest = rest.strip_prefix(br#"","type":""#)?;
    let item = rest.strip_prefix(b"response_item");
    let rest = match item {
        Some(_) if !is_usage_alone => return None,
        Some(rest) => rest,
        None => rest.strip_prefix(b"event_msg")?,
    };
    let rest = str::from_utf8(rest.strip_prefix(br#"","payload":{"type":""#)?).ok()?;
    let count = match (item, rest.strip_prefix(r#"token_count","info":{"#)) {
        (None, Some(info)) => Some(token_count(info)?),
        (_, _) => {
            let rest = match item {
                Some(_) => after_type_of_item(rest)?,
                None => after_type_of_event(rest)?,
            };
            if !ends_without(rest, Place::InString, 2, NAMES) {
                return None;
            }
            None
        }
    };
    let time = time_in(str::from_utf8(time).ok()?)?;
    Some(PlainLine { time, count })
}

/// The items that do not make a title. A call without a name cannot be read.
fn after_type_of_item(rest: &str) -> Option<&str> {
    rest.strip_prefix("reasoning")
        .or_else(|| rest.strip_prefix(r#"function_call","name":""#))
        .or_else(|| rest.strip_prefix("function_call_output"))
        .or_else(|| rest.strip_prefix("custom_tool_call_output"))
}

/// The events that say an item again.
fn after_type_of_event(rest: &str) -> Option<&str> {
    rest.strip_prefix("agent_")
        .or_else(|| rest.strip_prefix("exec_command_"))
        .or_else(|| rest.strip_prefix("user_message"))
}

/// The length of `2026-01-01T09:00:00.000Z`.
const TIME: usize = 24;

/// A payload with one of these may be another one: of equal names the last counts, and settings name the model.
const NAMES: &[&str] = &[
    "type", "name", "thread_settings", "info", "total_token_usage", "last_token_usage",
];

/// The count whose first field this begins with.
fn token_count(info: &str) -> Option<TokenCount<'_>> {
    let text = info.strip_prefix(r#""total_token_usage":"#)?;
    let rest = numbers_in(text, |_, _| ())?;
    let sum = &text[..text.len() - rest.len()];
    let mut last = Vec::with_capacity(USUAL_KINDS);
    let rest = numbers_in(
        rest.strip_prefix(r#","last_token_usage":"#)?,
        |name, number| {
            last.push((name.into(), Json::Number(number)));
        },
    )?;
    let last = Json::Object(last);
    ends_without(rest, Place::AfterValue, 3, NAMES).then_some(TokenCount { sum, last })
}

/// Codex tells the tokens that were sent, of these those that were cached, those that were written, of these the thinking,
/// and all of them.
const USUAL_KINDS: usize = 5;

#[cfg(test)]
mod tests {
    use turnkeeper_base::json::{parse, written};

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
            let plain = PlainLine {
                time: 1_767_258_000_000.0,
                count: None,
            };
            assert_eq!(
                plain_line(line.as_bytes(), true).as_ref(),
                Some(&plain),
                "{line}"
            );
            let is_event = kind == "event_msg";
            let for_all = plain_line(line.as_bytes(), false);
            assert_eq!(for_all, is_event.then_some(plain), "{line}");
            let mut room = Vec::new();
            let value = parse(line.as_bytes(), &mut room).expect("JSON");
            let mut reader = CodexReader::new();
            let record = reader.read(&value, 1).expect("it can be read");
            assert_eq!((record.facts, record.problem), Default::default());
            assert!(reader.usage(&value).is_empty());
        }
    }

    fn count(info: &str, more: &str) -> String {
        let payload = format!(r#"{{"type":"token_count","info":{info}{more}}}"#);
        line("event_msg", &payload)
    }

    #[test]
    fn a_count_is_as_it_is_written() {
        let info = r#"{"total_token_usage":{"input_tokens":70,"total_tokens":123456789012345},"last_token_usage":{"input_tokens":0},"x":[{}]}"#;
        for more in ["", r#","rate_limits":{"type":null}"#] {
            let line = count(info, more);
            let found = plain_line(line.as_bytes(), true).and_then(|it| it.count);
            let TokenCount { sum, last } = found.expect("a count");
            assert_eq!(sum, r#"{"input_tokens":70,"total_tokens":123456789012345}"#);
            assert_eq!(written(&last), r#"{"input_tokens":0}"#);
        }
    }

    #[test]
    fn a_count_that_may_be_written_otherwise_is_read() {
        let of = |sum: &str, last: &str, more: &str| {
            format!(r#"{{"total_token_usage":{sum},"last_token_usage":{last}{more}}}"#)
        };
        let (plain, last) = (r#"{"a":1}"#, r#"{"b":2}"#);
        for other in ["null", r#"{"a": 1}"#] {
            for info in [of(other, last, ""), of(plain, other, "")] {
                assert_eq!(
                    plain_line(count(&info, "").as_bytes(), true),
                    None,
                    "{info}"
                );
            }
        }
        let info = of(plain, last, "");
        for (info, more) in [
            (of(plain, last, r#","total_token_usage":{}"#), ""),
            (of(plain, last, ","), ""),
            (r#"{"total_token_usage":{"a":1}}"#.to_owned(), ""),
            (info.clone(), r#","info":null"#),
            (info.clone(), r#","type":"x""#),
            (info.clone(), r#","x":tru"#),
            (info.clone(), "}"),
        ] {
            assert_eq!(
                plain_line(count(&info, more).as_bytes(), true),
                None,
                "{info}{more}"
            );
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
            assert_eq!(plain_line(line.as_bytes(), true), None, "{line}");
        }
        let whole = line("event_msg", r#"{"type":"agent_message"}"#);
        assert_eq!(plain_line((whole + "}").as_bytes(), true), None);
    }
}
