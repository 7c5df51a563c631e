//! Events of OpenHands: of the application (actions and observations), or of the agent SDK (`kind`).

use std::borrow::Cow;

use turnkeeper_base::json::{Json, written};
use turnkeeper_messages::{Event, exit_code};

use super::sdk::sdk_items;
use super::usage::OpenHandsUsage;
use crate::sessions::format::{Format, RecordReader};
use crate::sessions::given::{at, list_at, number_at, said, text_at};
use crate::sessions::items::{condensed, host_said, item, turn, user_said};
use crate::sessions::key::Key;
use crate::sessions::record::{Item, Record, Unreadable, Usage};

/// Whether it is an event of OpenHands: of the application's, or of the agent SDK's.
pub fn is_openhands_event(value: &Json) -> bool {
    let kind = text_at(value, &["kind"]).unwrap_or_default();
    if ["Event", "Observation", "Condensation"]
        .iter()
        .any(|end| kind.ends_with(end))
    {
        return true;
    }
    let is_named = text_at(value, &["action"]).or(text_at(value, &["observation"]));
    let is_sent = text_at(value, &["source"]).is_some() || number_at(value, &["id"]).is_some();
    is_named.is_some() && is_sent
}

/// Actions of the application that are no calls of tools.
const NO_CALLS: &[&str] = &[
    "message", "system", "change_agent_state", "null", "recall", "start",
];
/// Observations that answer no call.
const NO_RESULTS: &[&str] = &[
    "null",
    "agent_state_changed",
    "recall",
    "user_rejected_state",
];
/// Arguments of an action that say something about the action, and nothing to the tool.
const ABOUT_THE_ACTION: &[&str] = &[
    "thought", "is_confirmed", "confirmation_state", "hidden", "blocking", "keep_prompt",
    "security_risk", "is_static", "is_input", "image_urls", "file_urls", "wait_for_response",
];

/// Reads events of OpenHands, from an array, lines, or a folder of files. The work of an agent to which some was
/// delegated is left out, as OpenHands leaves it out of the first agent's history.
#[derive(Default)]
pub(crate) struct OpenHandsReader {
    /// Agents at work for others: each is between a delegation and its result.
    delegates: u32,
    usage: OpenHandsUsage,
}

impl RecordReader for OpenHandsReader {
    fn format(&self) -> Format {
        Format::OpenHands
    }

    fn read<'a>(&mut self, value: &'a Json<'a>, _place: u32) -> Result<Record<'a>, Unreadable> {
        if text_at(value, &["observation"]) == Some("delegate") {
            self.delegates = self.delegates.saturating_sub(1);
        }
        let left_out = self.delegates > 0;
        if text_at(value, &["action"]) == Some("delegate") {
            self.delegates += 1;
        }
        let items = match left_out {
            true => Vec::new(),
            false => items_of(value)?,
        };
        Ok(Record {
            items,
            key: key(value),
            left_out,
            ..Record::default()
        })
    }

    fn usage(&mut self, value: &Json) -> Vec<Usage> {
        self.usage.read(value)
    }
}

/// The application counts its events from 0 in every session; no two are of one microsecond.
fn key(event: &Json) -> Option<u64> {
    let id = event.get("id")?;
    let time = text_at(event, &["timestamp"])?;
    let call = text_at(event, &["tool_call_id"]).unwrap_or_default();
    Key::of(Format::OpenHands)
        .and_value(id)
        .and(time)
        .and(call)
        .made()
}

fn items_of<'a>(event: &'a Json<'a>) -> Result<Vec<Item<'a>>, Unreadable> {
    if let Some(kind) = text_at(event, &["kind"]) {
        return sdk_items(kind, event);
    }
    if let Some(action) = text_at(event, &["action"]) {
        return Ok(action_items(action, event));
    }
    match text_at(event, &["observation"]) {
        Some(observation) => Ok(vec![observation_item(observation, event)]),
        None => Err(Unreadable::new(
            "is no event: neither an action nor an observation",
        )),
    }
}

