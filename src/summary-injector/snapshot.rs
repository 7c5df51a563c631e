//! Saves an injector and goes on from what was saved.

use std::borrow::Cow;
use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::entry::Entry;
use super::fold::Folding;
use super::sizes::Sizes;
use super::summary_request::RequestedSummary;
use super::turn::{KeptMessage, OpenTurn};
use super::{MACHINE, SummaryInjector, SummaryInjectorOptions};
use turnkeeper_base::error::Error;
use turnkeeper_base::options::{self, MAX_SAFE_INTEGER};
use turnkeeper_base::snapshot::{Corrupt, Format, SavedState, decode, open, seal};

const FORMAT: Format = Format {
    machine: MACHINE,
    letter: b'i',
    version: 2,
};

/// The highest number of a turn that a snapshot may hold. No conversation reaches it, and counting
/// on from it stays within what JavaScript counts exactly.
const HIGHEST_TURN: u64 = MAX_SAFE_INTEGER / 2;

/// Everything that a snapshot holds: borrowed from the injector when it is written, owned when it is
/// read.
#[derive(Serialize, Deserialize)]
struct State<'a> {
    #[serde(with = "options::saved")]
    options: Cow<'a, SummaryInjectorOptions>,
    newest_turn: u64,
    task: Option<Cow<'a, str>>,
    open_turn: Option<Cow<'a, OpenTurn>>,
    entries: Cow<'a, [Entry]>,
    folding: Cow<'a, Folding>,
    messages: Cow<'a, VecDeque<KeptMessage>>,
    requested_summary: Option<Cow<'a, RequestedSummary>>,
}

/// What a snapshot of version 1 held: all but the request for a turn's summary.
#[derive(Serialize, Deserialize)]
struct OldState {
    #[serde(with = "options::saved")]
    options: SummaryInjectorOptions,
    newest_turn: u64,
    task: Option<String>,
    open_turn: Option<OpenTurn>,
    entries: Vec<Entry>,
    folding: Folding,
    messages: VecDeque<KeptMessage>,
}

impl SavedState for OldState {
    fn validate(&self) -> Result<(), Corrupt> {
        Ok(())
    }
}

impl From<OldState> for State<'_> {
    fn from(old: OldState) -> Self {
        Self {
            options: Cow::Owned(old.options),
            newest_turn: old.newest_turn,
            task: old.task.map(Cow::Owned),
            open_turn: old.open_turn.map(Cow::Owned),
            entries: Cow::Owned(old.entries),
            folding: Cow::Owned(old.folding),
            messages: Cow::Owned(old.messages),
            requested_summary: None,
        }
    }
}

impl SavedState for State<'_> {
    fn validate(&self) -> Result<(), Corrupt> {
        let newest_turn = self.newest_turn;
        Corrupt::unless(newest_turn <= HIGHEST_TURN)?;
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
        Corrupt::unless(self.messages.iter().all(is_of_known_turn))
    }

    fn from_version(version: u8, payload: &[u8]) -> Result<Self, Corrupt> {
        if version > 1 {
            return decode(payload);
        }
        let state = Self::from(decode::<OldState>(payload)?);
        state.validate()?;
        Ok(state)
    }
}

impl SummaryInjector {
    /// The injector as bytes, the same on every platform: the options, the task, the summaries, the
    /// messages that are kept, and of the open turn its workspace and rounds of thinking.
    #[must_use]
    pub fn snapshot(&self) -> Vec<u8> {
        let state = State {
            options: Cow::Borrowed(&self.options),
            newest_turn: self.newest_turn,
            task: self.task.as_deref().map(Cow::Borrowed),
            open_turn: self.open_turn.as_ref().map(Cow::Borrowed),
            entries: Cow::Borrowed(&self.entries),
            folding: Cow::Borrowed(&self.folding),
            messages: Cow::Borrowed(&self.messages),
            requested_summary: self.requested_summary.as_ref().map(Cow::Borrowed),
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
            newest_turn: state.newest_turn,
            task: state.task.map(Cow::into_owned),
            open_turn: state.open_turn.map(Cow::into_owned),
            entries: state.entries.into_owned(),
            folding: state.folding.into_owned(),
            messages: state.messages.into_owned(),
            requested_summary: state.requested_summary.map(Cow::into_owned),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FoldAnswer, Recall, TaskState, Turn, TurnMessage, TurnSummary};
    use serde_json::json;
    use turnkeeper_base::error::ErrorCode;

    fn folded() -> FoldAnswer {
        FoldAnswer {
            summary: "Folded.".to_owned(),
            insights: vec!["two".to_owned()],
        }
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
                id: "m".to_owned(),
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
            ids: vec!["m".to_owned()],
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
        let alterations: [fn(&mut SummaryInjector); 12] = [
            |injector| injector.requested_summary.as_mut().expect("taken").turn = 10,
            |injector| injector.newest_turn = 7,
            |injector| injector.newest_turn = u64::MAX,
            |injector| injector.options.max_tokens = Some(0),
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
