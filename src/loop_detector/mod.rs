//! Is the agent stuck, and what should the host say and do?
//!
//! A [`LoopDetector`] watches the events of one conversation and answers each with a verdict. It
//! calls no model, no timer and no logger. Its promise:
//!
//! - the same events give the same verdict at the same place, however a stream was cut, but for the
//!   rule of gemini-cli over prose, which its profile and that of its descendant keep;
//! - after a `stop` every further event gets the same verdict, until a new prompt or
//!   [`clear`](LoopDetector::clear), unless [`AfterFiring`] says otherwise;
//! - memory and the cost of an event do not grow with the conversation.
//!
//! A profile is a list of configured `rules`, and every value of it is a setting of
//! [`LoopDetectorOptions`].
//!
//! A host calls [`start_prompt`](LoopDetector::start_prompt) for each prompt of the user,
//! [`observe`](LoopDetector::observe) for each event, and, if it has a model to ask,
//! [`take_model_check`](LoopDetector::take_model_check) after each `turn_started`.
//!
//! ```
//! use serde_json::json;
//! use turnkeeper_core::{AgentEvent, LoopDetector, LoopDetectorOptions, Prompt};
//!
//! let mut detector = LoopDetector::new(LoopDetectorOptions::default())?;
//! detector.start_prompt(Prompt::new("prompt-1").model("gemini-3-pro-preview"));
//! for (path, stops) in [("a.ts", false), ("b.ts", false), ("c.ts", false), ("d.ts", true)] {
//!     let call = AgentEvent::ToolCall {
//!         id: None,
//!         name: "read_file".to_owned(),
//!         args: Some(json!({ "path": path })),
//!     };
//!     let verdict = detector.observe(&call)?;
//!     assert_eq!(verdict.is_stop(), stops);
//! }
//! # Ok::<(), turnkeeper_core::Error>(())
//! ```

mod key;
mod messages;
mod model_check;
mod options;
mod profiles;
mod rules;
mod setting_list;
mod settings;
mod snapshot;
mod unanswered;
mod verdict;

pub use self::messages::MessageTexts;
pub use self::model_check::{AnswerSchema, ModelCheckRequest};
pub use self::options::{
    AfterFiring, CompareArguments, CompareResults, LoopDetectorOptions, LoopProfile,
    ModelCheckOptions, ModelCheckSetting, PreviewModel,
};
pub use self::verdict::{Channel, LoopReport, LoopType, LoopVerdict};

use self::model_check::ModelCheck;
pub(crate) use self::rules::Event;
use self::rules::{Answered, CallSeen, Found, ResultSeen, Rule};
use self::settings::Settings;
use self::unanswered::Unanswered;
use crate::call::{self, Call, Encoded, encode_plain, encode_str};
use crate::error::{Error, ErrorCode};
use crate::event::AgentEvent;
use crate::setting::Setting;
use turnkeeper_kernels::push_units_of;

pub(crate) const MACHINE: &str = "loop_detector";

/// From this call of a prompt on it is clear what a stream does not carry.
const CALLS_BEFORE_BLIND: u64 = 6;
/// So much of a user's prompt is kept, in UTF-16 code units, to know what was asked for.
const USER_PROMPT_UNITS: usize = 8_192;

/// What the user asked, and of whom.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Prompt<'a> {
    id: &'a str,
    model: Option<&'a str>,
    is_preview: Option<bool>,
    user_prompt: Option<&'a str>,
}

impl<'a> Prompt<'a> {
    /// A prompt; only a new id starts a new one.
    pub fn new(id: &'a str) -> Self {
        Self {
            id,
            model: None,
            is_preview: None,
            user_prompt: None,
        }
    }

    /// The model that answers it.
    pub fn model(mut self, model: &'a str) -> Self {
        self.model = Some(model);
        self
    }

    /// Whether the model is watched as a preview model, for hosts that know better than
    /// [`LoopDetectorOptions::preview_model`] can tell.
    pub fn is_preview(mut self, is_preview: bool) -> Self {
        self.is_preview = Some(is_preview);
        self
    }

    /// The user's words. A passage that they hold may be repeated: it was asked for.
    pub fn user_prompt(mut self, text: &'a str) -> Self {
        self.user_prompt = Some(text);
        self
    }
}

/// What a stream does not carry, so that rules which need it stay silent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Blind {
    /// No call had arguments.
    pub arguments: bool,
    /// No result came.
    pub results: bool,
}

