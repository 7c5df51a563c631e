//! `cargo xtask fuzz [TARGET…] [--seconds N]`: each target for a while, on the nightly compiler.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::{paths, step, tools};

const FOLDER: &str = "tests/fuzz";
const SECONDS: u32 = 60;
/// The core has no unsafe code for a sanitizer to watch, and without one it runs several times as
/// often.
const NO_SANITIZER: [&str; 2] = ["--sanitizer", "none"];

pub fn run(arguments: &[String]) -> Result<()> {
    let (mut targets, seconds) = parse(arguments)?;
    if !paths::repo(FOLDER).exists() {
        bail!("this checkout has no fuzz targets ({FOLDER})");
    }
    let cargo_fuzz = tools::cargo_fuzz()?;
    if targets.is_empty() {
        targets = all(&cargo_fuzz)?;
    }
    let mut build = command(&cargo_fuzz);
    build
        .args(["build", "--fuzz-dir", FOLDER])
        .args(NO_SANITIZER);
    step::run("compile the fuzz targets", &mut build)?;

    let mut broken = Vec::new();
    for target in &targets {
        // What is found goes to the first folder; the committed corpus is only read.
        let found = paths::repo("target/fuzz-corpus").join(target);
        std::fs::create_dir_all(&found)?;
        let mut fuzz = command(&cargo_fuzz);
        fuzz.args(["run", "--fuzz-dir", FOLDER])
            .args(NO_SANITIZER)
            .arg(target)
            .arg(&found)
            .arg(paths::repo(FOLDER).join("corpus").join(target))
            .arg("--")
            .arg(format!("-max_total_time={seconds}"))
            .arg("-print_final_stats=1");
        let outcome = step::attempt(&format!("fuzz {target}"), &mut fuzz, None)?;
        println!(
            "{target}: {}",
            executions(&outcome.output).unwrap_or("did not finish")
        );
        if !outcome.success {
            println!("{}", step::last_lines(&outcome.output, 60));
            broken.push(target.as_str());
        }
    }
    if broken.is_empty() {
        Ok(())
    } else {
        bail!("found something in {}", broken.join(", "))
    }
}

fn parse(arguments: &[String]) -> Result<(Vec<String>, u32)> {
    let mut targets = Vec::new();
    let mut seconds = SECONDS;
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        if argument == "--seconds" {
            let value = rest.next().context("--seconds needs a number")?;
            seconds = value.parse().context("--seconds needs a number")?;
        } else {
            targets.push(argument.clone());
        }
    }
    Ok((targets, seconds))
}

fn all(cargo_fuzz: &Path) -> Result<Vec<String>> {
    let listed = command(cargo_fuzz)
        .args(["list", "--fuzz-dir", FOLDER])
        .output()
        .context("cannot start cargo-fuzz")?;
    if !listed.status.success() {
        bail!(
            "cargo-fuzz lists no targets: {}",
            String::from_utf8_lossy(&listed.stderr)
        );
    }
    Ok(String::from_utf8_lossy(&listed.stdout)
        .split_whitespace()
        .map(str::to_owned)
        .collect())
}

/// cargo-fuzz calls the `cargo` and `rustc` that it finds: those of the nightly, by rustup's own
/// variable.
fn command(cargo_fuzz: &Path) -> Command {
    let mut command = Command::new(cargo_fuzz);
    command
        .current_dir(paths::repo(""))
        .env("RUSTUP_TOOLCHAIN", "nightly")
        .env_remove("CARGO_TARGET_DIR");
    command
}

fn executions(output: &str) -> Option<&str> {
    output
        .lines()
        .rev()
        .find_map(|line| line.strip_prefix("stat::number_of_executed_units:"))
        .map(str::trim)
}
