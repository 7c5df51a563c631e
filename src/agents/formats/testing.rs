//! The words that tests have for the records of lines.

use turnkeeper_base::json::{Json, parse, written};
use turnkeeper_messages::Event;

use crate::sessions::format::RecordReader;
use crate::sessions::record::{Record, Usage};

/// All that a reader says of lines.
#[derive(Debug, Default)]
pub(crate) struct Told {
    /// The events, each with its line, as the fixtures have them.
    pub(crate) events: Vec<String>,
    /// The words of persons and hosts.
    pub(crate) said: Vec<String>,
    pub(crate) usage: Vec<Usage>,
    /// The keys of lines with events.
    pub(crate) keys: Vec<Option<u64>>,
    /// Lines that are left out.
    pub(crate) left_out: Vec<u32>,
    /// Why lines cannot be read.
    pub(crate) problems: Vec<String>,
    pub(crate) title: Option<String>,
    pub(crate) model: Option<String>,
    pub(crate) working_directory: Option<String>,
}

/// Reads lines, one after another.
pub(crate) fn told(reader: &mut dyn RecordReader, lines: &[impl AsRef<str>]) -> Told {
    let mut told = Told::default();
    for (line, place) in lines.iter().zip(1..) {
        let mut room = Vec::new();
        let value = parse(line.as_ref().as_bytes(), &mut room).expect("JSON");
        match reader.read(&value, place) {
            Ok(record) => told.take(place, record),
            Err(why) => told.problems.push(format!("{place} {}", why.reason)),
        }
        told.usage.append(&mut reader.usage(&value));
    }
    match reader.end() {
        Ok(Some(record)) => told.take(record.place, record),
        Ok(None) => {}
        Err(why) => told.problems.push(why.reason.into_owned()),
    }
    told
}

impl Told {
    fn take(&mut self, place: u32, record: Record) {
        let problem = record.problem.map(|why| format!("{place} {}", why.reason));
        self.problems.extend(problem);
        if record.left_out {
            self.left_out.push(place);
        }
        if !record.items.is_empty() {
            self.keys.push(record.key);
        }
        for item in record.items {
            self.events.push(format!("{place} {}", words(&item.event)));
            self.said
                .extend(item.said.map(|said| said.text.into_owned()));
        }
        self.usage.extend(record.usage);
        let facts = record.facts;
        let latest = |known: &mut Option<String>, new: Option<std::borrow::Cow<str>>| {
            if let Some(new) = new {
                *known = Some(new.into_owned());
            }
        };
        latest(&mut self.title, facts.title);
        latest(&mut self.model, facts.model);
        latest(&mut self.working_directory, facts.working_directory);
    }

    /// The input, both parts of the cache, and the output of each usage.
    pub(crate) fn tokens(&self) -> Vec<[f64; 4]> {
        let tokens = self.usage.iter();
        let tokens = tokens.map(|usage| {
            [
                usage.input, usage.cache_read, usage.cache_write, usage.output,
            ]
        });
        tokens.collect()
    }

    /// The number of different keys that the lines with events have.
    pub(crate) fn different(&self) -> usize {
        let mut keys: Vec<u64> = self.keys.iter().flatten().copied().collect();
        keys.sort_unstable();
        keys.dedup();
        keys.len()
    }
}

fn words(event: &Event) -> String {
    let id = |id: &Option<std::borrow::Cow<str>>| {
        id.as_ref().map_or_else(String::new, |id| format!(" #{id}"))
    };
    match event {
        Event::Text { text } => format!("text {text}"),
        Event::Reasoning { text } => format!("reasoning {text}"),
        Event::ToolCall {
            id: own,
            name,
            args,
            ..
        } => {
            let args = args.as_deref().map_or_else(String::new, shown);
            format!("tool_call{} {name} {args}", id(own))
        }
        Event::ToolResult {
            id: own,
            output,
            is_error,
            exit_code,
        } => {
            let error = if is_error.is_some() { " error" } else { "" };
            let exit = exit_code.map_or_else(String::new, |code| format!(" exit {code}"));
            format!("tool_result{}{error}{exit} {output}", id(own))
        }
        other => {
            let written = written(other);
            let kind = written.split('"').nth(3);
            kind.unwrap_or_default().to_owned()
        }
    }
}

fn shown(args: &Json) -> String {
    match args {
        Json::Text(text) => text.to_string(),
        other => written(other),
    }
}
