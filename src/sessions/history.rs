//! The events of messages that a host holds.

use std::borrow::Cow;
use std::fmt;

use turnkeeper_base::json::Json;
use turnkeeper_messages::Event;

use crate::container::Container;
use crate::format::{Format, RecordReader};
use crate::formats::is_message;
use crate::formats::messages::MessageReader;
use crate::recogniser::Recogniser;
use crate::record::Record;

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

/// Takes the events of a history, to seed a detector when a task is resumed. The messages may be those of any provider,
/// or the values of any format. What the user says is a user's message, and what the model has written and called since
/// then is its turns, each with the start of a turn. A system's message is [`Event::Other`], which no rule looks at.
///
/// `format` says whose messages they are, if it is known and they do not say it themselves.
///
/// # Errors
/// For a message that is in no known format; the events before it were given.
///
/// ```
/// use turnkeeper_base::json::Json;
/// use turnkeeper_sessions::events_of;
///
/// let message = Json::object([("role", "user".into()), ("content", "Go on.".into())]);
/// let mut events = 0;
/// events_of(&[message], None, &mut |_| events += 1)?;
/// assert_eq!(events, 1);
/// # Ok::<(), turnkeeper_sessions::HistoryError>(())
/// ```
pub fn events_of(
    messages: &[Json],
    format: Option<Format>,
    take: &mut dyn FnMut(&Event),
) -> Result<(), HistoryError> {
    if messages.is_empty() {
        return Ok(());
    }
    let mut reader = reader_of(messages, format).ok_or(HistoryError {
        message: None,
        reason: "are of no known format".into(),
    })?;
    let mut take = |record: &Record| record.items.iter().for_each(|item| take(&item.event));
    for (index, message) in messages.iter().enumerate() {
        let place = u32::try_from(index).unwrap_or(u32::MAX).saturating_add(1);
        let wrong = |reason| HistoryError {
            message: Some(index),
            reason,
        };
        take(&reader.read(message, place).map_err(|it| wrong(it.reason))?);
    }
    let last = reader.end().map_err(|it| HistoryError {
        message: None,
        reason: format!("end with what cannot be read: it {}", it.reason).into(),
    })?;
    if let Some(record) = last {
        take(&record);
    }
    Ok(())
}

fn reader_of(messages: &[Json], format: Option<Format>) -> Option<Box<dyn RecordReader>> {
    let recogniser = Recogniser::new(Container::Lines);
    messages.iter().find_map(|message| {
        recogniser.known(message).or_else(|| {
            let reader: Box<dyn RecordReader> = Box::new(MessageReader::new(format));
            is_message(message).then_some(reader)
        })
    })
}
