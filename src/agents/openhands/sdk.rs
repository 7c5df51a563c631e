//! Events of OpenHands' agent SDK, which have a `kind`.

use std::borrow::Cow;

use turnkeeper_base::json::Json;
use turnkeeper_messages::{Event, exit_code};

use super::reader::loop_reported;
use crate::sessions::given::{
    answered, at, called, ended, is_true_at, known, parsed, said, text_at, thought,
};
use crate::sessions::items::{condensed, host_said, item, plain, turn, user_said};
use crate::sessions::record::{Item, Unreadable};

/// The items of an event of a kind.
///
/// # Errors
/// For an action without a tool.
pub(crate) fn sdk_items<'a>(kind: &str, event: &'a Json<'a>) -> Result<Vec<Item<'a>>, Unreadable> {
    let id = event.get("tool_call_id");
    let is_end = text_at(event, &["tool_name"]) == Some("finish");
    Ok(match kind {
        "ActionEvent" => turn(action_events(event, is_end)?),
        "ObservationEvent" if is_end => vec![item(Event::Other)],
        "ObservationEvent" => vec![item(sdk_result(event))],
        "AgentErrorEvent" | "UserRejectObservation" => {
            let reason = text_at(event, &["rejection_reason"]).unwrap_or_default();
            let rejected = || format!("Action rejected: {reason}").into();
            let output = text_at(event, &["error"]).map_or_else(rejected, Cow::Borrowed);
            vec![item(answered(id, output, true))]
        }
        "MessageEvent" => {
            let words = plain(at(event, &["llm_message", "content"]));
            match text_at(event, &["source"]) {
                Some("agent") => {
                    let content = at(event, &["llm_message", "reasoning_content"]);
                    let reasoning = content.and_then(Json::as_text).unwrap_or_default();
                    let answer = thought(reasoning).into_iter().chain(said(words));
                    turn(answer.collect())
                }
                Some("user") => vec![user_said(words)],
                _ => vec![host_said(words)],
            }
        }
        "SystemPromptEvent" => vec![host_said(plain(at(event, &["system_prompt", "text"])))],
        "Condensation" | "CondensationEvent" => vec![condensed()],
        "ConversationStateUpdateEvent" if is_stuck(event) => vec![item(loop_reported("stuck"))],
        _ => vec![item(Event::Other)],
    })
}

fn action_events<'a>(event: &'a Json<'a>, is_end: bool) -> Result<Vec<Event<'a>>, Unreadable> {
    let words = event
        .get("thought")
        .filter(|it| matches!(it, Json::List(_)));
    let reasoning = text_at(event, &["reasoning_content"]).unwrap_or_default();
    let mut answer: Vec<Event> = thought(reasoning).into_iter().collect();
    answer.extend(said(plain(words)));
    if is_end {
        answer.extend(said(
            text_at(event, &["action", "message"]).unwrap_or_default(),
        ));
        answer.push(Event::Finished);
        return Ok(answer);
    }
    let names = [
        &["tool_name"][..],
        &["tool_call", "name"],
        &["tool_call", "function", "name"],
    ];
    let name = names.iter().find_map(|keys| text_at(event, keys));
    let name = name.ok_or_else(|| Unreadable::new("is an action without a tool"))?;
    let args = known(at(event, &["tool_call", "arguments"]))
        .or_else(|| at(event, &["tool_call", "function", "arguments"]));
    let args = args.map(parsed).filter(|args| **args != Json::Null);
    let args = args.or_else(|| event.get("action").map(Cow::Borrowed));
    answer.push(called(event.get("tool_call_id"), Some(name), args)?);
    Ok(answer)
}

fn sdk_result<'a>(event: &'a Json<'a>) -> Event<'a> {
    let of = |keys: &[&str]| at(event, &[&["observation"], keys].concat());
    let is_error = is_true_at(event, &["observation", "is_error"])
        || is_true_at(event, &["observation", "error"]);
    let code = exit_code(of(&["exit_code"])).or_else(|| exit_code(of(&["metadata", "exit_code"])));
    let output = plain(known(of(&["content"])).or_else(|| of(&["output"])));
    let result = answered(event.get("tool_call_id"), output, is_error);
    // A negative one is that of a command that still runs.
    ended(result, code.filter(|code| *code >= 0))
}

fn is_stuck(event: &Json) -> bool {
    let status = match text_at(event, &["key"]) {
        Some("full_state") => text_at(event, &["value", "execution_status"]),
        Some("execution_status") => text_at(event, &["value"]),
        _ => None,
    };
    status == Some("stuck")
}
