//! Trajectories of mini-swe-agent (`*.traj.json`), versions 1 and 2, as `save_traj` and `DefaultAgent.serialize` write
//! them.
//!
//! Read are `info` (`mini_version`, `model_stats`, `config.model.model_name`, `config.environment.cwd`),
//! `trajectory_format`, and `messages`, which are those of the model's provider with `extra` (`actions`, `returncode`,
//! `response`, `cost`).

use turnkeeper_base::json::Json;

use super::messages::MessageReader;
use crate::sessions::format::{Format, RecordReader};
use crate::sessions::given::{at, known, number_at, text_at};
use crate::sessions::items::fact;
use crate::sessions::record::{Facts, Record, Unreadable, Usage};
use crate::sessions::usage::{completion, paid, recorded, whole};

/// Whether a property beside the messages says that they are mini-swe-agent's.
pub(crate) fn is_mini_swe_agent_property(key: &str, value: &Json) -> bool {
    let is_there = |name| known(value.get(name)).is_some();
    match key {
        "trajectory_format" => value
            .as_text()
            .is_some_and(|it| it.starts_with("mini-swe-agent")),
        "info" => is_there("mini_version") || value.get("model_stats").is_some(),
        _ => false,
    }
}

/// Reads the messages of a trajectory, and what is said of the run beside them.
pub(crate) struct MiniSweAgentReader {
    messages: MessageReader,
    /// The money of the run, if the file says it.
    cost: Option<f64>,
}

impl MiniSweAgentReader {
    /// Before the first message.
    pub(crate) fn new() -> Self {
        Self {
            messages: MessageReader::new(Some(Format::MiniSweAgent)),
            cost: None,
        }
    }
}

impl RecordReader for MiniSweAgentReader {
    fn format(&self) -> Format {
        Format::MiniSweAgent
    }

    fn read<'a>(&mut self, value: &'a Json<'a>, place: u32) -> Result<Record<'a>, Unreadable> {
        self.messages.read(value, place)
    }

    /// The answer as the provider gave it, beside the message.
    fn usage(&mut self, value: &Json) -> Vec<Usage> {
        if text_at(value, &["role"]) != Some("assistant") {
            return Vec::new();
        }
        let response = at(value, &["extra", "response"]).unwrap_or(&Json::Null);
        recorded(Usage {
            dollars: paid(at(value, &["extra", "cost"])),
            ..completion(response)
        })
    }

    fn property<'a>(&mut self, key: &str, value: &'a Json<'a>) -> Option<Facts<'a>> {
        if key != "info" {
            return None;
        }
        self.cost = number_at(value, &["model_stats", "instance_cost"]).filter(|cost| *cost > 0.0);
        Some(Facts {
            model: fact(at(value, &["config", "model", "model_name"])),
            working_directory: fact(at(value, &["config", "environment", "cwd"])),
            title: None,
        })
    }

    fn end(&mut self) -> Result<Option<Record<'static>>, Unreadable> {
        let usage = whole(Usage {
            dollars: self.cost.take(),
            ..Usage::default()
        });
        Ok(Record::of_usage(usage))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use turnkeeper_base::json::parse;

    use crate::formats::testing::told;

    #[test]
    fn the_providers_answer_beside_a_message_says_what_it_used() {
        let line = r#"{"role":"assistant","content":"THOUGHT","extra":{"actions":[{"command":"ls"}],"cost":0.2,"response":{"id":"r","model":"m","usage":{"prompt_tokens":10,"completion_tokens":2,"prompt_tokens_details":{"cached_tokens":4}}}}}"#;
        let told = told(&mut MiniSweAgentReader::new(), &[line]);
        let call = r#"1 tool_call bash {"command":"ls"}"#;
        assert_eq!(told.events, ["1 turn_started", "1 text THOUGHT", call]);
        assert_eq!(told.tokens(), [[6.0, 4.0, 0.0, 2.0]]);
        assert_eq!(told.usage[0].dollars, Some(0.2));
    }

    #[test]
    fn the_run_is_described_beside_the_messages() {
        let info = r#"{"mini_version":"2","model_stats":{"instance_cost":0.5},"config":{"model":{"model_name":"m"},"environment":{"cwd":"/w"}}}"#;
        let mut room = Vec::new();
        let info = parse(info.as_bytes(), &mut room).expect("JSON");
        assert!(is_mini_swe_agent_property("info", &info));
        assert!(!is_mini_swe_agent_property("other", &info));
        let mut reader = MiniSweAgentReader::new();
        let facts = reader.property("info", &info).expect("facts");
        assert_eq!(
            (facts.model.as_deref(), facts.working_directory.as_deref()),
            (Some("m"), Some("/w"))
        );
        let end = reader.end().expect("an end").expect("a record");
        assert_eq!(
            (end.usage[0].dollars, end.usage[0].is_sum),
            (Some(0.5), true)
        );
    }
}
