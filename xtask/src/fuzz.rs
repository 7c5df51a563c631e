//! `cargo xtask fuzz [TARGET…] [--minutes N | --seconds N] [--executions N]`: each target for a while, or until it
//! ran so many times, whichever comes first; those in Rust on the nightly compiler, and random calls of the packed
//! package in Node, which have no limit but the time.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::package::Flavour;
use crate::suites::Packed;
use crate::{paths, step, tools};

const FOLDER: &str = "tests/fuzz";
/// Random calls in JavaScript, as a target beside those of cargo-fuzz.
const CALLS: &str = "calls";
const CALLS_IN_JAVASCRIPT: &str = "tests/fuzz-js/fuzz.mjs";
const SECONDS: u32 = 60;
/// Long enough for any number of executions that somebody waits for.
const SECONDS_FOR_EXECUTIONS: u32 = 24 * 60 * 60;
/// The core has no unsafe code for a sanitizer to watch, and what is compared is found without a trace of every
/// comparison: most targets choose among pieces that mean something. Without both they run several times as often.
const INSTRUMENTS: [&str; 3] = ["--sanitizer", "none", "--no-trace-compares"];
/// libFuzzer's own choice among inputs by how rare their features are takes longer than a run of a small target.
const NO_RANKING: &str = "-entropic=0";
/// The longest input in bytes, where it is not `LONGEST`: a snapshot needs more, of a conversation 60 steps
/// are enough for every rule, and a history of 96 pieces reaches every line that a longer one does.
const LONGEST_OF: [(&str, u32); 3] = [("restore", 4_096), ("detector", 128), ("deduper", 96)];
const LONGEST: u32 = 256;

/// The time that each target runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Bounds {
    seconds: u32,
    executions: Option<u64>,
}

pub fn run(arguments: &[String]) -> Result<()> {
    let (mut targets, bounds) = parse(arguments)?;
    if !paths::repo(FOLDER).exists() {
        bail!("this checkout has no fuzz targets ({FOLDER})");
    }
    let is_all = targets.is_empty();
    let wants_calls = is_all || targets.iter().any(|target| target == CALLS);
    targets.retain(|target| target != CALLS);
    let mut broken = Vec::new();
    if is_all || !targets.is_empty() {
        broken = rust_targets(targets, bounds)?;
    }
    if wants_calls && !calls(bounds.seconds)? {
        broken.push(CALLS.to_owned());
    }
    if broken.is_empty() {
        Ok(())
    } else {
        bail!("found something in {}", broken.join(", "))
    }
}

/// Runs the named targets, or all if none is named; those in which something was found.
fn rust_targets(mut targets: Vec<String>, bounds: Bounds) -> Result<Vec<String>> {
    let known = all()?;
    if let Some(other) = targets.iter().find(|target| !known.contains(target)) {
        bail!(
            "there is no target `{other}`; there are {} and {CALLS}",
            known.join(", ")
        );
    }
    if targets.is_empty() {
        targets = known;
    }
    let cargo_fuzz = tools::cargo_command("cargo-fuzz")?;
    let mut build = command(&cargo_fuzz);
    build
        .args(["build", "--fuzz-dir", FOLDER])
        .args(INSTRUMENTS);
    step::run("compile the fuzz targets", &mut build)?;

    let mut broken = Vec::new();
    for target in targets {
        // Inputs that are found go to the first folder; the committed corpus is only read.
        let found = paths::repo("target/fuzz-corpus").join(&target);
        std::fs::create_dir_all(&found)?;
        let mut fuzz = command(&cargo_fuzz);
        fuzz.args(["run", "--fuzz-dir", FOLDER])
            .args(INSTRUMENTS)
            .arg(&target)
            .arg(&found)
            .arg(paths::repo(FOLDER).join("corpus").join(&target))
            .arg("--")
            .arg(format!("-max_total_time={}", bounds.seconds))
            .args(bounds.executions.map(|count| format!("-runs={count}")))
            .arg(format!("-max_len={}", longest(&target)))
            .args([NO_RANKING, "-print_final_stats=1"]);
        let words = paths::repo(FOLDER).join(format!("{target}.dict"));
        if words.exists() {
            fuzz.arg(format!("-dict={}", words.display()));
        }
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

fn longest(target: &str) -> u32 {
    let own = LONGEST_OF.iter().find(|(name, _)| *name == target);
    own.map_or(LONGEST, |(_, longest)| *longest)
}

/// Random calls on every public class and function; whether nothing was found.
fn calls(seconds: u32) -> Result<bool> {
    let packed = Packed::make(Flavour::Published)?;
    let mut node = Command::new("node");
    node.arg(paths::repo(CALLS_IN_JAVASCRIPT))
        .args(["--seconds", &seconds.to_string()])
        .env("TURNKEEPER_APP", packed.app());
    Ok(step::show("random calls", &mut node)? == 0)
}

fn parse(arguments: &[String]) -> Result<(Vec<String>, Bounds)> {
    let mut targets = Vec::new();
    let (mut seconds, mut executions) = (None, None);
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let unit = match argument.as_str() {
            "--seconds" => Some(1),
            "--minutes" => Some(60),
            "--executions" => None,
            _ => {
                targets.push(argument.clone());
                continue;
            }
        };
        let count: Option<u64> = rest.next().and_then(|value| value.parse().ok());
        let count = count.filter(|count| *count > 0);
        let needs = || format!("{argument} needs a number");
        match unit {
            None => executions = Some(count.with_context(needs)?),
            Some(unit) => {
                let whole = count.and_then(|count| u32::try_from(count).ok()?.checked_mul(unit));
                seconds = Some(whole.with_context(needs)?);
            }
        }
    }
    let most = match executions {
        Some(_) => SECONDS_FOR_EXECUTIONS,
        None => SECONDS,
    };
    let seconds = seconds.unwrap_or(most);
    Ok((
        targets,
        Bounds {
            seconds,
            executions,
        },
    ))
}

/// The targets in Rust: each is a file.
fn all() -> Result<Vec<String>> {
    let mut targets = Vec::new();
    for file in std::fs::read_dir(paths::repo(FOLDER).join("fuzz_targets"))? {
        let path = file?.path();
        if path.extension().is_some_and(|extension| extension == "rs") {
            let name = path.file_stem().unwrap_or_default();
            targets.push(name.to_string_lossy().into_owned());
        }
    }
    targets.sort();
    Ok(targets)
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

    fn parsed(line: &str) -> Result<(Vec<String>, Bounds)> {
        let arguments: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        parse(&arguments)
    }

    #[test]
    fn a_target_has_seconds_minutes_or_executions() {
        let path = |seconds, executions| {
            let bounds = Bounds {
                seconds,
                executions,
            };
            (vec!["path".to_owned()], bounds)
        };
        for (line, bounds) in [
            ("path", path(SECONDS, None)),
            ("--minutes 2 path", path(120, None)),
            ("path --seconds 5", path(5, None)),
            ("path --executions 7", path(SECONDS_FOR_EXECUTIONS, Some(7))),
            ("path --executions 7 --seconds 5", path(5, Some(7))),
        ] {
            assert_eq!(parsed(line).expect("good"), bounds);
        }
        for wrong in [
            "--minutes",
            "--seconds x",
            "--minutes 99999999999",
            "--executions",
            "--executions 0",
        ] {
            assert!(parsed(wrong).is_err(), "{wrong}");
        }
    }
}
