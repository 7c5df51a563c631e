//! The ledger of a session: told what happens, and after a compaction asked for a text.

use std::borrow::Cow;

use turnkeeper_messages::Event;
use turnkeeper_summary_injector::WorkLedger;

use super::event::{FinishedCall, Happening};
use super::prompts::words_of;

/// The longest text of a ledger.
const LONGEST_TEXT: usize = 6_000;

/// Tells the ledger what happened.
pub(crate) fn note(happened: &Happening, ledger: &mut WorkLedger) {
    match happened {
        Happening::Prompt { text } => {
            if let Some(words) = words_of(text.as_deref()).filter(|words| !words.is_empty()) {
                ledger.prompt(words);
            }
        }
        Happening::Results(results) => {
            for call in &results.calls {
                note_call(call, ledger);
            }
        }
        _ => {}
    }
}

fn note_call(call: &FinishedCall, ledger: &mut WorkLedger) {
    let id = call.id.as_deref().map(Cow::Borrowed);
    ledger.observe(&Event::ToolCall {
        id: id.clone(),
        name: Cow::Borrowed(&call.name),
        args: Some(Cow::Borrowed(&call.args)),
        key: None,
    });
    ledger.observe(&Event::ToolResult {
        id,
        output: Cow::Borrowed(&call.output),
        is_error: call.is_error,
        exit_code: call.exit_code,
    });
}

/// The ledger as facts; `None` if there is nothing to tell.
pub(crate) fn ledger_text(ledger: &WorkLedger) -> Option<String> {
    let text = ledger.text(LONGEST_TEXT);
    (!text.is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use turnkeeper_base::json::Json;

    use super::*;
    use crate::watch::event::Results;

    #[test]
    fn words_of_the_user_and_calls_with_their_results_are_told() {
        let mut ledger = WorkLedger::new();
        assert_eq!(ledger_text(&ledger), None);
        let text = Some("Mend the footer.".into());
        note(&Happening::Prompt { text }, &mut ledger);
        let call = FinishedCall {
            id: None,
            name: "Bash".into(),
            args: Json::object([("command", "make".into())]),
            output: "done".into(),
            is_error: None,
            exit_code: Some(0),
        };
        let results = Results {
            calls: vec![call],
            ..Results::default()
        };
        note(&Happening::Results(results), &mut ledger);
        let text = ledger_text(&ledger).expect("something to tell");
        for part in ["Mend the footer.", "make", "done"] {
            assert!(text.contains(part), "{text}");
        }
    }
}
