//! Whether a message in the user's name begins a prompt, and who wrote it: agents and their hosts put words of their own
//! there. Whatever the format, messages are told apart here, and texts of the user in `person.rs`.

use std::borrow::Cow;

use turnkeeper_base::json::Json;

use super::event::Event;
use super::events::{list_at, of, text_at};
use super::pattern::{Beginning, is_blank, is_white, trimmed};
use super::person::{PromptStart, prompt_start, tells_of_subagent};
use crate::part::{Part, is_result};
use crate::parts::{parts_of_part, pieces};
use crate::vscode;

/// Fields with which an agent marks its own messages and parts in the user's name.
const MARKS: &[&str] = &[
    "isMeta", "isCompactSummary", "isSynthetic", "synthetic", "ignored",
];

/// The prompt that a message begins; `None` for one of another role, for results that are sent in the user's name and
/// what comes with them, and for what an agent or its host wrote. The message may be of any provider or agent.
pub fn prompt_start_in(message: &Json) -> Option<PromptStart<'static>> {
    if !is_in_users_name(message) {
        return None;
    }
    if is_marked(message) {
        let kind = author_of(message).unwrap_or_default();
        let is_of = |kinds: &[&str]| kinds.iter().any(|it| kind.starts_with(it));
        let is_report = is_of(&["task-notification", "subagent", "inter_session"]);
        let is_timers = is_of(&["cron", "timer", "heartbeat", "schedule"]);
        return (is_timers || is_report).then_some(PromptStart {
            words: None,
            is_report,
        });
    }
    let told = pieces(message).iter().filter(|part| !is_marked(part));
    let said: Vec<Part> = told.flat_map(parts_of_part).collect();
    if said.iter().any(is_result) {
        return None;
    }
    let is_persons = author_of(message).is_some_and(is_person);
    // A picture by itself is a person's.
    let mut begins = said.contains(&Part::Image) && texts(&said).all(is_blank);
    let mut is_report = false;
    let mut words = Vec::new();
    for text in texts(&said).filter(|text| !is_blank(text)) {
        let start = match is_persons {
            true => Some(PromptStart {
                words: Some(Cow::Borrowed(text)),
                is_report: false,
            }),
            false => prompt_start(text),
        };
        begins |= start.as_ref().is_some_and(|start| !start.is_report);
        is_report |= start.as_ref().is_some_and(|start| start.is_report);
        words.extend(start.and_then(|start| start.words));
    }
    (begins || is_report).then(|| PromptStart {
        words: (!words.is_empty()).then(|| words.join("\n").into()),
        is_report: !begins,
    })
}

