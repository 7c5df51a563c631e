//! The detector: what it keeps, how a host makes one, starts a prompt, asks it and clears it. What it does
//! with an event is in `observing.rs`, and how a verdict comes of it in `judging.rs`.

use crate::agent::Restart;
use crate::options::PeerOptions;
use crate::report::PeerVerdict;
use crate::state::State;
use turnkeeper_base::error::Error;
use turnkeeper_loop_detector::feedback::Feedback;
use turnkeeper_loop_detector::model_check::{ModelCheck, ModelCheckLimits};
use turnkeeper_loop_detector::preview_models::PreviewModels;
use turnkeeper_loop_detector::progress::Progress;
use turnkeeper_loop_detector::prompt::PromptState;
use turnkeeper_loop_detector::rules::RunUnderWay;
use turnkeeper_loop_detector::spending::Spending;
use turnkeeper_loop_detector::{
    Blind, Counts, ModelCheckRequest, PatternMatcher, Prompt, PromptInfo,
};

/// Watches one conversation as another agent would. See the [crate](crate) for what it promises.
#[derive(Debug, Clone)]
pub struct PeerDetector {
    pub(crate) options: PeerOptions,
    pub(crate) model_check: Option<ModelCheckLimits>,
    pub(crate) preview_models: PreviewModels,
    pub(crate) is_enabled: bool,
    pub(crate) state: State,
    /// What was known when the turn began.
    pub(crate) turn_start: Option<Box<State>>,
    /// The hints that the host has not fetched yet.
    pub(crate) feedback: Feedback,
    /// How many verdicts other than `ok` there were, those that went on not counted.
    pub(crate) told: u64,
    /// Buffers for a native caller's events, kept for the next one.
    pub(crate) encoded: Vec<u8>,
    pub(crate) units: Vec<u16>,
}

impl PeerDetector {
    /// Makes a detector.
    ///
    /// # Errors
    /// `invalid_config`, naming the option that is out of range.
    pub fn new(options: PeerOptions) -> Result<Self, Error> {
        Self::with_patterns_matched_by(PatternMatcher::Core, options)
    }

    /// The same, where the host may match the pattern of `previewModel` itself.
    pub(crate) fn with_patterns_matched_by(
        matcher: PatternMatcher,
        options: PeerOptions,
    ) -> Result<Self, Error> {
        // A native user's struct may hold what JSON may not.
        let options = PeerOptions::from_value(options.to_value())?;
        let agent = options.of_agent();
        let model_check = ModelCheckLimits::of(agent.model_check().as_ref());
        Ok(Self {
            model_check,
            preview_models: PreviewModels::new(agent.preview_model(), matcher)?,
            is_enabled: true,
            state: State {
                prompt: PromptState::default(),
                agent: agent.agent(),
                model_check: ModelCheck::new(model_check.as_ref()),
                spending: Spending::default(),
                progress: Progress::default(),
                verdict: PeerVerdict::Ok,
            },
            options,
            turn_start: None,
            feedback: Feedback::default(),
            told: 0,
            encoded: Vec::new(),
            units: Vec::new(),
        })
    }

    /// Starts a prompt and forgets the one before. With the running prompt's id no count changes; what was
    /// not known of the prompt, its model and the user's words, is taken over.
    pub fn start_prompt(&mut self, prompt: Prompt) {
        let model = prompt.model.unwrap_or_default();
        let is_preview = prompt.is_preview;
        let is_preview = is_preview.unwrap_or_else(|| self.preview_models.include(model));
        if self.state.prompt.id() == Some(prompt.id) {
            let running = &mut self.state.prompt;
            if running.model.is_none() && prompt.model.is_some() {
                running.is_preview = is_preview;
                running.model = prompt.model.map(str::to_owned);
            }
            running.add_user_prompt(prompt.user_prompt.unwrap_or_default());
            return;
        }
        self.state.prompt = self.state.prompt.next(&prompt, is_preview);
        self.state.verdict = PeerVerdict::Ok;
        self.state.spending = Spending::default();
        self.turn_start = None;
        self.restart(Restart::NewPrompt);
        self.state.model_check = ModelCheck::new(self.model_check.as_ref());
    }

    /// The running prompt.
    pub fn prompt(&self) -> PromptInfo<'_> {
        self.state.prompt.info()
    }

    /// The longest run of calls under way: of those that the agent counts, the one that is nearest to
    /// its threshold.
    pub fn counts(&self) -> Counts<'_> {
        let run = self.state.agent.under_way().into_iter();
        self.state.prompt.counts(RunUnderWay::nearest(run))
    }

    /// How much of the last ten calls and their results was new, from 0, nothing, to 1, all of it; 1 before
    /// the first call. Calls are compared as the agent compares them, and results not at all.
    pub fn progress(&self) -> f64 {
        self.state.progress.value()
    }

    /// A request to ask a model, handed out once. It can arise with each `turn_started`; ask
    /// after those. At most one is pending.
    #[must_use]
    pub fn take_model_check(&mut self) -> Option<ModelCheckRequest> {
        if !self.is_watching() {
            return None;
        }
        let limits = self.model_check.as_ref();
        // They ask after turns alone, so there is no doubt to tell of.
        self.state.model_check.take(limits, String::new)
    }

    /// The model's confidence, from 0 to 1, that it is a loop, and its reasoning. `None` for a
    /// failed or malformed answer, which is no loop. An answer to a request that was not taken
    /// changes nothing.
    pub fn answer_model_check(&mut self, answer: Option<(f64, &str)>) -> &PeerVerdict {
        if self.is_watching() {
            let last_call = self.state.prompt.calls.checked_sub(1);
            let limits = self.model_check;
            let asked = &mut self.state.model_check;
            if let Some(detection) = asked.answer(answer, limits.as_ref(), last_call) {
                self.set_verdict(detection, false, false);
            }
        }
        &self.state.verdict
    }

    /// The hints for the model that were not handed out yet, the oldest first: each is the `feedback` of a
    /// nudge or a stop, at whichever event it arose. At most 8 wait, the newest.
    #[must_use]
    pub fn take_feedback(&mut self) -> Vec<String> {
        self.feedback.take()
    }

    /// The verdict on the conversation as it stands.
    pub fn verdict(&self) -> &PeerVerdict {
        &self.state.verdict
    }

    /// What the events of this prompt lack; nothing before its sixth call.
    pub fn blind(&self) -> Blind {
        self.state.prompt.blind()
    }

    /// Lifts a `stop`, so that one recovery turn can proceed, and starts every count and the text state
    /// afresh, but for gemini-cli, which goes on counting. Indexes, offsets, turns and strikes go on.
    pub fn clear(&mut self) {
        self.state.verdict = PeerVerdict::Ok;
        if self.state.agent.clear_keeps_counts() {
            return;
        }
        self.restart(Restart::Cleared);
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

    pub(crate) fn is_latched(&self) -> bool {
        self.state.agent.stop_lasts() && self.state.verdict.is_stop()
    }

    pub(crate) fn is_watching(&self) -> bool {
        self.is_enabled && !self.is_latched()
    }

    fn restart(&mut self, restart: Restart) {
        self.state.progress = Progress::default();
        self.state.agent.restart(restart);
    }
}
