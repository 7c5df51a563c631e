//! Sessions of Claude Code, and its streams. Of both, each block of an answer is a value of its own, with the id of
//! the answer.

use std::borrow::Cow;

use turnkeeper_base::json::{Json, Unread};
use turnkeeper_messages::Event;

use crate::formats::messages::MessageReader;
use crate::sessions::format::{Format, RecordReader};
use crate::sessions::given::{is_true_at, text_at};
use crate::sessions::items::{condensed, fact, item};
use crate::sessions::key::Key;
use crate::sessions::record::{Facts, Item, Record, Unreadable, Usage};
use crate::sessions::usage::{anthropic, dollars, is_drawn_from_few, recorded};

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
        let has_id = text_at(message, &["id"]).is_some();
        let id = answer_id(line, message).filter(|_| has_id);
        let is_models = text_at(message, &["role"]) == Some("assistant");
        let is_new_turn = !is_models || !has_id || id.as_deref() != self.answer.as_deref();
        if is_models && is_new_turn {
            self.answer = id.map(Cow::into_owned);
        }
        let mut items = self.messages.message(message, is_new_turn)?;
        if is_agents {
            items.iter_mut().for_each(make_agents);
        }
        Ok(Record {
            items,
            original: Some(message),
            holder: &["message"],
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
        if let Some(id) = answer_id(line, message).filter(|id| !is_drawn_from_few(id)) {
            return key.and(&id).and_value(content).made();
        }
        let mut blocks = content.items().iter();
        if blocks.any(|block| text_at(block, &["tool_use_id"]).is_some()) {
            return key.and_value(content).made();
        }
        let is_line = self.format == Format::ClaudeCode;
        let id = text_at(line, &["uuid"]).filter(|_| is_line)?;
        key.and(id).made()
    }
}

/// The id of an answer. Those of other providers are not unique by themselves.
fn answer_id<'a>(line: &Json, message: &'a Json) -> Option<Cow<'a, str>> {
    let id = message.get("id")?;
    match id.as_text() {
        Some(id) if id.starts_with("msg_") => Some(id.into()),
        id => {
            let request = text_at(line, &["requestId"]).unwrap_or_default();
            Some(format!("{} {request}", id.unwrap_or_default()).into())
        }
    }
}

fn make_agents(item: &mut Item) {
    if matches!(item.event, Event::UserMessage { .. }) {
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
    let Some(kind) = text_at(line, &["type"]) else {
        return false;
    };
    if matches!(kind, "user" | "assistant") {
        let role = text_at(line, &["message", "role"]);
        return text_at(line, &["uuid"]).is_some() && role.is_some();
    }
    let known = OTHERS.iter().find(|(other, _)| *other == kind);
    known.is_some_and(|(_, field)| line.get(field).is_some())
}

/// A result is in the line twice, as the model has it and as the panel shows it; the second is a quarter of a file.
const UNREAD: Unread = Unread::fields(&["toolUseResult"]);

/// The texts of answers are few, and those of people make the title.
const UNREAD_FOR_USAGE: Unread = Unread {
    fields: &["toolUseResult", "snapshot", "attachment"],
    within: &[("message", MESSAGE_FOR_USAGE), ("data", DATA_FOR_USAGE)],
};

const MESSAGE_FOR_USAGE: &Unread = &Unread {
    fields: &[],
    within: &[(
        "content",
        &Unread::fields(&["content", "input", "thinking", "signature", "source"]),
    )],
};

const DATA_FOR_USAGE: &Unread = &Unread {
    fields: &["normalizedMessages", "output", "fullOutput", "prompt"],
    within: &[(
        "message",
        &Unread {
            fields: &["toolUseResult"],
            within: &[("message", &Unread::fields(&["content"]))],
        },
    )],
};

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
        if text_at(line, &["customTitle"]).is_some() {
            self.has_given_title = true;
        } else if self.has_given_title {
            return None;
        }
        let mut titles = ["customTitle", "aiTitle", "summary"].into_iter();
        let title = titles.find_map(|name| text_at(line, &[name]));
        title.filter(|title| !title.is_empty()).map(Cow::Borrowed)
    }
}

impl RecordReader for ClaudeCodeReader {
    fn format(&self) -> Format {
        Format::ClaudeCode
    }

