//! Cursor, which takes nothing to the model but after a result.

use turnkeeper_base::json::Json;

use crate::dialect::{self, Dialect, Meaning, object};
use crate::event::{Event, Happening, Reply};
use crate::fields::Fields;

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
