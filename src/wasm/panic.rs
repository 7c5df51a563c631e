//! Keeps the text of a panic for the shim, which sees only that the module trapped.

use std::any::Any;
use std::sync::Mutex;

use wasm_bindgen::prelude::*;

use super::Rich;

static LAST: Mutex<String> = Mutex::new(String::new());

/// Runs once, when the module is instantiated.
#[wasm_bindgen(start)]
fn start() {
    std::panic::set_hook(Box::new(|info| {
        if let Ok(mut last) = LAST.try_lock() {
            *last = text_of(info.payload());
        }
    }));
}

/// Not where it came from: the module does not have the places of its panics, which are large, and
/// the trap's stack says as much.
fn text_of(payload: &dyn Any) -> String {
    match (payload.downcast_ref::<&str>(), payload.downcast_ref()) {
        (Some(text), _) => (*text).to_owned(),
        (_, Some(text)) => String::clone(text),
        _ => String::new(),
    }
}

/// The text of the last panic, empty if there was none; asking clears it.
#[wasm_bindgen(js_name = takePanic)]
pub fn take_panic() -> Rich {
    let last = LAST.try_lock();
    let text = last.map(|mut last| std::mem::take(&mut *last));
    Ok(JsValue::from_str(&text.unwrap_or_default()))
}

/// Panics on purpose, in a build for tests.
#[cfg(feature = "panic-probe")]
pub(crate) fn probe(call: &[u8]) {
    assert!(!call.starts_with(b"s\x05\0\0\0panic"), "a panic on purpose");
}
