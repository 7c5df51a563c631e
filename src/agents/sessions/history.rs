//! The events of messages that a host holds.

use std::borrow::Cow;
use std::fmt;

use turnkeeper_base::json::Json;
use turnkeeper_messages::Event;

use crate::formats::is_message;
use crate::formats::messages::MessageReader;
use crate::sessions::container::Container;
use crate::sessions::format::{Format, RecordReader};
use crate::sessions::items::Work;
use crate::sessions::recogniser::Recogniser;
use crate::sessions::record::Record;

/// Why messages have no events.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HistoryError {
    /// The message, from 0; none if all of them are of no known format.
    pub message: Option<usize>,
    /// It completes "the message …", or "the messages …".
    pub reason: Cow<'static, str>,
}

impl fmt::Display for HistoryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reason = &self.reason;
        match self.message {
            None => write!(f, "the messages {reason}"),
            Some(message) => write!(f, "message {message} {reason}"),
        }
    }
}

impl std::error::Error for HistoryError {}

/// Reads a history, to seed a detector when a task is resumed. The messages may be those of any provider, or the values
/// of any format. What the user says is a user's message, and what the model has written and called since then is its
/// turns, each with the start of a turn. A system's message is [`Event::Other`], which no rule looks at.
pub struct HistoryReader {
    format: Option<Format>,
    recogniser: Recogniser,
    reader: Option<Box<dyn RecordReader>>,
    /// The messages that came before one said whose they are.
    waiting: Vec<Json<'static>>,
    work: Work,
    /// The number of messages that were read.
    count: usize,
}

impl HistoryReader {
    /// Of messages of a format, if it is known and they do not say it themselves.
    pub fn new(format: Option<Format>) -> Self {
        Self {
            format,
            recogniser: Recogniser::new(Container::Lines),
            reader: None,
            waiting: Vec::new(),
            work: Work::default(),
            count: 0,
        }
    }

    /// Takes the events of the next message; of those before it, too, once one says whose they are.
    ///
    /// # Errors
    /// For a message that is in no known format; the events before it were given.
    pub fn push(
        &mut self,
        message: &Json,
        take: &mut dyn FnMut(&Event),
    ) -> Result<(), HistoryError> {
        if self.reader.is_none() {
            self.reader = self.recogniser.known(message).or_else(|| {
                let reader: Box<dyn RecordReader> = Box::new(MessageReader::new(self.format));
                is_message(message).then_some(reader)
            });
            if self.reader.is_none() {
                self.waiting.push(message.clone().into_owned());
                return Ok(());
            }
            for message in std::mem::take(&mut self.waiting) {
                self.read(&message, take)?;
            }
        }
        self.read(message, take)
    }

    fn read(&mut self, message: &Json, take: &mut dyn FnMut(&Event)) -> Result<(), HistoryError> {
        let Some(reader) = &mut self.reader else {
            return Ok(());
        };
        let index = self.count;
        self.count += 1;
        let place = u32::try_from(self.count).unwrap_or(u32::MAX);
        let read = reader.read(message, place);
        let read = read.and_then(|mut record| match record.problem.take() {
            Some(problem) => Err(problem),
            None => Ok(record),
        });
        let read = read.map_err(|it| HistoryError {
            message: Some(index),
            reason: it.reason,
        });
        let mut record = read?;
        self.work.follow(&mut record.items);
        give(&record, take);
        Ok(())
    }

    /// Takes the events that were held back until the end.
    ///
    /// # Errors
    /// If no message is in a known format.
    pub fn end(&mut self, take: &mut dyn FnMut(&Event)) -> Result<(), HistoryError> {
        let error = |reason| HistoryError {
            message: None,
            reason,
        };
        let Some(reader) = &mut self.reader else {
            return match self.waiting.is_empty() {
                true => Ok(()),
                false => Err(error("are of no known format".into())),
            };
        };
        let last = reader.end().map_err(|it| {
            let reason = it.reason;
            error(format!("end with what cannot be read: it {reason}").into())
        })?;
        if let Some(record) = last {
            give(&record, take);
        }
        Ok(())
    }
}

fn give(record: &Record, take: &mut dyn FnMut(&Event)) {
    record.items.iter().for_each(|item| take(&item.event));
}

/// Takes the events of all messages of a history, as a [`HistoryReader`] does.
///
/// # Errors
/// As there.
///
/// ```
/// use turnkeeper_base::json::Json;
/// use turnkeeper_agents::sessions::events_of;
///
/// let message = Json::object([("role", "user".into()), ("content", "Go on.".into())]);
/// let mut events = 0;
/// events_of(&[message], None, &mut |_| events += 1)?;
/// assert_eq!(events, 1);
/// # Ok::<(), turnkeeper_agents::sessions::HistoryError>(())
/// ```
pub fn events_of(
    messages: &[Json],
    format: Option<Format>,
    take: &mut dyn FnMut(&Event),
) -> Result<(), HistoryError> {
    let mut reader = HistoryReader::new(format);
    for message in messages {
        reader.push(message, take)?;
    }
    reader.end(take)
}

#[cfg(test)]
mod tests {
    use turnkeeper_base::json::{parse, written};

    use super::*;

    /// The events of messages by their types, or the error.
    fn read(messages: &str, format: Option<Format>) -> String {
        let mut room = Vec::new();
        let messages = parse(messages.as_bytes(), &mut room).expect("JSON");
        let mut types = Vec::new();
        let result = events_of(messages.items(), format, &mut |event| {
            types.push(written(event))
        });
        match result {
            Ok(()) => types.join(" ").replace('"', ""),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn a_history_has_the_events_of_its_messages() {
        let bash = r#"[{"role":"assistant","content":"I look.\n```bash\nls\n```"}]"#;
        let said = r"{type:turn_started} {type:text,text:I look.\n```bash\nls\n```}";
        for (messages, format, expected) in [
            ("[]", None, ""),
            (
                r#"[{"role":"user","content":"Go on."}]"#,
                None,
                "{type:user_message}",
            ),
            (bash, None, said),
            (
                bash,
                Some(Format::MiniSweAgent),
                &format!("{said} {{type:tool_call,name:bash,args:{{command:ls}}}}"),
            ),
            (
                r#"[{"of":"next year"}]"#,
                None,
                "the messages are of no known format",
            ),
            (
                r#"[{"role":"user","content":"a"},7]"#,
                None,
                "message 1 is no message: it has no role",
            ),
            (
                r#"[7,{"role":"user","content":"a"}]"#,
                None,
                "message 0 is no message: it has no role",
            ),
        ] {
            assert_eq!(read(messages, format), expected, "{messages}");
        }
    }
}
