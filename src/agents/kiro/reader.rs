//! Sessions of Kiro: the JSON that `/chat save` writes (`kiro-session-export-v1`), whose `log_entries` are the elements
//! here, and the files `~/.kiro/sessions/cli/*.jsonl`, a line an entry.
//!
//! Read are of `metadata` `cwd`, `title` and the model's id, and of an entry `kind` and of its `data` `message_id`,
//! `meta.timestamp` and `content`, parts of the kinds `text`, `thinking` (`text`), `toolUse` (`toolUseId`, `name`,
//! `input`) and `toolResult` (`toolUseId`, `content`, `status`). What was used is recorded in credits, which are no money.

use std::borrow::Cow;

use turnkeeper_base::json::Json;
use turnkeeper_messages::Event;

use crate::sessions::format::{Format, RecordReader};
use crate::sessions::given::{
    answered, at, called, ended, known, list_at, said, shown, text_at, thought,
};
use crate::sessions::items::{condensed, fact, item, turn, user_said};
use crate::sessions::key::Key;
use crate::sessions::record::{Facts, Item, Record, Unreadable};
use crate::sessions::time::time;

/// Whether it is an entry of a session's log.
pub(crate) fn is_kiro_entry(value: &Json) -> bool {
    let is_kind = |kind| {
        matches!(
            kind,
            "Prompt" | "AssistantMessage" | "ToolResults" | "Compaction"
        )
    };
    text_at(value, &["kind"]).is_some_and(is_kind)
        && value.get("version").is_some()
        && matches!(value.get("data"), Some(Json::Object(_)))
}

/// Reads a session of Kiro.
pub(crate) struct KiroReader;

impl RecordReader for KiroReader {
    fn format(&self) -> Format {
        Format::Kiro
    }

    fn read<'a>(&mut self, value: &'a Json<'a>, _place: u32) -> Result<Record<'a>, Unreadable> {
        let kind = text_at(value, &["kind"]).filter(|_| value.get("data").is_some());
        let kind = kind.ok_or_else(|| Unreadable::new("is no entry: it has no kind and data"))?;
        let id = text_at(value, &["data", "message_id"]).filter(|id| !id.is_empty());
        Ok(Record {
            items: items_of(kind, list_at(value, &["data", "content"]))?,
            key: id.and_then(|id| Key::of(Format::Kiro).and(kind).and(id).made()),
            time: at(value, &["data", "meta", "timestamp"]).and_then(time),
            ..Record::default()
        })
    }

    fn property<'a>(&mut self, key: &str, value: &'a Json<'a>) -> Option<Facts<'a>> {
        let info = at(value, &["session_state", "rts_model_state", "model_info"]);
        let id = |name| fact(info.and_then(|info| info.get(name)));
        (key == "metadata").then(|| Facts {
            working_directory: fact(value.get("cwd")),
            title: fact(value.get("title")),
            model: id("model_id").or_else(|| id("model_name")),
        })
    }
}

fn items_of<'a>(kind: &str, parts: &'a [Json<'a>]) -> Result<Vec<Item<'a>>, Unreadable> {
    let results = parts.iter().filter_map(result_of).map(item);
    Ok(match kind {
        "Prompt" => {
            let words: Vec<&str> = parts.iter().filter_map(words_of).collect();
            let said = (!words.is_empty()).then(|| user_said(words.join("\n")));
            results.chain(said).collect()
        }
        "AssistantMessage" => turn(answer_events(parts)?),
        "ToolResults" => results.collect(),
        "Compaction" => vec![condensed()],
        _ => vec![item(Event::Other)],
    })
}

fn words_of<'a>(part: &'a Json<'a>) -> Option<&'a str> {
    text_at(part, &["data"]).filter(|_| text_at(part, &["kind"]) == Some("text"))
}

fn answer_events<'a>(parts: &'a [Json<'a>]) -> Result<Vec<Event<'a>>, Unreadable> {
    let mut answer = Vec::new();
    for part in parts {
        match text_at(part, &["kind"]) {
            Some("text") => answer.extend(words_of(part).and_then(said)),
            Some("thinking") => answer.extend(text_at(part, &["data", "text"]).and_then(thought)),
            Some("toolUse") => {
                let id = at(part, &["data", "toolUseId"]);
                let args = at(part, &["data", "input"]).map(Cow::Borrowed);
                answer.push(called(id, text_at(part, &["data", "name"]), args)?);
            }
            _ => {}
        }
    }
    Ok(answer)
}

fn result_of<'a>(part: &'a Json<'a>) -> Option<Event<'a>> {
    if text_at(part, &["kind"]) != Some("toolResult") {
        return None;
    }
    let content = list_at(part, &["data", "content"]);
    let texts: Vec<Cow<str>> = content.iter().map(text_of_output).collect();
    let has_failed = matches!(
        text_at(part, &["data", "status"]),
        Some("error" | "failure")
    );
    let mut codes = content.iter().filter_map(code_of);
    let result = answered(
        at(part, &["data", "toolUseId"]),
        texts.join("\n"),
        has_failed,
    );
    Some(ended(result, codes.next_back()))
}

/// Of a command its output, of anything else a text or JSON.
fn text_of_output<'a>(part: &'a Json<'a>) -> Cow<'a, str> {
    let streams = ["stdout", "stderr"].map(|name| text_at(part, &["data", name]));
    match streams {
        [None, None] => known(part.get("data")).map_or_else(Cow::default, shown),
        streams => {
            let streams = streams.into_iter().flatten().filter(|it| !it.is_empty());
            streams.collect::<Vec<_>>().join("\n").into()
        }
    }
}

/// The code in words such as "exit status: 1".
fn code_of(part: &Json) -> Option<i64> {
    let status = text_at(part, &["data", "exit_status"])?;
    status.rsplit(' ').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    use turnkeeper_base::json::parse;

    use crate::formats::testing::told;

    #[test]
    fn entries_of_other_kinds_say_nothing_and_logs_of_others_are_none() {
        let lines = [
            r#"{"version":"v1","kind":"CancelledPrompt","data":{}}"#,
            r#"{"version":"v1","kind":"Prompt"}"#,
            r#"{"version":"v1","kind":"AssistantMessage","data":{"content":[{"kind":"toolUse","data":{}}]}}"#,
        ];
        let told = told(&mut KiroReader, &lines);
        assert_eq!(told.events, ["1 other"]);
        let problems = [
            "2 is no entry: it has no kind and data",
            "3 has a tool call without a name",
        ];
        assert_eq!(told.problems, problems);
        for value in [
            r#"{"level":"info","text":"x"}"#,
            r#"{"kind":"Prompt","data":{}}"#,
        ] {
            let mut room = Vec::new();
            assert!(!is_kiro_entry(
                &parse(value.as_bytes(), &mut room).expect("JSON")
            ));
        }
    }

    #[test]
    fn the_same_entry_of_an_export_and_a_log_has_one_key() {
        let entry = r#"{"version":"VERSION","kind":"Prompt","data":{"message_id":"p","content":[{"kind":"text","data":"go"},{"kind":"text","data":"on"}]}}"#;
        let lines = [
            entry.replace("VERSION", "v1"),
            entry.replace("VERSION", "1"),
        ];
        let told = told(&mut KiroReader, &lines);
        assert_eq!((told.different(), told.said[0].as_str()), (1, "go\non"));
    }
}
