//! The texts of a report: for the user, and for the model's history.
//!
//! What a rule says is in the rule's file. Here its places are filled in, or those of the host's own
//! texts.

use super::options::LoopMessages;
use super::report::LoopReport;
use super::rules::Action;
use turnkeeper_base::text::excerpt;

const MESSAGE_UNITS: usize = 500;
/// The most feedback in a report, in UTF-16 code units.
pub const FEEDBACK_UNITS: usize = 2_000;
/// A hostile tool name must not crowd the rest of the text out.
const NAME_UNITS: usize = 100;

/// What a rule says, with places: `{tool}`, `{count}`, `{threshold}` and `{period}`, as in a host's own
/// texts, and in the feedback two more: `{held}`, a sentence about a call that is not carried out, if
/// there is one, and `{message}`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Texts {
    /// For the user, without the word that it begins with.
    pub message: &'static str,
    /// For the model's history.
    pub feedback: &'static str,
}

/// Puts the texts into a report, the host's where it has given any. `is_held` says that the event is a
/// call, which a stop holds back.
pub fn add_texts(
    report: &mut LoopReport,
    texts: Texts,
    user_messages: Option<&LoopMessages>,
    action: Action,
    is_held: bool,
) {
    let tool = match &report.tool {
        Some(tool) => excerpt(tool, NAME_UNITS),
        None => "the tool".to_owned(),
    };
    let places = [
        ("{tool}", tool),
        ("{count}", report.count.to_string()),
        ("{threshold}", report.threshold.to_string()),
        ("{period}", report.period.unwrap_or(1).to_string()),
    ];
    let user_texts = user_messages.and_then(|messages| messages.of(report.loop_type));
    let user_message = user_texts.and_then(|texts| texts.message.as_deref());
    let user_feedback = user_texts.and_then(|texts| texts.feedback.as_deref());

    let message = fill(texts.message, &places);
    let held = match action {
        Action::Stop if is_held => "The last call was not carried out. ",
        _ => "",
    };
    let feedback = match user_feedback {
        Some(template) => fill(template, &places),
        None => {
            let [tool, count, threshold, period] = places.clone();
            let held = ("{held}", held.to_owned());
            let message = ("{message}", message.clone());
            fill(
                texts.feedback,
                &[tool, count, threshold, period, held, message],
            )
        }
    };
    let message = match (user_message, action) {
        (Some(template), _) => fill(template, &places),
        (None, Action::Nudge) => format!("Warning: {message}"),
        (None, Action::Stop) => format!("Stopped: {message}"),
    };
    report.message = excerpt(&message, MESSAGE_UNITS);
    report.feedback = excerpt(&feedback, FEEDBACK_UNITS);
}

/// Fills the places in one pass, so that a tool called `{count}` stays what it is.
fn fill(template: &str, places: &[(&str, String)]) -> String {
    let mut filled = String::new();
    let mut rest = template;
    while let Some(brace) = rest.find('{') {
        filled.push_str(&rest[..brace]);
        rest = &rest[brace..];
        let place = places.iter().find(|(name, _)| rest.starts_with(name));
        let (name, value) = match place {
            Some((name, value)) => (*name, value.as_str()),
            None => ("{", "{"),
        };
        filled.push_str(value);
        rest = &rest[name.len()..];
    }
    filled.push_str(rest);
    filled
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::MessageTexts;
    use crate::report::{LoopType, RuleName};

    const TEXTS: Texts = Texts {
        message: "{tool} came {count} times.",
        feedback: "Look: {message} {held}It has {period} {held",
    };

    fn filled(tool: &str, user_messages: &LoopMessages, action: Action) -> (String, String) {
        let loop_type = LoopType::ConsecutiveIdenticalToolCalls;
        let mut report = *LoopReport::new(loop_type, RuleName::IdenticalCalls);
        report.tool = Some(tool.to_owned());
        (report.count, report.threshold) = (10, 10);
        add_texts(&mut report, TEXTS, Some(user_messages), action, true);
        (report.message, report.feedback)
    }

    fn user_messages(message: &str) -> LoopMessages {
        LoopMessages {
            consecutive_identical_tool_calls: Some(MessageTexts {
                message: Some(message.to_owned()),
                feedback: None,
            }),
            ..LoopMessages::default()
        }
    }

    #[test]
    fn places_are_filled_once_and_unknown_ones_stay() {
        let own = user_messages("{tool}: {count}/{threshold} {period} {other} {held} {message} {");
        assert_eq!(
            filled("{count}", &own, Action::Stop).0,
            "{count}: 10/10 1 {other} {held} {message} {"
        );
    }

    #[test]
    fn a_rule_says_what_was_held_back_and_quotes_its_message() {
        let none = LoopMessages::default();
        let (message, feedback) = filled("ls", &none, Action::Stop);
        assert_eq!(message, "Stopped: ls came 10 times.");
        assert_eq!(
            feedback,
            "Look: ls came 10 times. The last call was not carried out. It has 1 {held"
        );
        let (message, feedback) = filled("ls", &none, Action::Nudge);
        assert_eq!(message, "Warning: ls came 10 times.");
        assert_eq!(feedback, "Look: ls came 10 times. It has 1 {held");
    }

    #[test]
    fn texts_are_cut_to_their_limits() {
        let long = "x".repeat(3_000);
        let (message, _) = filled("t", &user_messages(&long), Action::Stop);
        assert_eq!(message.encode_utf16().count(), MESSAGE_UNITS);
        let (message, feedback) =
            filled(&"长".repeat(5_000), &LoopMessages::default(), Action::Stop);
        assert!(message.encode_utf16().count() <= NAME_UNITS + TEXTS.message.len() + 9);
        assert!(feedback.contains("10 times"), "{feedback}");
    }
}
