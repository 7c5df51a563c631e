//! Saving a detector and going on later.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::MACHINE;
use super::conversation::Conversation;
use super::detecting::{Detector, DetectorOptions, PatternMatcher, SavedRule};
use super::feedback::Feedback;
use super::model_check::ModelCheck;
use super::progress::Progress;
use super::prompt::PromptState;
use super::report::LoopVerdict;
use super::saved_verdict::SavedVerdict;
use super::spending::Spending;
use super::state::DetectorState;
use super::texts::without_quotes;
use super::unanswered::Unanswered;
use turnkeeper_base::error::{Error, ErrorCode};
use turnkeeper_base::json;
use turnkeeper_base::options;
use turnkeeper_base::snapshot::{self, Corrupt, Format, SavedState};

const fn format<O: DetectorOptions>() -> Format {
    Format {
        machine: MACHINE,
        letter: O::SNAPSHOT_LETTER,
        version: 1,
    }
}

/// A snapshot of any build has fewer.
const MOST_RULES: usize = 64;

/// A snapshot. Borrowed to write it, owned when it was read.
#[derive(Serialize, Deserialize)]
struct Saved<'a> {
    /// As JSON.
    options: String,
    is_enabled: bool,
    feedback: Cow<'a, Feedback>,
    now: SavedEvents<'a>,
    turn_start: Option<SavedEvents<'a>>,
}

