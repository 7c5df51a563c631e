//! Where Rust and JavaScript meet: conversions, no decisions.
//!
//! Hot calls carry numbers and bytes that the shim wrote into Wasm memory (see [`scratch`]), and
//! answer with a number. Whatever is rich, such as a report, is fetched as an object when it is asked
//! for. An error is thrown as a plain object, from which the shim makes a `TurnkeeperError`.

mod ghost_block;
mod history_deduper;
mod json;
mod loop_detector;
mod panic;
mod scratch;
mod session;
mod setting;
mod summary_injector;
mod terminal_selector;
mod texts;

use serde::Serialize;
use wasm_bindgen::prelude::*;

pub(crate) use self::texts::upper_case;
use crate::error::Error;

/// An object that a call answers with. Nothing can fail; but an export must not have an object for
/// its only result: V8 calls such a one without detour from code that it has optimised, and where
/// that code is thrown away during the call, it ends the process (Node 20 and 22, and what is built
/// on their V8). A `Result` has three results.
type Rich = Result<JsValue, JsValue>;

fn rich(value: &impl Serialize) -> Rich {
    Ok(object(value))
}

fn thrown(error: Error) -> JsValue {
    object(&error)
}

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = JSON)]
    fn parse(json: &str) -> JsValue;

    #[wasm_bindgen(js_namespace = JSON, js_name = stringify)]
    fn print(value: &JsValue) -> String;
}

/// A number as JSON has it.
fn print_number(number: f64) -> String {
    print(&JsValue::from_f64(number))
}

/// JSON's number as `JSON.stringify` prints it.
pub(crate) fn as_javascript_prints(text: &str) -> String {
    print(&parse(text))
}

/// A plain JavaScript object. It crosses as JSON, which is smaller in the module than one crossing
/// for each property, and no slower.
fn object(value: &impl Serialize) -> JsValue {
    parse(&json::print(value))
}
