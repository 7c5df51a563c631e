//! Sessions of nanobot (`sessions/*.jsonl` in its workspace): lines of OpenAI's messages behind one of facts
//! (`{"_type": "metadata", "key", "created_at", …}`).

use turnkeeper_base::json::Json;

use super::messages::MessageReader;
use crate::format::{Format, RecordReader};
use crate::given::{message_key, text_at};
use crate::items::fact;
use crate::record::{Facts, Record, Unreadable};

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
