//! The summary injector for JavaScript.
//!
//! Calls that come once a turn cross as one object each. The messages of the conversation come in through Wasm
//! memory as JSON, and the turns of the store go out as such.

#![cfg(target_family = "wasm")]

pub mod ledger;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use turnkeeper_base::boundary::convert::{from_js, to_js};
use turnkeeper_base::boundary::scratch::with_bytes;
use turnkeeper_base::boundary::texts::read_texts;
use turnkeeper_base::boundary::{Rich, thrown};
use turnkeeper_base::error::ErrorCode;
use turnkeeper_base::json;
use turnkeeper_base::options::{self, OPTIONS, read_as};
use turnkeeper_base::text::Text;
use turnkeeper_summary_injector::javascript::MACHINE;
use turnkeeper_summary_injector::{
    PromptParts, PromptPhase, Recall, SummaryInjector, TaskState, Turn, TurnMessage, TurnPrompt,
    TurnRecord, TurnSummary, TurnToolCall, thinking_tools,
};
use wasm_bindgen::prelude::*;

/// An injector.
#[wasm_bindgen]
pub struct RawSummaryInjector {
    pub(crate) core: SummaryInjector,
}

/// The host's part of a system prompt alone.
#[derive(Deserialize)]
struct GivenSystemParts {
    capability: String,
    direction: String,
    #[serde(default)]
    phase: Option<PromptPhase>,
}

#[wasm_bindgen(js_class = RawSummaryInjector)]
impl RawSummaryInjector {
    /// An injector with options that are a plain object.
    #[wasm_bindgen(constructor)]
    pub fn new(options: JsValue) -> Result<RawSummaryInjector, JsValue> {
        from_js(MACHINE, OPTIONS, options)
            .and_then(|options| options::read(MACHINE, &options))
            .and_then(SummaryInjector::new)
            .map(Self::of)
            .map_err(thrown)
    }

    fn of(core: SummaryInjector) -> Self {
        Self { core }
    }

    /// Starts a turn with `{ task?, workspace? }`. Returns its number.
    #[wasm_bindgen(js_name = startTurn)]
    pub fn start_turn(&mut self, turn: JsValue) -> Result<f64, JsValue> {
        let turn: Turn = read("turn", turn)?;
        Ok(self.core.start_turn(turn).number as f64)
    }

    /// Adds a message whose JSON was written into the byte buffer, after it that of the same message in the
    /// shape that is read here, if it is another; to the turn with a number, or to the open one.
    #[wasm_bindgen(js_name = addMessage)]
    pub fn add_message(&mut self, length: usize, turn: Option<f64>) -> Result<(), JsValue> {
        let (original, read) = texts_in(length);
        let mut message = TurnMessage::from_json(&read).map_err(thrown)?;
        message.original = original;
        let turn = turn.map(|turn| turn as u64);
        self.core.add_message(message, turn).map_err(thrown)
    }

    /// Adds a call of a tool: its JSON and the tool's name were written into the byte buffer.
    #[wasm_bindgen(js_name = addToolCall)]
    pub fn add_tool_call(&mut self, length: usize, turn: Option<f64>) -> Result<(), JsValue> {
        let (original, name) = texts_in(length);
        let call = TurnToolCall { name, original };
        let turn = turn.map(|turn| turn as u64);
        self.core.add_tool_call(call, turn).map_err(thrown)
    }

    /// Keeps notes, whose JSON was written into the byte buffer, with a turn, or with the open one.
    #[wasm_bindgen(js_name = setNotes)]
    pub fn set_notes(&mut self, length: usize, turn: Option<f64>) -> Result<(), JsValue> {
        let notes = text_in(length);
        let turn = turn.map(|turn| turn as u64);
        self.core.set_notes(notes, turn).map_err(thrown)
    }

    /// The number of the newest turn, 0 before the first.
    #[wasm_bindgen(js_name = newestTurn)]
    pub fn newest_turn(&self) -> f64 {
        self.core.newest_turn() as f64
    }

    /// The turns as JSON, of those from one number to another.
    pub fn turns(&self, from: f64, to: f64) -> String {
        json_of(&self.core.turns(from as u64, to as u64))
    }

    /// The turns as JSON, of those in which one of these words occurs.
    pub fn search(&self, words: Vec<String>) -> String {
        json_of(&self.core.search(&words))
    }

