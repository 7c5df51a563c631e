//! The loop detector for JavaScript.

#![cfg(target_family = "wasm")]

#[macro_use]
mod raw_detector;

raw_detector! {
    /// The detector that the class of the same name in JavaScript wraps.
    RawLoopDetector(turnkeeper_loop_detector::LoopDetectorOptions)
}

#[wasm_bindgen(js_class = RawLoopDetector)]
impl RawLoopDetector {
    /// The first `length` bytes of the byte buffer are a result.
    #[wasm_bindgen(js_name = observeResult)]
    pub fn observe_result(&mut self, length: usize) -> PackedVerdict {
        with_bytes(length, |bytes| {
            self.core.observe_encoded_result(bytes);
        });
        self.packed()
    }
}
