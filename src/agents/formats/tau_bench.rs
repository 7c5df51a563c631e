//! Results of tau2-bench, one object whose `simulations` are the elements here, and of tau-bench, an array of runs with
//! OpenAI's messages in `traj`.
//!
//! Read are `info.agent_info.llm`, and of a simulation `id`, `task_id`, `trial` and `messages` (`role`, `content`,
//! `tool_calls`, `requestor`, `error`, `cost`, `usage`, `turn_idx`, `timestamp`). Calls that the simulated user makes, and
//! what it costs, are not the agent's.

use std::borrow::Cow;

use turnkeeper_base::json::{Json, written};
use turnkeeper_messages::Event;

use crate::sessions::format::{Format, RecordReader};
use crate::sessions::given::{
    answered, at, called, is_true_at, known, list_at, number_at, said, shown, text_at,
};
use crate::sessions::items::{host_said, item, model, of_session, plain, turn, user_said};
use crate::sessions::key::Key;
use crate::sessions::record::{Facts, Item, Record, Unreadable, Usage};
use crate::sessions::time::{time, time_of};
use crate::sessions::usage::{amount, paid, recorded};

/// Whether it is a simulation.
pub(crate) fn is_tau_simulation(value: &Json) -> bool {
    let is_list = |name| matches!(value.get(name), Some(Json::List(_)));
    let is_simulation = value.get("termination_reason").is_some() && is_list("messages");
    let is_run = value.get("reward").is_some() && is_list("traj");
    value.get("task_id").is_some() && (is_simulation || is_run)
}

fn messages_of<'a>(simulation: &'a Json<'a>) -> &'a [Json<'a>] {
    match list_at(simulation, &["messages"]) {
        [] => list_at(simulation, &["traj"]),
        messages => messages,
    }
}

/// Reads simulations. Each is a prompt, named after its task.
pub(crate) struct TauBenchReader;

impl RecordReader for TauBenchReader {
    fn format(&self) -> Format {
        Format::TauBench
    }

    fn read<'a>(&mut self, value: &'a Json<'a>, _place: u32) -> Result<Record<'a>, Unreadable> {
        if !is_tau_simulation(value) {
            return Err(Unreadable::new(
                "is no simulation: no task_id, termination_reason and messages",
            ));
        }
        let mut is_asked = false;
        let messages = messages_of(value).iter().map(|message| {
            is_asked |= text_at(message, &["role"]) == Some("user");
            items_of(message, is_asked)
        });
        let name = name_of(value).into();
        let (items, problem) = of_session(name, None, "", "message", messages)?;
        let id = text_at(value, &["id"]).filter(|id| !id.is_empty());
        Ok(Record {
            items,
            problem,
            key: id.and_then(|id| Key::of(Format::TauBench).and(id).made()),
            time: time_of(value).or_else(|| time(value.get("start_time")?)),
            ..Record::default()
        })
    }

    fn usage(&mut self, value: &Json) -> Vec<Usage> {
        let run = text_at(value, &["id"]);
        let messages = messages_of(value).iter().enumerate();
        let answers = messages.filter(|(_, it)| text_at(it, &["role"]) == Some("assistant"));
        let found = answers.flat_map(|(index, message)| {
            let of = |name| amount(at(message, &["usage", name]));
            recorded(Usage {
                id: run.map(|run| format!("{run} {index}")),
                input: of("prompt_tokens"),
                output: of("completion_tokens"),
                dollars: paid(message.get("cost")),
                time: time_of(message),
                ..Usage::default()
            })
        });
        found.collect()
    }

    fn property<'a>(&mut self, key: &str, value: &'a Json<'a>) -> Option<Facts<'a>> {
        let llm = at(value, &["agent_info", "llm"]);
        (key == "info").then(|| model(llm))
    }
}

fn name_of(simulation: &Json) -> String {
    let task = simulation.get("task_id").map(shown).unwrap_or_default();
    match number_at(simulation, &["trial"]) {
        Some(trial) if trial > 0.0 => format!("{task} (trial {trial})"),
        _ => task.into_owned(),
    }
}

