//! The output of `codex exec --json`: events of `codex-rs/exec/src/exec_events.rs` of Codex. Read are `thread.started`
//! (`thread_id`), `turn.started`, `turn.completed` (`usage`, which is the thread's so far), `turn.failed` and `error` (their
//! messages), and of `item.started` and `item.completed` the items `agent_message` and `reasoning` (`text`),
//! `command_execution` (`command`, `aggregated_output`, `exit_code`), `mcp_tool_call` (`server`, `tool`, `arguments`, `result`,
//! `error`), `file_change` (`changes`), `web_search` (`query`), each with `id` and `status`, and `error`. It says neither what
//! the user wrote nor which model answered.

use std::borrow::Cow;

use rustc_hash::FxHashSet;
use turnkeeper_base::json::Json;
use turnkeeper_messages::{Event, exit_code};

use super::reader::TOKENS;
use crate::sessions::format::{Format, RecordReader};
use crate::sessions::given::{answered, at, ended, known, text_at};
use crate::sessions::items::{fact, host_said, item, of_model, plain};
use crate::sessions::record::{Item, Record, Unreadable, Usage};
use crate::sessions::usage::{inclusive, recorded, tokens};

/// Whether it is an event of Codex's output.
pub(crate) fn is_codex_event(event: &Json) -> bool {
    match text_at(event, &["type"]).unwrap_or_default() {
        "thread.started" => text_at(event, &["thread_id"]).is_some(),
        "item.started" | "item.completed" => {
            let item = event.get("item");
            item.is_some_and(|it| {
                text_at(it, &["id"]).is_some() && text_at(it, &["type"]).is_some()
            })
        }
        _ => false,
    }
}

/// Reads the output of Codex. A turn of the model's starts with the first thing that it says after a prompt or a result.
#[derive(Default)]
pub(crate) struct CodexStreamReader {
    thread: String,
    is_models_turn: bool,
    /// The calls that have begun.
    begun: FxHashSet<String>,
}

impl CodexStreamReader {
    fn models<'a>(&mut self, event: Event<'a>) -> Vec<Item<'a>> {
        of_model(&mut self.is_models_turn, event)
    }

    /// An item that begins or, when it is over, has its result.
    fn item<'a>(&mut self, it: &'a Json<'a>, is_over: bool) -> Vec<Item<'a>> {
        match (
            text_at(it, &["type"]).unwrap_or_default(),
            fact(it.get("text")),
        ) {
            ("agent_message", Some(text)) if is_over => self.models(Event::Text { text }),
            ("reasoning", Some(text)) if is_over => self.models(Event::Reasoning { text }),
            ("error", _) if is_over => vec![host_said(plain(it.get("message")))],
            (kind, _) => match call_of(kind, it) {
                Some((name, args)) => self.call(it, name, args, is_over),
                None => Vec::new(),
            },
        }
    }

    fn call<'a>(
        &mut self,
        it: &'a Json<'a>,
        name: Cow<'a, str>,
        args: Json<'a>,
        is_over: bool,
    ) -> Vec<Item<'a>> {
        let id = fact(it.get("id"));
        let own = id.as_deref().unwrap_or_default();
        let mut items = match self.begun.remove(own) {
            true => Vec::new(),
            false => {
                let args = Some(Cow::Owned(args));
                self.models(Event::ToolCall {
                    key: None,
                    id: id.clone(),
                    name,
                    args,
                })
            }
        };
        if is_over {
            self.is_models_turn = false;
            items.push(item(result_of(it)));
        } else {
            self.begun.insert(own.to_owned());
        }
        items
    }
}

/// The tool that an item is a call of, by its name in rollouts, and the arguments.
fn call_of<'a>(kind: &str, it: &'a Json<'a>) -> Option<(Cow<'a, str>, Json<'a>)> {
    let (name, field) = match kind {
        "command_execution" => ("shell".into(), "command"),
        "file_change" => ("apply_patch".into(), "changes"),
        "web_search" => ("web_search".into(), "query"),
        "mcp_tool_call" => {
            let (server, tool) = (text_at(it, &["server"]), text_at(it, &["tool"])?);
            let name = server.map_or(tool.into(), |server| format!("{server}__{tool}").into());
            return Some((name, it.get("arguments").cloned().unwrap_or_default()));
        }
        _ => return None,
    };
    let value = it.get(field).cloned().unwrap_or_default();
    Some((name, Json::Object(vec![(field.into(), value)])))
}

fn result_of<'a>(it: &'a Json<'a>) -> Event<'a> {
    let error = at(it, &["error", "message"]);
    let output = at(it, &["result", "content"]);
    let output = it.get("aggregated_output").or(output).or(error);
    let is_error = matches!(text_at(it, &["status"]), Some("failed" | "declined"));
    let result = answered(it.get("id"), plain(known(output)), is_error);
    ended(result, exit_code(it.get("exit_code")))
}

impl RecordReader for CodexStreamReader {
    fn format(&self) -> Format {
        Format::Codex
    }

