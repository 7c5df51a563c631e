//! Saving a detector and going on later.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::checkpoint::Checkpoint;
use super::feedback::Feedback;
use super::model_check::ModelCheck;
use super::progress::Progress;
use super::prompt::PromptState;
use super::rules::History;
use super::spending::Spending;
use super::unanswered::Unanswered;
use super::{LoopDetector, LoopDetectorOptions, LoopVerdict, MACHINE, PatternMatcher};
use turnkeeper_base::error::{Error, ErrorCode};
use turnkeeper_base::options;
use turnkeeper_base::snapshot::{self, Corrupt, Format, SavedState};

const FORMAT: Format = Format {
    machine: MACHINE,
    letter: b'l',
    version: 1,
};

/// What a snapshot holds. Borrowed to write it, owned when it was read.
#[derive(Serialize, Deserialize)]
struct State<'a> {
    #[serde(with = "options::saved")]
    user_options: Cow<'a, LoopDetectorOptions>,
    is_enabled: bool,
    feedback: Cow<'a, Feedback>,
    now: SavedCheckpoint<'a>,
    turn_start: Option<SavedCheckpoint<'a>>,
}

/// A [`Checkpoint`], in which each rule that is on has saved its own state.
#[derive(Serialize, Deserialize)]
struct SavedCheckpoint<'a> {
    prompt: Cow<'a, PromptState>,
    history: Cow<'a, History>,
    rules: Vec<Vec<u8>>,
    unanswered: Cow<'a, Unanswered>,
    model_check: Cow<'a, ModelCheck>,
    spending: Cow<'a, Spending>,
    progress: Cow<'a, Progress>,
    #[serde(with = "options::saved")]
    verdict: Cow<'a, LoopVerdict>,
    verdict_rule: Option<usize>,
    is_held: bool,
}

impl SavedState for State<'static> {
    fn validate(&self) -> Result<(), Corrupt> {
        self.feedback.validate()?;
        self.now.validate()?;
        self.turn_start
            .as_ref()
            .map_or(Ok(()), SavedCheckpoint::validate)
    }
}

impl<'a> SavedCheckpoint<'a> {
    fn of(checkpoint: &'a Checkpoint) -> Self {
        Self {
            prompt: Cow::Borrowed(&checkpoint.prompt),
            history: Cow::Borrowed(&checkpoint.history),
            rules: checkpoint.rules.iter().map(|rule| rule.save()).collect(),
            unanswered: Cow::Borrowed(&checkpoint.unanswered),
            model_check: Cow::Borrowed(&checkpoint.model_check),
            spending: Cow::Borrowed(&checkpoint.spending),
            progress: Cow::Borrowed(&checkpoint.progress),
            verdict: Cow::Borrowed(&checkpoint.verdict),
            verdict_rule: checkpoint.verdict_rule,
            is_held: checkpoint.is_held,
        }
    }

    /// What depends on the options is checked when the rules load it.
    fn validate(&self) -> Result<(), Corrupt> {
        self.prompt.validate()?;
        self.unanswered.validate()?;
        self.model_check.validate()?;
        self.spending.validate()?;
        self.progress.validate()
    }

    /// Loads it into a checkpoint of a new detector, whose rules are configured.
    fn load(self, mut into: Checkpoint) -> Result<Checkpoint, Corrupt> {
        Corrupt::unless(self.rules.len() == into.rules.len())?;
        let mut has_place = self
            .verdict_rule
            .is_none_or(|place| place < self.rules.len());
        has_place &= self.verdict_rule.is_none() || *self.verdict != LoopVerdict::Ok;
        Corrupt::unless(has_place)?;
        for (rule, saved) in into.rules.iter_mut().zip(&self.rules) {
            rule.load(saved)?;
        }
        into.history.load(self.history.into_owned())?;
        Ok(Checkpoint {
            prompt: self.prompt.into_owned(),
            unanswered: self.unanswered.into_owned(),
            model_check: self.model_check.into_owned(),
            spending: self.spending.into_owned(),
            progress: self.progress.into_owned(),
            verdict: self.verdict.into_owned(),
            verdict_rule: self.verdict_rule,
            is_held: self.is_held,
            ..into
        })
    }
}

impl LoopDetector {
    /// The detector as bytes, the same on every platform. They hold the options, the prompt's id
    /// and the beginning of its text, the last few thousand units of prose and reasoning, and
    /// hashes of calls; arguments and results only where a report quotes them. At most 60 KB,
    /// twice that within a turn, unless the options or the prompt's id are large or ask for much.
    #[must_use]
    pub fn snapshot(&self) -> Vec<u8> {
        let now = self.checkpoint();
        let state = State {
            user_options: Cow::Borrowed(&self.user_options),
            is_enabled: self.is_enabled,
            feedback: Cow::Borrowed(&self.feedback),
            now: SavedCheckpoint::of(&now),
            turn_start: self.turn_start.as_deref().map(SavedCheckpoint::of),
        };
        snapshot::seal(FORMAT, &state)
    }

    /// A detector that goes on as if it had never stopped.
    ///
    /// # Errors
    /// `snapshot_corrupt` for bytes that are cut, altered or no snapshot, `wrong_machine` for
    /// another machine's, `snapshot_version` for those of a newer version.
    pub fn restore(snapshot: &[u8]) -> Result<Self, Error> {
        Self::restore_with_patterns_matched_by(PatternMatcher::Core, snapshot)
    }

    /// The same, where the host may match the pattern of `previewModel` itself.
    pub(crate) fn restore_with_patterns_matched_by(
        matcher: PatternMatcher,
        snapshot: &[u8],
    ) -> Result<Self, Error> {
        let state: State = snapshot::open(FORMAT, snapshot)?;
        Self::load(matcher, state).map_err(|Corrupt| {
            let message = "the snapshot does not hold a detector";
            Error::new(ErrorCode::SnapshotCorrupt, MACHINE, message)
        })
    }

    fn load(matcher: PatternMatcher, state: State<'static>) -> Result<Self, Corrupt> {
        let options = state.user_options.into_owned();
        let mut detector = Self::with_patterns_matched_by(matcher, options).map_err(|_| Corrupt)?;
        let new = detector.checkpoint();
        if let Some(turn_start) = state.turn_start {
            detector.turn_start = Some(Box::new(turn_start.load(new.clone())?));
        }
        detector.set_checkpoint(state.now.load(new)?);
        detector.is_enabled = state.is_enabled;
        detector.feedback = state.feedback.into_owned();
        Ok(detector)
    }
}
