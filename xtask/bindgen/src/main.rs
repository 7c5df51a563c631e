//! wasm-bindgen's command and the runner of its tests, out of the library behind both: compiled once, in the versions that
//! the lock file names. The first argument says which of the two; the others are its own.

#![forbid(unsafe_code)]

use std::env;

use anyhow::{Result, bail};

fn main() -> Result<()> {
    let arguments: Vec<_> = env::args_os().skip(1).collect();
    match arguments.first().and_then(|command| command.to_str()) {
        Some("wasm-bindgen") => wasm_bindgen_cli::wasm_bindgen::run_cli_with_args(arguments),
        Some("test-runner") => {
            wasm_bindgen_cli::wasm_bindgen_test_runner::run_cli_with_args(arguments)
        }
        _ => bail!("usage: bindgen wasm-bindgen|test-runner …"),
    }
}
