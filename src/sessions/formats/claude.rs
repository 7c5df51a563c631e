//! Sessions of Claude Code, and its streams. Of both, each block of an answer is a value of its own, with the id of
//! the answer.

use std::borrow::Cow;

use turnkeeper_base::json::Json;
use turnkeeper_messages::Event;

use super::messages::MessageReader;
use crate::format::{Format, RecordReader};
use crate::items::{condensed, fact, is_true, item, text_at};
use crate::key::Key;
use crate::record::{Facts, Item, Record, Unreadable, Usage};
use crate::usage::{Written, anthropic, dollars, recorded};

/// Reads the messages of both.
struct AnswerBlocks {
    format: Format,
    messages: MessageReader,
    answer: Option<String>,
}

impl AnswerBlocks {
    fn new(format: Format) -> Self {
        Self {
            format,
            messages: MessageReader::new(Some(format)),
            answer: None,
        }
    }

    /// The record of a message; `is_agents` if Claude Code itself says it in the user's name, such as a summary.
    fn read<'a>(
        &mut self,
        line: &'a Json<'a>,
        message: &'a Json<'a>,
        is_agents: bool,
    ) -> Result<Record<'a>, Unreadable> {
        let id = text_at(message, "id");
        let is_models = text_at(message, "role") == Some("assistant");
        let is_new_turn = !is_models || id.is_none() || id != self.answer.as_deref();
        if is_models && is_new_turn {
            self.answer = id.map(str::to_owned);
        }
        let mut items = self.messages.message(message, is_new_turn)?;
        if is_agents {
            items.iter_mut().for_each(make_agents);
        }
        Ok(Record {
            items,
            original: Some(message),
            facts: model_of(message.get("model")),
            key: self.key(line, message),
            ..Record::default()
        })
    }

    /// A resumed session repeats messages, of which the ids of the message and of its calls stay and the line's may be
    /// new. Of words of the user, which have no other id, a line that is repeated keeps its own.
    fn key(&self, line: &Json, message: &Json) -> Option<u64> {
        let key = Key::of(self.format);
        let content = message.get("content")?;
        if let Some(id) = answer_id(line, message) {
            return key.and(&id).and_value(content).made();
        }
        let mut blocks = content.items().iter();
        if blocks.any(|block| text_at(block, "tool_use_id").is_some()) {
            return key.and_value(content).made();
        }
        let is_line = self.format == Format::ClaudeCode;
        let id = text_at(line, "uuid").filter(|_| is_line)?;
        key.and(id).made()
    }
}

/// The id of an answer. Those of other providers are not unique by themselves.
fn answer_id<'a>(line: &Json, message: &'a Json) -> Option<Cow<'a, str>> {
    let id = message.get("id")?;
    match id.as_text() {
        Some(id) if id.starts_with("msg_") => Some(id.into()),
        id => {
            let request = text_at(line, "requestId").unwrap_or_default();
            Some(format!("{} {request}", id.unwrap_or_default()).into())
        }
    }
}

fn make_agents(item: &mut Item) {
    if item.event == Event::UserMessage {
        item.event = Event::Other;
    }
}

/// Errors of the API are written as answers of a model with a name in brackets.
fn model_of<'a>(name: Option<&'a Json<'a>>) -> Facts<'a> {
    Facts {
        model: fact(name).filter(|name| !name.starts_with('<')),
        ..Facts::default()
    }
}

/// Lines of a session that are no messages, by what else they have.
const OTHERS: &[(&str, &str)] = &[
    ("summary", "leafUuid"),
    ("file-history-snapshot", "messageId"),
    ("queue-operation", "operation"),
    ("progress", "uuid"),
    ("system", "uuid"),
    ("attachment", "uuid"),
    ("custom-title", "sessionId"),
    ("ai-title", "sessionId"),
    ("last-prompt", "sessionId"),
    ("permission-mode", "sessionId"),
    ("agent-name", "sessionId"),
    ("pr-link", "sessionId"),
];

/// Whether it is a line of a session of Claude Code (`~/.claude/projects/…/*.jsonl`).
pub(crate) fn is_claude_line(line: &Json) -> bool {
    let Some(kind) = text_at(line, "type") else {
        return false;
    };
    if matches!(kind, "user" | "assistant") {
        let role = line.get("message").and_then(|it| text_at(it, "role"));
        return text_at(line, "uuid").is_some() && role.is_some();
    }
    let known = OTHERS.iter().find(|(other, _)| *other == kind);
    known.is_some_and(|(_, field)| line.get(field).is_some())
}

/// Reads a session of Claude Code. The lines of subagents (`isSidechain`) are left out, except in a file that begins
/// with them: newer versions keep each subagent in a file of its own.
pub(crate) struct ClaudeCodeReader {
    blocks: AnswerBlocks,
    has_given_title: bool,
    /// Whether the file is a subagent's; known with its first message.
    is_subagents: Option<bool>,
}

impl ClaudeCodeReader {
    /// A reader of a file.
    pub(crate) fn new() -> Self {
        Self {
            blocks: AnswerBlocks::new(Format::ClaudeCode),
            has_given_title: false,
            is_subagents: None,
        }
    }

    /// The name that the user gave counts more than those that were made up.
    fn title<'a>(&mut self, line: &'a Json<'a>) -> Option<Cow<'a, str>> {
        if text_at(line, "customTitle").is_some() {
            self.has_given_title = true;
        } else if self.has_given_title {
            return None;
        }
        let mut titles = ["customTitle", "aiTitle", "summary"].into_iter();
        let title = titles.find_map(|name| text_at(line, name));
        title.filter(|title| !title.is_empty()).map(Cow::Borrowed)
    }
}

