//! The messages of a chat, whichever provider's they are.

use std::borrow::Cow;
use std::ops::Range;

use turnkeeper_base::json::{Json, written};
use turnkeeper_messages::{
    CallsInText, Event, Part, called_with, exit_code, exit_code_in, is_blank, is_hosts_answer,
    openai, parts_and_providers, prompt_start_in, role_of,
};

use super::features::{Features, is_response};
use super::texts::{
    ENVIRONMENT, answers_call, cut_environment, fenced_commands, holds_persons_words, joined,
};
use super::written_calls::written_calls;
use crate::hermes::reader::is_hermes_header;
use crate::kimi::reader::is_mark;
use crate::sessions::exit_code::command_result;
use crate::sessions::format::{Format, RecordReader};
use crate::sessions::items::{self, host_said, item, model, plain, said_in_users_name};
use crate::sessions::record::{Item, Record, Said, Speaker, Unreadable, Usage};
use crate::sessions::usage::of_message;

/// Reads the messages of a chat, whichever provider's they are. What a message says by itself is the business of
/// `turnkeeper_messages`; here is what only the messages before it tell: where a turn starts, and whether the user's
/// message is the result of a call.
#[derive(Debug)]
pub(crate) struct MessageReader {
    features: Features,
    given: Option<Format>,
    calls_in_text: CallsInText,
    /// Calls in the model's text, whose results are the user's next message.
    pending_calls: usize,
    is_models_turn: bool,
    has_answered: bool,
    /// Whether a call or a result was read as one.
    has_called: bool,
}

type Items<'a> = Result<Vec<Item<'a>>, Unreadable>;

impl MessageReader {
    /// Of messages whose format is known from what surrounds them, or of any.
    pub(crate) fn new(format: Option<Format>) -> Self {
        // Of other agents' models, text is text.
        let may_call_in_text = matches!(
            format,
            None | Some(Format::Cline | Format::ClineUi | Format::ClineMarkdown)
        );
        Self {
            features: Features {
                mini_swe_agent: format == Some(Format::MiniSweAgent),
                ..Features::default()
            },
            given: format,
            calls_in_text: match may_call_in_text {
                true => CallsInText::default(),
                false => CallsInText::none(),
            },
            pending_calls: 0,
            is_models_turn: false,
            has_answered: false,
            has_called: false,
        }
    }

    /// The events of a message. It goes on with the turn before unless it is a new one.
    ///
    /// # Errors
    /// For a call that names no tool.
    pub(crate) fn message<'a>(&mut self, message: &'a Json<'a>, is_new_turn: bool) -> Items<'a> {
        match role_of(message) {
            Some("system" | "developer") => Ok(vec![self.system(message)]),
            Some("assistant" | "model") if is_hosts_answer(message) => {
                let mut contents = ["content", "parts"].iter().filter_map(|it| message.get(it));
                let content = contents.find(|it| !matches!(it, Json::Null));
                Ok(vec![host_said(plain(content))])
            }
            Some("assistant" | "model") => self.assistant(message, is_new_turn),
            Some("tool" | "function") => {
                self.is_models_turn = false;
                self.tool_message(message)
            }
            Some("exit") => Ok(vec![item(Event::Finished)]),
            _ => {
                self.is_models_turn = false;
                Ok(self.user(message))
            }
        }
    }

    /// An item of OpenAI's Responses; a turn starts with the first that is the model's.
    ///
    /// # Errors
    /// For a call that names no tool.
    pub(crate) fn response_item<'a>(&mut self, item: &'a Json<'a>) -> Items<'a> {
        match item.get("type") {
            Some(kind) if kind.as_text() != Some("message") => {
                let parts = self.item(item);
                self.turn(parts)
            }
            _ => {
                let is_models = item.get("role").and_then(Json::as_text) == Some("assistant");
                let items = self.message(item, is_models && !self.is_models_turn)?;
                self.is_models_turn = is_models;
                Ok(items)
            }
        }
    }

    /// Words in the system's name. Where no call was read as one, they may answer a call that the model wrote in words
    /// of its own, and are a result.
    fn system<'a>(&self, message: &'a Json<'a>) -> Item<'a> {
        let words = plain(message.get("content"));
        match self.may_be_answered() {
            true => item(answer_in_text(words, message)),
            false => host_said(words),
        }
    }

    /// Whether the model may have called in words of its own, since no call was read as one.
    fn may_be_answered(&self) -> bool {
        self.given.is_none() && self.has_answered && !self.has_called
    }

