//! What is generated from the Rust that defines it: the TypeScript of the shapes that cross the boundary, and rows
//! of a document.

use std::env::consts::EXE_SUFFIX;
use std::fs::{self, File};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};

use crate::{npm, paths, rule_rows, tools};

const FILE: &str = "js/src/boundary/generated/shapes.ts";

/// Fails if a committed file is not what the Rust says now.
pub fn check() -> Result<()> {
    for (file, expected) in generated()? {
        let committed = fs::read_to_string(paths::repo(file))?;
        let lines = committed.lines().zip(expected.lines());
        let differs = lines.enumerate().find(|(_, (old, new))| old != new);
        if let Some((at, (old, new))) = differs {
            bail!(
                "{file} is not what the Rust says, from line {} on; run `cargo xtask shapes`.\nfile: {old}\nrust: {new}",
                at + 1
            );
        }
        ensure!(
            committed == expected,
            "{file} ends otherwise; run `cargo xtask shapes`"
        );
    }
    Ok(())
}

/// Writes the files.
pub fn write() -> Result<()> {
    for (file, text) in generated()? {
        fs::write(paths::repo(file), text)?;
        println!("  ok      wrote {file}");
    }
    Ok(())
}

/// Crates that nothing native needs, or tools that bring many others along.
const NOT_NATIVE: [&str; 4] = ["bindgen", "deflate", "test-runner", "turnkeeper-*wasm"];

/// A command about all native crates, each with the same features whatever is asked for: what one has compiled is
/// there for the next.
pub fn cargo(subcommand: &str) -> Command {
    let mut cargo = tools::cargo();
    cargo.args([subcommand, "--workspace"]);
    for package in NOT_NATIVE {
        cargo.args(["--exclude", package]);
    }
    cargo.args(["--features", "turnkeeper-core/typescript"]);
    cargo
}

/// The files, and what is to be in them.
fn generated() -> Result<Vec<(&'static str, String)>> {
    let pages = rule_rows::PAGES.iter();
    let pages = pages.map(|page| Ok((page.path, page.text()?)));
    let mut files = pages.collect::<Result<Vec<_>>>()?;
    files.push((FILE, declarations()?));
    Ok(files)
}

/// As the other TypeScript is, so that a person can read it.
fn declarations() -> Result<String> {
    npm::ci("js")?;
    let mut example = cargo("build");
    tools::run_cargo("compile the shapes", example.args(["--example", "shapes"]))?;
    let printed = paths::target("xtask/shapes.ts");
    let example = paths::target(&format!("debug/examples/shapes{EXE_SUFFIX}"));
    let mut example = Command::new(example);
    let status = example.stdout(File::create(&printed)?).status();
    ensure!(
        status?.success(),
        "the example that prints the shapes failed"
    );
    let mut prettier = npm::tool("prettier");
    let formatted = prettier
        .args(["--stdin-filepath", FILE])
        .stdin(File::open(&printed)?)
        .stderr(Stdio::inherit())
        .output()
        .context("cannot start prettier")?;
    let text = String::from_utf8(formatted.stdout)?;
    ensure!(
        formatted.status.success() && !text.is_empty(),
        "prettier cannot read what the example has printed"
    );
    Ok(text)
}
