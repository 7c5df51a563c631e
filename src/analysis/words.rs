//! The words of an event, and how many tokens they are.

use turnkeeper_base::json::{Json, written};
use turnkeeper_base::text::Size;
use turnkeeper_messages::Event;

/// The words of an event: of a call its name and arguments. `room` is for what has to be put together.
pub(crate) fn words_of<'e>(event: &'e Event, room: &'e mut String) -> &'e str {
    match event {
        Event::Text { text } | Event::Reasoning { text } => text,
        Event::ToolResult { output, .. } => output,
        Event::ToolCall { name, args, .. } => {
            room.clear();
            room.push_str(name);
            room.push(' ');
            match args.as_deref() {
                None => {}
                Some(Json::Text(text)) => room.push_str(text),
                Some(args) => room.push_str(&written(args)),
            }
            room
        }
        _ => "",
    }
}

/// The size of these words.
pub(crate) fn size_of(event: &Event) -> Size {
    let mut room = String::new();
    Size::of_text(words_of(event, &mut room))
}

/// The first words that the user typed, without the tags around them and what the host has added: at most 120
/// UTF-16 units. None if there are none.
pub(crate) fn first_words(text: &str) -> Option<String> {
    let text = beginning(text, LOOKED_AT);
    let mut words = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        words.push_str(&rest[..at]);
        rest = &rest[at..];
        match tag_at(rest) {
            Some(tag) => {
                words.push(' ');
                let after = &rest[tag.length..];
                rest = match tag.holds_hosts_words() {
                    true => after_end(after, tag.name),
                    false => after,
                };
            }
            None => {
                words.push('<');
                rest = &rest[1..];
            }
        }
    }
    words.push_str(rest);
    let line = super::plain_text::one_line(&words, TITLE);
    (!line.is_empty()).then_some(line)
}

/// The first words are looked for in this many bytes.
const LOOKED_AT: usize = 4_000;
/// The most of them, in UTF-16 units.
const TITLE: usize = 120;
/// The longest name of a tag.
const LONGEST_TAG: usize = 40;

struct Tag<'a> {
    name: &'a str,
    length: usize,
    is_end: bool,
}

impl Tag<'_> {
    /// Whether hosts add the text between it and its end.
    fn holds_hosts_words(&self) -> bool {
        let of_command = |prefix: &str| {
            let rest = self.name.strip_prefix(prefix).unwrap_or_default();
            !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_lowercase())
        };
        let is_named = matches!(self.name, "environment_details" | "system-reminder");
        !self.is_end && (is_named || of_command("command-") || of_command("local-command-"))
    }
}

/// The tag without attributes that a text begins with.
fn tag_at(text: &str) -> Option<Tag<'_>> {
    let inner = text.strip_prefix('<')?;
    let name = inner.strip_prefix('/').unwrap_or(inner);
    let is_of_name = |byte: &u8| byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'-');
    let length = name.bytes().take_while(|byte| is_of_name(byte)).count();
    let is_whole =
        (1..=LONGEST_TAG).contains(&length) && name.as_bytes().get(length) == Some(&b'>');
    is_whole.then(|| Tag {
        name: &name[..length],
        length: text.len() - name.len() + length + 1,
        is_end: name.len() < inner.len(),
    })
}

fn after_end<'a>(text: &'a str, name: &str) -> &'a str {
    let mut rest = text;
    while let Some(at) = rest.find("</") {
        let end = &rest[at..];
        if let Some(tag) = tag_at(end)
            && tag.name == name
        {
            return &end[tag.length..];
        }
        rest = &end[2..];
    }
    ""
}

fn beginning(text: &str, most: usize) -> &str {
    let mut end = most.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_words_are_the_users() {
        for (text, words) in [
            ("Fix\n  the build", Some("Fix the build")),
            ("<task>Fix it</task> <b>now</b>", Some("Fix it now")),
            (
                "<environment_details>cwd</environment_details>Fix it",
                Some("Fix it"),
            ),
            ("<system-reminder>Be brief.", None),
            ("<command-name>/clear</command-name>", None),
            ("<command->x</command-> y", Some("x y")),
            ("a < b", Some("a < b")),
            ("<a href=\"x\">", Some("<a href=\"x\">")),
            (" \n", None),
        ] {
            assert_eq!(first_words(text).as_deref(), words, "{text}");
        }
        assert_eq!(
            first_words(&"é".repeat(5_000)).map(|it| it.chars().count()),
            Some(TITLE)
        );
    }

    #[test]
    fn a_call_says_its_name_and_arguments() {
        let mut room = String::new();
        let args = Json::object([("path", "a\"b".into()), ("n", Json::Number(1.0))]);
        let call = |args| Event::ToolCall {
            key: None,
            id: None,
            name: "read".into(),
            args,
        };
        let given = call(Some(std::borrow::Cow::Owned(args)));
        assert_eq!(
            words_of(&given, &mut room),
            "read {\"path\":\"a\\\"b\",\"n\":1}"
        );
        assert_eq!(words_of(&call(None), &mut room), "read ");
        let text = call(Some(std::borrow::Cow::Owned("{}".into())));
        assert_eq!(size_of(&text).units, 7);
    }
}
