//! The rounds of a request of a chat of VS Code: what the model was asked and answered, with all arguments and results.

use std::borrow::Cow;
use std::collections::HashMap;

use turnkeeper_base::json::{Json, written};
use turnkeeper_messages::Event;

use crate::sessions::given::{answered, at, called, list_at, said, text_at, thought};
use crate::sessions::record::Unreadable;

/// Questions to the model and its answers, round by round.
///
/// # Errors
/// For a call that names no tool.
pub(crate) fn round_events<'a>(
    rounds: &'a [Json<'a>],
    metadata: &'a Json<'a>,
) -> Result<Vec<Event<'a>>, Unreadable> {
    let mut events = Vec::new();
    let results = match metadata.get("toolCallResults") {
        Some(Json::Object(results)) => results.iter(),
        _ => [].iter(),
    };
    let results: HashMap<&str, &Json> = results.map(|(id, result)| (&**id, result)).collect();
    let summarized = at(metadata, &["summary", "toolCallRoundId"]);
    let is_last = |round: &Json| summarized.is_some() && round.get("id") == summarized;
    if summarized.is_some() && !rounds.iter().any(is_last) {
        events.push(Event::Condensation);
    }
    for round in rounds {
        events.push(Event::TurnStarted);
        events.extend(at(round, &["thinking", "text"]).and_then(thought_in_pieces));
        events.extend(said(text_at(round, &["response"]).unwrap_or_default()));
        let calls = list_at(round, &["toolCalls"]);
        for call in calls {
            let args = call.get("arguments").map(Cow::Borrowed);
            events.push(called(call.get("id"), text_at(call, &["name"]), args)?);
        }
        for call in calls {
            let result = text_at(call, &["id"]).and_then(|id| results.get(id));
            events.extend(result.map(|it| answered(call.get("id"), result_text(it), false)));
        }
        // The rounds up to here were replaced by their summary.
        if round.get("summary").is_some() || is_last(round) {
            events.push(Event::Condensation);
        }
    }
    Ok(events)
}

/// A thought, which may come in pieces.
pub(crate) fn thought_in_pieces<'a>(value: &'a Json<'a>) -> Option<Event<'a>> {
    match value {
        Json::Text(text) => thought(&**text),
        Json::List(pieces) => {
            let pieces = pieces.iter().map(|piece| match piece {
                Json::Text(text) => text.clone(),
                Json::Null => Cow::default(),
                other => written(other).into(),
            });
            thought(pieces.collect::<String>())
        }
        _ => None,
    }
}

fn result_text<'a>(result: &'a Json<'a>) -> Cow<'a, str> {
    let texts = list_at(result, &["content"]).iter().map(|part| {
        if let Some(kind) = text_at(part, &["mimeType"]) {
            return format!("[{kind}]").into();
        }
        let text = text_at(part, &["value"]).map(Cow::Borrowed);
        text.unwrap_or_else(|| node_text(at(part, &["value", "node"])).into())
    });
    let mut texts: Vec<Cow<str>> = texts.collect();
    match texts.len() {
        1 => texts.remove(0),
        _ => texts.join("\n").into(),
    }
}

/// The text of a tree of `prompt-tsx`.
fn node_text(root: Option<&Json>) -> String {
    let mut joined = String::new();
    let mut open: Vec<&Json> = root.into_iter().collect();
    while let Some(node) = open.pop() {
        if let Some(text) = text_at(node, &["text"]) {
            let is_new_line = match node.get("lineBreakBefore") {
                None | Some(Json::Null | Json::Bool(false)) => false,
                Some(Json::Number(number)) => *number != 0.0,
                Some(Json::Text(text)) => !text.is_empty(),
                Some(_) => true,
            };
            if is_new_line && !joined.is_empty() {
                joined.push('\n');
            }
            joined.push_str(text);
        }
        open.extend(list_at(node, &["children"]).iter().rev());
    }
    joined
}
