//! Cuts a conversation that Cline, Roo Code or Kilo Code has exported into its messages, in the shape of its history. A
//! message starts at its heading, at the beginning or after a line `---`.

use turnkeeper_base::json::Json;
use turnkeeper_messages::{is_blank, is_of_word, is_white, trimmed};

use super::lines::LineCutter;
use super::piece::{At, Cut, LONGEST, TOO_LONG, Take};
use crate::sessions::input_error::InputError;
use crate::sessions::record::Unreadable;

/// Whether a text begins as an exported conversation does.
pub(crate) fn is_markdown_export(beginning: &str) -> bool {
    let first = beginning.trim_start_matches(is_white);
    role_of(first.lines().next().unwrap_or_default()).is_some()
}

/// The role that the first line of a message names.
fn role_of(line: &str) -> Option<&'static str> {
    match line.trim_end_matches(is_white) {
        "**User:**" => Some("user"),
        "**Assistant:**" => Some("assistant"),
        _ => None,
    }
}

/// Cuts an export into its messages, each of which is made of the lines that were given out before.
#[derive(Debug, Default)]
pub(crate) struct MarkdownCutter {
    lines: LineCutter,
    message: Message,
}

/// The message under way.
#[derive(Debug)]
struct Message {
    role: Option<&'static str>,
    lines: Vec<String>,
    /// The bytes of the lines.
    length: usize,
    place: u32,
    is_after_rule: bool,
}

impl Default for Message {
    fn default() -> Self {
        Self {
            role: None,
            lines: Vec::new(),
            length: 0,
            place: 0,
            is_after_rule: true,
        }
    }
}

impl MarkdownCutter {
    pub(super) fn push(&mut self, chunk: &[u8], take: &mut Take) -> Result<(), InputError> {
        let Self { lines, message } = self;
        lines.push(chunk, &mut |cut| message.line(cut, take))
    }

    pub(super) fn end(&mut self, take: &mut Take) -> Result<(), InputError> {
        let Self { lines, message } = self;
        lines.end(&mut |cut| message.line(cut, take))?;
        message.ended(take)
    }
}

impl Message {
    fn line(&mut self, cut: Cut, take: &mut Take) -> Result<(), InputError> {
        let Cut::Value(bytes, at) = cut else {
            return take(cut);
        };
        let text = String::from_utf8_lossy(bytes);
        let line = text.strip_suffix('\n').unwrap_or(&text);
        let line = line.strip_suffix('\r').unwrap_or(line);
        let line = match at.place {
            1 => line.trim_start_matches('\u{feff}'),
            _ => line,
        };
        match role_of(line).filter(|_| self.is_after_rule) {
            Some(role) => {
                self.ended(take)?;
                self.role = Some(role);
                self.place = self.place.saturating_add(1);
            }
            None => {
                self.length += bytes.len();
                if self.length <= LONGEST {
                    self.lines.push(line.to_owned());
                }
            }
        }
        if !is_blank(line) {
            self.is_after_rule = line == "---";
        }
        take(Cut::Between(bytes))
    }

    /// Gives out the message, if one has begun.
    fn ended(&mut self, take: &mut Take) -> Result<(), InputError> {
        let lines = std::mem::take(&mut self.lines);
        let length = std::mem::take(&mut self.length);
        let Some(role) = self.role.take() else {
            return Ok(());
        };
        let place = self.place;
        if length > LONGEST {
            let reason = TOO_LONG.into();
            return take(Cut::Bad(b"", Unreadable { place, reason }));
        }
        let content = Json::List(parts_of(lines, role == "user"));
        let message = Json::object([("role", role.into()), ("content", content)]);
        take(Cut::Made(message, At::element(place)))
    }
}

/// The kind of a part of a message.
enum Kind {
    Text,
    Call { name: String },
    Result { is_error: bool },
    Thought,
}

/// The parts of a message: texts, calls, results and thoughts.
fn parts_of(mut lines: Vec<String>, is_user: bool) -> Vec<Json<'static>> {
    while lines
        .pop_if(|it| is_blank(it.strip_prefix("---").unwrap_or(it)))
        .is_some()
    {}
    let mut parts = Vec::new();
    let mut kind = Kind::Text;
    let mut held: Vec<&str> = Vec::new();
    for line in &lines {
        if let Some(next) = start_of(line, is_user) {
            parts.extend(part_of(&kind, &mut held));
            kind = next;
            continue;
        }
        // A block of environment is a part of its own.
        if line.starts_with("<environment_details>") && !matches!(kind, Kind::Call { .. }) {
            parts.extend(part_of(&kind, &mut held));
            kind = Kind::Text;
        }
        held.push(line);
        if line == "</environment_details>" && matches!(kind, Kind::Text) {
            parts.extend(part_of(&kind, &mut held));
        }
    }
    parts.extend(part_of(&kind, &mut held));
    parts
}

/// The part that starts with a line.
fn start_of(line: &str, is_user: bool) -> Option<Kind> {
    let line = line.trim_end_matches(is_white);
    let inner = line.strip_prefix('[')?.strip_suffix(']')?;
    if !is_user {
        if inner == "Reasoning" {
            return Some(Kind::Thought);
        }
        let name = inner.strip_prefix("Tool Use: ")?;
        let is_name =
            (1..=200).contains(&name.encode_utf16().count()) && !name.contains([']', '\r']);
        return is_name.then(|| Kind::Call {
            name: name.to_owned(),
        });
    }
    let (name, is_error) = match inner.strip_suffix(" (Error)") {
        Some(name) => (name, true),
        None => (inner, false),
    };
    let is_name = (1..=80).contains(&name.len())
        && name.chars().all(|it| is_of_word(it) || ".-".contains(it));
    (is_name && inner != "Image").then_some(Kind::Result { is_error })
}

fn part_of(kind: &Kind, held: &mut Vec<&str>) -> Option<Json<'static>> {
    let text = held.join("\n");
    held.clear();
    let text = trimmed(&text).to_owned();
    Some(match kind {
        Kind::Text if text.is_empty() => return None,
        Kind::Text => Json::object([("type", "text".into()), ("text", text.into())]),
        Kind::Thought => Json::object([("type", "thinking".into()), ("thinking", text.into())]),
        Kind::Call { name } => Json::object([
            ("type", "tool_use".into()),
            ("name", name.clone().into()),
            ("input", input_of(text)),
        ]),
        Kind::Result { is_error } => Json::object([
            ("type", "tool_result".into()),
            ("content", text.into()),
            ("is_error", (*is_error).into()),
        ]),
    })
}

/// `Key: value` lines, of which a value may have several; any other text stays a text.
fn input_of(text: String) -> Json<'static> {
    let mut input: Vec<(String, String)> = Vec::new();
    for line in text.split('\n') {
        match (field_of(line), input.last_mut()) {
            (Some(field), _) => input.push(field),
            (None, Some((_, value))) => {
                value.push('\n');
                value.push_str(line);
            }
            (None, None) => return text.into(),
        }
    }
    let fields = input.into_iter();
    let fields = fields.map(|(name, value)| (name.into(), value.into()));
    Json::Object(fields.collect())
}

fn field_of(line: &str) -> Option<(String, String)> {
    let (name, value) = line.split_once(':')?;
    let is_name = name.len() <= 61
        && name.starts_with(|it: char| it.is_ascii_uppercase())
        && name.chars().all(is_of_word);
    let value = value.strip_prefix(' ').unwrap_or(value);
    let name = || format!("{}{}", name[..1].to_ascii_lowercase(), &name[1..]);
    is_name.then(|| (name(), value.to_owned()))
}
