//! Qwen Code. `UserPromptSubmit` fires before every request of a turn; after the first one the prompt is
//! empty, and that is also the only place where a turn can be ended.

use turnkeeper_base::json::Json;

use crate::dialect::{self, Dialect, Meaning, answer_with_context, object, prompt_or_request};
use crate::event::{Event, Happening, Reply, Requests};

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
