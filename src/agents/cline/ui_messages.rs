//! Messages of the chat panel of Cline, Roo Code or Kilo Code (`ui_messages.json`). They say less than the history: of a
//! file that was edited, for example, only the difference, and no results at all of most tools.

use std::borrow::Cow;

use turnkeeper_base::json::Json;
use turnkeeper_messages::Event;

use crate::sessions::format::{Format, RecordReader};
use crate::sessions::given::{
    answered, at, called, is_true_at, number_at, parsed_text, said, text_at, thought,
};
use crate::sessions::items::{condensed, fact, item, user_said};
use crate::sessions::key::Key;
use crate::sessions::record::{Facts, Item, Record, Unreadable, Usage};
use crate::sessions::usage::{dollars, named, recorded, tokens};

/// Whether it is a message of the chat panel.
pub(crate) fn is_ui_message(value: &Json) -> bool {
    number_at(value, &["ts"]).is_some() && words_for(value).is_some()
}

/// The word that says what a message is.
fn words_for<'a>(message: &'a Json<'a>) -> Option<&'a str> {
    match text_at(message, &["type"])? {
        "say" => text_at(message, &["say"]),
        "ask" => text_at(message, &["ask"]),
        _ => None,
    }
}

/// Tools whose `content` is what they gave, and not what they were given.
const READERS: &[&str] = &[
    "readFile", "list", "search", "codebaseSearch", "webFetch", "fetchInstructions",
];

/// Reads the messages of the chat panel.
#[derive(Default)]
pub(crate) struct UiMessageReader {
    /// A command's output, which comes in pieces.
    output: Vec<String>,
    place: u32,
}

impl RecordReader for UiMessageReader {
    fn format(&self) -> Format {
        Format::ClineUi
    }

    fn read<'a>(&mut self, value: &'a Json<'a>, place: u32) -> Result<Record<'a>, Unreadable> {
        if !is_ui_message(value) {
            return Err(Unreadable::new(
                "is no message of a chat panel: no ts, ask or say",
            ));
        }
        if is_true_at(value, &["partial"]) {
            return Ok(Record::default());
        }
        let said = text_at(value, &["say"]);
        let what = said.or(text_at(value, &["ask"])).unwrap_or_default();
        let words = text_at(value, &["text"]).unwrap_or_default();
        let key = Key::of(Format::ClineUi).and_value(value.get("ts").unwrap_or(&Json::Null));
        if what == "command_output" {
            if !words.is_empty() {
                self.output.push(words.into());
            }
            self.place = place;
            return Ok(Record::default());
        }
        let mut items: Vec<Item> = self.held().into_iter().collect();
        items.extend(items_of(what, words, value)?);
        Ok(Record {
            items,
            facts: Facts {
                model: fact(at(value, &["modelInfo", "modelId"])),
                ..Facts::default()
            },
            key: key.and(what).and(words).made(),
            ..Record::default()
        })
    }

    /// Requests, and the sums of requests that were taken back and of subagents: all were paid for.
    fn usage(&mut self, value: &Json) -> Vec<Usage> {
        let say = text_at(value, &["say"]);
        if !matches!(
            say,
            Some("api_req_started" | "deleted_api_reqs" | "subagent_usage")
        ) {
            return Vec::new();
        }
        let told = parsed_text(text_at(value, &["text"]).unwrap_or_default());
        recorded(Usage {
            provider: named(at(value, &["modelInfo", "providerId"])),
            dollars: dollars(told.get("cost")),
            is_of_several: say != Some("api_req_started"),
            ..tokens(
                &told,
                ["tokensIn", "cacheReads", "cacheWrites", "tokensOut"],
            )
        })
    }

    fn end(&mut self) -> Result<Option<Record<'static>>, Unreadable> {
        Ok(self.held().map(|output| Record {
            place: self.place,
            items: vec![output],
            ..Record::default()
        }))
    }
}

