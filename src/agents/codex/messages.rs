//! The output of `codex exec --json` until the autumn of 2025: events of `codex-rs/core/src/protocol.rs` of Codex, each in
//! `msg` of a line with an `id`. Two lines before them say with what it was started (`model`, `workdir`) and what the user
//! asked (`prompt`). Read are `agent_message` (`message`), `agent_reasoning` (`text`), calls that begin and end with a
//! `call_id` (`exec_command_…` with `command`, `aggregated_output` or `stdout` and `stderr`, `exit_code`; `patch_apply_…` with
//! `changes`, `success`; `mcp_tool_call_…` with `invocation`, `result`; `web_search_…` with `query`), `token_count` (a request's
//! usage, later in `info` beside the sum), `task_complete`, and `error` and `stream_error` (`message`).

use std::borrow::Cow;

use turnkeeper_base::json::{Json, written};
use turnkeeper_messages::{Event, exit_code};

use super::reader::TOKENS;
use crate::sessions::format::{Format, RecordReader};
use crate::sessions::given::{answered, at, ended, is_false_at, is_true_at, known, text_at};
use crate::sessions::items::{fact, host_said, item, of_model, plain, user_said};
use crate::sessions::record::{Facts, Item, Record, Unreadable, Usage};
use crate::sessions::usage::{inclusive, recorded, tokens};

/// True for such an event.
pub(crate) fn is_codex_message(line: &Json) -> bool {
    const TYPES: [&str; 6] = [
        "task_started", "session_configured", "agent_message", "agent_reasoning",
        "exec_command_begin", "token_count",
    ];
    let kind = text_at(line, &["msg", "type"]);
    text_at(line, &["id"]).is_some() && kind.is_some_and(|kind| TYPES.contains(&kind))
}

/// Reads such an output. A turn of the model's starts with the first thing that it says after a prompt or a result.
#[derive(Default)]
pub(crate) struct CodexMessageReader {
    is_models_turn: bool,
    model: Option<String>,
    /// The sum so far that was told last.
    sum: String,
}

impl CodexMessageReader {
    fn models<'a>(&mut self, event: Event<'a>) -> Vec<Item<'a>> {
        of_model(&mut self.is_models_turn, event)
    }

    fn message<'a>(&mut self, kind: &str, msg: &'a Json<'a>) -> Vec<Item<'a>> {
        match (kind, fact(msg.get("message")), fact(msg.get("text"))) {
            ("agent_message", Some(text), _) => return self.models(Event::Text { text }),
            ("agent_reasoning", _, Some(text)) => return self.models(Event::Reasoning { text }),
            ("error" | "stream_error", Some(words), _) => return vec![host_said(words)],
            ("task_complete", ..) => return vec![item(Event::Finished)],
            _ => {}
        }
        if let Some(call) = kind
            .strip_suffix("_begin")
            .and_then(|kind| call_of(kind, msg))
        {
            return self.models(call);
        }
        match kind
            .strip_suffix("_end")
            .and_then(|kind| result_of(kind, msg))
        {
            Some(result) => {
                self.is_models_turn = false;
                vec![item(result)]
            }
            None => Vec::new(),
        }
    }
}

/// A call, by the tool's name in rollouts.
fn call_of<'a>(kind: &str, msg: &'a Json<'a>) -> Option<Event<'a>> {
    let invocation = msg.get("invocation").unwrap_or(msg);
    let (name, field) = match kind {
        "exec_command" => ("shell".into(), "command"),
        "patch_apply" => ("apply_patch".into(), "changes"),
        "web_search" => ("web_search".into(), "query"),
        "mcp_tool_call" => {
            let (server, tool) = (
                text_at(invocation, &["server"])?,
                text_at(invocation, &["tool"])?,
            );
            (Cow::Owned(format!("{server}__{tool}")), "arguments")
        }
        _ => return None,
    };
    let value = invocation.get(field).cloned().unwrap_or_default();
    let args = match field {
        "arguments" => value,
        field => Json::Object(vec![(field.into(), value)]),
    };
    Some(Event::ToolCall {
        key: None,
        id: fact(msg.get("call_id")),
        name,
        args: Some(Cow::Owned(args)),
    })
}

fn result_of<'a>(kind: &str, msg: &'a Json<'a>) -> Option<Event<'a>> {
    let id = msg.get("call_id");
    let output = match text_at(msg, &["aggregated_output"]) {
        Some(output) => Cow::Borrowed(output),
        None => {
            let parts = ["stdout", "stderr"].map(|name| text_at(msg, &[name]).unwrap_or_default());
            let parts: Vec<&str> = parts.into_iter().filter(|it| !it.is_empty()).collect();
            match parts[..] {
                [part] => part.into(),
                _ => parts.join("\n").into(),
            }
        }
    };
    Some(match kind {
        "exec_command" => {
            let code = exit_code(msg.get("exit_code"));
            let is_error = code.is_some_and(|code| code != 0);
            ended(answered(id, output, is_error), code)
        }
        "patch_apply" => answered(id, output, is_false_at(msg, &["success"])),
        "mcp_tool_call" => {
            let error = known(at(msg, &["result", "Err"]));
            let is_error = is_true_at(msg, &["result", "Ok", "isError"]) || error.is_some();
            let content = at(msg, &["result", "Ok", "content"]);
            answered(id, plain(content.or(error)), is_error)
        }
        "web_search" => answered(id, "", false),
        _ => return None,
    })
}

