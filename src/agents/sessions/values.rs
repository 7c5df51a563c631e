//! The values of a file, from the first of which its format shows, and the records that they become.

use std::fmt;

use rustc_hash::FxHashSet;
use turnkeeper_base::json::{Json, Unread, written};

use crate::formats::messages::MessageReader;
use crate::sessions::container::Container;
use crate::sessions::cut::value::each_value;
use crate::sessions::cut::{At, Cut, LONGEST};
use crate::sessions::format::{Format, RecordReader};
use crate::sessions::input_error::{InputError, InputFailure};
use crate::sessions::items::Work;
use crate::sessions::recogniser::{Recogniser, SessionOwner};
use crate::sessions::record::{Piece, Record, Unreadable};
use crate::sessions::time::time_of;

/// The format must show in this many values, and in no more bytes than a line may have.
const LOOKED_AT: usize = 200;

/// A chat whose messages do not show which agent keeps it is read as any chat after this many bytes.
const CHAT_LOOKED_AT: usize = 262_144;

/// The part of what a file holds that is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    All,
    /// Texts and calls may be passed over where the format's reader finds the usage without them.
    Usage,
    /// Neither usage nor times.
    Words,
}

/// Reads the values of a file.
pub(crate) struct Values {
    file: String,
    container: Container,
    wanted: Wanted,
    recogniser: Recogniser,
    reader: Option<Box<dyn RecordReader>>,
    /// In a file that is one object, the key of the array with the session.
    holder: Option<String>,
    waiting: Waiting,
    work: Work,
    /// The keys of the records so far.
    seen: FxHashSet<u64>,
    /// Whether there was an element, and one that was read.
    has_elements: bool,
    has_records: bool,
    /// The first thing that was left out.
    first_problem: Option<Unreadable>,
    /// Room for a value that is mended before it is parsed.
    room: Vec<u8>,
}

impl fmt::Debug for Values {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Values")
            .field("format", &self.format())
            .finish_non_exhaustive()
    }
}

/// The parts that came before the format was known.
#[derive(Default)]
struct Waiting {
    parts: Vec<Held>,
    /// The number of values, and of bytes.
    looked: usize,
    bytes: usize,
    /// Whether a message of a chat has come: the file is one, and a later line may say whose.
    is_chat: bool,
    /// Whether an array's or an object's text is broken, before anything of an object was a value.
    is_broken: bool,
    /// The kind of the last value, and the keys of an object.
    last: String,
    keys: Vec<String>,
}

/// A part that waits.
struct Held {
    bytes: Vec<u8>,
    /// Its place, if it is a value: the key, the number, and whether it is an element.
    at: Option<(Option<String>, u32, bool)>,
    problem: Option<Unreadable>,
}

impl Values {
    /// Of a file that is built so.
    pub(crate) fn new(file: &str, container: Container, wanted: Wanted) -> Self {
        Self {
            file: file.to_owned(),
            container,
            wanted,
            recogniser: Recogniser::new(container),
            // An export is known by its first line.
            reader: (container == Container::Markdown).then(exported),
            holder: None,
            waiting: Waiting::default(),
            work: Work::default(),
            seen: FxHashSet::default(),
            has_elements: false,
            has_records: false,
            first_problem: None,
            room: Vec::new(),
        }
    }

    /// The format, once it has shown.
    pub(crate) fn format(&self) -> Option<Format> {
        self.reader.as_ref().map(|it| it.format())
    }

