//! What a conversation refers to.

use super::block::Said;
use super::json::Json;
use super::paths::Resolved;
use super::syntax::references::Lines;
use super::text::{Builder, Saved, Text};
use crate::snapshot::{Corrupt, Reader, Writer};

/// A file, lines of it, or a folder, as it is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct File {
    pub(crate) path: String,
    /// The path as it is compared.
    folded: String,
    pub(crate) is_directory: bool,
    pub(crate) lines: Option<Lines>,
}

impl File {
    pub(crate) fn new(resolved: Resolved, lines: Option<Lines>) -> Self {
        Self {
            path: resolved.request,
            folded: resolved.folded,
            is_directory: resolved.is_directory,
            lines,
        }
    }

    /// The key that is shown: `path`, `path:10`, `path:10:20`, `folder/`.
    pub(crate) fn key(&self) -> String {
        self.keyed(&self.path)
    }

    /// The key that is compared.
    pub(crate) fn identity(&self) -> String {
        self.keyed(&self.folded)
    }

    fn keyed(&self, path: &str) -> String {
        let slash = if self.is_directory && !path.ends_with('/') {
            "/"
        } else {
            ""
        };
        match self.lines {
            None => format!("{path}{slash}"),
            Some(Lines { start, end: None }) => format!("{path}{slash}:{start}"),
            Some(Lines {
                start,
                end: Some(end),
            }) => format!("{path}{slash}:{start}:{end}"),
        }
    }

    /// Whether these lines are of that whole file.
    fn is_part_of(&self, whole: &Self) -> bool {
        whole.lines.is_none() && self.folded == whole.folded
    }
}

/// The key of a tool call: its name and its canonical arguments.
pub(crate) fn tool_key(name: &str, args: &Json) -> String {
    let mut out = Builder::new();
    args.canonical(&mut out);
    format!("{name}{}", out.into_text())
}

/// What an item is of.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Source {
    File(File),
    Tool {
        name: String,
        args: Json,
    },
    /// A reference that may not be followed, as it was written.
    Denied(String),
}

impl Source {
    fn identity(&self) -> String {
        match self {
            Self::File(file) => format!("f {}", file.identity()),
            Self::Tool { name, args } => format!("t {}", tool_key(name, args)),
            Self::Denied(written) => format!("d {written}"),
        }
    }
}

/// Something that the conversation referred to.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Item {
    pub(crate) source: Source,
    /// Equal for items that are one.
    pub(crate) identity: String,
    /// What became of it, once that is known.
    pub(crate) said: Option<Said>,
    /// Whether its file is gone.
    pub(crate) is_gone: bool,
    /// The turn that referred to it last.
    pub(crate) turn: u64,
}

impl Item {
    pub(crate) fn key(&self) -> String {
        match &self.source {
            Source::File(file) => file.key(),
            Source::Tool { name, args } => tool_key(name, args),
            Source::Denied(written) => written.clone(),
        }
    }

    pub(crate) fn save(&self, to: &mut Writer) {
        match &self.source {
            Source::File(file) => {
                to.number(0);
                to.text(&file.path);
                to.text(&file.folded);
                to.flag(file.is_directory);
                let lines = file.lines.map_or((0, 0), |lines| {
                    (lines.start, lines.end.map_or(0, |end| end))
                });
                to.number(lines.0.into());
                to.number(lines.1.into());
            }
            Source::Tool { name, args } => {
                to.number(1);
                to.text(name);
                args.to_text().save(to);
            }
            Source::Denied(written) => {
                to.number(2);
                to.text(written);
            }
        }
        match &self.said {
            None => to.number(0),
            Some(Said::Content(text)) => {
                to.number(1);
                text.save(to);
            }
            Some(Said::Error(text)) => {
                to.number(2);
                text.save(to);
            }
        }
        to.flag(self.is_gone);
        to.number(self.turn);
    }

    pub(crate) fn load(from: &mut Reader) -> Result<Self, Corrupt> {
        let source = match from.number()? {
            0 => {
                let path = from.text()?.to_owned();
                let folded = from.text()?.to_owned();
                let is_directory = from.flag()?;
                let start = from.number_to(u32::MAX.into())? as u32;
                let end = from.number_to(u32::MAX.into())? as u32;
                let lines = (start > 0).then_some(Lines {
                    start,
                    end: (end > 0).then_some(end),
                });
                Source::File(File {
                    path,
                    folded,
                    is_directory,
                    lines,
                })
            }
            1 => Source::Tool {
                name: from.text()?.to_owned(),
                args: Json::parse(&Text::load(from)?.to_units()).map_err(|_| Corrupt)?,
            },
            2 => Source::Denied(from.text()?.to_owned()),
            _ => return Err(Corrupt),
        };
        let said = match from.number()? {
            0 => None,
            1 => Some(Said::Content(Text::load(from)?)),
            2 => Some(Said::Error(Text::load(from)?)),
            _ => return Err(Corrupt),
        };
        Ok(Self {
            identity: source.identity(),
            source,
            said,
            is_gone: from.flag()?,
            turn: from.number()?,
        })
    }
}

/// The items of a conversation in order of first appearance, each once.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Items {
    pub(crate) all: Vec<Item>,
}

impl Items {
    /// Takes what the given turn refers to, and answers with the item's place.
    pub(crate) fn refer(&mut self, source: Source, turn: u64) -> usize {
        let identity = source.identity();
        let known = self.all.iter().position(|item| item.identity == identity);
        if let Some(place) = known {
            self.all[place].turn = turn;
            return place;
        }
        self.all.push(Item {
            source,
            identity,
            said: None,
            is_gone: false,
            turn,
        });
        self.all.len() - 1
    }

    /// Drops the lines of files that are there as a whole, which inherit the later turn.
    pub(crate) fn drop_parts(&mut self) {
        let whole_of = |part: &Item| match &part.source {
            Source::File(file) if file.lines.is_some() => self.all.iter().position(
                |item| matches!(&item.source, Source::File(whole) if file.is_part_of(whole)),
            ),
            _ => None,
        };
        let wholes: Vec<Option<usize>> = self.all.iter().map(whole_of).collect();
        for (part, whole) in wholes.iter().enumerate() {
            if let Some(whole) = *whole {
                self.all[whole].turn = self.all[whole].turn.max(self.all[part].turn);
            }
        }
        let mut wholes = wholes.into_iter();
        self.all.retain(|_| wholes.next().flatten().is_none());
    }
}
