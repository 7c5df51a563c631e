//! Trajectories of SWE-agent (`.traj`): the `trajectory`, whose `history` says the same, and of `info` the
//! `model_stats`.

use std::borrow::Cow;

use turnkeeper_base::json::Json;
use turnkeeper_messages::{Event, is_white, trimmed};

use crate::sessions::format::{Format, RecordReader};
use crate::sessions::given::{answered, at, parsed, said, text_at};
use crate::sessions::items::{fact, turn};
use crate::sessions::record::{Facts, Record, Unreadable, Usage};
use crate::sessions::usage::{amount, paid, whole};

/// Whether it is a step of a trajectory.
pub(crate) fn is_swe_agent_step(value: &Json) -> bool {
    let observation = value.get("observation");
    text_at(value, &["action"]).is_some()
        && matches!(observation, None | Some(Json::Null | Json::Text(_)))
        && text_at(value, &["thought"])
            .or(text_at(value, &["response"]))
            .is_some()
}

/// Reads the steps of a trajectory.
#[derive(Default)]
pub(crate) struct SweAgentReader {
    /// The sum of all steps, which the file says beside them.
    sum: Vec<Usage>,
}

impl RecordReader for SweAgentReader {
    fn format(&self) -> Format {
        Format::SweAgent
    }

    fn read<'a>(&mut self, value: &'a Json<'a>, _place: u32) -> Result<Record<'a>, Unreadable> {
        let action = text_at(value, &["action"]).filter(|_| is_swe_agent_step(value));
        let action =
            action.ok_or_else(|| Unreadable::new("is no step: it has no action and thought"))?;
        let words = text_at(value, &["thought"]).or(text_at(value, &["response"]));
        let mut answer: Vec<_> = said(words.unwrap_or_default()).into_iter().collect();
        let command = trimmed(action);
        if !command.is_empty() {
            // The command's first word is the tool: edit, open, submit, or a program.
            let (name, args) = command.split_at(command.find(is_white).unwrap_or(command.len()));
            answer.push(Event::ToolCall {
                key: None,
                id: None,
                name: name.into(),
                args: Some(Cow::Owned(Json::from(trimmed(args)))),
            });
            let observation = text_at(value, &["observation"]);
            answer.extend(observation.map(|output| answered(None, output, false)));
        }
        let state = value.get("state").map(parsed);
        let facts = state.as_ref().map(|state| Facts {
            working_directory: fact(state.get("working_dir")),
            ..Facts::default()
        });
        Ok(Record {
            items: turn(answer),
            facts: facts.unwrap_or_default().into_owned(),
            ..Record::default()
        })
    }

    fn property<'a>(&mut self, key: &str, value: &'a Json<'a>) -> Option<Facts<'a>> {
        let of = |name| at(value, &["model_stats", name]);
        if key == "info" {
            self.sum = whole(Usage {
                input: amount(of("tokens_sent")),
                output: amount(of("tokens_received")),
                dollars: paid(of("instance_cost")),
                ..Usage::default()
            });
        }
        None
    }

    fn end(&mut self) -> Result<Option<Record<'static>>, Unreadable> {
        Ok(Record::of_usage(std::mem::take(&mut self.sum)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use turnkeeper_base::json::parse;

    use crate::formats::testing::told;

    #[test]
    fn a_commands_first_word_is_its_tool() {
        let lines = [
            r#"{"action":" edit 1:2\n x \n","thought":"hm","observation":"ok","state":"{\"working_dir\":\"/w\"}"}"#,
            r#"{"action":"submit","response":"now","observation":null}"#,
            r#"{"action":"\n","thought":""}"#,
            r#"{"action":"ls"}"#,
        ];
        let told = told(&mut SweAgentReader::default(), &lines);
        let events = [
            "1 turn_started",
            "1 text hm",
            "1 tool_call edit 1:2\n x",
            "1 tool_result ok",
            "2 turn_started",
            "2 text now",
            "2 tool_call submit ",
            "3 turn_started",
        ];
        assert_eq!(told.events, events);
        assert_eq!(told.working_directory.as_deref(), Some("/w"));
        assert_eq!(
            told.problems,
            ["4 is no step: it has no action and thought"]
        );
    }

    #[test]
    fn the_sum_of_a_run_is_beside_its_steps() {
        let mut reader = SweAgentReader::default();
        let info = r#"{"model_stats":{"tokens_sent":100,"tokens_received":9,"instance_cost":0.5}}"#;
        let mut room = Vec::new();
        let info = parse(info.as_bytes(), &mut room).expect("JSON");
        assert_eq!(reader.property("info", &info), None);
        let end = reader.end().expect("an end").expect("a record");
        let sum = &end.usage[0];
        assert_eq!(
            (sum.input, sum.output, sum.dollars),
            (100.0, 9.0, Some(0.5))
        );
    }
}
