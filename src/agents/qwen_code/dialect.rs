//! Qwen Code. `UserPromptSubmit` fires before every request of a turn; after the first one the prompt is
//! empty, and that is also the only place where a turn can be ended.

use turnkeeper_base::json::Json;

use crate::watch::dialect::{
    self, Dialect, Meaning, answer_with_context, object, prompt_or_request,
};
use crate::watch::event::{Event, Happening, Reply, Requests};

pub(super) static DIALECT: Dialect = Dialect {
    requests: Requests::Marked,
    events: &[
        ("userpromptsubmit", Meaning::Own(prompt_or_request)),
        ("posttooluse", Meaning::Result),
        ("posttoolusefailure", Meaning::Failure),
        ("sessionstart", Meaning::Start),
    ],
    obeys: |happened| matches!(happened, Happening::Request),
    answer,
    ..dialect::DIALECT
};

fn answer<'a>(event: &Event<'a>, reply: Reply<'a>) -> Option<Json<'a>> {
    if !matches!(event.happened, Happening::Request) {
        return answer_with_context(event, reply);
    }
    let end = reply.end?;
    object([
        Some(("decision", "block".into())),
        Some(("reason", end.clone().into())),
        Some(("continue", false.into())),
        Some(("stopReason", end.into())),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::watch::testing::{answered, context, end, told};

    const REQUEST: &str = r#"{"hook_event_name": "UserPromptSubmit", "session_id": "s",
        "prompt_id": "p", "prompt": ""}"#;
    const FAILURE: &str = r#"{"hook_event_name": "PostToolUseFailure", "session_id": "s",
        "prompt_id": "p", "tool_name": "run", "tool_input": "{\"command\": \"make\"}",
        "tool_call_id": "c", "error": "no rule"}"#;

    #[test]
    fn an_empty_prompt_is_a_request_and_ends_a_stopped_turn() {
        assert_eq!(told(&DIALECT, REQUEST), "s/-/p request");
        assert_eq!(
            answered(&DIALECT, REQUEST, end()),
            r#"{"decision":"block","reason":"a loop","continue":false,"stopReason":"a loop"}"#
        );
        assert_eq!(answered(&DIALECT, REQUEST, context()), "");
    }

    #[test]
    fn a_failure_is_told_by_its_event() {
        assert_eq!(
            told(&DIALECT, FAILURE),
            "s/-/p results [c run {\"command\":\"make\"} \"no rule\" failed]"
        );
    }
}