/// What crosses to the detector from JavaScript, as far as that depends on the settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(not(target_family = "wasm"), allow(dead_code))]
pub(crate) struct Crossing {
    /// The order of the arguments' keys.
    pub(crate) order: bool,
    /// The same, but for those that Roo Code sorts.
    pub(crate) inner_order: bool,
    /// Arguments that are a string, as they are.
    pub(crate) spelling: bool,
    /// Results, ids, and what happens between calls.
    pub(crate) results: bool,
    /// Every event, for a `stop` may end with any.
    pub(crate) unlatched: bool,
}

/// Watches one conversation for loops. See the [module](self) for its promise.
#[derive(Debug, Clone)]
pub struct LoopDetector {
    /// The options as they were given.
    own: Setting,
    settings: Settings,
    enabled: bool,
    prompt: PromptState,
    rules: Vec<Rule>,
    unanswered: Unanswered,
    model_check: ModelCheck,
    verdict: LoopVerdict,
    /// How many verdicts but `ok` there were, those that went on not counted.
    said: u64,
    encoded: Vec<u8>,
    /// The beginning of a delta that is looked at as a whole.
    delta: Vec<u16>,
}

/// What is counted per prompt and survives `clear`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct PromptState {
    id: Option<String>,
    is_preview: bool,
    user_prompt: Vec<u16>,
    calls: u64,
    saw_arguments: bool,
    saw_results: bool,
    strikes: u64,
}

impl LoopDetector {
    /// Makes a detector.
    ///
    /// # Errors
    /// `invalid_config`, naming the option that is out of range.
    pub fn new(mut options: LoopDetectorOptions) -> Result<Self, Error> {
        Self::with(options.write())
    }

    /// The same, of options as a host hands them over.
    pub(crate) fn with(own: Setting) -> Result<Self, Error> {
        let (settings, rules) = Settings::new(&own)?;
        let model_check = ModelCheck::new(settings.model_check.as_ref());
        Ok(Self {
            own,
            settings,
            enabled: true,
            prompt: PromptState::default(),
            rules,
            unanswered: Unanswered::default(),
            model_check,
            verdict: LoopVerdict::Ok,
            said: 0,
            encoded: Vec::new(),
            delta: Vec::new(),
        })
    }

    /// The regular expression by which a host tells preview models, if it has given one.
    #[cfg_attr(not(target_family = "wasm"), allow(dead_code))]
    pub(crate) fn preview_pattern(&self) -> Option<[&str; 2]> {
        match self.own.field("previewModel") {
            Some(Setting::Pattern { source, flags }) => Some([source, flags]),
            _ => None,
        }
    }

    /// What has to be sent for the rules there are.
    #[cfg_attr(not(target_family = "wasm"), allow(dead_code))]
    pub(crate) fn crossing(&self) -> Crossing {
        use CompareArguments::{Ordered, Params, Raw, SortedOrText};
        let Settings {
            arguments,
            needs_results,
            after_firing,
            ..
        } = self.settings;
        Crossing {
            order: matches!(arguments, Ordered | Raw),
            inner_order: arguments == Params,
            spelling: matches!(arguments, SortedOrText | Raw),
            results: needs_results,
            unlatched: after_firing != AfterFiring::Latched,
        }
    }

    /// Starts a prompt and forgets the one before. With the running prompt's id nothing changes,
    /// neither the counts nor the model.
    pub fn start_prompt(&mut self, prompt: Prompt) {
        if self.prompt.id.as_deref() == Some(prompt.id) {
            return;
        }
        let model = prompt.model.unwrap_or_default();
        let is_preview = match (prompt.is_preview, self.own.field("previewModel")) {
            (Some(is_preview), _) => is_preview,
            (None, Some(Setting::Text(part))) => options::contains(model, part),
            (None, Some(_)) => false,
            (None, None) => options::contains(model, "preview"),
        };
        self.prompt = PromptState {
            id: Some(prompt.id.to_owned()),
            is_preview,
            ..PromptState::default()
        };
        let user_prompt = prompt.user_prompt.unwrap_or_default();
        push_units_of(user_prompt, USER_PROMPT_UNITS, &mut self.prompt.user_prompt);
        self.verdict = LoopVerdict::Ok;
        self.unanswered.clear();
        for rule in &mut self.rules {
            rule.restart(true);
        }
        self.model_check = ModelCheck::new(self.settings.model_check.as_ref());
    }

