//! `cargo xtask fuzz [TARGET…] [--minutes N | --seconds N]`: each target for a while, those in Rust on the
//! nightly compiler, and random calls of the packed package in Node.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::suites::Packed;
use crate::{paths, step, tools};

const FOLDER: &str = "tests/fuzz";
/// Random calls in JavaScript, as a target beside those of cargo-fuzz.
const CALLS: &str = "calls";
const CALLS_IN_JAVASCRIPT: &str = "tests/fuzz-js/fuzz.mjs";
const SECONDS: u32 = 60;
/// The core has no unsafe code for a sanitizer to watch, and without one it runs several times as
/// often.
const NO_SANITIZER: [&str; 2] = ["--sanitizer", "none"];

pub fn run(arguments: &[String]) -> Result<()> {
    let (mut targets, seconds) = parse(arguments)?;
    if !paths::repo(FOLDER).exists() {
        bail!("this checkout has no fuzz targets ({FOLDER})");
    }
    let is_all = targets.is_empty();
    let wants_calls = is_all || targets.iter().any(|target| target == CALLS);
    targets.retain(|target| target != CALLS);
    let mut broken = Vec::new();
    if is_all || !targets.is_empty() {
        broken = rust_targets(targets, seconds)?;
    }
    if wants_calls && !calls(seconds)? {
        broken.push(CALLS.to_owned());
    }
    if broken.is_empty() {
        Ok(())
    } else {
        bail!("found something in {}", broken.join(", "))
    }
}

/// Runs the named targets, or all if none is named; those in which something was found.
fn rust_targets(mut targets: Vec<String>, seconds: u32) -> Result<Vec<String>> {
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
    for target in targets {
        // What is found goes to the first folder; the committed corpus is only read.
        let found = paths::repo("target/fuzz-corpus").join(&target);
        std::fs::create_dir_all(&found)?;
        let mut fuzz = command(&cargo_fuzz);
        fuzz.args(["run", "--fuzz-dir", FOLDER])
            .args(NO_SANITIZER)
            .arg(&target)
            .arg(&found)
            .arg(paths::repo(FOLDER).join("corpus").join(&target))
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
            broken.push(target);
        }
    }
    Ok(broken)
}

/// Random calls on every public class and function; whether nothing was found.
fn calls(seconds: u32) -> Result<bool> {
    let packed = Packed::make()?;
    let mut node = Command::new("node");
    node.arg(paths::repo(CALLS_IN_JAVASCRIPT))
        .args(["--seconds", &seconds.to_string()])
        .env("TURNKEEPER_APP", packed.app());
    Ok(step::show("random calls", &mut node)? == 0)
}

fn parse(arguments: &[String]) -> Result<(Vec<String>, u32)> {
    let mut targets = Vec::new();
    let mut seconds = SECONDS;
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let unit = match argument.as_str() {
            "--seconds" => 1,
            "--minutes" => 60,
            _ => {
                targets.push(argument.clone());
                continue;
            }
        };
        let count: Option<u32> = rest.next().and_then(|value| value.parse().ok());
        seconds = count
            .and_then(|count| count.checked_mul(unit))
            .with_context(|| format!("{argument} needs a number"))?;
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

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<(Vec<String>, u32)> {
        let arguments: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        parse(&arguments)
    }

    #[test]
    fn the_time_is_in_seconds_or_minutes() {
        let path = || vec!["path".to_owned()];
        assert_eq!(parsed("path").expect("good"), (path(), SECONDS));
        assert_eq!(parsed("--minutes 2 path").expect("good"), (path(), 120));
        assert_eq!(parsed("path --seconds 5").expect("good"), (path(), 5));
        for wrong in ["--minutes", "--seconds x", "--minutes 99999999999"] {
            assert!(parsed(wrong).is_err(), "{wrong}");
        }
    }
}
