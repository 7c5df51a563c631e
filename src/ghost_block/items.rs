//! What a conversation refers to.

use super::json::Json;
use super::paths::Resolved;
use super::text::{Text, concat};
use crate::text::push_number;

/// What kind of thing is asked for or remembered.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub enum SourceKind {
    /// A file, or exactly the given lines of it.
    #[default]
    File,
    /// A listing of a folder.
    Directory,
    /// A tool's result.
    Tool,
    /// An image.
    Image,
    /// A rule, which is never asked for.
    Rule,
    /// A reference that may not be followed, and therefore is never asked for.
    Denied,
}

/// Something that can be referred to.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Source {
    /// What it is.
    pub kind: SourceKind,
    /// A path, a tool's name, or an image's path or address with `http:` or `https:`. Paths have
    /// `/`; they are relative to the root, or absolute within another allowed root. Symbolic links
    /// are the host's to check.
    pub name: String,
    /// The first line of a file that is wanted, from 1.
    pub start_line: Option<u32>,
    /// The last line, included; without one, only the first is wanted.
    pub end_line: Option<u32>,
    /// A tool's arguments: a JSON object.
    pub args: Text,
    /// What is shown: `path`, `path:10`, `path:10:20`, `folder/`, or a tool with its arguments.
    pub(crate) key: String,
    /// What is compared: equal for sources that are one.
    pub(crate) identity: String,
}

impl Source {
    /// A source without lines and arguments. The letter tells it from those of other kinds.
    fn new(kind: SourceKind, letter: &str, name: &str) -> Self {
        Self {
            kind,
            name: name.to_owned(),
            key: name.to_owned(),
            identity: concat(&[letter, " ", name]),
            ..Self::default()
        }
    }

    pub(crate) fn file(file: Resolved, start_line: Option<u32>, end_line: Option<u32>) -> Self {
        let mut source = Self::new(SourceKind::File, "f", &file.folded);
        source.name = file.request;
        source.start_line = start_line;
        source.end_line = end_line;
        let lines = source.lines();
        let mut slash = "";
        if file.is_directory {
            source.kind = SourceKind::Directory;
            slash = if source.name.ends_with('/') { "" } else { "/" };
        }
        source.key = concat(&[&source.name, slash, &lines]);
        source.identity = concat(&[&source.identity, slash, &lines]);
        source
    }

    pub(crate) fn tool(name: &str, args: &Json) -> Self {
        let key = concat(&[name, &args.canonical()]);
        let mut source = Self::new(SourceKind::Tool, "t", &key);
        source.name = name.to_owned();
        source.args = args.printed();
        source
    }

    pub(crate) fn image(uri: &str) -> Self {
        Self::new(SourceKind::Image, "i", uri)
    }

    pub(crate) fn denied(written: &str) -> Self {
        Self::new(SourceKind::Denied, "d", written)
    }

    /// The lines as a key ends with them.
    fn lines(&self) -> String {
        let mut lines = String::new();
        for line in [self.start_line, self.end_line].into_iter().flatten() {
            lines.push(':');
            push_number(&mut lines, line as u64);
        }
        lines
    }

    /// The identity of the file, without lines and without the slash of a folder.
    fn whole(&self) -> &str {
        let end = self.identity.len().saturating_sub(self.lines().len());
        let whole = self.identity.get(..end).unwrap_or_default();
        whole.trim_end_matches('/')
    }
}

/// What became of something.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    Content,
    Image,
    #[default]
    Error,
    /// The file is not there, which is an error, too.
    Gone,
}

/// What something says.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Said {
    pub(crate) outcome: Outcome,
    /// The content, an image in base64, or why there is none.
    pub(crate) text: Text,
    /// A file's version, or an image's type.
    pub(crate) label: Option<Text>,
}

impl Said {
    pub(crate) fn content(text: Text) -> Self {
        Self {
            outcome: Outcome::Content,
            text,
            label: None,
        }
    }

    /// An error; the parts are its message.
    pub(crate) fn error(message: &[&str]) -> Self {
        Self {
            outcome: Outcome::Error,
            text: Text::from(concat(message).as_str()),
            label: None,
        }
    }

    pub(crate) fn is_content(&self) -> bool {
        self.outcome == Outcome::Content
    }
}

/// Something that the conversation referred to.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Item {
    pub(crate) source: Source,
    /// What became of it, once that is known.
    pub(crate) said: Option<Said>,
    /// The turn that referred to it last.
    pub(crate) turn: u64,
}

impl Item {
    pub(crate) fn rule(name: &str, content: Text) -> Self {
        Self {
            source: Source::new(SourceKind::Rule, "r", name),
            said: Some(Said::content(content)),
            turn: 0,
        }
    }
}

/// Takes what the given turn refers to, and answers with the item's place. Items stand in order of
/// first appearance, each once.
pub(crate) fn refer(items: &mut Vec<Item>, source: Source, turn: u64) -> usize {
    let mut place = 0;
    while place < items.len() && items[place].source.identity != source.identity {
        place += 1;
    }
    if place == items.len() {
        items.push(Item {
            source,
            said: None,
            turn,
        });
    }
    items[place].turn = turn;
    place
}

/// Drops the lines of files that are there as a whole, which inherit the later turn.
pub(crate) fn drop_parts(items: &mut Vec<Item>) {
    let mut place = 0;
    while place < items.len() {
        let turn = items[place].turn;
        let source = &items[place].source;
        let whole = match source.start_line {
            Some(_) => place_of_whole(items, source.whole()),
            None => items.len(),
        };
        match items.get_mut(whole) {
            Some(whole) => {
                whole.turn = whole.turn.max(turn);
                items.remove(place);
            }
            None => place += 1,
        }
    }
}

/// The place of a whole file, or the end.
fn place_of_whole(items: &[Item], file: &str) -> usize {
    let mut place = 0;
    while let Some(Item { source, .. }) = items.get(place) {
        if source.start_line.is_none() && source.identity.trim_end_matches('/') == file {
            break;
        }
        place += 1;
    }
    place
}
