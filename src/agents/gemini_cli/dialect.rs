//! gemini-cli. It has no ids but the session's. `PreCompress` fires before every request, whether or not
//! anything is compressed, so here it tells requests apart and nothing else. What happens in a subagent comes
//! between `BeforeTool` and `AfterTool` of the call that runs it.

use turnkeeper_base::json::Json;

use crate::watch::dialect::{
    self, Dialect, Meaning, answer_with_context, call, object, prompt_or_request,
};
use crate::watch::event::{Event, Happening, Reply, Requests, Results};
use crate::watch::fields::{Fields, arguments};

/// Tools that run a subagent; older versions have one for each subagent.
pub(super) const SUBAGENTS: &[&str] = &[
    "invoke_agent",
    "delegate_to_agent",
    "codebase_investigator",
    "generalist",
    "cli_help",
    "browser_agent",
];
/// The call with which a subagent ends, which is no work of it.
const END: &str = "complete_task";

pub(super) static DIALECT: Dialect = Dialect {
    requests: Requests::Marked,
    // Anything that is no JSON would be shown to the user.
    silence: "{}\n",
    events: &[
        ("beforeagent", Meaning::Own(prompt_or_request)),
        ("precompress", Meaning::Request),
        ("beforetool", Meaning::Own(asked)),
        ("aftertool", Meaning::Own(ended)),
    ],
    obeys: |happened| matches!(happened, Happening::Results(_)),
    answer,
    ..dialect::DIALECT
};

fn asked<'a>(payload: &mut Fields<'a>) -> Option<Happening<'a>> {
    let name = payload.take_text(["tool_name"])?;
    let args = payload.take("tool_input").map(arguments);
    SUBAGENTS
        .contains(&&*name)
        .then_some(Happening::SubagentAsked { name, args })
}

fn ended<'a>(payload: &mut Fields<'a>) -> Option<Happening<'a>> {
    let name = payload.get("tool_name").and_then(Json::as_text);
    if name == Some(END) {
        return None;
    }
    let ends_subagent = name.is_some_and(|name| SUBAGENTS.contains(&name));
    let error = payload.get("tool_response").and_then(|it| it.get("error"));
    let has_failed = error.is_some_and(|it| *it != Json::Null && *it != Json::from(false));
    let call = call(payload, has_failed.then_some(true));
    Some(Happening::Results(Results {
        calls: call.into_iter().collect(),
        ends_subagent,
        ..Results::default()
    }))
}

fn answer<'a>(event: &Event<'a>, reply: Reply<'a>) -> Option<Json<'a>> {
    if matches!(event.happened, Happening::Request) {
        return None;
    }
    let Some(end) = reply.end else {
        return answer_with_context(event, reply);
    };
    object([
        Some(("continue", false.into())),
        Some(("stopReason", end.clone().into())),
        Some(("reason", end.into())),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::watch::testing::{answered, context, end, told};

    fn event(name: &str, more: &str) -> String {
        format!(r#"{{"hook_event_name": "{name}", "session_id": "s", {more}}}"#)
    }

    #[test]
    fn prompts_and_requests_are_told_apart_by_their_words() {
        let told = |name: &str, more: &str| told(&DIALECT, &event(name, more));
        assert_eq!(
            told("BeforeAgent", r#""prompt": "Go on.""#),
            "s/-/- prompt Go on."
        );
        assert_eq!(told("BeforeAgent", r#""prompt": """#), "s/-/- request");
        assert_eq!(told("PreCompress", r#""trigger": "auto""#), "s/-/- request");
    }

    #[test]
    fn a_subagent_begins_with_its_call_and_ends_with_its_report() {
        let told = |name: &str, more: &str| told(&DIALECT, &event(name, more));
        let call = r#""tool_name": "invoke_agent", "tool_input": {"prompt": "Look."}"#;
        assert_eq!(
            told("BeforeTool", call),
            "s/-/- subagent invoke_agent {\"prompt\":\"Look.\"}"
        );
        assert_eq!(told("BeforeTool", r#""tool_name": "read_file""#), "nothing");
        assert_eq!(
            told("AfterTool", r#""tool_name": "complete_task""#),
            "nothing"
        );
        let report = format!(r#"{call}, "tool_response": {{"llmContent": "Fine."}}"#);
        assert_eq!(
            told("AfterTool", &report),
            "s/-/- results [invoke_agent {\"prompt\":\"Look.\"} \"Fine.\"] ends"
        );
    }

    #[test]
    fn a_failure_is_told_by_the_text_or_by_an_error() {
        let told = |response: &str| {
            let more = format!(r#""tool_name": "run", "tool_response": {response}"#);
            told(&DIALECT, &event("AfterTool", &more))
        };
        assert_eq!(
            told(r#"{"llmContent": "Output: a\nExit Code: 1\nProcess Group PGID: 4001"}"#),
            "s/-/- results [run {} \"Output: a\\n\" 1]"
        );
        assert_eq!(
            told(r#"{"llmContent": "no", "error": {"message": "no"}}"#),
            "s/-/- results [run {} \"no\" failed]"
        );
    }

    #[test]
    fn a_stop_ends_the_turn_and_a_request_gets_no_answer() {
        let result = event("AfterTool", r#""tool_name": "run""#);
        assert_eq!(
            answered(&DIALECT, &result, end()),
            r#"{"continue":false,"stopReason":"a loop","reason":"a loop"}"#
        );
        let request = event("PreCompress", r#""x": 1"#);
        assert_eq!(answered(&DIALECT, &request, context()), "");
    }
}
