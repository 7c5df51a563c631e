//! The meaning of an agent's event, and the answers that it can get, in no agent's dialect.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer, Serialize};
use turnkeeper_base::json::Json;

use super::fields::ToldCall;

/// An event of an agent's hook.
#[derive(Debug)]
pub struct Event<'a> {
    /// The agent's own name of the event.
    pub name: Cow<'a, str>,
    /// The id of the session.
    pub session: Cow<'a, str>,
    /// The id of the subagent in which it happened.
    pub subagent: Option<Cow<'a, str>>,
    /// The id of the prompt that it belongs to, where the agent tells.
    pub prompt_id: Option<Cow<'a, str>>,
    /// The happening that it tells of.
    pub happened: Happening<'a>,
    /// A hash of the event as the agent has told it.
    pub(crate) hash: u64,
}

/// A thing that can happen in a session.
#[derive(Debug, Deserialize)]
#[serde(
    tag = "type",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
pub enum Happening<'a> {
    /// A message in the user's name.
    Prompt {
        /// Its text, where the agent shows it.
        #[serde(default)]
        text: Option<Cow<'a, str>>,
    },
    /// The model is about to be asked again, within a prompt.
    Request,
    /// A call is about to run.
    CallAsked {
        /// The tool.
        name: Cow<'a, str>,
        /// The call's arguments, where the agent shows them.
        #[serde(borrow, default)]
        args: Option<Json<'a>>,
    },
    /// The same for a call that runs a subagent, where what happens in it comes without an id of it.
    SubagentAsked {
        /// The tool.
        name: Cow<'a, str>,
        /// The call's arguments.
        #[serde(borrow, default)]
        args: Option<Json<'a>>,
    },
    /// Calls have ended.
    Results(#[serde(borrow)] Results<'a>),
    /// The agent has replaced the conversation by a summary of it.
    Compacted,
}

/// Calls that have ended.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Results<'a> {
    /// The calls, in their order.
    #[serde(borrow, deserialize_with = "finished")]
    pub calls: Vec<FinishedCall<'a>>,
    /// The mark that tells apart the request to the model to which the calls belong.
    pub request: Option<Cow<'a, str>>,
    /// Whether context that is given now may reach the model only after more calls.
    pub context_is_late: bool,
    /// Whether the agent may tell of them again, with all others of their request.
    #[serde(skip)]
    pub(crate) may_come_again: bool,
    /// Whether this is the report of a subagent that [`Happening::SubagentAsked`] told of.
    pub ends_subagent: bool,
    /// A result that the agent lets a hook replace before the model sees it.
    #[serde(skip)]
    pub(crate) arrived: Option<Arrived<'a>>,
}

/// A call with its result.
#[derive(Debug, Clone)]
pub struct FinishedCall<'a> {
    /// The call's id, where the agent has one.
    pub id: Option<Cow<'a, str>>,
    /// The tool.
    pub name: Cow<'a, str>,
    /// The call's arguments.
    pub args: Json<'a>,
    /// The text that the tool returned.
    pub output: Cow<'a, str>,
    /// Whether it failed, where that is known.
    pub is_error: Option<bool>,
    /// A command's exit code.
    pub exit_code: Option<i64>,
}

/// The calls of a plugin, without those that have no name.
fn finished<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<FinishedCall<'de>>, D::Error> {
    let told = Vec::<ToldCall>::deserialize(deserializer)?;
    Ok(told.into_iter().filter_map(ToldCall::finished).collect())
}

impl<'a> Results<'a> {
    /// The result that can be replaced, and its call.
    pub(crate) fn arrived(&self) -> Option<(&Arrived<'a>, &FinishedCall<'a>)> {
        let arrived = self.arrived.as_ref()?;
        let call = arrived.call.as_ref().or_else(|| self.calls.first())?;
        Some((arrived, call))
    }
}

/// A result before the model sees it.
pub(crate) struct Arrived<'a> {
    /// Its call, unless that is among the calls that have ended.
    pub(crate) call: Option<FinishedCall<'a>>,
    /// The result with another text, in the tool's own shape.
    pub(crate) with_text: Box<dyn Fn(String) -> Json<'a> + 'a>,
}

impl std::fmt::Debug for Arrived<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.call.fmt(f)
    }
}

/// All that there is to say. A dialect says as much of it as its agent understands at the event.
#[derive(Debug, Default, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Reply<'a> {
    /// Facts for the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context: Option<String>,
    /// A message for the user, who may go on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notice: Option<String>,
    /// The turn shall end, for this reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end: Option<String>,
    /// The call that was asked for shall not run, for this reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refusal: Option<String>,
    /// The replacement for the result that has arrived, in the tool's own shape.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<Json<'a>>,
}

/// The most that a watch may do.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// The log alone is told of a loop.
    Watch,
    /// The model is told of a loop, the user of a stop, and nothing is ended.
    #[default]
    Hint,
    /// A stop ends the turn.
    Stop,
}

impl Mode {
    /// Every mode, the most careful first.
    pub const ALL: [Self; 3] = [Self::Watch, Self::Hint, Self::Stop];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Watch => "watch",
            Self::Hint => "hint",
            Self::Stop => "stop",
        }
    }

    /// The mode with a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.name() == name)
    }
}

/// The way in which the requests of a prompt to the model are told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Requests {
    /// The agent tells of all calls of a request at once.
    Batch,
    /// It says when the next one begins.
    Marked,
    /// It numbers them.
    Numbered,
    /// None of these.
    Untold,
}