    /// Adds a round of thinking.
    #[wasm_bindgen(js_name = addThinkingRound)]
    pub fn add_thinking_round(&mut self, content: &str) -> Result<(), JsValue> {
        self.core.add_thinking_round(content).map_err(thrown)
    }

    /// Stores `{ summary, insights, turn? }`.
    #[wasm_bindgen(js_name = storeSummary)]
    pub fn store_summary(&mut self, summary: JsValue) -> Result<(), JsValue> {
        let summary: TurnSummary = read("summary", summary)?;
        self.core.store_summary(&summary).map_err(thrown)
    }

    /// Completes the open turn.
    #[wasm_bindgen(js_name = completeTurn)]
    pub fn complete_turn(&mut self) -> Result<(), JsValue> {
        self.core.complete_turn().map_err(thrown)
    }

    /// The open turn as a `CurrentTurn`, or null.
    #[wasm_bindgen(js_name = currentTurn)]
    pub fn current_turn(&self) -> Rich {
        Ok(to_js(&self.core.current_turn()))
    }

    /// The accumulated summaries.
    #[wasm_bindgen(js_name = accumulatedSummaries)]
    pub fn accumulated_summaries(&self) -> String {
        self.core.accumulated_summaries()
    }

    /// The context of a phase.
    pub fn context(&self, phase: JsValue, workspace: &str) -> Result<String, JsValue> {
        Ok(self.core.context(read("phase", phase)?, workspace))
    }

    /// The system prompt, of `{ capability, direction, phase? }`.
    #[wasm_bindgen(js_name = systemPrompt)]
    pub fn system_prompt(&self, parts: JsValue) -> Result<String, JsValue> {
        let given: GivenSystemParts = read("parts", parts)?;
        let phase = given.phase.unwrap_or(PromptPhase::Action);
        let (capability, direction) = (&given.capability, &given.direction);
        Ok(self.core.system_prompt(phase, capability, direction))
    }

    /// The rounds of thinking of the open turn, if there are any.
    #[wasm_bindgen(js_name = thinkingMessage)]
    pub fn thinking_message(&self) -> Option<String> {
        self.core.thinking_message()
    }

    /// A `TurnPrompt` for a phase and `{ capability, direction, workspace }`.
    #[wasm_bindgen(js_name = buildPrompt)]
    pub fn build_prompt(&mut self, phase: JsValue, parts: JsValue) -> Rich {
        built(phase, parts, &mut |phase, parts| {
            self.core.build_prompt(phase, parts)
        })
    }

    /// The last prompt was answered.
    #[wasm_bindgen(js_name = requestSucceeded)]
    pub fn request_succeeded(&mut self) {
        self.core.request_succeeded();
    }

    /// Recalls `{ turns, turnNumbers, ids, keywords }`. Returns the number of messages that are queued.
    pub fn recall(&mut self, wanted: JsValue) -> Result<f64, JsValue> {
        let wanted: Recall = read("what", wanted)?;
        let queued = self.core.recall(&wanted).map_err(thrown)?;
        Ok(queued as f64)
    }

    /// A `SummaryRequest`, or null.
    #[wasm_bindgen(js_name = takeSummaryRequest)]
    pub fn take_summary_request(&mut self) -> Rich {
        Ok(to_js(&self.core.take_summary_request()))
    }

    /// Answers the summary request with plain data. Returns the diagnostics.
    #[wasm_bindgen(js_name = answerSummaryRequest)]
    pub fn answer_summary_request(&mut self, answer: JsValue, is_finished: bool) -> Rich {
        let answer = from_js(MACHINE, "answer", answer).map_err(thrown)?;
        let task_state = match is_finished {
            true => TaskState::Finished,
            false => TaskState::Open,
        };
        let diagnostics = self.core.answer_summary_request(&answer, task_state);
        diagnostics.map(|told| to_js(&told)).map_err(thrown)
    }

    /// Gives the summary request up.
    #[wasm_bindgen(js_name = dropSummaryRequest)]
    pub fn drop_summary_request(&mut self) {
        self.core.drop_summary_request();
    }

    /// A `FoldRequest`, or null.
    #[wasm_bindgen(js_name = takeFoldRequest)]
    pub fn take_fold_request(&mut self) -> Rich {
        Ok(to_js(&self.core.take_fold_request()))
    }

