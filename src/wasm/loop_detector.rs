//! The loop detector for JavaScript.

use serde::Serialize;
use wasm_bindgen::prelude::*;

use super::scratch::{with_bytes, with_text};
use super::{Rich, rich, thrown};
use crate::loop_detector::{
    AnswerSchema, Channel, Crossing, Event, LoopDetector, LoopVerdict, Prompt,
};
use crate::setting::Setting;

/// The detector behind the class of the same name in JavaScript.
#[wasm_bindgen(js_name = RawLoopDetector)]
pub struct RawLoopDetector {
    core: LoopDetector,
    /// How many verdicts but `ok` the shim knows of.
    known: u64,
}

impl RawLoopDetector {
    fn of(core: LoopDetector) -> Self {
        Self { core, known: 0 }
    }

    /// `ok` is 0, `nudge` 1, `stop` 2, the same `stop` as before 3; the report is fetched by `verdict`.
    fn packed(&mut self) -> u32 {
        let said = self.core.said();
        let known = std::mem::replace(&mut self.known, said);
        match self.core.verdict() {
            LoopVerdict::Ok => 0,
            LoopVerdict::Nudge { .. } => 1,
            LoopVerdict::Stop { .. } if said != known => 2,
            LoopVerdict::Stop { .. } => 3,
        }
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
            Setting::Fields(Vec::new())
        } else {
            Setting::from_js(options)?
        };
        let core = LoopDetector::with(options).map_err(thrown)?;
        Ok(Self::of(core))
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

    /// So many units in the text buffer are the assistant's prose, or the model's thinking (1); of a
    /// delta that goes on with the next call (2).
    pub fn text(&mut self, units: usize, kind: u32) -> u32 {
        let channel = match kind & 1 {
            0 => Channel::Text,
            _ => Channel::Reasoning,
        };
        let goes_on = kind & 2 != 0;
        with_text(units, |text| {
            self.core.observe_text_part(channel, text, goes_on);
        });
        if goes_on && self.core.crossing().unlatched {
            // What comes next may change it.
            return 0;
        }
        self.packed()
    }

    /// So many bytes in the byte buffer are a call; what follows up to `end`, its id and what is
    /// compared beside its value. Without a call, it is a result.
    pub fn call(&mut self, length: usize, end: usize) -> u32 {
        with_bytes(end, |bytes| {
            let (call, rest) = bytes.split_at(length);
            #[cfg(feature = "panic-probe")]
            super::panic::probe(call);
            if length == 0 {
                self.core.observe_encoded_result(rest);
            } else {
                self.core.observe_encoded_call(call, rest);
            }
        });
        self.packed()
    }

    /// A tool answered, no matter what (0), a turn began (1); lifts the latch and counts afresh (2),
    /// stops watching (3), watches again (4); the user said something (5), the history was shortened
    /// (6), the model's answer ended (7), anything else (8).
    pub fn step(&mut self, kind: u32) -> u32 {
        match kind {
            0 => {
                self.core.observe_encoded_result(&[]);
            }
            1 => {
                self.core.observe_turn();
            }
            2 => self.core.clear(),
            3 => self.core.disable(),
            4 => self.core.enable(),
            _ => {
                self.core.observe_other(match kind {
                    5 => Event::UserMessage,
                    6 => Event::Condensation,
                    7 => Event::Finished,
                    _ => Event::Other,
                });
            }
        }
        self.packed()
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
        self.core.answer_model_check(answer);
        self.packed()
    }

    /// Bit 0: no arguments so far, bit 1: no results so far. Of the settings, bit 2: the order of keys
    /// is compared, bit 3: but for those that Roo Code sorts, bit 4: strings are compared as they are,
    /// bit 5: results are looked at, bit 6: a `stop` may end with any event.
    pub fn facts(&self) -> u32 {
        let blind = self.core.blind();
        let Crossing {
            order,
            inner_order,
            spelling,
            results,
            unlatched,
        } = self.core.crossing();
        let facts = [
            blind.arguments,
            blind.results,
            order,
            inner_order,
            spelling,
            results,
            unlatched,
        ];
        let mut bits = 0;
        for (place, fact) in facts.into_iter().enumerate() {
            bits |= u32::from(fact) << place;
        }
        bits
    }

    /// Versioned bytes with a checksum.
    pub fn snapshot(&mut self) -> Vec<u8> {
        self.core.save()
    }

    /// Goes on from a snapshot.
    pub fn restore(snapshot: &[u8]) -> Result<RawLoopDetector, JsValue> {
        LoopDetector::restore(snapshot)
            .map(Self::of)
            .map_err(thrown)
    }

    /// The regular expression of `previewModel` as `[source, flags]`, if it is one.
    #[wasm_bindgen(js_name = previewPattern)]
    pub fn preview_pattern(&self) -> Rich {
        match self.core.preview_pattern() {
            Some(pattern) => rich(&pattern),
            None => Ok(JsValue::UNDEFINED),
        }
    }
}
