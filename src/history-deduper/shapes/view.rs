//! A message in the shape of Anthropic's API, whichever provider's it is.

use turnkeeper_base::json::Json;
use turnkeeper_messages::openai::{is_call_item, is_result_item};

use super::ai_sdk::ai_sdk;
use super::gemini::gemini;
use super::openai::{chat, item};
use super::reading::{anthropic, vscode};
use super::{Shape, View};

pub(super) fn view<'a>(message: &'a Json<'a>, shape: Shape, reads_arguments: bool) -> View<'a> {
    match shape {
        Shape::Anthropic => anthropic(message),
        Shape::OpenAi if is_hosts_item(message) => item(message, reads_arguments),
        Shape::OpenAi => chat(message, reads_arguments),
        Shape::Gemini => gemini(message),
        Shape::AiSdk => ai_sdk(message),
        Shape::Vscode => vscode(message),
    }
}

/// Whether it is a call that the host runs, or its result.
fn is_hosts_item(message: &Json) -> bool {
    message.get("role").is_none() && (is_call_item(message) || is_result_item(message))
}