    fn parts<'a>(&mut self, message: &'a Json<'a>) -> Vec<Part<'a>> {
        parts_and_providers(message, &mut self.features.providers)
    }

    fn assistant<'a>(&mut self, message: &'a Json<'a>, is_new_turn: bool) -> Items<'a> {
        self.has_answered = true;
        if is_new_turn {
            self.pending_calls = 0;
        }
        let mut native = self.parts(message);
        for output in message.get("output").map_or(&[][..], Json::items) {
            native.extend(self.item(output));
        }
        self.calls_in_text.start_message(native.iter().any(is_call));
        let mut parts = Vec::with_capacity(native.len() + 1);
        if is_new_turn {
            parts.push(Part::Event(Event::TurnStarted));
        }
        let mut texts = Vec::new();
        for part in native {
            match part {
                Part::Event(Event::Text {
                    text: Cow::Borrowed(text),
                }) => {
                    texts.push(text);
                    self.text(text, &mut parts);
                }
                part => parts.push(part),
            }
        }
        if !parts.iter().any(is_call) {
            self.mini_swe_calls(message, &texts, &mut parts);
        }
        self.has_called |= parts.iter().any(is_call);
        items::events(parts)
    }

    /// A text, with the calls that are written in it, if that is how the model calls tools.
    fn text<'a>(&mut self, text: &'a str, parts: &mut Vec<Part<'a>>) {
        let said = |text: &'a str| Part::Event(Event::Text { text: text.into() });
        let calls = self.calls_in(text);
        if calls.is_empty() {
            return parts.push(said(text));
        }
        self.pending_calls += calls.len();
        let mut at = 0;
        for (range, call) in calls {
            // Several calls may stand in one place.
            let before = text.get(at..range.start).unwrap_or_default();
            parts.extend((!is_blank(before)).then(|| said(before)));
            parts.push(call);
            at = range.end;
        }
        let rest = &text[at..];
        parts.extend((!is_blank(rest)).then(|| said(rest)));
    }

    /// The calls that are written in a text, as elements or else as data, and where they stand.
    fn calls_in<'a>(&mut self, text: &'a str) -> Vec<(Range<usize>, Part<'a>)> {
        let calls = self.calls_in_text.find(text);
        self.features.calls_in_text |= !calls.is_empty();
        if calls.is_empty() && self.given.is_none() && self.calls_in_text.reads_text() {
            let calls = written_calls(text).into_iter().map(|call| {
                let made = Event::ToolCall {
                    id: None,
                    name: call.name.into(),
                    args: Some(Cow::Owned(call.args)),
                    key: None,
                };
                (call.range, Part::Event(made))
            });
            return calls.collect();
        }
        let calls = calls.into_iter().map(|call| {
            let fields = call.parameters.into_iter();
            let args = fields.map(|(name, value)| (name.into(), value.into()));
            let args = Some(Cow::Owned(Json::Object(args.collect())));
            (call.range, called_with(None, Some(call.name), args))
        });
        calls.collect()
    }

    /// mini-swe-agent says beside the message what it ran, or has it in a block of the text.
    fn mini_swe_calls<'a>(
        &mut self,
        message: &'a Json<'a>,
        texts: &[&str],
        parts: &mut Vec<Part<'a>>,
    ) {
        let actions = message.get("extra").and_then(|it| it.get("actions"));
        let actions = actions.map_or(&[][..], Json::items);
        self.features.mini_swe_agent |= !actions.is_empty();
        if !self.features.mini_swe_agent {
            return;
        }
        let commands: Vec<Json> = match actions {
            [] => fenced_commands(&texts.join("\n")),
            actions => {
                let command = |action: &'a Json<'a>| {
                    let command = action.get("command").and_then(Json::as_text);
                    Json::from(command.or(action.as_text()).unwrap_or_default())
                };
                actions.iter().map(command).collect()
            }
        };
        self.pending_calls += commands.len();
        let calls = commands.into_iter().map(|command| {
            let args = Cow::Owned(Json::object([("command", command)]));
            called_with(None, Some("bash"), Some(args))
        });
        parts.extend(calls);
    }

    fn user<'a>(&mut self, message: &'a Json<'a>) -> Vec<Item<'a>> {
        let mut items = Vec::new();
        let mut words = Vec::new();
        for part in self.parts(message) {
            match part {
                Part::Event(Event::Text {
                    text: Cow::Borrowed(text),
                }) => words.push(text),
                Part::Event(event @ Event::ToolResult { .. }) => items.push(item(event)),
                _ => {}
            }
        }
        self.features.environment |= words.iter().any(|it| it.contains(ENVIRONMENT));
        self.said(&words, message, &mut items);
        items
    }

    /// The user's words, or the results of calls in the text, which hosts send in the user's name.
    fn said<'a>(&mut self, parts: &[&'a str], message: &'a Json<'a>, items: &mut Vec<Item<'a>>) {
        let cut: Vec<_> = parts.iter().map(|part| cut_environment(part)).collect();
        let words = cut.iter().map(|(before, _)| *before);
        let words: Vec<&str> = words.filter(|it| !is_blank(it)).collect();
        let blocks = cut.iter().map(|(_, block)| *block);
        let blocks: Vec<&str> = blocks.filter(|it| !it.is_empty()).collect();
        if !words.is_empty() {
            let output = joined(&words);
            if self.pending_calls > 0 {
                // Several calls in one text are answered together.
                self.pending_calls = 0;
                let is_persons = holds_persons_words(&output);
                items.push(item(answer_in_text(output, message)));
                items.extend(is_persons.then(|| {
                    item(Event::UserMessage {
                        words: None,
                        is_report: false,
                    })
                }));
            } else {
                // mini-swe-agent has no further words of a person.
                let is_over = self.has_answered && self.features.mini_swe_agent;
                let start = prompt_start_in(message).filter(|_| !is_over);
                // It may answer a call in words that nobody else reads as one.
                let may_answer = start.as_ref().is_none_or(|start| start.words.is_none());
                items.push(
                    match may_answer && self.may_be_answered() && answers_call(&output) {
                        true => item(answer_in_text(output, message)),
                        false => said_in_users_name(start, output),
                    },
                );
            }
        }
        if !blocks.is_empty() {
            let said = Some(Said {
                kind: Speaker::Environment,
                text: joined(&blocks),
            });
            let event = Event::Other;
            items.push(Item { event, said });
        }
    }

    fn tool_message<'a>(&mut self, message: &'a Json<'a>) -> Items<'a> {
        let mut parts = self.parts(message);
        let code = return_code(message);
        for part in &mut parts {
            if let Part::Event(Event::ToolResult { exit_code, .. }) = part {
                *exit_code = code.or(*exit_code);
            }
        }
        items::events(parts)
    }

    fn without_role<'a>(&mut self, value: &'a Json<'a>) -> Items<'a> {
        let parts = if is_response(value) {
            let output = value.get("output").map_or(&[][..], Json::items).iter();
            output.flat_map(|item| self.item(item)).collect()
        } else if openai::is_item(value) {
            self.item(value)
        } else {
            return Err(Unreadable::new("is no message: it has no role"));
        };
        self.features
            .providers
            .add(turnkeeper_messages::Provider::OpenAi);
        self.turn(parts)
    }

    fn turn<'a>(&mut self, parts: Vec<Part<'a>>) -> Items<'a> {
        self.has_called |= parts.iter().any(is_call);
        let mut all = Vec::with_capacity(parts.len() + 1);
        for part in parts {
            let is_models = !matches!(
                part,
                Part::Event(Event::ToolResult { .. } | Event::Condensation)
            );
            if is_models && !self.is_models_turn {
                all.push(Part::Event(Event::TurnStarted));
            }
            self.is_models_turn = is_models;
            all.push(part);
        }
        items::events(all)
    }

    fn item<'a>(&mut self, item: &'a Json<'a>) -> Vec<Part<'a>> {
        let kind = item.get("type").and_then(Json::as_text).unwrap_or_default();
        if kind == "message" {
            return self.parts(item);
        }
        let parts = openai::parts_of_item(item);
        if !kind.ends_with("_output") {
            return parts;
        }
        let parts = parts.into_iter().map(|part| match part {
            Part::Event(event) => Part::Event(command_result(event, item)),
            part => part,
        });
        parts.collect()
    }
}

