//! The detector: what it keeps, how a host makes one, asks it and clears it. What it does with a prompt is in
//! `prompt_starts.rs`, with an event in `observing.rs`, and how a verdict comes of it in `judging.rs`.

use super::detecting::{DetectorOptions, DetectorSettings, Prompts, Rules, Setup};
use super::feedback::Feedback;
use super::model_check::{ModelCheckLimits, ModelCheckRequest};
use super::options::PreviewModel;
use super::preview_models::{PatternMatcher, PreviewModels};
use super::progress::Progress;
use super::prompt::{Blind, Counts, PromptInfo};
use super::report::LoopVerdict;
use super::rules::{Restart, RunUnderWay};
use super::state::DetectorState;
use turnkeeper_base::error::Error;

/// Watches one conversation for loops. See the [crate](crate) for its promise.
#[derive(Debug)]
pub struct Detector<O: DetectorOptions> {
    /// The options as they were given.
    pub(super) options: O,
    pub(super) profile: O::Profile,
    pub(super) prompts: Prompts,
    pub(super) preview_models: PreviewModels,
    pub(super) model_check: Option<ModelCheckLimits>,
    /// Whether the rules have to be given results.
    pub(super) reads_results: bool,
    pub(super) is_enabled: bool,
    pub(super) state: DetectorState<O>,
    /// The state with which the turn began.
    pub(super) turn_start: Option<Box<DetectorState<O>>>,
    /// That of the prompt before, in whose room the next turn begins.
    pub(super) room: Option<Box<DetectorState<O>>>,
    /// The number of verdicts other than `ok` so far.
    pub(super) told: u64,
    /// The hints that the host has not fetched yet.
    pub(super) feedback: Feedback,
    /// Buffers for a native caller's events, kept for the next one.
    pub(super) encoded: Vec<u8>,
    pub(super) units: Vec<u16>,
}

impl<O: DetectorOptions> Detector<O> {
    /// Makes a detector.
    ///
    /// # Errors
    /// `invalid_config`, naming the option that is out of range.
    pub fn new(options: O) -> Result<Self, Error> {
        Self::with_patterns_matched_by(PatternMatcher::CORE, options)
    }

