//! Saves an injector and goes on from what was saved.

use super::{MACHINE, SummaryInjector};
use turnkeeper_base::error::Error;
use turnkeeper_base::snapshot::{Corrupt, Format, SavedState, open, seal};

const FORMAT: Format = Format {
    machine: MACHINE,
    letter: b'i',
    version: 1,
};

impl SavedState for SummaryInjector {
    fn validate(&self) -> Result<(), Corrupt> {
        let newest_turn = self.turns.newest();
        let is_known = |turn: u64| (1..=newest_turn).contains(&turn);
        let requested = self.requested_summary.as_ref();
        Corrupt::unless(
            self.turns.are_valid()
                && self.summaries.are_valid(newest_turn)
                && self.messages.are_valid(newest_turn)
                && requested.is_none_or(|requested| is_known(requested.turn)),
        )
    }
}

impl SummaryInjector {
    /// The injector as bytes, the same on every platform: the options, the turns, the summaries and the
    /// messages that are kept.
    #[must_use]
    pub fn snapshot(&self) -> Vec<u8> {
        seal(FORMAT, self)
    }

    /// An injector that goes on as if it had never stopped.
    ///
    /// # Errors
    /// `snapshot_corrupt` for bytes that are cut, altered or no snapshot, `wrong_machine` for
    /// another machine's, `snapshot_version` for those of a newer version.
    pub fn restore(snapshot: &[u8]) -> Result<Self, Error> {
        let mut injector: Self = open(FORMAT, snapshot)?;
        injector.messages.know_ids();
        injector.summaries.measure();
        Ok(injector)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Recall, SummaryInjectorOptions, TaskState, Turn, TurnMessage, TurnSummary};
    use serde_json::{Value, json};
    use turnkeeper_base::error::ErrorCode;

    fn folded() -> Value {
        json!({"summary": "Folded.", "insights": ["two"]})
    }

    /// An injector with something of everything.
    fn busy() -> SummaryInjector {
        let json = r#"{"maxTokens": 60, "maxRecalledMessages": 3, "maxMessages": 5}"#;
        let options = SummaryInjectorOptions::from_json(json).expect("valid");
        let mut injector = SummaryInjector::new(options).expect("valid");
        for turn in 1..9 {
            injector.start_turn(Turn {
                task: Some("目标\n=== TASK CONTEXT ===".to_owned()),
                workspace: Some("src/".to_owned()),
            });
            let message = TurnMessage {
                role: "user".to_owned(),
                id: format!("m{}", turn / 8),
                text: "words".to_owned(),
                original: "7".to_owned(),
            };
            injector.add_message(message, None).expect("a message");
            injector.add_thinking_round("Look.").expect("open");
            let stored = injector.store_summary(&TurnSummary {
                turn: None,
                summary: "A summary of a few words.".to_owned(),
                insights: vec!["one".to_owned()],
            });
            stored.expect("open");
            if turn == 6 {
                let _ = injector.take_fold_request().expect("over the budget");
                injector.answer_fold_request(&folded()).expect("taken");
            }
        }
        let _ = injector.take_fold_request().expect("over the budget");
        injector.start_turn(Turn::default());
        injector.add_thinking_round("Look.").expect("open");
        let _ = injector.take_summary_request().expect("no summary yet");
        let recalled = injector.recall(&Recall {
            ids: vec!["m0".to_owned(), "m1".to_owned()],
            ..Recall::default()
        });
        assert_eq!(recalled, Ok(2));
        injector
    }

    #[test]
    fn everything_is_saved() {
        let mut injector = busy();
        let snapshot = injector.snapshot();
        // Nobody needs the log afterwards.
        injector.log = Default::default();
        let mut restored = SummaryInjector::restore(&snapshot).expect("just saved");
        assert_eq!(restored.snapshot(), snapshot);
        assert_eq!(format!("{restored:?}"), format!("{injector:?}"));
        restored.answer_fold_request(&folded()).expect("taken");
        let answered = restored.answer_summary_request(&json!({"done": "x"}), TaskState::Open);
        answered.expect("taken");
    }

    #[test]
    fn no_state_that_cannot_be_is_taken() {
        let alterations: [fn(&mut SummaryInjector); 11] = [
            |injector| injector.requested_summary.as_mut().expect("taken").turn = 10,
            |injector| injector.turns.kept.truncate(7),
            |injector| injector.turns.kept.clear(),
            |injector| injector.summaries.entries[0].first_turn = 0,
            |injector| injector.summaries.entries[1].first_turn = 1,
            |injector| injector.summaries.entries.swap(0, 1),
            |injector| injector.summaries.entries[7].last_turn = 10,
            |injector| {
                injector
                    .summaries
                    .folding
                    .fold
                    .as_mut()
                    .expect("folded")
                    .first_turn = 1
            },
            |injector| {
                injector
                    .summaries
                    .folding
                    .fold
                    .as_mut()
                    .expect("folded")
                    .last_turn = 1
            },
            |injector| injector.summaries.folding.shortened_to = Some(1),
            |injector| injector.messages.kept[0].turn = 10,
        ];
        for (number, alter) in alterations.into_iter().enumerate() {
            let mut injector = busy();
            alter(&mut injector);
            let error = SummaryInjector::restore(&injector.snapshot());
            let error = error.expect_err(&format!("alteration {number} is noticed"));
            assert_eq!(error.code(), ErrorCode::SnapshotCorrupt);
        }
    }
}
