//! Cursor, which takes nothing to the model but after a result.

use turnkeeper_base::json::Json;

use crate::watch::dialect::{self, Dialect, Meaning, object};
use crate::watch::event::{Event, Happening, Reply};
use crate::watch::fields::Fields;

pub(super) static DIALECT: Dialect = Dialect {
    events_differ: false,
    rename,
    events: &[
        ("beforesubmitprompt", Meaning::Prompt),
        ("pretooluse", Meaning::Asked),
        ("posttooluse", Meaning::Result),
        ("posttoolusefailure", Meaning::Failure),
    ],
    obeys: |happened| matches!(happened, Happening::CallAsked { .. }),
    answer,
    ..dialect::DIALECT
};

fn rename(payload: &mut Fields) {
    let session = payload.take_text(["conversation_id", "session_id"]);
    payload.put("session_id", session.map(Json::Text));
    payload.put("agent_id", None);
    payload.put("turn_id", None);
    for (from, to) in [
        ("generation_id", "prompt_id"),
        ("tool_output", "tool_response"),
        ("error_message", "error"),
    ] {
        let value = payload.take(from);
        payload.put(to, value);
    }
}

fn answer<'a>(event: &Event<'a>, reply: Reply<'a>) -> Option<Json<'a>> {
    if let Some(reason) = reply.refusal {
        return object([
            Some(("permission", "deny".into())),
            Some(("user_message", reason.clone().into())),
            Some(("agent_message", reason.into())),
        ]);
    }
    let context = reply.context?;
    let is_after_result = matches!(event.happened, Happening::Results(_));
    is_after_result.then(|| Json::object([("additional_context", context.into())]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::watch::testing::{answered, context, refusal, told};

    fn event(name: &str, more: &str) -> String {
        format!(
            r#"{{"hook_event_name": "{name}", "conversation_id": "s", "session_id": "x", "turn_id": "x",
                "agent_id": "x", "generation_id": "g", {more}}}"#
        )
    }

    #[test]
    fn its_own_names_of_fields_count() {
        let told = |name: &str, more: &str| told(&DIALECT, &event(name, more));
        assert_eq!(
            told("beforeSubmitPrompt", r#""prompt": "Go on.""#),
            "s/-/g prompt Go on."
        );
        let call = r#""tool_name": "Shell", "tool_input": {"command": "make"}"#;
        assert_eq!(
            told("preToolUse", call),
            "s/-/g asked Shell {\"command\":\"make\"}"
        );
        assert_eq!(
            told("postToolUse", &format!(r#"{call}, "tool_output": "done""#)),
            "s/-/g results [Shell {\"command\":\"make\"} \"done\"]"
        );
        assert_eq!(
            told(
                "postToolUseFailure",
                &format!(r#"{call}, "error_message": "no""#)
            ),
            "s/-/g results [Shell {\"command\":\"make\"} \"no\" failed]"
        );
    }

    #[test]
    fn a_fact_goes_to_the_model_only_after_a_result() {
        let (result, asked) = ("postToolUse", "preToolUse");
        let answered =
            |name: &str, reply| answered(&DIALECT, &event(name, r#""tool_name": "Shell""#), reply);
        assert_eq!(
            answered(result, context()),
            r#"{"additional_context":"a fact"}"#
        );
        assert_eq!(answered(asked, context()), "");
        assert_eq!(
            answered(asked, refusal()),
            r#"{"permission":"deny","user_message":"a loop","agent_message":"a loop"}"#
        );
    }
}
