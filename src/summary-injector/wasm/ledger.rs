//! The ledger for JavaScript. Events are too long for one object each, and cross as JSON in Wasm memory.

use turnkeeper_base::boundary::thrown;
use turnkeeper_base::error::{Error, ErrorCode};
use turnkeeper_base::json;
use turnkeeper_summary_injector::Event;
use turnkeeper_summary_injector::WorkLedger;
use turnkeeper_summary_injector::javascript::LEDGER;
use wasm_bindgen::prelude::*;

use super::text_in;

/// The ledger that the class `WorkLedger` wraps.
#[wasm_bindgen]
#[derive(Default)]
pub struct RawWorkLedger {
    core: WorkLedger,
}

#[wasm_bindgen(js_class = RawWorkLedger)]
impl RawWorkLedger {
    /// A ledger in which nothing stands.
    #[wasm_bindgen(constructor)]
    pub fn new() -> RawWorkLedger {
        Self::default()
    }

    /// Takes an event whose JSON was written into the byte buffer.
    pub fn observe(&mut self, length: usize) -> Result<(), JsValue> {
        let (json, mut room) = (text_in(length), Vec::new());
        let wrong = |why| thrown(Error::new(ErrorCode::InvalidArgument, LEDGER, why).at("event"));
        let value = json::parse(json.as_bytes(), &mut room).map_err(|why| wrong(why.reason()))?;
        self.core.observe(&Event::read(&value).map_err(wrong)?);
        Ok(())
    }

    /// Takes a prompt that was written into the byte buffer.
    pub fn prompt(&mut self, length: usize) {
        self.core.prompt(&text_in(length));
    }

    /// The record, in at most this many UTF-16 code units.
    pub fn text(&self, max_characters: usize) -> String {
        self.core.text(max_characters)
    }

    /// Versioned bytes with a checksum.
    pub fn snapshot(&self) -> Vec<u8> {
        self.core.snapshot()
    }

    /// Goes on from a snapshot.
    pub fn restore(snapshot: &[u8]) -> Result<RawWorkLedger, JsValue> {
        let core = WorkLedger::restore(snapshot).map_err(thrown)?;
        Ok(Self { core })
    }
}
