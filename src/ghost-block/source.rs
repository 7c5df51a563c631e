//! The sources that can be referred to, and when two references mean the same.

use serde::{Deserialize, Serialize};

use super::json::Json;
use super::paths::Resolved;
use turnkeeper_base::text::Text;

/// The kind of a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum SourceKind {
    /// A file, or exactly the given lines of it.
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// Its kind.
    pub kind: SourceKind,
    /// A path, a tool's name, or an image's path or address with `http:` or `https:`. Paths have
    /// `/`; they are relative to the root, or absolute within another allowed root. Symbolic links
    /// are the host's to check.
    pub name: String,
    /// The first line of a file that is wanted, from 1; with it there is always an `end_line`.
    pub start_line: Option<u32>,
    /// The last line, included; for a single line it is the first.
    pub end_line: Option<u32>,
    /// A tool's arguments: a JSON object.
    pub args: Text,
    /// Its name to people and models: `path`, `path:10`, `path:10:20`, `folder/`, or a tool with its arguments.
    pub(crate) key: String,
    pub(crate) identity: Identity,
}

/// The identity of a source: equal for sources that are one. Sources of different kinds are never one, but
/// a folder and a file are told apart by the slash at a folder's end.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) enum Identity {
    /// The path with its case folded where the platform ignores case, with a slash after a folder,
    /// and the lines.
    Path {
        path: String,
        start_line: Option<u32>,
        end_line: Option<u32>,
    },
    /// A tool's name and its canonical arguments.
    Tool(String),
    /// A path or an address.
    Image(String),
    /// A rule's name.
    Rule(String),
    /// The reference as it was written.
    Denied(String),
}

impl Identity {
    /// The identity of the whole file of which this is lines.
    pub(crate) fn whole(&self) -> Option<Self> {
        match self {
            Self::Path {
                path,
                start_line: Some(_),
                ..
            } => Some(Self::Path {
                path: path.clone(),
                start_line: None,
                end_line: None,
            }),
            _ => None,
        }
    }
}

impl Source {
    fn new(kind: SourceKind, name: &str, identity: Identity) -> Self {
        Self {
            kind,
            name: name.to_owned(),
            start_line: None,
            end_line: None,
            args: Text::default(),
            key: name.to_owned(),
            identity,
        }
    }

    /// A file, or the lines from the first to the last; without a last one, the first alone.
    pub(crate) fn file(file: Resolved, start_line: Option<u32>, end_line: Option<u32>) -> Self {
        let end_line = end_line.or(start_line);
        let kind = match file.is_directory {
            true => SourceKind::Directory,
            false => SourceKind::File,
        };
        let slash = match file.is_directory && !file.request.ends_with('/') {
            true => "/",
            false => "",
        };
        let identity = Identity::Path {
            path: format!("{}{slash}", file.folded),
            start_line,
            end_line,
        };
        // A single line is named by its number alone, however it was written.
        let last_line = end_line.filter(|_| end_line != start_line);
        let lines = [start_line, last_line].into_iter().flatten();
        let lines: String = lines.map(|line| format!(":{line}")).collect();
        Self {
            start_line,
            end_line,
            key: format!("{}{slash}{lines}", file.request),
            ..Self::new(kind, &file.request, identity)
        }
    }

    pub(crate) fn tool(name: &str, args: &Json) -> Self {
        let key = format!("{name}{}", args.canonical());
        Self {
            args: args.printed(),
            key: key.clone(),
            ..Self::new(SourceKind::Tool, name, Identity::Tool(key))
        }
    }

    /// A call whose arguments cannot be read, so that it is never made.
    pub(crate) fn unreadable_call(name: &str, written: &str) -> Self {
        let identity = Identity::Denied(written.to_owned());
        Self {
            key: written.to_owned(),
            ..Self::new(SourceKind::Tool, name, identity)
        }
    }

    /// Whether it is a call whose arguments cannot be read.
    pub(crate) fn is_unreadable_call(&self) -> bool {
        self.kind == SourceKind::Tool && matches!(self.identity, Identity::Denied(_))
    }

    pub(crate) fn image(uri: &str) -> Self {
        Self::new(SourceKind::Image, uri, Identity::Image(uri.to_owned()))
    }

    pub(crate) fn rule(name: &str) -> Self {
        Self::new(SourceKind::Rule, name, Identity::Rule(name.to_owned()))
    }

    pub(crate) fn denied(written: &str) -> Self {
        let identity = Identity::Denied(written.to_owned());
        Self::new(SourceKind::Denied, written, identity)
    }

    pub(crate) fn is_file_or_directory(&self) -> bool {
        matches!(self.kind, SourceKind::File | SourceKind::Directory)
    }
}
