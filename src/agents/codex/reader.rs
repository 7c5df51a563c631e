//! Rollouts of Codex (`~/.codex/sessions/…/rollout-*.jsonl`). Its `event_msg` lines say again what the items say, but for
//! the tokens.
//!
//! A rollout that goes on from another, or a subagent's that is given the history, begins with a line of its own and then
//! has the other's lines, the first of them naming the other. Those are left out: the other one did it. They are known by
//! when they were written, see [`Origin`].

use rustc_hash::FxHashMap;
use turnkeeper_base::json::{Json, Unread, written};

use super::plain_lines::{PlainLine, TokenCount, plain_line};
use crate::formats::messages::MessageReader;
use crate::sessions::format::{Format, RecordReader};
use crate::sessions::given::text_at;
use crate::sessions::items::{condensed, fact};
use crate::sessions::key::Key;
use crate::sessions::record::{Facts, Record, Unreadable, Usage};
use crate::sessions::time::time_of;
use crate::sessions::usage::{inclusive, named, recorded, tier, tokens};

const WRAPPED: &[&str] = &[
    "session_meta", "response_item", "event_msg", "turn_context", "compacted", "world_state",
];

/// The fields in which Codex counts tokens.
pub(super) const TOKENS: [&str; 4] = [
    "input_tokens",
    "cached_input_tokens",
    "cache_write_input_tokens",
    "output_tokens",
];

/// Whether it is a line of a rollout.
pub(crate) fn is_codex_line(line: &Json) -> bool {
    if let Some(kind) = text_at(line, &["type"]) {
        return WRAPPED.contains(&kind) && line.get("payload").is_some();
    }
    // Before September 2025 the first line was bare, and so were the items.
    text_at(line, &["id"]).is_some()
        && text_at(line, &["timestamp"]).is_some()
        && line.get("instructions").is_some()
}

/// Reads a rollout.
pub(crate) struct CodexReader {
    messages: MessageReader,
    origin: Origin,
    /// The number of times that the same item has come.
    items: FxHashMap<u64, u32>,
    model: Option<String>,
    /// The way in which requests are served.
    tier: Option<String>,
    /// The sum so far that was told last, as JSON without spaces; empty before the first.
    sum: String,
    /// Whether a record of its own has told the tokens that the next count says again.
    is_told: bool,
}

impl CodexReader {
    /// A reader of a file.
    pub(crate) fn new() -> Self {
        Self {
            messages: MessageReader::new(Some(Format::Codex)),
            origin: Origin::default(),
            items: FxHashMap::default(),
            model: None,
            tier: None,
            sum: String::new(),
            is_told: false,
        }
    }

    fn item<'a>(&mut self, item: &'a Json<'a>) -> Result<Record<'a>, Unreadable> {
        Ok(Record {
            items: self.messages.response_item(item)?,
            original: Some(item),
            key: self.key(item),
            ..Record::default()
        })
    }

    /// The key of an item with an id. A file does not have an item twice, but the ids of some providers come again;
    /// the copies of a file have them as often.
    fn key(&mut self, item: &Json) -> Option<u64> {
        let mut ids = ["call_id", "id", "encrypted_content"].into_iter();
        ids.find_map(|name| fact(item.get(name)))?;
        let key = Key::of(Format::Codex).and_value(item);
        let count = self.items.entry(key.made()?).or_default();
        *count += 1;
        key.and(&count.to_string()).made()
    }

    /// The usage of a request. Around a compaction it says only how large the context is.
    fn request(&self, usage: &Json, id: Option<&Json>) -> Vec<Usage> {
        recorded(Usage {
            id: named(id),
            model: self.model.clone(),
            tier: self.tier.clone(),
            ..inclusive(tokens(usage, TOKENS))
        })
    }

    /// What the agent is told to ask for. Settings are told whole; a turn may leave the tier out.
    fn settings(&mut self, told: &Json, is_whole: bool) {
        if let Some(model) = fact(told.get("model")) {
            self.model = Some(model.into_owned());
        }
        let asked = told.get("service_tier");
        if asked.is_some() || is_whole {
            self.tier = tier(asked);
        }
    }

