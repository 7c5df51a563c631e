//! Chats of VS Code (Copilot Chat and other agents), `workspaceStorage/*/chatSessions/*`: the older `.json`, whose
//! `requests` are the elements here, and the newer `.jsonl`, a log of changes to the same object (see `change_log.rs`).
//!
//! Read are, as `ISerializableChatRequestData` of VS Code and `IResultMetadata` of Copilot Chat have them: of a request
//! `requestId`, `timestamp`, `message.text`, `modelId` and, once it is answered, `result.metadata` with `toolCallRounds`
//! (`id`, `thinking.text`, `response`, `toolCalls`, `summary`), `toolCallResults`, `summary` and its tokens; else
//! `response`, the panel's parts (see `copilot_panel.rs`); and of the session `customTitle`.

use turnkeeper_base::json::Json;
use turnkeeper_base::text::hash::mixed;

use super::change_log::{ChangeLog, is_change, is_initial_change};
use super::panel::{is_subagents, panel_events};
use super::rounds::round_events;
use crate::sessions::format::{Format, RecordReader};
use crate::sessions::given::{at, known, list_at, number_at, text_at};
use crate::sessions::items::{condensed, fact, item, model, user_said};
use crate::sessions::key::Key;
use crate::sessions::record::{Facts, Item, Record, Unreadable, Usage};
use crate::sessions::time::time_of;
use crate::sessions::usage::{amount, named, recorded};

/// Whether it is a request of a chat of VS Code.
pub(crate) fn is_copilot_request(value: &Json) -> bool {
    let has_words = text_at(value, &["message"]).or(text_at(value, &["message", "text"]));
    let response = known(value.get("response"));
    text_at(value, &["requestId"]).is_some()
        && has_words.is_some()
        && response.or_else(|| value.get("variableData")).is_some()
}

/// Whether it is the first line of the log of a chat.
pub(crate) fn is_copilot_log(value: &Json) -> bool {
    is_initial_change(value)
        && text_at(value, &["v", "sessionId"]).is_some()
        && matches!(at(value, &["v", "requests"]), Some(Json::List(_)))
}

/// The first names of a chat's object, and how far they are from its beginning at most.
const FIRST_NAMES: &[&str] = &[
    "responderUsername", "requesterUsername", "initialLocation", "creationDate",
];
const FIRST_BYTES: usize = 4_000;

/// Whether a text begins like a chat: a request may be longer than what there is of the file.
pub(crate) fn is_copilot_beginning(text: &str) -> bool {
    let mut text: String = text.chars().take(2 * FIRST_BYTES).collect();
    text.retain(|it| !it.is_whitespace());
    let rest = text.strip_prefix('{').unwrap_or_default();
    let rest = rest.strip_prefix("\"kind\":0,\"v\":{").unwrap_or(rest);
    let rest = rest.strip_prefix("\"version\":").unwrap_or_default();
    let names = rest.trim_start_matches(|it: char| it.is_ascii_digit());
    let is_there = |name: &&str| {
        let at = names.find(&format!("\"{name}\":"));
        at.is_some_and(|at| at <= FIRST_BYTES)
    };
    names.len() < rest.len() && FIRST_NAMES.iter().any(is_there)
}

/// Reads a chat of VS Code. Of a log, a request is given out when the next one begins, for until then its answer grows.
/// Whatever subagents did (`subAgentInvocationId`) is left out.
#[derive(Default)]
pub(crate) struct CopilotChatReader {
    log: ChangeLog,
    /// The number of requests of the log that have been given out.
    done: usize,
    /// Where the last request of the log begins.
    place: u32,
    /// The record of the requests of a log's last line.
    usage: Vec<Usage>,
}

impl RecordReader for CopilotChatReader {
    fn format(&self) -> Format {
        Format::CopilotChat
    }

    fn read<'a>(&mut self, value: &'a Json<'a>, place: u32) -> Result<Record<'a>, Unreadable> {
        self.usage.clear();
        if is_change(value) {
            return self.change(value, place);
        }
        if !is_copilot_request(value) {
            return Err(Unreadable::new("is no request: no requestId and message"));
        }
        request_record(value)
    }

    fn usage(&mut self, value: &Json) -> Vec<Usage> {
        match is_change(value) {
            true => std::mem::take(&mut self.usage),
            false => request_usage(value),
        }
    }

    fn property<'a>(&mut self, key: &str, value: &'a Json<'a>) -> Option<Facts<'a>> {
        (key == "customTitle").then(|| Facts {
            title: fact(Some(value)),
            ..Facts::default()
        })
    }

