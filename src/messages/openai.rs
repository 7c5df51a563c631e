//! OpenAI's messages: those of chat completions, which most other servers speak, too, and the items of the Responses
//! API.

use std::borrow::Cow;

use turnkeeper_base::json::Json;

use crate::event::Event;
use crate::events::{
    Read, answered, called, called_with, first_of, kind_of, list_at, of, reasoning, text, text_at,
    true_at,
};
use crate::part::Part;

/// The parts of a part of a message's content. Text parts of chat messages are like everybody's and are not read here.
pub(crate) fn parts_of_part<'a>(part: &'a Json<'a>) -> Read<'a> {
    Some(match kind_of(part) {
        "output_text" | "input_text" => text(text_at(part, "text")),
        "refusal" => text(text_at(part, "refusal")),
        // The AI SDK's has its text.
        "reasoning" if text_at(part, "text").is_none() => reasoning_of(part),
        "input_image" | "input_file" | "image_url" | "input_audio" => vec![],
        _ => return None,
    })
}

/// The thinking beside a chat message's content, as DeepSeek and many servers name it, or OpenRouter.
pub(crate) fn thinking_of<'a>(message: &'a Json<'a>) -> Vec<Part<'a>> {
    // Some servers write an empty one beside the other.
    let names = ["reasoning_content", "reasoning"];
    let mut given = names.iter().filter_map(|name| text_at(message, name));
    reasoning(given.find(|it| !it.is_empty()).unwrap_or_default())
}

/// The calls beside a chat message's content.
pub(crate) fn calls_of<'a>(message: &'a Json<'a>) -> Vec<Part<'a>> {
    let calls = list_at(message, "tool_calls").iter();
    let calls = calls.map(|call| call_of(call.get("id"), first_of(call, &["function", "custom"])));
    let old = true_at(message, "function_call").map(|made| call_of(None, Some(made)));
    calls.chain(old).collect()
}

/// The arguments stay the text that they are, so that broken JSON is compared, too.
fn call_of<'a>(id: Option<&'a Json<'a>>, made: Option<&'a Json<'a>>) -> Part<'a> {
    let args = made.and_then(|it| first_of(it, &["arguments", "input"]));
    with_arguments(id, made.and_then(|it| text_at(it, "name")), args)
}

/// A call; no arguments at all are the same as none.
fn with_arguments<'a>(
    id: Option<&'a Json<'a>>,
    name: Option<&'a str>,
    args: Option<&'a Json<'a>>,
) -> Part<'a> {
    match args.and_then(Json::as_text) {
        Some("") => called_with(id, name, Some(Cow::Owned(Json::object([])))),
        _ => called(id, name, args),
    }
}

/// Whether a chat message is a tool's.
pub(crate) fn is_tool_message(message: &Json) -> bool {
    matches!(text_at(message, "role"), Some("tool" | "function"))
}

/// The result that a tool's chat message is.
pub(crate) fn result_of<'a>(message: &'a Json<'a>) -> Event<'a> {
    answered(message.get("tool_call_id"), message.get("content"), false)
}

/// The calls of the Responses API that the host runs, without `_call`.
pub const HOST_CALLS: [&str; 5] = [
    "function", "custom_tool", "local_shell", "shell", "apply_patch",
];

/// The calls that the provider runs, which have their results in themselves.
pub const PROVIDER_CALLS: [&str; 7] = [
    "web_search", "file_search", "computer", "code_interpreter", "image_generation", "mcp",
    "tool_search",
];

/// The other items that are not messages.
pub const OTHER_ITEMS: [&str; 6] = [
    "reasoning",
    "compaction",
    "item_reference",
    "mcp_list_tools",
    "mcp_approval_request",
    "mcp_approval_response",
];

/// Whether it is an item of the Responses API that is no message.
pub fn is_item(value: &Json) -> bool {
    let kind = kind_of(value);
    let call = kind.strip_suffix("_output").unwrap_or(kind);
    let is_call = |call| HOST_CALLS.contains(&call) || PROVIDER_CALLS.contains(&call);
    OTHER_ITEMS.contains(&kind) || call.strip_suffix("_call").is_some_and(is_call)
}

/// Whether it is a call that the host runs.
pub fn is_call_item(value: &Json) -> bool {
    let call = kind_of(value).strip_suffix("_call");
    call.is_some_and(|call| HOST_CALLS.contains(&call))
}

/// Whether it is the result of a call that the host ran.
pub fn is_result_item(value: &Json) -> bool {
    let call = kind_of(value).strip_suffix("_call_output");
    call.is_some_and(|call| HOST_CALLS.contains(&call))
}

/// The parts of an item of the Responses API.
pub fn parts_of_item<'a>(item: &'a Json<'a>) -> Vec<Part<'a>> {
    match kind_of(item) {
        "message" => {
            let parts = list_at(item, "content").iter();
            parts.filter_map(parts_of_part).flatten().collect()
        }
        "reasoning" => reasoning_of(item),
        "compaction" => vec![Part::Event(Event::Condensation)],
        _ => {
            let result = result_of_item(item).map(Part::Event);
            call_of_item(item).into_iter().chain(result).collect()
        }
    }
}

/// The call that an item is: of a function, or of a tool that the provider runs, named by its type.
pub fn call_of_item<'a>(item: &'a Json<'a>) -> Option<Part<'a>> {
    let kind = kind_of(item).strip_suffix("_call")?;
    let is_named = matches!(kind, "function" | "custom_tool" | "mcp");
    let name = text_at(item, "name").or((!is_named).then_some(kind));
    let args = first_of(
        item,
        &[
            "arguments", "input", "action", "operation", "code", "queries",
        ],
    );
    Some(with_arguments(
        first_of(item, &["call_id", "id"]),
        name,
        args,
    ))
}

/// The result that an item holds; a call of the provider's own has it in the same item.
pub fn result_of_item<'a>(item: &'a Json<'a>) -> Option<Event<'a>> {
    let kind = kind_of(item);
    let call = kind.strip_suffix("_output").unwrap_or(kind);
    if !call.ends_with("_call") {
        return None;
    }
    let output = first_of(item, &["output", "outputs", "results"]);
    let given = output.or_else(|| of(item, "error"))?;
    let is_error = output.is_none();
    let id = first_of(item, &["call_id", "id"]);
    Some(answered(id, Some(given), is_error))
}

fn reasoning_of<'a>(item: &'a Json<'a>) -> Vec<Part<'a>> {
    let lists = ["summary", "content"].map(|name| list_at(item, name));
    let parts = lists.into_iter().flatten();
    let texts = parts.map(|part| text_at(part, "text").unwrap_or_default());
    match &texts.collect::<Vec<&str>>()[..] {
        [text] => reasoning(*text),
        texts => reasoning(texts.join("\n")),
    }
}
