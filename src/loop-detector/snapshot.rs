//! Saving a detector and going on later.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::feedback::Feedback;
use super::model_check::ModelCheck;
use super::progress::Progress;
use super::prompt::PromptState;
use super::rules::Rule;
use super::saved_verdict::SavedVerdict;
use super::spending::Spending;
use super::state::DetectorState;
use super::unanswered::Unanswered;
use super::{LoopDetector, LoopDetectorOptions, MACHINE, PatternMatcher, ProfileName};
use turnkeeper_base::error::{Error, ErrorCode};
use turnkeeper_base::snapshot::{self, Corrupt, Format, SavedState};

const FORMAT: Format = Format {
    machine: MACHINE,
    letter: b'l',
    version: 1,
};

/// A snapshot of any build has fewer.
const MOST_RULES: usize = 64;

/// What a snapshot holds. Borrowed to write it, owned when it was read.
#[derive(Serialize, Deserialize)]
struct Saved<'a> {
    /// As JSON.
    options: String,
    is_enabled: bool,
    feedback: Cow<'a, Feedback>,
    now: SavedEvents<'a>,
    turn_start: Option<SavedEvents<'a>>,
}

/// A [`DetectorState`], in which each rule that is on has saved its own.
#[derive(Serialize, Deserialize)]
struct SavedEvents<'a> {
    prompt: Cow<'a, PromptState>,
    rules: Vec<SavedRule>,
    unanswered: Cow<'a, Unanswered>,
    model_check: Cow<'a, ModelCheck>,
    spending: Cow<'a, Spending>,
    progress: Cow<'a, Progress>,
    verdict: SavedVerdict,
}

/// A rule's state under the first name by which it reports, so that a build with other rules can restore what
/// it knows.
#[derive(Serialize, Deserialize)]
struct SavedRule {
    name: String,
    state: Vec<u8>,
}

impl SavedRule {
    fn of(rule: &dyn Rule) -> Self {
        Self {
            name: rule.name(),
            state: rule.save(),
        }
    }
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
    fn of(state: &'a DetectorState) -> Self {
        Self {
            prompt: Cow::Borrowed(&state.prompt),
            rules: state
                .rules
                .iter()
                .map(|rule| SavedRule::of(&**rule))
                .collect(),
            unanswered: Cow::Borrowed(&state.unanswered),
            model_check: Cow::Borrowed(&state.model_check),
            spending: Cow::Borrowed(&state.spending),
            progress: Cow::Borrowed(&state.progress),
            verdict: SavedVerdict::of(&state.verdict),
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

    /// Loads it into the state of a new detector, whose rules are configured. A rule that is not saved starts
    /// afresh.
    fn load(self, mut into: DetectorState, profile: ProfileName) -> Result<DetectorState, Corrupt> {
        let verdict = self.verdict.load(profile)?;
        Corrupt::unless(self.rules.len() <= MOST_RULES)?;
        for rule in &mut into.rules {
            let saved = self.rules.iter().find(|saved| saved.name == rule.name());
            if let Some(saved) = saved {
                rule.load(&saved.state)?;
            }
        }
        Ok(DetectorState {
            prompt: self.prompt.into_owned(),
            unanswered: self.unanswered.into_owned(),
            model_check: self.model_check.into_owned(),
            spending: self.spending.into_owned(),
            progress: self.progress.into_owned(),
            verdict,
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
        let saved = Saved {
            options: self.user_options.to_value().to_string(),
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
        let options = LoopDetectorOptions::from_json(&saved.options).map_err(|_| Corrupt)?;
        let mut detector = Self::with_patterns_matched_by(matcher, options).map_err(|_| Corrupt)?;
        let profile = detector.settings.profile.into();
        if let Some(turn_start) = saved.turn_start {
            detector.turn_start = Some(Box::new(turn_start.load(detector.state.clone(), profile)?));
        }
        detector.state = saved.now.load(detector.state, profile)?;
        detector.is_enabled = saved.is_enabled;
        detector.feedback = saved.feedback.into_owned();
        Ok(detector)
    }
}
