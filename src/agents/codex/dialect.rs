//! Codex. A stop at `PostToolUse` only replaces the result, so what follows is refused at `PreToolUse`. Its
//! results are bare text, without an exit code, and a field that it does not know makes it refuse the answer.

use turnkeeper_base::json::Json;

use crate::watch::dialect::{self, Dialect, Meaning, answer_with_context, refusal};
use crate::watch::event::{Event, Happening, Reply};

pub(super) static DIALECT: Dialect = Dialect {
    events: &[
        ("userpromptsubmit", Meaning::Prompt),
        ("pretooluse", Meaning::Asked),
        ("posttooluse", Meaning::Result),
        ("sessionstart", Meaning::Start),
    ],
    obeys: |happened| matches!(happened, Happening::CallAsked { .. }),
    answer,
    ..dialect::DIALECT
};

fn answer<'a>(event: &Event<'a>, reply: Reply<'a>) -> Option<Json<'a>> {
    match reply.refusal {
        Some(reason) => Some(Json::object([(
            "hookSpecificOutput",
            refusal(event, reason),
        )])),
        None => answer_with_context(event, reply),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::watch::testing::{answered, context, end, refusal, told};

    const ASKED: &str = r#"{"hook_event_name": "PreToolUse", "session_id": "s", "turn_id": "t",
        "tool_name": "Bash", "tool_input": {"command": "make"}, "tool_use_id": "c1"}"#;
    const RESULT: &str = r#"{"hook_event_name": "PostToolUse", "session_id": "s", "turn_id": "t",
        "tool_name": "Bash", "tool_input": {"command": "make"}, "tool_use_id": "c1",
        "tool_response": "nothing to be done"}"#;

    #[test]
    fn calls_are_told_before_they_run_and_after() {
        assert_eq!(
            told(&DIALECT, ASKED),
            "s/-/t asked Bash {\"command\":\"make\"}"
        );
        assert_eq!(
            told(&DIALECT, RESULT),
            "s/-/t results [c1 Bash {\"command\":\"make\"} \"nothing to be done\"]"
        );
    }

    #[test]
    fn an_answer_has_no_field_that_it_would_refuse() {
        let fact = r#"{"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"a fact"}}"#;
        assert_eq!(answered(&DIALECT, RESULT, context()), fact);
        assert_eq!(answered(&DIALECT, RESULT, end()), fact);
        assert_eq!(
            answered(&DIALECT, ASKED, refusal()),
            r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"a loop"}}"#
        );
    }
}