impl RecordReader for MessageReader {
    fn format(&self) -> Format {
        self.given.unwrap_or_else(|| self.features.format())
    }

    fn read<'a>(&mut self, value: &'a Json<'a>, _place: u32) -> Result<Record<'a>, Unreadable> {
        let role = role_of(value);
        let has_parts = matches!(value.get("parts"), Some(Json::List(_)));
        let given = value.get("role").filter(|it| !matches!(it, Json::Null));
        // Gemini's user need not say who is speaking.
        if given.is_none() && !has_parts {
            let key = openai::is_result_item(value).then_some(OUTPUT);
            return Ok(record_of(self.without_role(value)?, value, key));
        }
        if value.get("type").and_then(Json::as_text) == Some("message") {
            self.features
                .providers
                .add(turnkeeper_messages::Provider::OpenAi);
            return Ok(record_of(
                self.response_item(value)?,
                value,
                role.map(|_| CONTENT),
            ));
        }
        // A context of Kimi CLI may begin with a message, and Hermes's line of facts may come after many.
        if is_mark(value) || is_hermes_header(value) {
            return Ok(model(value.get("model")).into());
        }
        if let (None, Some(strange)) = (role, given) {
            let found: String = written(strange).chars().take(LONGEST_ROLE).collect();
            let reason = format!("has the role {found}, which no agent's has");
            return Err(Unreadable::new(reason));
        }
        let key = match value.get("content") {
            None if has_parts => PARTS,
            _ => CONTENT,
        };
        let record = record_of(self.message(value, true)?, value, Some(key));
        Ok(Record {
            facts: model(value.get("model")),
            ..record
        })
    }

