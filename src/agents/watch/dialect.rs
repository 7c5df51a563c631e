//! The language of an agent's hooks: how an event is read, and how most answer.

use turnkeeper_base::json::Json;

use super::event::{Event, FinishedCall, Happening, Reply, Requests, Results};
use super::fields::{Fields, ToldCall, arguments, text};

/// The language of one agent's hooks.
pub struct Dialect {
    /// The way in which the requests of a prompt are told apart.
    pub requests: Requests,
    /// Whether results are told, or only calls before they run.
    pub tells_results: bool,
    /// Whether the agent tells when a prompt begins.
    pub tells_prompts: bool,
    /// Whether two events are never equal to the byte, so that an equal one is the same, told twice.
    pub events_differ: bool,
    /// The text that is printed where there is nothing to say.
    pub silence: &'static str,
    /// The events of interest, by their names in lower case.
    pub(crate) events: &'static [(&'static str, Meaning)],
    /// Gives the fields of a payload the names that Claude Code has.
    pub(crate) rename: fn(&mut Fields),
    /// Whether the agent ends or refuses something because of an answer with a reason to end, when this happens.
    pub(crate) obeys: fn(&Happening) -> bool,
    /// The answer in the agent's own fields, and no others.
    pub(crate) answer: for<'a> fn(&Event<'a>, Reply<'a>) -> Option<Json<'a>>,
}

/// The parts that most dialects share.
pub(crate) const DIALECT: Dialect = Dialect {
    requests: Requests::Untold,
    tells_results: true,
    tells_prompts: true,
    events_differ: true,
    silence: "",
    events: &[],
    rename: |_| (),
    obeys: |happened| !matches!(happened, Happening::Prompt { .. } | Happening::Compacted),
    answer: |_, _| None,
};

/// The meaning of an agent's event.
pub(crate) enum Meaning {
    /// A message in the user's name.
    Prompt,
    /// The model is asked again.
    Request,
    /// A call is about to run.
    Asked,
    /// A call has run.
    Result,
    /// A call has failed.
    Failure,
    /// A session begins, perhaps after its conversation was replaced by a summary.
    Start,
    /// Something of the agent's own.
    Own(for<'a> fn(&mut Fields<'a>) -> Option<Happening<'a>>),
}

impl Dialect {
    /// Whether the agent tells when a conversation was replaced by a summary, so that its model can be told of the work
    /// before.
    pub fn tells_compactions(&self) -> bool {
        let mut events = self.events.iter();
        events.any(|(_, meaning)| matches!(meaning, Meaning::Start))
    }

    /// The event of a payload; `None` if it is of no interest. `named` is its name on the command line.
    pub(crate) fn read<'a>(
        &self,
        mut payload: Fields<'a>,
        named: Option<&'a str>,
        hash: u64,
    ) -> Option<Event<'a>> {
        (self.rename)(&mut payload);
        let name = payload.take_text(["hook_event_name", "hookEventName", "event"]);
        let name = name.or(named.map(Into::into))?;
        let meaning = self
            .events
            .iter()
            .find(|(it, _)| name.eq_ignore_ascii_case(it));
        let session = payload.take_text(["session_id", "sessionId"])?;
        let subagent = payload.take_text(["agent_id"]);
        let prompt_id = payload.take_text(["prompt_id", "turn_id"]);
        Some(Event {
            happened: meaning?.1.read(&mut payload)?,
            name,
            session,
            subagent,
            prompt_id,
            hash,
        })
    }
}

impl Meaning {
    fn read<'a>(&self, payload: &mut Fields<'a>) -> Option<Happening<'a>> {
        Some(match self {
            Self::Prompt => prompt(payload.take("prompt")),
            Self::Request => Happening::Request,
            Self::Asked => Happening::CallAsked {
                name: payload.take_text(["tool_name"])?,
                args: payload.take("tool_input").map(arguments),
            },
            Self::Result => results(call(payload, None)),
            Self::Failure => results(call(payload, Some(true))),
            Self::Start => {
                let source = text(payload.take("source"));
                return (source.as_deref() == Some("compact")).then_some(Happening::Compacted);
            }
            Self::Own(read) => return read(payload),
        })
    }
}

/// A message in the user's name, with its text where that is shown.
pub(crate) fn prompt(shown: Option<Json<'_>>) -> Happening<'_> {
    Happening::Prompt {
        text: match shown {
            Some(Json::Text(text)) => Some(text),
            _ => None,
        },
    }
}

/// A message without words, where words are shown, is a request with results of tools.
pub(crate) fn prompt_or_request<'a>(payload: &mut Fields<'a>) -> Option<Happening<'a>> {
    Some(match payload.take_text(["prompt"]) {
        Some(text) => Happening::Prompt { text: Some(text) },
        None => Happening::Request,
    })
}

/// Calls that have ended.
pub(crate) fn results<'a>(calls: impl IntoIterator<Item = FinishedCall<'a>>) -> Happening<'a> {
    Happening::Results(Results {
        calls: calls.into_iter().collect(),
        ..Results::default()
    })
}

/// One call of a payload that tells of a single one.
pub(crate) fn call<'a>(
    payload: &mut Fields<'a>,
    is_error: Option<bool>,
) -> Option<FinishedCall<'a>> {
    let mut first = |names: &[&str]| names.iter().find_map(|name| payload.take(name));
    let told = ToldCall {
        id: first(&["tool_call_id", "tool_use_id"]),
        name: first(&["tool_name"]),
        args: first(&["tool_input"]),
        output: first(&["tool_response", "tool_result", "error"]),
        is_error,
        exit_code: None,
    };
    told.finished()
}

/// `hookSpecificOutput` with context for the model, and a message that the user sees.
pub(crate) fn answer_with_context<'a>(event: &Event<'a>, reply: Reply<'a>) -> Option<Json<'a>> {
    let context = reply.context.map(|context| {
        let said = ("additionalContext", context.into());
        ("hookSpecificOutput", of_event(event, [said]))
    });
    let notice = reply.notice.map(|notice| ("systemMessage", notice.into()));
    object([notice, context])
}

/// An object of the fields that are there; `None` if there are none.
pub(crate) fn object<'a, const N: usize>(
    fields: [Option<(&'a str, Json<'a>)>; N],
) -> Option<Json<'a>> {
    let fields = fields.into_iter().flatten();
    let fields: Vec<_> = fields.map(|(name, value)| (name.into(), value)).collect();
    (!fields.is_empty()).then_some(Json::Object(fields))
}

/// An object that begins with the event's name.
pub(crate) fn of_event<'a, const N: usize>(
    event: &Event<'a>,
    fields: [(&'a str, Json<'a>); N],
) -> Json<'a> {
    let name = ("hookEventName".into(), event.name.clone().into());
    let fields = fields.map(|(name, value)| (name.into(), value));
    Json::Object([name].into_iter().chain(fields).collect())
}

/// `hookSpecificOutput` for a call that shall not run.
pub(crate) fn refusal<'a>(event: &Event<'a>, reason: String) -> Json<'a> {
    let denied = ("permissionDecision", "deny".into());
    of_event(event, [denied, ("permissionDecisionReason", reason.into())])
}
