//! The envelope of a session's snapshot. The session itself is part of the shim: it only puts the
//! machines in order.

use wasm_bindgen::prelude::*;

use super::thrown;
use crate::snapshot::{Format, open_bytes, seal_bytes};

const FORMAT: Format = Format {
    machine: "agent_session",
    letter: b'a',
    version: 1,
};

/// A snapshot around the machines' snapshots.
#[wasm_bindgen(js_name = sealSession)]
pub fn seal(payload: &[u8]) -> Vec<u8> {
    seal_bytes(FORMAT, payload)
}

/// The machines' snapshots inside one of a session.
#[wasm_bindgen(js_name = openSession)]
pub fn open(snapshot: &[u8]) -> Result<Vec<u8>, JsValue> {
    let payload = open_bytes(FORMAT, snapshot).map_err(thrown)?;
    Ok(payload.to_vec())
}
