//! Options that are one of several words.

use serde::{Deserialize, Serialize};

/// A set of rules with their thresholds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS, documented::DocumentedFields)
)]
#[non_exhaustive]
pub enum LoopProfile {
    /// The rules of the agent that this library grew from.
    Standard,
    /// This library's own rules over calls and their results; the default.
    #[default]
    Adaptive,
    /// The verdicts of gemini-cli.
    GeminiCli,
    /// The verdicts of DeepV Code.
    Deepv,
    /// The verdicts of OpenHands.
    Openhands,
    /// The verdicts of Roo Code.
    Roo,
    /// The verdicts of Cline.
    Cline,
    /// The verdicts of crush.
    Crush,
    /// The verdicts of OpenHands' software agent SDK.
    OpenhandsSdk,
    /// The verdicts of opencode and Kilo Code.
    Opencode,
    /// The verdicts of Qwen Code.
    QwenCode,
    /// The verdicts of OpenClaw.
    Openclaw,
    /// The verdicts of goose.
    Goose,
}

/// What begins a new prompt, and so resets every count.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS, documented::DocumentedFields)
)]
#[non_exhaustive]
pub enum PromptStarts {
    /// Every new id.
    #[default]
    Id,
    /// The user. While the model works, which it does if the last thing that it did is a call or has
    /// got a result, a new id continues the prompt, unless the user's words come with it or a
    /// `user_message` has come. Some agents give each batch of results an id of its own.
    User,
}

/// What becomes of a `stop`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS, documented::DocumentedFields)
)]
#[non_exhaustive]
pub enum AfterFiring {
    /// Every further event gets it, until a new prompt or `clear`.
    #[default]
    Latched,
    /// The rule that fired starts afresh; the next event is judged as if it had not. For a rule over
    /// prose that is the next delta, so verdicts then depend on how prose is cut.
    Reset,
    /// The verdict is what the rules say of the events so far, so it ends with its reason: with a
    /// different call, for instance. While it holds, every further call is a stop, and so is a result where
    /// results are looked at; text, a turn and a message of the user are not.
    Stateless,
}

/// What of a call's arguments is compared.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS, documented::DocumentedFields)
)]
#[non_exhaustive]
pub enum CompareArguments {
    /// Their value; the order of keys does not matter, and a JSON string is the value that it holds.
    #[default]
    Sorted,
    /// The same, but a string is compared as it is, and is the same as a value only if it is what
    /// `JSON.stringify` prints of it with sorted keys. No arguments are the same as `null`.
    SortedOrText,
    /// Their value with keys in the order given; a JSON string is the value that it holds.
    Ordered,
    /// As they were written: a string as it is, anything else by its value with keys in the order
    /// given.
    Raw,
    /// Of their keys, `params` and, unless it has no keys or items, `nativeArgs`, with keys in any order.
    /// Arguments without these two count as `params`.
    Params,
    /// Nothing: all calls of one tool are the same.
    None,
}

/// What of a result is compared.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS, documented::DocumentedFields)
)]
#[non_exhaustive]
pub enum CompareResults {
    /// Nothing: calls are counted when they are made.
    #[default]
    None,
    /// Of a command, its exit code, if the result carries one; otherwise the whole output.
    ExitCode,
    /// The whole output.
    Full,
}

/// What breaks a run of calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS, documented::DocumentedFields)
)]
#[non_exhaustive]
pub enum RunBreak {
    /// Prose of the assistant.
    Text,
    /// Thinking of the model.
    Reasoning,
    /// The beginning or the end of a turn.
    Turn,
    /// A message of the user.
    UserMessage,
    /// A call of another tool.
    OtherTool,
}