/// A [`DetectorState`], in which the rules have saved their own.
#[derive(Serialize, Deserialize)]
struct SavedEvents<'a> {
    conversation: Cow<'a, Conversation>,
    prompt: Cow<'a, PromptState>,
    rules: Vec<SavedRule>,
    unanswered: Cow<'a, Unanswered>,
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
    fn of<O: DetectorOptions>(state: &'a DetectorState<O>) -> Self {
        Self {
            conversation: Cow::Borrowed(&state.conversation),
            prompt: Cow::Borrowed(&state.prompt),
            rules: state.rules.save(),
            unanswered: Cow::Borrowed(&state.unanswered),
            model_check: Cow::Borrowed(&state.model_check),
            spending: Cow::Borrowed(&state.spending),
            progress: Cow::Borrowed(&state.progress),
            verdict: SavedVerdict::of(&state.verdict),
        }
    }

    /// The rules check their own states when they load them, since those depend on the options.
    fn validate(&self) -> Result<(), Corrupt> {
        self.conversation.validate()?;
        self.prompt.validate()?;
        self.unanswered.validate()?;
        self.model_check.validate()?;
        self.spending.validate()?;
        self.progress.validate()
    }

    /// Loads it into the state of a new detector, whose rules are configured.
    fn load<O: DetectorOptions>(
        self,
        mut into: DetectorState<O>,
        profile: O::Profile,
    ) -> Result<DetectorState<O>, Corrupt> {
        let verdict = self.verdict.load(profile)?;
        Corrupt::unless(self.rules.len() <= MOST_RULES)?;
        into.rules.load(&self.rules)?;
        Ok(DetectorState {
            conversation: self.conversation.into_owned(),
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

impl<O: DetectorOptions> Detector<O> {
    /// The detector as bytes, the same on every platform. They hold the options, the prompt's id
    /// and the beginning of its text, the last few thousand units of prose and reasoning, hashes of
    /// calls, and in clear what a report would quote: at most 300 units of each of the last 8 calls and of the
    /// result that was quoted last, and the hints that wait. At most 60 KB,
    /// twice that within a turn, unless the options or the prompt's id are large or ask for much.
    #[must_use]
    pub fn snapshot(&self) -> Vec<u8> {
        let saved = Saved {
            options: json::written(&self.options.to_value()),
            is_enabled: self.is_enabled,
            feedback: Cow::Borrowed(&self.feedback),
            now: SavedEvents::of(&self.state),
            turn_start: self.turn_start.as_deref().map(SavedEvents::of),
        };
        snapshot::seal(format::<O>(), &saved)
    }

    /// The same for a host that watches calls and results alone, tries no turn again, and keeps snapshots where others
    /// may find them: it holds no words of the user, of calls or of results. What these words have come to is in it, so
    /// that the verdicts are the same; reports quote nothing of what came before.
    #[must_use]
    pub fn snapshot_without_words(mut self) -> Vec<u8> {
        self.turn_start = None;
        self.feedback = Feedback::default();
        self.state.rules.forget_quotes();
        self.state.prompt.user_prompt.clear();
        if let LoopVerdict::Nudge { report } | LoopVerdict::Stop { report } =
            &mut self.state.verdict
        {
            report.evidence.clear();
            for text in [&mut report.fact, &mut report.message, &mut report.feedback] {
                *text = without_quotes(text);
            }
        }
        self.snapshot()
    }

    /// A detector that goes on as if it had never stopped.
    ///
    /// # Errors
    /// `snapshot_corrupt` for bytes that are cut, altered or no snapshot, `wrong_machine` for
    /// another machine's, `snapshot_version` for those of a newer version.
    pub fn restore(snapshot: &[u8]) -> Result<Self, Error> {
        Self::restore_with_patterns_matched_by(PatternMatcher::CORE, snapshot)
    }

    /// The same, where the host may match the pattern of `previewModel` itself.
    ///
    /// # Errors
    /// As [`restore`](Self::restore).
    pub fn restore_with_patterns_matched_by(
        matcher: PatternMatcher,
        snapshot: &[u8],
    ) -> Result<Self, Error> {
        let saved: Saved = snapshot::open(format::<O>(), snapshot)?;
        Self::load(matcher, saved).map_err(|Corrupt| {
            let message = "the snapshot does not hold a detector";
            Error::new(ErrorCode::SnapshotCorrupt, MACHINE, message)
        })
    }

    fn load(matcher: PatternMatcher, saved: Saved<'static>) -> Result<Self, Corrupt> {
        let options = options::from_json(MACHINE, &saved.options)
            .and_then(|value| O::from_value(&value))
            .map_err(|_| Corrupt)?;
        let mut detector = Self::with_patterns_matched_by(matcher, options).map_err(|_| Corrupt)?;
        let profile = detector.profile;
        if let Some(turn_start) = saved.turn_start {
            let fresh = detector.fresh_state().ok_or(Corrupt)?;
            detector.turn_start = Some(Box::new(turn_start.load(fresh, profile)?));
        }
        detector.state = saved.now.load(detector.state, profile)?;
        detector.is_enabled = saved.is_enabled;
        detector.feedback = saved.feedback.into_owned();
        Ok(detector)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AgentEvent, LoopDetector, LoopDetectorOptions};

    fn call() -> AgentEvent {
        AgentEvent::ToolCall {
            key: None,
            id: None,
            name: "read_file".to_owned(),
            args: Some(serde_json::json!({ "path": "garden/beds.md" })),
        }
    }

    fn result() -> AgentEvent {
        AgentEvent::ToolResult {
            id: None,
            output: "Twelve beds.".to_owned(),
            is_error: None,
            exit_code: None,
        }
    }

    /// A snapshot after a nudge at three equal reads, as another build would have written it.
    fn by_another_build(change: impl FnOnce(&mut Saved)) -> Vec<u8> {
        let mut detector = LoopDetector::new(LoopDetectorOptions::default()).expect("valid");
        for _ in 0..3 {
            detector.observe(&call()).expect("short");
            detector.observe(&result()).expect("short");
        }
        assert!(matches!(
            detector.verdict(),
            crate::LoopVerdict::Nudge { .. }
        ));
        let mut saved: Saved =
            snapshot::open(format::<LoopDetectorOptions>(), &detector.snapshot()).expect("whole");
        change(&mut saved);
        snapshot::seal(format::<LoopDetectorOptions>(), &saved)
    }

    /// The number of further equal reads until a stop.
    fn reads_until_stop(snapshot: &[u8]) -> usize {
        let mut detector = LoopDetector::restore(snapshot).expect("restored");
        (1..20)
            .find(|_| {
                detector.observe(&call()).expect("short");
                detector.observe(&result()).expect("short").is_stop()
            })
            .expect("a stop")
    }

    fn adaptive<'a>(saved: &'a mut Saved) -> &'a mut SavedRule {
        let mut rules = saved.now.rules.iter_mut();
        rules
            .find(|rule| rule.name == "adaptive")
            .expect("it is on")
    }

    /// Plays looks at a log, some of which repeat, with a snapshot of that kind after each event but a call, whose
    /// arguments a hint quotes when its result comes.
    fn played(snapshot: fn(LoopDetector) -> Vec<u8>) -> (Vec<String>, Vec<u8>) {
        let mut detector = LoopDetector::new(LoopDetectorOptions::default()).expect("valid");
        let mut told = Vec::new();
        let mut bytes = Vec::new();
        for (id, words) in [
            ("p1", "Look at it 4 times: Geheimnis."),
            ("p2", "Geheimnis?"),
        ] {
            detector.start_prompt(crate::Prompt::new(id).user_prompt(words));
            for at in 0..9 {
                let args = Some(serde_json::json!({ "path": "Geheimnis.log", "line": at % 4 / 3 }));
                let (id, name) = (None, "read_file".to_owned());
                let call = AgentEvent::ToolCall {
                    id,
                    name,
                    args,
                    key: None,
                };
                let output = "The password is Geheimnis.".to_owned();
                let (id, is_error, exit_code) = (None, None, None);
                let result = AgentEvent::ToolResult {
                    id,
                    output,
                    is_error,
                    exit_code,
                };
                for event in [AgentEvent::TurnStarted, call, result] {
                    let verdict = detector.observe(&event).expect("short");
                    told.push(verdict.report().map_or(String::new(), |it| it.fact.clone()));
                    if !matches!(event, AgentEvent::ToolCall { .. }) {
                        bytes = snapshot(detector);
                        detector = LoopDetector::restore(&bytes).expect("restored");
                    }
                }
            }
        }
        (told, bytes)
    }

    #[test]
    fn a_snapshot_without_words_gives_the_same_verdicts_and_holds_none() {
        let (expected, whole) = played(|detector| detector.snapshot());
        let (told, bytes) = played(LoopDetector::snapshot_without_words);
        let unquoted = |facts: &[String]| {
            facts
                .iter()
                .map(|it| without_quotes(it))
                .collect::<Vec<_>>()
        };
        assert_eq!(unquoted(&told), unquoted(&expected));
        assert!(told.iter().any(|fact| !fact.is_empty()));
        let holds = |bytes: &[u8]| bytes.windows(9).any(|it| it == b"Geheimnis");
        assert!(holds(&whole) && !holds(&bytes));
    }

    #[test]
    fn a_rule_that_this_build_does_not_know_is_left_out() {
        let more = by_another_build(|saved| {
            let state = vec![1, 2, 3];
            let name = "of_another_build".to_owned();
            saved.now.rules.insert(0, SavedRule { name, state });
        });
        assert_eq!(reads_until_stop(&more), 2);
    }

    #[test]
    fn a_rule_that_another_build_did_not_have_or_saved_in_another_form_starts_afresh() {
        let none = by_another_build(|saved| saved.now.rules.clear());
        assert_eq!(reads_until_stop(&none), 5);
        let other = by_another_build(|saved| adaptive(saved).state = vec![0xff; 9]);
        assert_eq!(reads_until_stop(&other), 5);
    }

    #[test]
    fn a_verdict_of_a_rule_that_this_build_does_not_know_is_over() {
        let stopped = by_another_build(|saved| saved.now.verdict.rename_rule("of_another_build"));
        let detector = LoopDetector::restore(&stopped).expect("restored");
        assert_eq!(detector.verdict(), &crate::LoopVerdict::Ok);
        assert_eq!(reads_until_stop(&stopped), 2);
    }
}
