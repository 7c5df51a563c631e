//! crush, which tells of calls before they run and of no results.

use turnkeeper_base::json::Json;

use crate::watch::dialect::{self, Dialect, Meaning};
use crate::watch::event::{Event, Reply};

pub(super) static DIALECT: Dialect = Dialect {
    tells_results: false,
    tells_prompts: false,
    events_differ: false,
    events: &[("pretooluse", Meaning::Asked)],
    answer,
    ..dialect::DIALECT
};

fn answer<'a>(_event: &Event<'a>, reply: Reply<'a>) -> Option<Json<'a>> {
    if let Some(reason) = reply.end.or(reply.refusal) {
        return Some(Json::object([
            ("halt", true.into()),
            ("reason", reason.into()),
        ]));
    }
    let context = reply.context?;
    Some(Json::object([("context", context.into())]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::watch::testing::{answered, context, end, told};

    const ASKED: &str = r#"{"event": "PreToolUse", "session_id": "s", "tool_name": "bash",
        "tool_input": {"command": "make"}}"#;

    #[test]
    fn a_call_is_told_before_it_runs_and_halted_by_a_stop() {
        assert_eq!(
            told(&DIALECT, ASKED),
            "s/-/- asked bash {\"command\":\"make\"}"
        );
        assert_eq!(
            answered(&DIALECT, ASKED, context()),
            r#"{"context":"a fact"}"#
        );
        assert_eq!(
            answered(&DIALECT, ASKED, end()),
            r#"{"halt":true,"reason":"a loop"}"#
        );
    }
}