fn texts<'a>(parts: &'a [Part<'_>]) -> impl Iterator<Item = &'a str> {
    parts.iter().filter_map(|part| match part {
        Part::Event(Event::Text { text }) => Some(text.as_ref()),
        _ => None,
    })
}

/// The names that stand for a model where a host has written in the model's name.
const NO_MODELS: &[&str] = &[
    "<synthetic>", "delivery-mirror", "gateway-injected", "injected",
];

/// Whether a message in the model's name is none of its: a copy of what a host has delivered, a notice, a report of a
/// subagent, a turn that failed, or the answer to a heartbeat.
pub fn is_hosts_answer(message: &Json) -> bool {
    let model = text_at(message, "model").unwrap_or_default();
    if NO_MODELS.contains(&model)
        || matches!(message.get("isApiErrorMessage"), Some(Json::Bool(true)))
        || message.get("injected_event").is_some()
    {
        return true;
    }
    if !list_at(message, "tool_calls").is_empty() {
        return false;
    }
    let spoken: Vec<Part> = pieces(message).iter().flat_map(parts_of_part).collect();
    let is_call = |part: &Part| matches!(part, Part::Event(Event::ToolCall { .. }));
    if spoken.iter().any(is_call) {
        return false;
    }
    let has_failed = text_at(message, "stopReason") == Some("error");
    if has_failed && !has_used_tokens(message) {
        return true;
    }
    is_hosts_line(trimmed(&texts(&spoken).collect::<String>()))
}

/// Whether a text in the model's name is one that a host writes, or one that acknowledges to it that there is nothing
/// to say.
fn is_hosts_line(words: &str) -> bool {
    let text = Beginning(words);
    let failed = text
        .may_say("[")
        .says("assistant turn failed before producing content");
    let nothing = text
        .passes(|it| it == '*')
        .says_one_of(&["HEARTBEAT_OK", "NO_REPLY", "ANNOUNCE_SKIP", "REPLY_SKIP"]);
    failed.is_some_and(Beginning::ends_word)
        || tells_of_subagent(text).is_some()
        || nothing.is_some_and(|it| it.0.chars().all(|it| is_white(it) || "*.!".contains(it)))
}

fn has_used_tokens(message: &Json) -> bool {
    let usage = message.get("usage");
    let output = usage.and_then(|it| it.get("output_tokens").or_else(|| it.get("output")));
    matches!(output, Some(Json::Number(tokens)) if *tokens > 0.0)
}

fn is_in_users_name(message: &Json) -> bool {
    if let Some(role) = message.get("role") {
        return is_user(role) || vscode::role_of(message) == Some("user");
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
    fn a_host_also_writes_in_the_models_name() {
        for (message, expected) in [
            (r#"{"content":"a"}"#, false),
            (r#"{"content":"a","model":"<synthetic>"}"#, true),
            (r#"{"content":"a","isApiErrorMessage":true}"#, true),
            (r#"{"content":" **NO_REPLY**! "}"#, true),
            (r#"{"content":"NO_REPLY is what I say"}"#, false),
            (r#"{"content":"[Subagent 'a b' has ended"}"#, true),
            (
                r#"{"content":"[assistant turn failed before producing content]"}"#,
                true,
            ),
            (r#"{"content":"","stopReason":"error"}"#, true),
            (
                r#"{"content":"","stopReason":"error","usage":{"output":3}}"#,
                false,
            ),
            (
                r#"{"content":[{"type":"toolCall","name":"a"}],"stopReason":"error"}"#,
                false,
            ),
        ] {
            let mut room = Vec::new();
            let read = parse(message.as_bytes(), &mut room).expect("JSON");
            assert_eq!(is_hosts_answer(&read), expected, "{message}");
        }
    }

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
            let words = prompt_start_in(&read).and_then(|start| start.words);
            assert_eq!(words.as_deref(), expected, "{message}");
        }
    }

    #[test]
    fn a_persons_and_a_timers_message_begin_a_prompt() {
        for (message, begins) in [
            (r#"{"role":"user","content":"Go on."}"#, true),
            (
                r#"{"role":"user","content":[{"type":"image","source":{}}]}"#,
                true,
            ),
            (r#"{"role":"user","content":"[cron:1] look"}"#, true),
            (
                r#"{"role":"user","provenance":{"kind":"cron"},"content":"a"}"#,
                true,
            ),
            (
                r#"{"role":"user","origin":{"kind":"task-notification"},"content":"a"}"#,
                true,
            ),
            (
                r#"{"role":"user","provenance":{"kind":"internal_system"},"content":"a"}"#,
                false,
            ),
            (r#"{"role":"user","isMeta":true,"content":"a"}"#, false),
            (
                r#"{"role":"user","content":[{"type":"tool_result"},{"type":"text","text":"a"}]}"#,
                false,
            ),
            (r#"{"role":"assistant","content":"a"}"#, false),
            (r#"{"role":"user","content":"Stop hook success"}"#, false),
        ] {
            let mut room = Vec::new();
            let read = parse(message.as_bytes(), &mut room).expect("JSON");
            assert_eq!(prompt_start_in(&read).is_some(), begins, "{message}");
        }
    }
}
