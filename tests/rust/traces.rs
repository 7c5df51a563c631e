//! What the cases leave behind is, to the byte, what was recorded: here as in every other language, runtime and
//! platform. A test of its own, after all others by its name, so that a case that is wrong is told as what it is.

use super::{fixture_runner, ghost_block, injector_runner, recorded, selector_runner, sessions};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

#[test]
fn all_are_those_that_were_recorded() {
    let mut traces = sessions::run();
    traces.extend(fixture_runner::files().flat_map(fixture_runner::run));
    traces.extend(injector_runner::files().flat_map(injector_runner::run));
    traces.extend(selector_runner::files().flat_map(selector_runner::run));
    traces.extend(ghost_block::traces());
    recorded::expect(&traces);
}