    fn end(&mut self) -> Result<Option<Record<'static>>, Unreadable> {
        let requests = self.requests();
        let record = joined(requests.get(self.done..).unwrap_or_default())?;
        self.done = requests.len();
        Ok((!record.items.is_empty()).then_some(Record {
            place: self.place,
            ..record
        }))
    }
}

impl CopilotChatReader {
    fn change<'b>(&mut self, change: &Json, place: u32) -> Result<Record<'b>, Unreadable> {
        let count = self.requests().len();
        let kept = kept_requests(change).filter(|kept| (*kept as usize) < count);
        // Requests that are taken back have been sent all the same; the model no longer sees them.
        let mut record = match kept {
            Some(_) => joined(self.requests().get(self.done..).unwrap_or_default())?,
            None => Record::default(),
        };
        record.items.extend(kept.map(|_| condensed()));
        self.log.apply(change)?;
        let requests = self.requests();
        let length = requests.len();
        let from = kept.map_or(self.done, |kept| kept as usize).min(length);
        let to = from.max(length.saturating_sub(1));
        let finished = joined(&requests[from..to]);
        self.done = to;
        let finished = finished?;
        let began = self.place;
        if length != count || kept.is_some() {
            self.place = place;
        }
        record.items.extend(finished.items);
        if !record.items.is_empty() {
            record.place = if began == 0 { place } else { began };
        }
        record.usage.extend(finished.usage);
        self.usage = std::mem::take(&mut record.usage);
        let last = self.requests().last();
        let model = model(last.and_then(|last| last.get("modelId")));
        let model = model.into_owned().model;
        let title = fact(self.log.state().get("customTitle"));
        record.facts = Facts {
            model: model.or(finished.facts.model).or(record.facts.model),
            title: title.map(|title| title.into_owned().into()),
            working_directory: None,
        };
        record.left_out |= finished.left_out;
        record.time = record.time.or(finished.time);
        record.key = match (record.key, finished.key) {
            (key, None) | (None, key) => key,
            (Some(one), Some(other)) => Some(mixed(one, other)),
        };
        Ok(record)
    }

    fn requests(&self) -> &[Json<'static>] {
        match self.log.state().get("requests") {
            Some(Json::List(requests)) => requests,
            _ => &[],
        }
    }
}

/// The number of requests that a change keeps, if it takes some back.
fn kept_requests(change: &Json) -> Option<f64> {
    let is_of_requests =
        matches!(list_at(change, &["k"]), [key] if key.as_text() == Some("requests"));
    number_at(change, &["i"]).filter(|kept| is_of_requests && *kept >= 0.0)
}

/// The record of requests that have been finished together.
fn joined<'b>(requests: &[Json<'static>]) -> Result<Record<'b>, Unreadable> {
    let mut joined = Record::default();
    for request in requests {
        let record = request_record(request)?;
        let items = record.items.into_iter();
        joined.items.extend(items.map(Item::into_owned));
        joined.facts = record.facts.into_owned();
        joined.left_out |= record.left_out;
        let time = time_of(request);
        joined.time = joined.time.or(time);
        joined.usage.extend(
            request_usage(request)
                .into_iter()
                .map(|usage| Usage { time, ..usage }),
        );
        joined.key = match joined.key.zip(record.key) {
            Some((one, other)) => Some(mixed(one, other)),
            None => record.key,
        };
    }
    Ok(joined)
}

fn request_record<'a>(request: &'a Json<'a>) -> Result<Record<'a>, Unreadable> {
    let id = text_at(request, &["requestId"]);
    let id = id.ok_or_else(|| Unreadable::new("has a request without a requestId"))?;
    let words = text_at(request, &["message"]).or(text_at(request, &["message", "text"]));
    let shown = list_at(request, &["response"]);
    let metadata = at(request, &["result", "metadata"]).unwrap_or(&Json::Null);
    let answer = match list_at(metadata, &["toolCallRounds"]) {
        [] => panel_events(shown)?,
        rounds => round_events(rounds, metadata)?,
    };
    let words = user_said(words.unwrap_or_default());
    Ok(Record {
        items: std::iter::once(words)
            .chain(answer.into_iter().map(item))
            .collect(),
        facts: model(request.get("modelId")),
        key: Key::of(Format::CopilotChat).and(id).made(),
        left_out: shown.iter().any(is_subagents),
        ..Record::default()
    })
}

