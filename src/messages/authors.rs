//! Who wrote a message that stands in the user's name: agents and their hosts put words of their own there. Whatever
//! the format, messages are told apart here, and texts of the user in `person.rs`.

use turnkeeper_base::json::Json;

use super::parts::{Part, of, parts_of_part, pieces};
use super::pattern::is_blank;
use super::person::users_words;

/// Fields with which an agent marks its own messages and parts in the user's name.
const MARKS: &[&str] = &[
    "isMeta", "isCompactSummary", "isSynthetic", "synthetic", "ignored",
];

/// The text that a person wrote in a message; `None` for one of another role, for results that are sent in the user's
/// name and what comes with them, and for what an agent or its host wrote. The message may be of any provider or
/// agent.
pub fn users_words_in(message: &Json) -> Option<String> {
    if !is_in_users_name(message) || is_marked(message) {
        return None;
    }
    let told = pieces(message).iter().filter(|part| !is_marked(part));
    let said: Vec<Part> = told.flat_map(parts_of_part).collect();
    if said.contains(&Part::Result) {
        return None;
    }
    let is_persons = author_of(message).is_some_and(is_person);
    let words = said.into_iter().filter_map(|part| match part {
        Part::Text(text) if is_persons => Some(text),
        Part::Text(text) => users_words(text),
        _ => None,
    });
    let words: Vec<&str> = words.filter(|said| !is_blank(said)).collect();
    (!words.is_empty()).then(|| words.join("\n"))
}

/// VS Code's number for the role of the user.
const USER: f64 = 1.0;

fn is_in_users_name(message: &Json) -> bool {
    if let Some(role) = message.get("role") {
        return is_user(role) || matches!(role, Json::Number(USER));
    }
    // gemini-cli's records have a type in its place, and Gemini's contents need none.
    if let Some(kind) = message.get("type") {
        return is_user(kind);
    }
    message.get("content").is_none() && matches!(message.get("parts"), Some(Json::List(_)))
}

fn is_user(role: &Json) -> bool {
    matches!(role.as_text(), Some("user" | "human"))
}

fn is_marked(given: &Json) -> bool {
    let is_set = |mark: &&str| matches!(given.get(mark), Some(Json::Bool(true)));
    MARKS.iter().any(is_set)
        || given.get("injected_event").is_some()
        || author_of(given).is_some_and(|kind| !is_person(kind))
}

/// Who is said to have written a message, where an agent says it.
fn author_of<'a>(given: &'a Json<'a>) -> Option<&'a str> {
    let mut named = ["origin", "provenance"].into_iter();
    named.find_map(|name| of(given, name)?.get("kind")?.as_text())
}

fn is_person(kind: &str) -> bool {
    matches!(kind, "human" | "user" | "external_user")
}

#[cfg(test)]
mod tests {
    use turnkeeper_base::json::parse;

    use super::*;

    #[test]
    fn only_a_persons_words_are_the_users() {
        let notice = r#"<system-reminder>Be brief.</system-reminder>"#;
        let table = [
            (
                r#"{"role":"user","content":"Go on."}"#.to_owned(),
                Some("Go on."),
            ),
            (
                r#"{"role":"assistant","content":"Go on."}"#.to_owned(),
                None,
            ),
            (
                r#"{"role":1,"content":[{"value":"Go on."}]}"#.to_owned(),
                Some("Go on."),
            ),
            (
                r#"{"parts":[{"text":"Go on."}]}"#.to_owned(),
                Some("Go on."),
            ),
            (
                r#"{"type":"human","content":"Go on."}"#.to_owned(),
                Some("Go on."),
            ),
            (
                format!(r#"{{"role":"user","content":["{notice}","a","b"]}}"#),
                Some("a\nb"),
            ),
            (format!(r#"{{"role":"user","content":"{notice}"}}"#), None),
            (
                format!(r#"{{"role":"user","origin":{{"kind":"human"}},"content":"{notice}"}}"#),
                Some(notice),
            ),
            (
                r#"{"role":"user","isMeta":true,"content":"a"}"#.to_owned(),
                None,
            ),
            (
                r#"{"role":"user","provenance":{"kind":"cron"},"content":"a"}"#.to_owned(),
                None,
            ),
            (
                r#"{"role":"user","parts":[{"type":"text","text":"a","synthetic":true},"b"]}"#
                    .to_owned(),
                Some("b"),
            ),
            (
                r#"{"role":"user","content":[{"type":"tool_result"},{"type":"text","text":"a"}]}"#
                    .to_owned(),
                None,
            ),
            (
                r#"{"role":"user","content":[{"type":"image","source":{}}]}"#.to_owned(),
                None,
            ),
            ("[]".to_owned(), None),
        ];
        for (message, expected) in table {
            let mut room = Vec::new();
            let read = parse(message.as_bytes(), &mut room).expect("JSON");
            assert_eq!(users_words_in(&read).as_deref(), expected, "{message}");
        }
    }
}