    /// Takes the next event and answers with the verdict. O(1) for each UTF-16 code unit of text
    /// and each byte of arguments and results.
    ///
    /// # Errors
    /// `limit_exceeded` if a call's arguments are nested more than 127 deep; nothing is counted
    /// then.
    pub fn observe(&mut self, event: &AgentEvent) -> Result<&LoopVerdict, Error> {
        let mut encoded = std::mem::take(&mut self.encoded);
        let seen = match event {
            AgentEvent::Text { text } => {
                let units: Vec<u16> = text.encode_utf16().collect();
                self.observe_text(Channel::Text, &units);
                Some(())
            }
            AgentEvent::Reasoning { text } => {
                let units: Vec<u16> = text.encode_utf16().collect();
                self.observe_text(Channel::Reasoning, &units);
                Some(())
            }
            AgentEvent::ToolCall { id, name, args } => {
                call::encode(name, args.as_ref(), &mut encoded).map(|()| {
                    let length = encoded.len();
                    encode_str(id.as_deref().unwrap_or_default(), &mut encoded);
                    if let Some(args) = args {
                        encode_str(&key::more_of(args, self.settings.arguments), &mut encoded);
                    }
                    let (call, rest) = encoded.split_at(length);
                    self.observe_encoded_call(call, rest);
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
                format!("is nested more than {} deep", call::MAX_ARGUMENT_DEPTH),
            )
            .at("event.args")),
        }
    }

    /// A delta of prose or reasoning as UTF-16 code units, which may begin or end inside a
    /// surrogate pair. What follows the unit that fires is not looked at, nor counted.
    pub fn observe_text(&mut self, channel: Channel, delta: &[u16]) -> &LoopVerdict {
        self.observe_text_part(channel, delta, false)
    }

    /// The same; with `goes_on`, the next part belongs to the same delta.
    pub(crate) fn observe_text_part(
        &mut self,
        channel: Channel,
        part: &[u16],
        goes_on: bool,
    ) -> &LoopVerdict {
        if !self.is_watching() {
            return &self.verdict;
        }
        let user_prompt = std::mem::take(&mut self.prompt.user_prompt);
        let text = |delta| Event::Text {
            channel,
            delta,
            user_prompt: &user_prompt,
        };
        if !self.settings.needs_whole_deltas || (!goes_on && self.delta.is_empty()) {
            self.take(&text(part));
        } else {
            self.delta.extend_from_slice(part);
            if !goes_on {
                let delta = std::mem::take(&mut self.delta);
                self.take(&text(&delta));
            }
        }
        self.prompt.user_prompt = user_prompt;
        &self.verdict
    }

    /// A tool call in the encoding of [`crate::call`], and behind it two strings, either of which may
    /// be left out: its id, and what is compared beside its value. Anything else changes nothing.
    pub(crate) fn observe_encoded_call(&mut self, encoded: &[u8], rest: &[u8]) -> &LoopVerdict {
        let Some(call) = Call::decode(encoded) else {
            return &self.verdict;
        };
        if self.is_latched() {
            return &self.verdict;
        }
        let index = self.prompt.calls;
        self.prompt.calls += 1;
        self.prompt.saw_arguments |= call.has_arguments();
        if !self.enabled {
            return &self.verdict;
        }
        if self.settings.skip_scrolling && key::scrolls(&call) {
            self.take(&Event::Other);
            return &self.verdict;
        }
        let (id, more) = Encoded(rest).split();
        let seen = CallSeen {
            call: &call,
            key: key::of_call(&call, self.settings.arguments, more),
            index,
            is_preview: self.prompt.is_preview,
        };
        if self.settings.needs_results {
            let (key, tool) = (seen.key, call.tool_fingerprint());
            self.unanswered.add(id, Answered { key, index, tool });
        }
        self.take(&Event::Call(seen));
        &self.verdict
    }

    /// A tool answered: the id of the call that it answers and the output, two strings of which the
    /// first may be empty, whether it is an error, true or false, and a command's exit code, if there
    /// is one. Nothing at all if no rule looks at results.
    pub(crate) fn observe_encoded_result(&mut self, encoded: &[u8]) -> &LoopVerdict {
        if self.is_latched() {
            return &self.verdict;
        }
        self.prompt.saw_results = true;
        if !self.enabled {
            return &self.verdict;
        }
        let (id, rest) = Encoded(encoded).split();
        let (output, rest) = rest.split();
        let (is_error, mut exit_code) = rest.split();
        let answered = self.unanswered.take(id);
        let call = answered.unwrap_or_default();
        if !self.settings.command_tools.contains(&call.tool) {
            exit_code = Encoded(&[]);
        }
        self.take(&Event::Result(ResultSeen {
            key: key::of_result(output, call, exit_code, self.settings.results),
            output,
            is_error: is_error.0 == b"t",
            answered,
        }));
        &self.verdict
    }

    /// A turn began.
    pub(crate) fn observe_turn(&mut self) -> &LoopVerdict {
        if self.is_watching() {
            self.model_check
                .turn_started(self.settings.model_check.as_ref());
            self.take(&Event::TurnStarted);
        }
        &self.verdict
    }

    /// What is neither text nor a call nor a result nor the begin of a turn.
    pub(crate) fn observe_other(&mut self, event: Event) -> &LoopVerdict {
        if self.is_watching() {
            self.take(&event);
        }
        &self.verdict
    }

    /// Shows an event to every rule.
    fn take(&mut self, event: &Event) {
        let mut found: Option<(Found, usize)> = None;
        for (place, rule) in self.rules.iter_mut().enumerate() {
            if let Some(one) = rule.observe(event) {
                // A stop before a nudge, and what is first in the list before what is behind it.
                if found
                    .as_ref()
                    .is_none_or(|(best, _)| best.is_nudge && !one.is_nudge)
                {
                    found = Some((one, place));
                }
            }
        }
        match found {
            Some((found, place)) => self.say(found, place, matches!(event, Event::Call(_))),
            None => self.fall_silent(),
        }
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
            let finding = self.model_check.answer(answer, limits.as_ref(), last_call);
            if let Some(found) = finding.and_then(Found::stop) {
                self.say(found, NO_RULE, false);
            }
        }
        &self.verdict
    }

