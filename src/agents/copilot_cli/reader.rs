//! Sessions of GitHub Copilot CLI (`~/.copilot/session-state/<id>/events.jsonl`, in 2025 `<id>.jsonl`), and what
//! `copilot --output-format json` prints: an event a line.
//!
//! Read are `id`, `type`, `timestamp`, `agentId` and of `data`: of `session.start` `selectedModel` and `context.cwd`, of
//! `session.model_change` `newModel`, of `session.tools_updated` `model`, of `user.message` `content`, of
//! `assistant.message` `messageId`, `content`, `reasoningText`, `outputTokens` and `toolRequests` (`toolCallId`, `name`,
//! `arguments`), of `tool.execution_complete` `toolCallId`, `success`, `result.content`, `error.message` and `model`, of
//! `assistant.usage` and of `session.shutdown` what was used, and that there is `session.compaction_complete`.
//! `tool.execution_start` says again what the request of the tool has said. Events with a `parentToolCallId` or an
//! `agentId` are a subagent's.

use std::borrow::Cow;

use turnkeeper_base::json::Json;
use turnkeeper_messages::{Event, identified};

use super::usage::CopilotUsage;
use crate::sessions::format::{Format, RecordReader};
use crate::sessions::given::{
    answered, at, called, is_false_at, known, list_at, said, text_at, thought,
};
use crate::sessions::items::{condensed, fact, host_said, item, model, plain, turn, user_said};
use crate::sessions::key::Key;
use crate::sessions::record::{Facts, Item, Record, Unreadable, Usage};

/// The first words of the types of its events.
const KINDS: &[&str] = &[
    "session", "user", "assistant", "tool", "system", "hook", "subagent", "skill", "abort",
];

/// Whether it is an event of Copilot CLI.
pub(crate) fn is_copilot_cli_event(value: &Json) -> bool {
    let kind = text_at(value, &["type"]).and_then(|kind| kind.split_once('.'));
    kind.is_some_and(|(first, rest)| KINDS.contains(&first) && rest.split('.').all(is_word))
        && text_at(value, &["timestamp"]).is_some()
        && text_at(value, &["id"]).is_some()
        && matches!(
            value.get("data"),
            Some(Json::Object(_) | Json::List(_) | Json::Null)
        )
}

fn is_word(word: &str) -> bool {
    let is_of_word = |byte: u8| byte.is_ascii_lowercase() || byte == b'_';
    !word.is_empty() && word.bytes().all(is_of_word)
}

/// Reads a session of Copilot CLI.
#[derive(Default)]
pub(crate) struct CopilotCliReader {
    usage: CopilotUsage,
}

impl RecordReader for CopilotCliReader {
    fn format(&self) -> Format {
        Format::CopilotCli
    }

    fn read<'a>(&mut self, value: &'a Json<'a>, _place: u32) -> Result<Record<'a>, Unreadable> {
        let kind = text_at(value, &["type"]);
        let kind = kind.ok_or_else(|| Unreadable::new("is no event of a session: no type"))?;
        let told = value.get("data").unwrap_or(&Json::Null);
        let parent = [told.get("parentToolCallId"), value.get("agentId")];
        let left_out = parent
            .into_iter()
            .any(|parent| identified(parent).is_some());
        let items = match left_out {
            true => Vec::new(),
            false => items_of(kind, told)?,
        };
        Ok(Record {
            items,
            facts: match left_out {
                true => Facts::default(),
                false => facts_of(kind, told),
            },
            key: key(value),
            left_out,
            ..Record::default()
        })
    }

    fn usage(&mut self, value: &Json) -> Vec<Usage> {
        self.usage.read(value)
    }
}

/// A session that goes on from another begins with the other's events.
fn key(value: &Json) -> Option<u64> {
    let id = text_at(value, &["id"]).filter(|id| !id.is_empty())?;
    let time = text_at(value, &["timestamp"])?;
    Key::of(Format::CopilotCli).and(id).and(time).made()
}

