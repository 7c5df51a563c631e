//! Whose messages they are: which format that makes it what their messages and parts show.

use turnkeeper_base::json::Json;
use turnkeeper_messages::{Provider, Providers, openai, role_of};

use crate::sessions::format::Format;

/// The things that show whose messages they are.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Features {
    /// The providers whose shapes were seen.
    pub(crate) providers: Providers,
    /// Calls in the model's text.
    pub(crate) calls_in_text: bool,
    /// A block of environment in the user's words.
    pub(crate) environment: bool,
    /// Commands beside the message or in a block of the text.
    pub(crate) mini_swe_agent: bool,
}

impl Features {
    /// The format of messages that had these features.
    pub(crate) fn format(self) -> Format {
        let has = |provider| self.providers.has(provider);
        // Of those that append the environment to Anthropic's messages, some have reasoning as the AI SDK has it.
        if self.environment && has(Provider::Anthropic) {
            return Format::Cline;
        }
        let by_feature = [
            (self.mini_swe_agent, Format::MiniSweAgent),
            (self.calls_in_text, Format::Cline),
            (has(Provider::Gemini), Format::Gemini),
            (has(Provider::AiSdk), Format::AiSdk),
            (has(Provider::OpenAi), Format::OpenAi),
            (self.environment, Format::Cline),
            (has(Provider::Anthropic), Format::Anthropic),
        ];
        let mut shown = by_feature.into_iter().filter(|(is_shown, _)| *is_shown);
        shown.next().map_or(Format::Messages, |(_, format)| format)
    }
}

/// Whether it is a message of a chat, in any provider's shape, or an item of OpenAI's Responses.
pub(crate) fn is_message(value: &Json) -> bool {
    let is_list = |name: &str| matches!(value.get(name), Some(Json::List(_)));
    if role_of(value).is_some() {
        let content = value.get("content");
        return matches!(content, Some(Json::Null | Json::Text(_) | Json::List(_)))
            || is_list("parts")
            || is_list("tool_calls");
    }
    openai::is_item(value) || is_response(value) && is_list("output")
}

/// Whether it is a whole answer of OpenAI's Responses.
pub(crate) fn is_response(value: &Json) -> bool {
    value.get("object").and_then(Json::as_text) == Some("response")
}