    /// An answer as Anthropic or Cline's newer store records it.
    fn usage(&mut self, value: &Json) -> Vec<Usage> {
        match self.given {
            None => of_message(value),
            // Other agents say elsewhere what was used.
            Some(_) => Vec::new(),
        }
    }
}

/// The characters of a strange role that are shown.
const LONGEST_ROLE: usize = 80;

type Key = &'static [&'static str];
const CONTENT: Key = &["content"];
const PARTS: Key = &["parts"];
const OUTPUT: Key = &["output"];

/// The record of a message, whose content is under a key, if the deduper is to look at it.
fn record_of<'a>(items: Vec<Item<'a>>, original: &'a Json<'a>, key: Option<Key>) -> Record<'a> {
    let is_content =
        |key: &Key| matches!(original.get(key[0]), Some(Json::Text(_) | Json::List(_)));
    Record {
        items,
        original: Some(original),
        path: key.filter(is_content),
        ..Record::default()
    }
}

fn is_call(part: &Part) -> bool {
    matches!(
        part,
        Part::Event(Event::ToolCall { .. }) | Part::NamelessCall
    )
}

/// mini-swe-agent's exit code beside a message.
fn return_code(message: &Json) -> Option<i64> {
    exit_code(message.get("extra").and_then(|it| it.get("returncode")))
}

fn answer_in_text<'a>(output: Cow<'a, str>, message: &Json) -> Event<'a> {
    Event::ToolResult {
        id: None,
        is_error: None,
        exit_code: return_code(message).or_else(|| exit_code_in(&output)),
        output,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::testing::told;

    #[test]
    fn an_answer_with_its_usage_is_counted_whoever_kept_it() {
        let lines = [
            r#"{"role":"user","content":"go","usage":{"input_tokens":9}}"#,
            r#"{"role":"assistant","id":"msg_1","model":"m","content":"hi","usage":{"input_tokens":5,"output_tokens":3}}"#,
            r#"{"role":"assistant","content":"hi","metrics":{"inputTokens":7,"cacheReadTokens":4,"outputTokens":1}}"#,
        ];
        let tokens = [[5.0, 0.0, 0.0, 3.0], [3.0, 4.0, 0.0, 1.0]];
        assert_eq!(told(&mut MessageReader::new(None), &lines).tokens(), tokens);
        let of_another = told(&mut MessageReader::new(Some(Format::Hermes)), &lines);
        assert_eq!(of_another.tokens().len(), 0);
    }

    #[test]
    fn the_system_between_messages_without_a_known_call_may_answer_one() {
        let lines = [
            r#"{"role":"system","content":"Be brief."}"#,
            r#"{"role":"assistant","content":"SHOW a.py"}"#,
            r#"{"role":"system","content":"class A"}"#,
            r#"{"role":"assistant","content":"","tool_calls":[{"id":"1","function":{"name":"t","arguments":"{}"}}]}"#,
            r#"{"role":"system","content":"Mind the budget."}"#,
        ];
        let mut reader = MessageReader::new(None);
        let told = told(&mut reader, &lines);
        let of_system: Vec<_> = told
            .events
            .iter()
            .filter(|it| it.starts_with(['1', '3', '5']))
            .map(String::as_str)
            .collect();
        assert_eq!(of_system, ["1 other", "3 tool_result class A", "5 other"]);
        assert_eq!(told.said, ["Be brief.", "Mind the budget."]);
    }
}
