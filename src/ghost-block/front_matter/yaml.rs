//! The two keys of front matter that mean something, read out of YAML.

use std::sync::LazyLock;

use regex::Regex;
use saphyr_parser::{Event, Parser, ScalarStyle, StrInput, Tag};

use turnkeeper_base::sorted_map::SortedMap;

/// The front matter of a skill and of the documents that it includes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct FrontMatter {
    /// The description of the first document that was read.
    pub(crate) description: Option<String>,
    /// The parameters of all documents, each once.
    pub(crate) params: Vec<String>,
    is_read: bool,
}

impl FrontMatter {
    /// Adds the front matter of another document. A description counts only in the first one.
    pub(crate) fn merge(&mut self, document: Self) {
        if !std::mem::replace(&mut self.is_read, true) {
            self.description = document.description;
        }
        for param in document.params {
            if !self.params.contains(&param) {
                self.params.push(param);
            }
        }
    }
}

/// Deeper nesting is refused.
const MAX_DEPTH: usize = 64;
/// More parameters are refused, as each is compared with those before it.
const MAX_PARAMS: usize = 1_000;

/// Reads `Description`, a string, and `Params`, a list of strings. Other keys may hold anything.
pub(crate) fn read(yaml: &str) -> Result<FrontMatter, String> {
    let mut reader = Reader {
        parser: Parser::new_from_str(yaml),
        found: FrontMatter::default(),
    };
    let result = refuse_control_characters(yaml).and_then(|()| reader.document());
    match result {
        Ok(()) => Ok(reader.found),
        Err(Refusal { message, line }) => {
            Err(format!("{message}, line {line} of the front matter"))
        }
    }
}

/// A reason to refuse front matter, and the line that it is about, counted from 1.
struct Refusal {
    message: String,
    line: usize,
}

impl Refusal {
    fn new(message: impl Into<String>, line: usize) -> Self {
        let message = message.into();
        Self { message, line }
    }

    fn params(line: usize) -> Self {
        Self::new("`Params` must be a list of strings", line)
    }
}

/// YAML allows no control characters, and the parser would take NUL for the end.
fn refuse_control_characters(yaml: &str) -> Result<(), Refusal> {
    let is_refused = |character: char| character < ' ' && !matches!(character, '\t' | '\n' | '\r');
    match yaml.find(is_refused) {
        Some(at) => {
            let line = yaml[..at].matches('\n').count() + 1;
            Err(Refusal::new("control characters are not supported", line))
        }
        None => Ok(()),
    }
}

struct Reader<'a> {
    parser: Parser<'a, StrInput<'a>>,
    found: FrontMatter,
}

impl<'a> Reader<'a> {
    /// The next event, and the line on which it begins.
    fn next(&mut self) -> Result<(Event<'a>, usize), Refusal> {
        match self.parser.next_event() {
            Some(Ok((event, span))) => Ok((event, span.start.line())),
            Some(Err(error)) => Err(Refusal::new(error.info(), error.marker().line())),
            None => Ok((Event::StreamEnd, 0)),
        }
    }

    /// Reads the whole text, which is one document or nothing.
    fn document(&mut self) -> Result<(), Refusal> {
        let mut documents = 0;
        loop {
            let (event, line) = self.next()?;
            match event {
                Event::StreamEnd => return Ok(()),
                Event::DocumentStart(_) if documents > 0 => {
                    let message = "a second document is not supported";
                    return Err(Refusal::new(message, line));
                }
                Event::DocumentStart(_) => documents += 1,
                Event::MappingStart(..) => self.top_mapping()?,
                Event::Scalar(text, ScalarStyle::Plain, ..) if text.is_empty() => {}
                Event::Scalar(..) | Event::SequenceStart(..) | Event::Alias(_) => {
                    let message = "the front matter must be a mapping";
                    return Err(Refusal::new(message, line));
                }
                _ => {}
            }
        }
    }

