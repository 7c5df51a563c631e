//! The panel of a chat of VS Code, which is all that there is of an answer that is not finished, or was written before
//! rounds were: parts `thinking`, `toolInvocationSerialized` and Markdown.
//!
//! The arguments of most tools are not in it; the panel's words about the call stand for them. Calls that the panel hides
//! are the model's all the same: of an edit it shows the change instead, and of some tools a second one, an inner one
//! that does the work, by which the first is told from others.

use std::borrow::Cow;
use std::collections::{HashSet, VecDeque};

use turnkeeper_base::json::{Json, written};
use turnkeeper_messages::{Event, exit_code};

use super::rounds::thought_in_pieces;
use crate::sessions::given::{answered, at, called, ended, is_true_at, known, said, text_at};
use crate::sessions::items::plain;
use crate::sessions::record::Unreadable;

/// The events that the panel shows.
///
/// # Errors
/// For a call that names no tool.
pub(crate) fn panel_events<'a>(shown: &'a [Json<'a>]) -> Result<Vec<Event<'a>>, Unreadable> {
    let mut panel = Panel::default();
    for part in shown.iter().filter(|part| !is_subagents(part)) {
        match part
            .get("kind")
            .map(|kind| kind.as_text().unwrap_or_default())
        {
            Some("thinking") => {
                let thought = part.get("value").and_then(thought_in_pieces);
                thought.into_iter().for_each(|event| panel.push(event));
            }
            Some(INVOCATION) => panel.invocation(part)?,
            None | Some("markdownContent") => {
                let words = text_at(part, &["value"]).or(text_at(part, &["content", "value"]));
                let text = said(words.unwrap_or_default());
                text.into_iter().for_each(|event| panel.push(event));
            }
            Some(_) => {}
        }
    }
    Ok(panel.events)
}

const INVOCATION: &str = "toolInvocationSerialized";

/// Whether a part is a call of a subagent's.
pub(crate) fn is_subagents(part: &Json) -> bool {
    text_at(part, &["kind"]) == Some(INVOCATION)
        && (part.get("subAgentInvocationId").is_some() || is_true_at(part, &["fromSubAgent"]))
}

/// A call that the panel does not show.
struct Hidden<'a> {
    tool: &'a str,
    id: Option<&'a Json<'a>>,
    /// Where among the events it is.
    place: usize,
    has_result: bool,
}

#[derive(Default)]
struct Panel<'a> {
    events: Vec<Event<'a>>,
    is_models: bool,
    calls: HashSet<String>,
    /// Calls that are hidden, and whose inner ones have not come.
    hidden: VecDeque<Hidden<'a>>,
}

impl<'a> Panel<'a> {
    fn push(&mut self, event: Event<'a>) {
        if !self.is_models {
            self.events.push(Event::TurnStarted);
        }
        self.is_models = true;
        self.events.push(event);
    }

    fn invocation(&mut self, part: &'a Json<'a>) -> Result<(), Unreadable> {
        let id = part.get("toolCallId");
        // The same call may be written again when it has gone on.
        if id.is_some_and(|id| !self.calls.insert(written(id))) {
            return Ok(());
        }
        let tool = text_at(part, &["toolId"]);
        if let Some(hidden) = tool.and_then(|tool| self.hidden_of(tool)) {
            self.inner(&hidden, part);
            return Ok(());
        }
        self.push(called(id, tool, panel_arguments(part))?);
        let place = self.events.len() - 1;
        let result = panel_result(part, id);
        if text_at(part, &["presentation"]) == Some("hidden") {
            self.hidden.push_back(Hidden {
                tool: tool.unwrap_or_default(),
                id,
                place,
                has_result: result.is_some(),
            });
        }
        self.answer(result);
        Ok(())
    }

    fn answer(&mut self, result: Option<Event<'a>>) {
        if let Some(result) = result {
            self.events.push(result);
            self.is_models = false;
        }
    }

    /// The hidden call for which an inner tool works: the first of the same name, such as `copilot_fetchWebPage` of
    /// `vscode_fetchWebPage_internal`.
    fn hidden_of(&mut self, tool: &str) -> Option<Hidden<'a>> {
        let inner = tool.strip_suffix("_internal")?;
        let name = inner.split_once('_').map_or(inner, |(_, name)| name);
        let is_same = |hidden: &Hidden| hidden.tool.split_once('_').is_some_and(|it| it.1 == name);
        let at = self.hidden.iter().position(is_same)?;
        self.hidden.remove(at)
    }

    fn inner(&mut self, hidden: &Hidden<'a>, part: &'a Json<'a>) {
        if let Some(Event::ToolCall { args, .. }) = self.events.get_mut(hidden.place) {
            *args = panel_arguments(part);
        }
        if !hidden.has_result {
            self.answer(panel_result(part, hidden.id));
        }
    }
}

fn panel_arguments<'a>(part: &'a Json<'a>) -> Option<Cow<'a, Json<'a>>> {
    let given = part.get("toolSpecificData").unwrap_or(&Json::Null);
    if text_at(given, &["kind"]) == Some("terminal") {
        let command = text_at(given, &["commandLine", "original"]).unwrap_or_default();
        return Some(Cow::Owned(Json::object([("command", command.into())])));
    }
    let input =
        known(given.get("rawInput")).or_else(|| known(at(part, &["resultDetails", "input"])));
    if let Some(input) = input {
        return Some(Cow::Borrowed(input));
    }
    let words = part
        .get("invocationMessage")
        .filter(|it| it.as_text().is_some());
    let words = words.or_else(|| at(part, &["invocationMessage", "value"]));
    let says = words.map(|words| ("says".into(), words.clone()));
    Some(Cow::Owned(Json::Object(says.into_iter().collect())))
}

fn panel_result<'a>(part: &'a Json<'a>, id: Option<&'a Json<'a>>) -> Option<Event<'a>> {
    let terminal = part.get("toolSpecificData").unwrap_or(&Json::Null);
    if let Some(printed) = text_at(terminal, &["terminalCommandOutput", "text"]) {
        let code = exit_code(at(terminal, &["terminalCommandState", "exitCode"]));
        return Some(ended(answered(id, printed, false), code));
    }
    let is_error = is_true_at(part, &["resultDetails", "isError"]);
    match at(part, &["resultDetails", "output"])? {
        Json::Text(output) => Some(answered(id, &**output, is_error)),
        Json::List(parts) => {
            let texts: Vec<Cow<str>> = parts.iter().map(output_text).collect();
            Some(answered(id, texts.join("\n"), is_error))
        }
        _ => None,
    }
}

fn output_text<'a>(part: &'a Json<'a>) -> Cow<'a, str> {
    let is_text = part.get("isText") != Some(&Json::Bool(false));
    match part.get("value").filter(|_| is_text) {
        Some(value) => plain(Some(value)),
        None => format!("[{}]", text_at(part, &["mimeType"]).unwrap_or("data")).into(),
    }
}
