//! Sessions of CodeBuddy Code (`~/.codebuddy/projects/<folder>/<session>.jsonl`, subagents in `<session>/subagents/`): an
//! item of OpenAI's agents a line, with `id`, `timestamp` in milliseconds, `sessionId` and `cwd`. Read are `message`
//! (`role`, `content`), `reasoning` (`rawContent`), `function_call` (`callId`, `name`, `arguments`),
//! `function_call_result` (`callId`, `output`, `status`), the titles in `topic`, `ai-title` and `custom-title`, and of
//! `providerData` the `model`, the `messageId` of the answer, its `usage` or `rawUsage`, which stand on each item of
//! the answer, the `exitCode` of a command, and what says that a message is not the user's.

use std::borrow::Cow;

use turnkeeper_base::json::Json;
use turnkeeper_messages::{Event, exit_code};

use crate::sessions::format::{Format, RecordReader};
use crate::sessions::given::{answered, at, called, ended, is_true_at, list_at, text_at, thought};
use crate::sessions::items::{condensed, fact, host_said, item, plain, user_said};
use crate::sessions::key::Key;
use crate::sessions::record::{Facts, Item, Record, Unreadable, Usage};
use crate::sessions::usage::{amount, inclusive, named, recorded};

/// Whether it is an item of a session.
pub(crate) fn is_codebuddy_line(line: &Json) -> bool {
    let has = |name: &str| text_at(line, &[name]).is_some();
    let is_item = match text_at(line, &["type"]) {
        Some("message") => has("role"),
        Some("function_call" | "function_call_result") => has("callId"),
        Some("reasoning") => matches!(line.get("rawContent"), Some(Json::List(_))),
        _ => false,
    };
    is_item && matches!(line.get("timestamp"), Some(Json::Number(_)))
}

/// Reads a session. A turn starts with the first item of an answer.
#[derive(Default)]
pub(crate) struct CodeBuddyReader {
    is_models_turn: bool,
    /// The answer that the last item was of, where that is known.
    answer: Option<String>,
    has_given_title: bool,
}

impl CodeBuddyReader {
    fn models<'a>(&mut self, line: &Json, events: Vec<Event<'a>>) -> Vec<Item<'a>> {
        let answer = text_at(line, &["providerData", "messageId"]);
        let is_other =
            answer.is_some() && self.answer.is_some() && answer != self.answer.as_deref();
        let is_first = !std::mem::replace(&mut self.is_models_turn, true) || is_other;
        if is_first || self.answer.is_none() {
            self.answer = answer.map(str::to_owned);
        }
        let started = (is_first && !events.is_empty()).then_some(Event::TurnStarted);
        started.into_iter().chain(events).map(item).collect()
    }

    fn message<'a>(&mut self, line: &'a Json<'a>) -> Vec<Item<'a>> {
        let words = plain(line.get("content"));
        let of = |name: &str| is_true_at(line, &["providerData", name]);
        // The request that sums up, and its answer, are the host's.
        if of("isCompactInternal") || text_at(line, &["providerData", "agent"]) == Some("compact") {
            return Vec::new();
        }
        if of("isSummary") || text_at(line, &["providerData", "compactType"]).is_some() {
            self.is_models_turn = false;
            return vec![condensed(), host_said(words)];
        }
        match text_at(line, &["role"]) {
            Some("assistant") => {
                let text = (!words.is_empty()).then_some(Event::Text { text: words });
                self.models(line, text.into_iter().collect())
            }
            role => {
                self.is_models_turn = false;
                let is_users = role == Some("user") && !of("isMeta") && !of("skipRun");
                vec![if is_users {
                    user_said(words)
                } else {
                    host_said(words)
                }]
            }
        }
    }

    fn result<'a>(&mut self, line: &'a Json<'a>) -> Vec<Item<'a>> {
        self.is_models_turn = false;
        let output = line.get("output");
        let output = output.and_then(|it| it.get("text")).or(output);
        let has_failed = matches!(text_at(line, &["status"]), Some("failed" | "error"));
        let result = answered(line.get("callId"), plain(output), has_failed);
        let code = at(
            line,
            &["providerData", "toolResult", "rawResponse", "exitCode"],
        );
        vec![item(ended(result, exit_code(code)))]
    }

    /// The title of the user's own counts before those that a model made.
    fn title<'a>(&mut self, line: &'a Json<'a>, name: &str, is_given: bool) -> Facts<'a> {
        let title = fact(line.get(name)).filter(|it| it != "(No content)" && !it.starts_with('/'));
        let title = title.filter(|_| is_given || !self.has_given_title);
        self.has_given_title |= is_given && title.is_some();
        Facts {
            title,
            ..Facts::default()
        }
    }
}

