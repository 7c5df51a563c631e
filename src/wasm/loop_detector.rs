//! The loop detector for JavaScript.

use serde::Serialize;
use wasm_bindgen::prelude::*;

use super::scratch::{with_bytes, with_text};
use super::{Rich, rich, thrown};
use crate::loop_detector::{
    AnswerSchema, Channel, LoopDetector, LoopDetectorOptions, LoopVerdict, PreviewModel, Prompt,
};
use crate::setting::Setting;

/// The detector behind the class of the same name in JavaScript.
#[wasm_bindgen(js_name = RawLoopDetector)]
pub struct RawLoopDetector {
    core: LoopDetector,
}

/// `ok` is 0, `nudge` 1, `stop` 2; the report is fetched by `verdict`.
fn packed(verdict: &LoopVerdict) -> u32 {
    match verdict {
        LoopVerdict::Ok => 0,
        LoopVerdict::Nudge { .. } => 1,
        LoopVerdict::Stop { .. } => 2,
    }
}

/// A request; the shim reads the schema.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct FlatRequest<'a> {
    history_count: u64,
    system_prompt: &'a str,
    prompt: &'a str,
    /// JSON
    schema: &'static str,
}

#[wasm_bindgen(js_class = RawLoopDetector)]
impl RawLoopDetector {
    /// The options as the host gave them. An exception of a getter is thrown as it is.
    #[wasm_bindgen(constructor)]
    pub fn new(options: &JsValue) -> Result<RawLoopDetector, JsValue> {
        // Hosts compile a function when it is first called, and the reader is the largest there is.
        let options = if options.is_undefined() {
            LoopDetectorOptions::default()
        } else {
            let options = Setting::from_js(options)?;
            LoopDetectorOptions::read(&options).map_err(thrown)?
        };
        let core = LoopDetector::new(options).map_err(thrown)?;
        Ok(Self { core })
    }

    /// `is_preview` is what the host's regular expression says of the model: no (0), yes (1), or
    /// that there is none (2).
    #[wasm_bindgen(js_name = startPrompt)]
    pub fn start_prompt(&mut self, id: &str, model: &str, is_preview: u32, user_prompt: &str) {
        let mut prompt = Prompt::new(id).model(model).user_prompt(user_prompt);
        if is_preview < 2 {
            prompt = prompt.is_preview(is_preview == 1);
        }
        self.core.start_prompt(prompt);
    }

    /// So many units in the text buffer are the assistant's prose, or the model's thinking (1).
    pub fn text(&mut self, units: usize, channel: u32) -> u32 {
        let channel = match channel {
            0 => Channel::Text,
            _ => Channel::Reasoning,
        };
        with_text(units, |text| packed(self.core.observe_text(channel, text)))
    }

    /// So many bytes in the byte buffer are a call.
    pub fn call(&mut self, length: usize) -> u32 {
        with_bytes(length, |call| {
            #[cfg(feature = "panic-probe")]
            super::panic::probe(call);
            packed(self.core.observe_encoded_call(call))
        })
    }

    /// A tool answered (0), a turn began (1); lifts the latch and counts afresh (2), stops watching
    /// (3), watches again (4).
    pub fn step(&mut self, kind: u32) {
        match kind {
            0 => {
                self.core.observe_result();
            }
            1 => {
                self.core.observe_turn();
            }
            2 => self.core.clear(),
            3 => self.core.disable(),
            _ => self.core.enable(),
        }
    }

    /// The current verdict.
    pub fn verdict(&self) -> Rich {
        rich(self.core.verdict())
    }

    /// The request, handed out once.
    #[wasm_bindgen(js_name = takeModelCheck)]
    pub fn take_model_check(&mut self) -> Rich {
        match self.core.take_model_check() {
            Some(request) => rich(&FlatRequest {
                history_count: request.history_count,
                system_prompt: &request.system_prompt,
                prompt: &request.prompt,
                schema: AnswerSchema::JSON,
            }),
            None => Ok(JsValue::UNDEFINED),
        }
    }

    /// A confidence that is not a number stands for a malformed answer.
    #[wasm_bindgen(js_name = answerModelCheck)]
    pub fn answer_model_check(&mut self, confidence: f64, reasoning: &str) -> u32 {
        let answer = (!confidence.is_nan()).then_some((confidence, reasoning));
        packed(self.core.answer_model_check(answer))
    }

    /// Bit 0: no arguments so far, bit 1: no results so far.
    pub fn blind(&self) -> u32 {
        let blind = self.core.blind();
        u32::from(blind.arguments) | u32::from(blind.results) << 1
    }

    /// Versioned bytes with a checksum.
    pub fn snapshot(&mut self) -> Vec<u8> {
        self.core.save()
    }

    /// Goes on from a snapshot.
    pub fn restore(snapshot: &[u8]) -> Result<RawLoopDetector, JsValue> {
        LoopDetector::restore(snapshot)
            .map(|core| Self { core })
            .map_err(thrown)
    }

    /// The regular expression of `previewModel` as `[source, flags]`, if it is one.
    #[wasm_bindgen(js_name = previewPattern)]
    pub fn preview_pattern(&self) -> Rich {
        match &self.core.options().preview_model {
            Some(PreviewModel::Pattern { source, flags }) => rich(&[source, flags]),
            _ => Ok(JsValue::UNDEFINED),
        }
    }
}
