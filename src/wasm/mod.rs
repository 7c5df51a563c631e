//! Where Rust and JavaScript meet: conversions, no decisions.
//!
//! Hot calls carry numbers and bytes that the shim wrote into Wasm memory (see [`scratch`]), and
//! answer with a number. Whatever is rich, such as a report, is fetched as an object when it is asked
//! for. An error is thrown as a plain object, from which the shim makes a `TurnkeeperError`.

mod ghost_block;
mod history_deduper;
mod loop_detector;
mod panic;
mod scratch;
mod setting;
mod texts;

use serde::Serialize;
use wasm_bindgen::prelude::*;

pub(crate) use self::texts::upper_case;
use crate::error::Error;

fn thrown(error: Error) -> JsValue {
    object(&error)
}

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = Number)]
    fn number(text: &str) -> f64;

    #[wasm_bindgen(js_namespace = JSON)]
    fn parse(json: &str) -> JsValue;

    #[wasm_bindgen(js_namespace = JSON, js_name = stringify)]
    fn print_number(number: f64) -> String;
}

/// JSON's number as `JSON.stringify` prints it.
pub(crate) fn as_javascript_prints(text: &str) -> String {
    print_number(number(text))
}

/// A plain JavaScript object. It crosses as JSON, which is smaller in the module than one crossing
/// for each property, and no slower.
fn object(value: &impl Serialize) -> JsValue {
    // What crosses is plain data, which can always be written. No `expect`: the way in which it shows
    // an error takes much room.
    parse(&serde_json::to_string(value).unwrap_or_default())
}
