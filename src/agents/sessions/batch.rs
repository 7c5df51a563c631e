//! A session in batches of JSON, a batch for some bytes of the file, for whoever lives outside of Rust.

use std::borrow::Cow;

use serde::Serialize;
use turnkeeper_base::json::{Json, Key, in_ascii, value_at, written};
use turnkeeper_messages::Event;

use crate::sessions::format::Format;
use crate::sessions::input_error::InputError;
use crate::sessions::long_texts::LongTexts;
use crate::sessions::reader::SessionReader;
use crate::sessions::record::{Facts, Piece, Record, Unreadable};

/// Reads a session, and says what it reads in batches.
#[derive(Debug)]
pub struct Batches {
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
    /// The things that were left out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    problems: Vec<Problem>,
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
    messages: List,
    events: List,
    quotes: List,
    rest: Rest,
    problems: Vec<Unreadable>,
}

impl Batches {
    /// Of a file whose name errors carry.
    pub fn new(file: &str) -> Self {
        Self {
            reader: SessionReader::for_words(file),
        }
    }

    /// The batch of the next bytes:
    /// `{ messages, events, quotes, title?, model?, workingDirectory?, format?, problems?, error? }`. A quote is the index
    /// of an event whose text is empty here, that of a message, and the keys that lead to the text in it.
    pub fn push(&mut self, bytes: &[u8]) -> String {
        let mut batch = Batch::default();
        // The messages, which are nearly all of it, do not move while they become more.
        batch.messages.json.reserve(bytes.len());
        let result = self.reader.push(bytes, &mut |piece| batch.take(piece));
        self.finish(batch, result)
    }

    /// The batch of what the end of the file ends.
    pub fn end(&mut self) -> String {
        let mut batch = Batch::default();
        let result = self.reader.end(&mut |piece| batch.take(piece));
        self.finish(batch, result)
    }

