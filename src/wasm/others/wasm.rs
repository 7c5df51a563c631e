//! The machines but the loop detector for JavaScript, and the order of a turn, as one module: with it and the detector's, the default entry starts
//! sooner than with one of all.

#![cfg(target_family = "wasm")]

#[path = "../../ghost-block/wasm/wasm.rs"]
pub mod ghost_block;
#[path = "../../history-deduper/wasm/wasm.rs"]
pub mod history_deduper;
#[path = "session.rs"]
pub mod session;
#[path = "../../summary-injector/wasm/wasm.rs"]
pub mod summary_injector;
#[path = "../../terminal-selector/wasm/wasm.rs"]
pub mod terminal_selector;
