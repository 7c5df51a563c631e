//! The user's prompt, and what is known of the answer.

use crate::counts::MAX_COUNT;
use serde::{Deserialize, Serialize};

use super::asked::asked_repeats;
use super::rules::RunUnderWay;
use crate::copies::clone_by_fields;
use turnkeeper_base::snapshot::Corrupt;
use turnkeeper_base::text::push_units_of;

/// From this call of a prompt on it is clear what a stream does not carry.
pub(crate) const CALLS_BEFORE_BLIND: u64 = 6;
/// From this prompt with the same words on it is clear that they are requests of one.
const REQUESTS_BEFORE_BLIND: u64 = 6;
/// At most this many ids of a prompt are kept, the newest.
const IDS_KEPT: usize = 32;
/// The part of a user's prompt that is kept, in UTF-16 code units, to know what was asked for.
const USER_PROMPT_UNITS: usize = 8_192;

/// A prompt of the user, and the model that it is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Prompt<'a> {
    pub(crate) id: &'a str,
    pub(crate) model: Option<&'a str>,
    pub(crate) is_preview: Option<bool>,
    pub(crate) user_prompt: Option<&'a str>,
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
    /// [`preview_model`](crate::LoopDetectorOptions::preview_model) can tell.
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

/// The parts that a stream lacks, so that rules which need them stay silent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Blind {
    /// Results come, and no call that they answer was shown.
    pub calls: bool,
    /// No call had arguments.
    pub arguments: bool,
    /// No result came that answers a call.
    pub results: bool,
    /// Prompts cannot be told apart. New ids come while the model is at work, and neither the user's words nor
    /// the model's text was ever shown; or the same words come under a new id, again and again; or ids come back
    /// after others, because two conversations share the detector.
    pub prompts: bool,
}

/// The running prompt, as a host may log or show it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct PromptInfo<'a> {
    /// The id that was given last; none before the first prompt.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub id: Option<&'a str>,
    /// The ids under which it came, the newest 32, from the oldest to the newest. More than one means
    /// that a new id came while the model was at work.
    pub ids: &'a [String],
    /// The model that answers, if that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub model: Option<&'a str>,
    /// Whether it is watched as a preview model.
    pub is_preview: bool,
    /// The number of its calls.
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    pub calls: u64,
}

/// The longest run of calls under way, for a status line such as "3 of 5".
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Counts<'a> {
    /// The tool of the last call; none before the first.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub tool: Option<&'a str>,
    /// The number of calls of the run; 0 if no rule counts any.
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    pub run: u64,
    /// The length at which a rule next tells the model or stops it; 0 if no rule counts any. The run is
    /// shorter until then, and after a nudge this is the length for the stop.
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    pub threshold: u64,
}

/// A prompt whose id may be that of a new one, as the host describes it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Newcomer {
    pub model: Option<String>,
    pub is_preview: Option<bool>,
}

/// Everything that is counted per prompt and survives `clear`.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PromptState {
    /// The ids under which it came, the running one last; none before the first prompt.
    pub ids: Vec<String>,
    pub model: Option<String>,
    pub is_preview: bool,
    /// The beginning of the user's words.
    pub user_prompt: Vec<u16>,
    /// The number of times that the user's words ask for the same again, 0 if they do not.
    pub asked_repeats: u64,
    /// The prompt that came with the running id, if that continues the prompt and nothing has happened since: when
    /// the user speaks next, it is the id of a new prompt after all.
    pub newcomer: Option<Newcomer>,
    /// Whether the model has more to say: the last thing that it did is a call, or has got a result.
    pub is_at_work: bool,
    pub calls: u64,
    /// The tool of the last call.
    pub last_tool: String,
    pub saw_arguments: bool,
    pub saw_results: bool,
    pub strikes: u64,
    /// The number of prompts before it that had the same words, and ended while the model was at work.
    pub repeats: u64,
}

clone_by_fields! {
    PromptState:
    ids, model, is_preview, user_prompt, asked_repeats, newcomer, is_at_work, calls, last_tool,
    saw_arguments, saw_results, strikes, repeats
}

impl PromptState {
    pub(crate) fn new(prompt: &Prompt, is_preview: bool) -> Self {
        let mut state = Self {
            ids: vec![prompt.id.to_owned()],
            model: prompt.model.map(str::to_owned),
            is_preview,
            ..Self::default()
        };
        state.add_user_prompt(prompt.user_prompt.unwrap_or_default());
        state
    }

    /// The prompt that comes after this one.
    pub(crate) fn next(&self, prompt: &Prompt, is_preview: bool) -> Self {
        let mut next = Self::new(prompt, is_preview);
        let is_the_same =
            self.is_at_work && !next.user_prompt.is_empty() && next.user_prompt == self.user_prompt;
        if is_the_same {
            next.repeats = self.repeats + 1;
        }
        next
    }

    /// The running id.
    pub(crate) fn id(&self) -> Option<&str> {
        self.ids.last().map(String::as_str)
    }

    /// Goes on under another id.
    pub(crate) fn add_id(&mut self, id: &str) {
        if self.id() == Some(id) {
            return;
        }
        if self.ids.len() == IDS_KEPT {
            self.ids.remove(0);
        }
        self.ids.push(id.to_owned());
    }

    /// The model has done something: it calls a tool, or gets a result.
    pub(crate) fn model_works(&mut self) {
        self.is_at_work = true;
        self.newcomer = None;
    }

    /// The model says something to the user, or nobody speaks to it.
    pub(crate) fn model_rests(&mut self) {
        self.is_at_work = false;
        self.newcomer = None;
    }

    /// The user's words, where none were known.
    pub(crate) fn add_user_prompt(&mut self, text: &str) {
        if self.user_prompt.is_empty() {
            push_units_of(text, USER_PROMPT_UNITS, &mut self.user_prompt);
            self.asked_repeats = asked_repeats(text);
        }
    }

    /// The running prompt, to show.
    pub(crate) fn info(&self) -> PromptInfo<'_> {
        PromptInfo {
            id: self.id(),
            ids: &self.ids,
            model: self.model.as_deref(),
            is_preview: self.is_preview,
            calls: self.calls,
        }
    }

    /// A run of its calls, to show.
    pub(crate) fn counts(&self, run: Option<RunUnderWay>) -> Counts<'_> {
        Counts {
            tool: (self.calls > 0).then_some(self.last_tool.as_str()),
            run: run.map_or(0, |run| run.count),
            threshold: run.map_or(0, |run| run.threshold),
        }
    }

    /// The parts that its events lack, as far as they are its own.
    pub(crate) fn blind(&self) -> Blind {
        let is_known = self.calls >= CALLS_BEFORE_BLIND;
        Blind {
            calls: false,
            arguments: is_known && !self.saw_arguments,
            results: is_known && !self.saw_results,
            prompts: self.repeats + 1 >= REQUESTS_BEFORE_BLIND,
        }
    }

    /// Whether a snapshot may hold it.
    pub(crate) fn validate(&self) -> Result<(), Corrupt> {
        Corrupt::unless(self.ids.len() <= IDS_KEPT)?;
        Corrupt::unless(self.user_prompt.len() <= USER_PROMPT_UNITS)?;
        Corrupt::unless(self.calls <= MAX_COUNT && self.strikes <= MAX_COUNT)?;
        Corrupt::unless(self.repeats <= MAX_COUNT && self.asked_repeats <= MAX_COUNT)
    }
}
