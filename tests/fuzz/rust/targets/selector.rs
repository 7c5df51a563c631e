//! Bytes become what happens to terminals, and the selector and a naive one choose among them.

#[path = "../../../rust/properties/naive_selector.rs"]
mod naive;

pub fn run(bytes: &[u8]) {
    // The naive one would take too long over more.
    let (settings, events) = naive::read(&bytes[..bytes.len().min(160)]);
    naive::check(settings, &events);
}
