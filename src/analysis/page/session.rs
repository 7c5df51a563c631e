//! A session that is read, and held for all that is asked of it.

use std::rc::Rc;

use serde::Serialize;
use turnkeeper_agents::sessions::{Format, InputError, Piece, Record, SessionReader, Unreadable};
use turnkeeper_base::Error;
use turnkeeper_base::json::written;
use turnkeeper_base::text::first_units;
use turnkeeper_messages::Event;

use super::judgement::Judgement;
use super::kept::kept;
use super::plays::Play;
use crate::outdated::OutdatedCount;
use crate::profile::Profile;

/// The units of a message about a file, which may quote it.
const LONGEST_MESSAGE: usize = 2_000;

/// A session on its way in.
#[derive(Debug)]
pub struct PageSession {
    name: String,
    reader: SessionReader,
    read: Read,
    /// Why nothing more could be read.
    failure: Option<InputError>,
    session: Option<Rc<KeptSession>>,
}

/// The part that has been read so far.
#[derive(Debug, Default)]
struct Read {
    records: Vec<Record<'static>>,
    outdated: OutdatedCount,
    has_events: bool,
    unread: Option<Unread>,
    lost: u32,
}

/// The parts that could not be read.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
struct Unread {
    message: String,
    /// The first line or element that could not be read, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    /// The number of those that could not be read.
    count: u32,
    /// Whether nothing could be read after it.
    is_rest: bool,
}

/// A session that has been read.
#[derive(Debug)]
pub(super) struct KeptSession {
    pub(super) name: String,
    pub(super) format: Format,
    pub(super) records: Vec<Record<'static>>,
    /// The number of lines or elements that could not be read.
    pub(super) unread: u32,
    /// Has seen its history, which no rules change.
    pub(super) outdated: OutdatedCount,
}

impl KeptSession {
    /// The part that is done when that many records are.
    pub(super) fn part(&self, records: usize) -> f64 {
        match self.records.len() {
            0 => 1.0,
            all => records as f64 / all as f64,
        }
    }
}

/// Why a file is no session.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Refused {
    /// It completes "the file …", or "line 3: …" if there is a line.
    pub message: String,
    /// The line, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ReadSession<'s> {
    format: &'static str,
    title: &'static str,
    unit: &'static str,
    is_history: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<&'s Unread>,
}

impl PageSession {
    /// A session in the file of this name.
    pub fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            reader: SessionReader::new(name),
            read: Read::default(),
            failure: None,
            session: None,
        }
    }

    /// Takes the next bytes. Returns whether more of them are wanted.
    pub fn push(&mut self, bytes: &[u8]) -> bool {
        let read = &mut self.read;
        if let Err(error) = self.reader.push(bytes, &mut |piece| read.take(piece)) {
            self.failure = Some(error);
        }
        self.failure.is_none()
    }

    /// Ends the file. Returns what it is, as JSON.
    ///
    /// # Errors
    /// If nothing of it could be read, and it is no session.
    pub fn end(&mut self) -> Result<String, Refused> {
        let mut read = std::mem::take(&mut self.read);
        if self.failure.is_none() {
            self.failure = self.reader.end(&mut |piece| read.take(piece)).err();
        }
        let Some(format) = self.reader.format().filter(|_| read.has_events) else {
            return Err(refused(self.failure.take(), read.unread));
        };
        if let Some(failure) = self.failure.take() {
            let rest = Unread {
                message: message(&failure.reason),
                line: failure.line,
                count: 1,
                is_rest: true,
            };
            read.unread.get_or_insert(rest);
        }
        let said = written(&ReadSession {
            format: format.name(),
            title: format.title(),
            unit: self.reader.unit(),
            is_history: format.is_history(),
            problem: read.unread.as_ref(),
        });
        self.session = Some(Rc::new(KeptSession {
            name: self.name.clone(),
            format,
            records: read.records,
            unread: read.lost,
            outdated: read.outdated,
        }));
        Ok(said)
    }

    /// Begins to judge the session by rules, given as JSON. None before its end.
    ///
    /// # Errors
    /// `invalid_config`, naming the threshold that is out of range.
    pub fn judge(&self, rules: &str) -> Result<Option<Judgement>, Error> {
        let session = self.session.clone();
        session
            .map(|session| Judgement::new(session, rules))
            .transpose()
    }

    /// Begins to play the session by the rules of the profile of this name. None before its end, and of no profile.
    pub fn compare(&self, profile: &str) -> Option<Play> {
        let session = self.session.clone()?;
        // The thresholds of a profile are in range.
        Play::new(session, Profile::of(profile)?).ok()
    }
}

impl Read {
    fn take(&mut self, piece: &Piece) {
        if let Some(problem) = &piece.problem {
            self.note(problem);
        }
        let Some(record) = &piece.record else {
            return;
        };
        if let Some(unread) = &mut self.unread {
            unread.is_rest = false;
        }
        self.outdated.take(record);
        let is_event = |event: &Event| !matches!(event, Event::PromptStarted { .. });
        self.has_events |= record.items.iter().any(|item| is_event(&item.event));
        self.records.push(kept(record));
    }

    fn note(&mut self, problem: &Unreadable) {
        let first = self.unread.get_or_insert_with(|| Unread {
            message: message(&problem.reason),
            line: (problem.place > 0).then_some(problem.place),
            count: 0,
            is_rest: true,
        });
        first.count += 1;
        self.lost += 1;
    }
}

fn refused(failure: Option<InputError>, unread: Option<Unread>) -> Refused {
    if let Some(failure) = failure {
        return Refused {
            message: message(&failure.reason),
            line: failure.line,
        };
    }
    let message = || "has no events".to_owned();
    Refused {
        line: unread.as_ref().and_then(|unread| unread.line),
        message: unread.map_or_else(message, |unread| unread.message),
    }
}

fn message(reason: &str) -> String {
    first_units(reason, LONGEST_MESSAGE).to_owned()
}
