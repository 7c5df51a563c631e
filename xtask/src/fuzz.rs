//! `cargo xtask fuzz [TARGET…] [--seconds N] [--executions N]`: each target for a while, or until it ran N
//! times, whichever comes first; those in Rust on the nightly compiler, and random calls of the packed
//! package in Node, which have no limit but the time.

use std::path::Path;
use std::process::Command;

use anyhow::{Result, bail, ensure};
use clap::{Arg, ArgMatches};

use crate::package::Flavour;
use crate::packed::packed;
use crate::{paths, step, tools};

const FOLDER: &str = "tests/fuzz/rust";
/// Random calls in JavaScript, as a target beside those of cargo-fuzz.
const CALLS: &str = "calls";
const SECONDS: u64 = 60;
/// The core has no unsafe code for a sanitizer to watch, and what is compared is found without a trace of every
/// comparison: most targets choose among pieces that mean something. Without both they run several times as often.
const INSTRUMENTS: [&str; 3] = ["--sanitizer", "none", "--no-trace-compares"];
/// libFuzzer's own choice among inputs by how rare their features are takes longer than a run of a small target.
const NO_RANKING: &str = "-entropic=0";

/// The arguments as they are written.
pub fn arguments() -> Vec<Arg> {
    let number = |name: &'static str, about: &'static str| {
        let parser = clap::value_parser!(u64).range(1..);
        Arg::new(name).long(name).value_parser(parser).help(about)
    };
    vec![
        Arg::new("targets").num_args(0..),
        number(
            "seconds",
            "How long each runs; 60 seconds, if neither this nor --executions is given",
        ),
        number("executions", "How often each runs, however long that takes"),
    ]
}

pub fn run(given: &ArgMatches) -> Result<()> {
    let number = |name: &str| given.get_one::<u64>(name).copied();
    let (seconds, executions) = (number("seconds"), number("executions"));
    let named = given.get_many::<String>("targets").into_iter().flatten();
    let mut targets: Vec<&str> = named.map(String::as_str).collect();
    let is_all = targets.is_empty();
    let wants_calls = is_all || targets.contains(&CALLS);
    targets.retain(|target| *target != CALLS);
    let mut limits = vec![NO_RANKING.to_owned()];
    limits.extend(executions.map(|count| format!("-runs={count}")));
    if let Some(seconds) = seconds.or(executions.is_none().then_some(SECONDS)) {
        limits.push(format!("-max_total_time={seconds}"));
    }

    let mut broken = Vec::new();
    if is_all || !targets.is_empty() {
        let cargo_fuzz = tools::cargo_command("cargo-fuzz")?;
        let listed = step::said(&mut command(&cargo_fuzz, "list"))?;
        let known: Vec<&str> = listed.lines().collect();
        if let Some(other) = targets.iter().find(|target| !known.contains(target)) {
            let known = known.join(", ");
            bail!("there is no target `{other}`; there are {known} and {CALLS}");
        }
        let mut build = command(&cargo_fuzz, "build");
        step::run("compile the fuzz targets", build.args(INSTRUMENTS))?;
        for target in if is_all { known } else { targets } {
            if !is_sound(&cargo_fuzz, target, &limits)? {
                broken.push(target.to_owned());
            }
        }
    }
    if wants_calls && calls(seconds.unwrap_or(SECONDS)).is_err() {
        broken.push(CALLS.to_owned());
    }
    ensure!(
        broken.is_empty(),
        "found something in {}",
        broken.join(", ")
    );
    Ok(())
}

/// Runs a target in Rust; whether nothing was found.
fn is_sound(cargo_fuzz: &Path, target: &str, limits: &[String]) -> Result<bool> {
    // Inputs that are found go to the first folder; the committed corpus is only read.
    let found = paths::repo("target/fuzz-corpus").join(target);
    std::fs::create_dir_all(&found)?;
    let mut fuzz = command(cargo_fuzz, "run");
    fuzz.args(INSTRUMENTS)
        .arg(target)
        .arg(&found)
        .arg(paths::repo(FOLDER).join("corpus").join(target))
        .arg("--")
        .args(limits)
        .arg(format!("-max_len={}", longest(target)))
        .arg("-print_final_stats=1");
    let words = paths::repo(FOLDER).join(format!("{target}.dict"));
    if words.exists() {
        fuzz.arg(format!("-dict={}", words.display()));
    }
    let outcome = step::attempt(&format!("fuzz {target}"), &mut fuzz)?;
    // Its last lines are numbers, those of executions among them.
    let shown = if outcome.success { 6 } else { 60 };
    println!("{}", step::last_lines(&outcome.output, shown));
    Ok(outcome.success)
}

/// The longest input in bytes: a snapshot and events need more than most, of a conversation 60 steps are enough for
/// every rule, and a history of 96 pieces reaches every line that a longer one does.
fn longest(target: &str) -> u32 {
    match target {
        "restore" => 4_096,
        "payloads" => 1_024,
        "detector" => 128,
        "deduper" => 96,
        _ => 256,
    }
}

/// Random calls on every public class and function.
fn calls(seconds: u64) -> Result<()> {
    packed(Flavour::Published)?;
    let mut node = step::node("tests/fuzz/js/fuzz.mjs");
    node.args(["--seconds", &seconds.to_string()])
        .env("TURNKEEPER_APP", Flavour::Published.app());
    step::show("random calls", &mut node)
}

/// cargo-fuzz calls the `cargo` and `rustc` that it finds: those of the nightly, by rustup's own
/// variable.
fn command(cargo_fuzz: &Path, subcommand: &str) -> Command {
    let mut command = step::command(cargo_fuzz, &[subcommand, "--fuzz-dir", FOLDER]);
    command
        .env("RUSTUP_TOOLCHAIN", "nightly")
        .env_remove("CARGO_TARGET_DIR");
    command
}
