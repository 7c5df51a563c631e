//! goose, whose hooks only watch: it tells of calls without their outputs, and no answer has an effect.

use turnkeeper_base::json::Json;

use crate::watch::dialect::{self, Dialect, Meaning};

pub(super) static DIALECT: Dialect = Dialect {
    tells_results: false,
    events_differ: false,
    rename: |payload| {
        let prompt = payload.take_text(["message", "prompt"]);
        payload.put("prompt", prompt.map(Json::Text));
    },
    events: &[
        ("userpromptsubmit", Meaning::Prompt),
        ("pretooluse", Meaning::Asked),
    ],
    obeys: |_| false,
    ..dialect::DIALECT
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::watch::testing::{answered, end, told};

    #[test]
    fn it_is_told_of_prompts_and_calls_and_takes_no_answer() {
        let prompt = r#"{"event": "UserPromptSubmit", "session_id": "s", "message": "Go on."}"#;
        assert_eq!(told(&DIALECT, prompt), "s/-/- prompt Go on.");
        let asked = r#"{"event": "PreToolUse", "session_id": "s", "tool_name": "shell"}"#;
        assert_eq!(told(&DIALECT, asked), "s/-/- asked shell ");
        assert_eq!(answered(&DIALECT, asked, end()), "");
    }
}
