//! Rich values across the boundary, as plain JavaScript objects, through serde.
//!
//! Into Rust they go over a [`Value`], since `deny_unknown_fields` and the paths of errors need a format
//! that shows every field (`crate::options`). The shim hands in plain copies, so no getter or proxy of a
//! host's runs here.

use serde::Serialize;
use serde_json::Value;
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::prelude::*;

use crate::error::{Error, ErrorCode};

/// A plain JavaScript value as JSON has it. `machine` and `field` are named by the error for a value
/// that JSON cannot have, such as a function.
pub fn from_js(machine: &'static str, field: &str, value: JsValue) -> Result<Value, Error> {
    serde_wasm_bindgen::from_value(value).map_err(|_| {
        let message = "has something in it that is not plain data";
        Error::new(ErrorCode::InvalidArgument, machine, message).at(field)
    })
}

/// A plain JavaScript object: numbers are numbers, maps are objects, and what is not there is no
/// property.
pub fn to_js<T: Serialize + ?Sized>(value: &T) -> JsValue {
    const SERIALIZER: Serializer = Serializer::json_compatible();
    let value = value.serialize(&SERIALIZER);
    value.expect("what crosses is plain data, and no number is above 2^53")
}
