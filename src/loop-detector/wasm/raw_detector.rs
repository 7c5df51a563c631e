//! The class for JavaScript of a detector, for each kind the same.

/// Declares the class that the shim wraps, by its name and the options of its detector.
macro_rules! raw_detector {
    ($(#[$about:meta])* $class:ident($options:ty)) => {
        use wasm_bindgen::prelude::*;

        use turnkeeper_loop_detector::detecting::{
            Detector, DetectorOptions, Event, KeyOrder, PatternMatcher,
        };
        use turnkeeper_loop_detector::{Channel, LoopVerdict, MACHINE, Prompt};
        use turnkeeper_base::boundary::convert::{from_js, to_js};
        use turnkeeper_base::boundary::scratch::{with_bytes, with_text};
        use turnkeeper_base::boundary::{Rich, thrown};
        use turnkeeper_base::options;

        $(#[$about])*
        #[wasm_bindgen(js_name = RawLoopDetector)]
        pub struct $class {
            core: Detector<$options>,
            /// The number of verdicts other than `ok` that the shim knows of.
            known: u64,
        }

        /// A verdict in a number. The report is fetched with `verdict`.
        #[wasm_bindgen]
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum PackedVerdict {
            /// Go on.
            Ok = 0,
            /// A new nudge.
            Nudge = 1,
            /// A new stop.
            Stop = 2,
            /// The stop that the shim knows already.
            SameStop = 3,
        }

        /// An event that says no more than that it happened.
        #[wasm_bindgen]
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum BareEvent {
            /// A turn began.
            TurnStarted = 0,
            /// The last turn is tried again.
            Retry = 1,
            /// The user said something.
            UserMessage = 2,
            /// The history was shortened.
            Condensation = 3,
            /// The model's answer ended.
            Finished = 4,
            /// Anything else.
            Other = 5,
        }

        impl $class {
            fn of(core: Detector<$options>) -> Self {
                Self { core, known: 0 }
            }

            fn packed(&mut self) -> PackedVerdict {
                let told = self.core.told();
                let known = std::mem::replace(&mut self.known, told);
                match self.core.verdict() {
                    LoopVerdict::Ok => PackedVerdict::Ok,
                    LoopVerdict::Nudge { .. } => PackedVerdict::Nudge,
                    LoopVerdict::Stop { .. } if told != known => PackedVerdict::Stop,
                    LoopVerdict::Stop { .. } => PackedVerdict::SameStop,
                }
            }
        }

        #[wasm_bindgen(js_class = RawLoopDetector)]
        impl $class {
            /// `options` is a plain object. JavaScript matches the pattern of `previewModel` itself.
            #[wasm_bindgen(constructor)]
            pub fn new(options: JsValue) -> Result<$class, JsValue> {
                let options = from_js(MACHINE, options::OPTIONS, options)
                    .and_then(|options| <$options as DetectorOptions>::from_value(&options));
                let core = options.and_then(|options| {
                    Detector::with_patterns_matched_by(PatternMatcher::HOST, options)
                });
                core.map(Self::of).map_err(thrown)
            }

            /// The settings that JavaScript has to know.
            pub fn settings(&self) -> Rich {
                Ok(to_js(&self.core.settings()))
            }

            /// `is_preview` is what the host's regular expression says of the model, if there is one.
            #[wasm_bindgen(js_name = startPrompt)]
            pub fn start_prompt(
                &mut self,
                id: &str,
                model: Option<String>,
                is_preview: Option<bool>,
                user_prompt: Option<String>,
            ) {
                let mut prompt = Prompt::new(id);
                if let Some(model) = &model {
                    prompt = prompt.model(model);
                }
                if let Some(is_preview) = is_preview {
                    prompt = prompt.is_preview(is_preview);
                }
                if let Some(user_prompt) = &user_prompt {
                    prompt = prompt.user_prompt(user_prompt);
                }
                self.core.start_prompt(prompt);
            }

            /// The first `length` units of the text buffer are a delta of the assistant's prose.
            #[wasm_bindgen(js_name = observeText)]
            pub fn observe_text(&mut self, length: usize) -> PackedVerdict {
                with_text(length, |text| {
                    self.core.observe_text(Channel::Text, text);
                });
                self.packed()
            }

            /// The first `length` units of the text buffer are a delta of the model's thinking.
            #[wasm_bindgen(js_name = observeReasoning)]
            pub fn observe_reasoning(&mut self, length: usize) -> PackedVerdict {
                with_text(length, |text| {
                    self.core.observe_text(Channel::Reasoning, text);
                });
                self.packed()
            }

            /// The first `length` bytes of the byte buffer are a call; after it, up to `end`, come its id and the spelling
            /// of its arguments, as far as they are needed.
            #[wasm_bindgen(js_name = observeCall)]
            pub fn observe_call(&mut self, length: usize, end: usize) -> PackedVerdict {
                with_bytes(end, |bytes| {
                    let (call, rest) = bytes.split_at(length);
                    #[cfg(feature = "panic-probe")]
                    assert!(!call.starts_with(b"s\x05\0\0\0panic"), "a panic on purpose");
                    let key_order = match self.core.rules().needs_key_order() {
                        true => KeyOrder::AsGiven,
                        false => KeyOrder::Sorted,
                    };
                    self.core.observe_encoded_call(call, key_order, rest);
                });
                self.packed()
            }

            /// A tool's result of `units` UTF-16 code units, whose text no rule reads.
            #[wasm_bindgen(js_name = observeUnreadResult)]
            pub fn observe_unread_result(&mut self, units: usize) -> PackedVerdict {
                self.core.observe_unread_result(units);
                self.packed()
            }

            /// Something happened of which there is no more to say.
            #[wasm_bindgen(js_name = observeBare)]
            pub fn observe_bare(&mut self, event: BareEvent) -> PackedVerdict {
                match event {
                    BareEvent::TurnStarted => self.core.observe_turn(),
                    BareEvent::Retry => self.core.observe_retry(),
                    BareEvent::UserMessage => self.core.observe_other(Event::UserMessage),
                    BareEvent::Condensation => self.core.observe_other(Event::Condensation),
                    BareEvent::Finished => self.core.observe_other(Event::Finished),
                    BareEvent::Other => self.core.observe_other(Event::Other),
                };
                self.packed()
            }

            /// The host's own detector has found a loop.
            #[wasm_bindgen(js_name = observeLoopReport)]
            pub fn observe_loop_report(
                &mut self,
                by: Option<String>,
                detail: Option<String>,
            ) -> PackedVerdict {
                self.core
                    .observe_loop_report(by.as_deref(), detail.as_deref());
                self.packed()
            }

            /// The running prompt.
            pub fn prompt(&self) -> Rich {
                Ok(to_js(&self.core.prompt()))
            }

            /// The share of the recent calls and answers that was new, from 0 to 1.
            pub fn progress(&self) -> f64 {
                self.core.progress()
            }

            /// The longest run of calls under way.
            pub fn counts(&self) -> Rich {
                Ok(to_js(&self.core.counts()))
            }

            /// The current verdict.
            pub fn verdict(&self) -> Rich {
                Ok(to_js(self.core.verdict()))
            }

            /// The hints for the model that were not handed out yet, as an array of strings.
            #[wasm_bindgen(js_name = takeFeedback)]
            pub fn take_feedback(&mut self) -> Rich {
                Ok(to_js(&self.core.take_feedback()))
            }

            /// The request, handed out once.
            #[wasm_bindgen(js_name = takeModelCheck)]
            pub fn take_model_check(&mut self) -> Rich {
                Ok(match self.core.take_model_check() {
                    Some(request) => to_js(&request),
                    None => JsValue::UNDEFINED,
                })
            }

            /// Without a confidence, the answer was malformed.
            #[wasm_bindgen(js_name = answerModelCheck)]
            pub fn answer_model_check(
                &mut self,
                confidence: Option<f64>,
                reasoning: &str,
            ) -> PackedVerdict {
                let answer = confidence.map(|confidence| (confidence, reasoning));
                self.core.answer_model_check(answer);
                self.packed()
            }

            /// What the events lack.
            pub fn blind(&self) -> Rich {
                Ok(to_js(&self.core.blind()))
            }

            /// Lifts a stop and counts afresh.
            pub fn clear(&mut self) {
                self.core.clear();
            }

            /// Stops watching.
            pub fn disable(&mut self) {
                self.core.disable();
            }

            /// Watches again.
            pub fn enable(&mut self) {
                self.core.enable();
            }

            /// Versioned bytes with a checksum.
            pub fn snapshot(&self) -> Vec<u8> {
                self.core.snapshot()
            }

            /// Goes on from a snapshot.
            pub fn restore(snapshot: &[u8]) -> Result<$class, JsValue> {
                Detector::restore_with_patterns_matched_by(PatternMatcher::HOST, snapshot)
                    .map(Self::of)
                    .map_err(thrown)
            }
        }
    };
}
