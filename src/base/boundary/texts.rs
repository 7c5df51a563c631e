//! Long texts: from JavaScript through the byte buffer, in the encoding of
//! the loop detector's calls, and to JavaScript as strings.

use js_sys::WebAssembly::Memory;
use js_sys::{JSON, JsString, Object, Reflect};
use serde::{Serialize, Serializer};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};

use crate::tag;
use crate::text::Text;

/// The strings that a call carries, one after the other.
pub fn read_texts(mut bytes: &[u8]) -> Vec<Text> {
    let mut texts = Vec::new();
    while let Some((text, rest)) = read_text(bytes) {
        texts.push(text);
        bytes = rest;
    }
    texts
}

fn read_text(bytes: &[u8]) -> Option<(Text, &[u8])> {
    let (tag, rest) = bytes.split_first()?;
    let (length, rest) = rest.split_first_chunk::<4>()?;
    let length = u32::from_le_bytes(*length) as usize;
    match *tag {
        tag::ASCII => {
            let (text, rest) = rest.split_at_checked(length)?;
            Some((Text::from_ascii(text)?, rest))
        }
        tag::WIDE => {
            let (text, rest) = rest.split_at_checked(length * 2)?;
            Some((Text::from_le_bytes(text), rest))
        }
        _ => None,
    }
}

/// A text as a string of JavaScript's, with the halves of surrogate pairs that it may have.
#[derive(Debug, Serialize)]
#[serde(transparent)]
pub struct JsText(#[serde(with = "serde_wasm_bindgen::preserve")] JsValue);

impl From<&Text> for JsText {
    fn from(text: &Text) -> Self {
        let units = match text {
            Text::Ascii(bytes) => return Self(ascii(bytes)),
            Text::Wide(units) => units,
        };
        let whole = UTF_16.with(|decoder| decoder.decode(units));
        Self(whole.unwrap_or_else(|_| {
            let pieces = units.chunks(UNITS_AT_ONCE).map(JsString::from_char_code);
            let text = pieces.reduce(|text, more| text.concat(&more));
            text.unwrap_or_default().into()
        }))
    }
}

impl From<JsText> for JsValue {
    fn from(text: JsText) -> Self {
        text.0
    }
}

/// ASCII as a string. Of a long one Node makes a copy, where everybody else decodes it.
fn ascii(bytes: &[u8]) -> JsValue {
    let copied = || {
        let memory: Memory = wasm_bindgen::memory().unchecked_into();
        let (at, length) = (bytes.as_ptr() as usize, bytes.len());
        let buffer = BUFFER.with(|class| Some(class.as_ref()?.from(&memory.buffer(), at, length)));
        buffer?.ok()?.latin1_slice().ok()
    };
    let long = (bytes.len() >= LONG).then(copied).flatten();
    long.unwrap_or_else(|| std::str::from_utf8(bytes).unwrap_or_default().into())
}

/// JSON as the value that it is of, with the halves of surrogate pairs that it may have.
pub fn serialize_json<S: Serializer>(json: &str, serializer: S) -> Result<S::Ok, S::Error> {
    serde_wasm_bindgen::preserve::serialize(&JSON::parse(json).unwrap_or_default(), serializer)
}

/// For a shorter text decoding takes less than asking.
const LONG: usize = 4_096;

#[wasm_bindgen]
extern "C" {
    type BufferClass;

    #[wasm_bindgen(thread_local_v2, js_namespace = globalThis, js_name = Buffer)]
    static BUFFER: Option<BufferClass>;

    #[wasm_bindgen(method, catch)]
    fn from(
        this: &BufferClass,
        memory: &JsValue,
        at: usize,
        length: usize,
    ) -> Result<NodeBuffer, JsValue>;

    type NodeBuffer;

    #[wasm_bindgen(method, catch, js_name = latin1Slice)]
    fn latin1_slice(this: &NodeBuffer) -> Result<JsValue, JsValue>;

    type TextDecoder;

    #[wasm_bindgen(constructor)]
    fn new(encoding: &str, options: &Object) -> TextDecoder;

    #[wasm_bindgen(method, catch)]
    fn decode(this: &TextDecoder, units: &[u16]) -> Result<JsValue, JsValue>;
}

thread_local! {
    /// Throws at half of a surrogate pair, for which it would put U+FFFD; twice as quick as UTF-8.
    static UTF_16: TextDecoder = {
        let options = Object::new();
        for option in ["fatal", "ignoreBOM"] {
            Reflect::set(&options, &option.into(), &JsValue::TRUE).expect("an object takes a property");
        }
        TextDecoder::new("utf-16le", &options)
    };
}

/// Units that `String.fromCharCode` takes at once.
const UNITS_AT_ONCE: usize = 8_192;
