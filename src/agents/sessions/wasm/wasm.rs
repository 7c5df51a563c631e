//! Saved sessions for JavaScript: bytes cross in the byte buffer, and what they say as JSON, a batch a piece.

#![cfg(target_family = "wasm")]

use turnkeeper_agents::sessions::{Batches, Format, HistoryError, HistoryReader, detect_format};
use turnkeeper_base::boundary::scratch::with_bytes;
use turnkeeper_base::boundary::thrown;
use turnkeeper_base::error::{Error, ErrorCode};
use turnkeeper_base::json::{read_flat, written};
use turnkeeper_messages::Event;
use wasm_bindgen::prelude::*;

const MACHINE: &str = "sessions";

/// Reads a saved session.
#[wasm_bindgen]
pub struct RawSessionReader {
    core: Batches,
}

#[wasm_bindgen(js_class = RawSessionReader)]
impl RawSessionReader {
    /// Of a file whose name, a string, errors carry.
    #[wasm_bindgen(constructor)]
    pub fn new(name: JsValue) -> RawSessionReader {
        let core = Batches::new(&name.as_string().unwrap_or_default());
        Self { core }
    }

    /// Reads the first `length` bytes of the byte buffer. Returns a batch as JSON.
    pub fn push(&mut self, length: usize) -> String {
        with_bytes(length, |bytes| self.core.push(bytes))
    }

    /// Reads what the end of the file ends. Returns a batch as JSON.
    pub fn end(&mut self) -> String {
        self.core.end()
    }
}

/// The format of the session that begins with the first `length` bytes of the byte buffer.
#[wasm_bindgen(js_name = detectFormat)]
pub fn format_of(length: usize) -> Option<String> {
    let format = with_bytes(length, detect_format);
    format.map(|it| it.name().to_owned())
}

/// The names of all formats.
#[wasm_bindgen(js_name = sessionFormats)]
pub fn session_formats() -> Vec<String> {
    let names = Format::ALL.iter().map(|it| it.name().to_owned());
    names.collect()
}

/// Reads messages that a host holds.
#[wasm_bindgen]
pub struct RawHistoryReader {
    core: HistoryReader,
}

#[wasm_bindgen(js_class = RawHistoryReader)]
impl RawHistoryReader {
    /// Of messages of a format, if its name, a string, is given.
    #[wasm_bindgen(constructor)]
    pub fn new(format: JsValue) -> RawHistoryReader {
        let format = format.as_string().and_then(|name| Format::named(&name));
        let core = HistoryReader::new(format);
        Self { core }
    }

    /// Reads the message that the byte buffer begins with, a flat value of `length` bytes. Returns its events as JSON.
    pub fn push(&mut self, length: usize) -> Result<String, JsValue> {
        with_bytes(length, |bytes| {
            let message = read_flat(bytes).map_err(|error| {
                let error = Error::new(ErrorCode::InvalidArgument, MACHINE, error.to_string());
                thrown(error.at("messages"))
            })?;
            let mut events = Events::default();
            let result = self.core.push(&message, &mut |event| events.add(event));
            events.or(result)
        })
    }

    /// The events of what was held back. Returns them as JSON.
    pub fn end(&mut self) -> Result<String, JsValue> {
        let mut events = Events::default();
        let result = self.core.end(&mut |event| events.add(event));
        events.or(result)
    }
}

/// Events as JSON, with commas between them.
#[derive(Default)]
struct Events(String);

impl Events {
    fn add(&mut self, event: &Event) {
        if !self.0.is_empty() {
            self.0.push(',');
        }
        self.0.push_str(&written(event));
    }

    fn or(self, result: Result<(), HistoryError>) -> Result<String, JsValue> {
        match result {
            Ok(()) => Ok(format!("[{}]", self.0)),
            Err(HistoryError { message, reason }) => {
                let field = message.map_or("messages".to_owned(), |at| format!("messages[{at}]"));
                let error = Error::new(ErrorCode::InvalidArgument, MACHINE, reason);
                Err(thrown(error.at(field)))
            }
        }
    }
}
