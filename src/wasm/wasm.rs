//! The five machines for JavaScript, as one module. Each has its own conversions, of which a module of that machine
//! alone is made, too.

#![cfg(target_family = "wasm")]

#[path = "../loop-detector/wasm/wasm.rs"]
pub mod loop_detector;
#[path = "others/wasm.rs"]
pub mod others;
