//! The output of `gemini -p … --output-format stream-json`: events of `packages/core/src/output/types.ts` of gemini-cli.
//! Read are `init` (`model`), `message` (`role`, `content`), `tool_use` (`tool_name`, `tool_id`, `parameters`),
//! `tool_result` (`tool_id`, `status`, `output`, `error`), `error` (`message`) and `result` (`stats`). There is no thinking
//! in it, and it does not say when the history was compressed.

use std::borrow::Cow;

use turnkeeper_base::json::Json;
use turnkeeper_messages::{Event, gemini::loop_found_in};

use crate::sessions::format::{Format, RecordReader};
use crate::sessions::given::{answered, at, called, text_at};
use crate::sessions::items::{host_said, item, model, of_model, user_said};
use crate::sessions::record::{Item, Record, Unreadable, Usage};
use crate::sessions::usage::{NO_FIELD, amount, inclusive, recorded, tokens};

/// The fields of an event of each type, which those of no other format have.
const FIELDS: &[(&str, &[&str])] = &[
    ("init", &["session_id", "model"]),
    ("message", &["role", "content"]),
    ("tool_use", &["tool_name", "tool_id"]),
    ("tool_result", &["tool_id", "status"]),
    ("error", &["severity", "message"]),
    ("result", &["status"]),
];

fn fields_of(event: &Json) -> Option<&'static [&'static str]> {
    let kind = text_at(event, &["type"])?;
    let known = FIELDS.iter().find(|(name, _)| *name == kind);
    known.map(|(_, fields)| *fields)
}

/// Whether it is an event of gemini-cli's stream.
pub(crate) fn is_gemini_stream_event(event: &Json) -> bool {
    let is_there = |name: &&str| text_at(event, &[name]).is_some();
    let is_whole = |fields: &[&str]| fields.iter().all(is_there);
    fields_of(event).is_some_and(is_whole) && is_there(&"timestamp")
}

/// Reads the stream of gemini-cli.
#[derive(Default)]
pub(crate) struct GeminiStreamReader {
    is_models_turn: bool,
    /// The number of times that the agent was started; the output of several may be in one file.
    runs: u32,
}

impl GeminiStreamReader {
    fn items<'a>(&mut self, event: &'a Json<'a>) -> Result<Vec<Item<'a>>, Unreadable> {
        let content = text_at(event, &["content"]).unwrap_or_default();
        let is_answer = text_at(event, &["role"]) == Some("assistant");
        Ok(match text_at(event, &["type"]).unwrap_or_default() {
            "tool_use" => {
                let args = event.get("parameters").map(Cow::Borrowed);
                let name = text_at(event, &["tool_name"]);
                self.models(called(event.get("tool_id"), name, args)?)
            }
            "message" if is_answer && content.is_empty() => Vec::new(),
            "message" if is_answer => self.models(Event::Text {
                text: content.into(),
            }),
            "error" => {
                let message = text_at(event, &["message"]).unwrap_or_default();
                vec![verdict_or_said(message)]
            }
            "result" => vec![item(Event::Finished)],
            kind => {
                self.is_models_turn = false;
                vec![match kind {
                    "message" => user_said(content),
                    _ => item(result_of(event)),
                }]
            }
        })
    }

    fn models<'a>(&mut self, event: Event<'a>) -> Vec<Item<'a>> {
        of_model(&mut self.is_models_turn, event)
    }
}

fn result_of<'a>(event: &'a Json<'a>) -> Event<'a> {
    let error = at(event, &["error", "message"]).and_then(Json::as_text);
    let said = text_at(event, &["output"]).or(error).unwrap_or_default();
    let is_error = text_at(event, &["status"]) == Some("error");
    answered(event.get("tool_id"), said, is_error)
}

/// Words of gemini-cli, which may be the verdict of its own detector.
pub(super) fn verdict_or_said(words: &str) -> Item<'_> {
    let said = host_said(words);
    match loop_found_in(words) {
        Some(event) => Item { event, ..said },
        None => said,
    }
}

impl RecordReader for GeminiStreamReader {
    fn format(&self) -> Format {
        Format::GeminiStream
    }

    fn read<'a>(&mut self, event: &'a Json<'a>, _place: u32) -> Result<Record<'a>, Unreadable> {
        let mut record = Record::default();
        // Later versions may say more; what they say already must be whole.
        if text_at(event, &["type"]).is_some() && fields_of(event).is_none() {
            record.items.push(item(Event::Other));
        } else if !is_gemini_stream_event(event) {
            return Err(Unreadable::new("is no event of a stream"));
        } else if text_at(event, &["type"]) == Some("init") {
            self.runs += 1;
            record.facts = model(event.get("model"));
        } else {
            record.items = self.items(event)?;
        }
        Ok(record)
    }

