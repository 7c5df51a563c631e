//! The texts of a report: for the user, and for the model's history.

use super::verdict::{Channel, LoopReport, LoopType};
use crate::setting::{Kind, Kinds, Setting};
use crate::text::{excerpt, push_number};

const MESSAGE_UNITS: usize = 500;
const FEEDBACK_UNITS: usize = 2_000;
/// A hostile tool name must not crowd the rest of the text out.
const NAME_UNITS: usize = 100;

/// The host's own texts for one type of loop. `{tool}`, `{count}`, `{threshold}` and `{period}`
/// are filled in.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct MessageTexts {
    /// For the user; cut to 500 UTF-16 code units.
    pub message: Option<String>,
    /// For the model's history; cut to 2,000 UTF-16 code units.
    pub feedback: Option<String>,
}

/// The types of loops, and what a host may say of each.
pub(super) const MESSAGES: &Kinds = &Kinds {
    names: "consecutive_identical_tool_calls repeated_tool_cycle same_tool_different_arguments \
        repeated_error chanting_identical_sentences monologue llm_detected_loop",
    kinds: &[Kind::Table(TEXTS); LoopType::ALL.len()],
};
const TEXTS: &Kinds = &Kinds {
    names: "message feedback",
    kinds: &[Kind::Text; 2],
};

/// Puts the texts into a report, the host's where it has given any.
pub(crate) fn add_texts(report: &mut LoopReport, own: &Setting, is_nudge: bool, is_call: bool) {
    let own = own.field("messages");
    let own = own.and_then(|own| own.field(report.loop_type.name()));
    let own = |name| own?.field(name)?.as_text();
    let (mut message, mut feedback) = defaults(report);
    let mut begin = if is_nudge { "Warning: " } else { "Stopped: " };
    let mut held = "The last call was not carried out. ";
    if is_nudge || !is_call {
        held = "";
    }
    if let Some(own) = own("message") {
        (message, begin) = (own, "");
    }
    if let Some(own) = own("feedback") {
        (feedback, held) = (own, "{held}");
    }
    report.message = fill(begin, message, "{held}", report);
    report.feedback = fill("", feedback, held, report);
    report.message = excerpt(&report.message, MESSAGE_UNITS);
    report.feedback = excerpt(&report.feedback, FEEDBACK_UNITS);
}

/// The texts of each type, without what the message begins with. `{held}` is a sentence about a call
/// that is not carried out.
fn defaults(finding: &LoopReport) -> (&'static str, &'static str) {
    match finding.loop_type {
        LoopType::ConsecutiveIdenticalToolCalls => (
            "the model called {tool} {count} times in a row with the same arguments.",
            "You called {tool} {count} times in a row with exactly the same arguments, so the \
             answer will not change. {held}Do not repeat it. Use the result that you already have; \
             if it did not help, say what is missing and try another tool or other arguments, or \
             ask the user.",
        ),
        LoopType::SameToolDifferentArguments if finding.rule == "monitored_calls" => (
            "the model called {tool} {count} times in a row, which is the limit for this model.",
            "You called {tool} {count} times in a row. {held}Stop exploring with {tool}. Sum up \
             what you know so far, then act on it, or tell the user what you still need and why.",
        ),
        LoopType::SameToolDifferentArguments => (
            "the model called {tool} {count} times since your prompt, which is the limit for this \
             model.",
            "You called {tool} {count} times since the user's prompt. {held}Stop exploring with \
             {tool}. Sum up what you know so far, then act on it, or tell the user what you still \
             need and why.",
        ),
        LoopType::ChantingIdenticalSentences => match finding.channel {
            Some(Channel::Reasoning) => (
                "the model's thinking repeated the same passage {count} times.",
                "Your thinking repeated the same passage {count} times without a break. Do not \
                 think that passage again. Decide on the next concrete step with what you know, \
                 and take it, or tell the user what keeps you from it.",
            ),
            _ => (
                "the model wrote the same passage {count} times.",
                "You wrote the same passage {count} times without a break. Do not write it again. \
                 Go on with the next point in new words, call the tool that you announced, or \
                 finish your answer.",
            ),
        },
        LoopType::LlmDetectedLoop => (
            "a review of the conversation found that the model is going in circles.",
            "A review of the conversation after {count} turns found that you are going in circles \
             without getting closer to the goal. Do not continue the same way. State what you \
             tried, why it did not work, and take a different approach, or ask the user.",
        ),
        LoopType::RepeatedToolCycle if finding.period.is_none() => (
            "the model made the same calls in {count} of its last steps, with the same results.",
            "In {count} of your last steps you made the same calls, such as {tool}, and got the \
             same results. Making them again will not change anything. Use what you have, or try \
             something else.",
        ),
        LoopType::RepeatedToolCycle => (
            "the model went {count} times through the same {period} tool calls.",
            "You went {count} times through the same {period} tool calls, the last of them {tool}. \
             {held}Another round will not change anything. Use what you have, or try something \
             else.",
        ),
        LoopType::RepeatedError if finding.tool.is_none() => (
            "the history was condensed {count} times in a row.",
            "The history was condensed {count} times in a row and still does not fit. Finish with \
             what you have, or tell the user that the task is too large.",
        ),
        LoopType::RepeatedError => (
            "{tool} failed {count} times in a row.",
            "{tool} failed {count} times in a row with the same arguments. It will fail again. \
             Read the error, change what causes it, use another tool, or ask the user.",
        ),
        LoopType::Monologue => (
            "the model said the same thing {count} times and did nothing in between.",
            "You said the same thing {count} times and did nothing in between. Act on it, ask the \
             user, or finish.",
        ),
    }
}

