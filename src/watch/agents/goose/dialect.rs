//! goose, whose hooks only watch: it tells of calls without their outputs, and no answer has an effect.

use turnkeeper_base::json::Json;

use crate::dialect::{self, Dialect, Meaning};

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
