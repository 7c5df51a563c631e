//! The `output.jsonl` of OpenHands' evaluations: a line a run, as `EvalOutput` in `evaluation/utils/shared.py` of
//! OpenHands and in `benchmarks/utils/models.py` of its benchmarks writes it.
//!
//! Read are `instance_id`, `instruction`, `history` (the events of the application or of the SDK, or in older files pairs
//! of an action and an observation), `error`, `metrics`, and `metadata.llm.model` or `metadata.llm_config.model`.

use turnkeeper_base::json::Json;
use turnkeeper_messages::Event;

use super::reader::{OpenHandsReader, history, stuck_run};
use super::usage::OpenHandsUsage;
use crate::sessions::format::{Format, RecordReader};
use crate::sessions::given::{at, known, text_at};
use crate::sessions::items::{item, model, of_session};
use crate::sessions::record::{Record, Unreadable, Usage};

/// Whether it is a run of an evaluation.
pub(crate) fn is_openhands_run(value: &Json) -> bool {
    let has_history = match value.get("history") {
        Some(Json::List(_)) => true,
        Some(Json::Null) => value.get("test_result").is_some(),
        _ => false,
    };
    text_at(value, &["instance_id"]).is_some() && has_history
}

/// Reads an evaluation. Each run is a prompt, named after its instance.
pub(crate) struct OpenHandsEvalReader;

impl RecordReader for OpenHandsEvalReader {
    fn format(&self) -> Format {
        Format::OpenHandsEval
    }

    fn read<'a>(&mut self, value: &'a Json<'a>, _place: u32) -> Result<Record<'a>, Unreadable> {
        let id = text_at(value, &["instance_id"]).filter(|_| is_openhands_run(value));
        let id = id.ok_or_else(|| Unreadable::new("is no run: no instance_id and history"))?;
        let llm = known(at(value, &["metadata", "llm"]));
        let llm = llm.or_else(|| at(value, &["metadata", "llm_config"]));
        let facts = model(llm.and_then(|llm| llm.get("model")));
        let words = text_at(value, &["instruction"]).unwrap_or_default();
        let mut reader = OpenHandsReader::default();
        let events = history(value).map(|event| Ok(reader.read(event, 0)?.items));
        let model = facts.model.as_ref();
        let (mut items, problem) = of_session(id.into(), model, words, "event", events)?;
        let is_said = |it: &Event| matches!(it, Event::LoopReported { .. });
        if !items.iter().any(|it| is_said(&it.event)) {
            items.extend(stuck_run(value.get("error")).map(item));
        }
        Ok(Record {
            items,
            facts,
            problem,
            ..Record::default()
        })
    }

    fn usage(&mut self, value: &Json) -> Vec<Usage> {
        let run = text_at(value, &["instance_id"]).unwrap_or_default();
        let total = format!("total {run}");
        let mut usage = OpenHandsUsage::default();
        let mut found: Vec<Usage> = history(value).flat_map(|it| usage.read(it)).collect();
        for usage in found.iter_mut().filter(|usage| usage.is_sum) {
            usage.id = Some(total.clone());
        }
        if let Some(metrics) = value.get("metrics") {
            found.extend(usage.all(metrics, &total));
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::formats::testing::told;

    #[test]
    fn each_run_has_its_requests_and_its_money() {
        let run = |id: &str, more: &str| {
            let history = r#"[[{"id":1,"source":"agent","action":"run","args":{"command":"ls"}},{"id":2,"cause":1,"observation":"run","content":"a"}]]"#;
            format!(r#"{{"instance_id":"{id}","history":{history},"instruction":"go"{more}}}"#)
        };
        let metrics = r#","metrics":{"accumulated_cost":0.5,"token_usages":[{"model":"m","prompt_tokens":10,"completion_tokens":2,"cache_read_tokens":4,"response_id":"r1"}]}"#;
        let stuck = r#","error":"AgentStuckInLoopError","metadata":{"llm":{"model":"m"}}"#;
        let lines = [
            run("a", metrics),
            run("b", stuck),
            r#"{"instance_id":"c"}"#.into(),
        ];
        let told = told(&mut OpenHandsEvalReader, &lines);
        let once = [
            "prompt_started",
            "turn_started",
            r#"tool_call #1 run {"command":"ls"}"#,
            "tool_result #1 a",
        ];
        let first = once.map(|event| format!("1 {event}"));
        let second = once.map(|event| format!("2 {event}"));
        let expected: Vec<String> = first.into_iter().chain(second).collect();
        assert_eq!(told.events[..8], expected[..]);
        assert_eq!(told.events[8..], ["2 loop_reported"]);
        assert_eq!(told.tokens()[0], [6.0, 4.0, 0.0, 2.0]);
        let sums = told.usage.iter().filter(|usage| usage.is_sum);
        let sums: Vec<_> = sums.map(|sum| (sum.id.as_deref(), sum.dollars)).collect();
        assert_eq!(sums, [(Some("total a"), Some(0.5))]);
        assert_eq!(told.problems, ["3 is no run: no instance_id and history"]);
    }

    #[test]
    fn an_event_that_cannot_be_read_costs_itself() {
        let history =
            r#"[{"id":1},{"id":2,"source":"agent","action":"run","args":{"command":"ls"}}]"#;
        let run = format!(r#"{{"instance_id":"a","history":{history}}}"#);
        let told = told(&mut OpenHandsEvalReader, &[run]);
        let events = [
            "1 prompt_started",
            "1 turn_started",
            r#"1 tool_call #2 run {"command":"ls"}"#,
        ];
        assert_eq!(told.events, events);
        let why = "which is no event: neither an action nor an observation";
        assert_eq!(told.problems, [format!("1 is read without event 1, {why}")]);
    }
}
