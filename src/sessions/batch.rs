//! A session in batches of JSON, a batch for some bytes of the file, for whoever lives outside of Rust.

use std::borrow::Cow;

use serde::Serialize;
use turnkeeper_base::json::{Json, Key, parse, value_at, written};
use turnkeeper_messages::Event;

use crate::format::Format;
use crate::input_error::InputError;
use crate::reader::SessionReader;
use crate::record::{Facts, Piece, Record, Unreadable};

/// Reads a session, and says what it reads in batches.
#[derive(Debug)]
pub(crate) struct Batches {
    reader: SessionReader,
}

/// The facts in some bytes, without the events and the messages.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct Rest {
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    working_directory: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    format: Option<&'static str>,
    /// The first thing that was left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<Problem>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<InputError>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Problem {
    /// The line or the element, from 1; 0 if the file is meant.
    place: u32,
    reason: Cow<'static, str>,
    unit: &'static str,
    is_cut_off: bool,
}

/// A batch under way: items with commas between them.
#[derive(Default)]
struct Batch {
    events: String,
    messages: String,
    rest: Rest,
    problem: Option<Unreadable>,
}

impl Batches {
    /// Of a file whose name errors carry.
    pub(crate) fn new(file: &str) -> Self {
        Self {
            reader: SessionReader::new(file),
        }
    }

    /// The batch of the next bytes: `{ events, messages, title?, model?, workingDirectory?, format?, problem?, error? }`.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> String {
        let mut batch = Batch::default();
        let result = self.reader.push(bytes, &mut |piece| batch.take(piece));
        self.finish(batch, result)
    }

    /// The batch of what the end of the file ends.
    pub(crate) fn end(&mut self) -> String {
        let mut batch = Batch::default();
        let result = self.reader.end(&mut |piece| batch.take(piece));
        self.finish(batch, result)
    }

    fn finish(&self, batch: Batch, result: Result<(), InputError>) -> String {
        let Batch {
            events,
            messages,
            mut rest,
            problem,
        } = batch;
        rest.format = self.reader.format().map(Format::name);
        rest.problem = problem.map(|Unreadable { place, reason }| Problem {
            place,
            reason,
            unit: self.reader.unit(),
            is_cut_off: self.reader.is_cut_off(place),
        });
        rest.error = result.err();
        let rest = written(&rest);
        let rest = rest.strip_prefix('{').unwrap_or_default();
        let comma = if rest == "}" { "" } else { "," };
        format!(r#"{{"events":[{events}],"messages":[{messages}]{comma}{rest}"#)
    }
}

impl Batch {
    fn take(&mut self, piece: &Piece) {
        if let Some(problem) = &piece.problem {
            self.problem.get_or_insert_with(|| problem.clone());
        }
        let Some(record) = &piece.record else {
            return;
        };
        for item in &record.items {
            // The line that starts a prompt, which some formats have between their events, is no event.
            if !matches!(item.event, Event::PromptStarted { .. }) {
                add(&mut self.events, &written(&item.event));
            }
        }
        if let Some(original) = record.original {
            add(&mut self.messages, &text_of(original, piece.bytes, record));
        }
        let Facts {
            working_directory,
            title,
            model,
        } = &record.facts;
        let rest = &mut self.rest;
        for (known, fact) in [
            (&mut rest.working_directory, working_directory),
            (&mut rest.title, title),
            (&mut rest.model, model),
        ] {
            if let Some(fact) = fact {
                *known = Some(fact.clone().into_owned());
            }
        }
    }
}

fn add(list: &mut String, item: &str) {
    if !list.is_empty() {
        list.push(',');
    }
    list.push_str(item);
}

/// The fields of a record in which formats keep the provider's message, if it is not the record itself.
const HOLDERS: [&[&str]; 3] = [&[], &["message"], &["payload"]];

/// The text of a message as it is in the file, whose numbers and escapes JavaScript reads by itself.
fn text_of<'a>(original: &Json, bytes: &'a [u8], record: &Record) -> Cow<'a, str> {
    let text_at = |keys: &[&'static str]| {
        let keys: Vec<Key> = keys.iter().map(|key| Key::Name(key)).collect();
        let range = value_at(bytes, &keys)?;
        str::from_utf8(bytes.get(range)?).ok()
    };
    let is_it = |text: &&str| {
        let mut room = Vec::new();
        parse(text.as_bytes(), &mut room).is_ok_and(|value| value == *original)
    };
    let found = match record.path {
        Some([holders @ .., _]) => text_at(holders),
        _ => HOLDERS.iter().find_map(|keys| text_at(keys).filter(is_it)),
    };
    found.map_or_else(|| written(original).into(), Cow::Borrowed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_batch_has_the_events_and_the_messages_as_they_are() {
        let mut batches = Batches::new("a");
        let message = r#"{"role":"assistant","model":"m","n":1e400,"content":"\ud83d"}"#;
        assert_eq!(
            batches.push(format!("{message}\n{{\"ro").as_bytes()),
            r#"{"events":[],"messages":[]}"#
        );
        let problem = r#"{"place":2,"reason":"is not JSON (EOF while parsing a string)","unit":"line","isCutOff":true}"#;
        let events = "{\"type\":\"turn_started\"},{\"type\":\"text\",\"text\":\"\u{fffd}\"}";
        let expected = format!(
            r#"{{"events":[{events}],"messages":[{message}],"model":"m","format":"messages","problem":{problem}}}"#
        );
        assert_eq!(batches.end(), expected);
    }

    #[test]
    fn a_file_that_cannot_be_read_has_an_error() {
        let mut batches = Batches::new("a");
        batches.push(b"# Notes");
        let error = r#"{"file":"a","reason":"is in no format that turnkeeper reads: it is no JSON","kind":"unknown"}"#;
        assert_eq!(
            batches.end(),
            format!(r#"{{"events":[],"messages":[],"error":{error}}}"#)
        );
    }
}