    /// The sums of a run, of each of its models where they are told apart.
    fn usage(&mut self, event: &Json) -> Vec<Usage> {
        let stats = event.get("stats");
        let Some(stats) = stats.filter(|_| text_at(event, &["type"]) == Some("result")) else {
            return Vec::new();
        };
        match stats.get("models") {
            Some(Json::Object(models)) if !models.is_empty() => {
                let sums = models.iter();
                sums.flat_map(|(name, stats)| recorded(sum(stats, self.runs, name)))
                    .collect()
            }
            _ => recorded(sum(stats, self.runs, "")),
        }
    }
}

/// All tokens beside the input are the model's; those of its thinking are in the total alone.
fn sum(stats: &Json, run: u32, model: &str) -> Usage {
    let rest = amount(stats.get("total_tokens")) - amount(stats.get("input_tokens"));
    let parts = tokens(stats, ["input_tokens", "cached", NO_FIELD, "output_tokens"]);
    inclusive(Usage {
        id: Some(format!("run {run} {model}")),
        model: (!model.is_empty()).then_some(model.into()),
        output: rest.max(parts.output),
        is_sum: true,
        ..parts
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::testing::{Told, told};

    fn event(fields: &str) -> String {
        format!(r#"{{"timestamp":"2026-01-01T09:00:00Z",{fields}}}"#)
    }

    fn stream(events: &[&str]) -> Told {
        let lines: Vec<String> = events.iter().map(|it| event(it)).collect();
        told(&mut GeminiStreamReader::default(), &lines)
    }

    #[test]
    fn a_turn_starts_with_the_first_thing_that_the_model_says() {
        let told = stream(&[
            r#""type":"init","session_id":"s","model":"m""#,
            r#""type":"message","role":"user","content":"Go.""#,
            r#""type":"message","role":"assistant","content":"I ""#,
            r#""type":"message","role":"assistant","content":"look.""#,
            r#""type":"message","role":"assistant","content":"""#,
            r#""type":"tool_use","tool_name":"ls","tool_id":"1","parameters":{}"#,
            r#""type":"tool_result","tool_id":"1","status":"error","error":{"message":"none"}"#,
            r#""type":"tool_use","tool_name":"ls","tool_id":"2","parameters":{}"#,
            r#""type":"error","severity":"error","message":"Loop detected, stopping execution""#,
            r#""type":"error","severity":"warning","message":"Full""#,
            r#""type":"result","status":"success""#,
            r#""type":"later""#,
            r#""type":"message","role":"user""#,
        ]);
        let expected = [
            "2 user_message",
            "3 turn_started",
            "3 text I ",
            "4 text look.",
            "6 tool_call #1 ls {}",
            "7 tool_result #1 error none",
            "8 turn_started",
            "8 tool_call #2 ls {}",
            "9 loop_reported",
            "10 other",
            "11 finished",
            "12 other",
        ];
        assert_eq!(told.events, expected);
        assert_eq!(told.problems, ["13 is no event of a stream"]);
        assert_eq!(told.model.as_deref(), Some("m"));
    }

    #[test]
    fn the_sums_of_each_run_count() {
        let result = r#""type":"result","status":"success","stats":"#;
        let init = r#""type":"init","session_id":"s","model":"m""#;
        let all = format!(
            r#"{result}{{"total_tokens":115,"input_tokens":100,"output_tokens":10,"cached":40}}"#
        );
        let each = r#"{"models":{"a":{"total_tokens":12,"input_tokens":10,"output_tokens":2},"b":{"output_tokens":3}}}"#;
        let told = stream(&[init, &all, init, &format!("{result}{each}")]);
        assert_eq!(
            told.tokens(),
            [
                [60.0, 40.0, 0.0, 15.0],
                [10.0, 0.0, 0.0, 2.0],
                [0.0, 0.0, 0.0, 3.0]
            ]
        );
        let ids: Vec<_> = told
            .usage
            .iter()
            .filter_map(|it| it.id.as_deref())
            .collect();
        assert_eq!(ids, ["run 1 ", "run 2 a", "run 2 b"]);
        assert!(told.usage.iter().all(|it| it.is_sum));
    }
}
