//! The detector: what it keeps per prompt, and how an event becomes what the rules see.

use serde_json::Value;

use super::call::{self, Call, Encoded, KeyOrder, compare, encode_plain, encode_str};
use super::checkpoint::Checkpoint;
use super::event::AgentEvent;
use super::model_check::{ModelCheck, ModelCheckRequest};
use super::options::{
    AfterFiring, CompareResults, LoopDetectorOptions, LoopProfile, PreviewModel, PromptStarts,
};
use super::preview_models::{PatternMatcher, PreviewModels};
use super::progress::{Newest, Progress};
use super::prompt::{Blind, Counts, Newcomer, Prompt, PromptInfo, PromptState};
use super::report::{Channel, LoopVerdict};
use super::rules::{
    Answered, CallSeen, Event, History, RULES, Restart, ResultSeen, Rule, RunUnderWay,
};
use super::settings::{Crossing, Settings};
use super::spending::Spending;
use super::unanswered::Unanswered;
use super::{MACHINE, effective_options, host_report};
use crate::error::{Error, ErrorCode};

/// A buffer that grew beyond this for one event is given back.
const KEPT_UNITS: usize = 64 * 1024;

/// Watches one conversation for loops. See the [module](super) for its promise.
#[derive(Debug, Clone)]
pub struct LoopDetector {
    /// The options as they were given.
    pub(super) user_options: LoopDetectorOptions,
    preview_models: PreviewModels,
    pub(super) settings: Settings,
    pub(super) is_enabled: bool,
    pub(super) prompt: PromptState,
    pub(super) history: History,
    /// The rules that are on, in the order of [`RULES`].
    pub(super) rules: Vec<Box<dyn Rule>>,
    pub(super) unanswered: Unanswered,
    pub(super) model_check: ModelCheck,
    pub(super) spending: Spending,
    pub(super) progress: Progress,
    /// What was known when the turn began.
    pub(super) turn_start: Option<Box<Checkpoint>>,
    pub(super) verdict: LoopVerdict,
    /// The place of the rule whose detection the verdict is; none for the model's opinion.
    pub(super) verdict_rule: Option<usize>,
    /// Whether a rule's stop held after the last event that is no text.
    pub(super) is_held: bool,
    /// How many verdicts other than `ok` there were, those that went on not counted.
    pub(super) told: u64,
    /// Buffers for a native caller's events, kept for the next one.
    encoded: Vec<u8>,
    units: Vec<u16>,
}

impl LoopDetector {
    /// Makes a detector.
    ///
    /// # Errors
    /// `invalid_config`, naming the option that is out of range.
    pub fn new(options: LoopDetectorOptions) -> Result<Self, Error> {
        Self::with_patterns_matched_by(PatternMatcher::Core, options)
    }

    /// The same, where the host may match the pattern of `previewModel` itself.
    pub(crate) fn with_patterns_matched_by(
        matcher: PatternMatcher,
        mut user_options: LoopDetectorOptions,
    ) -> Result<Self, Error> {
        let options = effective_options::effective_options(&user_options)?;
        // A snapshot names its profile, so that it is restored with the same rules whatever the default
        // is by then.
        user_options.profile = options.profile;
        let preview_models = PreviewModels::new(options.preview_model.as_ref(), matcher)?;
        let rules: Vec<Box<dyn Rule>> = RULES
            .iter()
            .filter_map(|entry| (entry.make)(&options))
            .collect();
        let mut history = History::new(&options);
        for rule in &rules {
            rule.follow(&mut history);
        }
        let settings = Settings::new(&options, &rules, &history);
        let model_check = ModelCheck::new(settings.model_check.as_ref());
        Ok(Self {
            user_options,
            preview_models,
            settings,
            is_enabled: true,
            prompt: PromptState::default(),
            history,
            rules,
            unanswered: Unanswered::default(),
            model_check,
            spending: Spending::default(),
            progress: Progress::default(),
            turn_start: None,
            verdict: LoopVerdict::Ok,
            verdict_rule: None,
            is_held: false,
            told: 0,
            encoded: Vec::new(),
            units: Vec::new(),
        })
    }

    /// Which models are watched more strictly, as the host has set it.
    #[cfg_attr(not(target_family = "wasm"), allow(dead_code))]
    pub(crate) fn preview_model_option(&self) -> Option<&PreviewModel> {
        self.user_options.preview_model.as_ref()
    }

