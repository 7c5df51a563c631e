//! Trajectories in ATIF, the format that benchmark runs are exchanged in: one object with `schema_version`
//! ("ATIF-v1.x"), `session_id`, `agent` (`model_name`), `steps` and `final_metrics`.
//!
//! Read are of a step `source`, `message`, `reasoning_content`, `model_name`, `metrics`, `is_copied_context`,
//! `tool_calls` (`tool_call_id`, `function_name`, `arguments`) and `observation.results` (`source_call_id`, `content`).
//! The work of subagents is in trajectories of their own.

use std::borrow::Cow;

use turnkeeper_base::json::Json;
use turnkeeper_messages::Event;

use crate::sessions::format::{Format, RecordReader};
use crate::sessions::given::{
    answered, called, is_true_at, list_at, number_at, said, text_at, thought,
};
use crate::sessions::items::{host_said, item, model, plain, turn, user_said};
use crate::sessions::key::Key;
use crate::sessions::record::{Facts, Item, Record, Unreadable, Usage};
use crate::sessions::tokens::Tokens;
use crate::sessions::usage::{NO_FIELD, dollars, inclusive, named, paid, recorded, tokens, whole};

/// Whether it is a step of such a trajectory.
pub(crate) fn is_atif_step(value: &Json) -> bool {
    number_at(value, &["step_id"]).is_some()
        && matches!(
            text_at(value, &["source"]),
            Some("user" | "agent" | "system")
        )
}

/// Reads a trajectory in ATIF.
#[derive(Default)]
pub(crate) struct AtifReader {
    session: Option<String>,
    /// The record of the steps.
    given: Tokens,
    /// The trajectory's record of all steps.
    sum: Vec<Usage>,
}

impl RecordReader for AtifReader {
    fn format(&self) -> Format {
        Format::Atif
    }

    fn read<'a>(&mut self, value: &'a Json<'a>, _place: u32) -> Result<Record<'a>, Unreadable> {
        if !is_atif_step(value) {
            return Err(Unreadable::new("is no step: no step_id and source"));
        }
        // A trajectory that goes on from another begins with steps of the other's.
        let left_out = is_true_at(value, &["is_copied_context"]);
        Ok(Record {
            items: match left_out {
                true => Vec::new(),
                false => items_of(value)?,
            },
            facts: model(value.get("model_name")),
            key: self.session.as_ref().and_then(|session| {
                let step = value.get("step_id")?;
                Key::of(Format::Atif).and(session).and_value(step).made()
            }),
            left_out,
            ..Record::default()
        })
    }

    fn usage(&mut self, value: &Json) -> Vec<Usage> {
        let is_copy = is_true_at(value, &["is_copied_context"]);
        if text_at(value, &["source"]) != Some("agent") || is_copy {
            return Vec::new();
        }
        let metrics = value.get("metrics").unwrap_or(&Json::Null);
        let names = [
            "prompt_tokens", "cached_tokens", NO_FIELD, "completion_tokens",
        ];
        let found = recorded(Usage {
            model: named(value.get("model_name")),
            dollars: dollars(metrics.get("cost_usd")),
            ..inclusive(tokens(metrics, names))
        });
        let given = found.iter().map(Tokens::of);
        self.given = given.fold(self.given, Tokens::plus);
        found
    }

    fn property<'a>(&mut self, key: &str, value: &'a Json<'a>) -> Option<Facts<'a>> {
        match key {
            "agent" => return Some(model(value.get("model_name"))),
            "session_id" => self.session = value.as_text().map(str::to_owned),
            "final_metrics" => {
                let names = [
                    "total_prompt_tokens",
                    "total_cached_tokens",
                    NO_FIELD,
                    "total_completion_tokens",
                ];
                self.sum = whole(Usage {
                    dollars: paid(value.get("total_cost_usd")),
                    ..inclusive(tokens(value, names))
                });
            }
            _ => {}
        }
        None
    }