    /// The verdict on the conversation as it stands.
    pub fn verdict(&self) -> &LoopVerdict {
        &self.verdict
    }

    /// Grows with each verdict but `ok`, unless that is the one before, which goes on.
    #[cfg_attr(not(target_family = "wasm"), allow(dead_code))]
    pub(crate) fn said(&self) -> u64 {
        self.said
    }

    /// What the events of this prompt lack; nothing before its sixth call.
    pub fn blind(&self) -> Blind {
        let known = self.prompt.calls >= CALLS_BEFORE_BLIND;
        Blind {
            arguments: known && !self.prompt.saw_arguments,
            results: known && !self.prompt.saw_results,
        }
    }

    /// Lifts a `stop`, so that one recovery turn can proceed, and starts every count and the text
    /// state afresh, unless `clearKeepsCounts` is set. Indexes, offsets, turns and strikes go on: the
    /// next detection of this prompt has a strike more.
    pub fn clear(&mut self) {
        self.verdict = LoopVerdict::Ok;
        if self.settings.clear_keeps_counts {
            return;
        }
        for rule in &mut self.rules {
            rule.restart(false);
        }
        self.unanswered.clear();
        self.model_check.restart(self.settings.model_check.as_ref());
    }

    /// Stops watching, across prompts, until [`enable`](Self::enable): every verdict is `ok`, and
    /// a `stop` is lifted as by [`clear`](Self::clear).
    pub fn disable(&mut self) {
        self.clear();
        self.enabled = false;
    }

    /// Watches again, with fresh counts.
    pub fn enable(&mut self) {
        self.enabled = true;
    }

    fn is_latched(&self) -> bool {
        self.settings.after_firing == AfterFiring::Latched && self.verdict.is_stop()
    }

    fn is_watching(&self) -> bool {
        self.enabled && !self.is_latched()
    }

    /// The verdict is what a rule found, in a call that is not carried out or in anything else.
    fn say(&mut self, found: Found, rule: usize, is_call: bool) {
        let Found {
            is_nudge,
            mut report,
        } = found;
        // A stop that goes on is the same detection.
        if !self.verdict.is_stop() || is_nudge {
            self.prompt.strikes += 1;
        }
        report.strike = self.prompt.strikes;
        report.profile = self.settings.profile.to_owned();
        messages::add_texts(&mut report, &self.own, is_nudge, is_call);
        self.said += 1;
        self.verdict = if is_nudge {
            LoopVerdict::Nudge { report }
        } else {
            LoopVerdict::Stop { report }
        };
        if self.settings.after_firing == AfterFiring::Reset
            && !is_nudge
            && let Some(rule) = self.rules.get_mut(rule)
        {
            rule.restart(false);
        }
    }

    /// No rule found anything new.
    fn fall_silent(&mut self) {
        if self.settings.after_firing == AfterFiring::Stateless && self.verdict.is_stop() {
            for rule in &mut self.rules {
                if rule.stands() {
                    return;
                }
            }
        }
        self.verdict = LoopVerdict::Ok;
    }
}

/// The place of what is not in the list of rules, the model's opinion.
const NO_RULE: usize = usize::MAX;
