//! Codex. A stop at `PostToolUse` only replaces the result, so what follows is refused at `PreToolUse`. Its
//! results are bare text, without an exit code, and a field that it does not know makes it refuse the answer.

use turnkeeper_base::json::Json;

use crate::dialect::{self, Dialect, Meaning, answer_with_context, refusal};
use crate::event::{Event, Happening, Reply};

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
        Some(reason) => Some(Json::object([("hookSpecificOutput", refusal(event, reason))])),
        None => answer_with_context(event, reply),
    }
}