    /// What has to be sent for the rules there are.
    #[cfg_attr(not(target_family = "wasm"), allow(dead_code))]
    pub(crate) fn crossing(&self) -> Crossing {
        self.settings.crossing()
    }

    /// Starts a prompt and forgets the one before. With the running prompt's id, and with a new one
    /// that continues it ([`PromptStarts::User`]), no count changes; what was not known of the prompt,
    /// its model and the user's words, is taken over, but for the profile `standard`.
    ///
    /// After a stop the model is not at work: the next id begins a new prompt.
    pub fn start_prompt(&mut self, prompt: Prompt) {
        if self.prompt.id() == Some(prompt.id) || self.is_continued_by(&prompt) {
            self.continue_prompt(&prompt);
            return;
        }
        self.begin_prompt(&prompt);
    }

    fn begin_prompt(&mut self, prompt: &Prompt) {
        let model = prompt.model.unwrap_or_default();
        let is_preview = prompt.is_preview;
        let is_preview = is_preview.unwrap_or_else(|| self.preview_models.include(model));
        self.prompt = PromptState::new(prompt, is_preview);
        self.verdict = LoopVerdict::Ok;
        self.verdict_rule = None;
        self.unanswered.clear();
        self.spending = Spending::default();
        self.turn_start = None;
        self.restart(Restart::NewPrompt);
        self.model_check = ModelCheck::new(self.settings.model_check.as_ref());
    }

    /// The user's message ends the model's work. If it is the first thing under a new id, that is the
    /// id of a new prompt.
    fn user_speaks(&mut self) {
        let newcomer = self.prompt.newcomer.take();
        self.prompt.model_rests();
        if let (Some(newcomer), Some(id)) = (newcomer, self.prompt.id()) {
            let id = id.to_owned();
            let mut prompt = Prompt::new(&id);
            prompt.model = newcomer.model.as_deref();
            prompt.is_preview = newcomer.is_preview;
            self.begin_prompt(&prompt);
        }
    }

    fn is_continued_by(&self, prompt: &Prompt) -> bool {
        self.settings.prompt_starts == PromptStarts::User
            && self.prompt.is_at_work
            && !self.verdict.is_stop()
            && prompt.user_prompt.is_none()
    }

    fn continue_prompt(&mut self, prompt: &Prompt) {
        let is_running = self.prompt.id() == Some(prompt.id);
        if is_running && self.settings.profile == LoopProfile::Standard {
            return;
        }
        if !is_running {
            self.prompt.newcomer = Some(Newcomer {
                model: prompt.model.map(str::to_owned),
                is_preview: prompt.is_preview,
            });
            self.prompt.add_id(prompt.id);
        }
        if let (None, Some(model)) = (&self.prompt.model, prompt.model) {
            let is_preview = prompt.is_preview;
            self.prompt.is_preview =
                is_preview.unwrap_or_else(|| self.preview_models.include(model));
            self.prompt.model = Some(model.to_owned());
        }
        self.prompt
            .add_user_prompt(prompt.user_prompt.unwrap_or_default());
    }