    /// Answers the fold request with plain data. Returns the diagnostics.
    #[wasm_bindgen(js_name = answerFoldRequest)]
    pub fn answer_fold_request(&mut self, answer: JsValue) -> Rich {
        let answer = from_js(MACHINE, "answer", answer).map_err(thrown)?;
        let told = self.core.answer_fold_request(&answer).map_err(thrown)?;
        Ok(to_js(&told))
    }

    /// The newest `SummaryLogEntry`s, the oldest first.
    pub fn log(&self) -> Rich {
        let log: Vec<_> = self.core.log().collect();
        Ok(to_js(&log))
    }

    /// Gives the fold request up.
    #[wasm_bindgen(js_name = dropFoldRequest)]
    pub fn drop_fold_request(&mut self) {
        self.core.drop_fold_request();
    }

    /// The tools of the thinking phase.
    #[wasm_bindgen(js_name = thinkingTools)]
    pub fn thinking_tools(&self) -> Rich {
        Ok(to_js(&thinking_tools()))
    }

    /// Versioned bytes with a checksum.
    pub fn snapshot(&self) -> Vec<u8> {
        self.core.snapshot()
    }

    /// Goes on from a snapshot.
    pub fn restore(snapshot: &[u8]) -> Result<RawSummaryInjector, JsValue> {
        let core = SummaryInjector::restore(snapshot);
        core.map(Self::of).map_err(thrown)
    }
}

/// A prompt for a phase and its parts.
pub(crate) fn built(
    phase: JsValue,
    parts: JsValue,
    build: &mut dyn FnMut(PromptPhase, PromptParts) -> TurnPrompt,
) -> Rich {
    let phase: PromptPhase = read("phase", phase)?;
    let parts = given("parts", parts)?;
    let parts: PromptParts =
        read_as(MACHINE, ErrorCode::InvalidArgument, "parts", &parts).map_err(thrown)?;
    Ok(to_js(&build(phase, parts)))
}

/// Turns as a JSON array. Messages and calls are written into it as they were given.
fn json_of(turns: &[TurnRecord]) -> String {
    let array = |items: Vec<&str>| format!("[{}]", items.join(","));
    let text = |text: &str| json::written(text);
    let texts = |texts: &[String]| json::written(&json!(texts));
    let turns = turns.iter().map(|turn| {
        let messages = turn.messages.iter().map(|it| &*it.original);
        let calls = turn.tool_calls.iter().map(|it| &*it.original);
        let fields = [
            ("number", Some(turn.number.to_string())),
            ("isOpen", Some(turn.is_open.to_string())),
            ("task", turn.task.map(text)),
            ("workspace", turn.workspace.map(text)),
            ("summary", turn.summary.map(text)),
            ("insights", Some(texts(turn.insights))),
            ("rounds", Some(texts(turn.rounds))),
            ("notes", turn.notes.map(str::to_owned)),
            ("messages", Some(array(messages.collect()))),
            ("toolCalls", Some(array(calls.collect()))),
        ];
        let fields = fields.iter().filter_map(|(name, json)| {
            let json = json.as_ref()?;
            Some(format!("\"{name}\":{json}"))
        });
        format!("{{{}}}", fields.collect::<Vec<_>>().join(","))
    });
    format!("[{}]", turns.collect::<Vec<_>>().join(","))
}

/// The first text in the byte buffer.
fn text_in(length: usize) -> String {
    let texts = with_bytes(length, read_texts);
    texts.first().map(Text::to_lossy).unwrap_or_default()
}

/// The first and the last text in the byte buffer.
fn texts_in(length: usize) -> (String, String) {
    let texts = with_bytes(length, read_texts);
    let text = |text: Option<&Text>| text.map(Text::to_lossy).unwrap_or_default();
    (text(texts.first()), text(texts.last()))
}

/// An argument. A field that is null is one that is left out.
fn given(name: &str, argument: JsValue) -> Result<Value, JsValue> {
    let mut argument = from_js(MACHINE, name, argument).map_err(thrown)?;
    if let Value::Object(fields) = &mut argument {
        fields.retain(|_, value| !value.is_null());
    }
    Ok(argument)
}

/// An argument, whose fields an error names.
pub(crate) fn read<T: DeserializeOwned>(name: &str, argument: JsValue) -> Result<T, JsValue> {
    let argument = given(name, argument)?;
    read_as(MACHINE, ErrorCode::InvalidArgument, name, &argument).map_err(thrown)
}