    /// Newer versions write a record an answer; the count after it says the same again.
    fn token_record(&mut self, payload: &Json) -> Vec<Usage> {
        self.is_told = true;
        let thread = payload.get("thread_id").map(Json::as_text);
        let is_others = thread.is_some_and(|thread| self.origin.is_other(thread));
        match payload.get("usage") {
            Some(usage) if !is_others && !self.origin.is_copy => {
                self.request(usage, payload.get("response_id"))
            }
            _ => Vec::new(),
        }
    }

    fn token_count(&mut self, payload: &Json) -> Vec<Usage> {
        let Some(info @ (Json::Object(_) | Json::List(_))) = payload.get("info") else {
            self.is_told = false;
            return Vec::new();
        };
        let sum = written(info.get("total_token_usage").unwrap_or(&Json::Null));
        let is_new = self.is_new(&sum);
        match info.get("last_token_usage") {
            Some(last) if is_new => self.request(last, None),
            _ => Vec::new(),
        }
    }

    /// Codex writes the last request's usage and the sum so far, again and again: a request is new where the sum changed.
    fn is_new(&mut self, sum: &str) -> bool {
        let is_told = std::mem::take(&mut self.is_told);
        // The C library of the program compares a byte at a time.
        let is_changed = self.sum.as_bytes().as_chunks::<16>() != sum.as_bytes().as_chunks();
        if is_changed {
            sum.clone_into(&mut self.sum);
        }
        is_changed && !is_told && !self.origin.is_copy
    }
}

/// No item has one of these: instructions, what a compaction keeps, and what an event says again.
const UNREAD: Unread = Unread {
    fields: &[],
    within: &[("payload", &Unread::fields(LONG_BESIDE_ITEMS))],
};

const LONG_BESIDE_ITEMS: &[&str] = &[
    "instructions",
    "base_instructions",
    "user_instructions",
    "developer_instructions",
    "dynamic_tools",
    "replacement_history",
    "message",
    "aggregated_output",
    "formatted_output",
    "unified_diff",
];

/// The texts of messages make the title. What a compaction keeps is most of its line.
const UNREAD_FOR_USAGE: Unread = Unread {
    fields: LONG_IN_ITEMS,
    within: &[("payload", &Unread::fields(LONG_IN_ITEMS))],
};

const LONG_IN_ITEMS: &[&str] = &[
    "arguments",
    "output",
    "encrypted_content",
    "input",
    "summary",
    "replacement_history",
    "base_instructions",
    "user_instructions",
    "aggregated_output",
    "formatted_output",
    "stdout",
    "stderr",
    "changes",
    "result",
    "unified_diff",
    "dynamic_tools",
];

impl RecordReader for CodexReader {
    fn format(&self) -> Format {
        Format::Codex
    }

    fn unread(&self) -> &'static Unread {
        &UNREAD
    }

    fn unread_for_usage(&self) -> Option<&'static Unread> {
        Some(&UNREAD_FOR_USAGE)
    }

    fn plain_usage(&mut self, line: &[u8], is_alone: bool) -> Option<(f64, Vec<Usage>)> {
        // Until the file's own lines have begun, each may be another's.
        if self.origin.written_at.is_some() {
            return None;
        }
        let PlainLine { time, count } = plain_line(line, is_alone)?;
        let usage = match count {
            Some(TokenCount { sum, last }) if self.is_new(sum) => self.request(&last, None),
            _ => Vec::new(),
        };
        Some((time, usage))
    }

    fn read<'a>(&mut self, line: &'a Json<'a>, _place: u32) -> Result<Record<'a>, Unreadable> {
        self.origin.look(line);
        if self.origin.is_left_out() {
            return Ok(Record {
                left_out: true,
                ..Record::default()
            });
        }
        let payload = line.get("payload").unwrap_or(&Json::Null);
        let mut record = Record::default();
        match text_at(line, &["type"]) {
            Some("session_meta" | "turn_context") => {
                record.facts = Facts {
                    working_directory: fact(payload.get("cwd")),
                    model: fact(payload.get("model")),
                    title: None,
                };
            }
            Some("response_item") => {
                let record = self.item(payload)?;
                let holder = &["payload"];
                return Ok(Record { holder, ..record });
            }
            Some("compacted") => record.items.push(condensed()),
            Some("event_msg") => {
                let settings = payload.get("thread_settings");
                record.facts.model = fact(settings.and_then(|it| it.get("model")));
            }
            Some("world_state") => {}
            // The bare lines of old.
            _ if line.get("record_type").is_some() || line.get("instructions").is_some() => {}
            Some(_) => return self.item(line),
            None => return Err(Unreadable::new("is no line of a rollout: no type")),
        }
        Ok(record)
    }

    fn usage(&mut self, line: &Json) -> Vec<Usage> {
        let kind = text_at(line, &["type"]);
        let payload = line.get("payload").unwrap_or(&Json::Null);
        let told = text_at(payload, &["type"]);
        match (kind, told) {
            // That of the file comes first.
            (Some("session_meta"), _) if self.model.is_some() => {}
            (Some("session_meta" | "turn_context"), _) => self.settings(payload, false),
            (Some("event_msg"), Some("thread_settings_applied")) => {
                let settings = payload.get("thread_settings");
                self.settings(settings.unwrap_or(&Json::Null), settings.is_some());
            }
            (Some("token_usage_record"), _) | (_, Some("token_usage_record")) => {
                return self.token_record(payload);
            }
            (Some("event_msg"), Some("token_count")) => return self.token_count(payload),
            _ => {}
        }
        Vec::new()
    }
}

