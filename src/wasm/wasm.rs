//! The five machines for JavaScript, as one module. Each has its own conversions, of which a module of that machine
//! alone is made, too.

#![cfg(target_family = "wasm")]

#[path = "../ghost-block/wasm/wasm.rs"]
pub mod ghost_block;
#[path = "../history-deduper/wasm/wasm.rs"]
pub mod history_deduper;
#[path = "../loop-detector/wasm/wasm.rs"]
pub mod loop_detector;
#[path = "../summary-injector/wasm/wasm.rs"]
pub mod summary_injector;
#[path = "../terminal-selector/wasm/wasm.rs"]
pub mod terminal_selector;