impl RecordReader for CodeBuddyReader {
    fn format(&self) -> Format {
        Format::CodeBuddy
    }

    fn read<'a>(&mut self, line: &'a Json<'a>, _place: u32) -> Result<Record<'a>, Unreadable> {
        let kind = text_at(line, &["type"]);
        let kind =
            kind.ok_or_else(|| Unreadable::new("is no item of a session: it has no type"))?;
        let facts = match kind {
            "topic" => self.title(line, "topic", false),
            "ai-title" => self.title(line, "aiTitle", false),
            "custom-title" => self.title(line, "customTitle", true),
            _ => Facts::default(),
        };
        let items = match kind {
            "message" => self.message(line),
            "reasoning" => {
                let texts = list_at(line, &["rawContent"]).iter();
                let texts = texts.filter_map(|part| text_at(part, &["text"]));
                let thought = thought(texts.collect::<Vec<_>>().join("\n"));
                self.models(line, thought.into_iter().collect())
            }
            "function_call" => {
                let args = line.get("arguments").map(Cow::Borrowed);
                let call = called(line.get("callId"), text_at(line, &["name"]), args)?;
                self.models(line, vec![call])
            }
            "function_call_result" => self.result(line),
            _ => Vec::new(),
        };
        let key = text_at(line, &["id"]).filter(|_| !items.is_empty());
        Ok(Record {
            items,
            key: key.and_then(|id| Key::of(Format::CodeBuddy).and(kind).and(id).made()),
            facts: Facts {
                model: fact(at(line, &["providerData", "model"])),
                working_directory: fact(line.get("cwd")),
                ..facts
            },
            ..Record::default()
        })
    }