/// Lines that are written at once follow each other within this many milliseconds.
const AT_ONCE: f64 = 1_000.0;

/// Tells a fork's own lines from those that it has from another rollout. Either these keep their times, which are before
/// the fork's, or they are all written when it is made, one soon after the other. They end where one comes later, where a
/// turn begins that is younger than the fork, or where the fork names itself again.
#[derive(Default)]
struct Origin {
    /// The file's own id, once its first line is read.
    id: Option<String>,
    /// When the first line was written; none once the file's own lines have begun.
    written_at: Option<f64>,
    /// Whether the file is a fork.
    is_fork: bool,
    /// When the fork was made, which may be earlier.
    made_at: f64,
    /// When the last line was written.
    last: f64,
    /// Whether the other's lines keep their times.
    keeps_times: bool,
    /// Whether a line has named the other: without one, no items are copied.
    is_named: bool,
    /// Whether the last line was a copy.
    is_copy: bool,
}

impl Origin {
    fn is_other(&self, id: Option<&str>) -> bool {
        self.id.is_some() && self.id.as_deref() != id
    }

    fn is_left_out(&self) -> bool {
        self.is_copy && self.is_named
    }

    fn look(&mut self, line: &Json) {
        let is_meta = text_at(line, &["type"]) == Some("session_meta");
        let payload = line.get("payload").unwrap_or(&Json::Null);
        if is_meta && self.id.is_none() {
            self.id = text_at(payload, &["id"]).map(str::to_owned);
            self.is_fork = is_fork(payload);
            self.written_at = time_of(line);
            self.last = self.written_at.unwrap_or_default();
            self.made_at = time_of(payload).map_or(self.last, |made| made.min(self.last));
            return;
        }
        let Some(written_at) = self.written_at else {
            return;
        };
        let is_others_name = is_meta && self.is_other(text_at(payload, &["id"]));
        self.is_named |= is_others_name;
        // The forks of old do not say it, but the next line names the other.
        self.is_fork |= is_others_name;
        let begins_own = is_meta && !is_others_name || is_later_turn(line, payload, self.made_at);
        let is_other_line = self.is_fork && !begins_own;
        self.is_copy = is_other_line && self.goes_on(time_of(line), written_at);
        if !self.is_copy {
            self.written_at = None;
        }
    }

    /// Whether what was written at this time belongs to the other's lines.
    fn goes_on(&mut self, time: Option<f64>, written_at: f64) -> bool {
        let Some(time) = time else {
            return true;
        };
        let tolerated = if self.keeps_times { 0.0 } else { AT_ONCE };
        if time < written_at - tolerated {
            self.keeps_times = true;
            return true;
        }
        let is_soon = time - self.last <= AT_ONCE && !self.keeps_times;
        self.last = time;
        is_soon
    }
}

