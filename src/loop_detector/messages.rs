//! The texts of a report: for the user, and for the model's history.

use super::verdict::{Channel, LoopReport, LoopType};
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

/// Puts the texts into a report, the host's where it has given any.
pub(crate) fn add_texts(report: &mut LoopReport, own: &[(LoopType, MessageTexts)]) {
    let (mut message, mut feedback) = defaults(report);
    for (loop_type, texts) in own {
        if *loop_type == report.loop_type {
            message = texts.message.as_deref().unwrap_or(message);
            feedback = texts.feedback.as_deref().unwrap_or(feedback);
            break;
        }
    }
    report.message = excerpt(&fill(message, report), MESSAGE_UNITS);
    report.feedback = excerpt(&fill(feedback, report), FEEDBACK_UNITS);
}

fn defaults(finding: &LoopReport) -> (&'static str, &'static str) {
    match finding.loop_type {
        LoopType::ConsecutiveIdenticalToolCalls => (
            "Stopped: the model called {tool} {count} times in a row with the same arguments.",
            "You called {tool} {count} times in a row with exactly the same arguments, so the \
             answer will not change. The last call was not carried out. Do not repeat it. Use the \
             result that you already have; if it did not help, say what is missing and try \
             another tool or other arguments, or ask the user.",
        ),
        LoopType::SameToolDifferentArguments => (
            "Stopped: the model called {tool} {count} times since your prompt, which is the limit \
             for this model.",
            "You called {tool} {count} times since the user's prompt. The last call was not \
             carried out. Stop exploring with {tool}. Sum up what you know so far, then act on it, \
             or tell the user what you still need and why.",
        ),
        LoopType::ChantingIdenticalSentences => match finding.channel {
            Some(Channel::Reasoning) => (
                "Stopped: the model's thinking repeated the same passage {count} times.",
                "Your thinking repeated the same passage {count} times without a break. Do not \
                 think that passage again. Decide on the next concrete step with what you know, \
                 and take it, or tell the user what keeps you from it.",
            ),
            _ => (
                "Stopped: the model wrote the same passage {count} times.",
                "You wrote the same passage {count} times without a break. Do not write it again. \
                 Go on with the next point in new words, call the tool that you announced, or \
                 finish your answer.",
            ),
        },
        LoopType::LlmDetectedLoop => (
            "Stopped: a review of the conversation found that the model is going in circles.",
            "A review of the conversation after {count} turns found that you are going in circles \
             without getting closer to the goal. Do not continue the same way. State what you \
             tried, why it did not work, and take a different approach, or ask the user.",
        ),
        LoopType::RepeatedToolCycle => (
            "Stopped: the model went {count} times through the same {period} tool calls.",
            "You went {count} times through the same {period} tool calls, the last of them {tool}. \
             Another round will not change anything. Use what you have, or try something else.",
        ),
        LoopType::RepeatedError => (
            "Stopped: {tool} failed {count} times with the same error.",
            "{tool} failed {count} times with the same error. It will fail again. Read the error, \
             change what causes it, use another tool, or ask the user.",
        ),
        LoopType::Monologue => (
            "Stopped: the model said the same thing {count} times and did nothing in between.",
            "You said the same thing {count} times and did nothing in between. Act on it, ask the \
             user, or finish.",
        ),
    }
}

/// Fills the places in one pass, so that a tool called `{count}` stays what it is.
fn fill(template: &str, finding: &LoopReport) -> String {
    let numbers = [
        ("count}", finding.count),
        ("threshold}", finding.threshold),
        ("period}", finding.period.unwrap_or(1)),
    ];
    let mut filled = String::new();
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

    fn texts(finding: &LoopReport, own: &[(LoopType, MessageTexts)]) -> (String, String) {
        let mut report = finding.clone();
        add_texts(&mut report, own);
        (report.message, report.feedback)
    }

    fn own(message: &str) -> [(LoopType, MessageTexts); 1] {
        let texts = MessageTexts {
            message: Some(message.to_owned()),
            feedback: None,
        };
        [(LoopType::ConsecutiveIdenticalToolCalls, texts)]
    }

    #[test]
    fn places_are_filled_once_and_unknown_ones_stay() {
        let own = own("{tool}: {count}/{threshold} {period} {other} {");
        assert_eq!(
            texts(&finding("{count}"), &own).0,
            "{count}: 10/10 1 {other} {"
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
                let (message, feedback) = texts(&finding, &[]);
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
