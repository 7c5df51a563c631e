//! Sessions of Hermes: lines of OpenAI's messages behind one of the role `session_meta`, the `session_*.json` with the
//! messages and facts beside them, and a line a row of its database (`~/.hermes/state.db`).
//!
//! A row of `sessions` becomes its columns without `system_prompt` and `model_config`, with `role` "session_meta" and
//! `timestamp` (`started_at`). One of `messages`, in the order of their ids, becomes its columns that are not null, with
//! `tool_calls` parsed, and `content` without the mark `\0json:` and parsed where it begins with it. Read are of the
//! session `model`, `title`, `cwd` and the sums of tokens and money; of every message what the provider reads, and
//! `timestamp`; and of results, which are JSON in a text, `exit_code` and `error`.

use turnkeeper_base::json::Json;
use turnkeeper_messages::{Event, exit_code};

use super::messages::MessageReader;
use crate::format::{Format, RecordReader};
use crate::given::{known, message_key, owned_facts, parsed_text, text_at};
use crate::items::{condensed, fact, host_said};
use crate::record::{Facts, Record, Unreadable, Usage};
use crate::usage::{Written, amount, dollars, recorded};

/// Whether it is the first line of a session of Hermes.
pub(crate) fn is_hermes_header(value: &Json) -> bool {
    text_at(value, &["role"]) == Some("session_meta")
}

/// Whether a property beside the messages says that they are Hermes's.
pub(crate) fn is_hermes_property(key: &str, value: &Json) -> bool {
    key == "session_start" && value.as_text().is_some()
}

/// The beginnings of summaries that take the place of messages.
const SUMMARIES: &[&str] = &["[CONTEXT COMPACTION", "[CONTEXT SUMMARY]"];

/// Reads a session of Hermes.
pub(crate) struct HermesReader {
    messages: MessageReader,
}

impl HermesReader {
    /// Before the first message.
    pub(crate) fn new() -> Self {
        Self {
            messages: MessageReader::new(Some(Format::Hermes)),
        }
    }
}

impl RecordReader for HermesReader {
    fn format(&self) -> Format {
        Format::Hermes
    }

    fn read<'a>(&mut self, value: &'a Json<'a>, place: u32) -> Result<Record<'a>, Unreadable> {
        if is_hermes_header(value) {
            return Ok(Record {
                facts: facts_of(value),
                ..Record::default()
            });
        }
        let mut record = self.messages.read(value, place)?;
        record.key = message_key(Format::Hermes, value);
        let words = text_at(value, &["content"]).unwrap_or_default();
        let is_summary = SUMMARIES
            .iter()
            .any(|beginning| words.starts_with(beginning));
        match text_at(value, &["role"]) {
            Some("user" | "assistant") if is_summary => {
                record.items = vec![condensed(), host_said(words)];
            }
            Some("tool") if words.starts_with('{') => {
                let told = parsed_text(words);
                for item in &mut record.items {
                    tell(&mut item.event, &told);
                }
            }
            _ => {}
        }
        Ok(record)
    }

    /// One sum for a session.
    fn usage(&mut self, value: &Json) -> Vec<Usage> {
        if !is_hermes_header(value) {
            return Vec::new();
        }
        let of = |name| value.get(name);
        let actual = dollars(of("actual_cost_usd")).filter(|cost| *cost > 0.0);
        let estimated = || dollars(of("estimated_cost_usd")).filter(|cost| *cost > 0.0);
        recorded(Written {
            id: Some("sum".into()),
            is_sum: true,
            model: fact(of("model")),
            input: amount(of("input_tokens")),
            cache_read: amount(of("cache_read_tokens")),
            cache_write: amount(of("cache_write_tokens")),
            output: amount(of("output_tokens")),
            dollars: actual.or_else(estimated),
            ..Written::default()
        })
    }

    fn property(&mut self, key: &str, value: &Json) -> Option<Facts<'static>> {
        let beside = Json::Object(vec![(key.into(), value.clone())]);
        matches!(key, "model" | "title" | "cwd").then(|| owned_facts(facts_of(&beside)))
    }
}

fn facts_of<'a>(session: &'a Json<'a>) -> Facts<'a> {
    Facts {
        model: fact(session.get("model")),
        title: fact(session.get("title")),
        working_directory: fact(session.get("cwd")),
    }
}

/// Tells a result how it ended.
fn tell(event: &mut Event, told: &Json) {
    if let Event::ToolResult {
        exit_code: code,
        is_error,
        ..
    } = event
    {
        *code = code.or(exit_code(told.get("exit_code")));
        let error = known(told.get("error")).filter(|error| error.as_text() != Some(""));
        let has_failed = error.is_some() || told.get("success") == Some(&Json::Bool(false));
        *is_error = is_error.or(has_failed.then_some(true));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use turnkeeper_base::json::parse;

    use crate::formats::testing::told;

    #[test]
    fn a_result_says_how_it_ended_in_its_json() {
        let result = |content: &str| {
            let content = content.replace('"', "\\\"");
            format!(r#"{{"role":"tool","tool_call_id":"c","content":"{content}"}}"#)
        };
        let lines = [
            result(r#"{"exit_code":0,"error":null}"#),
            result(r#"{"exit_code":2,"error":"no"}"#),
            result(r#"{"success":false}"#),
            result("{broken"),
        ];
        let told = told(&mut HermesReader::new(), &lines);
        let events = [
            r#"1 tool_result #c exit 0 {"exit_code":0,"error":null}"#,
            r#"2 tool_result #c error exit 2 {"exit_code":2,"error":"no"}"#,
            r#"3 tool_result #c error {"success":false}"#,
            "4 tool_result #c {broken",
        ];
        assert_eq!(told.events, events);
    }

    #[test]
    fn a_row_that_is_copied_keeps_its_time() {
        let row = r#"{"id":1,"role":"user","content":"go","timestamp":1.5}"#;
        let copy = r#"{"id":7,"role":"user","content":"go","timestamp":1.5}"#;
        let later = r#"{"id":8,"role":"user","content":"go","timestamp":2.5}"#;
        let timeless = r#"{"role":"user","content":"go"}"#;
        let told = told(&mut HermesReader::new(), &[row, copy, later, timeless]);
        assert_eq!(told.keys[0], told.keys[1]);
        assert_eq!((told.different(), told.keys[3]), (2, None));
    }

    #[test]
    fn the_session_has_the_sums_and_the_actual_cost_counts() {
        let line = r#"{"role":"session_meta","model":"m","input_tokens":5,"cache_read_tokens":3,"output_tokens":2,"estimated_cost_usd":0.5,"actual_cost_usd":0.2}"#;
        let told = told(&mut HermesReader::new(), &[line]);
        assert_eq!(told.tokens(), [[5.0, 3.0, 0.0, 2.0]]);
        assert_eq!(
            (told.usage[0].dollars, told.usage[0].is_sum),
            (Some(0.2), true)
        );
        assert_eq!(told.model.as_deref(), Some("m"));
    }

    #[test]
    fn the_model_stands_beside_the_messages() {
        let mut room = Vec::new();
        let model = parse(br#""m""#, &mut room).expect("JSON");
        let mut reader = HermesReader::new();
        let facts = reader.property("model", &model).expect("facts");
        assert_eq!(facts.model.as_deref(), Some("m"));
        assert_eq!(reader.property("base_url", &model), None);
        assert!(is_hermes_property("session_start", &model));
    }
}
