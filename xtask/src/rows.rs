//! The closing table of a test run, and the tests of cargo that it counts.

use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::Result;

use crate::counts::{self, Counts};
use crate::{step, tools};

/// A line of the closing table.
pub struct Row {
    name: String,
    counts: Counts,
    clock: Duration,
}

impl Row {
    pub fn has_failed(&self) -> bool {
        self.counts.failed > 0
    }
}

/// Compiles tests and runs them. The arguments after `--` choose among the tests
/// that were compiled.
pub fn cargo_test(
    label: &str,
    cargo_test: impl Fn() -> Result<Command>,
    of: &[&str],
) -> Result<Counts> {
    let compiled = of.split(|argument| *argument == "--").next();
    let mut command = cargo_test()?;
    command.arg("--no-run").args(compiled.unwrap_or_default());
    let turn = step::lock(&tools::CARGO);
    let compiling = step::attempt(&format!("{label}, compiling"), &mut command)?;
    drop(turn);
    if !compiling.success {
        return Ok(shown_failure(&compiling, Counts::default()));
    }
    let outcome = step::attempt(label, cargo_test()?.args(of))?;
    let counts = counts::cargo(&outcome.output);
    if !outcome.success || counts.passed == 0 {
        return Ok(shown_failure(&outcome, counts));
    }
    Ok(counts)
}

/// Shows the end of what failed, which counts as a failure even if no test did.
fn shown_failure(outcome: &step::Outcome, counts: Counts) -> Counts {
    let end = step::last_lines(&outcome.output, 120);
    println!("{end}\n(all of it: {})", outcome.log.display());
    Counts {
        failed: counts.failed.max(1),
        ..counts
    }
}

/// A row of the table from work that ends in counts; an error is one failure.
pub fn timed(name: &str, work: impl FnOnce() -> Result<Counts>) -> Row {
    let started = Instant::now();
    let counts = work().unwrap_or_else(|error| {
        println!("  FAILED  {name}: {error:#}");
        Counts {
            passed: 0,
            failed: 1,
        }
    });
    Row {
        name: name.to_owned(),
        counts,
        clock: started.elapsed(),
    }
}

/// Shows the table, and ends with an error if something failed.
pub fn close(rows: &[Row], clock: Duration) {
    let mut total = Counts::default();
    println!("\n  {:<28} {:>7} {:>7} {:>9}", "", "passed", "failed", "");
    for Row {
        name,
        counts,
        clock,
    } in rows
    {
        total.add(*counts);
        println!(
            "  {name:<28} {:>7} {:>7} {:>7.1} s",
            counts.passed,
            counts.failed,
            clock.as_secs_f64()
        );
    }
    println!("\n  {:.0} s by the clock", clock.as_secs_f64());
    println!("\n{} passed, {} failed", total.passed, total.failed);
    // The line above is the last: tools that read it expect nothing after it.
    if total.failed > 0 {
        std::process::exit(1);
    }
}