    /// The same, where the host may match the pattern of `previewModel` itself.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn with_patterns_matched_by(
        matcher: PatternMatcher,
        mut options: O,
    ) -> Result<Self, Error> {
        let Setup {
            profile,
            model_check,
            prompts,
            rules,
        } = options.set_up()?;
        let preview_models = PreviewModels::new(options.preview_model(), matcher)?;
        let model_check = ModelCheckLimits::of(model_check.as_ref());
        Ok(Self {
            options,
            profile,
            prompts,
            preview_models,
            model_check,
            reads_results: rules.reads_results(),
            is_enabled: true,
            state: DetectorState::new(rules, model_check.as_ref()),
            turn_start: None,
            room: None,
            told: 0,
            feedback: Feedback::default(),
            encoded: Vec::new(),
            units: Vec::new(),
        })
    }

    /// The options, as far as the host has set them, and the profile.
    pub fn options(&self) -> &O {
        &self.options
    }

    /// The rules, as they stand.
    pub fn rules(&self) -> &dyn Rules<O::Rule, O::Profile> {
        &*self.state.rules
    }

    /// The settings that JavaScript has to know.
    pub fn settings(&self) -> DetectorSettings<'_> {
        let (pattern, rules) = (self.options.preview_model(), self.rules());
        DetectorSettings {
            preview_pattern: pattern.filter(|it| matches!(it, PreviewModel::Pattern { .. })),
            needs_results: rules.reads_results(),
            needs_spelling: rules.needs_spelling(),
            needs_key_order: rules.needs_key_order(),
            stop_may_end: !rules.stop_lasts(),
        }
    }

    /// The running prompt.
    pub fn prompt(&self) -> PromptInfo<'_> {
        self.state.prompt.info()
    }

    /// The longest run of calls under way: of those that the rules count, the one that is nearest to
    /// its threshold.
    pub fn counts(&self) -> Counts<'_> {
        let run = self.state.rules.under_way().into_iter();
        self.state.prompt.counts(RunUnderWay::nearest(run))
    }

    /// The share of the recent calls and answers that was new, from 0, nothing, to 1, all of it: for a meter. It is about
    /// the last ten calls of the prompt, and 1 before the first. One half of a call's share is whether
    /// the call is new, and the other whether its answer is: neither came among the 32 before it. An
    /// answer of an edit that was made and is new counts as new, for it has changed a file; a call
    /// without an answer counts alone. `adaptive` leaves out what changes by itself, such as times and
    /// ids, and the names in an error; `standard` reads no results and knows calls alone. A new prompt and [`clear`](Self::clear) begin anew. It changes no
    /// verdict.
    pub fn progress(&self) -> f64 {
        self.state.progress.value()
    }

    /// A request to ask a model, handed out once. It can arise with each `turn_started` and, in doubt, with each
    /// result; ask after those. At most one is pending: a newer one takes the place of one that was not taken,
    /// and a new prompt drops it.
    #[must_use]
    pub fn take_model_check(&mut self) -> Option<ModelCheckRequest> {
        if !self.is_watching() {
            return None;
        }
        let DetectorState {
            model_check,
            progress,
            prompt,
            ..
        } = &mut self.state;
        model_check.take(self.model_check.as_ref(), || {
            progress.fact(&prompt.last_tool)
        })
    }

    /// The model's confidence, from 0 to 1, that it is a loop, and its reasoning. `None` for a
    /// failed or malformed answer, which is no loop. An answer to a request that was not taken
    /// changes nothing.
    pub fn answer_model_check(
        &mut self,
        answer: Option<(f64, &str)>,
    ) -> &LoopVerdict<O::Rule, O::Profile> {
        if self.is_watching() {
            let last_call = self.state.prompt.calls.checked_sub(1);
            let limits = self.model_check;
            let found = self
                .state
                .model_check
                .answer(answer, limits.as_ref(), last_call);
            if let Some(detection) = found {
                self.set_verdict(detection, false, false);
            }
        }
        &self.state.verdict
    }

    /// The hints for the model that were not handed out yet, the oldest first: each is the `feedback` of a
    /// nudge or a stop, at whichever event it arose. Put them into the history before the next request. At
    /// most 8 wait, the newest. A new prompt, [`clear`](Self::clear) and a retry leave them, because the model
    /// has not got them; [`disable`](Self::disable) drops them.
    #[must_use]
    pub fn take_feedback(&mut self) -> Vec<String> {
        self.feedback.take()
    }

    /// The verdict on the conversation as it stands.
    pub fn verdict(&self) -> &LoopVerdict<O::Rule, O::Profile> {
        &self.state.verdict
    }

    /// The number of verdicts other than `ok` so far; a stop that lasts is one.
    pub fn told(&self) -> u64 {
        self.told
    }

    /// Everything that the events lack, as far as that is clear.
    pub fn blind(&self) -> Blind {
        let DetectorState {
            prompt,
            conversation,
            ..
        } = &self.state;
        let of_prompt = prompt.blind();
        Blind {
            calls: prompt.calls == 0 && conversation.lacks_calls(),
            prompts: of_prompt.prompts || conversation.lacks_prompts(),
            ..of_prompt
        }
    }

    /// Lifts a `stop`, so that one recovery turn can proceed, and starts every count and the text
    /// state afresh. Indexes, offsets, turns and strikes go on: the
    /// next detection of this prompt has a strike more.
    pub fn clear(&mut self) {
        self.state.verdict = LoopVerdict::Ok;
        if self.state.rules.clear_keeps_counts() {
            return;
        }
        self.restart(Restart::Cleared);
        self.state.unanswered.clear();
        self.state.model_check.restart(self.model_check.as_ref());
        self.clear_turn_start();
    }

    /// Stops watching, across prompts, until [`enable`](Self::enable): every verdict is `ok`, and
    /// a `stop` is lifted as by [`clear`](Self::clear). Hints that wait are dropped.
    pub fn disable(&mut self) {
        self.clear();
        self.feedback = Feedback::default();
        self.is_enabled = false;
    }

    /// Watches again, with fresh counts.
    pub fn enable(&mut self) {
        self.is_enabled = true;
    }

    pub(super) fn is_latched(&self) -> bool {
        self.state.rules.stop_lasts() && self.state.verdict.is_stop()
    }

    pub(super) fn is_watching(&self) -> bool {
        self.is_enabled && !self.is_latched()
    }

    pub(super) fn restart(&mut self, restart: Restart) {
        self.state.progress = Progress::default();
        self.state.rules.restart(restart);
    }
}