impl UiMessageReader {
    fn held<'b>(&mut self) -> Option<Item<'b>> {
        let output = std::mem::take(&mut self.output);
        (!output.is_empty()).then(|| item(answered(None, output.join("\n"), false)))
    }
}

fn items_of<'a>(
    what: &'a str,
    words: &'a str,
    message: &'a Json<'a>,
) -> Result<Vec<Item<'a>>, Unreadable> {
    Ok(match what {
        "task" | "user_feedback" | "user_feedback_diff" => vec![user_said(words)],
        "condense" | "condense_context" | "summarize_task" => vec![condensed()],
        "tool" => return tool_items(words),
        _ => {
            let events = events_of(what, words, message)?;
            events.into_iter().map(item).collect()
        }
    })
}

fn events_of<'a>(
    what: &'a str,
    words: &'a str,
    message: &'a Json<'a>,
) -> Result<Option<Event<'a>>, Unreadable> {
    let given_to = |tool| called(None, Some(tool), Some(parsed_text(words)));
    Ok(match what {
        "api_req_started" => Some(Event::TurnStarted),
        // The first message of a task is the user's, in older versions.
        "text" => said(words),
        "reasoning" if words.is_empty() => {
            thought(text_at(message, &["reasoning"]).unwrap_or_default())
        }
        "reasoning" => thought(words),
        "command" => Some(call("execute_command", [("command", words)])),
        "browser_action_launch" => Some(call(
            "browser_action",
            [("action", "launch"), ("url", words)],
        )),
        "browser_action" => Some(given_to(what)?),
        "browser_action_result" => {
            let given = parsed_text(words);
            let logs = text_at(&given, &["logs"]);
            logs.map(|logs| answered(None, logs, false).into_owned())
        }
        "use_mcp_server" => Some(given_to("use_mcp_tool")?),
        "mcp_server_response" => Some(answered(None, words, false)),
        "followup" | "plan_mode_respond" => Some(given_to(what)?),
        // It is asked again, without a text, whether the user is content.
        "completion_result" if words.is_empty() => None,
        "completion_result" => Some(call("attempt_completion", [("result", words)])),
        "error" | "diff_error" => Some(answered(None, words, true)),
        // Roo Code and Kilo Code ask so, too, when their detector has found a loop; in English it says so.
        "mistake_limit_reached" if words.contains("stuck in a loop") => Some(Event::LoopReported {
            by: Some("the agent".into()),
            detail: Some(words.into()),
        }),
        _ => Some(Event::Other),
    })
}

fn call<'a, const N: usize>(name: &'a str, args: [(&'a str, &'a str); N]) -> Event<'a> {
    let args = args.map(|(name, value)| (name, Json::from(value)));
    Event::ToolCall {
        key: None,
        id: None,
        name: name.into(),
        args: Some(Cow::Owned(Json::object(args))),
    }
}