    /// The fields that the format's reader does not read.
    fn unread(&self) -> &'static Unread {
        let Some(reader) = &self.reader else {
            return Unread::NONE;
        };
        match reader.unread_for_usage() {
            Some(unread) if self.wanted == Wanted::Usage => unread,
            _ => reader.unread(),
        }
    }

    /// The record of a line that need not be read.
    fn passed_over<'a>(&mut self, line: &[u8], at: &At) -> Option<Record<'a>> {
        let is_asked = self.wanted != Wanted::Words && self.container == Container::Lines;
        let reader = self.reader.as_mut().filter(|_| is_asked)?;
        let (time, mut usage) = reader.plain_usage(line, self.wanted == Wanted::Usage)?;
        usage.iter_mut().for_each(|it| it.time = Some(time));
        Some(Record {
            place: at.place,
            time: Some(time),
            usage,
            ..Record::default()
        })
    }

    /// Whether there was an element of the session.
    pub(crate) fn has_elements(&self) -> bool {
        self.has_elements
    }

    /// Takes a part of the file.
    ///
    /// # Errors
    /// If the values so far are of no known format.
    pub(crate) fn take(
        &mut self,
        cut: Cut,
        take: &mut dyn FnMut(&Piece),
    ) -> Result<(), InputError> {
        match &cut {
            Cut::Value(_, at) | Cut::Made(_, at) => self.has_elements |= at.is_element,
            Cut::AnotherLine => return Err(self.not_one()),
            Cut::Between(_) | Cut::Bad(..) => {}
        }
        if self.reader.is_some() {
            self.give(cut, take);
            return Ok(());
        }
        self.wait(cut);
        let Waiting {
            looked,
            bytes,
            is_chat,
            ..
        } = self.waiting;
        if self.reader.is_some() {
            self.give_waiting(take);
        } else if is_chat {
            if looked > LOOKED_AT || bytes > CHAT_LOOKED_AT {
                self.settle(take);
            }
        } else if looked > LOOKED_AT || bytes > LONGEST {
            return Err(self.unknown());
        }
        Ok(())
    }

    /// Takes a chat for any chat, if no line has said whose it is.
    pub(crate) fn settle(&mut self, take: &mut dyn FnMut(&Piece)) {
        if self.reader.is_none() && self.waiting.is_chat {
            self.reader = Some(Box::new(MessageReader::new(None)));
            self.give_waiting(take);
        }
    }

    fn give_waiting(&mut self, take: &mut dyn FnMut(&Piece)) {
        for Held { bytes, at, problem } in std::mem::take(&mut self.waiting.parts) {
            let at = at.as_ref().map(|(key, place, is_element)| At {
                key: key.as_deref(),
                place: *place,
                is_element: *is_element,
            });
            let cut = match (at, problem) {
                (Some(at), _) => Cut::Value(&bytes, at),
                (None, Some(left_out)) => Cut::Bad(&bytes, left_out),
                (None, None) => Cut::Between(&bytes),
            };
            self.give(cut, take);
        }
    }

    /// Reads what the reader held back until the end.
    ///
    /// # Errors
    /// If nothing could be read.
    pub(crate) fn end(&mut self, take: &mut dyn FnMut(&Piece)) -> Result<(), InputError> {
        self.settle(take);
        let Some(reader) = &mut self.reader else {
            for Held { bytes, .. } in std::mem::take(&mut self.waiting.parts) {
                emit(&bytes, None, None, take);
            }
            return Err(self.unknown());
        };
        match reader.end() {
            Ok(None) => {}
            Ok(record) => {
                self.has_records = true;
                emit(b"", record, None, take);
            }
            Err(Unreadable { reason, .. }) => {
                let problem =
                    Unreadable::new(format!("ends with what cannot be read: it {reason}"));
                self.left_out(b"", problem, take);
            }
        }
        match &self.first_problem {
            Some(problem) if !self.has_records => Err(self.broken(problem)),
            _ => Ok(()),
        }
    }

    /// Holds a part until the format is known, for which it is looked at.
    fn wait(&mut self, cut: Cut) {
        let Self {
            waiting,
            recogniser,
            reader,
            holder,
            room,
            first_problem,
            ..
        } = self;
        let mut left_out = |waiting: &mut Waiting, bytes: &[u8], problem: Unreadable| {
            first_problem.get_or_insert_with(|| problem.clone());
            waiting.hold(bytes, None, Some(problem));
        };
        match cut {
            Cut::Between(bytes) => waiting.hold(bytes, None, None),
            Cut::Made(..) | Cut::AnotherLine => {}
            Cut::Bad(bytes, why) => {
                // An object that goes on with another one is rather a line.
                waiting.is_broken |= match self.container {
                    Container::Array => true,
                    Container::Object => waiting.looked == 0,
                    Container::Lines | Container::Markdown => false,
                };
                left_out(waiting, bytes, why);
            }
            Cut::Value(bytes, at) => {
                each_value(
                    bytes,
                    self.container,
                    Unread::NONE,
                    room,
                    &mut |bytes, value| match value {
                        Ok(None) => waiting.hold(bytes, None, None),
                        Ok(Some(value)) => {
                            waiting.look(&at, value);
                            if reader.is_none() {
                                match recogniser.look(&at, value, waiting.is_chat) {
                                    Some(SessionOwner::Chat) => waiting.is_chat = true,
                                    Some(SessionOwner::Reader(found)) => {
                                        *reader = Some(found);
                                        *holder = at.key.map(str::to_owned);
                                    }
                                    None => {}
                                }
                            }
                            waiting.hold(bytes, Some(&at), None);
                        }
                        Err(problem) => left_out(waiting, bytes, problem.at(at.place)),
                    },
                );
            }
        }
    }

    /// Gives out a part of a file whose format is known.
    fn give(&mut self, cut: Cut, take: &mut dyn FnMut(&Piece)) {
        match cut {
            Cut::AnotherLine => {}
            Cut::Between(bytes) => emit(bytes, None, None, take),
            Cut::Bad(bytes, problem) => self.left_out(bytes, problem, take),
            Cut::Made(message, at) => self.read(b"", &message, &at, take),
            Cut::Value(bytes, at) => {
                if let Some(record) = self.passed_over(bytes, &at) {
                    self.has_records = true;
                    return emit(bytes, Some(record), None, take);
                }
                let mut room = std::mem::take(&mut self.room);
                let container = self.container;
                each_value(
                    bytes,
                    container,
                    self.unread(),
                    &mut room,
                    &mut |bytes, value| match value {
                        Ok(Some(value)) => self.read(bytes, value, &at, take),
                        Ok(None) => emit(bytes, None, None, take),
                        Err(problem) => self.left_out(bytes, problem.at(at.place), take),
                    },
                );
                self.room = room;
            }
        }
    }

    fn read(&mut self, bytes: &[u8], value: &Json, at: &At, take: &mut dyn FnMut(&Piece)) {
        let Some(reader) = &mut self.reader else {
            return;
        };
        // Of an object, the elements under the key that holds the session.
        let is_object = self.container == Container::Object;
        if is_object && !(at.is_element && at.key == self.holder.as_deref()) {
            let key = at.key.unwrap_or_default();
            let facts = match at.is_element {
                true => None,
                false => reader.property(key, value),
            };
            return emit(bytes, facts.map(Record::from), None, take);
        }
        match reader.read(value, at.place) {
            Ok(mut record) => {
                if record.place == 0 {
                    record.place = at.place;
                }
                if !record.left_out {
                    self.work.follow(&mut record.items);
                }
                if self.wanted != Wanted::Words {
                    record.time = record.time.or_else(|| time_of(value));
                    record.usage.extend(reader.usage(value));
                }
                record.is_again = record.key.is_some_and(|key| !self.seen.insert(key));
                for usage in &mut record.usage {
                    usage.time = usage.time.or(record.time);
                }
                self.has_records = true;
                let problem = record.problem.take();
                let problem = problem.map(|it| it.at(record.place));
                if let Some(problem) = &problem {
                    self.first_problem.get_or_insert_with(|| problem.clone());
                }
                emit(bytes, Some(record), problem, take);
            }
            Err(problem) => self.left_out(bytes, problem.at(at.place), take),
        }
    }

    fn left_out(&mut self, bytes: &[u8], problem: Unreadable, take: &mut dyn FnMut(&Piece)) {
        self.first_problem.get_or_insert_with(|| problem.clone());
        emit(bytes, None, Some(problem), take);
    }

    /// Nothing was read but a problem.
    fn broken(&self, problem: &Unreadable) -> InputError {
        let Unreadable { place, reason } = problem.clone();
        let is_line = self.container == Container::Lines && place > 0;
        let reason = match is_line || place == 0 {
            true => reason,
            false => format!("element {place}: it {reason}").into(),
        };
        let error = InputError::new(&self.file, InputFailure::Broken, reason);
        InputError {
            line: is_line.then_some(place),
            ..error
        }
    }

    /// A value a line, such as examples for training, whose first line alone looked like a session.
    fn not_one(&self) -> InputError {
        let what = match self.container {
            Container::Object => {
                format!("each line is an object with {}", listed(&self.waiting.keys))
            }
            _ => "each line is an array".to_owned(),
        };
        InputError::no_format(&self.file, &what)
    }

    fn unknown(&self) -> InputError {
        let Waiting {
            looked,
            last,
            keys,
            is_broken,
            ..
        } = &self.waiting;
        match &self.first_problem {
            Some(problem) if *looked == 0 || *is_broken => return self.broken(problem),
            None if *looked == 0 => {
                return InputError::new(&self.file, InputFailure::Empty, "has no events");
            }
            _ => {}
        }
        let what = match self.container {
            Container::Object => format!("it is an object with {}", listed(keys)),
            Container::Lines => format!("line {last}"),
            _ => format!("element {last}"),
        };
        InputError::no_format(&self.file, &what)
    }
}