/// Whether a first line says that a rollout has its beginning from another.
fn is_fork(meta: &Json) -> bool {
    let is_named = |name| meta.get(name).is_some_and(|it| !matches!(it, Json::Null));
    let source = meta.get("source").and_then(|it| it.get("subagent"));
    let is_spawned = source.is_some_and(|it| it.get("thread_spawn").is_some());
    is_spawned || is_named("forked_from_id") || is_named("parent_thread_id")
}

/// Whether a line begins a turn that is younger than the fork: the first 48 bits of a turn's id are its time.
fn is_later_turn(line: &Json, payload: &Json, made_at: f64) -> bool {
    let is_turn = text_at(line, &["type"]) == Some("turn_context");
    let id = text_at(payload, &["turn_id"]).filter(|id| is_turn && id.len() == 36);
    let Some((first, rest)) = id.and_then(|id| id.split_once('-')) else {
        return false;
    };
    let time = rest.get(..4).map(|second| format!("{first}{second}"));
    let is_dated = rest.get(5..6) == Some("7");
    let time = time.and_then(|digits| u64::from_str_radix(&digits, 16).ok());
    time.is_some_and(|time| is_dated && time as f64 >= made_at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::testing::{Told, told};

    const MADE_AT: u32 = 600;

    fn line(second: f64, kind: &str, payload: &str) -> String {
        let millis = (second * 1_000.0) as u32;
        let time = format!(
            "{:02}:{:02}.{:03}",
            millis / 60_000,
            millis / 1_000 % 60,
            millis % 1_000
        );
        format!(r#"{{"timestamp":"2026-01-01T09:{time}Z","type":"{kind}","payload":{payload}}}"#)
    }

    fn meta(second: f64, id: &str, more: &str) -> String {
        line(
            second,
            "session_meta",
            &format!(r#"{{"id":"{id}"{more},"cwd":"/w"}}"#),
        )
    }

    fn count(second: f64, sum: u32, last: u32) -> String {
        let usage = |input: u32| {
            format!(r#"{{"input_tokens":{input},"cached_input_tokens":4,"output_tokens":1}}"#)
        };
        let info = format!(
            r#"{{"total_token_usage":{},"last_token_usage":{}}}"#,
            usage(sum),
            usage(last)
        );
        line(
            second,
            "event_msg",
            &format!(r#"{{"type":"token_count","info":{info}}}"#),
        )
    }

    fn item(second: f64, payload: &str) -> String {
        line(second, "response_item", payload)
    }

    fn user(second: f64) -> String {
        item(
            second,
            r#"{"type":"message","role":"user","content":[{"type":"input_text","text":"Go."}]}"#,
        )
    }

    fn call(second: f64, id: &str) -> String {
        item(
            second,
            &format!(
                r#"{{"type":"function_call","call_id":"{id}","name":"ls","arguments":"{{}}"}}"#
            ),
        )
    }

    fn turn(second: f64, id: &str) -> String {
        line(
            second,
            "turn_context",
            &format!(r#"{{"model":"m","turn_id":"{id}"}}"#),
        )
    }

    fn rollout(lines: &[String]) -> Told {
        told(&mut CodexReader::new(), lines)
    }

    #[test]
    fn what_is_passed_over_says_nothing() {
        let instructions = "Be short.";
        let more =
            format!(r#","instructions":"{instructions}","base_instructions":{{"text":"-"}}"#);
        let kept = r#"{"message":"","replacement_history":[{"type":"message","role":"user"}]}"#;
        let said = r#"{"type":"agent_message","message":"Done."}"#;
        let lines = [
            meta(0.0, "a", &more),
            turn(0.0, "t"),
            user(1.0),
            call(2.0, "c"),
            line(2.0, "event_msg", said),
            count(3.0, 10, 10),
            line(4.0, "compacted", kept),
        ];
        let mut room = Vec::new();
        let passed = lines.clone().map(|line| {
            let value = turnkeeper_base::json::parse_but(&line, &UNREAD, &mut room);
            turnkeeper_base::json::written(&value.expect("JSON"))
        });
        assert!(!passed.concat().contains("Done.") && !passed.concat().contains(instructions));
        let [passed, whole] = [passed, lines].map(|lines| format!("{:?}", rollout(&lines)));
        assert_eq!(passed, whole);
    }

    #[test]
    fn a_request_is_new_where_the_sum_changed() {
        let told = rollout(&[
            meta(0.0, "a", ""),
            turn(0.0, "t"),
            count(1.0, 10, 10),
            count(2.0, 10, 10),
            line(3.0, "event_msg", r#"{"type":"token_count","info":null}"#),
            count(4.0, 30, 20),
            line(
                5.0,
                "event_msg",
                r#"{"type":"token_usage_record","thread_id":"a","response_id":"r","usage":{"input_tokens":7}}"#,
            ),
            count(6.0, 37, 7),
            line(
                7.0,
                "token_usage_record",
                r#"{"thread_id":"b","usage":{"input_tokens":7}}"#,
            ),
            count(8.0, 44, 7),
        ]);
        assert_eq!(
            told.tokens(),
            [
                [6.0, 4.0, 0.0, 1.0],
                [16.0, 4.0, 0.0, 1.0],
                [7.0, 0.0, 0.0, 0.0]
            ]
        );
        assert_eq!(told.usage[2].id.as_deref(), Some("r"));
        assert_eq!(told.usage[0].model.as_deref(), Some("m"));
        assert_eq!(told.working_directory.as_deref(), Some("/w"));
    }

    #[test]
    fn a_plain_count_is_one_of_the_others() {
        let lines = [
            meta(0.0, "a", ""),
            turn(0.0, "t"),
            count(1.0, 10, 10),
            count(2.0, 10, 10).replace(r#"":"#, r#"": "#),
            count(3.0, 30, 20).replace(r#"":"#, r#"": "#),
            count(4.0, 30, 20),
            line(
                5.0,
                "event_msg",
                r#"{"type":"token_usage_record","thread_id":"a","usage":{"input_tokens":7}}"#,
            ),
            count(6.0, 37, 7),
            count(7.0, 44, 7),
        ];
        let mut reader = CodexReader::new();
        let mut plain = 0;
        let usage = lines.iter().flat_map(|line| {
            if let Some((_, usage)) = reader.plain_usage(line.as_bytes(), false) {
                plain += 1;
                return usage;
            }
            let mut room = Vec::new();
            let value = turnkeeper_base::json::parse(line.as_bytes(), &mut room).expect("JSON");
            reader.read(&value, 1).expect("it can be read");
            reader.usage(&value)
        });
        let usage: Vec<Usage> = usage.collect();
        assert_eq!((usage, plain), (rollout(&lines).usage, 4));
    }

    #[test]
    fn the_settings_say_how_requests_are_served() {
        let settings = |more: &str| {
            let settings = format!(r#"{{"model":"n"{more}}}"#);
            line(
                0.0,
                "event_msg",
                &format!(r#"{{"type":"thread_settings_applied","thread_settings":{settings}}}"#),
            )
        };
        let told = rollout(&[
            meta(0.0, "a", ""),
            count(1.0, 10, 10),
            settings(r#","service_tier":"priority""#),
            count(2.0, 20, 10),
            turn(3.0, "t"),
            count(4.0, 30, 10),
            line(5.0, "turn_context", r#"{"model":"m","service_tier":null}"#),
            count(6.0, 40, 10),
            line(
                7.0,
                "turn_context",
                r#"{"model":"m","service_tier":"flex"}"#,
            ),
            count(8.0, 50, 10),
            settings(""),
            count(9.0, 60, 10),
        ]);
        let served = told
            .usage
            .iter()
            .map(|it| (it.model.as_deref(), it.tier.as_deref()));
        let expected = [
            (None, None),
            (Some("n"), Some("priority")),
            (Some("m"), Some("priority")),
            (Some("m"), None),
            (Some("m"), Some("flex")),
            (Some("n"), None),
        ];
        assert!(served.eq(expected));
    }

    /// The tokens of requests, and the lines with events, of a fork with another's lines, then with its own.
    fn fork(copied: impl Fn(f64) -> f64, own: &[String]) -> (usize, Vec<String>) {
        let made_at = f64::from(MADE_AT);
        let mut lines = vec![meta(made_at, "b", r#","forked_from_id":"a""#)];
        let seconds = [0.0, 1.0, 2.5, 4.0, 6.0].map(copied);
        lines.push(meta(seconds[0], "a", ""));
        lines.push(turn(seconds[1], "019b0000-0000-7000-8000-00000000000a"));
        lines.push(user(seconds[2]));
        lines.push(call(seconds[3], "call_1"));
        lines.push(count(seconds[4], 10, 10));
        lines.extend_from_slice(own);
        let told = rollout(&lines);
        (told.usage.len(), told.events)
    }

    #[test]
    fn a_fork_has_only_what_it_did_itself() {
        let own = [
            turn(700.0, "t"),
            user(700.0),
            call(701.0, "call_2"),
            count(702.0, 30, 20),
        ];
        let expected = [
            "8 user_message",
            "9 turn_started",
            "9 tool_call #call_2 ls {}",
        ];
        let expected = expected.map(str::to_owned).to_vec();
        let at_once = |_| f64::from(MADE_AT);
        let over_seconds = |at: f64| f64::from(MADE_AT) + at / 3.0;
        let with_their_times = |at: f64| at;
        assert_eq!(fork(at_once, &own), (1, expected.clone()));
        assert_eq!(fork(over_seconds, &own), (1, expected.clone()));
        assert_eq!(fork(with_their_times, &own), (1, expected));
        for copied in [
            &at_once as &dyn Fn(f64) -> f64,
            &over_seconds,
            &with_their_times,
        ] {
            assert_eq!(fork(copied, &[]), (0, Vec::new()));
        }
    }

    #[test]
    fn a_fork_of_old_does_not_say_that_it_is_one() {
        let lines = [
            meta(600.0, "b", ""),
            meta(600.0, "a", ""),
            user(600.1),
            count(600.1, 10, 10),
        ];
        let told = rollout(&lines);
        assert_eq!((told.left_out, told.usage.len()), (vec![2, 3, 4], 0));
        // Another rollout may also follow in the same file.
        let told = rollout(&[lines[0].clone(), user(600.0), lines[1].clone(), user(600.1)]);
        assert_eq!(told.events.len(), 2);
    }

    #[test]
    fn a_forks_own_turn_may_begin_at_once() {
        // 2026-01-01T09:10:00.100Z, in the first 48 bits.
        let id = format!("{:012x}", 1_767_258_600_100_u64);
        let id = format!("{}-{}-7000-8000-00000000000b", &id[..8], &id[8..]);
        let at_once = |_| f64::from(MADE_AT);
        let own = |first: String| [first, user(600.2), count(600.4, 30, 20)];
        let expected = (1, vec!["8 user_message".to_owned()]);
        assert_eq!(fork(at_once, &own(turn(600.1, &id))), expected);
        assert_eq!(fork(at_once, &own(meta(600.1, "b", ""))), expected);
        assert_eq!(fork(at_once, &own(turn(600.1, "t"))), (0, Vec::new()));
    }

    #[test]
    fn a_subagent_without_a_history_keeps_its_first_words() {
        let spawned = r#","source":{"subagent":{"thread_spawn":{}}}"#;
        let told = rollout(&[
            meta(600.0, "b", spawned),
            user(600.1),
            count(600.2, 10, 10),
            count(603.0, 30, 20),
        ]);
        assert_eq!(told.events, ["2 user_message"]);
        assert_eq!(told.usage.len(), 1);
    }

    #[test]
    fn the_copies_of_items_have_the_same_keys() {
        let one = rollout(&[
            meta(0.0, "a", ""),
            call(1.0, "call_1"),
            call(2.0, "call_1"),
            user(3.0),
        ]);
        let copy = rollout(&[
            meta(9.0, "b", ""),
            call(9.0, "call_1"),
            call(9.0, "call_1"),
            call(9.0, "call_2"),
        ]);
        assert_eq!(one.keys[..2], copy.keys[..2]);
        assert_eq!((one.different(), one.keys[2]), (2, None));
        assert_eq!(copy.different(), 3);
    }

    #[test]
    fn lines_that_are_none_are_told_of() {
        let told = told(
            &mut CodexReader::new(),
            &[
                "{}",
                r#"{"record_type":"state"}"#,
                r#"{"type":"compacted","payload":{}}"#,
            ],
        );
        assert_eq!(told.problems, ["1 is no line of a rollout: no type"]);
        assert_eq!(told.events, ["3 condensation"]);
    }
}