    /// The sum has what no step has.
    fn end(&mut self) -> Result<Option<Record<'static>>, Unreadable> {
        let sum = self.sum.pop().map(|sum| {
            let rest = match self.given.total() > 0.0 {
                true => Tokens::default(),
                false => Tokens::of(&sum),
            };
            rest.put_into(sum)
        });
        let sum = sum.filter(|sum| sum.dollars.is_some() || Tokens::of(sum).total() > 0.0);
        Ok(Record::of_usage(sum.into_iter().collect()))
    }
}

fn items_of<'a>(step: &'a Json<'a>) -> Result<Vec<Item<'a>>, Unreadable> {
    let words = plain(step.get("message"));
    let results = list_at(step, &["observation", "results"]).iter();
    let results = results.map(|result| {
        answered(
            result.get("source_call_id"),
            plain(result.get("content")),
            false,
        )
    });
    let said_by = match text_at(step, &["source"]) {
        Some("user") => Some(user_said(words.clone())),
        Some("system") => Some(host_said(words.clone())),
        _ => None,
    };
    if let Some(said) = said_by {
        return Ok(std::iter::once(said).chain(results.map(item)).collect());
    }
    let reasoning = thought(text_at(step, &["reasoning_content"]).unwrap_or_default());
    let mut answer: Vec<Event> = reasoning.into_iter().chain(said(words)).collect();
    for call in list_at(step, &["tool_calls"]) {
        let args = call.get("arguments").map(Cow::Borrowed);
        let name = text_at(call, &["function_name"]);
        answer.push(called(call.get("tool_call_id"), name, args)?);
    }
    answer.extend(results);
    Ok(turn(answer))
}

#[cfg(test)]
mod tests {
    use super::*;

    use turnkeeper_base::json::parse;

    use crate::formats::testing::told;

    fn given(reader: &mut AtifReader, key: &str, value: &str) {
        let mut room = Vec::new();
        reader.property(key, &parse(value.as_bytes(), &mut room).expect("JSON"));
    }

    const STEP: &str = r#"{"step_id":2,"source":"agent","message":"hi","tool_calls":[{"tool_call_id":"c","function_name":"f","arguments":{}}],"observation":{"results":[{"source_call_id":"c","content":"ok"}]}}"#;

    #[test]
    fn steps_of_another_trajectory_are_left_out() {
        let mut reader = AtifReader::default();
        given(&mut reader, "session_id", r#""s""#);
        let copied = r#"{"step_id":1,"source":"agent","message":"before","is_copied_context":true,"metrics":{"prompt_tokens":5}}"#;
        let told = told(&mut reader, &[copied, STEP, "{}"]);
        let events = [
            "2 turn_started",
            "2 text hi",
            "2 tool_call #c f {}",
            "2 tool_result #c ok",
        ];
        assert_eq!(told.events, events);
        assert_eq!(told.different(), 1);
        assert_eq!((told.left_out, told.usage), (vec![1], vec![]));
        assert_eq!(told.problems, ["3 is no step: no step_id and source"]);
    }

    #[test]
    fn the_sum_says_only_what_no_step_has_said() {
        let metrics = r#"{"total_prompt_tokens":100,"total_completion_tokens":9,"total_cached_tokens":60,"total_cost_usd":0.5}"#;
        let with = STEP.replace(
            r#""message""#,
            r#""metrics":{"prompt_tokens":10},"message""#,
        );
        for (step, tokens) in [(STEP, [40.0, 60.0, 0.0, 9.0]), (&with, [0.0; 4])] {
            let mut reader = AtifReader::default();
            let mut room = Vec::new();
            reader.usage(&parse(step.as_bytes(), &mut room).expect("JSON"));
            given(&mut reader, "final_metrics", metrics);
            let end = reader.end().expect("an end").expect("a record");
            let usage = &end.usage[0];
            let found = [
                usage.input, usage.cache_read, usage.cache_write, usage.output,
            ];
            assert_eq!(found, tokens);
            assert_eq!(end.usage[0].dollars, Some(0.5));
        }
    }
}