impl Waiting {
    fn hold(&mut self, bytes: &[u8], at: Option<&At>, problem: Option<Unreadable>) {
        self.bytes += bytes.len();
        self.parts.push(Held {
            bytes: bytes.to_owned(),
            at: at.map(|at| (at.key.map(str::to_owned), at.place, at.is_element)),
            problem,
        });
    }

    /// Keeps what an error says of a value, if it turns out to be of no known format.
    fn look(&mut self, at: &At, value: &Json) {
        self.looked += 1;
        let key = at.key.unwrap_or_default();
        if !self.keys.iter().any(|known| known == key) {
            self.keys.push(key.to_owned());
        }
        let kind = match value {
            Json::Null => "null".to_owned(),
            Json::Bool(_) => "a boolean".to_owned(),
            Json::Number(_) => "a number".to_owned(),
            Json::Text(_) => "a string".to_owned(),
            Json::List(_) => "an array".to_owned(),
            Json::Object(fields) if fields.is_empty() => "an object with no keys".to_owned(),
            Json::Object(fields) => {
                let keys: Vec<_> = fields.iter().map(|(name, _)| name).collect();
                format!("an object with {}", listed(&keys))
            }
        };
        self.last = format!("{} is {kind}", at.place);
    }
}

/// The reader for the messages of an export.
fn exported() -> Box<dyn RecordReader> {
    Box::new(MessageReader::new(Some(Format::ClineMarkdown)))
}

/// The first of these names, in quotes.
fn listed(names: &[impl AsRef<str>]) -> String {
    let names = names.iter().take(8).map(|name| written(name.as_ref()));
    names.collect::<Vec<_>>().join(",")
}

fn emit<'a>(
    bytes: &'a [u8],
    record: Option<Record<'a>>,
    problem: Option<Unreadable>,
    take: &mut dyn FnMut(&Piece),
) {
    take(&Piece {
        bytes,
        record,
        problem,
    });
}