fn items_of<'a>(message: &'a Json<'a>, is_asked: bool) -> Result<Vec<Item<'a>>, Unreadable> {
    let words = plain(message.get("content"));
    let is_agents = text_at(message, &["requestor"]) != Some("user");
    Ok(match text_at(message, &["role"]) {
        Some("user") if words.is_empty() => Vec::new(),
        Some("user") => vec![user_said(words)],
        // The agent's greeting comes before anybody has asked a model.
        Some("assistant") if !is_asked && known(message.get("usage")).is_none() => {
            vec![host_said(words)]
        }
        Some("assistant") => {
            let mut answer: Vec<Event> = said(words).into_iter().collect();
            for call in list_at(message, &["tool_calls"]) {
                let made = known(call.get("function")).unwrap_or(call);
                let args = made.get("arguments").map(Cow::Borrowed);
                answer.push(called(call.get("id"), text_at(made, &["name"]), args)?);
            }
            turn(answer)
        }
        Some("tool") if message.get("tool_messages").is_some() => {
            let results = list_at(message, &["tool_messages"]).iter();
            let agents = results.filter(|it| text_at(it, &["requestor"]) != Some("user"));
            agents.map(result_of).collect()
        }
        Some("tool") if is_agents => vec![result_of(message)],
        Some("tool") => Vec::new(),
        Some("system") => vec![host_said(words)],
        _ => {
            let role = message.get("role").map_or("undefined".into(), written);
            return Err(Unreadable::new(format!(
                "has a message of the role {role}, which no one has"
            )));
        }
    })
}

fn result_of<'a>(message: &'a Json<'a>) -> Item<'a> {
    let is_error = is_true_at(message, &["error"]);
    item(answered(
        known(message.get("id")).or_else(|| message.get("tool_call_id")),
        plain(message.get("content")),
        is_error,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::formats::testing::told;

    #[test]
    fn runs_of_the_first_tau_bench_have_openais_messages() {
        let line = r#"{"task_id":3,"reward":1.0,"info":{},"trial":0,"traj":[{"role":"system","content":"Rules"},{"role":"user","content":"go"},{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"a","name":"f","content":"x"}]}"#;
        let told = told(&mut TauBenchReader, &[line]);
        let events = [
            "prompt_started", "other", "user_message", "turn_started", "tool_call #a f {}",
            "tool_result #a x",
        ];
        assert_eq!(told.events, events.map(|event| format!("1 {event}")));
    }

    #[test]
    fn several_results_come_in_one_message_and_the_users_are_not_the_agents() {
        let messages = [
            r#"{"role":"user","content":"go"}"#,
            r#"{"role":"assistant","content":"","tool_calls":[{"id":"a","name":"f","arguments":{}}],"cost":0.1}"#,
            r#"{"role":"tool","tool_messages":[{"id":"a","content":"x","error":true},{"id":"u","content":"y","requestor":"user"}]}"#,
        ];
        let simulation = |messages: &str| {
            format!(
                r#"{{"id":"s","task_id":3,"trial":1,"termination_reason":"x","messages":[{messages}]}}"#
            )
        };
        let lines = [
            simulation(&messages.join(",")),
            simulation(r#"{"role":"judge"}"#),
            r#"{"messages":[]}"#.into(),
            simulation(r#"{"role":"judge"},{"role":"user","content":"go"}"#),
        ];
        let told = told(&mut TauBenchReader, &lines);
        let events = [
            "1 prompt_started",
            "1 user_message",
            "1 turn_started",
            "1 tool_call #a f {}",
            "1 tool_result #a error x",
            "4 prompt_started",
            "4 user_message",
        ];
        assert_eq!(told.events, events);
        let usage: Vec<_> = told
            .usage
            .iter()
            .map(|it| (it.id.as_deref(), it.dollars))
            .collect();
        assert_eq!(usage, [(Some("s 1"), Some(0.1))]);
        let problems = [
            r#"2 has a message of the role "judge", which no one has"#,
            "3 is no simulation: no task_id, termination_reason and messages",
            r#"4 is read without message 1, which has a message of the role "judge", which no one has"#,
        ];
        assert_eq!(told.problems, problems);
    }
}