    /// An answer's, which stands on each of its items.
    fn usage(&mut self, line: &Json) -> Vec<Usage> {
        let of = |keys: &[&str]| at(line, keys).filter(|it| matches!(it, Json::Object(_)));
        let Some(told) = of(&["providerData", "usage"]).or(of(&["providerData", "rawUsage"]))
        else {
            return Vec::new();
        };
        let raw = of(&["providerData", "rawUsage"]).unwrap_or(told);
        let first = |names: &[&[&str]], value: &Json| {
            let mut found = names.iter().map(|keys| amount(at(value, keys)));
            found.find(|count| *count > 0.0).unwrap_or_default()
        };
        let details = list_at(told, &["inputTokensDetails"]).iter();
        let listed: f64 = details.map(|it| amount(it.get("cached_tokens"))).sum();
        let cached: &[&[&str]] = &[
            &["prompt_tokens_details", "cached_tokens"],
            &["prompt_cache_hit_tokens"],
            &["cache_read_input_tokens"],
            &["cacheReadInputTokens"],
        ];
        let written: &[&[&str]] = &[
            &["cache_creation_input_tokens"],
            &["cacheCreationInputTokens"],
        ];
        let cache_read = if listed > 0.0 {
            listed
        } else {
            first(cached, raw)
        };
        let cache_write = first(written, raw);
        let input = first(
            &[&["inputTokens"], &["prompt_tokens"], &["input_tokens"]],
            told,
        );
        let output = first(
            &[
                &["outputTokens"],
                &["completion_tokens"],
                &["output_tokens"],
            ],
            told,
        );
        // OpenAI's protocol counts the cache as input, Anthropic's beside it.
        let is_inclusive = listed > 0.0
            || ["prompt_tokens", "prompt_cache_hit_tokens"]
                .iter()
                .any(|name| raw.get(name).is_some());
        let usage = Usage {
            id: text_at(line, &["providerData", "messageId"])
                .or(text_at(line, &["id"]))
                .map(Into::into),
            model: named(at(line, &["providerData", "model"])),
            input,
            cache_read,
            cache_write,
            output,
            ..Usage::default()
        };
        recorded(match is_inclusive {
            true => inclusive(usage),
            false => usage,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::testing::told;

    #[test]
    fn an_answer_is_one_turn_whatever_stands_between_its_items() {
        let call = |id: &str, answer: &str| {
            format!(
                r#"{{"id":"f{id}","timestamp":1791306050600,"type":"function_call","callId":"{id}","name":"Bash","arguments":"{{}}","providerData":{{"messageId":"{answer}","model":"m","usage":{{"inputTokens":1000,"outputTokens":30,"inputTokensDetails":[{{"cached_tokens":900}}]}}}}}}"#
            )
        };
        let result = |id: &str, code: u8| {
            format!(
                r#"{{"id":"r{id}","timestamp":1791306050600,"type":"function_call_result","callId":"{id}","status":"completed","output":{{"type":"text","text":"out"}},"providerData":{{"toolResult":{{"rawResponse":{{"exitCode":{code}}}}}}}}}"#
            )
        };
        let lines = [
            r#"{"id":"u","timestamp":1791306050600,"type":"message","role":"user","content":[{"type":"input_text","text":"go"}],"cwd":"/w"}"#.to_owned(),
            r#"{"type":"file-history-snapshot","timestamp":1791306050600}"#.to_owned(),
            r#"{"id":"t","timestamp":1791306050600,"type":"reasoning","rawContent":[{"type":"reasoning_text","text":"Hm."}]}"#.to_owned(),
            call("1", "m1"),
            call("2", "m1"),
            result("1", 0),
            result("2", 2),
            call("3", "m2"),
            call("4", "m3"),
            r#"{"type":"custom-title","customTitle":"Mine"}"#.to_owned(),
            r#"{"type":"ai-title","aiTitle":"Theirs"}"#.to_owned(),
            r#"{"timestamp":1}"#.to_owned(),
        ];
        let told = told(&mut CodeBuddyReader::default(), &lines);
        let events = [
            "1 user_message",
            "3 turn_started",
            "3 reasoning Hm.",
            "4 tool_call #1 Bash {}",
            "5 tool_call #2 Bash {}",
            "6 tool_result #1 exit 0 out",
            "7 tool_result #2 exit 2 out",
            "8 turn_started",
            "8 tool_call #3 Bash {}",
            "9 turn_started",
            "9 tool_call #4 Bash {}",
        ];
        assert_eq!(told.events, events);
        assert_eq!(
            told.problems,
            ["12 is no item of a session: it has no type"]
        );
        assert_eq!(told.title.as_deref(), Some("Mine"));
        assert_eq!(told.working_directory.as_deref(), Some("/w"));
        assert_eq!(told.tokens(), [[100.0, 900.0, 0.0, 30.0]; 4]);
        let answers = told.usage.iter().map(|it| it.id.as_deref());
        assert_eq!(
            answers.collect::<Vec<_>>(),
            [Some("m1"), Some("m1"), Some("m2"), Some("m3")]
        );
    }

    #[test]
    fn what_the_host_says_in_the_users_name_is_no_prompt() {
        let message = |data: &str| {
            format!(
                r#"{{"timestamp":1791306050600,"type":"message","role":"user","content":"x","providerData":{{{data}}}}}"#
            )
        };
        let lines = [
            message(r#""isMeta":true"#),
            message(r#""skipRun":true"#),
            message(r#""compactType":"auto""#),
            message(r#""agent":"compact""#),
            message(r#""agent":"cli""#),
        ];
        let told = told(&mut CodeBuddyReader::default(), &lines);
        let events = [
            "1 other", "2 other", "3 condensation", "3 other", "5 user_message",
        ];
        assert_eq!(told.events, events);
    }
}
