//! The things that happen in a conversation: the events to which every adapter maps its own.

use serde::{Deserialize, Deserializer, Serialize, de};
use serde_json::Value;
use turnkeeper_base::json::Json;
use turnkeeper_messages::tool_output::text_of;

/// One thing that happened in a conversation.
///
/// Text comes as deltas, cut anywhere. Lengths and offsets count UTF-16 code units, as
/// JavaScript's `length` does.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS, documented::DocumentedFields)
)]
#[serde(
    tag = "type",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
#[non_exhaustive]
pub enum AgentEvent {
    /// A delta of the assistant's prose.
    Text {
        /// The delta.
        text: String,
    },
    /// A delta of the model's thinking.
    Reasoning {
        /// The delta.
        text: String,
    },
    /// The model asks for a tool.
    ToolCall {
        /// The provider's id of the call, by which its result is recognised. Without ids, a result
        /// belongs to the oldest call that has none yet.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(optional))]
        id: Option<String>,
        /// The tool's name.
        name: String,
        /// Any JSON value, or the same as a JSON string. Left out where the format carries none.
        #[serde(
            default,
            skip_serializing_if = "Option::is_none",
            deserialize_with = "present"
        )]
        #[cfg_attr(feature = "typescript", ts(type = "unknown"))]
        args: Option<Value>,
        /// The string by which the tool identifies the call, where it says one: calls of one tool with equal keys are
        /// equal whatever their arguments, and calls with different keys differ.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(optional))]
        key: Option<String>,
    },
    /// A tool answered.
    ToolResult {
        /// The `id` of the call that it answers, the same string as there.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(optional))]
        id: Option<String>,
        /// The text that the tool printed or returned: a string, or the parts of a provider's message, whose texts
        /// count, a line each. A picture or a file counts by its type, and an array of anything else as
        /// JSON. An empty one is a result.
        #[serde(deserialize_with = "tool_output")]
        #[cfg_attr(feature = "typescript", ts(type = "string | readonly object[]"))]
        output: String,
        /// Whether the host or the tool marked it as an error. The profile `adaptive` also recognises
        /// errors by the exit code, and by the words of short outputs.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(optional))]
        is_error: Option<bool>,
        /// A command's exit code.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(optional, type = "number"))]
        exit_code: Option<i64>,
    },
    /// A request to the provider begins: send it before the events of each answer of the model.
    TurnStarted,
    /// The user said something.
    UserMessage,
    /// The model's answer ended.
    Finished,
    /// The host shortened the conversation's history.
    Condensation,
    /// The last turn is tried again: what it counted is taken back.
    Retry,
    /// The host's own detector has found a loop.
    LoopReported {
        /// The detector's name.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(optional))]
        by: Option<String>,
        /// Its words.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(optional))]
        detail: Option<String>,
    },
    /// Anything else; it changes nothing.
    Other,
}

/// `"args": null` is an argument, the value null; a missing key is none.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

fn tool_output<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    match Json::deserialize(deserializer)? {
        Json::Text(text) => Ok(text.into_owned()),
        parts @ Json::List(_) => Ok(text_of(&parts).into_owned()),
        _ => Err(de::Error::custom("must be a string or an array of parts")),
    }
}
