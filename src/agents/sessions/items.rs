//! The items that readers make records of.

use std::borrow::Cow;

use turnkeeper_base::json::Json;
use turnkeeper_messages::tool_output::text_of;
use turnkeeper_messages::{Event, Part, PromptStart, prompt_start};

use super::record::{Facts, Item, Said, Speaker, Unreadable};

/// An event without words beside it.
pub(crate) fn item(event: Event<'_>) -> Item<'_> {
    Item { event, said: None }
}

/// An answer of the model's, which is a turn.
pub(crate) fn turn(answer: Vec<Event<'_>>) -> Vec<Item<'_>> {
    let started = std::iter::once(Event::TurnStarted);
    started.chain(answer).map(item).collect()
}

/// Something that the model says, where a format does not tell its turns apart: one starts with the first thing that it
/// says after a person or a tool.
pub(crate) fn of_model<'a>(is_models_turn: &mut bool, event: Event<'a>) -> Vec<Item<'a>> {
    let is_first = !std::mem::replace(is_models_turn, true);
    let started = is_first.then_some(Event::TurnStarted);
    started.into_iter().chain([event]).map(item).collect()
}

/// The items of one of several sessions in a file, which is a prompt with the session's name, and the first of its parts
/// that cannot be read, which costs itself alone. With a user's words, which may be empty, it is a new prompt even while
/// the model of the session before is at work.
///
/// # Errors
/// If there are parts, and none can be read.
pub(crate) fn of_session<'a>(
    name: Cow<'a, str>,
    model: Option<&Cow<'a, str>>,
    words: &'a str,
    part: &str,
    parts: impl Iterator<Item = Result<Vec<Item<'a>>, Unreadable>>,
) -> Result<(Vec<Item<'a>>, Option<Unreadable>), Unreadable> {
    let mut items = vec![item(Event::PromptStarted {
        prompt_id: name,
        model: model.cloned(),
        user_prompt: Some(words.into()),
    })];
    let mut first = None;
    let mut has_read = false;
    for (read, number) in parts.zip(1..) {
        match read {
            Ok(read) => {
                has_read = true;
                items.extend(read);
            }
            Err(problem) => drop(first.get_or_insert((number, problem))),
        }
    }
    let problem = match first {
        Some((_, problem)) if !has_read => return Err(problem),
        Some((number, Unreadable { reason, .. })) => {
            let reason = format!("is read without {part} {number}, which {reason}");
            Some(Unreadable::new(reason))
        }
        None => None,
    };
    Ok((items, problem))
}

/// Words in the user's name. Those of the agent or its host start no prompt.
pub(crate) fn user_said<'a>(text: impl Into<Cow<'a, str>>) -> Item<'a> {
    let text = text.into();
    let start = prompt_start(&text).map(|start| PromptStart {
        words: start.words.map(|words| words.into_owned().into()),
        is_report: start.is_report,
    });
    said_in_users_name(start, text)
}

/// Words in the user's name, of which is known what prompt they start.
pub(crate) fn said_in_users_name<'a>(
    start: Option<PromptStart<'a>>,
    text: impl Into<Cow<'a, str>>,
) -> Item<'a> {
    let Some(PromptStart { words, is_report }) = start else {
        return host_said(text);
    };
    let speaker = match words {
        Some(_) => Speaker::User,
        None => Speaker::System,
    };
    with_words(
        Event::UserMessage { words, is_report },
        speaker,
        text.into(),
    )
}

/// Whether the model is at work: the last thing that it did is a call, or has got a result.
#[derive(Debug, Default)]
pub(crate) struct Work {
    is_under_way: bool,
}

impl Work {
    /// Goes on with the items of a record. A report that comes to a model at work begins no prompt.
    pub(crate) fn follow(&mut self, items: &mut [Item]) {
        for item in items {
            match &item.event {
                Event::UserMessage {
                    is_report: true, ..
                } if self.is_under_way => item.event = Event::Other,
                Event::ToolCall { .. } | Event::ToolResult { .. } => self.is_under_way = true,
                Event::UserMessage { .. } | Event::Text { .. } => self.is_under_way = false,
                _ => {}
            }
        }
    }
}

/// Words of the host or the agent, in whomever's name, which start no prompt.
pub(crate) fn host_said<'a>(text: impl Into<Cow<'a, str>>) -> Item<'a> {
    with_words(Event::Other, Speaker::System, text.into())
}

fn with_words<'a>(event: Event<'a>, kind: Speaker, text: Cow<'a, str>) -> Item<'a> {
    Item {
        event,
        said: Some(Said { kind, text }),
    }
}

/// The history was replaced by a summary, or is gone on with from an earlier place.
pub(crate) fn condensed<'a>() -> Item<'a> {
    item(Event::Condensation)
}

/// A text that is not empty.
pub(crate) fn fact<'a>(value: Option<&'a Json<'a>>) -> Option<Cow<'a, str>> {
    let text = value.and_then(Json::as_text);
    text.filter(|text| !text.is_empty()).map(Cow::Borrowed)
}

/// The model that a value names.
pub(crate) fn model<'a>(value: Option<&'a Json<'a>>) -> Facts<'a> {
    Facts {
        model: fact(value),
        ..Facts::default()
    }
}

/// A call that names no tool.
pub(crate) fn nameless_call() -> Unreadable {
    Unreadable::new("has a tool call without a name")
}

/// Events that stand by themselves; pictures are left out.
///
/// # Errors
/// For a call that names no tool.
pub(crate) fn events<'a>(
    parts: impl IntoIterator<Item = Part<'a>>,
) -> Result<Vec<Item<'a>>, Unreadable> {
    let mut items = Vec::new();
    for part in parts {
        match part {
            Part::Event(event) => items.push(item(event)),
            Part::NamelessCall => return Err(nameless_call()),
            Part::Image => {}
        }
    }
    Ok(items)
}

/// The text of a content, whatever it is made of.
pub(crate) fn plain<'a>(content: Option<&'a Json<'a>>) -> Cow<'a, str> {
    content.map_or_else(Cow::default, text_of)
}
