//! The words for a session's events and loops: the same in the command and on the page.

use serde::Serialize;
use turnkeeper_base::json::written;
use turnkeeper_loop_detector::{Channel, LoopReport};
use turnkeeper_messages::Event;

use super::plain_text::{USUAL_LINE, one_line};
use super::player::Tally;
use super::report::Lack;
use super::words::words_of;

/// An event in a word.
pub fn label_of(event: &Event) -> &'static str {
    match event {
        Event::Text { .. } => "text",
        Event::Reasoning { .. } => "thinking",
        Event::ToolCall { .. } => "call",
        Event::ToolResult {
            is_error: Some(true),
            ..
        } => "error",
        Event::ToolResult { .. } => "result",
        Event::TurnStarted => "turn",
        Event::UserMessage { .. } => "user",
        Event::Finished => "finished",
        Event::Condensation => "condensed",
        Event::Retry => "retry",
        Event::LoopReported { .. } => "loop",
        Event::PromptStarted { .. } => "prompt",
        Event::Other => "other",
    }
}

/// Whether an event says something by itself; others get a row only if something was found at them.
pub fn has_row(event: &Event) -> bool {
    !matches!(event, Event::TurnStarted | Event::Finished | Event::Other)
}

/// One harmless line about an event, of any length that its row can be cut from.
pub fn describe(event: &Event) -> String {
    let line = |text: &str| one_line(text, USUAL_LINE);
    match event {
        Event::ToolResult {
            output, exit_code, ..
        } => {
            let exit = exit_code.map(|code| format!("exit {code}: "));
            let output = match output.is_empty() {
                true => "(empty)".to_owned(),
                false => line(output),
            };
            exit.unwrap_or_default() + &output
        }
        _ => line(words_of(event, &mut String::new())),
    }
}

/// The name of a value of an enum, as reports have it.
pub fn name_of(value: impl Serialize) -> String {
    written(&value).trim_matches('"').to_owned()
}

/// The number of a call for people, who count from 1.
pub fn call_number(call: u64) -> String {
    grouped(call + 1)
}

/// The place of a loop.
pub fn whereabouts<R, P>(report: &LoopReport<R, P>) -> String {
    let (first, last) = (report.first_index, report.last_index);
    let text = match report.channel {
        None => {
            let [first, last] = [first, last].map(call_number);
            return format!("tool calls {first} to {last} of this prompt");
        }
        Some(Channel::Text) => "assistant text",
        Some(Channel::Reasoning) => "reasoning",
    };
    format!("characters {first} to {last} of the {text} in this prompt")
}

/// The events and calls that a stop has saved.
pub fn after_stop(events: u64, calls: u64) -> String {
    let more = plural(events, "more event");
    format!(
        "{more} of this prompt after the stop, {} of them calls",
        grouped(calls)
    )
}

/// The result of a session, in one line, with the number of its records that could not be read.
pub fn summary(tally: &Tally, unread: u64) -> String {
    let (stops, nudges) = (tally.stops.len() as u64, tally.nudges);
    let found = match (stops, nudges) {
        (0, 0) => "no loop".to_owned(),
        (0, _) => plural(nudges, "nudge"),
        (_, 0) => plural(stops, "stop"),
        _ => format!("{} and {}", plural(stops, "stop"), plural(nudges, "nudge")),
    };
    let saved = &tally.saved;
    let rest = match saved.events {
        0 => String::new(),
        events => format!(
            "; stopping saves {}, {}, {} of text",
            plural(events, "event"),
            plural(saved.calls, "call"),
            plural(saved.characters, "character")
        ),
    };
    let lacks = match lacks(&tally.blind, " and no ") {
        lacks if lacks.is_empty() => lacks,
        lacks => format!("; the session has no {lacks}"),
    };
    let incomplete = match unread {
        0 => String::new(),
        unread => format!("; {} could not be read", plural(unread, "record")),
    };
    format!(
        "{}, {}, {}: {found}{rest}{lacks}{incomplete}",
        plural(tally.events, "event"),
        plural(tally.calls, "call"),
        plural(tally.prompts, "prompt")
    )
}

/// Everything that a session lacks, with these words between.
pub(crate) fn lacks(blind: &[Lack], between: &str) -> String {
    let names: Vec<&str> = blind.iter().map(|&lack| lack_name(lack)).collect();
    names.join(between)
}

fn lack_name(lack: Lack) -> &'static str {
    match lack {
        Lack::Calls => "calls",
        Lack::Arguments => "arguments",
        Lack::Results => "results",
        Lack::Prompts => "prompts",
    }
}

/// A number of things, whose name takes an "s" if they are several.
pub fn plural(count: u64, one: &str) -> String {
    plural_of(count, one, &format!("{one}s"))
}

/// A number of things.
pub fn plural_of(count: u64, one: &str, several: &str) -> String {
    format!(
        "{} {}",
        grouped(count),
        if count == 1 { one } else { several }
    )
}

/// A number with commas between thousands.
pub fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number with a number of decimals; halves are rounded up.
pub(crate) fn fixed(value: f64, decimals: usize) -> String {
    let power = f64::from(1u32 << (decimals + 1));
    let is_tie = (value * power).fract() == 0.0 && (value * power / 2.0).fract() != 0.0;
    // The next number above a tie is no tie.
    let value = if is_tie { value.next_up() } else { value };
    format!("{value:.decimals$}")
}

#[cfg(test)]
mod tests {
    use turnkeeper_base::json::Json;

    use super::*;
    use crate::player::Saved;

    #[test]
    fn numbers_are_as_people_read_them() {
        let all = [0, 999, 1_000, 12_345, 1_234_567].map(grouped);
        assert_eq!(all, ["0", "999", "1,000", "12,345", "1,234,567"]);
        assert_eq!(plural(1, "call"), "1 call");
        assert_eq!(plural(1_000, "call"), "1,000 calls");
        let fixed = [0.125, 0.375, 1.005, 2.675, 12.0].map(|it| fixed(it, 2));
        assert_eq!(fixed, ["0.13", "0.38", "1.00", "2.67", "12.00"]);
    }

    #[test]
    fn a_call_is_its_name_and_arguments_in_one_harmless_line() {
        let args = Json::object([("path", Json::from("a\n\u{1b}[2J"))]);
        let call = Event::ToolCall {
            key: None,
            id: None,
            name: "read  file".into(),
            args: Some(std::borrow::Cow::Owned(args)),
        };
        assert_eq!(describe(&call), r#"read file {"path":"a\n\u001b[2J"}"#);
        let result = Event::ToolResult {
            id: None,
            output: "".into(),
            is_error: Some(true),
            exit_code: Some(1),
        };
        assert_eq!(
            (label_of(&result), describe(&result).as_str()),
            ("error", "exit 1: (empty)")
        );
    }

    #[test]
    fn a_session_is_summed_up() {
        let mut tally = Tally {
            events: 1_000,
            calls: 1,
            prompts: 2,
            ..Tally::default()
        };
        assert_eq!(
            summary(&tally, 0),
            "1,000 events, 1 call, 2 prompts: no loop"
        );
        tally.nudges = 2;
        tally.blind = vec![Lack::Arguments, Lack::Results];
        tally.saved = Saved {
            events: 1,
            ..Saved::default()
        };
        assert_eq!(
            summary(&tally, 1),
            "1,000 events, 1 call, 2 prompts: 2 nudges; stopping saves 1 event, 0 calls, 0 characters of \
             text; the session has no arguments and no results; 1 record could not be read"
        );
    }
}