    /// The running prompt.
    pub fn prompt(&self) -> PromptInfo<'_> {
        let prompt = &self.prompt;
        PromptInfo {
            id: prompt.id(),
            ids: &prompt.ids,
            model: prompt.model.as_deref(),
            is_preview: prompt.is_preview,
            calls: prompt.calls,
        }
    }

    /// The longest run of calls under way: of those that the rules count, the one that is nearest to
    /// its threshold.
    pub fn counts(&self) -> Counts<'_> {
        let runs = self.rules.iter();
        let runs = runs.filter_map(|rule| rule.under_way(&self.history));
        let nearest = RunUnderWay::nearest(runs);
        let tool = self.prompt.last_tool.as_str();
        Counts {
            tool: (self.prompt.calls > 0).then_some(tool),
            run: nearest.map_or(0, |run| run.count),
            threshold: nearest.map_or(0, |run| run.threshold),
        }
    }

    /// How much of the recent calls and answers was new, from 0, nothing, to 1, all of it: for a meter. It is about
    /// the last ten calls of the prompt, and 1 before the first. One half of a call's share is whether
    /// the call is new, and the other whether its answer is: neither came among the 32 before it. An
    /// answer of an edit that was made and is new counts as new, for it has changed a file; a call
    /// without an answer counts alone. `adaptive` leaves out what changes by itself, such as times and
    /// ids, and the names in an error; other profiles compare as their rules do, and those that read no
    /// results know calls alone. A new prompt and [`clear`](Self::clear) begin anew. It changes no
    /// verdict.
    pub fn progress(&self) -> f64 {
        self.progress.value()
    }

    /// What the rules compare the newest call and its answer by.
    fn newest(&self) -> Newest {
        let newest = self.rules.iter().find_map(|rule| rule.newest());
        newest.unwrap_or_default()
    }

    /// Takes the next event and answers with the verdict. O(1) for each UTF-16 code unit of text
    /// and each byte of arguments and results.
    ///
    /// # Errors
    /// `limit_exceeded` for a call with a text of 4 GiB or more; nothing is counted then.
    pub fn observe(&mut self, event: &AgentEvent) -> Result<&LoopVerdict, Error> {
        let mut encoded = std::mem::take(&mut self.encoded);
        let seen = match event {
            AgentEvent::Text { text } => {
                self.observe_str(Channel::Text, text);
                Some(())
            }
            AgentEvent::Reasoning { text } => {
                self.observe_str(Channel::Reasoning, text);
                Some(())
            }
            AgentEvent::ToolCall { id, name, args } => {
                call::encode(name, args.as_ref(), &mut encoded).map(|()| {
                    let length = encoded.len();
                    encode_str(id.as_deref().unwrap_or_default(), &mut encoded);
                    if let Some(Value::String(spelling)) = args
                        && compare::needs_spelling(self.settings.compare_arguments)
                    {
                        encode_str(spelling, &mut encoded);
                    }
                    let (call, rest) = encoded.split_at(length);
                    self.observe_encoded_call(call, KeyOrder::AsGiven, rest);
                })
            }
            AgentEvent::ToolResult {
                id,
                output,
                is_error,
                exit_code,
            } => {
                encoded.clear();
                encode_str(id.as_deref().unwrap_or_default(), &mut encoded);
                encode_str(output, &mut encoded);
                encode_plain(&(*is_error == Some(true)).into(), &mut encoded);
                if let Some(exit_code) = exit_code {
                    encode_plain(&(*exit_code).into(), &mut encoded);
                }
                self.observe_encoded_result(&encoded);
                Some(())
            }
            AgentEvent::TurnStarted => {
                self.observe_turn();
                Some(())
            }
            AgentEvent::UserMessage => {
                self.observe_other(Event::UserMessage);
                Some(())
            }
            AgentEvent::Condensation => {
                self.observe_other(Event::Condensation);
                Some(())
            }
            AgentEvent::Retry => {
                self.observe_retry();
                Some(())
            }
            AgentEvent::LoopReported { by, detail } => {
                self.observe_loop_report(by.as_deref(), detail.as_deref());
                Some(())
            }
            AgentEvent::Finished => {
                self.observe_other(Event::Finished);
                Some(())
            }
            AgentEvent::Other => {
                self.observe_other(Event::Other);
                Some(())
            }
        };
        self.encoded = encoded;
        match seen {
            Some(()) => Ok(&self.verdict),
            None => Err(Error::new(
                ErrorCode::LimitExceeded,
                MACHINE,
                "holds a text of 4 GiB or more",
            )
            .at("event")),
        }
    }

    /// A delta of prose or reasoning. What follows the unit that stops the model is not looked at, nor
    /// counted, unless the stop may end by itself ([`AfterFiring::Stateless`]).
    pub fn observe_str(&mut self, channel: Channel, delta: &str) -> &LoopVerdict {
        let mut units = std::mem::take(&mut self.units);
        units.clear();
        units.extend(delta.encode_utf16());
        self.observe_text(channel, &units);
        units.shrink_to(KEPT_UNITS);
        self.units = units;
        &self.verdict
    }

    /// The same as UTF-16 code units, which may begin or end inside a surrogate pair.
    pub fn observe_text(&mut self, channel: Channel, delta: &[u16]) -> &LoopVerdict {
        if self.is_watching() {
            self.spending.add(delta.len());
            if channel == Channel::Text && !delta.is_empty() {
                self.prompt.model_rests();
            }
            let told = self.told;
            self.judge(&Event::Text { channel, delta });
            if self.told != told && self.verdict.is_stop() {
                // What follows the stop in this delta does not count, wherever the text is cut.
                self.spending = Spending::default();
            }
        }
        &self.verdict
    }

    /// A tool call in the encoding of [`call`], and after it its id, a string that may be empty, and
    /// the spelling of arguments that are a string, if that is needed. Anything else changes nothing.
    pub(crate) fn observe_encoded_call(
        &mut self,
        encoded: &[u8],
        key_order: KeyOrder,
        rest: &[u8],
    ) -> &LoopVerdict {
        if let Some(call) = Call::decode(encoded, key_order)
            && !self.is_latched()
        {
            self.take_call(&call, Encoded(rest));
        }
        &self.verdict
    }

    fn take_call(&mut self, call: &Call, rest: Encoded) {
        let index = self.prompt.calls;
        self.prompt.calls += 1;
        self.prompt.saw_arguments |= call.has_arguments();
        self.prompt.model_works();
        self.spending.add_call(call.encoded_length());
        if !call.name().is(&self.prompt.last_tool) {
            self.prompt.last_tool = call.tool();
        }
        if !self.is_enabled {
            return;
        }
        if self.settings.skip_scrolling && compare::scrolls(call) {
            return self.judge(&Event::Other);
        }
        let (id, spelling) = rest.split();
        let key = self.key_of(call, spelling);
        if self.settings.needs.results {
            let tool = call.tool_fingerprint();
            self.unanswered.add(id, Answered { key, index, tool });
        }
        self.judge(&Event::Call(CallSeen {
            call,
            key,
            index,
            is_preview: self.prompt.is_preview,
        }));
        let key = self.newest().call.unwrap_or(key);
        self.progress.call(index, key);
    }

    /// What a call is compared by, without what the host calls cosmetic.
    fn key_of(&self, call: &Call, spelling: Encoded) -> u64 {
        let compare = self.settings.compare_arguments;
        let without = self.settings.cosmetic_arguments.without(call);
        let less = without.as_deref();
        match less.and_then(|bytes| Call::decode(bytes, call.key_order())) {
            Some(less) => compare::of_call(&less, compare, Encoded(&[])),
            None => compare::of_call(call, compare, spelling),
        }
    }

    /// A tool answered: the id of the call that it answers and the output, two strings of which the
    /// first may be empty, whether it is an error, true or false, and a command's exit code, if there
    /// is one. Nothing at all if no rule looks at results.
    pub(crate) fn observe_encoded_result(&mut self, encoded: &[u8]) -> &LoopVerdict {
        if self.is_latched() {
            return &self.verdict;
        }
        self.prompt.saw_results = true;
        self.prompt.model_works();
        if !self.is_enabled {
            return &self.verdict;
        }
        let (id, rest) = Encoded(encoded).split();
        let (output, rest) = rest.split();
        self.spending.add(output.units().len());
        let (is_error, exit_code) = rest.split();
        let answered = self.unanswered.take(id);
        let call = answered.unwrap_or_default();
        let mut compared = exit_code;
        if !self.settings.command_tools.contains(&call.tool) {
            compared = Encoded(&[]);
        }
        let key = compare::of_result(output, call, compared, self.settings.compare_results);
        self.judge(&Event::Result(ResultSeen {
            key,
            output,
            is_error: is_error.0 == b"t",
            exit_code,
            answered,
        }));
        if let Some(answered) = answered {
            self.count_answer(answered.index, key);
        }
        &self.verdict
    }

    /// Counts an answer as progress or not, as far as anything compares answers.
    fn count_answer(&mut self, index: u64, key: u64) {
        let Newest {
            answer,
            changed_file,
            ..
        } = self.newest();
        let compares = self.settings.compare_results != CompareResults::None;
        if let Some(key) = answer.or(compares.then_some(key)) {
            self.progress.answer(index, key, changed_file);
        }
    }

    /// A turn began.
    pub(crate) fn observe_turn(&mut self) -> &LoopVerdict {
        if self.is_watching() {
            self.model_check
                .turn_started(self.settings.model_check.as_ref());
            self.judge(&Event::TurnStarted);
            self.begin_turn();
        }
        &self.verdict
    }

    /// The last turn is tried again. What it counted, from its `turn_started` on, is taken back; a
    /// second retry with no turn between goes back to the same place, and one before the first turn
    /// changes nothing.
    pub(crate) fn observe_retry(&mut self) -> &LoopVerdict {
        if self.is_watching() {
            self.take_turn_back();
        }
        &self.verdict
    }

    /// The host's own detector has found a loop: a stop.
    pub(crate) fn observe_loop_report(
        &mut self,
        by: Option<&str>,
        detail: Option<&str>,
    ) -> &LoopVerdict {
        if self.is_watching() {
            let last_call = self.prompt.calls.checked_sub(1);
            let detection = host_report::detection(by, detail, last_call);
            self.set_verdict(detection, None, false);
        }
        &self.verdict
    }

    /// What is neither text nor a call nor a result nor the beginning of a turn.
    pub(crate) fn observe_other(&mut self, event: Event) -> &LoopVerdict {
        if self.is_watching() {
            if matches!(event, Event::UserMessage) {
                self.user_speaks();
                if self.settings.needs.user_message_ends_calls {
                    self.unanswered.clear();
                }
            }
            self.judge(&event);
        }
        &self.verdict
    }

    /// A request to ask a model, handed out once. It can arise with each `turn_started`; ask
    /// after those. At most one is pending: a newer one takes the place of one that was not taken,
    /// and a new prompt drops it.
    #[must_use]
    pub fn take_model_check(&mut self) -> Option<ModelCheckRequest> {
        if !self.is_watching() {
            return None;
        }
        self.model_check.take(self.settings.model_check.as_ref())
    }

    /// The model's confidence, from 0 to 1, that it is a loop, and its reasoning. `None` for a
    /// failed or malformed answer, which is no loop. An answer to a request that was not taken
    /// changes nothing.
    pub fn answer_model_check(&mut self, answer: Option<(f64, &str)>) -> &LoopVerdict {
        if self.is_watching() {
            let last_call = self.prompt.calls.checked_sub(1);
            let limits = self.settings.model_check;
            let found = self.model_check.answer(answer, limits.as_ref(), last_call);
            if let Some(detection) = found {
                self.set_verdict(detection, None, false);
            }
        }
        &self.verdict
    }

    /// The verdict on the conversation as it stands.
    pub fn verdict(&self) -> &LoopVerdict {
        &self.verdict
    }

    /// Grows with each verdict other than `ok`, unless that is the one before, which goes on.
    #[cfg_attr(not(target_family = "wasm"), allow(dead_code))]
    pub(crate) fn told(&self) -> u64 {
        self.told
    }

    /// What the events of this prompt lack; nothing before its sixth call.
    pub fn blind(&self) -> Blind {
        self.prompt.blind()
    }

    /// Lifts a `stop`, so that one recovery turn can proceed, and starts every count and the text
    /// state afresh, unless `clearKeepsCounts` is set. Indexes, offsets, turns and strikes go on: the
    /// next detection of this prompt has a strike more.
    pub fn clear(&mut self) {
        self.clear_verdict();
        if self.settings.clear_keeps_counts {
            return;
        }
        self.restart(Restart::Cleared);
        self.unanswered.clear();
        self.model_check.restart(self.settings.model_check.as_ref());
        self.clear_turn_start();
    }

    /// Stops watching, across prompts, until [`enable`](Self::enable): every verdict is `ok`, and
    /// a `stop` is lifted as by [`clear`](Self::clear).
    pub fn disable(&mut self) {
        self.clear();
        self.is_enabled = false;
    }

    /// Watches again, with fresh counts.
    pub fn enable(&mut self) {
        self.is_enabled = true;
    }

    fn is_latched(&self) -> bool {
        self.settings.after_firing == AfterFiring::Latched && self.verdict.is_stop()
    }

    fn is_watching(&self) -> bool {
        self.is_enabled && !self.is_latched()
    }

    fn restart(&mut self, restart: Restart) {
        self.is_held = false;
        self.progress = Progress::default();
        self.history.restart(restart);
        for rule in &mut self.rules {
            rule.restart(restart);
        }
    }
}
