//! Saving a detector and going on later.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::MACHINE;
use crate::detector::PeerDetector;
use crate::options::{PeerOptions, PeerProfile};
use crate::state::State;
use turnkeeper_base::error::{Error, ErrorCode};
use turnkeeper_base::snapshot::{self, Corrupt, Format, SavedState};
use turnkeeper_loop_detector::PatternMatcher;
use turnkeeper_loop_detector::feedback::Feedback;
use turnkeeper_loop_detector::model_check::ModelCheck;
use turnkeeper_loop_detector::progress::Progress;
use turnkeeper_loop_detector::prompt::PromptState;
use turnkeeper_loop_detector::saved_verdict::SavedVerdict;
use turnkeeper_loop_detector::spending::Spending;

const FORMAT: Format = Format {
    machine: MACHINE,
    letter: b'p',
    version: 1,
};

/// What a snapshot holds. Borrowed to write it, owned when it was read.
#[derive(Serialize, Deserialize)]
struct Saved<'a> {
    options: Cow<'a, PeerOptions>,
    is_enabled: bool,
    feedback: Cow<'a, Feedback>,
    now: SavedEvents<'a>,
    turn_start: Option<SavedEvents<'a>>,
}

/// A [`State`], in which the agent has saved its own.
#[derive(Serialize, Deserialize)]
struct SavedEvents<'a> {
    prompt: Cow<'a, PromptState>,
    agent: Vec<u8>,
    model_check: Cow<'a, ModelCheck>,
    spending: Cow<'a, Spending>,
    progress: Cow<'a, Progress>,
    verdict: SavedVerdict,
}

impl SavedState for Saved<'static> {
    fn validate(&self) -> Result<(), Corrupt> {
        self.feedback.validate()?;
        self.now.validate()?;
        let turn_start = self.turn_start.as_ref();
        turn_start.map_or(Ok(()), SavedEvents::validate)
    }
}

impl<'a> SavedEvents<'a> {
    fn of(state: &'a State) -> Self {
        Self {
            prompt: Cow::Borrowed(&state.prompt),
            agent: state.agent.save(),
            model_check: Cow::Borrowed(&state.model_check),
            spending: Cow::Borrowed(&state.spending),
            progress: Cow::Borrowed(&state.progress),
            verdict: SavedVerdict::of(&state.verdict),
        }
    }

    /// The agent checks its own when it loads it, since that depends on the options.
    fn validate(&self) -> Result<(), Corrupt> {
        self.prompt.validate()?;
        self.model_check.validate()?;
        self.spending.validate()?;
        self.progress.validate()
    }

    /// Loads it into the state of a new detector, whose agent is configured.
    fn load(self, mut into: State, profile: PeerProfile) -> Result<State, Corrupt> {
        into.agent.load(&self.agent)?;
        Ok(State {
            prompt: self.prompt.into_owned(),
            agent: into.agent,
            model_check: self.model_check.into_owned(),
            spending: self.spending.into_owned(),
            progress: self.progress.into_owned(),
            verdict: self.verdict.load(profile)?,
        })
    }
}

impl PeerDetector {
    /// The detector as bytes, the same on every platform. They hold the options, the prompt's id
    /// and the beginning of its text, the last units of prose that the agent compares, hashes of calls, and in clear
    /// what a report would quote: at most 300 units of the newest call, and the hints that wait.
    #[must_use]
    pub fn snapshot(&self) -> Vec<u8> {
        let saved = Saved {
            options: Cow::Borrowed(&self.options),
            is_enabled: self.is_enabled,
            feedback: Cow::Borrowed(&self.feedback),
            now: SavedEvents::of(&self.state),
            turn_start: self.turn_start.as_deref().map(SavedEvents::of),
        };
        snapshot::seal(FORMAT, &saved)
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
        let saved: Saved = snapshot::open(FORMAT, snapshot)?;
        Self::load(matcher, saved).map_err(|Corrupt| {
            let message = "the snapshot does not hold a detector";
            Error::new(ErrorCode::SnapshotCorrupt, MACHINE, message)
        })
    }

    fn load(matcher: PatternMatcher, saved: Saved<'static>) -> Result<Self, Corrupt> {
        let options = saved.options.into_owned();
        let mut detector = Self::with_patterns_matched_by(matcher, options).map_err(|_| Corrupt)?;
        let profile = detector.options.profile();
        if let Some(turn_start) = saved.turn_start {
            detector.turn_start = Some(Box::new(turn_start.load(detector.state.clone(), profile)?));
        }
        detector.state = saved.now.load(detector.state, profile)?;
        detector.is_enabled = saved.is_enabled;
        detector.feedback = saved.feedback.into_owned();
        Ok(detector)
    }
}
