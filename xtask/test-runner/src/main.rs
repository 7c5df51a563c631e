//! The runner of wasm-bindgen-test, in the version that the lock file names.

#![forbid(unsafe_code)]

fn main() -> anyhow::Result<()> {
    wasm_bindgen_cli::wasm_bindgen_test_runner::run_cli_with_args(std::env::args_os())
}