impl RecordReader for CodexMessageReader {
    fn format(&self) -> Format {
        Format::Codex
    }

    fn read<'a>(&mut self, line: &'a Json<'a>, _place: u32) -> Result<Record<'a>, Unreadable> {
        let mut record = Record::default();
        match (line.get("msg"), line.get("prompt")) {
            (Some(msg), _) => {
                let kind = text_at(msg, &["type"]);
                let kind = kind.ok_or_else(|| Unreadable::new("is no event: no type"))?;
                record.items = self.message(kind, msg);
                record.facts.model = fact(msg.get("model"));
            }
            (None, Some(prompt)) => {
                self.is_models_turn = false;
                record.items.push(user_said(plain(Some(prompt))));
            }
            (None, None) => {
                record.facts = Facts {
                    model: fact(line.get("model")),
                    working_directory: fact(line.get("workdir")),
                    title: None,
                };
            }
        }
        if let Some(model) = &record.facts.model {
            self.model = Some(model.as_ref().to_owned());
        }
        Ok(record)
    }

    /// The sum is told again when nothing was asked, as when the limits of the account change.
    fn usage(&mut self, line: &Json) -> Vec<Usage> {
        let msg = line.get("msg");
        let Some(msg) = msg.filter(|msg| text_at(msg, &["type"]) == Some("token_count")) else {
            return Vec::new();
        };
        let used = match known(msg.get("info")) {
            None => msg,
            Some(info) => {
                let sum = info
                    .get("total_token_usage")
                    .map(written)
                    .unwrap_or_default();
                if sum == self.sum {
                    return Vec::new();
                }
                self.sum = sum;
                info.get("last_token_usage").unwrap_or(&Json::Null)
            }
        };
        recorded(Usage {
            model: self.model.clone(),
            ..inclusive(tokens(used, TOKENS))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::testing::{Told, told};

    fn output(messages: &[&str]) -> Told {
        let line = |msg: &&str| format!(r#"{{"id":"0","msg":{msg}}}"#);
        let lines: Vec<String> = messages.iter().map(line).collect();
        told(&mut CodexMessageReader::default(), &lines)
    }

    #[test]
    fn every_kind_of_call_has_its_result() {
        let told = output(&[
            r#"{"type":"patch_apply_begin","call_id":"p","changes":{"a":{"add":{"content":"x"}}}}"#,
            r#"{"type":"patch_apply_end","call_id":"p","stdout":"","stderr":"no","success":false}"#,
            r#"{"type":"mcp_tool_call_begin","call_id":"m","invocation":{"server":"s","tool":"t","arguments":{"x":1}}}"#,
            r#"{"type":"mcp_tool_call_end","call_id":"m","result":{"Ok":{"content":[{"type":"text","text":"y"}]}}}"#,
            r#"{"type":"mcp_tool_call_end","call_id":"n","result":{"Err":"gone"}}"#,
            r#"{"type":"web_search_begin","call_id":"w","query":"q"}"#,
            r#"{"type":"web_search_end","call_id":"w"}"#,
            r#"{"type":"turn_diff","unified_diff":""}"#,
            "{}",
        ]);
        let expected = [
            "1 turn_started",
            r#"1 tool_call #p apply_patch {"changes":{"a":{"add":{"content":"x"}}}}"#,
            "2 tool_result #p error no",
            "3 turn_started",
            r#"3 tool_call #m s__t {"x":1}"#,
            "4 tool_result #m y",
            "5 tool_result #n error gone",
            "6 turn_started",
            r#"6 tool_call #w web_search {"query":"q"}"#,
            "7 tool_result #w ",
        ];
        assert_eq!(told.events, expected);
        assert_eq!(told.problems, ["9 is no event: no type"]);
    }

    #[test]
    fn a_request_is_counted_once_however_often_the_sum_is_told() {
        let info = r#"{"type":"token_count","info":{"total_token_usage":{"input_tokens":9},"last_token_usage":{"input_tokens":9,"cached_input_tokens":4,"output_tokens":2}}}"#;
        let old = r#"{"type":"token_count","input_tokens":3,"output_tokens":1}"#;
        let told = output(&[info, info, old, old]);
        let request = [3.0, 0.0, 0.0, 1.0];
        assert_eq!(told.tokens(), [[5.0, 4.0, 0.0, 2.0], request, request]);
    }
}
