//! Memory into which JavaScript writes what a call carries.
//!
//! One buffer for text (UTF-16) and one for bytes serve every object: a call writes, calls, and is
//! done with it. The shim asks for their addresses once, and again whenever it made one grow.

use std::cell::RefCell;

use wasm_bindgen::prelude::*;

/// Units of text that cross at once; longer deltas cross in pieces.
const TEXT_UNITS: usize = 16 * 1_024;
/// Bytes kept between calls; what a larger call needed is given back.
const BYTES_KEPT: usize = 256 * 1_024;

thread_local! {
    static TEXT: RefCell<Vec<u16>> = RefCell::new(vec![0; TEXT_UNITS]);
    static BYTES: RefCell<Vec<u8>> = RefCell::new(vec![0; BYTES_KEPT]);
}

/// The address of the text buffer.
#[wasm_bindgen(js_name = textAddress)]
pub fn text_address() -> usize {
    TEXT.with_borrow(|text| text.as_ptr() as usize)
}

/// The units that the text buffer holds.
#[wasm_bindgen(js_name = textCapacity)]
pub fn text_capacity() -> usize {
    TEXT_UNITS
}

/// The address of the byte buffer, which holds at least `length` bytes and keeps what is in it.
#[wasm_bindgen(js_name = bytesAddress)]
pub fn bytes_address(length: usize) -> usize {
    BYTES.with_borrow_mut(|bytes| {
        if bytes.len() < length {
            bytes.resize(length, 0);
        }
        bytes.as_ptr() as usize
    })
}

/// The bytes that the byte buffer holds.
#[wasm_bindgen(js_name = bytesCapacity)]
pub fn bytes_capacity() -> usize {
    BYTES.with_borrow(Vec::len)
}

/// Gives back what a large call needed.
#[wasm_bindgen(js_name = shrinkBytes)]
pub fn shrink_bytes() {
    BYTES.with_borrow_mut(|bytes| {
        bytes.truncate(BYTES_KEPT);
        bytes.shrink_to_fit();
    });
}

pub(crate) fn with_text<T>(units: usize, read: impl FnOnce(&[u16]) -> T) -> T {
    TEXT.with_borrow(|text| read(&text[..units]))
}

pub(crate) fn with_bytes<T>(length: usize, read: impl FnOnce(&[u8]) -> T) -> T {
    BYTES.with_borrow(|bytes| read(&bytes[..length]))
}
