//! The texts of events, cut for the list and whole for the one that is looked at.

use std::borrow::Cow;

use turnkeeper_agents::sessions::Item;
use turnkeeper_base::json::Json;
use turnkeeper_messages::Event;

use super::cut::{Beginning, shortened};
use crate::plain_text::one_line;
use crate::wording::{describe, label_of};

/// The units of a row's text.
const EXCERPT: usize = 200;
/// The units of a text from which a row's is made, whose white space may be long.
const FOR_EXCERPT: usize = 2 * EXCERPT;

/// The beginning of what some events say, on one line; all but the first are further pieces of its text.
pub(super) fn excerpt_of<'r>(items: impl Iterator<Item = &'r Item<'static>>) -> String {
    let mut items = items.peekable();
    let Some(first) = items.peek() else {
        return String::new();
    };
    let line = match &first.event {
        Event::PromptStarted { .. } => one_line(&whole_text(&first.event), FOR_EXCERPT),
        Event::Text { .. } | Event::Reasoning { .. } => {
            let mut beginning = Beginning::of(FOR_EXCERPT);
            for item in items {
                beginning.push(&whole_text(&item.event));
                if beginning.is_full() {
                    break;
                }
            }
            one_line(&beginning.text, FOR_EXCERPT)
        }
        event => match describe(event) {
            line if line.is_empty() => one_line(said_with(first), FOR_EXCERPT),
            line => line,
        },
    };
    shortened(&line, EXCERPT)
}

/// Whether it is a result that is marked as an error, or of a command that ended with another code than 0.
pub(super) fn has_failed(event: &Event) -> bool {
    let Event::ToolResult {
        is_error,
        exit_code,
        ..
    } = event
    else {
        return false;
    };
    *is_error == Some(true) || exit_code.is_some_and(|code| code != 0)
}

/// The event in a word.
pub(super) fn label_in_list(event: &Event) -> &'static str {
    match has_failed(event) {
        true => "error",
        false => label_of(event),
    }
}

/// The words of the user or the host, beside an event without a text of its own.
pub(super) fn said_with<'i>(item: &'i Item) -> &'i str {
    item.said.as_ref().map_or("", |said| &said.text)
}

/// All that an event says.
pub(super) fn whole_text<'e>(event: &'e Event) -> Cow<'e, str> {
    match event {
        Event::Text { text } | Event::Reasoning { text } => Cow::Borrowed(text),
        Event::ToolResult { output, .. } => Cow::Borrowed(output),
        Event::ToolCall { name, args, .. } => match args.as_deref() {
            None => format!("{name} ").into(),
            Some(Json::Text(args)) => format!("{name} {args}").into(),
            Some(args) => {
                let value = args.to_value();
                let shown = serde_json::to_string_pretty(&value).unwrap_or_default();
                format!("{name} {shown}").into()
            }
        },
        Event::PromptStarted {
            prompt_id,
            user_prompt,
            ..
        } => match user_prompt {
            None => Cow::Borrowed(prompt_id),
            Some(words) => format!("{prompt_id} {words}").into(),
        },
        _ => Cow::Borrowed(""),
    }
}

#[cfg(test)]
mod tests {
    use turnkeeper_agents::sessions::{Said, Speaker};

    use super::*;

    fn item(event: Event<'static>) -> Item<'static> {
        Item { event, said: None }
    }

    fn text(text: &'static str) -> Item<'static> {
        item(Event::Text { text: text.into() })
    }

    #[test]
    fn pieces_of_a_text_are_one_line() {
        let items = [text("Look \n\n at"), text(" it\u{1b}.")];
        assert_eq!(excerpt_of(items.iter()), "Look at it\\x1b.");
        let long = [item(Event::Text {
            text: "ab ".repeat(400).into(),
        })];
        let excerpt = excerpt_of(long.iter());
        assert_eq!(excerpt.chars().count(), EXCERPT + 1);
        assert!(excerpt.ends_with('…'));
    }

    #[test]
    fn words_beside_an_event_stand_for_it() {
        let user = Item {
            event: Event::UserMessage {
                words: None,
                is_report: false,
            },
            said: Some(Said {
                kind: Speaker::User,
                text: "Mend\nit.".into(),
            }),
        };
        assert_eq!(excerpt_of([&user].into_iter()), "Mend it.");
    }

    #[test]
    fn arguments_are_indented_and_their_numbers_as_javascript_prints_them() {
        let args = Json::object([("line", Json::Number(3.0)), ("path", Json::from("a"))]);
        let call = Event::ToolCall {
            key: None,
            id: None,
            name: "read".into(),
            args: Some(Cow::Owned(args)),
        };
        let expected = "read {\n  \"line\": 3,\n  \"path\": \"a\"\n}";
        assert_eq!(whole_text(&call), expected);
    }
}