fn facts_of<'a>(kind: &str, told: &'a Json<'a>) -> Facts<'a> {
    match kind {
        "session.start" | "session.resume" => Facts {
            model: fact(told.get("selectedModel")),
            working_directory: fact(at(told, &["context", "cwd"])),
            title: None,
        },
        "session.model_change" => model(told.get("newModel")),
        "session.tools_updated" | "tool.execution_complete" => model(told.get("model")),
        _ => Facts::default(),
    }
}

fn items_of<'a>(kind: &str, told: &'a Json<'a>) -> Result<Vec<Item<'a>>, Unreadable> {
    Ok(match kind {
        "session.compaction_complete" if !is_false_at(told, &["success"]) => vec![condensed()],
        "user.message" => vec![user_said(plain(told.get("content")))],
        "system.message" => vec![host_said(plain(told.get("content")))],
        "assistant.message" => turn(answer_events(told)?),
        "tool.execution_complete" => vec![item(result_of(told))],
        _ => Vec::new(),
    })
}

fn answer_events<'a>(told: &'a Json<'a>) -> Result<Vec<Event<'a>>, Unreadable> {
    let reasoning = thought(text_at(told, &["reasoningText"]).unwrap_or_default());
    let words = said(plain(told.get("content")));
    let mut answer: Vec<Event> = reasoning.into_iter().chain(words).collect();
    for call in list_at(told, &["toolRequests"]) {
        let args = call.get("arguments").map(Cow::Borrowed);
        let name = text_at(call, &["name"]);
        answer.push(called(call.get("toolCallId"), name, args)?);
    }
    Ok(answer)
}

