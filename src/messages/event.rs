//! The events of a conversation, which borrow from the message that says them.

use std::borrow::Cow;

use serde::Serialize;
use turnkeeper_base::json::Json;

/// Something that happened in a conversation; the loop detector's `AgentEvent`, which borrows.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(
    tag = "type",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
pub enum Event<'a> {
    /// Assistant text.
    Text {
        /// The text, which is not empty.
        text: Cow<'a, str>,
    },
    /// A model's thinking.
    Reasoning {
        /// The text, which is not empty.
        text: Cow<'a, str>,
    },
    /// A call of a tool.
    ToolCall {
        /// By which its result is recognised.
        #[serde(skip_serializing_if = "Option::is_none")]
        id: Option<Cow<'a, str>>,
        /// The tool.
        name: Cow<'a, str>,
        /// Any value, or the same as a JSON string; none where the format carries none.
        #[serde(skip_serializing_if = "Option::is_none")]
        args: Option<Cow<'a, Json<'a>>>,
        /// The string by which the tool identifies it, where it says one.
        #[serde(skip_serializing_if = "Option::is_none")]
        key: Option<Cow<'a, str>>,
    },
    /// The result of a call.
    ToolResult {
        /// The call that it answers.
        #[serde(skip_serializing_if = "Option::is_none")]
        id: Option<Cow<'a, str>>,
        /// The text that the tool gave.
        output: Cow<'a, str>,
        /// Whether it is marked as an error.
        #[serde(skip_serializing_if = "Option::is_none")]
        is_error: Option<bool>,
        /// A command's exit code.
        #[serde(skip_serializing_if = "Option::is_none")]
        exit_code: Option<i64>,
    },
    /// A request to the model.
    TurnStarted,
    /// A prompt begins.
    UserMessage {
        /// The words of the user; none if a timer began it, or no words are known. They are part of no event outside:
        /// whoever starts the prompt gives them.
        #[serde(skip)]
        words: Option<Cow<'a, str>>,
        /// Whether it may be no prompt, see [`PromptStart::is_report`](crate::PromptStart::is_report).
        #[serde(skip)]
        is_report: bool,
    },
    /// The end of an answer.
    Finished,
    /// The history was shortened, or is gone on with from an earlier place.
    Condensation,
    /// The last request is made again.
    Retry,
    /// The agent's own detector has found a loop.
    LoopReported {
        /// The detector.
        #[serde(skip_serializing_if = "Option::is_none")]
        by: Option<Cow<'a, str>>,
        /// Its words.
        #[serde(skip_serializing_if = "Option::is_none")]
        detail: Option<Cow<'a, str>>,
    },
    /// The line that starts a prompt between the events of a file; it is none of them.
    PromptStarted {
        /// The prompt.
        prompt_id: Cow<'a, str>,
        /// The model that answers.
        #[serde(skip_serializing_if = "Option::is_none")]
        model: Option<Cow<'a, str>>,
        /// The words of the user.
        #[serde(skip_serializing_if = "Option::is_none")]
        user_prompt: Option<Cow<'a, str>>,
    },
    /// Anything else.
    Other,
}

impl Event<'_> {
    /// The same, which borrows nothing.
    pub fn into_owned<'b>(self) -> Event<'b> {
        let text = |text: Cow<str>| Cow::Owned(text.into_owned());
        match self {
            Self::Text { text: words } => Event::Text { text: text(words) },
            Self::Reasoning { text: words } => Event::Reasoning { text: text(words) },
            Self::ToolCall {
                id,
                name,
                args,
                key,
            } => Event::ToolCall {
                key: key.map(text),
                id: id.map(text),
                name: text(name),
                args: args.map(|args| Cow::Owned(args.into_owned().into_owned())),
            },
            Self::ToolResult {
                id,
                output,
                is_error,
                exit_code,
            } => Event::ToolResult {
                id: id.map(text),
                output: text(output),
                is_error,
                exit_code,
            },
            Self::LoopReported { by, detail } => Event::LoopReported {
                by: by.map(text),
                detail: detail.map(text),
            },
            Self::PromptStarted {
                prompt_id,
                model,
                user_prompt,
            } => Event::PromptStarted {
                prompt_id: text(prompt_id),
                model: model.map(text),
                user_prompt: user_prompt.map(text),
            },
            Self::TurnStarted => Event::TurnStarted,
            Self::UserMessage { words, is_report } => Event::UserMessage {
                is_report,
                words: words.map(text),
            },
            Self::Finished => Event::Finished,
            Self::Condensation => Event::Condensation,
            Self::Retry => Event::Retry,
            Self::Other => Event::Other,
        }
    }
}
