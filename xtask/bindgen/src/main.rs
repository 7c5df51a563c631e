//! Makes the glue of a module: `bindgen MODULE FOLDER`. wasm-bindgen's own command has the same library, which is compiled in
//! half the time.

#![forbid(unsafe_code)]

use std::env;

use anyhow::{Context, Result};
use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<()> {
    let mut arguments = env::args_os().skip(1);
    let usage = "usage: bindgen MODULE FOLDER";
    let module = arguments.next().context(usage)?;
    let folder = arguments.next().context(usage)?;
    Bindgen::new()
        .input_path(module)
        .web(true)?
        // The glue must not mention `import.meta`: it is empty in a CommonJS bundle.
        .omit_default_module_path(true)
        // Names of functions, for wasm-opt, which takes them out.
        .keep_debug(true)
        // The declarations, which the TypeScript of the package imports.
        .typescript(true)
        .out_name("turnkeeper")
        .generate(folder)
}