impl RecordReader for ClaudeCodeReader {
    fn format(&self) -> Format {
        Format::ClaudeCode
    }

    fn read<'a>(&mut self, line: &'a Json<'a>, _place: u32) -> Result<Record<'a>, Unreadable> {
        let Some(kind) = text_at(line, "type") else {
            return Err(Unreadable::new("is no line of a session: no type"));
        };
        let working_directory = fact(line.get("cwd"));
        if !matches!(kind, "user" | "assistant") {
            let is_compaction =
                kind == "system" && text_at(line, "subtype") == Some("compact_boundary");
            let id = text_at(line, "uuid").filter(|_| is_compaction);
            return Ok(Record {
                items: is_compaction.then(condensed).into_iter().collect(),
                facts: Facts {
                    working_directory,
                    title: if is_compaction {
                        None
                    } else {
                        self.title(line)
                    },
                    model: None,
                },
                key: id.and_then(|id| Key::of(Format::ClaudeCode).and(id).made()),
                ..Record::default()
            });
        }
        let is_sidechain = is_true(line, "isSidechain");
        let is_subagents = *self.is_subagents.get_or_insert(is_sidechain);
        if is_sidechain && !is_subagents {
            return Ok(left_out());
        }
        let message = line.get("message");
        let message = message.filter(|message| text_at(message, "role").is_some());
        let message = message.ok_or_else(|| Unreadable::new("has no message with a role"))?;
        let is_agents = is_true(line, "isMeta") || is_true(line, "isCompactSummary");
        let content = message.get("content");
        let has_content = matches!(content, Some(Json::Text(_) | Json::List(_)));
        let mut record = self.blocks.read(line, message, is_agents)?;
        record.facts.working_directory = working_directory;
        record.path = has_content.then_some(&["message", "content"]);
        Ok(record)
    }

    /// Each block of an answer is a line with the answer's usage, and files of resumed sessions repeat answers. Subagents
    /// in the same file were paid for, too; what `progress` lines show of them is in files of their own.
    fn usage(&mut self, line: &Json) -> Vec<Usage> {
        let message = line.get("message");
        let message = message.filter(|_| text_at(line, "type") == Some("assistant"));
        let Some((message, written)) = message.and_then(|it| Some((it, anthropic(it)?))) else {
            return Vec::new();
        };
        recorded(Written {
            id: answer_id(line, message),
            dollars: dollars(line.get("costUSD")),
            ..written
        })
    }
}

fn left_out<'a>() -> Record<'a> {
    Record {
        left_out: true,
        ..Record::default()
    }
}

// The output of `claude -p --output-format stream-json`, and the array of the same messages that `--output-format json
// --verbose` prints. Read are: of every message `type`, `session_id` and `parent_tool_use_id`; of `system` its `subtype`
// (`init` with `cwd` and `model`, `compact_boundary`); of `assistant` and `user` their `message`, which is Anthropic's,
// and `isSynthetic`; and that there is a `result`, with its `total_cost_usd`. The parts of a message that
// `--include-partial-messages` adds (`stream_event`) come again as the whole message and are passed over.

/// Whether it is a message of Claude Code's stream. Its sessions write `sessionId` instead.
pub(crate) fn is_claude_stream_message(line: &Json) -> bool {
    let kind = text_at(line, "type").unwrap_or_default();
    let is_streams = matches!(
        kind,
        "system" | "assistant" | "user" | "result" | "stream_event"
    );
    is_streams
        && text_at(line, "session_id").is_some()
        && (line.get("message").is_some()
            || line.get("event").is_some()
            || text_at(line, "subtype").is_some())
}

/// Reads the stream of Claude Code. The messages of subagents (`parent_tool_use_id`) are left out.
pub(crate) struct ClaudeStreamReader {
    blocks: AnswerBlocks,
}

impl ClaudeStreamReader {
    /// A reader of a file.
    pub(crate) fn new() -> Self {
        Self {
            blocks: AnswerBlocks::new(Format::ClaudeStream),
        }
    }
}

impl RecordReader for ClaudeStreamReader {
    fn format(&self) -> Format {
        Format::ClaudeStream
    }

    fn read<'a>(&mut self, line: &'a Json<'a>, _place: u32) -> Result<Record<'a>, Unreadable> {
        let Some(kind) = text_at(line, "type") else {
            return Err(Unreadable::new("is no message of a stream: no type"));
        };
        if text_at(line, "parent_tool_use_id").is_some() {
            return Ok(left_out());
        }
        let mut record = Record::default();
        match (kind, text_at(line, "subtype")) {
            ("system", Some("compact_boundary")) => record.items.push(condensed()),
            ("system", Some("init")) => {
                record.facts = model_of(line.get("model"));
                record.facts.working_directory = fact(line.get("cwd"));
            }
            ("assistant" | "user", _) => {
                let message = line.get("message");
                let message = message.filter(|message| text_at(message, "role") == Some(kind));
                let message =
                    message.ok_or_else(|| Unreadable::new("has no message with its role"))?;
                let is_agents = is_true(line, "isSynthetic");
                return self.blocks.read(line, message, is_agents);
            }
            ("result", _) => record.items.push(item(Event::Finished)),
            _ => {}
        }
        Ok(record)
    }

    fn usage(&mut self, line: &Json) -> Vec<Usage> {
        let written = match text_at(line, "type") {
            Some("result") => Some(Written {
                id: Some("total".into()),
                dollars: dollars(line.get("total_cost_usd")),
                is_sum: true,
                ..Written::default()
            }),
            Some("assistant") => line.get("message").and_then(anthropic),
            _ => None,
        };
        written.map(recorded).unwrap_or_default()
    }
}