fn action_items<'a>(action: &'a str, event: &'a Json<'a>) -> Vec<Item<'a>> {
    let source = text_at(event, &["source"]);
    let of = |key| text_at(event, &["args", key]).unwrap_or_default();
    match action {
        "condensation" => return vec![condensed()],
        "system" => return vec![host_said(of("content"))],
        "message" if source == Some("user") => return vec![user_said(of("content"))],
        "message" => return turn(said(of("content")).into_iter().collect()),
        _ if NO_CALLS.contains(&action) || source != Some("agent") => {
            return vec![item(Event::Other)];
        }
        _ => {}
    }
    let thought = said(of("thought"));
    if action == "finish" {
        let last = said(of("final_thought")).filter(|last| Some(last) != thought.as_ref());
        let words = thought.into_iter().chain(last);
        return turn(words.chain([Event::Finished]).collect());
    }
    let args = match event.get("args") {
        Some(Json::Object(args)) => args.iter(),
        _ => [].iter(),
    };
    let own = args.filter(|(name, _)| !ABOUT_THE_ACTION.contains(&&**name));
    let call = Event::ToolCall {
        key: None,
        id: id_of(event.get("id")),
        name: text_at(event, &["tool_call_metadata", "function_name"])
            .unwrap_or(action)
            .into(),
        args: Some(Cow::Owned(Json::Object(own.cloned().collect()))),
    };
    turn(thought.into_iter().chain([call]).collect())
}

fn observation_item<'a>(observation: &str, event: &'a Json<'a>) -> Item<'a> {
    if let Some(verdict) = stuck_verdict(observation, event) {
        return item(verdict);
    }
    if NO_RESULTS.contains(&observation) {
        return item(Event::Other);
    }
    if observation == "condense" {
        return condensed();
    }
    let code = exit_code(at(event, &["extras", "metadata", "exit_code"]));
    item(Event::ToolResult {
        id: id_of(event.get("cause")),
        output: text_at(event, &["content"]).unwrap_or_default().into(),
        is_error: (observation == "error").then_some(true),
        exit_code: code.or_else(|| exit_code(at(event, &["extras", "exit_code"]))),
    })
}

/// The verdict of OpenHands' own detector: of an event it is an error, or the reason of the state of error.
fn stuck_verdict<'a>(observation: &str, event: &'a Json<'a>) -> Option<Event<'a>> {
    let has_failed = text_at(event, &["extras", "agent_state"]) == Some("error");
    stuck_run(match observation {
        "error" | "fatal_error" => event.get("content"),
        "agent_state_changed" if has_failed => at(event, &["extras", "reason"]),
        _ => None,
    })
}

/// The verdict of a run of an evaluation, which has its error beside the events.
pub(crate) fn stuck_run<'a>(error: Option<&'a Json<'a>>) -> Option<Event<'a>> {
    let error = error?.as_text()?;
    let is_stuck = ["AgentStuckInLoopError", "Agent got stuck in a loop"];
    let is_stuck = is_stuck.iter().any(|words| error.contains(words));
    is_stuck.then(|| loop_reported(error))
}

/// The verdict of OpenHands' own detector.
pub(crate) fn loop_reported(detail: &str) -> Event<'_> {
    Event::LoopReported {
        by: Some("OpenHands".into()),
        detail: Some(detail.into()),
    }
}

/// Ids of the application are numbers.
fn id_of<'a>(id: Option<&'a Json<'a>>) -> Option<Cow<'a, str>> {
    match id? {
        Json::Text(id) if !id.is_empty() => Some(Cow::Borrowed(id)),
        id @ Json::Number(_) => Some(written(id).into()),
        _ => None,
    }
}

