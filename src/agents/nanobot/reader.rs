//! Sessions of nanobot (`sessions/*.jsonl` in its workspace): lines of OpenAI's messages after one of facts
//! (`{"_type": "metadata", "key", "created_at", …}`).

use turnkeeper_base::json::Json;

use crate::formats::messages::MessageReader;
use crate::sessions::format::{Format, RecordReader};
use crate::sessions::given::{message_key, text_at};
use crate::sessions::items::fact;
use crate::sessions::record::{Facts, Record, Unreadable};

/// Whether it is the line of facts.
pub(crate) fn is_nanobot_header(value: &Json) -> bool {
    let name = text_at(value, &["key"]).or(text_at(value, &["created_at"]));
    text_at(value, &["_type"]) == Some("metadata") && name.is_some()
}

/// Reads a session of nanobot.
pub(crate) struct NanobotReader {
    messages: MessageReader,
}

impl NanobotReader {
    /// Before the first message.
    pub(crate) fn new() -> Self {
        Self {
            messages: MessageReader::new(Some(Format::Nanobot)),
        }
    }
}

impl RecordReader for NanobotReader {
    fn format(&self) -> Format {
        Format::Nanobot
    }

    fn read<'a>(&mut self, value: &'a Json<'a>, place: u32) -> Result<Record<'a>, Unreadable> {
        if text_at(value, &["_type"]) == Some("metadata") {
            return Ok(Record {
                facts: Facts {
                    title: fact(value.get("key")),
                    ..Facts::default()
                },
                ..Record::default()
            });
        }
        Ok(Record {
            key: message_key(Format::Nanobot, value),
            ..self.messages.read(value, place)?
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::formats::testing::told;

    #[test]
    fn the_line_of_facts_costs_nothing_but_itself() {
        let lines = [
            r#"{"_type":"metadata","key":"cli:direct","created_at":"2026-09-01T10:00:00"}"#,
            r#"{"role":"user","content":"go","timestamp":"t"}"#,
            r#"{"role":"assistant","content":"","tool_calls":[{"id":"k","type":"function","function":{"name":"exec","arguments":"{}"}}]}"#,
            r#"{"a":1}"#,
        ];
        let told = told(&mut NanobotReader::new(), &lines);
        let events = ["2 user_message", "3 turn_started", "3 tool_call #k exec {}"];
        assert_eq!(told.events, events);
        assert_eq!(told.problems, ["4 is no message: it has no role"]);
        assert_eq!(told.title.as_deref(), Some("cli:direct"));
    }
}
