//! Is the agent stuck, and what should the host say and do?
//!
//! A [`LoopDetector`] watches the events of one conversation and answers each with a verdict. It
//! calls no model, no timer and no logger. Its promise:
//!
//! - the same events give the same verdict at the same place, however a stream was cut;
//! - after a `stop` every further event gets the same verdict, until a new prompt or
//!   [`clear`](LoopDetector::clear);
//! - memory and the cost of an event do not grow with the conversation.
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

mod calls;
mod messages;
mod model_check;
mod options;
mod passages;
mod settings;
mod snapshot;
mod verdict;

pub use self::messages::MessageTexts;
pub use self::model_check::{AnswerSchema, ModelCheckRequest};
pub use self::options::{
    LoopDetectorOptions, LoopProfile, ModelCheckOptions, ModelCheckSetting, PreviewModel,
};
pub use self::verdict::{Channel, LoopReport, LoopType, LoopVerdict};

use self::calls::{CallsByTool, IdenticalCalls};
use self::model_check::ModelCheck;
use self::passages::Passages;
use self::settings::Settings;
use crate::call::{self, Call};
use crate::error::{Error, ErrorCode};
use crate::event::AgentEvent;
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

/// Watches one conversation for loops. See the [module](self) for its promise.
#[derive(Debug, Clone)]
pub struct LoopDetector {
    options: LoopDetectorOptions,
    settings: Settings,
    enabled: bool,
    prompt: PromptState,
    identical: IdenticalCalls,
    by_tool: CallsByTool,
    text: Passages,
    reasoning: Passages,
    model_check: ModelCheck,
    verdict: LoopVerdict,
    encoded: Vec<u8>,
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
    pub fn new(options: LoopDetectorOptions) -> Result<Self, Error> {
        let settings = Settings::new(&options)?;
        let model_check = ModelCheck::new(settings.model_check.as_ref());
        Ok(Self {
            options,
            settings,
            enabled: true,
            prompt: PromptState::default(),
            identical: IdenticalCalls::default(),
            by_tool: CallsByTool::default(),
            text: Passages::new(Channel::Text),
            reasoning: Passages::new(Channel::Reasoning),
            model_check,
            verdict: LoopVerdict::Ok,
            encoded: Vec::new(),
        })
    }

    /// The options as they were given.
    pub fn options(&self) -> &LoopDetectorOptions {
        &self.options
    }

