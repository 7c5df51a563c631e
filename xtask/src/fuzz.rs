//! `cargo xtask fuzz [TARGET…] [--minutes N | --seconds N] [--executions N]`: each target for a while, or until it
//! ran so many times, whichever comes first; those in Rust on the nightly compiler, and random calls of the packed
//! package in Node, which have no limit but the time.

use std::path::Path;
use std::process::Command;

use anyhow::{Result, bail};
use clap::{Arg, ArgMatches};

use crate::package::Flavour;
use crate::packed::Packed;
use crate::{paths, step, tools};

const FOLDER: &str = "tests/fuzz/rust";
/// Random calls in JavaScript, as a target beside those of cargo-fuzz.
const CALLS: &str = "calls";
const CALLS_IN_JAVASCRIPT: &str = "tests/fuzz/js/fuzz.mjs";
const SECONDS: u32 = 60;
/// Long enough for any number of executions that somebody waits for.
const SECONDS_FOR_EXECUTIONS: u32 = 24 * 60 * 60;
/// The core has no unsafe code for a sanitizer to watch, and what is compared is found without a trace of every
/// comparison: most targets choose among pieces that mean something. Without both they run several times as often.
const INSTRUMENTS: [&str; 3] = ["--sanitizer", "none", "--no-trace-compares"];
/// libFuzzer's own choice among inputs by how rare their features are takes longer than a run of a small target.
const NO_RANKING: &str = "-entropic=0";
/// The longest input in bytes, where it is not `LONGEST`: a snapshot and events need more, of a conversation 60 steps
/// are enough for every rule, and a history of 96 pieces reaches every line that a longer one does.
const LONGEST_OF: [(&str, u32); 4] = [
    ("restore", 4_096),
    ("payloads", 1_024),
    ("detector", 128),
    ("deduper", 96),
];
const LONGEST: u32 = 256;

pub struct Arguments {
    targets: Vec<String>,
    seconds: Option<u32>,
    executions: Option<u64>,
}

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
        number("minutes", "The same in minutes").conflicts_with("seconds"),
        number("executions", "How often each runs, however long that takes"),
    ]
}

impl Arguments {
    pub fn of(given: &ArgMatches) -> Result<Arguments> {
        let number = |name: &str| given.get_one::<u64>(name).copied();
        let targets = given.get_many::<String>("targets").into_iter().flatten();
        let seconds = number("seconds").or(number("minutes").map(|it| it.saturating_mul(60)));
        Ok(Arguments {
            targets: targets.cloned().collect(),
            seconds: seconds.map(u32::try_from).transpose()?,
            executions: number("executions"),
        })
    }

    fn seconds(&self) -> u32 {
        let most = match self.executions {
            Some(_) => SECONDS_FOR_EXECUTIONS,
            None => SECONDS,
        };
        self.seconds.unwrap_or(most)
    }
}

pub fn run(mut arguments: Arguments) -> Result<()> {
    let mut targets = std::mem::take(&mut arguments.targets);
    let is_all = targets.is_empty();
    let wants_calls = is_all || targets.iter().any(|target| target == CALLS);
    targets.retain(|target| target != CALLS);
    let mut broken = Vec::new();
    if is_all || !targets.is_empty() {
        broken = rust_targets(targets, &arguments)?;
    }
    if wants_calls && !calls(arguments.seconds())? {
        broken.push(CALLS.to_owned());
    }
    if broken.is_empty() {
        Ok(())
    } else {
        bail!("found something in {}", broken.join(", "))
    }
}

/// Runs the named targets, or all if none is named; those in which something was found.
fn rust_targets(mut targets: Vec<String>, arguments: &Arguments) -> Result<Vec<String>> {
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
            .arg(format!("-max_total_time={}", arguments.seconds()))
            .args(arguments.executions.map(|count| format!("-runs={count}")))
            .arg(format!("-max_len={}", longest(&target)))
            .args([NO_RANKING, "-print_final_stats=1"]);
        let words = paths::repo(FOLDER).join(format!("{target}.dict"));
        if words.exists() {
            fuzz.arg(format!("-dict={}", words.display()));
        }
        let outcome = step::attempt(&format!("fuzz {target}"), &mut fuzz)?;
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
