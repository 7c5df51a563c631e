//! `cargo xtask test [SUITE…]`: every check and every test, each counted, whatever fails before it.

use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::checks::CHECKS;
use crate::counts::{self, Counts};
use crate::suites::{Packed, SUITES, Suite};
use crate::tools::WASM_TARGET;
use crate::{nodes, package, step, tools};

/// The tests of the core that are compiled for Wasm, too.
pub const WASM_TESTS: [&str; 2] = ["fixtures", "ghost_block"];

const LIMIT: Duration = Duration::from_secs(20 * 60);

struct Row {
    name: String,
    counts: Counts,
    time: Duration,
}

pub fn run(arguments: &[String]) -> Result<()> {
    let names = chosen_suites(arguments)?;
    let known: Vec<&str> = ["checks", "rust", "wasm"]
        .into_iter()
        .chain(SUITES.iter().map(|s| s.name))
        .collect();
    if let Some(name) = names.iter().find(|name| !known.contains(name)) {
        bail!("there is no suite `{name}`; there are {}", known.join(", "));
    }
    let wanted = |name: &str| names.is_empty() || names.contains(&name);

    let mut rows = Vec::new();
    if wanted("checks") {
        checks(&mut rows);
    }
    let is_chosen = |suite: &&Suite| match names.is_empty() {
        true => !suite.is_by_name_only(),
        false => wanted(suite.name),
    };
    let suites: Vec<_> = SUITES.iter().filter(is_chosen).collect();
    let packed = if suites.is_empty() {
        None
    } else {
        pack(&mut rows)
    };
    // What waits leaves the processor to what does not.
    let (waiting, working): (Vec<_>, Vec<_>) = suites.into_iter().partition(|suite| suite.waits);
    let outside = |suites: Vec<&Suite>| -> Vec<Row> {
        let rows = suites
            .into_iter()
            .map(|suite| run_suite(suite, packed.as_ref()));
        rows.flatten().collect()
    };
    thread::scope(|scope| {
        let waiting = scope.spawn(|| outside(waiting));
        if wanted("rust") {
            step::heading("rust");
            rows.push(timed("rust", rust));
        }
        if wanted("wasm") {
            step::heading("wasm");
            rows.push(timed("wasm", wasm));
        }
        rows.extend(outside(working));
        rows.extend(waiting.join().expect("a suite that fails does not panic"));
    });
    close(&rows)
}

/// The names among the arguments; `--nodes LIST` is for the suites that run on each version.
fn chosen_suites(arguments: &[String]) -> Result<Vec<&str>> {
    let mut names = Vec::new();
    let mut arguments = arguments.iter().map(String::as_str);
    while let Some(argument) = arguments.next() {
        match argument {
            "--nodes" => nodes::choose(arguments.next().context("--nodes needs a list")?)?,
            name => names.push(name),
        }
    }
    Ok(names)
}

fn checks(rows: &mut Vec<Row>) {
    step::heading("checks");
    for (name, check) in CHECKS {
        rows.push(timed(name, || check().map(|()| Counts::ONE)));
    }
}

fn rust() -> Result<Counts> {
    cargo_test(
        "cargo test",
        tools::cargo().args(["test", "--workspace", "--no-fail-fast"]),
    )
}

/// The module that users run is built for release; this is the core with checks against overflow.
fn wasm() -> Result<Counts> {
    tools::wasm_target()?;
    let runner = tools::wasm_bindgen()?.join("wasm-bindgen-test-runner");
    let mut cargo = tools::cargo();
    cargo
        .args(["test", "--package", "turnkeeper-core"])
        .args(["--target", WASM_TARGET, "--no-fail-fast"])
        .args(WASM_TESTS.map(|name| format!("--test={name}")))
        .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", runner);
    cargo_test("cargo test on 32 bits", &mut cargo)
}

fn cargo_test(label: &str, command: &mut Command) -> Result<Counts> {
    let outcome = step::attempt(label, command, Some(LIMIT))?;
    let mut counts = counts::cargo(&outcome.output);
    if !outcome.success || counts.passed == 0 {
        counts.failed = counts.failed.max(1);
        let end = step::last_lines(&outcome.output, 120);
        println!("{end}\n(all of it: {})", outcome.log.display());
    }
    Ok(counts)
}

/// The package that the suites look at from outside.
fn pack(rows: &mut Vec<Row>) -> Option<Packed> {
    step::heading("package");
    let mut packed = None;
    rows.push(timed("build and pack", || {
        packed = Some(Packed::make()?);
        Ok(Counts::ONE)
    }));
    if packed.is_some() {
        rows.push(timed("sizes", || {
            package::check_size().map(|()| Counts::ONE)
        }));
    }
    packed
}

/// Without a package every suite has failed.
fn run_suite(suite: &Suite, packed: Option<&Packed>) -> Vec<Row> {
    let Some(packed) = packed else {
        println!("  {} is not run: there is no package", suite.name);
        return vec![Row::failed(suite.name, Duration::ZERO)];
    };
    step::heading(suite.name);
    let started = Instant::now();
    match suite.run(packed) {
        Ok(results) => {
            let row = |(name, counts, time)| Row { name, counts, time };
            results.into_iter().map(row).collect()
        }
        Err(error) => {
            println!("  FAILED  {}: {error:#}", suite.name);
            vec![Row::failed(suite.name, started.elapsed())]
        }
    }
}

fn timed(name: &str, work: impl FnOnce() -> Result<Counts>) -> Row {
    let started = Instant::now();
    match work() {
        Ok(counts) => Row {
            name: name.to_owned(),
            counts,
            time: started.elapsed(),
        },
        Err(error) => {
            println!("  FAILED  {name}: {error:#}");
            Row::failed(name, started.elapsed())
        }
    }
}

impl Row {
    fn failed(name: &str, time: Duration) -> Row {
        Row {
            name: name.to_owned(),
            counts: Counts {
                passed: 0,
                failed: 1,
            },
            time,
        }
    }
}

fn close(rows: &[Row]) -> Result<()> {
    let mut total = Counts::default();
    println!(
        "\n  {:<28} {:>7} {:>7} {:>9}",
        "", "passed", "failed", "seconds"
    );
    for Row { name, counts, time } in rows {
        total.add(*counts);
        let seconds = time.as_secs_f64();
        println!(
            "  {name:<28} {:>7} {:>7} {seconds:>9.1}",
            counts.passed, counts.failed
        );
    }
    println!("\n{} passed, {} failed", total.passed, total.failed);
    // The line above is the last: tools that read it expect nothing after it.
    if total.failed > 0 {
        std::process::exit(1);
    }
    Ok(())
}
