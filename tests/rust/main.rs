//! Every test of the core that looks at it from outside, as one program: each of its own would compile and
//! link the core again. `cargo test -p turnkeeper-core --test all fixtures::` runs the tests of one file.
//!
//! What the recorded traces hold is also compiled for 32 bits (`cargo xtask test --deep wasm`), where an overflow
//! panics; in the published module, which the other suites run, it does not.

#![allow(unreachable_pub, reason = "nothing of a program of tests is reachable")]
// What lists the files is for the test that compares them with the disk.
#![cfg_attr(target_family = "wasm", allow(dead_code))]
// The targets of the fuzzers, which are programs of their own, have the naive models inside, too.
#![allow(clippy::duplicate_mod)]

mod agent_session;
mod deduper_runner;
mod fixture_runner;
mod fixtures;
mod ghost_block;
mod injector_runner;
mod recorded;
mod selector_runner;
mod sessions;
mod traces;

#[cfg(not(target_family = "wasm"))]
mod bad_inputs;
#[cfg(not(target_family = "wasm"))]
mod command_lines;
#[cfg(not(target_family = "wasm"))]
mod directory_effects;
#[cfg(not(target_family = "wasm"))]
mod fuzz_corpora;
#[cfg(not(target_family = "wasm"))]
mod loops;
#[cfg(not(target_family = "wasm"))]
#[path = "properties/main.rs"]
mod properties;
#[cfg(not(target_family = "wasm"))]
mod switched_off;