fn request_usage(request: &Json) -> Vec<Usage> {
    let metadata = at(request, &["result", "metadata"]).unwrap_or(&Json::Null);
    let of = |name, other| known(metadata.get(name)).or_else(|| request.get(other));
    recorded(Usage {
        id: named(request.get("requestId")),
        model: named(of("resolvedModel", "modelId")),
        input: amount(of("promptTokens", "promptTokens")),
        output: amount(of("outputTokens", "completionTokens")),
        // A request of a person may take several of the model.
        is_of_several: true,
        ..Usage::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::formats::testing::told;

    fn request(id: &str, response: &str) -> String {
        format!(
            r#"{{"requestId":"{id}","timestamp":5000000000000,"message":{{"text":"go"}},"modelId":"m","variableData":{{}},"response":[{response}]}}"#
        )
    }

    fn call(id: &str, tool: &str, more: &str) -> String {
        format!(
            r#"{{"kind":"toolInvocationSerialized","toolId":"{tool}","toolCallId":"{id}"{more}}}"#
        )
    }

    #[test]
    fn a_hidden_call_and_the_inner_one_that_does_its_work_are_one() {
        let hidden = r#","presentation":"hidden","invocationMessage":"Using a tool""#;
        let shown = r#","invocationMessage":"Fetching page 1","resultDetails":{"output":"ok"}"#;
        let pair = [
            call("1", "copilot_fetchWebPage", hidden),
            call("2", "vscode_fetchWebPage_internal", shown),
            call(
                "3",
                "vscode_fetchWebPage_internal",
                r#","invocationMessage":"Fetching page 2""#,
            ),
        ];
        let told = told(
            &mut CopilotChatReader::default(),
            &[request("r", &pair.join(","))],
        );
        let events = [
            "1 user_message",
            "1 turn_started",
            r#"1 tool_call #1 copilot_fetchWebPage {"says":"Fetching page 1"}"#,
            "1 tool_result #1 ok",
            "1 turn_started",
            r#"1 tool_call #3 vscode_fetchWebPage_internal {"says":"Fetching page 2"}"#,
        ];
        assert_eq!(told.events, events);
    }

    #[test]
    fn a_hidden_edit_is_the_models_call() {
        let hidden = r#","presentation":"hidden","invocationMessage":{"value":"Editing a.ts"}"#;
        let edit = call("1", "copilot_replaceString", hidden);
        let parts = format!(r#"{edit},{{"kind":"textEditGroup","edits":[]}},{edit}"#);
        let told = told(&mut CopilotChatReader::default(), &[request("r", &parts)]);
        let edit = r#"1 tool_call #1 copilot_replaceString {"says":"Editing a.ts"}"#;
        assert_eq!(told.events, ["1 user_message", "1 turn_started", edit]);
    }

    #[test]
    fn a_log_gives_a_request_out_when_the_next_begins_and_what_it_used() {
        let answer = r#"{"metadata":{"promptTokens":100,"outputTokens":7,"resolvedModel":"n"}}"#;
        let lines = [
            format!(
                r#"{{"kind":0,"v":{{"sessionId":"s","customTitle":"t","requests":[{}]}}}}"#,
                request("a", "")
            ),
            r#"{"kind":2,"k":["requests",0,"response"],"v":[{"value":"hm"}]}"#.into(),
            format!(r#"{{"kind":1,"k":["requests",0,"result"],"v":{answer}}}"#),
            format!(
                r#"{{"kind":2,"k":["requests"],"v":[{}]}}"#,
                request("b", "")
            ),
            r#"{"kind":2,"k":["requests"],"v":[],"i":1}"#.into(),
            r#"{"kind":1,"k":["nothing","here"],"v":1}"#.into(),
        ];
        let told = told(&mut CopilotChatReader::default(), &lines);
        let events = [
            "4 user_message", "4 turn_started", "4 text hm", "5 user_message", "5 condensation",
        ];
        assert_eq!(told.events, events);
        let usage = Usage {
            id: Some("a".into()),
            is_of_several: true,
            model: Some("n".into()),
            time: Some(5e12),
            input: 100.0,
            output: 7.0,
            ..Usage::default()
        };
        assert_eq!(told.usage, [usage]);
        assert_eq!(
            told.problems,
            [r#"6 changes "nothing.here", which is not there"#]
        );
        assert_eq!(told.title.as_deref(), Some("t"));
        assert_eq!(told.keys[0], Key::of(Format::CopilotChat).and("a").made());
    }

    #[test]
    fn a_beginning_is_known_wherever_it_ends() {
        for (text, is) in [
            (r#"{"version": 3, "responderUsername": "x"#, true),
            (r#"{"kind":0,"v":{"version":3,"creationDate":1"#, true),
            (r#"{"version": "3", "responderUsername": "x""#, false),
            (r#"{"version": 3, "name": "x""#, false),
            ("", false),
        ] {
            assert_eq!(is_copilot_beginning(text), is, "{text}");
        }
    }
}
