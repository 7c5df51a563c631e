//! Memory into which JavaScript writes what a call carries.
//!
//! One buffer for text (UTF-16) and one for bytes serve every object: a call writes, calls, and is
//! done with it. The shim says how large they are and asks for their addresses once, and again
//! whenever it made memory grow.
//!
//! A call reads a shared reference and holds no borrow of the cell: a panic in the middle of it
//! would leave the cell borrowed, and every other object's calls would fail.

use std::cell::RefCell;
use std::rc::Rc;

use wasm_bindgen::prelude::*;

thread_local! {
    static TEXT: Buffer<u16> = const { RefCell::new(None) };
    static BYTES: Buffer<u8> = const { RefCell::new(None) };
}

type Buffer<T> = RefCell<Option<Rc<Vec<T>>>>;

/// The address of the text buffer, which holds `length` units then and keeps what is in it.
#[wasm_bindgen(js_name = textAddress)]
pub fn text_address(length: usize) -> usize {
    TEXT.with(|text| sized(text, length))
}

/// The address of the byte buffer, which holds `length` bytes then and keeps what is in it.
#[wasm_bindgen(js_name = bytesAddress)]
pub fn bytes_address(length: usize) -> usize {
    BYTES.with(|bytes| sized(bytes, length))
}

fn sized<T: Copy + Default>(buffer: &Buffer<T>, length: usize) -> usize {
    let known = buffer.borrow().clone();
    let now = known.as_deref().map_or(&[][..], Vec::as_slice);
    if now.len() != length {
        let mut other = vec![T::default(); length];
        let kept = now.len().min(length);
        other[..kept].copy_from_slice(&now[..kept]);
        // Not before there is memory for it, whose lack is a panic, too.
        buffer.replace(Some(Rc::new(other)));
    }
    let buffer = buffer.borrow();
    buffer.as_ref().map_or(0, |buffer| buffer.as_ptr() as usize)
}

/// Calls `read` with the first `units` code units of the text buffer.
pub fn with_text<T>(units: usize, read: impl FnOnce(&[u16]) -> T) -> T {
    let text = TEXT.with(|text| text.borrow().clone());
    read(text.as_deref().map_or(&[][..], |text| &text[..units]))
}

/// Calls `read` with the first `length` bytes of the byte buffer.
pub fn with_bytes<T>(length: usize, read: impl FnOnce(&[u8]) -> T) -> T {
    let bytes = BYTES.with(|bytes| bytes.borrow().clone());
    read(bytes.as_deref().map_or(&[][..], |bytes| &bytes[..length]))
}
