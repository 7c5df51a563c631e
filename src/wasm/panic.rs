//! Keeps the text of a panic for the shim, which sees only that the module trapped.

use std::cell::RefCell;

use wasm_bindgen::prelude::*;

thread_local! {
    static LAST: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Runs once, when the module is instantiated.
#[wasm_bindgen(start)]
fn start() {
    std::panic::set_hook(Box::new(|info| {
        LAST.with(|last| {
            if let Ok(mut last) = last.try_borrow_mut() {
                *last = info.to_string();
            }
        });
    }));
}

/// The text of the last panic, empty if there was none; asking clears it.
#[wasm_bindgen(js_name = takePanic)]
pub fn take_panic() -> String {
    LAST.with(RefCell::take)
}

/// Panics on purpose, in a build for tests.
#[cfg(feature = "panic-probe")]
pub(crate) fn probe(call: &[u8]) {
    assert!(!call.starts_with(b"s\x05\0\0\0panic"), "a panic on purpose");
}
