//! Saves an injector and goes on from what was saved.

use std::borrow::Cow;
use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::entry::Entry;
use super::fold::Folding;
use super::marking::not_blank;
use super::sizes::Sizes;
use super::summary_request::RequestedSummary;
use super::turn::KeptMessage;
use super::turn_store::KeptTurn;
use super::{MACHINE, SummaryInjector, SummaryInjectorOptions};
use turnkeeper_base::error::Error;
use turnkeeper_base::options;
use turnkeeper_base::snapshot::{Corrupt, Format, SavedState, decode, open, seal};

const FORMAT: Format = Format {
    machine: MACHINE,
    letter: b'i',
    version: 2,
};

/// Everything that a snapshot holds: borrowed from the injector when it is written, owned when it is
/// read.
#[derive(Serialize, Deserialize)]
struct State<'a> {
    #[serde(with = "options::saved")]
    options: Cow<'a, SummaryInjectorOptions>,
    turns: Cow<'a, [KeptTurn]>,
    is_open: bool,
    entries: Cow<'a, [Entry]>,
    folding: Cow<'a, Folding>,
    messages: Cow<'a, VecDeque<KeptMessage>>,
    requested_summary: Option<Cow<'a, RequestedSummary>>,
    notes: Cow<'a, [String]>,
}

impl SavedState for State<'_> {
    fn validate(&self) -> Result<(), Corrupt> {
        let newest_turn = self.turns.len() as u64;
        Corrupt::unless(!self.is_open || newest_turn > 0)?;
        let mut turn_before = 0;
        for entry in self.entries.iter() {
            let is_of_one_turn = entry.first_turn == entry.last_turn;
            let is_in_order = turn_before < entry.first_turn && entry.first_turn <= newest_turn;
            Corrupt::unless(is_of_one_turn && is_in_order)?;
            turn_before = entry.last_turn;
        }
        let folding = &self.folding;
        if let Some(fold) = &folding.fold {
            let is_after_turn_1 = 1 < fold.first_turn && fold.first_turn <= fold.last_turn;
            Corrupt::unless(is_after_turn_1 && fold.last_turn <= newest_turn)?;
        }
        let start = folding.start();
        for turn in [folding.shortened_to, folding.requested_to] {
            let is_after_start = |turn| start < turn && turn <= newest_turn;
            Corrupt::unless(turn.is_none_or(is_after_start))?;
        }
        let is_known = |turn: u64| (1..=newest_turn).contains(&turn);
        let requested = self.requested_summary.as_ref();
        Corrupt::unless(requested.is_none_or(|requested| is_known(requested.turn)))?;
        let is_of_known_turn = |kept: &KeptMessage| kept.turn <= newest_turn;
        Corrupt::unless(self.messages.iter().all(is_of_known_turn))?;
        let turns = self.messages.iter().map(|kept| kept.turn);
        Corrupt::unless(turns.is_sorted())?;
        Corrupt::unless(self.notes.len() <= self.turns.len())
    }

    fn from_version(version: u8, payload: &[u8]) -> Result<Self, Corrupt> {
        match version {
            // It ends before the notes, of which there are none then.
            1 => decode(&[payload, &[0]].concat()),
            _ => decode(payload),
        }
    }
}

impl SummaryInjector {
    /// The injector as bytes, the same on every platform: the options, the turns, the summaries and the
    /// messages that are kept.
    #[must_use]
    pub fn snapshot(&self) -> Vec<u8> {
        let state = State {
            options: Cow::Borrowed(&self.options),
            turns: Cow::Borrowed(&self.turns),
            is_open: self.is_open,
            entries: Cow::Borrowed(&self.entries),
            folding: Cow::Borrowed(&self.folding),
            messages: Cow::Borrowed(&self.messages),
            requested_summary: self.requested_summary.as_ref().map(Cow::Borrowed),
            notes: Cow::Borrowed(&self.notes),
        };
        seal(FORMAT, &state)
    }

    /// An injector that goes on as if it had never stopped.
    ///
    /// # Errors
    /// `snapshot_corrupt` for bytes that are cut, altered or no snapshot, `wrong_machine` for
    /// another machine's, `snapshot_version` for those of a newer version.
    pub fn restore(snapshot: &[u8]) -> Result<Self, Error> {
        let state: State = open(FORMAT, snapshot)?;
        let mut sizes = Sizes::default();
        sizes.update(&state.entries, 0);
        Ok(Self {
            sizes,
            options: state.options.into_owned(),
            task: newest_task(&state.turns).map(str::to_owned),
            turns: state.turns.into_owned(),
            is_open: state.is_open,
            entries: state.entries.into_owned(),
            folding: state.folding.into_owned(),
            known_ids: state
                .messages
                .iter()
                .filter_map(|kept| kept.message.id_hash())
                .collect(),
            messages: state.messages.into_owned(),
            requested_summary: state.requested_summary.map(Cow::into_owned),
            notes: state.notes.into_owned(),
        })
    }
}

/// The goal of the newest turn, which may come from an earlier one.
fn newest_task(turns: &[KeptTurn]) -> Option<&str> {
    let given = turns.iter().rev().find_map(|turn| turn.task.as_deref());
    given.and_then(not_blank)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Recall, TaskState, Turn, TurnMessage, TurnSummary};
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
            injector.add_message(message).expect("a message");
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
        let injector = busy();
        let snapshot = injector.snapshot();
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
            |injector| injector.turns.truncate(7),
            |injector| injector.turns.clear(),
            |injector| injector.entries[0].first_turn = 0,
            |injector| injector.entries[1].first_turn = 1,
            |injector| injector.entries.swap(0, 1),
            |injector| injector.entries[7].last_turn = 10,
            |injector| injector.folding.fold.as_mut().expect("folded").first_turn = 1,
            |injector| injector.folding.fold.as_mut().expect("folded").last_turn = 1,
            |injector| injector.folding.shortened_to = Some(1),
            |injector| injector.messages[0].turn = 10,
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