    fn read<'a>(&mut self, event: &'a Json<'a>, _place: u32) -> Result<Record<'a>, Unreadable> {
        let Some(kind) = text_at(event, &["type"]) else {
            return Err(Unreadable::new("is no event of an output: no type"));
        };
        let items = match (kind, event.get("item")) {
            ("item.started", Some(it)) => self.item(it, false),
            ("item.completed", Some(it)) => self.item(it, true),
            ("thread.started", _) => {
                self.thread = text_at(event, &["thread_id"])
                    .unwrap_or_default()
                    .to_owned();
                Vec::new()
            }
            ("turn.started", _) => {
                self.is_models_turn = false;
                vec![item(Event::UserMessage {
                    words: None,
                    is_report: false,
                })]
            }
            ("turn.completed", _) => vec![item(Event::Finished)],
            ("turn.failed", _) => {
                let error = at(event, &["error", "message"]);
                vec![host_said(plain(error)), item(Event::Finished)]
            }
            ("error", _) => vec![host_said(plain(event.get("message")))],
            _ => Vec::new(),
        };
        Ok(Record {
            items,
            ..Record::default()
        })
    }

    fn usage(&mut self, event: &Json) -> Vec<Usage> {
        let usage = event.get("usage");
        let Some(usage) = usage.filter(|_| text_at(event, &["type"]) == Some("turn.completed"))
        else {
            return Vec::new();
        };
        recorded(Usage {
            id: Some(format!("thread {}", self.thread)),
            is_sum: true,
            ..inclusive(tokens(usage, TOKENS))
        })
    }
}

#[cfg(test)]
mod tests {
    use turnkeeper_base::json::parse;

    use super::*;
    use crate::formats::testing::told;

    fn item(kind: &str, id: &str, fields: &str) -> String {
        format!(r#"{{"type":"item.{kind}","item":{{"id":"{id}",{fields}}}}}"#)
    }

    #[test]
    fn an_item_is_a_call_when_it_begins_and_a_result_when_it_is_over() {
        let command = |output: &str, more: &str| {
            format!(
                r#""type":"command_execution","command":"ls","aggregated_output":"{output}",{more}"#
            )
        };
        let lines = [
            r#"{"type":"thread.started","thread_id":"t"}"#.to_owned(),
            r#"{"type":"turn.started"}"#.to_owned(),
            item("completed", "0", r#""type":"reasoning","text":"Hm.""#),
            item("started", "1", &command("", r#""exit_code":null,"status":"in_progress""#)),
            item("updated", "1", &command("a", r#""status":"in_progress""#)),
            item("completed", "1", &command("ab", r#""exit_code":2,"status":"failed""#)),
            item("completed", "2", r#""type":"mcp_tool_call","server":"s","tool":"t","arguments":{"a":1},"result":{"content":[{"type":"text","text":"x"}]},"error":null,"status":"completed""#),
            item("completed", "3", r#""type":"file_change","changes":[{"path":"a","kind":"add"}],"status":"completed""#),
            item("completed", "4", r#""type":"todo_list","items":[]"#),
            item("completed", "5", r#""type":"agent_message","text":"Done.""#),
            r#"{"type":"turn.completed","usage":{"input_tokens":10,"cached_input_tokens":4,"output_tokens":2}}"#.to_owned(),
            r#"{"type":"turn.failed","error":{"message":"No."}}"#.to_owned(),
            "{}".to_owned(),
        ];
        let told = told(&mut CodexStreamReader::default(), &lines);
        let expected = [
            "2 user_message",
            "3 turn_started",
            "3 reasoning Hm.",
            r#"4 tool_call #1 shell {"command":"ls"}"#,
            "6 tool_result #1 error exit 2 ab",
            "7 turn_started",
            r#"7 tool_call #2 s__t {"a":1}"#,
            "7 tool_result #2 x",
            "8 turn_started",
            r#"8 tool_call #3 apply_patch {"changes":[{"path":"a","kind":"add"}]}"#,
            "8 tool_result #3 ",
            "10 turn_started",
            "10 text Done.",
            "11 finished",
            "12 other",
            "12 finished",
        ];
        assert_eq!(told.events, expected);
        assert_eq!(told.problems, ["13 is no event of an output: no type"]);
        assert_eq!(told.tokens(), [[6.0, 4.0, 0.0, 2.0]]);
        assert!(told.usage[0].is_sum);
    }

    #[test]
    fn its_events_are_known() {
        for (line, is_event) in [
            (r#"{"type":"thread.started","thread_id":"t"}"#, true),
            (
                r#"{"type":"item.completed","item":{"id":"0","type":"agent_message"}}"#,
                true,
            ),
            (r#"{"type":"item.completed","item":{}}"#, false),
            (r#"{"type":"turn.started"}"#, false),
        ] {
            let mut room = Vec::new();
            let value = parse(line.as_bytes(), &mut room).expect("JSON");
            assert_eq!(is_codex_event(&value), is_event, "{line}");
        }
    }
}
