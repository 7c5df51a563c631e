//! Copilot, of which the command line and VS Code read the same files. The command line takes context as a
//! plain field and lets a turn go on whatever is said, so calls are refused after a stop; VS Code takes it
//! within `hookSpecificOutput`, perhaps late, and ends a turn. Each ignores the other's fields.

use turnkeeper_base::json::Json;

use crate::watch::dialect::{self, Dialect, Meaning, call, object, of_event, refusal};
use crate::watch::event::{Arrived, Event, Happening, Reply, Results};
use crate::watch::fields::Fields;

pub(crate) static DIALECT: Dialect = Dialect {
    rename,
    events: &[
        ("userpromptsubmit", Meaning::Prompt),
        ("userpromptsubmitted", Meaning::Prompt),
        ("pretooluse", Meaning::Asked),
        ("posttooluse", Meaning::Own(result_arrived)),
        ("posttoolusefailure", Meaning::Failure),
    ],
    obeys: |happened| match happened {
        Happening::Results(results) => results.context_is_late,
        happened => matches!(happened, Happening::CallAsked { .. }),
    },
    answer,
    ..dialect::DIALECT
};

fn answer<'a>(event: &Event<'a>, reply: Reply<'a>) -> Option<Json<'a>> {
    if let Some(reason) = reply.refusal {
        let for_vscode = refusal(event, reason.clone());
        return object([
            Some(("permissionDecision", "deny".into())),
            Some(("permissionDecisionReason", reason.into())),
            Some(("hookSpecificOutput", for_vscode)),
        ]);
    }
    let context = reply.context;
    let of_vscode = context.clone().map(|context| {
        let said = of_event(event, [("additionalContext", context.into())]);
        ("hookSpecificOutput", said)
    });
    let goes_on = reply.end.is_some().then(|| ("continue", false.into()));
    object([
        reply.result.map(|result| ("modifiedResult", result)),
        goes_on,
        reply.end.map(|end| ("stopReason", end.into())),
        reply.notice.map(|notice| ("systemMessage", notice.into())),
        context.map(|context| ("additionalContext", context.into())),
        of_vscode,
    ])
}

/// Gives the fields of a payload of keys in camel case the names that the others have.
fn rename(payload: &mut Fields) {
    for (from, to) in [
        ("sessionId", "session_id"),
        ("toolName", "tool_name"),
        ("toolArgs", "tool_input"),
        ("toolResult", "tool_result"),
        ("toolCallId", "tool_use_id"),
    ] {
        payload.rename(from, to);
    }
    let message = payload.get("error").and_then(|error| error.get("message"));
    if let Some(message) = message.filter(|it| **it != Json::Null).cloned() {
        payload.put("error", Some(message));
    }
}

fn result_arrived<'a>(payload: &mut Fields<'a>) -> Option<Happening<'a>> {
    let result = payload.get("tool_result");
    let kind = result.and_then(|it| it.get("result_type").or_else(|| it.get("resultType")));
    let kind = kind.cloned();
    // VS Code says `tool_response`.
    let context_is_late = payload.get("tool_response").is_some();
    let has_failed = kind.as_ref().and_then(Json::as_text) == Some("failure");
    let call = call(payload, has_failed.then_some(true));
    let arrived = kind.map(|kind| Arrived {
        call: None,
        // Both readers of keys take this in camel case.
        with_text: Box::new(move |text| {
            let kind = ("resultType", kind.clone());
            Json::object([kind, ("textResultForLlm", text.into())])
        }),
    });
    Some(Happening::Results(Results {
        calls: call.into_iter().collect(),
        context_is_late,
        arrived,
        ..Results::default()
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::watch::testing::{answered, context, end, refusal, told};

    const IN_PASCAL_CASE: &str = r#"{"hook_event_name": "PostToolUse", "session_id": "s",
        "tool_name": "bash", "tool_input": {"command": "make"},
        "tool_result": {"result_type": "success",
                        "text_result_for_llm": "no\n<shellId: 3 completed with exit code 1>"}}"#;
    const IN_CAMEL_CASE: &str = r#"{"hookEventName": "postToolUse", "sessionId": "s",
        "toolName": "bash", "toolArgs": "{\"command\": \"make\"}",
        "toolResult": {"resultType": "failure", "textResultForLlm": "no"}}"#;
    const OF_VSCODE: &str = r#"{"hookEventName": "PostToolUse", "sessionId": "s", "tool_name": "run",
        "tool_input": {}, "tool_use_id": "c", "tool_response": "2 failed"}"#;

    #[test]
    fn every_way_to_write_a_payload_is_understood() {
        for (payload, line) in [
            (
                IN_PASCAL_CASE,
                r#"[bash {"command":"make"} "no\n" 1] arrived "no\n" {"resultType":"success","textResultForLlm":"…"}"#,
            ),
            (
                IN_CAMEL_CASE,
                r#"[bash {"command":"make"} "no" failed] arrived "no" {"resultType":"failure","textResultForLlm":"…"}"#,
            ),
            (OF_VSCODE, r#"[c run {} "2 failed"] late"#),
        ] {
            assert_eq!(told(&DIALECT, payload), format!("s/-/- results {line}"));
        }
        let failed = r#"{"hook_event_name": "PostToolUseFailure", "session_id": "s", "tool_name": "bash",
            "error": {"message": "no"}}"#;
        assert_eq!(
            told(&DIALECT, failed),
            "s/-/- results [bash {} \"no\" failed]"
        );
    }

    #[test]
    fn each_program_finds_its_own_fields() {
        assert_eq!(
            answered(&DIALECT, OF_VSCODE, context()),
            r#"{"additionalContext":"a fact","hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"a fact"}}"#
        );
        assert_eq!(
            answered(&DIALECT, OF_VSCODE, end()),
            r#"{"continue":false,"stopReason":"a loop","additionalContext":"a fact","hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"a fact"}}"#
        );
        let asked = r#"{"hook_event_name": "PreToolUse", "session_id": "s", "tool_name": "bash"}"#;
        assert_eq!(
            answered(&DIALECT, asked, refusal()),
            r#"{"permissionDecision":"deny","permissionDecisionReason":"a loop","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"a loop"}}"#
        );
        assert_eq!(answered(&DIALECT, asked, Reply::default()), "");
    }
}