/// The events of a history, of which older evaluations have pairs of an action and an observation.
pub(crate) fn history<'a>(run: &'a Json<'a>) -> impl Iterator<Item = &'a Json<'a>> {
    let history = list_at(run, &["history"]).iter();
    history.flat_map(|entry| match entry {
        Json::List(pair) => &pair[..],
        event => std::slice::from_ref(event),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::formats::testing::told;

    fn used(id: &str, input: u32, output: u32) -> String {
        format!(
            r#"{{"model":"m","prompt_tokens":{input},"completion_tokens":{output},"response_id":"{id}"}}"#
        )
    }

    fn action(number: u32, more: &str, all: &[String]) -> String {
        let metrics = format!(
            r#"{{"accumulated_cost":0.0{number},"token_usages":[{}]}}"#,
            all.join(",")
        );
        format!(
            r#"{{"id":{number},"timestamp":"t{number}","source":"agent",{more},"llm_metrics":{metrics}}}"#
        )
    }

    const SAID: &str = r#""action":"message","args":{"content":"hi"}"#;
    const RAN: &str = r#""action":"run","args":{"command":"ls","thought":"","hidden":false},"tool_call_metadata":{"function_name":"execute_bash","model_response":{"id":"r2","model":"m","usage":{"prompt_tokens":2000,"completion_tokens":20}}}"#;
    const FINISHED: &str = r#""action":"finish","args":{"final_thought":"Done.","thought":"So."}"#;

    #[test]
    fn a_request_without_a_call_is_a_request_and_the_end_is_no_call() {
        let [one, two] = [used("r1", 1000, 10), used("r2", 2000, 20)];
        let both = [one.clone(), two];
        let lines = [
            action(1, SAID, &[one]),
            action(2, RAN, &both),
            action(3, FINISHED, &both),
        ];
        let told = told(&mut OpenHandsReader::default(), &lines);
        let events = [
            "1 turn_started",
            "1 text hi",
            "2 turn_started",
            r#"2 tool_call #2 execute_bash {"command":"ls"}"#,
            "3 turn_started",
            "3 text So.",
            "3 text Done.",
            "3 finished",
        ];
        assert_eq!(told.events, events);
        let requests = told.usage.iter().filter(|usage| !usage.is_sum);
        let requests: Vec<_> = requests
            .map(|usage| (usage.id.as_deref(), usage.input))
            .collect();
        assert_eq!(requests, [(Some("r1"), 1000.0), (Some("r2"), 2000.0)]);
        let last = told.usage.last().expect("a sum");
        assert_eq!((last.is_sum, last.dollars), (true, Some(0.03)));
    }

    #[test]
    fn of_a_sum_alone_each_step_is_a_request() {
        let sum = |number: u32, input: u32| {
            let sum = format!(r#"{{"prompt_tokens":{input},"completion_tokens":{number}}}"#);
            format!(
                r#"{{"id":{number},"timestamp":"t{number}","source":"agent",{SAID},"llm_metrics":{{"accumulated_token_usage":{sum}}}}}"#
            )
        };
        let lines = [sum(1, 100), sum(2, 250), sum(3, 250).replace(":3}", ":2}")];
        let told = told(&mut OpenHandsReader::default(), &lines);
        assert_eq!(
            told.tokens(),
            [[100.0, 0.0, 0.0, 1.0], [150.0, 0.0, 0.0, 1.0]]
        );
    }

    #[test]
    fn what_a_delegate_does_is_left_out() {
        let lines = [
            r#"{"id":1,"source":"agent","action":"delegate","args":{}}"#,
            r#"{"id":2,"source":"agent","action":"run","args":{"command":"ls"}}"#,
            r#"{"id":3,"source":"agent","cause":1,"observation":"delegate","content":"ok"}"#,
        ];
        let told = told(&mut OpenHandsReader::default(), &lines);
        assert_eq!(told.left_out, [2]);
        let events = [
            "1 turn_started",
            "1 tool_call #1 delegate {}",
            "3 tool_result #1 ok",
        ];
        assert_eq!(told.events, events);
    }

    #[test]
    fn its_own_verdicts_are_found() {
        let lines = [
            r#"{"id":1,"observation":"error","content":"AgentStuckInLoopError: again"}"#,
            r#"{"id":2,"observation":"agent_state_changed","extras":{"agent_state":"error","reason":"Agent got stuck in a loop"}}"#,
            r#"{"kind":"ConversationStateUpdateEvent","key":"execution_status","value":"stuck"}"#,
            r#"{"id":4,"observation":"error","cause":1,"content":"no"}"#,
            r#"{"kind":"ActionEvent","tool_call_id":"c"}"#,
            r#"{"id":6}"#,
        ];
        let told = told(&mut OpenHandsReader::default(), &lines);
        let events = [
            "1 loop_reported",
            "2 loop_reported",
            "3 loop_reported",
            "4 tool_result #1 error no",
        ];
        assert_eq!(told.events, events);
        let problems = [
            "5 is an action without a tool",
            "6 is no event: neither an action nor an observation",
        ];
        assert_eq!(told.problems, problems);
    }

    #[test]
    fn events_of_the_sdk_end_and_fail_as_they_say() {
        let lines = [
            r#"{"kind":"ActionEvent","id":"a","timestamp":"t","tool_name":"terminal","tool_call_id":"c","tool_call":{"arguments":"{\"command\":\"ls\"}"}}"#,
            r#"{"kind":"ObservationEvent","tool_call_id":"c","observation":{"content":[{"type":"text","text":"no"}],"exit_code":-1,"is_error":true}}"#,
            r#"{"kind":"ActionEvent","tool_name":"finish","thought":[],"action":{"message":"Done."}}"#,
            r#"{"kind":"ObservationEvent","tool_name":"finish","observation":{"content":"Done."}}"#,
        ];
        let told = told(&mut OpenHandsReader::default(), &lines);
        let events = [
            "1 turn_started",
            r#"1 tool_call #c terminal {"command":"ls"}"#,
            "2 tool_result #c error no",
            "3 turn_started",
            "3 text Done.",
            "3 finished",
            "4 other",
        ];
        assert_eq!(told.events, events);
    }
}