    /// Starts a prompt and forgets the one before. With the running prompt's id nothing changes,
    /// neither the counts nor the model.
    pub fn start_prompt(&mut self, prompt: Prompt) {
        if self.prompt.id.as_deref() == Some(prompt.id) {
            return;
        }
        let model = prompt.model.unwrap_or_default();
        let is_preview = match (prompt.is_preview, &self.options.preview_model) {
            (Some(is_preview), _) => is_preview,
            (None, Some(preview)) => preview.matches(model),
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
        self.identical = IdenticalCalls::default();
        self.by_tool = CallsByTool::default();
        self.text = Passages::new(Channel::Text);
        self.reasoning = Passages::new(Channel::Reasoning);
        self.model_check = ModelCheck::new(self.settings.model_check.as_ref());
    }

    /// Takes the next event and answers with the verdict. O(1) for each UTF-16 code unit of text
    /// and each byte of arguments.
    ///
    /// # Errors
    /// `limit_exceeded` if a call's arguments are nested more than 127 deep; nothing is counted
    /// then.
    pub fn observe(&mut self, event: &AgentEvent) -> Result<&LoopVerdict, Error> {
        match event {
            AgentEvent::Text { text } => {
                let units: Vec<u16> = text.encode_utf16().collect();
                Ok(self.observe_text(Channel::Text, &units))
            }
            AgentEvent::Reasoning { text } => {
                let units: Vec<u16> = text.encode_utf16().collect();
                Ok(self.observe_text(Channel::Reasoning, &units))
            }
            AgentEvent::ToolCall { name, args, .. } => {
                let mut encoded = std::mem::take(&mut self.encoded);
                let fits = call::encode(name, args.as_ref(), &mut encoded);
                if fits.is_some() {
                    self.observe_encoded_call(&encoded);
                }
                self.encoded = encoded;
                match fits {
                    Some(()) => Ok(&self.verdict),
                    None => Err(Error::new(
                        ErrorCode::LimitExceeded,
                        MACHINE,
                        format!("is nested more than {} deep", call::MAX_ARGUMENT_DEPTH),
                    )
                    .at("event.args")),
                }
            }
            AgentEvent::ToolResult { .. } => Ok(self.observe_result()),
            AgentEvent::TurnStarted => Ok(self.observe_turn()),
            AgentEvent::UserMessage
            | AgentEvent::Finished
            | AgentEvent::Condensation
            | AgentEvent::Other => Ok(&self.verdict),
        }
    }

    /// A delta of prose or reasoning as UTF-16 code units, which may begin or end inside a
    /// surrogate pair. What follows the unit that fires is not looked at, nor counted.
    pub fn observe_text(&mut self, channel: Channel, delta: &[u16]) -> &LoopVerdict {
        if self.is_watching() {
            let copies = self.settings.repeated_passages;
            let passages = match channel {
                Channel::Text => &mut self.text,
                Channel::Reasoning => &mut self.reasoning,
            };
            let finding = passages.observe(delta, copies, &self.prompt.user_prompt);
            self.stop(finding);
        }
        &self.verdict
    }

    /// A tool call in the encoding of [`crate::call`]. Anything else changes nothing.
    pub(crate) fn observe_encoded_call(&mut self, encoded: &[u8]) -> &LoopVerdict {
        let Some(call) = Call::decode(encoded) else {
            return &self.verdict;
        };
        if self.verdict.is_stop() {
            return &self.verdict;
        }
        let index = self.prompt.calls;
        self.prompt.calls += 1;
        self.prompt.saw_arguments |= call.has_arguments();
        if !self.enabled {
            return &self.verdict;
        }
        self.text.restart();
        self.reasoning.restart();
        let settings = &self.settings;
        let identical = self
            .identical
            .observe(&call, index, settings.identical_calls);
        let mut by_tool = None;
        if self.prompt.is_preview {
            let tool = call.tool_fingerprint();
            let (rule, threshold) = if settings.intensive_tools.contains(&tool) {
                ("preview_intensive_calls", settings.preview_intensive_calls)
            } else {
                ("preview_calls", settings.preview_calls)
            };
            by_tool = self.by_tool.observe(&call, index, rule, threshold);
        }
        self.stop(identical.or(by_tool));
        &self.verdict
    }

    /// A tool answered.
    pub(crate) fn observe_result(&mut self) -> &LoopVerdict {
        self.prompt.saw_results |= !self.verdict.is_stop();
        &self.verdict
    }

    /// A turn began.
    pub(crate) fn observe_turn(&mut self) -> &LoopVerdict {
        if self.is_watching() {
            self.model_check
                .turn_started(self.settings.model_check.as_ref());
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
            let finding = self.model_check.answer(answer, limits.as_ref(), last_call);
            self.stop(finding);
        }
        &self.verdict
    }

    /// The verdict on the conversation as it stands.
    pub fn verdict(&self) -> &LoopVerdict {
        &self.verdict
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
    /// state afresh. Indexes, offsets, turns and strikes go on: the next detection of this prompt
    /// has a strike more.
    pub fn clear(&mut self) {
        self.verdict = LoopVerdict::Ok;
        self.identical = IdenticalCalls::default();
        self.by_tool = CallsByTool::default();
        self.text.restart();
        self.reasoning.restart();
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

    fn is_watching(&self) -> bool {
        self.enabled && !self.verdict.is_stop()
    }

    fn stop(&mut self, finding: Option<Box<LoopReport>>) {
        let Some(mut report) = finding else { return };
        self.prompt.strikes += 1;
        report.strike = self.prompt.strikes;
        report.profile = self.options.profile.unwrap_or_default().name().to_owned();
        let own = self.options.messages.as_deref().unwrap_or_default();
        messages::add_texts(&mut report, own);
        self.verdict = LoopVerdict::Stop { report };
    }
}