    fn read<'a>(&mut self, line: &'a Json<'a>, _place: u32) -> Result<Record<'a>, Unreadable> {
        let Some(kind) = text_at(line, &["type"]) else {
            return Err(Unreadable::new("is no line of a session: no type"));
        };
        let working_directory = fact(line.get("cwd"));
        if !matches!(kind, "user" | "assistant") {
            let is_compaction =
                kind == "system" && text_at(line, &["subtype"]) == Some("compact_boundary");
            let id = text_at(line, &["uuid"]).filter(|_| is_compaction);
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
        let is_sidechain = is_true_at(line, &["isSidechain"]);
        let is_subagents = *self.is_subagents.get_or_insert(is_sidechain);
        if is_sidechain && !is_subagents {
            return Ok(left_out());
        }
        let message = line.get("message");
        let message = message.filter(|message| text_at(message, &["role"]).is_some());
        let message = message.ok_or_else(|| Unreadable::new("has no message with a role"))?;
        let is_agents = is_true_at(line, &["isMeta"]) || is_true_at(line, &["isCompactSummary"]);
        let content = message.get("content");
        let has_content = matches!(content, Some(Json::Text(_) | Json::List(_)));
        let mut record = self.blocks.read(line, message, is_agents)?;
        record.facts.working_directory = working_directory;
        record.path = has_content.then_some(&["message", "content"]);
        Ok(record)
    }

    fn unread(&self) -> &'static Unread {
        &UNREAD
    }

    fn unread_for_usage(&self) -> Option<&'static Unread> {
        Some(&UNREAD_FOR_USAGE)
    }

    /// Each block of an answer is a line with the answer's usage, and files of resumed sessions repeat answers. Subagents
    /// in the same file were paid for, too. What `progress` lines show of others is in files of their own, where the
    /// version wrote these.
    fn usage(&mut self, line: &Json) -> Vec<Usage> {
        match text_at(line, &["type"]) {
            Some("assistant") => usage_of(line),
            Some("progress") => {
                let shown = line.get("data").and_then(|data| data.get("message"));
                let shown = shown.filter(|it| text_at(it, &["type"]) == Some("assistant"));
                let mut found = shown.map(usage_of).unwrap_or_default();
                found.iter_mut().for_each(|usage| usage.is_retold = true);
                found
            }
            _ => Vec::new(),
        }
    }
}