fn tool_items<'b>(words: &str) -> Result<Vec<Item<'b>>, Unreadable> {
    let told = parsed_text(words);
    let tool = text_at(&told, &["tool"]);
    let tool = tool.ok_or_else(|| Unreadable::new("is a call without the tool's name"))?;
    let is_reader = READERS.iter().any(|reader| tool.starts_with(reader));
    let fields = match &*told {
        Json::Object(fields) => fields.iter(),
        _ => [].iter(),
    };
    let own = fields.filter(|(name, _)| name != "tool" && !(is_reader && name == "content"));
    let call = Event::ToolCall {
        key: None,
        id: None,
        name: tool.into(),
        args: Some(Cow::Owned(Json::Object(own.cloned().collect()))),
    };
    let content = text_at(&told, &["content"]).filter(|_| is_reader);
    let result = content.map(|content| item(answered(None, content, false)));
    let items = std::iter::once(item(call)).chain(result);
    Ok(items.map(Item::into_owned).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::formats::testing::told;

    #[test]
    fn a_commands_output_comes_in_pieces() {
        let lines = [
            r#"{"ts":1,"type":"ask","ask":"command","text":"ls"}"#,
            r#"{"ts":2,"type":"say","say":"command_output","text":"a"}"#,
            r#"{"ts":3,"type":"say","say":"command_output","text":"b"}"#,
            r#"{"ts":4,"type":"say","say":"text","text":"So."}"#,
            r#"{"ts":5,"type":"say","say":"text","text":"No","partial":true}"#,
            r#"{"ts":6,"type":"say","say":"command_output","text":"c"}"#,
            r#"{"ts":7,"type":"say"}"#,
        ];
        let told = told(&mut UiMessageReader::default(), &lines);
        let events = [
            r#"1 tool_call execute_command {"command":"ls"}"#,
            "4 tool_result a\nb",
            "4 text So.",
            "6 tool_result c",
        ];
        assert_eq!(told.events, events);
        assert_eq!(
            told.problems,
            ["7 is no message of a chat panel: no ts, ask or say"]
        );
    }

    #[test]
    fn each_kind_of_message_is_known() {
        for (kind, text, expected) in [
            ("reasoning", "hm", "reasoning hm"),
            ("task", "go", "user_message"),
            ("condense", "", "condensation"),
            (
                "browser_action_launch",
                "u",
                r#"tool_call browser_action {"action":"launch","url":"u"}"#,
            ),
            (
                "browser_action_result",
                r#"{\"logs\":\"l\"}"#,
                "tool_result l",
            ),
            (
                "use_mcp_server",
                r#"{\"a\":1}"#,
                r#"tool_call use_mcp_tool {"a":1}"#,
            ),
            ("followup", "what?", "tool_call followup what?"),
            ("diff_error", "no", "tool_result error no"),
            (
                "mistake_limit_reached",
                "It is stuck in a loop",
                "loop_reported",
            ),
            (
                "completion_result",
                "done",
                r#"tool_call attempt_completion {"result":"done"}"#,
            ),
            ("checkpoint_created", "x", "other"),
            (
                "tool",
                r#"{\"tool\":\"editedExistingFile\",\"content\":\"c\"}"#,
                r#"tool_call editedExistingFile {"content":"c"}"#,
            ),
        ] {
            let line = format!(r#"{{"ts":1,"type":"say","say":"{kind}","text":"{text}"}}"#);
            let told = told(&mut UiMessageReader::default(), &[line]);
            assert_eq!(told.events, [format!("1 {expected}")]);
        }
    }

    #[test]
    fn what_a_reading_tool_gave_is_its_result() {
        let line = r#"{"ts":1,"type":"ask","ask":"tool","text":"{\"tool\":\"readFile\",\"path\":\"a\",\"content\":\"c\"}"}"#;
        let told = told(&mut UiMessageReader::default(), &[line]);
        let call = r#"1 tool_call readFile {"path":"a"}"#;
        assert_eq!(told.events, [call, "1 tool_result c"]);
    }

    #[test]
    fn requests_that_were_taken_back_were_paid_for() {
        let lines = [
            r#"{"ts":1,"type":"say","say":"api_req_started","text":"{\"tokensIn\":10,\"tokensOut\":2,\"cacheReads\":5,\"cost\":0.1}","modelInfo":{"modelId":"m"}}"#,
            r#"{"ts":2,"type":"say","say":"deleted_api_reqs","text":"{\"tokensIn\":7}"}"#,
            r#"{"ts":3,"type":"say","say":"text","text":"{\"tokensIn\":7}"}"#,
        ];
        let told = told(&mut UiMessageReader::default(), &lines);
        assert_eq!(told.tokens(), [[10.0, 5.0, 0.0, 2.0], [7.0, 0.0, 0.0, 0.0]]);
        assert_eq!((told.model.as_deref(), told.different()), (Some("m"), 3));
    }
}