    fn finish(&self, batch: Batch, result: Result<(), InputError>) -> String {
        let Batch {
            messages,
            events,
            quotes,
            mut rest,
            problems,
        } = batch;
        rest.format = self.reader.format().map(Format::name);
        let problems = problems.into_iter();
        let problems = problems.map(|Unreadable { place, reason }| Problem {
            place,
            reason,
            unit: self.reader.unit(),
            is_cut_off: self.reader.is_cut_off(place),
        });
        rest.problems = problems.collect();
        rest.error = result.err();
        let rest = written(&rest);
        let rest = rest.strip_prefix('{').unwrap_or_default();
        let comma = if rest == "}" { "" } else { "," };
        // The messages, which are nearly all of it, stay where they are.
        let mut json = messages.json;
        json.insert_str(0, r#"{"messages":["#);
        let (events, quotes) = (events.json, quotes.json);
        json += &format!(r#"],"events":[{events}],"quotes":[{quotes}]{comma}{rest}"#);
        in_ascii(json)
    }
}

impl Batch {
    fn take(&mut self, piece: &Piece) {
        if let Some(problem) = &piece.problem {
            self.problems.push(problem.clone());
        }
        let Some(record) = &piece.record else {
            return;
        };
        if !record.is_again {
            self.say(piece.bytes, record);
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

    /// Adds the events and the message of a record.
    fn say(&mut self, bytes: &[u8], record: &Record) {
        let texts = record.original.map(LongTexts::of).unwrap_or_default();
        for item in &record.items {
            // The line that starts a prompt, which some formats have between their events, is no event.
            if !matches!(item.event, Event::PromptStarted { .. }) {
                self.event(&item.event, &texts);
            }
        }
        if let Some(original) = record.original {
            let text = text_of(original, bytes, record.holder);
            self.messages.add(&text);
        }
    }

    /// Adds an event, without its text if that is one of the next message's.
    fn event(&mut self, event: &Event, texts: &LongTexts) {
        let quoted =
            without_text(event).and_then(|(rest, text)| Some((rest, texts.keys_to(text)?)));
        let Some((rest, keys)) = quoted else {
            return self.events.add(&written(event));
        };
        let indexes = [self.events.length, self.messages.length];
        let indexes = indexes.map(|index| Json::Number(index as f64));
        let quote: Vec<_> = indexes.iter().chain(keys).collect();
        self.quotes.add(&written(&quote));
        self.events.add(&written(&rest));
    }
}

/// Values of JSON with commas between them.
#[derive(Default)]
struct List {
    json: String,
    length: usize,
}

impl List {
    fn add(&mut self, item: &str) {
        if self.length > 0 {
            self.json.push(',');
        }
        self.json.push_str(item);
        self.length += 1;
    }
}

/// An event without its text, and the text.
fn without_text<'e>(event: &'e Event) -> Option<(Event<'e>, &'e str)> {
    let none = Cow::Borrowed("");
    match event {
        Event::Text { text } => Some((Event::Text { text: none }, text)),
        Event::Reasoning { text } => Some((Event::Reasoning { text: none }, text)),
        Event::ToolResult {
            id,
            output,
            is_error,
            exit_code,
        } => {
            let rest = Event::ToolResult {
                id: id.as_deref().map(Cow::Borrowed),
                output: none,
                is_error: *is_error,
                exit_code: *exit_code,
            };
            Some((rest, output))
        }
        _ => None,
    }
}

/// The text of a message as it is in the file, whose numbers and escapes JavaScript reads by itself.
fn text_of<'a>(original: &Json, bytes: &'a [u8], holder: &[&'static str]) -> Cow<'a, str> {
    let keys: Vec<Key> = holder.iter().map(|key| Key::Name(key)).collect();
    let range = value_at(bytes, &keys);
    let text = range.and_then(|range| str::from_utf8(bytes.get(range)?).ok());
    text.map_or_else(|| written(original).into(), Cow::Borrowed)
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
            r#"{"messages":[],"events":[],"quotes":[]}"#
        );
        let problem = r#"{"place":2,"reason":"is not JSON (EOF while parsing a string)","unit":"line","isCutOff":true}"#;
        let events = r#"{"type":"turn_started"},{"type":"text","text":"\ufffd"}"#;
        let expected = format!(
            r#"{{"messages":[{message}],"events":[{events}],"quotes":[],"model":"m","format":"messages","problems":[{problem}]}}"#
        );
        assert_eq!(batches.end(), expected);
    }

    #[test]
    fn a_line_that_comes_again_says_nothing_but_its_facts() {
        let line = |title: &str| {
            format!(
                r#"{{"type":"user","uuid":"u","sessionId":"s","cwd":"/{title}","message":{{"role":"user","content":"go"}}}}"#
            )
        };
        let mut batches = Batches::new("a");
        batches.push(format!("{}\n{}\n", line("a"), line("b")).as_bytes());
        let batch = batches.end();
        assert_eq!(batch.matches("user_message").count(), 1, "{batch}");
        assert_eq!(batch.matches(r#""role":"user""#).count(), 1, "{batch}");
        assert!(batch.contains(r#""workingDirectory":"/b""#), "{batch}");
    }

    #[test]
    fn a_file_that_cannot_be_read_has_an_error() {
        let mut batches = Batches::new("a");
        batches.push(b"# Notes");
        let error = r#"{"file":"a","reason":"is in no format that turnkeeper reads: it is no JSON","kind":"unknown"}"#;
        assert_eq!(
            batches.end(),
            format!(r#"{{"messages":[],"events":[],"quotes":[],"error":{error}}}"#)
        );
    }

    #[test]
    fn a_long_text_crosses_once() {
        let text = "x".repeat(100);
        let part = |text: &str| format!(r#"{{"type":"text","text":"{text}"}}"#);
        let (long, half) = (part(&text), part(&format!("{text}\\ud83d")));
        let message = format!(r#"{{"role":"assistant","content":[{long},{half}]}}"#);
        let mut batches = Batches::new("a");
        batches.push(message.as_bytes());
        let batch = batches.end();
        let events = r#""events":[{"type":"turn_started"},{"type":"text","text":""},"#;
        assert!(batch.contains(events), "{batch}");
        let quotes = r#""quotes":[[1,0,"content",0,"text"]]"#;
        assert!(batch.contains(quotes), "{batch}");
        // JavaScript reads half of a character otherwise.
        assert!(batch.contains(r#"x\ufffd""#), "{batch}");
    }
}
