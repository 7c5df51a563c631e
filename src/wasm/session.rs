//! What goes around a session's snapshot. The session itself is the shim's: it only puts the machines
//! in order.

use wasm_bindgen::prelude::*;

use super::thrown;
use crate::snapshot::{Format, Reader, Writer};

const FORMAT: Format = Format {
    machine: "agent_session",
    letter: b'a',
    version: 1,
};

/// A snapshot with that inside.
#[wasm_bindgen(js_name = sealSession)]
pub fn seal(payload: &[u8]) -> Vec<u8> {
    let mut writer = Writer::new(FORMAT);
    writer.raw(payload);
    writer.finish()
}

/// What is inside a snapshot.
#[wasm_bindgen(js_name = openSession)]
pub fn open(snapshot: &[u8]) -> Result<Vec<u8>, JsValue> {
    match Reader::open(FORMAT, snapshot) {
        Ok(reader) => Ok(reader.rest().to_vec()),
        Err(error) => Err(thrown(error)),
    }
}