    fn top_mapping(&mut self) -> Result<(), Refusal> {
        let mut keys = Keys::new();
        loop {
            let (key, key_line) = self.next()?;
            add_key(&mut keys, &key, key_line)?;
            let name = match key {
                Event::MappingEnd => return Ok(()),
                Event::Scalar(name, ..) => name,
                other => {
                    self.skip(other, key_line)?;
                    "".into()
                }
            };
            let (value, line) = self.next()?;
            match &name[..] {
                "Description" => {
                    let text = string_of(value);
                    let message = "`Description` must be a string";
                    let text = text.ok_or_else(|| Refusal::new(message, line))?;
                    self.found.description = Some(text);
                }
                "Params" if matches!(value, Event::SequenceStart(..)) => self.params()?,
                "Params" => return Err(Refusal::params(line)),
                _ => self.skip(value, line)?,
            }
        }
    }

    /// Reads the list of parameters, after its start.
    fn params(&mut self) -> Result<(), Refusal> {
        loop {
            let (event, line) = self.next()?;
            if event == Event::SequenceEnd {
                return Ok(());
            }
            let param = string_of(event).ok_or_else(|| Refusal::params(line))?;
            let params = &mut self.found.params;
            if params.contains(&param) {
                continue;
            }
            if params.len() == MAX_PARAMS {
                let message = "more than 1,000 parameters are not supported";
                return Err(Refusal::new(message, line));
            }
            params.push(param);
        }
    }

    /// Passes over a value that begins with an event.
    fn skip(&mut self, first: Event<'a>, line: usize) -> Result<(), Refusal> {
        let (mut event, mut line) = (first, line);
        let mut around: Vec<Collection> = Vec::new();
        loop {
            let is_end = matches!(event, Event::SequenceEnd | Event::MappingEnd);
            if let Some(Collection::Mapping { keys, is_key }) = around.last_mut()
                && !is_end
            {
                if *is_key {
                    add_key(keys, &event, line)?;
                }
                *is_key = !*is_key;
            }
            match event {
                Event::SequenceStart(..) => around.push(Collection::Sequence),
                Event::MappingStart(..) => around.push(Collection::Mapping {
                    keys: Keys::new(),
                    is_key: true,
                }),
                _ if is_end => drop(around.pop()),
                _ => {}
            }
            if around.is_empty() {
                return Ok(());
            }
            if around.len() >= MAX_DEPTH {
                return Err(Refusal::new("deeper nesting is not supported", line));
            }
            (event, line) = self.next()?;
        }
    }
}

/// The keys of a mapping: of each its text, and whether it is a string.
type Keys = SortedMap<(String, bool), ()>;

/// A collection that a value is within.
enum Collection {
    Sequence,
    /// Keys and values take turns in it.
    Mapping {
        keys: Keys,
        /// Whether a key comes next.
        is_key: bool,
    },
}

/// Adds a key, which may not be there yet. Only scalars are compared.
fn add_key(keys: &mut Keys, event: &Event, line: usize) -> Result<(), Refusal> {
    let Event::Scalar(text, ..) = event else {
        return Ok(());
    };
    let is_string = string_of(event.clone()).is_some();
    match keys.insert((text.to_string(), is_string), ()) {
        None => Ok(()),
        Some(()) => {
            let message = format!("the key `{text}` stands twice");
            Err(Refusal::new(message, line))
        }
    }
}

/// The text of a scalar that is a string in YAML's core schema.
fn string_of(event: Event) -> Option<String> {
    let Event::Scalar(text, style, _, tag) = event else {
        return None;
    };
    let is_string = match tag.as_deref() {
        Some(tag) => is_string_tag(tag),
        None => style != ScalarStyle::Plain || !OTHER_THAN_STRING.is_match(&text),
    };
    is_string.then(|| text.into_owned())
}

/// Whether a tag is `!!str`, or the `!` that makes a string of any scalar.
fn is_string_tag(tag: &Tag) -> bool {
    match &tag.suffix[..] {
        "str" => tag.is_yaml_core_schema(),
        "!" => tag.handle.is_empty(),
        _ => false,
    }
}

/// The plain scalars that are no strings, as the table of YAML's core schema (10.3.2) has them.
static OTHER_THAN_STRING: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = concat!(
        "^(|~|null|Null|NULL|true|True|TRUE|false|False|FALSE",
        "|[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+",
        r"|[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?",
        r"|[-+]?(\.inf|\.Inf|\.INF)|\.nan|\.NaN|\.NAN)$",
    );
    Regex::new(pattern).expect("the pattern is a constant, and a test compiles it")
});
