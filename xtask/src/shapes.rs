//! What is generated from the Rust that defines it: the TypeScript of the shapes that cross the boundary, and rows
//! of a document.

use std::env::consts::EXE_SUFFIX;
use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::{npm, paths, rule_rows, tools};

const FILE: &str = "js/src/boundary/generated/shapes.ts";

/// Fails if a committed file is not what the Rust says now.
pub fn check() -> Result<()> {
    for (file, expected) in generated()? {
        let committed = fs::read_to_string(paths::repo(file)).unwrap_or_default();
        if committed == expected {
            continue;
        }
        let line = committed
            .lines()
            .zip(expected.lines())
            .take_while(|(old, new)| old == new)
            .count();
        bail!(
            "{file} is not what the Rust says, from line {} on; run `cargo xtask shapes`.\n\
             file: {}\nrust: {}",
            line + 1,
            committed.lines().nth(line).unwrap_or("(ends)"),
            expected.lines().nth(line).unwrap_or("(ends)"),
        );
    }
    Ok(())
}

/// Writes the files.
pub fn write() -> Result<()> {
    for (file, text) in generated()? {
        let path = paths::repo(file);
        fs::create_dir_all(path.parent().expect("the file lies in a folder"))?;
        fs::write(&path, text)?;
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

fn declarations() -> Result<String> {
    tools::run_cargo(
        "compile the shapes",
        cargo("build").args(["--example", "shapes"]),
    )?;
    // Standard output alone is the file, so this does not run as a step, which would mix it with standard error.
    let example = format!("debug/examples/shapes{EXE_SUFFIX}");
    let printed = Command::new(paths::target(&example))
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| format!("cannot start {example}"))?;
    if !printed.status.success() {
        bail!("the example that prints the shapes failed");
    }
    let text = String::from_utf8(printed.stdout)?;
    if text.trim().is_empty() {
        bail!("the example that prints the shapes printed nothing");
    }
    formatted(&text)
}

/// As the other TypeScript is, so that a person can read it.
fn formatted(text: &str) -> Result<String> {
    npm::ci("js")?;
    let mut prettier = npm::tool("prettier")
        .args(["--stdin-filepath", FILE])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .context("cannot start prettier")?;
    let mut input = prettier.stdin.take().expect("it is a pipe");
    input.write_all(text.as_bytes())?;
    drop(input);
    let output = prettier.wait_with_output()?;
    if !output.status.success() {
        bail!("prettier cannot read what the example has printed");
    }
    Ok(String::from_utf8(output.stdout)?)
}
