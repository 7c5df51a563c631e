//! Memory into which JavaScript writes what a call carries.
//!
//! One buffer for text (UTF-16) and one for bytes serve every object: a call writes, calls, and is
//! done with it. The shim asks for their addresses once, and again whenever it made one grow.
//!
//! A call reads a shared reference and holds no borrow of the cell: a panic in the middle of it
//! would leave the borrow behind, and with it every other object's calls would fail.

use std::cell::RefCell;
use std::rc::Rc;

use wasm_bindgen::prelude::*;

/// Units of text that cross at once; longer deltas cross in pieces.
const TEXT_UNITS: usize = 16 * 1_024;
/// Bytes kept between calls; what a larger call needed is given back.
const BYTES_KEPT: usize = 256 * 1_024;

thread_local! {
    static TEXT: Rc<[u16]> = Rc::from(vec![0; TEXT_UNITS]);
    static BYTES: RefCell<Rc<[u8]>> = RefCell::new(Rc::from(vec![0; BYTES_KEPT]));
}

/// The address of the text buffer.
#[wasm_bindgen(js_name = textAddress)]
pub fn text_address() -> usize {
    TEXT.with(|text| text.as_ptr() as usize)
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
            let mut longer = vec![0; length];
            longer[..bytes.len()].copy_from_slice(bytes);
            *bytes = Rc::from(longer);
        }
        bytes.as_ptr() as usize
    })
}

/// The bytes that the byte buffer holds.
#[wasm_bindgen(js_name = bytesCapacity)]
pub fn bytes_capacity() -> usize {
    BYTES.with_borrow(|bytes| bytes.len())
}

/// Gives back what a large call needed.
#[wasm_bindgen(js_name = shrinkBytes)]
pub fn shrink_bytes() {
    BYTES.with_borrow_mut(|bytes| {
        if bytes.len() > BYTES_KEPT {
            *bytes = Rc::from(vec![0; BYTES_KEPT]);
        }
    });
}

pub(crate) fn with_text<T>(units: usize, read: impl FnOnce(&[u16]) -> T) -> T {
    let text = TEXT.with(Rc::clone);
    read(&text[..units])
}

pub(crate) fn with_bytes<T>(length: usize, read: impl FnOnce(&[u8]) -> T) -> T {
    let bytes = BYTES.with_borrow(Rc::clone);
    read(&bytes[..length])
}