/// The usage of the answer that a line holds, and of what it needed beside.
fn usage_of(line: &Json) -> Vec<Usage> {
    let Some(message) = line.get("message") else {
        return Vec::new();
    };
    let id = answer_id(line, message);
    let mut money = dollars(line.get("costUSD"));
    let answers = anthropic(message).into_iter().enumerate();
    let found = answers.flat_map(|(place, usage)| {
        let id = id.as_deref().map(|id| match place {
            0 => id.to_owned(),
            _ => format!("{id} {place}"),
        });
        recorded(Usage {
            id,
            dollars: money.take(),
            ..usage
        })
    });
    found.collect()
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
    let kind = text_at(line, &["type"]).unwrap_or_default();
    let is_streams = matches!(
        kind,
        "system" | "assistant" | "user" | "result" | "stream_event"
    );
    is_streams
        && text_at(line, &["session_id"]).is_some()
        && (line.get("message").is_some()
            || line.get("event").is_some()
            || text_at(line, &["subtype"]).is_some())
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
        let Some(kind) = text_at(line, &["type"]) else {
            return Err(Unreadable::new("is no message of a stream: no type"));
        };
        if text_at(line, &["parent_tool_use_id"]).is_some() {
            return Ok(left_out());
        }
        let mut record = Record::default();
        match (kind, text_at(line, &["subtype"])) {
            ("system", Some("compact_boundary")) => record.items.push(condensed()),
            ("system", Some("init")) => {
                record.facts = model_of(line.get("model"));
                record.facts.working_directory = fact(line.get("cwd"));
            }
            ("assistant" | "user", _) => {
                let message = line.get("message");
                let message = message.filter(|message| text_at(message, &["role"]) == Some(kind));
                let message =
                    message.ok_or_else(|| Unreadable::new("has no message with its role"))?;
                let is_agents = is_true_at(line, &["isSynthetic"]);
                return self.blocks.read(line, message, is_agents);
            }
            ("result", _) => record.items.push(item(Event::Finished)),
            _ => {}
        }
        Ok(record)
    }

    fn usage(&mut self, line: &Json) -> Vec<Usage> {
        match text_at(line, &["type"]) {
            Some("result") => recorded(Usage {
                id: Some("total".into()),
                dollars: dollars(line.get("total_cost_usd")),
                is_sum: true,
                ..Usage::default()
            }),
            Some("assistant") => {
                let answers = line.get("message").into_iter().flat_map(anthropic);
                answers.flat_map(recorded).collect()
            }
            _ => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::testing::{Told, told};

    const GO: &str =
        r#"{"type":"user","uuid":"u1","cwd":"/w","message":{"role":"user","content":"Go."}}"#;

    fn says(uuid: &str, id: &str, more: &str, blocks: &str) -> String {
        format!(
            r#"{{"type":"assistant","uuid":"{uuid}","requestId":"r",{more}"message":{{"id":"{id}","role":"assistant","model":"m",
            "content":[{blocks}],"usage":{{"input_tokens":10,"output_tokens":5}}}}}}"#
        )
    }

    fn calls(uuid: &str, call: &str) -> String {
        let block =
            format!(r#"{{"type":"tool_use","id":"{call}","name":"Read","input":{{"n":1}}}}"#);
        says(uuid, "msg_1", "", &block)
    }

    fn gives(uuid: &str, call: &str) -> String {
        format!(
            r#"{{"type":"user","uuid":"{uuid}","message":{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"{call}","content":"x"}}]}}}}"#
        )
    }

    fn session(lines: &[&str]) -> Told {
        told(&mut ClaudeCodeReader::new(), lines)
    }

    #[test]
    fn the_blocks_of_an_answer_are_one_turn() {
        let (first, second) = (calls("u2", "toolu_1"), calls("u3", "toolu_2"));
        let lines = [GO, &first, &second, &gives("u4", "toolu_1")];
        let told = session(&lines);
        let expected = [
            "1 user_message",
            "2 turn_started",
            r#"2 tool_call #toolu_1 Read {"n":1}"#,
            r#"3 tool_call #toolu_2 Read {"n":1}"#,
            "4 tool_result #toolu_1 x",
        ];
        assert_eq!(told.events, expected);
        assert_eq!((told.different(), told.model.as_deref()), (4, Some("m")));
        let ids: Vec<_> = told.usage.iter().map(|usage| usage.id.as_deref()).collect();
        assert_eq!(ids, [Some("msg_1"), Some("msg_1")]);
    }

    #[test]
    fn what_a_resumed_session_repeats_has_the_same_keys() {
        let lines = [calls("u2", "toolu_1"), gives("u3", "toolu_1")];
        let again = [calls("u5", "toolu_1"), gives("u6", "toolu_1")];
        let other = [calls("u7", "toolu_2"), gives("u8", "toolu_2")];
        let all: Vec<&str> = [&lines, &again, &other]
            .into_iter()
            .flatten()
            .map(String::as_str)
            .collect();
        let told = session(&all);
        assert_eq!(told.keys[..2], told.keys[2..4]);
        assert_eq!((told.keys.len(), told.different()), (6, 4));
        // The same words are asked again on a line of their own.
        let asked_again = GO.replace("u1", "u9");
        assert_eq!(session(&[GO, &asked_again, GO]).different(), 2);
    }

    #[test]
    fn answers_of_other_providers_are_known_by_their_requests() {
        let lines = [
            says("u1", "gen-1", "", ""),
            says("u2", "gen-1", "", "").replace(r#""r""#, r#""s""#),
            says("u3", "msg_1", r#""costUSD":0.5,"#, ""),
        ];
        let told = told(&mut ClaudeCodeReader::new(), &lines);
        let usage: Vec<_> = told
            .usage
            .iter()
            .map(|it| (it.id.as_deref(), it.dollars))
            .collect();
        let expected = [
            (Some("gen-1 r"), None),
            (Some("gen-1 s"), None),
            (Some("msg_1"), Some(0.5)),
        ];
        assert_eq!(usage, expected);
        assert_eq!(told.different(), 3);
    }

    #[test]
    fn subagents_are_left_out_unless_the_file_is_theirs() {
        let aside = says(
            "u2",
            "msg_2",
            r#""isSidechain":true,"#,
            r#"{"type":"text","text":"Aside."}"#,
        );
        let lines = session(&[GO, &aside]);
        assert_eq!((lines.left_out, lines.usage.len()), (vec![2], 1));
        assert_eq!(session(&[&aside, GO]).events.len(), 3);
    }

    #[test]
    fn what_a_subagent_used_is_told_in_progress_lines() {
        let shown = says("u3", "msg_2", "", r#"{"type":"text","text":"Aside."}"#);
        let progress = |data: &str| format!(r#"{{"type":"progress","uuid":"u2","data":{data}}}"#);
        let lines = [
            GO.to_owned(),
            progress(&format!(r#"{{"type":"agent_progress","message":{shown}}}"#)),
            progress(&format!(r#"{{"type":"agent_progress","message":{GO}}}"#)),
            progress(r#"{"type":"hook_progress","hookEvent":"Stop"}"#),
            calls("u4", "toolu_1"),
        ];
        let told = told(&mut ClaudeCodeReader::new(), &lines);
        let found = told.usage.iter().map(|it| (it.id.as_deref(), it.is_retold));
        assert!(found.eq([(Some("msg_2"), true), (Some("msg_1"), false)]));
        assert_eq!(told.events.len(), 3);
    }

    #[test]
    fn words_of_the_agent_start_no_prompt_and_a_given_title_stays() {
        let told = session(&[
            &GO.replace(r#""uuid""#, r#""isCompactSummary":true,"uuid""#),
            r#"{"type":"summary","summary":"A","leafUuid":"u"}"#,
            r#"{"type":"custom-title","customTitle":"B","sessionId":"s"}"#,
            r#"{"type":"ai-title","aiTitle":"C","sessionId":"s"}"#,
            r#"{"type":"system","subtype":"compact_boundary","uuid":"u","cwd":"/v"}"#,
            &says("u9", "msg_9", "", r#"{"type":"text","text":"API Error"}"#)
                .replace(r#""m""#, r#""<synthetic>""#),
        ]);
        assert_eq!(told.events, ["1 other", "5 condensation", "6 other"]);
        assert_eq!(told.said, ["Go.", "API Error"]);
        assert_eq!(
            (told.title.as_deref(), told.working_directory.as_deref()),
            (Some("B"), Some("/v"))
        );
        assert_eq!((told.model, told.usage.len()), (None, 0));
    }

    #[test]
    fn lines_that_are_none_are_told_of() {
        for (line, why) in [
            ("{}", "1 is no line of a session: no type"),
            (r#"{"type":"user"}"#, "1 has no message with a role"),
            (
                r#"{"type":"assistant","message":{"role":"assistant","content":[{"type":"tool_use"}]}}"#,
                "1 has a tool call without a name",
            ),
        ] {
            assert_eq!(session(&[line]).problems, [why]);
        }
        assert!(session(&[r#"{"type":"new"}"#]).problems.is_empty());
    }

    #[test]
    fn a_stream_ends_with_its_money() {
        let told = told(
            &mut ClaudeStreamReader::new(),
            &[
                r#"{"type":"system","subtype":"init","session_id":"s","cwd":"/w","model":"m"}"#,
                r#"{"type":"user","message":{"role":"user","content":"Go."},"isSynthetic":true}"#,
                r#"{"type":"user","message":{"role":"user","content":"Go."},"parent_tool_use_id":"t"}"#,
                &says("u", "msg_1", "", r#"{"type":"text","text":"Well."}"#),
                r#"{"type":"result","session_id":"s","total_cost_usd":0.5}"#,
                r#"{"type":"user","message":{"role":"assistant"}}"#,
            ],
        );
        let expected = ["2 other", "4 turn_started", "4 text Well.", "5 finished"];
        assert_eq!(told.events, expected);
        assert_eq!(
            (told.left_out, told.problems),
            (vec![3], vec!["6 has no message with its role".to_owned()])
        );
        let sum = told.usage.last().expect("a sum");
        assert_eq!(
            (sum.id.as_deref(), sum.is_sum, sum.dollars),
            (Some("total"), true, Some(0.5))
        );
    }
}
