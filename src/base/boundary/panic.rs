//! Keeps the text of a panic for the shim, which sees only that the module trapped.

use std::sync::Mutex;

use wasm_bindgen::prelude::*;

use super::Rich;

static LAST: Mutex<String> = Mutex::new(String::new());

/// Runs once, when the module is instantiated.
#[wasm_bindgen(start)]
fn start() {
    std::panic::set_hook(Box::new(|panic| {
        if let Ok(mut last) = LAST.try_lock() {
            // "panicked at FILE:LINE:COLUMN:", and in the next line the panic's own words.
            *last = panic.to_string().replace('\n', " ");
        }
    }));
}

/// The text of the last panic, empty if there was none; asking clears it.
#[wasm_bindgen(js_name = takePanic)]
pub fn take_panic() -> Rich {
    let last = LAST.try_lock();
    let text = last.map(|mut last| std::mem::take(&mut *last));
    Ok(JsValue::from_str(&text.unwrap_or_default()))
}