fn result_of<'a>(told: &'a Json<'a>) -> Event<'a> {
    let content = known(at(told, &["result", "content"]));
    let output = content.or_else(|| known(at(told, &["error", "message"])));
    let is_error = is_false_at(told, &["success"]);
    answered(told.get("toolCallId"), plain(output), is_error)
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::formats::testing::{Told, told};

    fn event(number: u32, kind: &str, data: &str) -> String {
        format!(r#"{{"type":"{kind}","id":"e{number}","timestamp":"t{number}","data":{data}}}"#)
    }

    fn answer(number: u32, output: u32) -> String {
        let call = r#"{"toolCallId":"c","name":"bash","arguments":{}}"#;
        let data = format!(
            r#"{{"messageId":"m{number}","content":"","toolRequests":[{call}],"outputTokens":{output}}}"#
        );
        event(number, "assistant.message", &data)
    }

    fn shutdown(number: u32, input: u32, output: u32) -> String {
        let used = format!(r#"{{"usage":{{"inputTokens":{input},"outputTokens":{output}}}}}"#);
        event(
            number,
            "session.shutdown",
            &format!(r#"{{"modelMetrics":{{"m":{used}}}}}"#),
        )
    }

    /// The requests, the input and the output, of which of each id the last counts.
    fn sums(told: &Told) -> (usize, f64, f64) {
        let last = |at: &usize| {
            let later = &told.usage[at + 1..];
            later.iter().all(|usage| usage.id != told.usage[*at].id)
        };
        let last: Vec<_> = (0..told.usage.len())
            .filter(last)
            .map(|at| &told.usage[at])
            .collect();
        let input = last.iter().map(|usage| usage.input).sum();
        (
            last.len(),
            input,
            last.iter().map(|usage| usage.output).sum(),
        )
    }

    #[test]
    fn each_run_sums_up_itself_alone() {
        for (lines, expected) in [
            (
                vec![answer(1, 500), shutdown(2, 1000, 500)],
                (1, 1000.0, 500.0),
            ),
            (
                vec![
                    answer(1, 500),
                    shutdown(2, 1000, 500),
                    answer(3, 300),
                    shutdown(4, 800, 300),
                ],
                (2, 1800.0, 800.0),
            ),
            // The sums of an older version go on.
            (
                vec![
                    answer(1, 500),
                    shutdown(2, 1000, 500),
                    answer(3, 300),
                    shutdown(4, 1800, 800),
                ],
                (2, 1800.0, 800.0),
            ),
            // The run was killed.
            (vec![answer(1, 500), answer(2, 700)], (2, 0.0, 1200.0)),
            (
                vec![answer(1, 500), answer(2, 700), shutdown(3, 3000, 1200)],
                (2, 3000.0, 1200.0),
            ),
            // A compaction is a request of which there is no message.
            (
                vec![answer(1, 500), shutdown(2, 3000, 900)],
                (1, 3000.0, 900.0),
            ),
            (
                vec![shutdown(1, 10, 5), shutdown(2, 10, 5)],
                (2, 20.0, 10.0),
            ),
        ] {
            let told = told(&mut CopilotCliReader::default(), &lines);
            assert_eq!(sums(&told), expected, "{lines:?}");
        }
    }

    #[test]
    fn a_stream_says_after_an_answer_all_of_what_it_used() {
        let used = r#"{"model":"m","inputTokens":100,"cacheReadTokens":60,"outputTokens":500}"#;
        let lines = [answer(1, 500), event(2, "assistant.usage", used)];
        let told = told(&mut CopilotCliReader::default(), &lines);
        assert_eq!(sums(&told), (1, 40.0, 500.0));
        assert_eq!(told.usage[1].model.as_deref(), Some("m"));
    }

    #[test]
    fn models_are_told_apart_by_what_was_selected() {
        let metrics = r#"{"modelMetrics":{"a":{"usage":{"inputTokens":10,"outputTokens":5}},"b":{"usage":{"inputTokens":20,"outputTokens":7}}}}"#;
        let lines = [
            event(
                1,
                "session.start",
                r#"{"selectedModel":"a","context":{"cwd":"/w"}}"#,
            ),
            answer(2, 5),
            event(3, "session.model_change", r#"{"newModel":"b"}"#),
            answer(4, 7),
            event(5, "session.shutdown", metrics),
        ];
        let told = told(&mut CopilotCliReader::default(), &lines);
        let found = told
            .usage
            .iter()
            .map(|usage| (usage.model.as_deref(), usage.input));
        let expected = [("a", 0.0), ("b", 0.0), ("a", 10.0), ("b", 20.0)];
        assert!(found.eq(expected.map(|(model, input)| (Some(model), input))));
        assert_eq!(told.model.as_deref(), Some("b"));
    }

    #[test]
    fn answers_of_models_that_were_not_said_are_of_those_that_have_room_for_them() {
        let metrics = r#"{"modelMetrics":{"a":{"usage":{"inputTokens":400,"outputTokens":100}},"b":{"usage":{"inputTokens":800,"outputTokens":300}}}}"#;
        for outputs in [[300, 100], [100, 300]] {
            let lines = [
                answer(1, 500),
                shutdown(2, 1000, 500),
                answer(3, outputs[0]),
                answer(4, outputs[1]),
                event(5, "session.shutdown", metrics),
            ];
            let told = told(&mut CopilotCliReader::default(), &lines);
            assert_eq!(sums(&told), (3, 2200.0, 900.0));
            let last = told.usage.iter().rev().take(2);
            let mut models: Vec<_> = last.map(|it| (it.model.as_deref(), it.output)).collect();
            models.sort_by(|a, b| a.0.cmp(&b.0));
            assert_eq!(models, [(Some("a"), 100.0), (Some("b"), 300.0)]);
        }
    }

    #[test]
    fn a_subagents_events_are_left_out_and_copies_have_their_key() {
        let lines = [
            event(1, "user.message", r#"{"content":"go"}"#),
            event(1, "user.message", r#"{"content":"go"}"#),
            event(
                2,
                "assistant.message",
                r#"{"content":"hm","parentToolCallId":"c"}"#,
            ),
            event(
                3,
                "tool.execution_complete",
                r#"{"toolCallId":"c","success":false,"error":{"message":"no"}}"#,
            ),
        ];
        let told = told(&mut CopilotCliReader::default(), &lines);
        assert_eq!(told.left_out, [3]);
        let events = [
            "1 user_message",
            "2 user_message",
            "4 tool_result #c error no",
        ];
        assert_eq!(
            (told.events, told.keys[0]),
            (events.map(str::to_owned).into(), told.keys[1])
        );
    }
}
