//! The detector for JavaScript, in the shape of the loop detector's own.

#![cfg(target_family = "wasm")]

#[macro_use]
#[path = "../../loop-detector/wasm/raw_detector.rs"]
mod raw_detector;

raw_detector! {
    /// The detector that the class `LoopDetector` of `turnkeeper/peers` wraps.
    RawPeerDetector(turnkeeper_peers::PeerOptions)
}

#[wasm_bindgen(js_class = RawLoopDetector)]
impl RawPeerDetector {
    /// Whether arguments that are a string are compared as they are spelt.
    #[wasm_bindgen(js_name = needsSpelling)]
    pub fn needs_spelling(&self) -> bool {
        self.core.rules().needs_spelling()
    }

    /// Whether the order of the arguments' keys is compared. Otherwise the shim sorts them, which is
    /// faster there: it knows an object's keys before it writes them.
    #[wasm_bindgen(js_name = needsKeyOrder)]
    pub fn needs_key_order(&self) -> bool {
        self.core.rules().needs_key_order()
    }

    /// Whether a `stop` may end with any event.
    #[wasm_bindgen(js_name = stopMayEnd)]
    pub fn stop_may_end(&self) -> bool {
        !self.core.rules().stop_lasts()
    }
}
