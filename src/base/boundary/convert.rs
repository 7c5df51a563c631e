//! Rich values across the boundary, as plain JavaScript objects, through serde.
//!
//! Into Rust they go over a [`Value`], since `deny_unknown_fields` and the paths of errors need a format
//! that shows every field (`crate::options`). The shim hands in plain copies, so no getter or proxy of a
//! host's runs here.

use js_sys::{Array, Object};
use serde::Serialize;
use serde_json::Value;
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::prelude::*;

use crate::error::{Error, ErrorCode};
use crate::options::json_number;

/// A plain JavaScript value as JSON has it. `machine` and `field` are named by the error for a value
/// that JSON cannot have, such as a function.
pub fn from_js(machine: &'static str, field: &str, value: JsValue) -> Result<Value, Error> {
    json_of(&value).ok_or_else(|| {
        let message = "has something in it that is not plain data";
        Error::new(ErrorCode::InvalidArgument, machine, message).at(field)
    })
}

/// A value as JSON has it; nothing for one that JSON cannot have. The reader of `serde_wasm_bindgen` brings the printing
/// of floats with it, which is 20 KB of the module.
fn json_of(value: &JsValue) -> Option<Value> {
    if let Some(text) = value.as_string() {
        Some(Value::String(text))
    } else if let Some(number) = value.as_f64() {
        Some(json_number(number))
    } else if let Some(value) = value.as_bool() {
        Some(Value::Bool(value))
    } else if let Some(items) = value.dyn_ref::<Array>() {
        items.iter().map(|item| json_of(&item)).collect()
    } else if value.is_object() {
        let entries = Object::entries(value.unchecked_ref());
        let fields = entries.iter().map(|entry| {
            let entry: Array = entry.unchecked_into();
            Some((entry.get(0).as_string()?, json_of(&entry.get(1))?))
        });
        fields.collect::<Option<_>>().map(Value::Object)
    } else {
        (value.is_null() || value.is_undefined()).then_some(Value::Null)
    }
}

/// A plain JavaScript object: numbers are numbers, maps are objects, and what is not there is no
/// property.
pub fn to_js<T: Serialize + ?Sized>(value: &T) -> JsValue {
    const SERIALIZER: Serializer = Serializer::json_compatible();
    let value = value.serialize(&SERIALIZER);
    value.expect("what crosses is plain data, and no number is above 2^53")
}