/// Fills the places in one pass, so that a tool called `{count}` stays what it is. `{held}` is only
/// one in a text of our own.
fn fill(begin: &str, template: &str, held: &str, finding: &LoopReport) -> String {
    let numbers = [
        ("count}", finding.count),
        ("threshold}", finding.threshold),
        ("period}", finding.period.unwrap_or(1)),
    ];
    let mut filled = begin.to_owned();
    let mut rest = template.chars();
    'characters: while let Some(character) = rest.next() {
        if character == '{' {
            if let Some(behind) = rest.as_str().strip_prefix("tool}") {
                filled.push_str(&match &finding.tool {
                    Some(tool) => excerpt(tool, NAME_UNITS),
                    None => "the tool".to_owned(),
                });
                rest = behind.chars();
                continue;
            }
            if let Some(behind) = rest.as_str().strip_prefix("held}") {
                filled.push_str(held);
                rest = behind.chars();
                continue;
            }
            for (name, number) in numbers {
                if let Some(behind) = rest.as_str().strip_prefix(name) {
                    push_number(&mut filled, number);
                    rest = behind.chars();
                    continue 'characters;
                }
            }
        }
        filled.push(character);
    }
    filled
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(tool: &str) -> LoopReport {
        let loop_type = LoopType::ConsecutiveIdenticalToolCalls;
        let mut finding = *LoopReport::new(loop_type, "identical_calls");
        finding.tool = Some(tool.to_owned());
        (finding.count, finding.threshold, finding.last_index) = (10, 10, 9);
        finding
    }

    fn texts(finding: &LoopReport, own: &Setting) -> (String, String) {
        let mut report = finding.clone();
        add_texts(&mut report, own, false, true);
        (report.message, report.feedback)
    }

    fn own(message: &str) -> Setting {
        let loop_type = LoopType::ConsecutiveIdenticalToolCalls.name();
        Setting::from(serde_json::json!({"messages": {loop_type: {"message": message}}}))
    }

    #[test]
    fn places_are_filled_once_and_unknown_ones_stay() {
        let own = own("{tool}: {count}/{threshold} {period} {other} {held} {");
        assert_eq!(
            texts(&finding("{count}"), &own).0,
            "{count}: 10/10 1 {other} {held} {"
        );
    }

    #[test]
    fn every_default_names_the_count_and_fits() {
        for loop_type in LoopType::ALL {
            for channel in [Channel::Text, Channel::Reasoning] {
                let finding = LoopReport {
                    loop_type,
                    channel: Some(channel),
                    ..finding(&"长".repeat(5_000))
                };
                let (message, feedback) = texts(&finding, &Setting::Other);
                assert!(message.encode_utf16().count() <= MESSAGE_UNITS);
                assert!(feedback.encode_utf16().count() <= FEEDBACK_UNITS);
                assert!(feedback.contains("10"), "{feedback}");
            }
        }
    }

    #[test]
    fn texts_of_the_host_are_cut_to_the_limit() {
        let long = "x".repeat(3_000);
        assert_eq!(
            texts(&finding("t"), &own(&long)).0.encode_utf16().count(),
            MESSAGE_UNITS
        );
    }
}
