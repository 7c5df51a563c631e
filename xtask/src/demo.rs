//! `cargo xtask demo`: the package as a user gets it, on saved sessions (`xtask/demo.mjs`).

use std::fs;
use std::process::Command;

use anyhow::Result;

use crate::package::Flavour;
use crate::packed::packed;
use crate::{package, paths, program, step, tools};

pub fn run() -> Result<()> {
    println!(
        "Builds the quick package, which is neither small nor fast and has two of nine modules, and shows it on the\n\
         sessions of tests/data. The published one is made by `cargo xtask build`, in minutes more.\n\
         From nothing this takes two minutes on two cores, four on slow ones, and once built, seconds.\n"
    );
    println!("1 of 4: the program, from Rust; 40 to 80 s from nothing");
    program::compile_quick()?;
    println!("2 of 4: wasm-bindgen, from Rust; 15 to 30 s");
    tools::own("bindgen")?;
    println!("3 of 4: two modules, from Rust to WebAssembly; 25 to 50 s");
    package::make_glue(Flavour::Demo)?;
    println!("4 of 4: the package, installed into an empty folder; 5 to 15 s");
    step::show("demo", &mut on_sessions(Flavour::Demo)?)
}

/// The same, without a word unless something is wrong: a test.
pub fn check() -> Result<()> {
    step::run("demo", on_sessions(Flavour::Quick)?.arg("--quiet"))
}

/// Runs the package of an app on the sessions.
fn on_sessions(flavour: Flavour) -> Result<Command> {
    packed(flavour)?;
    let app = flavour.app();
    let folder = paths::target("demo");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder)?;
    // A copy, since it imports the package of the app.
    fs::copy(paths::repo("xtask/demo.mjs"), app.join("demo.mjs"))?;
    let mut node = Command::new("node");
    node.current_dir(app).arg("demo.mjs");
    node.arg(paths::repo("tests/data")).arg(folder);
    Ok(node)
}
