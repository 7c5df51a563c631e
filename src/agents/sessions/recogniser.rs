//! Finds out from the values of a file whose session it is; never from its name.

use turnkeeper_base::json::Json;

use crate::formats::messages::MessageReader;
use crate::formats::{ANYWHERE, BESIDE, Beside, LINES, is_message};
use crate::sessions::container::{Container, HOLDERS};
use crate::sessions::cut::At;
use crate::sessions::format::RecordReader;

/// Looks at values until one says whose session it is.
pub(crate) struct Recogniser {
    container: Container,
    /// The format that the properties beside the elements tell of.
    beside: Option<&'static Beside>,
}

/// What a value says of whose session it is.
pub(crate) enum SessionOwner {
    /// It is read by this.
    Reader(Box<dyn RecordReader>),
    /// It is a chat, in lines of which a later one may say which agent keeps it.
    Chat,
}

impl Recogniser {
    /// Of a file that is built so.
    pub(crate) fn new(container: Container) -> Self {
        Self {
            container,
            beside: None,
        }
    }

    /// What a value says of whose session it is, if it says anything. `is_chat` says that one before was a message of a
    /// chat: then only an agent that keeps such messages can be whose it is.
    pub(crate) fn look(&mut self, at: &At, value: &Json, is_chat: bool) -> Option<SessionOwner> {
        match self.container {
            Container::Object => {
                let key = at.key.unwrap_or_default();
                if !at.is_element {
                    let told = BESIDE.iter().find(|it| (it.is_of)(key, value));
                    self.beside = told.or(self.beside);
                    return None;
                }
                if !HOLDERS.contains(&key) {
                    return None;
                }
            }
            Container::Lines | Container::Array | Container::Markdown => {}
        }
        let known = self.known(value);
        let known = known.filter(|it| !is_chat || it.format().is_history());
        match known {
            Some(reader) => Some(SessionOwner::Reader(reader)),
            None if !is_message(value) => None,
            None if self.container == Container::Lines => Some(SessionOwner::Chat),
            None => Some(SessionOwner::Reader(Box::new(MessageReader::new(None)))),
        }
    }

    /// The reader for a value that is no message of a chat, or of one whose agent is known.
    pub(crate) fn known(&self, value: &Json) -> Option<Box<dyn RecordReader>> {
        if let Some(beside) = self.beside.filter(|it| (it.takes)(value)) {
            return Some((beside.reader)());
        }
        let is_lines = self.container == Container::Lines;
        let lines = LINES.iter().filter(|_| is_lines);
        let found = ANYWHERE.iter().chain(lines).find(|it| (it.is_of)(value));
        found.map(|it| (it.reader)())
    }
}
